// A kit's rows on a page: the layout from the service, the list that draws it, and what changes both.

import { ready } from "./fonts.js";
import { RowHeights } from "./heights.js";
import { itemsOf, textsOf } from "./items.js";
import { RowList } from "./list.js";
import { loadProfile, RowStyle, wear } from "./profile.js";
import { fillRow, makeRow } from "./row.js";

/** Languages that are written from right to left. */
const rightToLeft = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)\b/i;

/** Which way the text of a language runs. */
export const directionOf = (locale) => (rightToLeft.test(locale) ? "rtl" : "ltr");

export class RowsView {
  /** `context` is what `makeRow` takes besides kit and style; `extraTexts()` are texts that need fonts too. */
  constructor(root, context, extraTexts = () => []) {
    this.root = root;
    this.context = context;
    this.extraTexts = extraTexts;
    this.draw = this.draw.bind(this);
    /** Rows to be drawn anew once they lose the focus. */
    this.stale = new Set();
    root.classList.add("rows");
    root.addEventListener("focusout", () => setTimeout(() => this.#renewStale()));
  }

  close() { this.list?.close(); }

  /** Shows a layout of a kit: the first time, or instead of the one before, with the row in sight where it was. */
  async show(kit, layout) {
    const own = (this.turn = (this.turn ?? 0) + 1);
    const profile = await loadProfile(layout.viewport.profile);
    const style = new RowStyle(profile, layout.viewport);
    const texts = function* (extra) {
      yield* textsOf(kit, style);
      yield* extra;
    };
    await ready(texts(this.extraTexts()), style.family, layout.viewport.locale, style.weights);
    // A later one overtook this while fonts came.
    if (own !== this.turn) return;
    if (this.fingerprint !== layout.fingerprint) await wear(style);
    const isSameKit = this.kit?.revision === kit.revision && this.kit?.id === kit.id;
    const heights = new RowHeights(layout);
    const swap = () => {
      this.kit = kit;
      this.style = style;
      this.fingerprint = layout.fingerprint;
      this.items = itemsOf(kit);
      Object.assign(this.context, { kit, style });
      this.root.style.width = `${layout.viewport.width}px`;
      this.root.lang = layout.viewport.locale;
      this.root.dir = directionOf(layout.viewport.locale);
      if (this.list) {
        heights.holdAs(this.list.heights);
        this.list.heights = heights;
        if (!isSameKit) this.renewAll();
      }
    };
    if (!this.list) {
      swap();
      this.list = new RowList(this.root, heights, this.draw);
      return;
    }
    this.list.change(swap);
  }

  /** Loads what a text that has just come needs; the row that is typed in is measured again when it is there. */
  async prepare(text) {
    const { style } = this;
    if (text) await ready([text], style.family, style.viewport.locale, style.weights);
  }

  get heights() { return this.list.heights; }

  draw(id) { return makeRow(this.items.get(id), this.context); }

  /** Shows an answer in its row, if it is drawn. */
  fill(id) {
    const row = this.list?.element(id);
    if (row) fillRow(row, this.items.get(id), this.context);
  }

  /** Draws all rows anew; the one in focus when it has lost it. */
  renewAll() {
    const focused = this.list.focused;
    if (focused) this.stale.add(focused);
    this.list.forgetAll();
  }

  #renewStale() {
    for (const id of this.stale) {
      if (this.list.focused === id) continue;
      this.stale.delete(id);
      this.list.forget(id);
    }
  }

  /** Applies row heights of a write or an event; false when the layout has to be read again. */
  apply(layouts) {
    if (layouts.length === 0) return true;
    const delta = layouts.find((layout) => layout.fingerprint === this.fingerprint);
    // A reply for another width: the layout of this width is on its way.
    if (!delta) return true;
    const isNews = (delta.changed ?? []).some((row) => !this.heights.has(row.id) || this.heights.served(row.id) !== row.height)
      || (delta.inserted ?? []).length > 0 || (delta.removed ?? []).length > 0;
    if (!isNews) return Math.abs(this.heights.servedHeight - delta.contentHeight) < 0.01;
    let isWhole;
    this.list.change(() => { isWhole = this.heights.apply(delta); });
    return isWhole;
  }
}
