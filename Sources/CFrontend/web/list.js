// A list that draws only the rows in sight, each where the service's heights put it.

import { noticesTop } from "./notices.js";

/** Rows beyond the edges of the screen, so that a quick scroll and the Tab key find them there. */
const overscan = 400;

/**
 * The page itself scrolls. `draw(id)` makes a row's element once; it stays the same element while it is drawn, and
 * while it holds the focus, so that no caret and no composition is ever lost.
 */
export class RowList {
  #drawn = new Map();
  #frame = 0;
  #draw;

  constructor(root, heights, draw) {
    this.root = root;
    this.heights = heights;
    this.#draw = draw;
    root.setAttribute("role", "list");
    this.listeners = new AbortController();
    const options = { passive: true, signal: this.listeners.signal };
    addEventListener("scroll", () => this.schedule(), options);
    addEventListener("resize", () => this.schedule(), options);
    root.addEventListener("focusout", () => this.schedule(), options);
    this.update();
  }

  close() {
    this.listeners.abort();
    cancelAnimationFrame(this.#frame);
  }

  schedule() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#layOut());
  }

  /** The element of a row, if it is drawn. */
  element(id) { return this.#drawn.get(id); }

  get drawn() { return this.#drawn; }

  #layOut() {
    this.#frame = 0;
    this.update();
  }

  /** Where the list's top edge is on the screen. */
  get top() { return this.root.getBoundingClientRect().top; }

  /** What of the screen shows rows: below what sticks to its top, above notices and a keyboard on the screen. */
  get sight() {
    const top = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--bar")) || 0;
    const bottom = visualViewport ? visualViewport.offsetTop + visualViewport.height : innerHeight;
    const free = noticesTop(this.root.getBoundingClientRect());
    return { top, bottom: free > top + 120 ? Math.min(bottom, free) : bottom };
  }

  /** Draws what is in sight, and nothing else but the row in focus. */
  update() {
    const { heights, root } = this;
    const top = this.top;
    root.style.height = `${heights.contentHeight}px`;
    const wanted = new Set();
    if (heights.count > 0) {
      const first = heights.placeAt(Math.max(0, -top - overscan));
      const end = innerHeight - top + overscan;
      for (let place = first; place < heights.count; place++) {
        const id = heights.id(place);
        if (heights.offset(id) > end) break;
        wanted.add(id);
      }
      const focused = this.focused;
      if (focused && heights.has(focused)) wanted.add(focused);
    }
    for (const [id, element] of this.#drawn) {
      if (wanted.has(id)) continue;
      element.remove();
      this.#drawn.delete(id);
    }
    this.#place([...wanted].sort((a, b) => heights.place(a) - heights.place(b)));
  }

  #place(ids) {
    const { heights, root } = this;
    // The row in focus is never moved in the document: that would take its focus away. Others go around it.
    const focused = this.#drawn.get(this.focused);
    let previous = null;
    for (const id of ids) {
      let element = this.#drawn.get(id);
      if (!element) {
        element = this.#draw(id);
        element.dataset.id = id;
        element.setAttribute("role", "listitem");
        this.#drawn.set(id, element);
      }
      const next = previous ? previous.nextSibling : root.firstChild;
      if (element !== next) {
        if (element !== focused || !element.isConnected) root.insertBefore(element, next);
        else while (element.previousSibling && element.previousSibling !== previous) element.after(element.previousSibling);
      }
      previous = element;
      const [offset, height] = [`${heights.offset(id)}px`, `${heights.height(id)}px`];
      if (element.style.top !== offset) element.style.top = offset;
      if (element.style.height !== height) element.style.height = height;
      element.setAttribute("aria-posinset", heights.place(id) + 1);
      element.setAttribute("aria-setsize", heights.count);
    }
  }

  /** The row that holds the focus. */
  get focused() { return document.activeElement?.closest?.("[data-id]")?.dataset.id; }

  /** Draws a row anew; not while it holds the focus. */
  forget(id) {
    if (this.focused === id) return;
    this.#drawn.get(id)?.remove();
    this.#drawn.delete(id);
    this.schedule();
  }

  forgetAll() { for (const id of [...this.#drawn.keys()]) this.forget(id); }

  // Scrolling

  /** A row in sight and where it stands: the one in focus, else the first one. */
  anchor() {
    const { heights } = this;
    if (heights.count === 0) return null;
    const top = this.top;
    const sight = this.sight;
    const isInSight = (id) => top + heights.offset(id) < sight.bottom && top + heights.offset(id) + heights.height(id) > sight.top;
    const focused = this.focused;
    if (focused && heights.has(focused) && isInSight(focused)) return { id: focused, at: top + heights.offset(focused) };
    const id = heights.id(heights.placeAt(Math.max(0, sight.top - top)));
    return { id, at: top + heights.offset(id) };
  }

  /** Changes heights without moving what is read: the anchor stays where it is on the screen. */
  change(body) {
    // At the top of the page nothing needs to be held.
    const anchor = scrollY > 0 ? this.anchor() : null;
    body();
    this.update();
    if (!anchor || !this.heights.has(anchor.id)) return;
    const moved = this.top + this.heights.offset(anchor.id) - anchor.at;
    if (Math.abs(moved) < 0.5) return;
    scrollBy(0, moved);
    this.update();
  }

  /** The smallest scroll that shows a row, or as much of it as there is room for. */
  reveal(id, { margin = 12 } = {}) {
    const { top, bottom } = this.sight;
    const start = this.top + this.heights.offset(id);
    const end = start + this.heights.height(id);
    if (start < top + margin || end - start > bottom - top - 2 * margin) scrollBy(0, start - top - margin);
    else if (end > bottom - margin) scrollBy(0, end - bottom + margin);
    this.update();
  }
}
