// The settings of the inspector: kit, profile, width, text size, pixels, language.

import { h, labelled } from "./dom.js";
import { pixelScale } from "./viewport.js";

const locales = [["", "The kit's own"], ["en", "English"], ["ko", "Korean"], ["ja", "Japanese"], ["ar", "Arabic"], ["he", "Hebrew"], ["zh-Hans", "Chinese"], ["de", "German"]];

/** `element` and the present `choice`; `changed(choice)` is called when a setting is another. */
export function makeControls(kits, profiles, kitID, changed) {
  const choice = { kit: kitID, profile: "web", width: Math.min(390, innerWidth - 110), sizeName: "fontScale", size: 1, scale: pixelScale(), locale: "" };
  const newest = profiles.filter((profile, place) => profiles.findLastIndex(({ name }) => name === profile.name) === place);
  const tell = () => changed({ ...choice });

  const select = (entries, value, take) => h("select", { class: "input", on: { change: (event) => {
    take(event.target.value);
    tell();
  } } }, entries.map(([key, text]) => h("option", { value: key, text, selected: key === value })));

  const slider = (label, range, show, take) => {
    const output = h("output", { class: "slider-value", text: show(Number(range.value)) });
    const input = h("input", { type: "range", class: "slider", "aria-label": label, ...range });
    input.addEventListener("input", () => {
      output.textContent = show(Number(input.value));
      take(Number(input.value));
      tell();
    });
    return h("label", { class: "labelled" }, h("span", { class: "slider-head" }, h("span", { class: "label", text: label }), output), input);
  };

  const sizes = h("div", {});
  const showSizes = () => {
    const profile = newest.find(({ name }) => name === choice.profile);
    if (profile?.contentSizes) {
      const names = profile.contentSizes;
      [choice.sizeName, choice.size] = ["contentSize", names.includes("large") ? "large" : names[0]];
      sizes.replaceChildren(slider("Text size", { min: 0, max: names.length - 1, step: 1, value: names.indexOf(choice.size) }, (place) => names[place],
        (place) => { choice.size = names[place]; }));
    } else {
      [choice.sizeName, choice.size] = ["fontScale", 1];
      const { minimum = 0.5, maximum = 2 } = profile?.fontScales ?? {};
      sizes.replaceChildren(slider("Text size", { min: minimum, max: maximum, step: 0.05, value: 1 }, (factor) => `${Math.round(factor * 100)} %`,
        (factor) => { choice.size = factor; }));
    }
    choice.scale = choice.profile.startsWith("web") ? pixelScale() : profile?.scale ?? 1;
  };
  showSizes();

  const element = h("div", { class: "stack" },
    labelled("Kit", select(kits.map(({ id, title }) => [id, title]), kitID, (value) => { choice.kit = value; })),
    labelled("Profile", select(newest.filter(({ name }) => name !== "base").map(({ name, description }) => [name, description ? `${name}: ${description.split(/[:.,]/)[0]}` : name]), "web", (value) => {
      choice.profile = value;
      showSizes();
    })),
    slider("Width", { min: 160, max: 1000, step: 1, value: choice.width }, (width) => String(width), (width) => { choice.width = width; }),
    sizes,
    labelled("Language of the rows", select(locales, "", (value) => { choice.locale = value; })));
  return { element, get choice() { return { ...choice }; } };
}
