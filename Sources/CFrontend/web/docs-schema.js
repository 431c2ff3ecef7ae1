// Schemas as lists of members; what they refer to opens in its place.

import { h } from "./dom.js";

const nameOf = (schema) => schema.$ref?.split("/").pop();

/** What a value is, in a few words: `string`, `list of Row`, `Answer or null`. */
export function typeText(description, schema) {
  if (schema.$ref) return nameOf(schema);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeText(description, choice)).join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => {
    if (type === "array") return `list of ${schema.items ? typeText(description, schema.items) : "any"}`;
    if (type === "object" && typeof schema.additionalProperties === "object") return `object of ${typeText(description, schema.additionalProperties)}`;
    return type === "string" && schema.format ? schema.format : type;
  }).join(" or ");
}

/** What a value has to keep, in words. */
export function wordsOf(schema) {
  const words = [];
  if (schema.enum) words.push(`One of ${schema.enum.join(", ")}.`);
  if (schema.pattern) words.push(`Like ${schema.pattern}`);
  const limits = { minimum: "at least", exclusiveMinimum: "above", maximum: "at most", minLength: "at least", maxLength: "at most", minItems: "at least", maxItems: "at most" };
  const units = { minLength: " characters", maxLength: " characters", minItems: " items", maxItems: " items" };
  const told = Object.entries(limits).filter(([name]) => name in schema).map(([name, word]) => `${word} ${schema[name].toLocaleString("en")}${schema[name] === 1 ? (units[name] ?? "").replace(/s$/, "") : units[name] ?? ""}`);
  if (told.length) words.push(`${told.join(", ")}.`.replace(/^./, (first) => first.toUpperCase()));
  if ("default" in schema) words.push(`Left out: ${JSON.stringify(schema.default)}.`);
  return words.join(" ");
}

/** The schema that has the members worth showing: itself, or what its lists, maps and choices are of. */
function inner(schema) {
  if (schema.$ref || schema.properties) return [schema];
  if (schema.anyOf ?? schema.oneOf) return (schema.anyOf ?? schema.oneOf).flatMap(inner);
  if (typeof schema.items === "object") return inner(schema.items);
  if (typeof schema.additionalProperties === "object") return inner(schema.additionalProperties);
  return [];
}

/** A schema with its members, closed when it has a name. */
export function schemaElement(description, schema) {
  return lazily(`Schema: ${typeText(description, schema)}`, () => content(description, schema), "docs-schema");
}

function content(description, schema) {
  const found = description.resolve(schema);
  const parts = [];
  if (found.description) parts.push(h("p", { class: "quiet", text: found.description }));
  const words = wordsOf(found);
  if (words) parts.push(h("p", { class: "docs-words", text: words }));
  if (found.properties) parts.push(members(description, found));
  else parts.push(...deeper(description, found));
  return parts;
}

function members(description, schema) {
  const required = new Set(schema.required ?? []);
  return h("dl", { class: "docs-members" }, ...Object.entries(schema.properties).flatMap(([name, member]) => [
    h("dt", {}, h("code", { class: "docs-name", text: name }), " ",
      h("span", { class: "docs-type", text: typeText(description, member) + (required.has(name) ? "" : ", may be left out") })),
    h("dd", {}, h("span", { text: [member.description, wordsOf(member)].filter(Boolean).join(" ") }), ...deeper(description, member)),
  ]));
}

/** What a member holds, to be opened: named schemas, and objects without a name. */
function deeper(description, schema) {
  return inner(schema).filter((one) => one.$ref || one.properties).map((one) =>
    one.$ref ? lazily(nameOf(one), () => content(description, one)) : members(description, one));
}

function lazily(title, make, name = "docs-deeper") {
  const element = h("details", { class: name }, h("summary", { text: title }));
  element.addEventListener("toggle", () => {
    if (element.open && element.childElementCount === 1) element.append(h("div", { class: "docs-within" }, ...make()));
  });
  return element;
}
