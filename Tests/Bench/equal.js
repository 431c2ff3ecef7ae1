// The peer of scripts/bench-http on Node that does for a read what ours does as shipped: a line of log, request IDs, conditional
// requests, counters and a histogram, bounds of connections, and tokens and a rate where they are set.
//
//   node equal.js PORT FILE LOG      TOKENS: hexadecimal SHA-256 of those that are admitted; RATE: requests a second and address
"use strict";
const { createHash, randomUUID } = require("crypto");
const fs = require("fs");
const [port, file, logName] = process.argv.slice(2);
const body = fs.readFileSync(file);
const tag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
const tokens = new Set((process.env.TOKENS ?? "").split(",").filter(Boolean));
const rate = Number(process.env.RATE ?? Infinity);
const connectionsOfAddress = 4_096;

// As a good program writes its log: lines are gathered for some milliseconds and written together.
const log = fs.createWriteStream(logName);
let lines = "";
function write(line) {
  if (lines === "") {
    setTimeout(() => {
      log.write(lines);
      lines = "";
    }, 10);
  }
  lines += line;
}

const bounds = [100, 250, 500, 1e3, 2.5e3, 5e3, 1e4, 2.5e4, 5e4, 1e5, 2.5e5, 5e5, 1e6, 2.5e6, 5e6, 1e7];
const counters = { statuses: new Map(), buckets: new Array(bounds.length + 1).fill(0), sum: 0 };
function count(status, microseconds) {
  counters.statuses.set(status, (counters.statuses.get(status) ?? 0) + 1);
  const bucket = bounds.findIndex((bound) => microseconds <= bound);
  counters.buckets[bucket < 0 ? bounds.length : bucket] += 1;
  counters.sum += microseconds;
}

const buckets = new Map();
function isWithinRate(address, now) {
  if (rate === Infinity) return true;
  const bucket = buckets.get(address) ?? { left: rate, at: now };
  bucket.left = Math.min(rate, bucket.left + ((now - bucket.at) / 1_000) * rate) - 1;
  bucket.at = now;
  buckets.set(address, bucket);
  return bucket.left >= 0;
}

function isAdmitted(request) {
  if (tokens.size === 0) return true;
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  return token !== undefined && tokens.has(createHash("sha256").update(token).digest("hex"));
}

function isKnown(request) {
  const known = request.headers["if-none-match"];
  if (known === undefined) return false;
  return known.split(",").some((one) => ["*", tag].includes(one.trim().replace(/^W\//, "")));
}

function status(request, address) {
  if (!isWithinRate(address, Date.now())) return 429;
  if (!isAdmitted(request)) return 401;
  return isKnown(request) ? 304 : 200;
}

const server = require("http").createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const start = process.hrtime.bigint();
  const given = request.headers["x-request-id"];
  const requestId = given !== undefined && /^[A-Za-z0-9][\w.:-]{0,127}$/.test(given) ? given : randomUUID();
  const peer = request.socket.remoteAddress;
  const code = status(request, peer);
  const headers = {
    ETag: tag, Vary: "Accept-Encoding", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
    "X-Request-Id": requestId,
  };
  if (code === 200) Object.assign(headers, { "Content-Type": "application/json", "Content-Length": body.length });
  response.writeHead(code, headers);
  response.end(code === 200 ? body : undefined);
  const microseconds = Number((process.hrtime.bigint() - start) / 1_000n);
  count(code, microseconds);
  const { method, url } = request;
  const at = new Date().toISOString();
  const bytes = code === 200 ? body.length : 0;
  write(JSON.stringify({ at, level: "info", event: "request", requestId, method, target: url, status: code, bytes, microseconds, peer }) + "\n");
});
const open = new Map();
server.on("connection", (socket) => {
  const peer = socket.remoteAddress;
  const number = (open.get(peer) ?? 0) + 1;
  open.set(peer, number);
  socket.on("close", () => open.set(peer, open.get(peer) - 1));
  if (number > connectionsOfAddress) socket.destroy();
});
server.listen(Number(port), "127.0.0.1");
