// The fonts of the rows: the very files that the service measured with, under names that no installed font has.

import { get } from "./http.js";

const prefix = "IK ";
const presentation = `${prefix}Emoji Presentation`;
/** What emoji sequences are made of besides: joiner, selector, tags, and signs that are text when they stand alone. */
const sequenceParts = "U+200D,U+FE0F,U+E0020-E007F,U+2620,U+2640,U+2642,U+2764,U+1F3F3";

let catalogue;

/** The service's fonts. The browser knows a face only when a text needs it: it would try, and load, many others. */
export function loadCatalogue() {
  catalogue ??= get("/v1/fonts?coverage=true").then(register).catch((error) => {
    catalogue = undefined;
    throw error;
  });
  return catalogue;
}

function register(document_) {
  const families = new Map(document_.families.map((family) => [family.name, family]));
  const known = new Map();
  let emoji = null;
  for (const family of document_.families) {
    const source = family.faces.some((face) => face.url) ? family : families.get(family.substitute);
    const faces = (source?.faces ?? []).filter((face) => face.url)
      .map((face) => makeFace(prefix + family.name, face, face.unicodeRange, family.metrics));
    known.set(family.name, { faces, locales: family.locales, tracking: family.tracking ?? [] });
    if (family.emoji && faces.length > 0) emoji = makeFace(presentation, source.faces[0], `${emojiRange()},${sequenceParts}`);
  }
  return { known, emoji, fallbacks: document_.fallbacks };
}

const makeFace = (name, face, range, metrics) => (
  { weight: face.weight, ranges: parsed(range), font: fontFace(name, { ...face, unicodeRange: range }, metrics) });

function fontFace(name, face, metrics) {
  const percent = (units) => `${(units / metrics.unitsPerEm) * 100}%`;
  const overrides = metrics ? {
    ascentOverride: percent(metrics.ascender), descentOverride: percent(-metrics.descender),
    lineGapOverride: percent(metrics.lineGap),
  } : {};
  return new FontFace(name, `url("${face.url}")`, {
    weight: String(face.weight), unicodeRange: face.unicodeRange || "U+0", display: "block", ...overrides,
  });
}

/** Characters that are emoji unless something says otherwise. */
function emojiRange() {
  const found = [];
  for (const [first, last] of [[0x2300, 0x2bff], [0x1f000, 0x1faff]]) {
    for (let code = first; code <= last; code++) {
      if (/\p{Emoji_Presentation}/u.test(String.fromCodePoint(code))) found.push(`U+${code.toString(16)}`);
    }
  }
  return found.join(",");
}

function parsed(range) {
  return (range ?? "").split(",").filter(Boolean).map((one) => {
    const [first, last = first] = one.slice(2).split("-");
    return [parseInt(first, 16), parseInt(last, 16)];
  });
}

