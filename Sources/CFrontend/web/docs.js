// The API reference: draws /openapi.json, group by group, with a search over all of it.

import { h } from "./dom.js";
import { operationElement, pathParts } from "./docs-operation.js";
import { Description } from "./docs-description.js";
import { loadFace } from "./fonts.js";
import { get } from "./http.js";
import { token } from "./token.js";

const search = h("input", {
  type: "search", class: "input docs-search", placeholder: "Search", "aria-label": "Search the API",
  "aria-keyshortcuts": "/", autocomplete: "off", spellcheck: "false",
});
const count = h("p", { class: "hint docs-count", role: "status" });
const nav = h("nav", { class: "docs-nav", "aria-label": "Operations" });
const menu = h("button", { type: "button", class: "button docs-menu", "aria-expanded": "false", text: "Operations", on: { click: () => showList(!nav.classList.contains("open")) } });
const main = h("main", { id: "main", tabindex: "-1", class: "docs-main" });

document.body.append(
  h("header", { class: "bar" },
    h("a", { class: "docs-home", href: "/", "aria-label": "InterviewKit, the reference frontend" }, h("img", { src: "/assets/mark.svg", alt: "", width: "24", height: "24" })),
    h("div", { class: "bar-title" }, h("span", { class: "bar-name", text: "InterviewKit API" })), menu, search),
  h("div", { class: "docs-page" }, nav, main));

/** On a narrow screen the list of operations lies over the page while it is asked for. */
function showList(isOpen) {
  nav.classList.toggle("open", isOpen);
  menu.setAttribute("aria-expanded", String(isOpen));
}

nav.addEventListener("click", (event) => {
  if (event.target.closest("a")) showList(false);
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !nav.classList.contains("open")) return;
  showList(false);
  menu.focus();
});

class ReferencePage {
  constructor(document) {
    this.description = new Description(document);
    this.entries = this.description.operations.map((operation) => ({
      operation, words: this.description.words(operation), link: link(operation), element: operationElement(this.description, operation, token() !== null),
    }));
    this.groups = this.description.groups.map((group) => this.group(group));
    main.replaceChildren(introduction(this.description), count, ...this.groups.map(({ section }) => section));
    nav.replaceChildren(...this.groups.map(({ list }) => list));
    search.addEventListener("input", () => this.filter());
    search.addEventListener("keydown", (event) => this.keyInSearch(event));
    addEventListener("keydown", keyAnywhere);
    addEventListener("hashchange", () => this.openNamed());
    this.filter();
    this.openNamed();
  }

  group({ name, description }) {
    const entries = this.entries.filter(({ operation }) => operation.group === name);
    const id = `group-${name.toLowerCase().replaceAll(" ", "-")}`;
    return {
      entries,
      section: h("section", { class: "docs-group", "aria-labelledby": id }, h("h2", { id, text: name }), h("p", { class: "quiet", text: description }),
        ...entries.map(({ element }) => element)),
      list: h("div", { class: "docs-nav-group" }, h("h2", { class: "docs-nav-title", text: name }), h("ul", {}, ...entries.map(({ link }) => h("li", {}, link)))),
    };
  }

  /** Shows what holds every word of the search. */
  filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { section, list, entries } of this.groups) {
      let some = false;
      for (const { words: known, element, link } of entries) {
        const fits = words.every((word) => known.includes(word));
        element.hidden = !fits;
        link.parentElement.hidden = !fits;
        some ||= fits;
        shown += fits;
      }
      section.hidden = !some;
      list.hidden = !some;
    }
    if (shown === 0) count.textContent = `Nothing matches “${search.value.trim()}”.`;
    else count.textContent = words.length === 0 ? `${shown} operations` : `${shown} of ${this.entries.length} operations`;
  }

  keyInSearch(event) {
    if (event.key === "Escape" && search.value !== "") {
      search.value = "";
      this.filter();
    } else if (event.key === "Enter") {
      // The key is used up: it would go on to what has the focus now, and close it again.
      event.preventDefault();
      const first = this.entries.find(({ element }) => !element.hidden);
      if (!first) return;
      first.element.open = true;
      first.element.querySelector("summary").focus();
    }
  }

  /** Opens the operation that the address names. */
  openNamed() {
    const entry = this.entries.find(({ operation }) => `#${operation.operationId}` === location.hash);
    if (!entry) return;
    if (entry.element.hidden) {
      search.value = "";
      this.filter();
    }
    entry.element.open = true;
    entry.element.scrollIntoView();
    entry.element.querySelector("summary").focus({ preventScroll: true });
  }
}

function link({ operationId, method, path, summary }) {
  return h("a", { class: "docs-nav-link", href: `#${operationId}`, title: summary },
    h("span", { class: `docs-method ${method.toLowerCase()}`, text: method }), h("span", { class: "docs-nav-path" }, ...pathParts(path)));
}

function introduction({ document }) {
  const rules = [
    ["Errors", "are problem documents (RFC 9457): a stable code, a requestId, and errors that name every place that is wrong."],
    ["Changing what exists", "says what was seen: If-Match with the ETag, or * to overwrite. Without 428, stale 412 with current and sent."],
    ["Sending again", "is safe under an Idempotency-Key: it has no second effect, and the same outcome for 24 hours."],
    ["Tokens", "go into Authorization: Bearer. Until the first one is made, everybody who can connect may do everything."],
  ];
  return h("div", { class: "docs-intro" }, h("h1", { text: document.info.title }), h("p", { class: "quiet", text: document.info.description }),
    h("dl", { class: "docs-rules" }, ...rules.flatMap(([name, text]) => [h("dt", { text: name }), h("dd", { text })])),
    h("p", {}, h("a", { class: "link", href: "/openapi.json", text: "openapi.json" }), ` OpenAPI ${document.openapi}. The examples of all operations tell one story, and were sent in its order.`));
}

function keyAnywhere(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
  search.select();
}

async function show() {
  main.replaceChildren(h("p", { class: "quiet", role: "status", text: "Reading the description…" }));
  try {
    window.interviewKitReference = new ReferencePage(await get("/openapi.json"));
  } catch (error) {
    main.replaceChildren(h("div", { class: "docs-intro" }, h("h1", { text: "The description can't be read" }), h("p", { text: error.message }),
      h("button", { type: "button", class: "button primary", text: "Try again", on: { click: show } })));
  }
}

loadFace();
show();
