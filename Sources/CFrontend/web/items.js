// The items of a kit by ID, as rows show them.

/** What a row is about: `{ kind, id, section, question, criterion }`, by item ID. */
export function itemsOf(kit) {
  const items = new Map();
  for (const section of kit.sections) {
    items.set(section.id, { kind: "section", id: section.id, section });
    for (const question of section.questions) {
      items.set(question.id, { kind: question.type, id: question.id, section, question });
      for (const criterion of question.criteria ?? []) {
        items.set(criterion.id, { kind: "criterion", id: criterion.id, section, question, criterion });
      }
    }
  }
  return items;
}

/** The words of an item: a question's text, a section's title. */
export const textOf = (item) => item.criterion?.text ?? item.question?.text ?? item.section.title;

/** Whether an item takes an answer of its own. */
export const takesAnswer = (item) => !["section", "note", "scorecard"].includes(item.kind);

/** The points of the scale of a rating or scorecard. A preset's labels come in the language of the rows. */
export function pointsOf(question, kit, style) {
  const own = (kit.scales ?? []).find((scale) => scale.id === question.scale);
  if (own) return own.points.map(({ id, label }) => ({ id, text: isPreset(id) ? style.string(`point.${id}`) || label : label }));
  return Object.keys(style.profile.strings.en).filter((key) => key.startsWith(`point.${question.scale}.`))
    .map((key) => ({ id: key.slice("point.".length), text: style.string(key) }));
}

const isPreset = (id) => id.startsWith("fourPoint.") || id.startsWith("fivePoint.");

/** The choices of a question as `{ id, text }`; the ID is what an answer's value holds. */
export function choicesOf(item, kit, style) {
  const { question } = item;
  if (question.type === "yesNo") return [{ id: true, text: style.string("yes") }, { id: false, text: style.string("no") }];
  if (question.type === "rating" || question.type === "scorecard") return pointsOf(question, kit, style);
  return (question.options ?? []).map(({ id, text }) => ({ id, text }));
}

/** All texts that the rows of a kit may show, for its fonts to be there. */
export function* textsOf(kit, style) {
  yield Object.values(style.profile.strings.en).join("");
  for (const name of Object.keys(style.profile.strings.en)) yield style.string(name);
  for (const scale of kit.scales ?? []) for (const point of scale.points) yield point.label;
  for (const section of kit.sections) {
    yield section.title;
    for (const question of section.questions) {
      yield question.text;
      if (question.help) yield question.help;
      for (const option of question.options ?? []) yield option.text;
      for (const criterion of question.criteria ?? []) yield criterion.text;
    }
  }
}

/** Whether an answer says something. */
export function isAnswered(content) {
  if (!content) return false;
  if (content.notAssessed) return true;
  const { value } = content;
  if (typeof value === "string") return value.trim() !== "";
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}

/** A value in words, for reading. */
export function valueText(item, content, kit, style) {
  if (!content) return "";
  const { value } = content;
  if (value === null || value === undefined) return "";
  if (typeof value === "string" && !["singleSelect", "rating", "criterion"].includes(item.kind)) return value;
  if (typeof value === "number") return String(value);
  const choices = choicesOf(item, kit, style);
  const chosen = choices.filter(({ id }) => (Array.isArray(value) ? value.includes(id) : id === value));
  return chosen.map(({ text }) => text).join(style.string("listSeparator"));
}