function has(ranges, code) {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < ranges[middle][0]) high = middle - 1;
    else if (code > ranges[middle][1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** The families that a text of a locale goes through, in order: the service's own order. */
function names({ known, fallbacks }, family, locale) {
  const isLocal = (name) => (known.get(name)?.locales ?? [])
    .some((tag) => `${locale.toLowerCase()}-`.startsWith(`${tag.toLowerCase()}-`));
  const ordered = [...fallbacks.filter(isLocal), ...fallbacks.filter((name) => !isLocal(name))];
  return [family, ...ordered.filter((name) => name !== family)];
}

/** The value of `font-family` for texts of a locale. */
export async function familyList(family, locale) {
  const [first, ...others] = names(await loadCatalogue(), family, locale).map((name) => `"${prefix}${name}"`);
  return [first, `"${presentation}"`, ...others].join(", ");
}

/** Extra advance at a size, as CSS `letter-spacing`. */
export async function letterSpacing(family, size) {
  const entries = (await loadCatalogue()).known.get(family)?.tracking ?? [];
  const above = entries.findIndex((entry) => entry.size >= size);
  if (entries.length === 0) return 0;
  if (above === 0) return entries[0].tracking;
  if (above < 0) return entries[entries.length - 1].tracking;
  const [low, high] = [entries[above - 1], entries[above]];
  return low.tracking + ((high.tracking - low.tracking) * (size - low.size)) / (high.size - low.size);
}

const ignorable = /^[\u00ad\u034f\u061c\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\u{e0000}-\u{e0fff}]$/u;
/** What makes clusters of several characters, which go to one font whole. */
const composing = /[\p{M}\u200c\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;
const ascii = /^[\t\n\r -~]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Resolves when every file that these texts need is loaded: nothing may be drawn or measured before. */
export async function ready(texts, family, locale, weights) {
  const all = await loadCatalogue();
  const { codes, clusters } = charactersOf(texts);
  const chain = names(all, family, locale).map((name) => all.known.get(name)?.faces ?? []).filter((faces) => faces.length > 0);
  const needed = new Set();
  for (const weight of weights) {
    const faces = chain.map((choice) => nearest(choice, weight));
    for (const code of codes) needed.add(faces.find(({ ranges }) => has(ranges, code)));
    for (const cluster of clusters) {
      needed.add(faces.find(({ ranges }) => cluster.every((code) => has(ranges, code))) ?? faces.find(({ ranges }) => has(ranges, cluster[0])));
    }
  }
  const isEmoji = (code) => code > 0x2000 && all.emoji && has(all.emoji.ranges, code);
  if (codes.some(isEmoji) || clusters.some((cluster) => cluster.some(isEmoji))) needed.add(all.emoji);
  needed.delete(undefined);
  const waiting = [...needed].filter(({ font }) => font.status !== "loaded");
  for (const { font } of waiting) document.fonts.add(font);
  if (waiting.length > 0) await Promise.all(waiting.map(({ font }) => font.load()));
}

/** The characters of all texts, and the clusters of more than one; most characters are seen a thousand times. */
function charactersOf(texts) {
  const low = new Uint8Array(0x10000);
  const high = new Set();
  const clusters = new Map();
  // Every font that is a style's first has all of ASCII: such texts are looked through quickly.
  low.fill(1, 0x20, 0x7f);
  for (const text of texts) {
    if (ascii.test(text)) continue;
    let highest = 0;
    for (let place = 0; place < text.length; place++) {
      const unit = text.charCodeAt(place);
      if (unit > highest) highest = unit;
      if ((unit & 0xfc00) === 0xd800) high.add(text.codePointAt(place));
      low[unit] = 1;
    }
    // No combining mark comes before U+0300.
    if (highest < 0x300 || !composing.test(text)) continue;
    for (const { segment } of segmenter.segment(text)) {
      if (segment.length > 1 && !clusters.has(segment)) clusters.set(segment, codesOf(segment));
    }
  }
  const codes = [...high].filter((code) => !ignorable.test(String.fromCodePoint(code)));
  for (let unit = 0; unit < low.length; unit++) {
    if (low[unit] && (unit & 0xf800) !== 0xd800 && !ignorable.test(String.fromCharCode(unit))) codes.push(unit);
  }
  return { codes, clusters: [...clusters.values()].filter((cluster) => cluster.length > 1) };
}

const codesOf = (segment) => [...segment].filter((character) => !ignorable.test(character)).map((character) => character.codePointAt(0));

/** What the page itself is set in, without waiting for it. */
export function loadFace() {
  ready(["Aa"], "Inter", "en", [400, 600]).catch(() => {
    // Without the file the browser's own face stands in.
  });
}

/** The face nearest in weight (CSS Fonts 4, section 5.2). */
function nearest(faces, wanted) {
  const rank = ({ weight }) => {
    if (wanted >= 400 && wanted <= 500) {
      if (weight >= wanted && weight <= 500) return weight - wanted;
      return weight < wanted ? 1000 + wanted - weight : 2000 + weight - wanted;
    }
    if (wanted < 400) return weight <= wanted ? wanted - weight : 1000 + weight - wanted;
    return weight >= wanted ? weight - wanted : 1000 + wanted - weight;
  };
  return faces.reduce((best, face) => (rank(face) < rank(best) ? face : best));
}
