// The evaluation form: one interviewer's answers about one candidate, saved while they are typed.

import { AnswerBook } from "./answers.js";
import { makeTools } from "./answer-tools.js";
import { button, h, time } from "./dom.js";
import { loadCatalogue } from "./fonts.js";
import { get, segment, send } from "./http.js";
import { isAnswered, takesAnswer, textOf } from "./items.js";
import { makeOutline } from "./outline.js";
import { hideNotice, say, showError, showNotice } from "./notices.js";
import { loadProfile } from "./profile.js";
import { naturalHeight, typedHeight } from "./row.js";
import { RowsView } from "./rows-view.js";
import { retiredSection } from "./retired.js";
import { offerRevision, reopen, submit } from "./steps.js";
import { ChangeStream } from "./stream.js";
import { showTrouble } from "./trouble.js";
import { bar } from "./shell.js";
import { queryOf, viewportOf, watchViewport } from "./viewport.js";

export class FormPage {
  constructor(main, id) {
    this.path = `/v1/evaluations/${segment(id)}`;
    this.column = h("div", { class: "column" });
    this.rows = h("div", { "aria-label": "Questions" });
    this.intro = h("div", { class: "intro" });
    this.retired = h("div", {});
    this.column.append(this.intro, this.rows, this.retired);
    this.outline = makeOutline((section) => this.view.list.reveal(section));
    main.append(h("div", { class: "with-outline" }, this.outline.element, this.column));
    this.saveState = h("span", { class: "save-state", role: "status" });
    this.action = h("span");
    bar.set({ title: "", back: "#/", tools: [this.saveState, this.action] });
  }

  async open() {
    const viewport = viewportOf(this.column);
    // Asked for together: what the rows need besides their texts is there when these come.
    const [evaluation] = await Promise.all([
      get(`${this.path}?include=kit,layout&${queryOf(viewport)}`), loadProfile(viewport.profile), loadCatalogue()]);
    performance.mark("interviewkit-data");
    this.evaluation = evaluation;
    this.book = new AnswerBook(evaluation, () => `?${queryOf(this.viewport)}`, this);
    this.viewport = viewport;
    const texts = () => Object.values(this.evaluation.answers).flatMap((answer) =>
      [typeof answer.value === "string" ? answer.value : "", answer.comment ?? ""]);
    this.view = new RowsView(this.rows, {
      content: (item) => this.book.content(item), edit: (item, change) => this.edit(item, change),
      isOpen: evaluation.status === "draft", tools: (item) => (takesAnswer(item) ? makeTools(item, this) : null),
    }, texts);
    await this.view.show(evaluation.kit, evaluation.layouts[0]);
    performance.mark("interviewkit-drawn");
    this.#dress();
    this.rows.addEventListener("focusout", (event) => this.#left(event.target.closest("[data-id]")?.dataset.id));
    for (const [event, isComposing] of [["compositionstart", true], ["compositionend", false]]) {
      this.rows.addEventListener(event, ({ target }) => this.book.compose(target.closest("[data-id]").dataset.id, isComposing));
    }
    document.fonts.addEventListener("loadingdone", this.#fontsCame);
    this.stopWatching = watchViewport(this.column, () => this.relayOut());
    this.#follow(evaluation.sequence);
    await this.#restore();
    if (evaluation.status === "draft") offerRevision(this);
  }

  close() {
    this.isClosed = true;
    this.stopWatching?.();
    this.stream?.close();
    this.book?.close();
    this.view?.close();
    document.fonts.removeEventListener("loadingdone", this.#fontsCame);
  }

  /** What stands around the rows. */
  #dress() {
    const { evaluation } = this;
    const { kit, candidate } = evaluation;
    bar.title(candidate.name || candidate.id, kit.title);
    document.title = `${candidate.name || candidate.id} · ${kit.title}`;
    this.intro.dir = this.rows.dir;
    this.intro.replaceChildren(
      h("h1", { text: kit.title }),
      h("p", { class: "quiet" }, "Evaluation of ", h("strong", { text: candidate.name || candidate.id }),
        evaluation.submittedAt ? [", submitted ", time(evaluation.submittedAt)] : `, ${evaluation.status}`),
      kit.instructions ? h("p", { class: "instructions", dir: "auto", text: kit.instructions }) : "");
    const actions = { draft: () => button("Submit", () => submit(this), { kind: "primary" }), submitted: () => button("Open again", () => reopen(this)) };
    this.action.replaceChildren(actions[evaluation.status]?.() ?? "");
    this.outline.fill(kit, this.view.heights, this.#progress());
    this.#showSaveState();
    this.#showRetired().catch((error) => showError(error));
    // The text above the rows may have moved them.
    this.view.list.update();
  }

  async #showRetired() {
    const { evaluation } = this;
    const section = await retiredSection(evaluation, this.view.style);
    if (evaluation === this.evaluation) this.retired.replaceChildren(section);
  }

  /** How many rows of each section, or of one, are answered. */
  #progress(only) {
    const progress = new Map();
    for (const id of this.view.heights.ids) {
      const item = this.view.items.get(id);
      if (!item || !takesAnswer(item) || (only && item.section.id !== only)) continue;
      const counts = progress.get(item.section.id) ?? { answered: 0, all: 0 };
      counts.all += 1;
      if (isAnswered(this.book.content(id))) counts.answered += 1;
      progress.set(item.section.id, counts);
    }
    return progress;
  }

  // Typing

  edit(id, change) {
    const isTyped = change.invalid === undefined;
    const { notAssessed } = this.book.content(id);
    this.book.edit(id, change);
    if (notAssessed !== this.book.content(id).notAssessed) this.view.fill(id);
    this.#prepare(id);
    const row = this.view.list.element(id);
    if (!row || !isTyped) return;
    row.classList.remove("missing");
    const area = row.querySelector(".part-answer");
    if (area && document.activeElement === area) this.#grow(id, row, area);
    else if ("comment" in change || "notAssessed" in change) this.#fit(id);
  }

  /** The row in focus is as high as what is typed needs, at once; all other rows are as high as the service says. */
  #grow(id, row, area) {
    const { heights, list } = this.view;
    const needed = typedHeight(row, area);
    if (Math.abs(needed - heights.height(id)) > 0.01 || !heights.isHeld(id)) list.change(() => heights.hold(id, needed));
    const isAtEnd = area.selectionEnd === area.value.length;
    const below = row.getBoundingClientRect().bottom - (list.sight.bottom - 12);
    if (isAtEnd && below > 0) scrollBy(0, below);
  }

