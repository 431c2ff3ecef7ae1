// Kits from files: dropped or chosen, tried first, and made only when somebody has seen what will be left out.

import { button, dialog, h } from "./dom.js";
import { send, writeName } from "./http.js";

const types = { md: "text/markdown", markdown: "text/markdown", csv: "text/csv", json: "application/json" };

/** Calls back with a file that is dropped anywhere on the element; returns what ends that. */
export function acceptDrops(element, taken) {
  const listeners = new AbortController();
  const options = { signal: listeners.signal };
  const hasFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    element.classList.add("drop-here");
  }, options);
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) element.classList.remove("drop-here");
  }, options);
  addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    element.classList.remove("drop-here");
    taken(event.dataTransfer.files[0]);
  }, options);
  return () => listeners.abort();
}

/** Asks for a file; undefined when none is chosen. */
export function chooseFile() {
  return new Promise((resolve) => {
    const input = h("input", { type: "file", accept: Object.keys(types).map((ending) => `.${ending}`).join(",") });
    input.addEventListener("change", () => resolve(input.files[0]));
    input.addEventListener("cancel", () => resolve(undefined));
    input.click();
  });
}

/** Imports a file as a new kit, after its report was seen; undefined when it was not wanted. */
export async function importFile(file) {
  const type = types[file.name.split(".").pop().toLowerCase()];
  if (!type) throw new Error("Kits come as Markdown (.md), CSV (.csv) or JSON (.json).");
  // A document that names no title and no language takes them from the file's name: shift-lead.en.csv.
  const bare = file.name.replace(/\.[^.]*$/, "");
  const [, title, language] = /^(.+)\.([a-z]{2}(?:-[a-z\d]{2,8})*)$/i.exec(bare) ?? [null, bare];
  const named = `&title=${encodeURIComponent(title)}` + (language ? `&language=${encodeURIComponent(language)}` : "");
  const query = type === "application/json" ? "" : named;
  const trial = await send("POST", `/v1/kits?dryRun=true${query}`, { body: file, type });
  const isWanted = await dialog(`Import ${file.name}`, (close) => [
    ...report(trial.data),
    h("div", { class: "actions" }, button("Cancel", () => close()), button("Make this kit", () => close(true), { kind: "primary", autofocus: true })),
  ], { wide: true });
  if (!isWanted) return undefined;
  const made = await send("POST", `/v1/kits${query.replace("&", "?")}`, { body: file, type, headers: { "Idempotency-Key": writeName() } });
  return made.data;
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function report(kit) {
  const questions = kit.sections.reduce((sum, section) => sum + section.questions.length, 0);
  const left = kit.importReport?.leftOut ?? [];
  return [
    h("p", {}, h("strong", { dir: "auto", text: kit.title }),
      `: ${counted(kit.sections.length, "section")}, ${counted(questions, "question")}.`),
    left.length === 0 ? h("p", { class: "quiet", text: "Nothing is left out." }) : h("div", {},
      h("p", { text: left.length === 1 ? "One line is left out:" : `${left.length} lines are left out:` }),
      h("ul", { class: "left-out" }, left.slice(0, 200).map((one) => h("li", {},
        h("span", { class: "line-number", text: `line ${one.line}` }), h("span", { dir: "auto", text: one.text }),
        h("span", { class: "hint", text: one.message ?? one.reason }))))),
  ];
}
