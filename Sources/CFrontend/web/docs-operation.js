// One operation of the reference: a curl line, parameters, bodies and answers, drawn when it is opened first.

import { h } from "./dom.js";
import { curlLine } from "./docs-curl.js";
import { schemaElement, typeText, wordsOf } from "./docs-schema.js";

/** A `details` element; its inside is made when it is opened. */
export function operationElement(description, operation, hasToken) {
  const { method, path, summary, operationId } = operation;
  const element = h("details", { class: "docs-operation", id: operationId },
    h("summary", { class: "docs-head" }, h("span", { class: `docs-method ${method.toLowerCase()}`, text: method }),
      h("span", { class: "docs-path" }, ...pathParts(path)), h("span", { class: "docs-summary", text: summary })));
  element.addEventListener("toggle", () => {
    if (!element.open || element.childElementCount > 1) return;
    element.append(h("div", { class: "docs-inside" }, ...inside(description, operation, hasToken)));
  });
  return element;
}

/** A path that may break before each slash. */
export function pathParts(path) {
  return path.split("/").slice(1).flatMap((part) => [h("wbr"), `/${part}`]);
}

function inside(description, operation, hasToken) {
  return [
    h("p", { class: "quiet", text: operation.security?.length === 0 ? "For everybody, without a token." : operation.description }),
    codeBlock(curlLine(description, operation, location.origin, hasToken), "curl", "curl line"),
    parameters(description, operation), requestBody(description, operation), answers(description, operation),
  ];
}

function parameters(description, { parameters: all }) {
  if (all.length === 0) return null;
  const places = { path: "in the path", query: "in the query", header: "a header" };
  return h("section", {}, h("h3", { text: "Parameters" }), h("dl", { class: "docs-members" }, ...all.flatMap((parameter) => [
    h("dt", {}, h("code", { class: "docs-name", text: parameter.name }), " ",
      h("span", { class: "docs-type", text: [typeText(description, parameter.schema), places[parameter.in], parameter.required ? "required" : ""].filter(Boolean).join(", ") })),
    h("dd", { text: [parameter.description, wordsOf(description.resolve(parameter.schema))].filter(Boolean).join(" ") }),
  ])));
}

function requestBody(description, { requestBody: body, operationId }) {
  if (!body) return null;
  return h("section", {}, h("h3", { text: body.required ? "Body" : "Body, which may be left out" }), ...contents(description, body.content, `${operationId} request`));
}

function answers(description, operation) {
  return h("section", {}, h("h3", { text: "Answers" }), ...description.responses(operation).map(({ status, response, codes }) => {
    const isGood = /^[23]/.test(status);
    const headers = Object.keys(response.headers ?? {});
    const element = h("details", { class: "docs-answer" }, h("summary", {},
      h("span", { class: `docs-status ${isGood ? "good" : "bad"}`, text: status === "default" ? "else" : status }), h("span", { text: response.description }),
      ...codes.filter(() => status !== "default").map((code) => h("code", { class: "docs-code", text: code }))));
    element.addEventListener("toggle", () => {
      if (!element.open || element.childElementCount > 1) return;
      element.append(h("div", { class: "docs-inside" },
        headers.length ? h("p", { class: "quiet", text: `Headers: ${headers.join(", ")}` }) : null,
        ...contents(description, response.content ?? {}, `${operation.operationId} ${status}`)));
    });
    // What is wanted most often is there at once.
    if (status === "200" || status === "201") element.open = true;
    return element;
  }));
}

/** Each media type with its examples and its schema. */
function contents(description, content, name) {
  return Object.entries(content).map(([type, media]) => h("div", { class: "docs-content" }, h("h4", { class: "docs-type", text: type }),
    ...description.examples(media).map(([example, value]) => codeBlock(typeof value === "string" ? value : JSON.stringify(value, null, 2), example, `${name} example ${example}`)),
    schemaElement(description, media.schema)));
}

function codeBlock(text, label, name) {
  const copied = h("span", { class: "visually-hidden", role: "status" });
  const button = h("button", { type: "button", class: "button docs-copy", text: "Copy", "aria-label": `Copy ${name}`, on: { click: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = copied.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(pre);
      button.textContent = copied.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; copied.textContent = ""; }, 2000);
  } } });
  const pre = h("pre", { class: "docs-pre", tabindex: "0", "aria-label": name }, h("code", { text }));
  return h("figure", { class: "docs-figure" }, h("figcaption", { class: "docs-caption" }, h("span", { text: label }), copied, button), pre);
}
