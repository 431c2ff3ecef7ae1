// The kit editor: the rows as interviewers see them, laid out from the service's heights, to add to, change and reorder.

import { button, dialog, h, icon } from "./dom.js";
import { DragOrder } from "./drag.js";
import { loadCatalogue } from "./fonts.js";
import { Problem, get, seen, segment, send, writeName } from "./http.js";
import { textOf } from "./items.js";
import { ask } from "./kits.js";
import { hideNotice, say, showError, showNotice } from "./notices.js";
import { makeOutline } from "./outline.js";
import { loadProfile } from "./profile.js";
import { editQuestion, newQuestion } from "./question-form.js";
import { RowsView } from "./rows-view.js";
import { bar, openMenu } from "./shell.js";
import { ChangeStream } from "./stream.js";
import { queryOf, viewportOf, watchViewport } from "./viewport.js";

export class EditorPage {
  constructor(main, id) {
    this.path = `/v1/kits/${segment(id)}`;
    this.column = h("div", { class: "column editing" });
    this.rows = h("div", { "aria-label": "Questions" });
    this.intro = h("div", { class: "intro" });
    this.outline = makeOutline((section) => this.view.list.reveal(section));
    this.column.append(this.intro, this.rows, h("div", { class: "after-rows" },
      button("Add a section", () => this.#addSection(), { iconName: "plus" })));
    main.append(h("div", { class: "with-outline" }, this.outline.element, this.column));
    bar.set({ title: "", back: "#/", tools: [
      h("a", { class: "button", href: `#/inspector/${segment(id)}`, "aria-label": "Row heights" }, icon("ruler"), "Row heights"),
      button("Add a question", () => this.#add(null), { kind: "primary", iconName: "plus" })] });
  }

  async open() {
    this.viewport = viewportOf(this.column);
    const [kit] = await Promise.all([get(this.path), loadProfile(this.viewport.profile), loadCatalogue()]);
    this.view = new RowsView(this.rows, { isOpen: false, edit: () => {}, tools: (item) => this.#tools(item) });
    await this.#show(kit);
    this.order = new DragOrder(this.view, (id, place) => this.#move(id, place));
    this.stopWatching = watchViewport(this.column, () => {
      this.viewport = viewportOf(this.column);
      this.#show(this.view.kit).catch(showError);
    });
    // From now on; what came between is found when the stream is there.
    this.stream = new ChangeStream(`/v1/changes?kit=${segment(kit.id)}`, null, {
      changed: (change) => {
        const isKits = /^(kit|section|question)\./.test(change.kind);
        if (isKits && !(change.revision <= this.view.kit.revision && change.kind === "kit.changed")) this.#reloadSoon();
      },
      reset: () => this.reload(),
      connected: (isThere) => { if (isThere) this.#reloadIfNewer(); },
    });
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.reloading);
    this.stopWatching?.();
    this.stream?.close();
    this.order?.close();
    this.view?.close();
  }

  /** Shows a kit with the heights of its rows; they are of one revision, or both are read again. */
  async #show(kit) {
    let shown = kit;
    let layout = await get(`${this.path}/layout?all=true&${queryOf(this.viewport)}`);
    while (layout.kitRevision !== shown.revision) {
      shown = await get(this.path);
      if (layout.kitRevision !== shown.revision) layout = await get(`${this.path}/layout?all=true&${queryOf(this.viewport)}`);
    }
    if (this.isClosed) return;
    await this.view.show(shown, layout);
    this.#dress();
  }

  #dress() {
    const { kit, heights } = this.view;
    document.title = kit.title;
    const count = kit.sections.reduce((sum, section) => sum + section.questions.length, 0);
    bar.title(kit.title, `${count} ${count === 1 ? "question" : "questions"}, revision ${kit.revision}`);
    this.intro.dir = this.rows.dir;
    this.intro.replaceChildren(
      h("div", { class: "title-line" }, h("h1", { dir: "auto", text: kit.title }),
        button("Change the title", () => this.#rename(), { kind: "bare", iconName: "pencil" })),
      kit.instructions ? h("p", { class: "instructions", dir: "auto", text: kit.instructions }) : "");
    this.outline.fill(kit, heights, new Map());
    this.view.list.update();
  }

  async reload() { await this.#show(await get(this.path)); }

  async #reloadIfNewer() {
    const { tag } = await send("HEAD", this.path).catch(() => ({}));
    if (tag && parseInt(tag.match(/\d+/)[0], 10) > this.view.kit.revision) this.#reloadSoon();
  }

  #reloadSoon() {
    clearTimeout(this.reloading);
    this.reloading = setTimeout(() => this.reload().catch(showError), 100);
  }

  // Beside a row

  #tools(item) {
    const name = textOf(item);
    if (item.criterion) return null;
    const grip = button(`Move: ${name}`, () => {}, { kind: "bare small grip", iconName: "grip" });
    grip.dataset.grip = item.id;
    const menu = button(`More for: ${name}`, () => openMenu(menu, item.kind === "section" ? [
      { label: "Change title…", action: () => this.#renameSection(item) },
      { label: "Add question here…", action: () => this.#add(item, null) },
      { label: "Delete section", isBad: true, action: () => this.#remove("sections", item.section, item.section.title) },
    ] : [
      { label: "Change…", action: () => this.#edit(item) },
      { label: "Add question below…", action: () => this.#add(item, item.question.id) },
      { label: "Copy", action: () => this.#write("POST", `questions/${segment(item.id)}/copy`) },
      { label: "Delete", isBad: true, action: () => this.#remove("questions", item.question, name) },
    ]), { kind: "bare small", iconName: "more", "aria-haspopup": "menu" });
    return h("div", { class: "tools" }, grip, menu);
  }

  /** Writes, then shows the kit as it is now. An item that somebody else changed meanwhile is read again and said so. */
  async #write(method, target, body, revision) {
    try {
      const headers = { "Idempotency-Key": writeName(), ...(revision === undefined ? {} : seen(revision)) };
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const { data } = await send(method, target ? `${this.path}/${target}` : this.path, { body, headers, type });
      hideNotice("stale");
      await this.reload();
      return data;
    } catch (error) {
      if (error instanceof Problem && error.status === 412) {
        await this.reload();
        showNotice("stale", { title: "Somebody changed this meanwhile", tone: "warn",
          body: [h("p", { text: "It is shown as it is now. Try again if your change still makes sense." })] });
      } else showError(error);
      return undefined;
    }
  }

  async #rename() {
    const { kit } = this.view;
    const title = await ask("Title", "Title of the kit", "Save", kit.title);
    if (title) await this.#write("PATCH", "", { title }, kit.revision);
  }

  async #renameSection({ section }) {
    const title = await ask("Section", "Title of the section", "Save", section.title);
    if (title) await this.#write("PATCH", `sections/${segment(section.id)}`, { title }, section.revision);
  }

  async #addSection() {
    const title = await ask("New section", "Title", "Add");
    const made = title && await this.#write("POST", "sections", { title });
    if (made) this.view.list.reveal(made.id);
  }

  /** Adds a question: below an item, at a section's start, or at the kit's end. */
  async #add(item, after) {
    const { kit } = this.view;
    if (kit.sections.length === 0) return showError(new Error("A question stands in a section: add one first."));
    const question = await newQuestion(kit, this.view.style);
    if (!question) return undefined;
    const place = item ? { sectionId: item.section.id, after } : {};
    const made = await this.#write("POST", "questions", { ...question, ...place });
    if (made) this.view.list.reveal(made.id);
    return made;
  }

  async #edit({ question }) {
    const change = await editQuestion(question, this.view.kit, this.view.style);
    if (change) await this.#write("PATCH", `questions/${segment(question.id)}`, change, question.revision);
  }

  async #remove(kind, item, name) {
    const isWanted = await dialog("Delete", (close) => [
      h("p", { dir: "auto", text: name }), h("p", { class: "quiet", text: "It stays in the trash for 30 days. Answers that were given keep it." }),
      h("div", { class: "actions" }, button("Cancel", () => close()), button("Delete", () => close(true), { kind: "bad", autofocus: true })),
    ]);
    if (isWanted) await this.#write("DELETE", `${kind}/${segment(item.id)}`, undefined, item.revision);
  }

  /** `place` names the neighbour, never an index: `{ sectionId, after }` of a question, `{ after }` of a section. */
  async #move(id, place) {
    const item = this.view.items.get(id);
    const [kind, own] = item.kind === "section" ? ["sections", item.section] : ["questions", item.question];
    const moved = await this.#write("POST", `${kind}/${segment(id)}/move`, place, own.revision);
    if (moved) say(`${textOf(item)} is now at ${this.view.heights.place(id) + 1} of ${this.view.heights.count}.`);
    document.querySelector(`[data-grip="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
    return Boolean(moved);
  }
}
