// The bar at the page's top: where one is, the way back, and what can be done here.

import { button, h, icon } from "./dom.js";
import { chooseTextSize, chosenTextSize, textSizes } from "./viewport.js";

const title = h("div", { class: "bar-title" });
const back = h("a", { class: "button bare", href: "#/", "aria-label": "Back to all kits", title: "All kits" }, icon("back"));
const tools = h("div", { class: "bar-tools" });

/** The bar's element and what pages put into it. */
export const bar = {
  element: h("header", { class: "bar" }, back, title, tools, button("Text size", chooseSize, { kind: "bare", iconName: "size" })),

  /** `back` is an address, null on the first page. */
  set({ title: text, back: address, tools: elements = [] }) {
    back.hidden = !address;
    if (address) back.href = address;
    this.title(text);
    tools.replaceChildren(...elements);
  },

  title(text, detail = "") {
    title.replaceChildren(h("span", { class: "bar-name", dir: "auto", text }), detail ? h("span", { class: "bar-detail", dir: "auto", text: detail }) : "");
  },
};

function chooseSize(event) {
  openMenu(event.currentTarget, textSizes.map((factor) => ({
    label: `${Math.round(factor * 100)} %`, isChosen: factor === chosenTextSize(),
    action: () => {
      chooseTextSize(factor);
      dispatchEvent(new Event("interviewkit-textsize"));
    },
  })));
}

/** A menu beside a button: arrow keys, Escape and a click elsewhere do what they do everywhere. */
export function openMenu(anchor, entries) {
  const menu = h("div", { class: "menu", role: "menu", popover: "auto" });
  const close = () => menu.hidePopover();
  for (const { label, action, isChosen, isBad } of entries) {
    menu.append(h("button", {
      type: "button", class: isBad ? "menu-item bad" : "menu-item", role: isChosen === undefined ? "menuitem" : "menuitemcheckbox",
      "aria-checked": isChosen === undefined ? null : String(isChosen), tabindex: "-1",
      on: {
        click: () => {
          close();
          action();
        },
      },
    }, h("span", { class: "check" }, isChosen ? icon("check") : ""), label));
  }
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.children];
    const place = items.indexOf(document.activeElement);
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items[(next + items.length) % items.length].focus();
  });
  menu.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    menu.remove();
    if (document.activeElement === document.body) anchor.focus({ preventScroll: true });
  });
  document.body.append(menu);
  menu.showPopover();
  const at = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isRight = getComputedStyle(anchor).direction !== "rtl";
  const left = isRight ? at.right - width : at.left;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${at.bottom + height + 8 > innerHeight ? Math.max(8, at.top - height - 4) : at.bottom + 4}px`;
  menu.firstChild?.focus({ preventScroll: true });
}
