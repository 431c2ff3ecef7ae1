// A layout profile as a style sheet: fonts, sizes, insets and gaps of rows are read from it, none is written here.

import { familyList, letterSpacing } from "./fonts.js";
import { get } from "./http.js";

const profiles = new Map();

/** The document of a profile, such as `web` or `ios@1`; a version never changes. */
export function loadProfile(name) {
  if (!profiles.has(name)) profiles.set(name, get(`/v1/profiles/${encodeURIComponent(name)}`));
  return profiles.get(name);
}

const sides = (insets) => (typeof insets === "number"
  ? { top: insets, leading: insets, bottom: insets, trailing: insets }
  : { top: 0, leading: 0, bottom: 0, trailing: 0, ...insets });

const added = (a, b) => ({
  top: a.top + b.top, leading: a.leading + b.leading, bottom: a.bottom + b.bottom, trailing: a.trailing + b.trailing,
});

/** What a profile says for one viewport. */
export class RowStyle {
  constructor(profile, viewport) {
    this.profile = profile;
    this.viewport = viewport;
  }

  /** The parts of a kind of row, from top to bottom. */
  parts(kind) { return this.#row(kind).parts ?? []; }

  #row(kind) { return { ...this.profile.rows.default, ...this.profile.rows[kind] }; }

  /** A text that the client itself shows, in the language of the rows; empty when there is none. */
  string(name) {
    const strings = this.profile.strings ?? {};
    const tag = this.viewport.locale.toLowerCase();
    const own = Object.keys(strings).filter((key) => `${tag}-`.startsWith(`${key.toLowerCase()}-`))
      .sort((a, b) => b.length - a.length);
    for (const key of [...own, "en"]) if (strings[key]?.[name] !== undefined) return strings[key][name];
    return "";
  }

  /** Size and weight of a part's text. */
  font(role) {
    const part = this.profile.parts[role] ?? {};
    const style = this.profile.textSize.styles?.[part.style ?? this.profile.font.style] ?? {};
    return { size: part.size ?? this.#size(style), weight: part.weight ?? style.weight ?? this.profile.font.weight ?? 400 };
  }

  #size(style) {
    const rule = this.profile.textSize;
    if (rule.kind === "dynamicType") return style.sizes[Object.keys(rule.categories).indexOf(this.viewport.contentSize)];
    const scale = this.viewport.fontScale ?? rule.default;
    return this.#curved(style.size, scale) ?? style.size * scale;
  }

  /** Where large text is scaled less: the sizes before and after, interpolated between sizes and between scales. */
  #curved(size, scale) {
    const curves = this.profile.textSize.curves;
    if (!curves || scale < curves.from) return null;
    const tables = Object.entries(curves.scales ?? curves.after ?? {}).map(([key, after]) => [Number(key), after])
      .sort((a, b) => a[0] - b[0]);
    const between = (pairs, at) => {
      const place = pairs.findIndex(([from]) => from >= at);
      if (place < 0) return pairs[pairs.length - 1][1] * (at / pairs[pairs.length - 1][0]);
      if (place === 0) return pairs[0][1] * (at / pairs[0][0]);
      const [[low, lower], [high, upper]] = [pairs[place - 1], pairs[place]];
      return lower + ((upper - lower) * (at - low)) / (high - low);
    };
    const sizes = tables.map(([key, after]) => [key, between(curves.sizes.map((from, place) => [from, after[place]]), size)]);
    const place = sizes.findIndex(([key]) => key >= scale);
    if (place < 0 || sizes.length === 0) return null;
    if (sizes[place][0] === scale || place === 0) return sizes[place][1];
    const [[low, lower], [high, upper]] = [sizes[place - 1], sizes[place]];
    return lower + ((upper - lower) * (scale - low)) / (high - low);
  }

  get weights() { return [...new Set(Object.keys(this.profile.parts).map((role) => this.font(role).weight))]; }

  get family() { return this.profile.font.family; }

  /** The height of a row's separator. */
  separator(kind) { return (this.#row(kind).separatorPixels ?? 0) / this.viewport.scale; }

  /** The rules for all rows under `.rows`. */
  async css() {
    const rules = [`.rows { font-family: ${await familyList(this.family, this.viewport.locale)}; }`];
    for (const kind of Object.keys(this.profile.rows).filter((name) => name !== "default")) {
      const row = this.#row(kind);
      const { top, leading, bottom, trailing } = sides(row.insets ?? 0);
      const line = this.separator(kind);
      rules.push(`.rows .kind-${kind} > .content { padding: ${top}px 0 ${bottom + line}px; padding-inline: ${leading}px ${trailing}px;`
        + ` min-height: ${row.minimumHeight ?? 0}px; }`, `.rows .kind-${kind} > .content::after { height: ${line}px; }`);
    }
    for (const role of Object.keys(this.profile.parts)) rules.push(...await this.#partRules(role));
    return rules.join("\n");
  }

  async #partRules(role) {
    const part = this.profile.parts[role];
    const mode = this.profile.modes[part.mode ?? "label"] ?? {};
    const lines = { ...this.profile.lines, ...mode.lines };
    const { size, weight } = this.font(role);
    const padding = mode.lineFragmentPadding ?? 0;
    const own = sides(part.insets ?? 0);
    const { top, leading, bottom, trailing } = added(added(own, sides(mode.insets ?? 0)),
      { top: 0, bottom: 0, leading: padding, trailing: padding });
    const least = Math.max(part.minimumHeight ?? 0, mode.minimumHeight ?? 0);
    const declarations = [
      `font-size: ${size}px`, `font-weight: ${weight}`, `letter-spacing: ${await letterSpacing(this.family, size)}px`,
      `padding: ${top}px 0 ${bottom}px`, `padding-inline: ${leading}px ${trailing}px`,
      `min-height: ${least > 0 ? least + own.top + own.bottom : 0}px`,
      `line-height: ${lines.lineHeight ? `${lines.lineHeight}px` : "normal"}`,
    ];
    const base = `.rows .content > .part-${role}`;
    return [
      `${base} { ${declarations.join("; ")}; --top: ${top}px; --bottom: ${bottom}px; }`,
      `.rows .content > * + .part-${role} { margin-top: ${part.gapAbove ?? 0}px; }`,
      `.rows .content > .part-${role} + .part-${role} { margin-top: ${part.gapBetween ?? 0}px; }`,
    ];
  }
}

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

/** Makes a style the one that all rows of the page have. */
export async function wear(style) { sheet.replaceSync(await style.css()); }
