// What stands beside a question: the state of its answer, and a menu of what else can be said about it.

import { button, dialog, h, labelled, time } from "./dom.js";
import { list, segment } from "./http.js";
import { textOf, valueText } from "./items.js";
import { showError } from "./notices.js";
import { openMenu } from "./shell.js";

export function makeTools(item, page) {
  const label = `More for: ${textOf(item)}`;
  const menu = button(label, () => openMenu(menu, entries(item, page)), { kind: "bare small", iconName: "more", "aria-haspopup": "menu" });
  return h("div", { class: "tools" }, menu, h("span", { class: "state", "aria-hidden": "true" }));
}

function entries(item, page) {
  const content = page.book.content(item.id);
  const history = { label: "History…", action: () => showHistory(item, page) };
  if (page.evaluation.status !== "draft") return [history];
  return [
    { label: page.view.style.string("notAssessed"), isChosen: content.notAssessed,
      action: () => page.edit(item.id, { notAssessed: !content.notAssessed }) },
    { label: content.comment ? "Change comment…" : "Add comment…", action: () => editComment(item, page) },
    history,
    { label: "Clear answer", isBad: true, action: () => {
      page.edit(item.id, { value: null, comment: null, notAssessed: false });
      page.view.fill(item.id);
    } },
  ];
}

async function editComment(item, page) {
  const comment = await dialog("Comment", (close) => {
    const area = h("textarea", { class: "input", rows: 5, dir: "auto", autofocus: true });
    area.value = page.book.content(item.id).comment ?? "";
    return h("form", { class: "stack", on: {
      submit: (event) => {
        event.preventDefault();
        close(area.value);
      },
    } },
    labelled(textOf(item), area),
    h("div", { class: "actions" }, button("Cancel", () => close()), h("button", { class: "button primary", text: "Save" })));
  });
  if (comment !== undefined) page.edit(item.id, { comment: comment === "" ? null : comment });
}

async function showHistory(item, page) {
  try {
    const versions = await list(`${page.path}/answers/${segment(item.id)}/history`, 200);
    const { kit, style } = page.view;
    await dialog("History", (close) => [
      h("p", { class: "quiet", dir: "auto", text: textOf(item) }),
      versions.length === 0 ? h("p", { text: "Nothing has been answered yet." }) : h("ol", { class: "history" }, versions.map((version) =>
        h("li", {}, h("div", { class: "hint" }, time(version.updatedAt), ` · ${version.updatedBy}`),
          h("div", { class: "history-text", dir: "auto", text: valueText(item, version, kit, style) || "cleared" })))),
      h("div", { class: "actions" }, button("Close", () => close(), { kind: "primary" })),
    ], { wide: true });
  } catch (error) {
    showError(error);
  }
}
