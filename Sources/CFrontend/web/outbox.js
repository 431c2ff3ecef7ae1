// What was typed and is not on the service yet, kept in the browser until it is: it outlives reloads and crashes.

const prefix = "interviewkit.outbox.";
/** This page's own name: a reload is another page, which takes over what the old one left. */
const page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const lockName = (owner) => `interviewkit.page.${owner}`;

// Held as long as the page lives, so that others know whose entries are still looked after.
navigator.locks?.request(lockName(page), () => new Promise(() => {}));

/** The entries of one evaluation. An entry is `{ content, base, attempt }`. */
export class Outbox {
  #evaluation;

  constructor(evaluation) { this.#evaluation = evaluation; }

  #key(item, owner = page) { return `${prefix}${this.#evaluation} ${item} ${owner}`; }

  /** Keeps an entry; false when the browser has no room for it. */
  put(item, entry) {
    try {
      localStorage.setItem(this.#key(item), JSON.stringify(entry));
      return true;
    } catch {
      return false;
    }
  }

  remove(item) { localStorage.removeItem(this.#key(item)); }

  /** Takes over what pages that are gone left behind: entries by item ID. */
  async adopt() {
    const found = new Map();
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith(`${prefix}${this.#evaluation} `))) {
      const [, item, owner] = key.slice(prefix.length).split(" ");
      if (owner !== page && !await isGone(owner)) continue;
      const entry = parsed(localStorage.getItem(key));
      localStorage.removeItem(key);
      if (!entry) continue;
      found.set(item, entry);
      this.put(item, entry);
    }
    return found;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function isGone(owner) {
  if (!navigator.locks) return true;
  return navigator.locks.request(lockName(owner), { ifAvailable: true }, (lock) => lock !== null);
}
