// The rows of a layout: their order, heights and places, all from the service; nothing is measured here.

/** Heights by item ID, places in O(1), the row at a place in O(log n). Lengths are summed in whole device pixels. */
export class RowHeights {
  #scale;
  #ids = [];
  #pixels = [];
  #starts = [0];
  #place = new Map();
  /** Rows that are taller or smaller here than the service knows: the one that is typed in. */
  #own = new Map();

  constructor(layout) {
    this.fingerprint = layout.fingerprint;
    this.viewport = layout.viewport;
    this.#scale = layout.viewport.scale;
    for (const row of layout.rows) {
      this.#ids.push(row.id);
      this.#pixels.push(Math.round(row.height * this.#scale));
    }
    this.#index();
  }

  #index() {
    this.#place = new Map(this.#ids.map((id, place) => [id, place]));
    this.#sum();
  }

  #sum() {
    const starts = new Array(this.#ids.length + 1);
    let sum = 0;
    for (let place = 0; place < this.#ids.length; place++) {
      starts[place] = sum;
      sum += this.#own.get(this.#ids[place]) ?? this.#pixels[place];
    }
    starts[this.#ids.length] = sum;
    this.#starts = starts;
  }

  get ids() { return this.#ids; }
  get count() { return this.#ids.length; }
  get contentHeight() { return this.#starts[this.#ids.length] / this.#scale; }

  /** The sum of the service's heights alone. */
  get servedHeight() { return this.#pixels.reduce((sum, pixels) => sum + pixels, 0) / this.#scale; }

  has(id) { return this.#place.has(id); }
  place(id) { return this.#place.get(id); }
  id(place) { return this.#ids[place]; }
  offset(id) { return this.#starts[this.#place.get(id)] / this.#scale; }

  height(id) {
    const place = this.#place.get(id);
    return (this.#starts[place + 1] - this.#starts[place]) / this.#scale;
  }

  /** The service's height, whatever is shown. */
  served(id) { return this.#pixels[this.#place.get(id)] / this.#scale; }

  /** The place of the row at an offset; the last one below the end. */
  placeAt(offset) {
    const pixels = offset * this.#scale;
    let low = 0;
    let high = this.#ids.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= pixels) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** Gives a row a height of its own until it is released. True when something moved. */
  hold(id, height) {
    const pixels = Math.ceil(height * this.#scale - 0.01);
    const before = this.#own.get(id) ?? this.#pixels[this.#place.get(id)];
    this.#own.set(id, pixels);
    if (before === pixels) return false;
    this.#sum();
    return true;
  }

  /** Lets a row have the service's height again. True when something moved. */
  release(id) {
    const own = this.#own.get(id);
    if (own === undefined) return false;
    this.#own.delete(id);
    if (own === this.#pixels[this.#place.get(id)]) return false;
    this.#sum();
    return true;
  }

  isHeld(id) { return this.#own.has(id); }

  /** Keeps what is held of an older layout, where the row is still there. */
  holdAs(older) {
    for (const [id, pixels] of older.#own) if (this.has(id)) this.#own.set(id, Math.round((pixels / older.#scale) * this.#scale));
    this.#sum();
  }

  /**
   * Applies what a write or an event says: only the rows that changed. False when it can't be applied, because it
   * belongs to another layout: then all is read again.
   */
  apply(delta) {
    if (delta.fingerprint !== this.fingerprint) return false;
    for (const change of delta.changed ?? []) {
      const place = this.#place.get(change.id);
      if (place === undefined) return false;
      this.#pixels[place] = Math.round(change.height * this.#scale);
    }
    for (const id of delta.removed ?? []) this.#remove(id);
    for (const { after, row } of delta.inserted ?? []) this.#insert(after, row);
    this.#index();
    return Math.abs(this.servedHeight - delta.contentHeight) * this.#scale < 0.5;
  }

  #remove(id) {
    const place = this.#ids.indexOf(id);
    if (place < 0) return;
    this.#ids.splice(place, 1);
    this.#pixels.splice(place, 1);
    this.#own.delete(id);
  }

  #insert(after, row) {
    if (this.#ids.includes(row.id)) return;
    const place = after === null ? 0 : this.#ids.indexOf(after) + 1;
    this.#ids.splice(place, 0, row.id);
    this.#pixels.splice(place, 0, Math.round(row.height * this.#scale));
  }
}
