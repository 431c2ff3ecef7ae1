// Makes elements. Text only ever becomes text: there is no way here to make markup of it.

/**
 * An element. `properties` may hold `class`, `text`, `on` (listeners by event), `data` (dataset), and attributes;
 * an attribute that is false, null or undefined is left out, and true is an empty one.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An icon of `icons.svg` that says nothing to screen readers. */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `/assets/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** A button with a text, or with an icon and a label that is read out. */
export function button(label, action, { kind = "", iconName, ...attributes } = {}) {
  const element = h("button", { type: "button", class: `button ${kind}`, on: { click: action }, ...attributes });
  if (iconName) element.append(icon(iconName));
  if (iconName && kind.includes("bare")) element.setAttribute("aria-label", label);
  else element.append(label);
  if (iconName && kind.includes("bare")) element.title = label;
  return element;
}

/** A labelled field of a dialog. */
export function labelled(label, control, hint) {
  return h("label", { class: "labelled" }, h("span", { class: "label", text: label }), control,
    hint ? h("span", { class: "hint", text: hint }) : null);
}

/** A modal dialog; `build(close)` gives its content. Resolves with what `close` was given, undefined when dismissed. */
export function dialog(title, build, { wide = false } = {}) {
  return new Promise((resolve) => {
    let result;
    const close = (value) => {
      result = value;
      element.close();
    };
    const heading = h("h2", { class: "dialog-title", text: title, id: `dialog-${Math.random().toString(36).slice(2)}` });
    const element = h("dialog", { class: wide ? "dialog wide" : "dialog", "aria-labelledby": heading.id }, heading);
    element.addEventListener("close", () => {
      element.remove();
      resolve(result);
    });
    element.addEventListener("click", (event) => {
      if (event.target === element) element.close();
    });
    document.body.append(element);
    element.append(...[build(close)].flat());
    element.showModal();
  });
}

const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A point in time for people; the machine's form stays in the element. */
export function time(text) {
  return h("time", { datetime: text, text: dates.format(new Date(text)) });
}
