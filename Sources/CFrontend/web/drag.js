// Reordering by pointer and by keyboard. Places are named by neighbours; the service is told when something is dropped.

import { textOf } from "./items.js";
import { say } from "./notices.js";

/** Near the screen's edges the page scrolls along. */
const edge = 70;

/**
 * Grips are `[data-grip]`. By pointer: press and drag. By keyboard: Space or Enter lifts, arrows move, Space or Enter
 * drops, Escape puts back. `moved(id, place)` is asked to store a move.
 */
export class DragOrder {
  #lift = null;
  #listeners = new AbortController();

  constructor(view, moved) {
    this.view = view;
    this.moved = moved;
    const options = { signal: this.#listeners.signal };
    const { root } = view;
    root.addEventListener("pointerdown", (event) => this.#press(event), options);
    addEventListener("pointermove", (event) => this.#drag(event), options);
    addEventListener("pointerup", (event) => this.#release(event), options);
    addEventListener("pointercancel", () => this.#end(), options);
    root.addEventListener("keydown", (event) => this.#key(event), options);
    root.addEventListener("focusout", (event) => {
      if (this.#lift?.isByKey && event.target.dataset?.grip === this.#lift.id) this.#end();
    }, options);
  }

  close() {
    this.#end();
    this.#listeners.abort();
  }

  /** Rows that move as one: a question with its criteria, a section with its questions. */
  #block(id) {
    const { heights, items } = this.view;
    const item = items.get(id);
    return heights.ids.filter((other) => other === id || (item.kind === "section"
      ? items.get(other)?.section.id === id : items.get(other)?.criterion && items.get(other).question.id === id));
  }

  /** Where a row could go: gaps by the row above, with the place they mean to the service. */
  #gaps(id) {
    const { heights, items } = this.view;
    const isSection = items.get(id).kind === "section";
    const gaps = isSection ? [{ offset: 0, place: { after: null } }] : [];
    for (const other of heights.ids) {
      const item = items.get(other);
      const offset = heights.offset(other) + heights.height(other);
      if (item.kind === "section") gaps.push({ offset, place: isSection ? { after: other } : { sectionId: other, after: null } });
      else if (isSection || item.criterion) gaps.at(-1).offset = offset;
      else gaps.push({ offset, place: { sectionId: item.section.id, after: other } });
    }
    return gaps;
  }

  #start(id, isByKey) {
    const block = this.#block(id);
    const gaps = this.#gaps(id);
    const { heights } = this.view;
    const last = block.at(-1);
    // The gaps around the row mean the place that it has.
    const start = heights.offset(id);
    const end = heights.offset(last) + heights.height(last);
    const outer = gaps.filter(({ offset, place }) => (offset <= start || offset >= end) && place.after !== id);
    const own = outer.findLastIndex(({ offset }) => offset <= start);
    this.#lift = { id, block, gaps: outer.filter(({ offset }, place) => place <= own || offset > end || offset >= end), own, at: own, isByKey, start, end };
    this.view.root.classList.add("sliding");
    for (const row of block) this.view.list.element(row)?.classList.add("lifted");
    this.#mark();
  }

  /** A line shows where the lifted row would go. */
  #mark() {
    const { root } = this.view;
    this.line ??= Object.assign(document.createElement("div"), { className: "drop-line" });
    this.line.style.top = `${this.#lift.gaps[this.#lift.at].offset}px`;
    this.line.hidden = this.#lift.at === this.#lift.own;
    if (!this.line.isConnected) root.append(this.line);
  }

  #end() {
    if (!this.#lift) return;
    for (const row of this.#lift.block) {
      const element = this.view.list.element(row);
      element?.classList.remove("lifted");
      if (element) element.style.translate = "";
    }
    this.view.root.classList.remove("sliding");
    this.line?.remove();
    cancelAnimationFrame(this.#lift.scrolling);
    this.#lift = null;
  }

  async #drop() {
    const { id, gaps, at, own } = this.#lift;
    this.#end();
    if (at === own) return say("Left where it was.");
    return this.moved(id, gaps[at].place);
  }

  // Pointer

  #press(event) {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button !== 0) return;
    event.preventDefault();
    grip.focus({ preventScroll: true });
    this.#end();
    this.#start(grip.dataset.grip, false);
    this.#lift.from = event.clientY - this.view.list.top;
    this.#lift.pointer = event.clientY;
    const scroll = () => {
      if (!this.#lift) return;
      const y = this.#lift.pointer;
      const { top, bottom } = this.view.list.sight;
      const speed = y < top + edge ? (y - top - edge) / 5 : y > bottom - edge ? (y - bottom + edge) / 5 : 0;
      if (speed !== 0) {
        scrollBy(0, speed);
        this.#follow();
      }
      this.#lift.scrolling = requestAnimationFrame(scroll);
    };
    this.#lift.scrolling = requestAnimationFrame(scroll);
  }

  #drag(event) {
    if (!this.#lift || this.#lift.isByKey) return;
    this.#lift.pointer = event.clientY;
    this.#follow();
  }

  #follow() {
    const lift = this.#lift;
    const y = lift.pointer - this.view.list.top;
    const moved = y - lift.from;
    for (const row of lift.block) {
      const element = this.view.list.element(row);
      if (!element) continue;
      element.classList.add("lifted");
      element.style.translate = `0 ${moved}px`;
    }
    const middle = lift.start + moved + Math.min(lift.end - lift.start, 60) / 2;
    const distance = ({ offset }, place) => Math.abs((place === lift.own ? lift.start + Math.min(lift.end - lift.start, 60) / 2 : offset) - middle);
    lift.at = lift.gaps.reduce((best, gap, place) => (distance(gap, place) < distance(lift.gaps[best], best) ? place : best), 0);
    this.#mark();
  }

  #release(event) {
    if (!this.#lift || this.#lift.isByKey) return;
    event.preventDefault();
    this.#drop();
  }

  // Keyboard

  #key(event) {
    const grip = event.target.closest("[data-grip]");
    if (!grip) return;
    const isToggle = event.key === " " || event.key === "Enter";
    if (!this.#lift && isToggle) {
      event.preventDefault();
      this.#start(grip.dataset.grip, true);
      say(`Lifted. Arrow keys move it, Space drops it, Escape puts it back.`);
      return;
    }
    if (!this.#lift) return;
    if (event.key === "Escape") {
      this.#end();
      say("Put back.");
    } else if (isToggle) {
      event.preventDefault();
      this.#drop();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.#step(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  #step(by) {
    const lift = this.#lift;
    const next = lift.at + by;
    if (next < 0 || next >= lift.gaps.length) return;
    lift.at = next;
    this.#mark();
    this.line.scrollIntoView({ block: "center" });
    const { place } = lift.gaps[next];
    const neighbour = this.view.items.get(place.after ?? place.sectionId);
    if (next === lift.own) say("Where it was.");
    else say(neighbour ? `Below ${textOf(neighbour)}.` : "First.");
  }
}
