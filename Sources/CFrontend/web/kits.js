// The first page: kits to evaluate with, and evaluations that are under way or done.

import { button, dialog, h, icon, labelled, time } from "./dom.js";
import { list, seen, segment, send, writeName } from "./http.js";
import { acceptDrops, chooseFile, importFile } from "./import.js";
import { showError } from "./notices.js";
import { bar, openMenu } from "./shell.js";

export class KitsPage {
  constructor(main) {
    this.main = main;
    document.title = "InterviewKit";
    bar.set({ title: "InterviewKit", back: null, tools: [
      button("Import", async () => this.#import(await chooseFile()), { iconName: "file" }),
      button("New kit", () => this.#create(), { kind: "primary", iconName: "plus" })] });
    this.kits = h("ul", { class: "cards", "aria-label": "Kits" });
    this.evaluations = h("div", {});
    main.append(h("div", { class: "wide-column" },
      h("section", {}, h("h1", { text: "Kits" }), this.kits),
      h("section", {}, h("h2", { class: "page-heading", text: "Evaluations" }), this.evaluations),
      h("p", {}, h("a", { class: "link", href: "/docs", text: "API reference" }))));
    this.stopDrops = acceptDrops(main, (file) => this.#import(file));
  }

  close() { this.stopDrops(); }

  async open() {
    const [kits, evaluations] = await Promise.all([list("/v1/kits", 400), list("/v1/evaluations", 400)]);
    this.titles = new Map(kits.map((kit) => [kit.id, kit.title]));
    this.kits.replaceChildren(...kits.map((kit) => this.#card(kit)));
    if (kits.length === 0) this.kits.append(h("li", { class: "empty" },
      h("p", { text: "No kits yet. Make one, or drop a Markdown, CSV or JSON file here." })));
    this.#showEvaluations(evaluations);
  }

  #card(kit) {
    const menu = button(`More for ${kit.title}`, () => openMenu(menu, [
      { label: "Edit questions", action: () => { location.hash = `#/kits/${segment(kit.id)}`; } },
      { label: "Row heights", action: () => { location.hash = `#/inspector/${segment(kit.id)}`; } },
      { label: kit.status === "archived" ? "Take out of the archive" : "Archive",
        action: () => this.#change(kit, "PATCH", { status: kit.status === "archived" ? "active" : "archived" }) },
      { label: "Move to the trash…", isBad: true, action: () => this.#delete(kit) },
    ]), { kind: "bare small", iconName: "more", "aria-haspopup": "menu" });
    return h("li", { class: "card" },
      h("div", { class: "card-head" }, h("h3", {}, h("a", { href: `#/kits/${segment(kit.id)}`, dir: "auto", lang: kit.language, text: kit.title })), menu),
      h("p", { class: "quiet card-meta" }, kit.status === "active" ? "" : h("span", { class: "chip", text: kit.status }),
        `${kit.questionCount} ${kit.questionCount === 1 ? "question" : "questions"}, changed `, time(kit.updatedAt)),
      h("div", { class: "actions start" },
        button("Evaluate a candidate", () => this.#begin(kit), { kind: "quiet", disabled: kit.status === "archived" })));
  }

  async #change(kit, method, body) {
    try {
      await send(method, `/v1/kits/${segment(kit.id)}`, { body, type: "application/merge-patch+json", headers: { ...seen(kit.revision), "Idempotency-Key": writeName() } });
      await this.open();
    } catch (error) {
      showError(error);
    }
  }

  async #delete(kit) {
    const isWanted = await dialog("Move to the trash", (close) => [
      h("p", { dir: "auto", text: kit.title }), h("p", { class: "quiet", text: "It can be brought back for 30 days. Its evaluations stay readable." }),
      h("div", { class: "actions" }, button("Cancel", () => close()), button("Move to the trash", () => close(true), { kind: "bad", autofocus: true })),
    ]);
    if (isWanted) await this.#change(kit, "DELETE");
  }

  #showEvaluations(evaluations) {
    if (evaluations.length === 0) {
      this.evaluations.replaceChildren(h("p", { class: "quiet", text: "An evaluation is one interviewer's answers about one candidate. None has begun yet." }));
      return;
    }
    const groups = Map.groupBy(evaluations, (one) => `${one.kitId} ${one.candidate.id}`);
    this.evaluations.replaceChildren(h("ul", { class: "lines" }, [...groups.values()].flatMap((group) =>
      group.map((one, place) => this.#line(one, place === 0 && group.filter(({ status }) => status === "submitted").length > 0)))));
  }

  #line(one, isFirstOfSubmitted) {
    const { answered, missing } = one.progress;
    const interviewer = one.interviewer?.name || one.interviewer?.id;
    const state = one.status === "draft" ? `${answered} answered${missing > 0 ? `, ${missing} required missing` : ""}` : one.status;
    return h("li", { class: "line" },
      h("a", { class: "line-main", href: `#/evaluations/${segment(one.id)}` },
        h("span", { class: "line-title", dir: "auto", text: one.candidate.name || one.candidate.id }),
        h("span", { class: "quiet" }, h("bdi", { text: this.titles.get(one.kitId) ?? one.kitId }),
          interviewer ? [" · ", h("bdi", { text: interviewer })] : [])),
      h("span", { class: one.status === "submitted" ? "chip good" : "chip", text: state }),
      isFirstOfSubmitted ? h("a", { class: "button bare", href: `#/reading/${segment(one.kitId)}/${segment(one.candidate.id)}`,
        "aria-label": `Read all evaluations of ${one.candidate.name || one.candidate.id}`, title: "Side by side" }, icon("columns")) : "");
  }

  async #begin(kit) {
    const name = await ask("Evaluate a candidate", "Candidate", "Begin");
    if (!name) return;
    try {
      const body = { kitId: kit.id, candidate: { id: slug(name), name } };
      const { data } = await send("POST", "/v1/evaluations", { body, headers: { "Idempotency-Key": writeName() } });
      location.hash = `#/evaluations/${segment(data.id)}`;
    } catch (error) {
      showError(error);
    }
  }

  async #create() {
    const title = await ask("New kit", "Title", "Make");
    if (!title) return;
    try {
      const body = { title, language: navigator.language.split("-")[0], sections: [{ title: "Questions", questions: [] }] };
      const { data } = await send("POST", "/v1/kits", { body, headers: { "Idempotency-Key": writeName() } });
      location.hash = `#/kits/${segment(data.id)}`;
    } catch (error) {
      showError(error);
    }
  }

  async #import(file) {
    if (!file) return;
    try {
      const kit = await importFile(file);
      if (kit) location.hash = `#/kits/${segment(kit.id)}`;
    } catch (error) {
      showError(error, `${file.name} can't be imported`);
    }
  }
}

/** An ID for a candidate who has none in another system: from the name where it has Latin letters, else made up. */
function slug(name) {
  const plain = name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  return plain || `c-${writeName().slice(0, 12)}`;
}

/** Asks for one line of text. */
export function ask(title, label, action, value = "") {
  return dialog(title, (close) => {
    const field = h("input", { class: "input", required: true, dir: "auto", maxlength: 500, autofocus: true, value });
    return h("form", { class: "stack", on: {
      submit: (event) => {
        event.preventDefault();
        close(field.value.trim());
      },
    } },
    labelled(label, field),
    h("div", { class: "actions" }, button("Cancel", () => close()), h("button", { class: "button primary", text: action })));
  });
}
