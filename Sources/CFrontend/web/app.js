// The reference frontend: which page an address shows.

import { button, h } from "./dom.js";
import { loadFace } from "./fonts.js";
import { hideAllNotices, mountNotices, showError } from "./notices.js";
import { bar } from "./shell.js";

const pages = [
  [/^\/?$/, async () => (await import("./kits.js")).KitsPage],
  [/^\/kits\/([^/]+)$/, async () => (await import("./editor.js")).EditorPage],
  [/^\/evaluations\/([^/]+)$/, async () => (await import("./form.js")).FormPage],
  [/^\/reading\/([^/]+)\/([^/]+)$/, async () => (await import("./reading.js")).ReadingPage],
  [/^\/inspector(?:\/([^/]+))?$/, async () => (await import("./inspector.js")).InspectorPage],
];

const main = h("main", { id: "main", tabindex: "-1" });
let current;
let visit = 0;

async function show() {
  const own = ++visit;
  current?.close?.();
  current = undefined;
  hideAllNotices();
  const path = location.hash.replace(/^#/, "");
  for (const [pattern, load] of pages) {
    const match = path.match(pattern);
    if (!match) continue;
    try {
      const Page = await load();
      if (own !== visit) return;
      main.replaceChildren();
      scrollTo(0, 0);
      current = new Page(main, ...match.slice(1).map((part) => part && decodeURIComponent(part)));
      window.interviewKitPage = current;
      await current.open();
    } catch (error) {
      if (own === visit) fail(error);
    }
    return;
  }
  failMissing();
}

/** Under this address there is nothing, or nothing that the member may see: which of both is not told. */
function failMissing() {
  main.replaceChildren(h("div", { class: "column empty-page" }, h("h1", { text: "There is nothing here" }),
    h("p", { text: "What this address names isn't there, or isn't for you to see." }),
    h("div", { class: "actions start" }, h("a", { class: "button primary", href: "#/", text: "Back to the kits" }), button("Try again", show))));
}

function fail(error) {
  if (error.status === 404 || error.status === 410) {
    failMissing();
    return;
  }
  main.replaceChildren(h("div", { class: "column empty-page" }, h("h1", { text: "This page can't be shown" }),
    h("p", { text: error.message }), h("div", { class: "actions start" }, button("Try again", show, { kind: "primary" }),
      h("a", { class: "button", href: "#/", text: "All kits" }))));
  if (!("status" in error)) showError(error);
}

document.body.append(bar.element, main);
mountNotices();
loadFace();
addEventListener("hashchange", show);
show();
