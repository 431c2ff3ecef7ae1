// Answers that could not be saved as they are: both values of a conflict with a choice, and what was refused.

import { button, h } from "./dom.js";
import { textOf, valueText } from "./items.js";
import { hideNotice, showNotice } from "./notices.js";

/** Shows, or takes away, what is wrong with an item. */
export function showTrouble(page, id) {
  const entry = page.book.entry(id);
  const item = page.view?.items?.get(id);
  const name = `item ${id}`;
  if (!item || !["conflict", "held", "invalid"].includes(entry.state)) return hideNotice(name);
  const question = h("button", { type: "button", class: "link", dir: "auto", text: textOf(item), on: { click: () => page.goTo(id) } });
  if (entry.state === "conflict") return showConflict(page, item, entry, name, question);
  const isHeld = entry.state === "held";
  showNotice(name, {
    title: isHeld ? "Kept here, not saved" : "Not saved as it is", tone: "bad",
    body: [question, h("p", { text: entry.problem }), isHeld
      ? h("p", { class: "quiet", text: "What you typed stays in this browser. Open the evaluation again to save it." }) : null,
    isHeld ? value(page, item, entry.local) : null],
  });
}

function showConflict(page, item, entry, name, question) {
  const side = (title, content, choice) => h("div", { class: "side" }, h("h4", { text: title }), value(page, item, content),
    button(choice === "mine" ? "Keep mine" : "Take theirs", () => page.book.resolve(item.id, choice), { kind: choice === "mine" ? "primary" : "" }));
  showNotice(name, {
    title: "Somebody else answered this too", tone: "bad", canClose: false,
    body: [question, h("div", { class: "sides" },
      side("Yours", entry.local, "mine"), side(`Theirs${entry.conflict.updatedBy ? ` (${entry.conflict.updatedBy})` : ""}`, entry.saved, "theirs"))],
  });
}

function value(page, item, content) {
  const { kit, style } = page.view;
  const text = [valueText(item, content, kit, style), content.comment, content.notAssessed ? style.string("notAssessed") : ""]
    .filter(Boolean).join("\n");
  return h("blockquote", { dir: "auto", text: text || "nothing" });
}
