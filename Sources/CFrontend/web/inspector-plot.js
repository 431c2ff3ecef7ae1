// The plot of the inspector: for each row, how much this browser's height differs from the service's.

import { h } from "./dom.js";

const namespace = "http://www.w3.org/2000/svg";
const [width, height, left, bottom, top] = [320, 190, 38, 22, 10];

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class Plot {
  /** `pick(id)` is called with the row of a point. */
  constructor(pick) {
    this.pick = pick;
    this.drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img" });
    this.hint = h("p", { class: "hint plot-hint", text: "Each point is a row, from the first to the last." });
    this.element = h("figure", { class: "plot-figure" }, h("figcaption", { class: "label", text: "Here minus service" }), this.drawing, this.hint);
  }

  /** `rows` are `{ row, name, here }` in list order. */
  show(rows) {
    const differences = rows.map(({ row, here }) => here - row.height);
    const reach = nice(Math.max(1, ...differences.map(Math.abs)));
    const x = (place) => left + ((place + 0.5) / rows.length) * (width - left - 6);
    const y = (difference) => top + ((reach - difference) / (2 * reach)) * (height - top - bottom);
    const lines = [reach, reach / 2, 0, -reach / 2, -reach].flatMap((value) => [
      svg("line", { x1: left, x2: width - 4, y1: y(value), y2: y(value), class: value === 0 ? "plot-zero" : "plot-grid" }),
      svg("text", { x: left - 6, y: y(value) + 3.5, class: "plot-label", "text-anchor": "end" }, value > 0 ? `+${value}` : String(value).replace("-", "−")),
    ]);
    const band = svg("rect", { x: left, y: y(0.5), width: width - left - 4, height: y(-0.5) - y(0.5), class: "plot-band" });
    const points = rows.map(({ row, name }, place) => {
      const difference = differences[place];
      const size = Math.abs(difference);
      const point = svg("circle", { cx: x(place), cy: y(difference), r: rows.length > 200 ? 2 : 3.5, class: `plot-point ${size <= 0.5 ? "good" : size <= 2 ? "warn" : "bad"}` });
      point.append(svg("title", {}, `${name}: ${row.height.toFixed(2)} there, ${difference >= 0 ? "+" : ""}${difference.toFixed(2)} here`));
      point.addEventListener("click", () => this.pick(row.id));
      return point;
    });
    const worst = Math.max(0, ...differences.map(Math.abs));
    this.drawing.setAttribute("aria-label", `Differences of ${rows.length} rows, at most ${worst.toFixed(2)}`);
    this.drawing.replaceChildren(band, ...lines, ...points,
      svg("text", { x: left, y: height - 5, class: "plot-label" }, "1"),
      svg("text", { x: width - 6, y: height - 5, class: "plot-label", "text-anchor": "end" }, String(rows.length)));
  }
}

/** The next of 1, 2, 4, 10, 20, 40 … */
function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 10].map((step) => step * power).find((step) => step >= value - 1e-9);
}
