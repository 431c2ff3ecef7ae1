// Follows the change feed as an event stream, through `fetch`: a token goes in a header and never into an address.

import { authorized } from "./http.js";
import { askForToken, token } from "./token.js";

/** The service sends something at least every ten seconds; after this long nobody is there. */
const silenceMilliseconds = 25_000;
const pauseMilliseconds = 1_500;

/** Calls `changed(change)` for each change, in order, and `reset()` when everything has to be read anew. */
export class ChangeStream {
  #last;
  #stopped = false;
  #abort = new AbortController();

  constructor(path, since, listener) {
    this.path = path;
    this.listener = listener;
    this.#last = since;
    this.#run();
  }

  /** The change that came last: where to go on. */
  get last() { return this.#last; }

  close() {
    this.#stopped = true;
    this.#abort.abort();
  }

  async #run() {
    while (!this.#stopped) {
      this.#abort = new AbortController();
      try {
        await this.#read();
      } catch {
        // Gone, or silent: it goes on after the last change that came.
      }
      this.listener.connected?.(false);
      if (!this.#stopped) await new Promise((resolve) => { setTimeout(resolve, pauseMilliseconds); });
    }
  }

  async #read() {
    const used = token();
    const headers = authorized({ Accept: "text/event-stream", ...(this.#last ? { "Last-Event-ID": this.#last } : {}) });
    const response = await fetch(this.path, { headers, signal: this.#abort.signal });
    if (response.status === 401) return token() === used ? askForToken("The service asks for a token.") : undefined;
    if (!response.ok) return;
    this.listener.connected?.(true);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    while (true) {
      const timer = setTimeout(() => this.#abort.abort(), silenceMilliseconds);
      const { value, done } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      const events = (rest + value).split("\n\n");
      rest = events.pop();
      for (const event of events) this.#take(event);
    }
  }

  #take(text) {
    const fields = { event: "message", data: "" };
    for (const line of text.split("\n")) {
      const colon = line.indexOf(":");
      if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
    }
    if (fields.id) this.#last = fields.id;
    if (fields.event === "reset") this.listener.reset();
    else if (fields.data) this.listener.changed(JSON.parse(fields.data));
  }
}
