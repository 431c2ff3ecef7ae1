// The layout inspector: the service's heights beside what this browser measures with the same font files.

import { h } from "./dom.js";
import { loadCatalogue } from "./fonts.js";
import { get, list, segment } from "./http.js";
import { makeControls } from "./inspector-controls.js";
import { Plot } from "./inspector-plot.js";
import { itemsOf, textOf } from "./items.js";
import { showError } from "./notices.js";
import { naturalHeight } from "./row.js";
import { RowsView } from "./rows-view.js";
import { bar } from "./shell.js";
import { queryOf } from "./viewport.js";

/** Rows that are measured for the plot between two frames. */
const batch = 12;

export class InspectorPage {
  constructor(main, kitID) {
    this.kitID = kitID;
    this.element = h("div", { class: "inspector" });
    this.stage = h("div", { class: "inspector-stage" });
    this.rows = h("div", { "aria-label": "Rows" });
    this.summary = h("p", { class: "inspector-summary", role: "status" });
    this.bench = h("div", { class: "rows bench", "aria-hidden": "true", inert: true });
    main.append(this.element);
    bar.set({ title: "Row heights", back: kitID ? `#/kits/${segment(kitID)}` : "#/" });
  }

  async open() {
    const [kits, profiles] = await Promise.all([list("/v1/kits", 400), get("/v1/profiles"), loadCatalogue()]);
    this.kitID ??= kits[0]?.id;
    if (!this.kitID) throw new Error("There is no kit whose rows could be measured.");
    document.title = "Row heights";
    this.plot = new Plot((id) => this.#select(id));
    this.controls = makeControls(kits, profiles.items, this.kitID, (choice) => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.#changed(choice), 40);
    });
    this.stage.append(this.rows);
    this.element.append(h("aside", { class: "inspector-side", "aria-label": "Settings and differences" }, this.controls.element, this.summary, this.plot.element),
      h("div", { class: "inspector-scroll" }, this.stage), this.bench);
    this.view = new RowsView(this.rows, { isOpen: false, edit: () => {}, tools: (item) => this.#ruler(item) });
    await this.#changed(this.controls.choice);
  }

  close() {
    this.run = null;
    this.view?.close();
    clearTimeout(this.waiting);
  }

  /** Sliders move faster than layouts come: the last choice counts. */
  async #changed(choice) {
    const run = {};
    this.run = run;
    try {
      const path = `/v1/kits/${segment(choice.kit)}`;
      const kit = this.kit?.id === choice.kit ? this.kit : await get(path);
      const query = { profile: choice.profile, width: choice.width, [choice.sizeName]: choice.size, scale: choice.scale, locale: choice.locale || kit.language || "en" };
      const layout = await get(`${path}/layout?all=true&parts=true&${queryOf(query)}`);
      if (this.run !== run) return;
      this.kit = kit;
      this.layout = layout;
      this.measured = new Map();
      bar.title(kit.title, "Row heights");
      this.stage.style.setProperty("--stage", `${choice.width}px`);
      await this.view.show(kit, layout);
      if (this.run !== run) return;
      this.view.renewAll();
      this.view.list.update();
      this.#measure(run, itemsOf(kit));
    } catch (error) {
      if (this.run === run) showError(error);
    }
  }

  /** Measures every row away from the page's own, a few between two frames. */
  #measure(run, items) {
    this.bench.style.width = `${this.layout.viewport.width}px`;
    this.bench.lang = this.layout.viewport.locale;
    this.bench.dir = this.rows.dir;
    const rows = [...this.layout.rows];
    const step = () => {
      if (this.run !== run) return;
      const drawn = rows.splice(0, batch).map((row) => [row, this.view.draw(row.id)]);
      this.bench.replaceChildren(...drawn.map(([, element]) => element));
      for (const [row, element] of drawn) this.measured.set(row.id, { row, name: textOf(items.get(row.id)), here: naturalHeight(element) });
      for (const [row] of drawn) this.#mark(row.id);
      if (rows.length > 0) {
        requestAnimationFrame(step);
        return;
      }
      this.bench.replaceChildren();
      this.plot.show([...this.measured.values()]);
      this.#summarise();
    };
    step();
  }

  #summarise() {
    const differences = [...this.measured.values()].map(({ row, here }) => here - row.height);
    const worst = Math.max(...differences.map(Math.abs), 0);
    const close = differences.filter((difference) => Math.abs(difference) <= 0.5).length;
    this.summary.replaceChildren(
      h("strong", { text: `${close} of ${differences.length} rows` }), " within half a unit, ",
      h("strong", { text: worst.toFixed(2) }), ` ${this.layout.viewport.profile.startsWith("web") ? "px" : "units"} at most. `,
      h("span", { class: "hint", text: `${this.layout.fidelity}, ${this.layout.contentHeight.toFixed(2)} high, fingerprint ${this.layout.fingerprint.slice(0, 12)}` }));
  }

  /** Beside a row: the service's height and the difference here. */
  #ruler(item) {
    const ruler = h("div", { class: "ruler" }, h("span", { class: "ruler-line" }), h("span", { class: "ruler-height" }), h("span", { class: "ruler-difference" }));
    ruler.dataset.ruler = item.id;
    queueMicrotask(() => this.#mark(item.id));
    return ruler;
  }

  #mark(id) {
    const ruler = this.view.list?.element(id)?.querySelector(".ruler");
    if (!ruler) return;
    const served = this.view.heights.served(id);
    const found = this.measured?.get(id);
    ruler.querySelector(".ruler-height").textContent = served.toFixed(2).replace(/\.?0+$/, "");
    const difference = found ? found.here - served : null;
    const label = ruler.querySelector(".ruler-difference");
    label.textContent = difference === null ? "" : Math.abs(difference) < 0.005 ? "same" : `${difference > 0 ? "+" : "−"}${Math.abs(difference).toFixed(2)}`;
    ruler.dataset.tone = difference === null ? "" : Math.abs(difference) <= 0.5 ? "good" : Math.abs(difference) <= 2 ? "warn" : "bad";
  }

  #select(id) {
    this.view.list.reveal(id);
    for (const row of this.view.list.drawn.values()) row.classList.toggle("picked", row.dataset.id === id);
  }
}
