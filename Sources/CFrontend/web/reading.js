// Submitted evaluations of one candidate side by side: a column for each interviewer, a row for each question.

import { h, icon, time } from "./dom.js";
import { loadCatalogue, ready } from "./fonts.js";
import { get, list, segment } from "./http.js";
import { isAnswered, itemsOf, takesAnswer, textOf, textsOf, valueText } from "./items.js";
import { loadProfile, RowStyle } from "./profile.js";
import { retiredItems } from "./retired.js";
import { directionOf } from "./rows-view.js";
import { bar } from "./shell.js";

export class ReadingPage {
  constructor(main, kitID, candidateID) {
    this.kitID = kitID;
    this.candidateID = candidateID;
    this.element = h("div", { class: "reading" });
    main.append(this.element);
    bar.set({ title: "", back: "#/" });
  }

  async open() {
    const query = `kit=${segment(this.kitID)}&candidate=${segment(this.candidateID)}&status=submitted`;
    const [summaries, profile] = await Promise.all([list(`/v1/evaluations?${query}`, 50), loadProfile("web"), loadCatalogue()]);
    const evaluations = await Promise.all(summaries.map(({ id }) => get(`/v1/evaluations/${segment(id)}?include=kit`)));
    this.retired = await Promise.all(evaluations.map(retiredItems));
    if (evaluations.length === 0) {
      this.element.replaceChildren(h("div", { class: "column empty-page" }, h("h1", { text: "Nothing to read yet" }),
        h("p", { class: "quiet", text: "Evaluations appear here once they are submitted." })));
      return;
    }
    const newest = evaluations.reduce((a, b) => (b.kitRevision > a.kitRevision ? b : a)).kit;
    const locale = newest.language ?? "en";
    this.style = new RowStyle(profile, { profile: "web", locale, scale: 1 });
    const texts = evaluations.flatMap((one) => Object.values(one.answers).flatMap(({ value, comment }) => [typeof value === "string" ? value : "", comment ?? ""]));
    await ready([...textsOf(newest, this.style), ...texts], this.style.family, locale, [400, 600]);
    this.#show(evaluations, newest);
  }

  #show(evaluations, kit) {
    const candidate = evaluations[0].candidate.name || evaluations[0].candidate.id;
    const count = evaluations.length;
    document.title = `${candidate} · ${kit.title}`;
    bar.title(candidate, `${kit.title} · ${count} ${count === 1 ? "evaluation" : "evaluations"}`);
    const table = h("table", { class: "reading-table", lang: kit.language, dir: directionOf(kit.language ?? "en") });
    const head = h("tr", {}, h("th", { scope: "col", class: "reading-question" }, h("span", { class: "visually-hidden", text: "Question" })),
      evaluations.map((one) => this.#header(one, kit)));
    table.append(h("thead", {}, head), ...this.#body(evaluations, kit));
    table.style.setProperty("--columns", String(count));
    this.element.replaceChildren(h("div", { class: "reading-scroll", tabindex: "0", role: "region", "aria-label": "Evaluations side by side" }, table));
  }

  #header(one, kit) {
    const name = one.interviewer?.name || one.interviewer?.id || "Interviewer";
    const overall = kit.overallQuestionId && itemsOf(one.kit).get(kit.overallQuestionId);
    const verdict = overall ? valueText(overall, one.answers[overall.id], one.kit, this.style) : "";
    return h("th", { scope: "col" }, h("a", { class: "reading-name", href: `#/evaluations/${segment(one.id)}`, dir: "auto", text: name }),
      verdict ? h("span", { class: "chip good", text: verdict }) : null,
      h("span", { class: "hint" }, one.submittedAt ? time(one.submittedAt) : "",
        one.kitRevision === kit.revision ? "" : ` · kit revision ${one.kitRevision}`));
  }

  #body(evaluations, kit) {
    const own = evaluations.map((one, place) => new Map([...itemsOf(one.kit), ...this.retired[place]]));
    const shown = new Set();
    const bodies = [];
    const rowOf = (item) => {
      shown.add(item.id);
      if (item.kind === "note") return null;
      const isGroup = !takesAnswer(item);
      return h("tr", { class: isGroup ? "reading-group" : "" },
        h("th", { scope: "row", class: item.criterion ? "reading-question below" : "reading-question" }, h("span", { dir: "auto", text: textOf(item) })),
        evaluations.map((one, place) => h("td", {}, isGroup ? "" : this.#cell(own[place].get(item.id), one.answers[item.id], one.kit))));
    };
    for (const section of kit.sections) {
      const rows = [...itemsOf({ ...kit, sections: [section] }).values()].filter(({ kind }) => kind !== "section").map(rowOf).filter(Boolean);
      if (rows.length === 0) continue;
      bodies.push(h("tbody", {}, h("tr", { class: "reading-section" }, h("th", { scope: "rowgroup", colspan: evaluations.length + 1 }, h("span", { dir: "auto", text: section.title }))), rows));
    }
    // Answers to questions that the newest kit does not have any more are read all the same.
    const others = own.flatMap((items, place) => [...items.values()].filter((item) =>
      takesAnswer(item) && !shown.has(item.id) && isAnswered(evaluations[place].answers[item.id])));
    const rows = others.filter((item) => !shown.has(item.id)).map(rowOf).filter(Boolean);
    if (rows.length > 0) {
      bodies.push(h("tbody", {}, h("tr", { class: "reading-section" }, h("th", { scope: "rowgroup", colspan: evaluations.length + 1, text: "No longer in the kit" })), rows));
    }
    return bodies;
  }

  #cell(item, answer, kit) {
    if (!item) return h("span", { class: "hint", text: "not asked" });
    if (answer?.notAssessed) return [h("span", { class: "chip", text: this.style.string("notAssessed") }), comment(answer)];
    const text = valueText(item, answer, kit, this.style);
    if (!text) return [h("span", { class: "faint", "aria-label": "no answer", text: "–" }), comment(answer)];
    const isChoice = ["rating", "criterion", "yesNo", "singleSelect", "multiSelect"].includes(item.kind);
    return [h("span", { class: isChoice ? "reading-choice" : "reading-text", dir: "auto" }, isChoice ? icon("check") : null, text), comment(answer)];
  }
}

const comment = (answer) => (answer?.comment ? h("p", { class: "reading-comment", dir: "auto", text: answer.comment }) : null);
