// One row as an element: the parts that the profile lists for its kind, each whole, described by its item alone.

import { h, icon } from "./dom.js";
import { choicesOf, textOf } from "./items.js";
import { readNumber } from "./number-text.js";

/**
 * Makes a row. `context` has the `kit`, the `style`, and what answers it: `content(id)`, `edit(id, change)`, `isOpen`
 * (whether answers can be changed), and `tools(item)`, which may give what stands beside the row.
 */
export function makeRow(item, context) {
  const content = h("div", { class: "content" });
  const row = h("div", { class: `row kind-${item.kind}` }, content);
  const parts = context.style.parts(item.kind);
  for (const role of parts) content.append(...makePart(role, item, context));
  const choices = content.querySelector("input[type=radio], input[type=checkbox]");
  if (choices) {
    content.setAttribute("role", choices.type === "radio" ? "radiogroup" : "group");
    content.setAttribute("aria-labelledby", `text-${item.id}`);
    if (item.question.required && choices.type === "radio") content.setAttribute("aria-required", "true");
  }
  const tools = context.tools?.(item);
  if (tools) row.append(tools);
  fillRow(row, item, context);
  return row;
}

function makePart(role, item, context) {
  switch (role) {
    case "title": return [h("h2", { class: "part-title", text: item.section.title })];
    case "text": return [makeText(item, context)];
    case "help": return item.question?.help && !item.criterion
      ? [h("div", { class: "part-help", id: `help-${item.id}`, text: item.question.help })] : [];
    case "field": return [makeField(item, context)];
    case "answer": return [makeAnswer(item, context)];
    case "option": return makeOptions(item, context);
    case "value": return [makeValue(item, context)];
    // What an answer brings along: placed when it is there.
    default: return [];
  }
}

function makeText(item, { style }) {
  const isRequired = item.question.required && !item.criterion;
  return h("div", { class: "part-text", id: `text-${item.id}` }, textOf(item),
    isRequired ? h("span", { class: "required", text: style.string("requiredMark") }) : null);
}

const described = (item) => ({
  "aria-labelledby": item.criterion ? `text-${item.question.id} text-${item.id}` : `text-${item.id}`,
  "aria-describedby": item.question.help && !item.criterion ? `help-${item.id}` : null,
  "aria-required": item.question.required ? "true" : null,
});

function makeAnswer(item, { style, edit, isOpen }) {
  const area = h("textarea", {
    class: "part-answer", dir: "auto", rows: 1, placeholder: style.string(`placeholder.${item.kind}`), readonly: !isOpen,
    spellcheck: "true", ...described(item),
  });
  area.addEventListener("input", () => edit(item.id, { value: area.value === "" ? null : area.value }));
  return area;
}

function makeField(item, context) {
  if (item.kind === "shortText") return makeLine(item, context);
  const { style, edit, isOpen } = context;
  const isDate = item.kind === "date";
  const field = h("input", {
    class: "part-field", dir: "auto", type: isDate ? "date" : "text", inputmode: item.kind === "number" ? "decimal" : null,
    placeholder: style.string(`placeholder.${item.kind}`), readonly: !isOpen, autocomplete: "off", ...described(item),
  });
  field.addEventListener("input", () => edit(item.id, typed(item, field)));
  return field;
}

/** One line of text. An `input` is as high as its first font, whatever is typed: this is as high as its line. */
function makeLine(item, { style, edit, isOpen }) {
  const line = h("textarea", {
    class: "part-field", dir: "auto", rows: 1, wrap: "off", placeholder: style.string(`placeholder.${item.kind}`), readonly: !isOpen,
    "aria-multiline": "false", ...described(item),
  });
  line.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) event.preventDefault();
  });
  line.addEventListener("input", () => {
    if (/[\r\n]/.test(line.value)) line.value = line.value.replace(/[\r\n]+/g, " ");
    edit(item.id, { value: line.value === "" ? null : line.value });
  });
  return line;
}

/** What a field says as a value; a number that is none is told as `invalid`. */
function typed(item, field) {
  const text = field.value;
  if (text.trim() === "") return { value: null };
  if (item.kind !== "number") return { value: text };
  const { number, problem } = readNumber(text);
  return problem ? { invalid: problem } : { value: number };
}

