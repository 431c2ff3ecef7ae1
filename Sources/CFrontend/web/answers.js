// The answers of one evaluation in this window: typed at once, saved by item ID, never replaced by an older reply.

import { Problem, Unreachable, get, seen, segment, send, writeName } from "./http.js";
import { Outbox } from "./outbox.js";

const pauseMilliseconds = 350;
const longestWaitMilliseconds = 2_000;
const retryMilliseconds = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const empty = { value: null, comment: null, notAssessed: false };

const contentOf = (answer) => (answer
  ? { value: answer.value ?? null, comment: answer.comment ?? null, notAssessed: answer.notAssessed ?? false } : empty);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * States of an item: `clean`, `waiting` (typed, not sent), `saving`, `offline` (sent again until it arrives), `conflict`
 * (somebody else wrote), `held` (submitted meanwhile), `invalid` (refused as it is).
 *
 * `listener` has `stateChanged(id)`, `replaced(id)` (the shown answer is another), `rowsChanged(layouts)`, `saved(id)`.
 */
export class AnswerBook {
  #entries = new Map();
  #composing = null;
  #path;
  #outbox;
  #listener;

  /** `query()` gives the viewport for the reply's row heights, or an empty string. */
  constructor(evaluation, query, listener) {
    this.#path = `/v1/evaluations/${segment(evaluation.id)}/answers`;
    this.query = query;
    this.#listener = listener;
    this.#outbox = new Outbox(evaluation.id);
    this.load(evaluation);
    addEventListener("online", this.hurry);
    addEventListener("pagehide", this.#flushNow);
    document.addEventListener("visibilitychange", this.#flushNow);
  }

  close() {
    removeEventListener("online", this.hurry);
    removeEventListener("pagehide", this.#flushNow);
    document.removeEventListener("visibilitychange", this.#flushNow);
    for (const entry of this.#entries.values()) clearTimeout(entry.timer);
  }

  /** Takes the answers of an evaluation that was read; what is typed here and not saved stays. */
  load(evaluation) {
    for (const answer of Object.values(evaluation.answers)) this.#remote(answer);
  }

  #entry(id) {
    if (!this.#entries.has(id)) {
      this.#entries.set(id, { id, revision: 0, saved: empty, local: empty, state: "clean", attempt: null, tries: 0 });
    }
    return this.#entries.get(id);
  }

  content(id) { return this.#entries.get(id)?.local ?? empty; }
  entry(id) { return this.#entries.get(id); }
  state(id) { return this.#entries.get(id)?.state ?? "clean"; }

  /** The items that are not as the service has them. */
  get unsaved() { return [...this.#entries.values()].filter((entry) => entry.state !== "clean"); }

  /** Takes over what earlier pages could not save; returns their item IDs. */
  async restore() {
    const found = await this.#outbox.adopt();
    for (const [id, { content, base, attempt }] of found) {
      const entry = this.#entry(id);
      entry.local = content;
      entry.attempt = attempt ?? null;
      // What it saw then: whether that still stands is for the service to say.
      entry.base = base;
      if (!attempt && same(content, entry.saved)) this.#settle(entry);
      else this.#set(entry, "waiting");
      this.#listener.replaced(id);
      this.#schedule(entry, 0);
    }
    return [...found.keys()];
  }

  // Typing

  /** Changes members of an answer. `invalid` in the change says why it can't be one. */
  edit(id, change) {
    const entry = this.#entry(id);
    if (change.invalid) {
      entry.problem = change.invalid;
      clearTimeout(entry.timer);
      this.#set(entry, "invalid");
      return;
    }
    // An answer has a value or is not assessed.
    const assessed = (change.value ?? null) === null ? {} : { notAssessed: false };
    entry.local = { ...entry.local, ...assessed, ...change };
    entry.base ??= entry.revision;
    entry.problem = null;
    if (!entry.attempt && same(entry.local, entry.saved)) {
      clearTimeout(entry.timer);
      this.#settle(entry);
      return;
    }
    this.#keep(entry);
    if (entry.state === "conflict" || entry.state === "held") return;
    if (entry.state !== "offline" && entry.state !== "saving") this.#set(entry, "waiting");
    this.#schedule(entry, pauseMilliseconds);
  }

  #keep(entry) {
    const isKept = this.#outbox.put(entry.id, { content: entry.local, base: entry.base, attempt: entry.attempt });
    if (!isKept) entry.problem = "The browser has no room left to keep this until it is saved.";
  }

  #schedule(entry, milliseconds) {
    if (entry.isSending) return;
    const now = performance.now();
    entry.since ??= now;
    clearTimeout(entry.timer);
    const wait = Math.max(0, Math.min(milliseconds, entry.since + longestWaitMilliseconds - now));
    entry.timer = setTimeout(() => this.#save(entry), entry.state === "offline" ? Math.max(wait, this.#pause(entry)) : wait);
  }

  #pause(entry) { return retryMilliseconds[Math.min(entry.tries, retryMilliseconds.length) - 1] ?? 0; }

  // Saving: one request of an item at a time. An attempt that may have arrived is sent again as it was, under its name.

  async #save(entry) {
    clearTimeout(entry.timer);
    if (entry.isSending || ["clean", "conflict", "held"].includes(entry.state)) return;
    entry.isSending = true;
    entry.since = undefined;
    entry.attempt ??= {
      name: writeName(), target: `${this.#path}/${segment(entry.id)}${this.query()}`, seen: entry.base ?? entry.revision,
      content: entry.local,
    };
    this.#keep(entry);
    if (entry.state !== "offline") this.#set(entry, "saving");
    const { name, target, content, seen: revision } = entry.attempt;
    try {
      const body = JSON.stringify(content);
      const headers = { ...seen(revision), "Idempotency-Key": name };
      const { data } = await send("PUT", target, { body, headers, keepalive: body.length < 30_000 });
      this.#arrived(entry, data.answer ?? data, data.layouts ?? []);
    } catch (error) {
      this.#failed(entry, error);
    } finally {
      entry.isSending = false;
    }
    if (entry.missed > entry.revision) this.follow(entry.id, entry.missed).catch(() => {});
    if (entry.state === "waiting") this.#schedule(entry, pauseMilliseconds);
    if (entry.state === "offline") this.#schedule(entry, longestWaitMilliseconds);
  }

  #arrived(entry, answer, layouts) {
    entry.tries = 0;
    entry.attempt = null;
    // A change that came through the stream while this was on its way may be newer.
    if (answer.revision > entry.revision) {
      entry.saved = contentOf(answer);
      entry.revision = answer.revision;
    }
    entry.base = answer.revision;
    this.#listener.rowsChanged(layouts);
    if (same(entry.local, contentOf(answer))) {
      if (entry.revision > answer.revision) {
        entry.local = entry.saved;
        this.#listener.replaced(entry.id);
      }
      this.#settle(entry);
    } else {
      this.#keep(entry);
      this.#set(entry, "waiting");
    }
    this.#listener.saved(entry.id);
  }

  #settle(entry) {
    entry.base = undefined;
    entry.since = undefined;
    entry.problem = null;
    entry.conflict = null;
    this.#outbox.remove(entry.id);
    this.#set(entry, "clean");
  }

  #failed(entry, error) {
    if (error instanceof Unreachable || (error instanceof Problem && error.isPassing)) {
      entry.tries += 1;
      this.#set(entry, "offline");
      return;
    }
    if (!(error instanceof Problem)) throw error;
    entry.attempt = null;
    this.#keep(entry);
    if (error.status === 412 && error.body.current) return this.#collided(entry, error.body.current);
    entry.problem = error.errors[0]?.message ?? error.message;
    // After submit the text stays here, in sight and in the outbox.
    this.#set(entry, error.status === 409 || error.status === 404 ? "held" : "invalid");
  }

  #collided(entry, current) {
    entry.revision = current.revision;
    entry.saved = contentOf(current);
    if (same(entry.local, entry.saved)) return this.#settle(entry);
    entry.conflict = current;
    this.#set(entry, "conflict");
  }

  /** Ends a conflict: `mine` is written over what was seen of theirs, `theirs` is taken. */
  resolve(id, choice) {
    const entry = this.#entry(id);
    if (choice === "theirs") {
      entry.local = entry.saved;
      this.#settle(entry);
      this.#listener.replaced(id);
      return;
    }
    entry.conflict = null;
    entry.base = entry.revision;
    this.#keep(entry);
    this.#set(entry, "waiting");
    this.#schedule(entry, 0);
  }

  /** Gives what was held another try, after the evaluation was opened again. */
  release() {
    for (const entry of this.#entries.values()) {
      if (entry.state !== "held") continue;
      entry.base = entry.revision;
      this.#set(entry, "waiting");
      this.#schedule(entry, 0);
    }
  }

  // What others wrote

  #remote(answer) {
    const entry = this.#entry(answer.itemId);
    if (answer.revision <= entry.revision) return;
    if (this.#composing === answer.itemId) {
      entry.missed = answer.revision;
      return;
    }
    const isOurs = entry.state !== "clean";
    if (isOurs && !same(contentOf(answer), entry.local)) return;
    entry.revision = answer.revision;
    entry.saved = contentOf(answer);
    if (isOurs && entry.isSending) return;
    entry.attempt = null;
    entry.local = entry.saved;
    if (isOurs) this.#settle(entry);
    this.#listener.replaced(answer.itemId);
  }

  /** An input method is at work in an answer's field: what others write waits, since it would end the composition. */
  compose(id, isComposing) {
    this.#composing = isComposing ? id : null;
    const { missed, revision } = this.#entry(id);
    if (!isComposing && missed > revision) this.follow(id, missed).catch(() => {});
  }

  /** Reads an answer that changed somewhere, unless this window knows it. */
  async follow(id, revision) {
    const entry = this.#entry(id);
    if (revision !== null && revision <= entry.revision) return;
    if (entry.isSending) {
      entry.missed = revision;
      return;
    }
    this.#remote(await get(`${this.#path}/${segment(id)}`));
  }

  // Ends

  #set(entry, state) {
    entry.state = state;
    this.#listener.stateChanged(entry.id);
  }

  /** Tries at once what is sent again and again: the service is back. */
  hurry = () => {
    for (const entry of this.#entries.values()) if (entry.state === "offline") this.#save(entry);
  };

  #flushNow = (event) => {
    if (event.type === "visibilitychange" && document.visibilityState !== "hidden") return;
    for (const entry of this.#entries.values()) if (entry.state === "waiting") this.#save(entry);
  };

  /** Saves all that waits; true when nothing is left, false when something can't be saved now. */
  async flush() {
    const isDone = () => this.unsaved.length === 0;
    for (let round = 0; round < 100 && !isDone(); round++) {
      for (const entry of this.unsaved) if (entry.state === "waiting") this.#save(entry);
      if (this.unsaved.every((entry) => !entry.isSending && entry.state !== "waiting")) break;
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    return isDone();
  }
}
