// Talks to the service: JSON, tokens, and errors that say what is wrong.

import { askForToken, token } from "./token.js";

/** A problem document (RFC 9457) that the service answered with. */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body?.code ?? "unknown";
    this.body = body ?? {};
    this.errors = body?.errors ?? [];
  }

  /** Whether the same request may succeed later: nothing was decided. */
  get isPassing() {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** No answer came: offline, the service is down, or it took too long. */
export class Unreachable extends Error {}

const patienceMilliseconds = 30_000;

/** Adds the token, where there is one, to a request's headers. */
export function authorized(headers = {}) {
  return token() ? { ...headers, Authorization: `Bearer ${token()}` } : headers;
}

async function once(method, path, { body, headers = {}, type = "application/json", keepalive = false, signal }) {
  const fields = authorized({ Accept: "application/json", ...headers });
  if (body !== undefined) fields["Content-Type"] = type;
  const isRaw = typeof body === "string" || body instanceof Blob;
  const timeout = AbortSignal.timeout(patienceMilliseconds);
  let response;
  let text;
  try {
    response = await fetch(path, {
      method, headers: fields, keepalive, body: body === undefined || isRaw ? body : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (error) {
    throw new Unreachable(error.message);
  }
  let data = null;
  try {
    data = text === "" ? null : JSON.parse(text);
  } catch {
    // A proxy's page: the status says enough.
  }
  if (!response.ok) throw new Problem(response.status, data);
  return { status: response.status, tag: response.headers.get("ETag"), data };
}

/** Sends a request and gives `{ status, tag, data }`; asks for a token where one is needed. */
export async function send(method, path, options = {}) {
  while (true) {
    const used = token();
    try {
      return await once(method, path, options);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      // Another request may have asked meanwhile.
      if (token() === used) await askForToken(used === null ? "This service is for those who have a token. Whoever runs it gives you one." : "The token is not, or no longer, taken. Ask whoever runs the service for another one.");
    }
  }
}

export async function get(path, options) {
  return (await send("GET", path, options)).data;
}

/** All items of a list, page by page, up to `most`. */
export async function list(path, most = 1_000) {
  const items = [];
  let cursor = null;
  do {
    const address = new URL(path, location.origin);
    address.searchParams.set("limit", "200");
    if (cursor) address.searchParams.set("cursor", cursor);
    const page = await get(address.pathname + address.search);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return items;
}

/** The `If-Match` of a revision. */
export const seen = (revision) => ({ "If-Match": `"${revision}"` });

/** A name for a write, so that sending it again has no other effect. */
export function writeName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const segment = encodeURIComponent;