function makeOptions(item, context) {
  const isMany = item.kind === "multiSelect";
  return choicesOf(item, context.kit, context.style).map(({ id, text }) => {
    const input = h("input", { type: isMany ? "checkbox" : "radio", name: `choice-${item.id}`, disabled: !context.isOpen });
    input.choice = id;
    input.addEventListener("change", () => {
      const inputs = [...input.closest(".content").querySelectorAll("input")];
      const chosen = inputs.filter((one) => one.checked).map((one) => one.choice);
      context.edit(item.id, { value: isMany ? (chosen.length > 0 ? chosen : null) : chosen[0], notAssessed: false });
    });
    return h("label", { class: context.isOpen ? "part-option" : "part-option still" }, input, text);
  });
}

function makeValue(item, context) {
  const hint = context.style.string(`placeholder.${item.kind}`);
  const select = h("select", { disabled: !context.isOpen, ...described(item) }, h("option", { value: "", text: hint }));
  for (const { id, text } of choicesOf(item, context.kit, context.style)) select.append(h("option", { value: id, text }));
  select.addEventListener("change", () => {
    context.edit(item.id, { value: select.value === "" ? null : select.value, notAssessed: false });
    fillRow(select.closest(".row"), item, context);
  });
  return h("div", { class: context.isOpen ? "part-value" : "part-value still" }, h("span"), icon("unfold"), select);
}

/**
 * Shows an answer in its row, in place: no element that may hold the focus is replaced, and a text that is the same is
 * not written again, so that the caret stays.
 */
export function fillRow(row, item, context) {
  const answer = context.content?.(item.id) ?? { value: null, comment: null, notAssessed: false };
  const content = row.firstChild;
  const field = content.querySelector(":scope > .part-answer, :scope > .part-field");
  if (field) fillField(field, answer.value);
  for (const input of content.querySelectorAll(":scope > .part-option > input")) {
    input.checked = Array.isArray(answer.value) ? answer.value.includes(input.choice) : answer.value === input.choice;
  }
  const value = content.querySelector(":scope > .part-value");
  if (value) {
    const select = value.querySelector("select");
    select.value = answer.value ?? "";
    value.classList.toggle("empty", answer.value === null);
    value.firstChild.textContent = select.selectedOptions[0]?.textContent ?? "";
  }
  optionalPart(content, "comment", answer.comment, item, context);
  optionalPart(content, "notAssessed", answer.notAssessed ? context.style.string("notAssessed") : null, item, context);
}

function fillField(field, value) {
  const text = value === null || value === undefined ? "" : String(value);
  // A number may be written in more than one way: what stands there is left when it says the same.
  const isSame = typeof value === "number" && readNumber(field.value).number === value;
  if (field.value === text || isSame) return;
  const hasFocus = field === document.activeElement && field.type !== "date";
  const { value: old, selectionStart: start, selectionEnd: end } = field;
  field.value = text;
  if (hasFocus) field.setSelectionRange(moved(start, old, text), moved(end, old, text));
}

/**
 * Where a place in a text is in what somebody else made of the text: the end stays the end; what both texts begin with stays
 * before it, else what both end with stays behind it.
 */
function moved(place, old, text) {
  if (place === old.length) return text.length;
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start += 1;
  if (place <= start) return place;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
  return text.length - Math.min(old.length - place, end);
}

/** Adds, changes or removes a part that only some answers have, at its place in the profile's order. */
function optionalPart(content, role, text, item, context) {
  let part = content.querySelector(`:scope > .part-${role}`);
  if (!text) return part?.remove();
  if (!part) {
    const order = context.style.parts(item.kind);
    if (!order.includes(role)) return;
    const later = order.slice(order.indexOf(role) + 1).map((name) => `:scope > .part-${name}`);
    part = h("div", { class: `part-${role}` });
    content.insertBefore(part, later.length > 0 ? content.querySelector(later.join(",")) : null);
  }
  if (part.textContent !== text) part.textContent = text;
}

/** The height that a row's content asks for by itself here, in CSS pixels; the row is as before after it. */
export function naturalHeight(row) {
  const content = row.firstChild;
  const field = content.querySelector(":scope > textarea");
  if (field) {
    field.style.flex = "none";
    field.style.height = "0";
    field.style.height = `${field.scrollHeight}px`;
  }
  content.style.height = "auto";
  const { height } = content.getBoundingClientRect();
  content.style.height = "";
  if (field) field.style.height = field.style.flex = "";
  return height;
}

/** The height that the row of a text area needs for what is typed into it. */
export function typedHeight(row, area) {
  const others = row.getBoundingClientRect().height - area.getBoundingClientRect().height;
  area.style.flex = "none";
  area.style.height = "0";
  const needed = area.scrollHeight;
  area.style.height = area.style.flex = "";
  area.scrollTop = 0;
  return others + needed;
}
