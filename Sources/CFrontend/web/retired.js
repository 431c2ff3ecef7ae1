// Answers to questions that a kit does not have any more: they stay with their evaluation, and are shown.

import { h } from "./dom.js";
import { list, segment } from "./http.js";
import { itemsOf, textOf, valueText } from "./items.js";

/** The items of retired answers by ID, as far as the kit's trash still knows them. */
export async function retiredItems(evaluation) {
  if (evaluation.retired.length === 0) return new Map();
  const path = `/v1/kits/${segment(evaluation.kitId)}`;
  const [questions, sections] = await Promise.all(["questions", "sections"].map((kind) => list(`${path}/${kind}?deleted=true`)));
  const items = itemsOf({ sections: [...sections.map(({ section }) => section),
    { id: "", title: "", questions: questions.map(({ question }) => question) }] });
  return new Map(evaluation.retired.filter((id) => items.has(id)).map((id) => [id, items.get(id)]));
}

/** A section with the retired answers of an evaluation; empty when there are none. */
export async function retiredSection(evaluation, style) {
  const section = h("section", { class: "retired", "aria-label": "No longer in the kit" });
  if (evaluation.retired.length === 0) return section;
  const items = await retiredItems(evaluation);
  section.append(h("h2", { class: "page-heading", text: "No longer in the kit" }), ...evaluation.retired.map((id) => {
    const [item, answer] = [items.get(id), evaluation.answers[id]];
    const text = item ? valueText(item, answer, evaluation.kit, style) : String(answer.value ?? "");
    return h("div", { class: "retired-answer" }, h("h3", { dir: "auto", text: item ? textOf(item) : id }),
      h("p", { class: "reading-text", dir: "auto", text: text || (answer.notAssessed ? style.string("notAssessed") : "") }),
      answer.comment ? h("p", { class: "reading-comment", dir: "auto", text: answer.comment }) : null);
  }));
  return section;
}
