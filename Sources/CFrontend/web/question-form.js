// The form of one question: what it asks, how it is answered, what can be chosen.

import { button, dialog, h, icon, labelled } from "./dom.js";

const kinds = [
  ["longText", "Text that grows"], ["shortText", "One line"], ["yesNo", "Yes or no"], ["singleSelect", "One of several"],
  ["multiSelect", "Several of several"], ["number", "Number"], ["date", "Date"], ["rating", "Rating"],
  ["scorecard", "Scorecard"], ["note", "Note, no answer"],
];
const scaleNames = { fourPoint: "Four points: strong no to strong yes", fivePoint: "Five points, with a middle" };
const withChoices = { singleSelect: ["options", "Choices"], multiSelect: ["options", "Choices"], scorecard: ["criteria", "Criteria"] };

/** A new question as the service takes it; undefined when it is not wanted. */
export const newQuestion = (kit) => show("New question", { type: "longText", text: "" }, kit, true);

/** What is to be changed of a question; undefined when nothing is. Its type stays: another meaning is another question. */
export const editQuestion = (question, kit) => show("Question", question, kit, false);

function show(title, question, kit, isNew) {
  return dialog(title, (close) => {
    const text = h("textarea", { class: "input", rows: 2, dir: "auto", required: true, autofocus: true });
    text.value = question.text;
    const help = h("textarea", { class: "input", rows: 1, dir: "auto" });
    help.value = question.help ?? "";
    const kind = h("select", { class: "input", disabled: !isNew }, kinds.map(([value, name]) => h("option", { value, text: name, selected: value === question.type })));
    const scale = h("select", { class: "input" },
      Object.entries(scaleNames).map(([value, name]) => h("option", { value, text: name, selected: value === question.scale })),
      (kit.scales ?? []).filter(({ id }) => !scaleNames[id]).map((own) => h("option", { value: own.id, text: own.title || own.id, selected: own.id === question.scale })));
    const required = h("input", { type: "checkbox", checked: question.required });
    const lists = { options: lines(question.options), criteria: lines(question.criteria) };
    const choice = h("div", { class: "stack" });
    const scaleField = labelled("Scale", scale);
    const requiredField = h("label", { class: "check-line" }, required, "Required before an evaluation is submitted");
    const adapt = () => {
      const [name, label] = withChoices[kind.value] ?? [];
      choice.replaceChildren(...(name ? [h("fieldset", { class: "plain" }, h("legend", { class: "label", text: label }), lists[name].element)] : []));
      scaleField.hidden = !["rating", "scorecard"].includes(kind.value);
      requiredField.hidden = kind.value === "note";
    };
    kind.addEventListener("change", adapt);
    adapt();
    const read = () => ({
      text: text.value.trim(), help: help.value.trim() || null,
      ...(kind.value === "note" ? {} : { required: required.checked }),
      ...(scaleField.hidden ? {} : { scale: scale.value }),
      ...(withChoices[kind.value] ? { [withChoices[kind.value][0]]: lists[withChoices[kind.value][0]].read() } : {}),
    });
    return h("form", { class: "stack", on: {
      submit: (event) => {
        event.preventDefault();
        close(isNew ? { type: kind.value, ...read() } : read());
      },
    } },
    labelled("Question", text), labelled("Help for the interviewer", help), labelled("Answered by", kind,
      isNew ? null : "The kind stays: a changed meaning needs a new question."), choice, scaleField, requiredField,
    h("div", { class: "actions" }, button("Cancel", () => close()), h("button", { class: "button primary", text: isNew ? "Add" : "Save" })));
  }, { wide: true });
}

/** A list of texts that keep their IDs: each can be changed or taken away, and more be added. */
function lines(items) {
  const list = h("ul", { class: "stack tight" });
  const add = (item) => {
    const field = h("input", { class: "input", dir: "auto", value: item?.text ?? "", "aria-label": "Text" });
    field.item = item;
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      add().focus();
    });
    const row = h("li", { class: "choice-line" }, field,
      h("button", { type: "button", class: "button bare small", "aria-label": "Take away", on: { click: () => row.remove() } }, icon("close")));
    list.append(row);
    return field;
  };
  for (const item of items ?? []) add(item);
  if ((items ?? []).length === 0) add();
  return {
    element: h("div", { class: "stack tight" }, list, h("div", {}, button("Add", () => add().focus(), { iconName: "plus" }))),
    read: () => [...list.querySelectorAll("input")].filter((field) => field.value.trim() !== "").map((field) => (
      field.item ? { ...field.item, text: field.value.trim() } : { text: field.value.trim() })),
  };
}
