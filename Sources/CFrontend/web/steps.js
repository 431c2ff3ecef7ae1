// The steps of an evaluation: submit, open again, and the move to a newer revision of its kit.

import { button, dialog, h, labelled } from "./dom.js";
import { Problem, get, seen, segment, send, writeName } from "./http.js";
import { textOf } from "./items.js";
import { hideNotice, say, showError, showNotice } from "./notices.js";

/** Saves what waits, then submits; what is required and missing is listed, and each line leads to its row. */
export async function submit(page) {
  if (!await page.book.flush()) {
    showNotice("submit", { title: "Not everything is saved yet", tone: "warn",
      body: [h("p", { text: "Submitting freezes the answers. It is possible once all of them are saved." })] });
    return;
  }
  try {
    await send("POST", `${page.path}/submit`, { headers: { "Idempotency-Key": writeName() } });
    hideNotice("submit");
    await page.reload();
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors.some((one) => one.itemId)) return showError(error, "Not submitted");
    showMissing(page, error.errors.filter((one) => one.itemId));
  }
}

function showMissing(page, errors) {
  for (const { itemId } of errors) page.view.list.element(itemId)?.classList.add("missing");
  const lines = errors.map(({ itemId, message }) => {
    const item = page.view.items.get(itemId);
    return h("li", {}, h("button", { type: "button", class: "link", dir: "auto", text: item ? textOf(item) : message, on: {
      click: () => {
        page.goTo(itemId);
        page.view.list.element(itemId)?.classList.add("missing");
      },
    } }));
  });
  const count = errors.length;
  showNotice("submit", { title: count === 1 ? "One required answer is missing" : `${count} required answers are missing`,
    tone: "bad", body: [h("ul", { class: "jumps" }, lines)] });
  page.goTo(errors[0].itemId);
}

export async function reopen(page) {
  const reason = await dialog("Open again", (close) => {
    const field = h("input", { class: "input", required: true, maxlength: 1000, autofocus: true });
    return h("form", { class: "stack", on: {
      submit: (event) => {
        event.preventDefault();
        close(field.value);
      },
    } },
    labelled("Reason", field, "It is kept in the history of the evaluation."),
    h("div", { class: "actions" }, button("Cancel", () => close()), h("button", { class: "button primary", text: "Open again" })));
  });
  if (!reason) return;
  try {
    await send("POST", `${page.path}/reopen`, { body: { reason }, headers: { "Idempotency-Key": writeName() } });
    await page.reload();
  } catch (error) {
    showError(error);
  }
}

/** Says so when the kit has changed since the evaluation began; the evaluation moves only when somebody wants it. */
export async function offerRevision(page) {
  try {
    const { tag } = await send("HEAD", `/v1/kits/${segment(page.evaluation.kitId)}`);
    const newest = parseInt(tag?.match(/\d+/)?.[0] ?? "0", 10);
    if (newest <= page.evaluation.kitRevision || page.isClosed) return;
    showNotice("revision", { title: "The kit has changed since", tone: "plain",
      body: [h("p", { text: "This evaluation shows the questions that it began with. Answers stay with their questions when it moves." })],
      actions: [button("Use the new questions", () => move(page, newest))] });
  } catch (error) {
    // A kit in the trash has no newer revision.
    if (!(error instanceof Problem)) throw error;
  }
}

async function move(page, newest) {
  const target = `${page.path}/kitRevision`;
  try {
    await page.book.flush();
    const { revision } = await get(page.path);
    const headers = { ...seen(revision), "Idempotency-Key": writeName() };
    await send("PUT", target, { body: { kitRevision: newest }, headers });
    hideNotice("revision");
    await page.reload();
    say("The evaluation shows the new questions.");
  } catch (error) {
    showError(error);
  }
}
