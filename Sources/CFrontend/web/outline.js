// The sections beside the rows: where one is, how much is answered, and a way to jump.

import { h } from "./dom.js";

/** `jump(sectionId)` goes to a section. */
export function makeOutline(jump) {
  const list = h("ol", { class: "outline-list" });
  const marks = new Map();

  const show = (section, { answered, all }) => {
    const mark = marks.get(section);
    if (!mark) return;
    mark.textContent = all > 0 ? `${answered}/${all}` : "";
    mark.classList.toggle("done", all > 0 && answered === all);
  };

  return {
    element: h("nav", { class: "outline", "aria-label": "Sections" }, list),

    /** `progress` has `{ answered, all }` by section ID. */
    fill(kit, heights, progress) {
      marks.clear();
      list.replaceChildren(...kit.sections.filter(({ id }) => heights.has(id)).map(({ id, title }) => {
        marks.set(id, h("span", { class: "outline-count" }));
        return h("li", {}, h("button", { type: "button", class: "outline-item", on: { click: () => jump(id) } },
          h("span", { class: "outline-title", dir: "auto", text: title }), marks.get(id)));
      }));
      for (const [id, one] of progress) show(id, one);
    },

    update: show,
  };
}