  /** Until the service has measured what was chosen in a menu. */
  #fit(id) {
    this.view.fill(id);
    const row = this.view.list.element(id);
    if (row) this.view.list.change(() => this.view.heights.hold(id, naturalHeight(row)));
  }

  #left(id) {
    if (!id) return;
    setTimeout(() => {
      if (this.isClosed || this.view.list.focused === id) return;
      if (this.book.state(id) === "clean" && this.view.heights.isHeld(id)) this.#release(id);
    });
  }

  #release(id) { this.view.list.change(() => this.view.heights.release(id)); }

  #fontsCame = () => {
    const id = this.view.list.focused;
    const row = id && this.view.list.element(id);
    const area = row?.querySelector(".part-answer");
    if (area && this.view.heights.isHeld(id)) this.#grow(id, row, area);
  };

  // What the book tells

  stateChanged(id) {
    const row = this.view?.list?.element(id);
    const state = this.book.state(id);
    if (row) {
      if (state === "clean") delete row.dataset.state; else row.dataset.state = state;
    }
    showTrouble(this, id);
    this.#showSaveState();
  }

  replaced(id) {
    this.view?.fill(id);
    if (this.view?.style) this.#prepare(id);
  }

  #prepare(id) {
    const { value, comment } = this.book.content(id);
    for (const text of [value, comment]) if (typeof text === "string") this.view.prepare(text).catch(() => {});
  }

  rowsChanged(layouts) {
    if (!this.view.apply(layouts)) this.reloadSoon();
  }

  saved(id) {
    if (this.view.list.focused !== id && this.book.state(id) === "clean" && this.view.heights.isHeld(id)) this.#release(id);
    const section = this.view.items.get(id)?.section.id;
    const counts = section && this.#progress(section).get(section);
    if (counts) this.outline.update(section, counts);
  }

  #showSaveState() {
    const states = new Set(this.book.unsaved.map((entry) => entry.state));
    const [word, tone] = states.has("conflict") ? ["Conflict", "bad"]
      : states.has("held") || states.has("invalid") ? ["Not saved", "bad"]
        : states.has("offline") ? ["Offline, kept here", "warn"]
          : states.size > 0 ? ["Saving…", ""] : [this.evaluation.status === "draft" ? "Saved" : "", ""];
    if (this.saveState.textContent === word) return;
    this.saveState.textContent = word;
    this.saveState.className = `save-state ${tone}`;
  }

  // Following

  #follow(since) {
    this.stream?.close();
    this.stream = new ChangeStream(`/v1/changes?evaluation=${segment(this.evaluation.id)}&${queryOf(this.viewport)}`, since, {
      changed: (change) => this.#changed(change),
      reset: () => this.reload(),
      connected: (isThere) => { if (isThere) this.book.hurry(); },
    });
  }

  async #changed(change) {
    if (change.kind !== "answer.changed") return this.reloadSoon();
    try {
      await this.book.follow(change.itemId, change.revision);
    } catch (error) {
      if (!this.isClosed) this.reloadSoon();
    }
    if (!this.isClosed && change.layouts) this.rowsChanged(change.layouts);
  }

  reloadSoon() {
    clearTimeout(this.reloading);
    this.reloading = setTimeout(() => this.reload().catch((error) => showError(error)), 150);
  }

  /** Reads everything again and shows it in place: no row in focus is touched. */
  async reload() {
    const wasOpen = this.evaluation.status === "draft";
    const evaluation = await get(`${this.path}?include=kit,layout&${queryOf(this.viewport)}`);
    if (this.isClosed) return;
    this.evaluation = evaluation;
    this.view.context.isOpen = evaluation.status === "draft";
    this.book.load(evaluation);
    await this.view.show(evaluation.kit, evaluation.layouts[0]);
    if (wasOpen !== this.view.context.isOpen) {
      document.activeElement?.blur();
      this.view.renewAll();
      if (!wasOpen) this.book.release();
      say(wasOpen ? `The evaluation is ${evaluation.status}.` : "The evaluation is open again.");
    }
    this.#dress();
  }

  /** Another width or text size: the rows are laid out anew, and what is read stays where it is. */
  async relayOut() {
    const viewport = viewportOf(this.column);
    const values = this.#unsavedTexts();
    const target = `${this.path}/layout?${queryOf(viewport)}`;
    try {
      const layout = values ? (await send("POST", target, { body: { values } })).data : await get(target);
      if (this.isClosed) return;
      this.viewport = viewport;
      await this.view.show(this.evaluation.kit, layout);
      for (const id of [...this.view.list.drawn.keys()]) if (this.view.heights.isHeld(id)) this.#fit(id);
      this.#follow(this.stream?.last ?? this.evaluation.sequence);
      hideNotice("layout");
    } catch (error) {
      showNotice("layout", { title: "Rows keep their old width", tone: "warn", body: [h("p", { text: error.message })],
        actions: [button("Try again", () => this.relayOut())] });
    }
  }

  #unsavedTexts() {
    const texts = this.book.unsaved.filter((entry) => typeof entry.local.value === "string" && this.view.items.has(entry.id));
    return texts.length > 0 ? Object.fromEntries(texts.map((entry) => [entry.id, entry.local.value])) : null;
  }

  /** What an earlier page left unsaved gets rows of the right height before anybody sees it. */
  async #restore() {
    const found = await this.book.restore();
    if (found.length === 0) return;
    say(`${found.length} unsaved ${found.length === 1 ? "answer is" : "answers are"} back.`);
    for (const id of found) this.view.fill(id);
    if (this.#unsavedTexts()) await this.relayOut();
  }

  /** Goes to a row and into its field. */
  goTo(id) {
    this.view.list.reveal(id);
    const row = this.view.list.element(id);
    row?.querySelector("textarea, input, select")?.focus({ preventScroll: true });
    say(textOf(this.view.items.get(id)));
  }
}
