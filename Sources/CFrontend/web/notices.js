// What the page has to say: cards at its edge that stay until they are dealt with, and words for screen readers.

import { button, h } from "./dom.js";

const region = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
const cards = new Map();
const shelf = h("aside", { class: "notices", "aria-label": "Notices" });

/** Where the notices begin on the screen, if there are any over this part of it. */
export function noticesTop({ left, right }) {
  const box = shelf.getBoundingClientRect();
  return cards.size > 0 && box.left < right && box.right > left ? box.top : Infinity;
}

export function mountNotices() { document.body.append(region, shelf); }

/** Says something to screen readers, without a sign on the page. */
export function say(text) {
  region.textContent = "";
  setTimeout(() => { region.textContent = text; }, 30);
}

/** Shows a card, or replaces the one of the same name. */
export function showNotice(name, { title, tone = "plain", body = [], actions = [], canClose = true }) {
  const close = canClose ? button("Close", () => hideNotice(name), { kind: "bare small", iconName: "close" }) : null;
  const card = h("section", { class: `notice ${tone}`, "aria-label": title },
    h("div", { class: "notice-head" }, h("h3", { text: title }), close), body,
    actions.length > 0 ? h("div", { class: "actions" }, actions) : null);
  if (cards.has(name)) cards.get(name).replaceWith(card);
  else {
    // The newest is the first.
    shelf.prepend(card);
    shelf.scrollTop = 0;
    say(title);
  }
  cards.set(name, card);
}

export function hideNotice(name) {
  cards.get(name)?.remove();
  cards.delete(name);
}

export function hideAllNotices() { for (const name of [...cards.keys()]) hideNotice(name); }

/** Shows that something went wrong, in the service's own words. */
export function showError(error, title = "That did not work") {
  const details = (error.errors ?? []).slice(0, 12).map((one) => h("li", { text: one.message }));
  showNotice("error", { title, tone: "bad", body: [
    h("p", { text: error.message }), details.length > 1 ? h("ul", {}, details) : null,
    error.body?.requestId ? h("p", { class: "hint", text: `Request ${error.body.requestId}` }) : null,
  ] });
}
