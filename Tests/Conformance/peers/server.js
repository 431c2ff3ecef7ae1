// The peer of the conformance suite on Node's http module: the same small service.
"use strict";
const http = require("http");

const kit = JSON.stringify({ id: "k", title: "Kit" });
const tag = '"1"';
const limit = 1_048_576;

function send(response, status, body, fields = {}) {
  const bytes = Buffer.from(body);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": bytes.length, ...fields });
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}

function accepts(request) {
  const accept = request.headers.accept;
  if (!accept) return true;
  const weights = new Map();
  for (const element of accept.toLowerCase().split(",")) {
    const [type, ...parameters] = element.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="));
    weights.set(type, weight ? Number(weight.slice(2)) : 1);
  }
  for (const type of ["application/json", "application/*", "*/*"]) if (weights.has(type)) return weights.get(type) > 0;
  return false;
}

const tags = (value) => value.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((text) => text.trim());

function resource(request, response, body) {
  const { method, headers } = request;
  const none = headers["if-none-match"], match = headers["if-match"];
  if (match && match.trim() !== "*" && !tags(match).includes(tag)) return send(response, 412, "{}", { ETag: tag });
  const known = none && (none.trim() === "*" || tags(none).some((text) => text.replace(/^W\//, "") === tag));
  if (known && (method === "GET" || method === "HEAD")) {
    response.writeHead(304, { ETag: tag });
    return response.end();
  }
  if (known) return send(response, 412, "{}", { ETag: tag });
  send(response, 200, kit, { ETag: tag });
}

const allowed = { "/healthz": "GET, HEAD, OPTIONS", "/v1/kits/k": "GET, HEAD, PUT, OPTIONS", "/v1/measure": "POST, OPTIONS" };

// Answers what needs no body; true when it did.
function refuses(request, response) {
  const path = request.url.replace(/^http:\/\/[^/?]*/i, "").split("?")[0] || "/";
  if (path === "*" && request.method === "OPTIONS") {
    response.writeHead(204, { Allow: "GET, HEAD, POST, PUT, OPTIONS" }).end();
    return true;
  }
  let name;
  try { name = path.split("/").map(decodeURIComponent).map((text) => text.replaceAll("/", "%2f")).join("/"); } catch { name = null; }
  const allow = allowed[name];
  if (name === null || name.includes("\0")) send(response, 400, "{}");
  else if (!allow) send(response, 404, '{"error":"nothing here"}');
  else if (!allow.split(", ").includes(request.method)) send(response, 405, "{}", { Allow: allow });
  else if (request.method === "OPTIONS") response.writeHead(204, { Allow: allow }).end();
  else if (!accepts(request)) send(response, 406, "{}");
  else if (request.method === "POST" || request.method === "PUT") {
    const type = (request.headers["content-type"] || "").toLowerCase();
    const isJSON = /^\s*application\/json\s*(;\s*charset="?utf-8"?\s*)?$/.test(type);
    if (!isJSON || request.headers["content-encoding"]) send(response, 415, "{}", { Accept: "application/json" });
  }
  request.resourceName = name;
  return response.headersSent;
}

function answer(request, response, body) {
  if (refuses(request, response)) return;
  const name = request.resourceName;
  if (name === "/healthz") return send(response, 200, '{"status":"ok"}');
  if (name === "/v1/kits/k") return resource(request, response, body);
  try { JSON.parse(body); } catch { return send(response, 400, "{}"); }
  send(response, 200, "{}");
}

function handle(request, response) {
  const tooLarge = () => send(response, 413, "{}", { Connection: "close" });
  if (Number(request.headers["content-length"]) > limit) return tooLarge();
  const pieces = [];
  let size = 0;
  request.on("data", (piece) => {
    size += piece.length;
    if (size <= limit) pieces.push(piece);
    else if (!response.headersSent) tooLarge();
  });
  request.on("end", () => { if (!response.headersSent) answer(request, response, Buffer.concat(pieces)); });
}

const server = http.createServer({ connectionsCheckingInterval: 500 }, handle);
server.headersTimeout = 10_000;
server.requestTimeout = 15_000;
server.keepAliveTimeout = 20_000;
server.on("checkContinue", (request, response) => {
  if (Number(request.headers["content-length"]) > limit) return send(response, 413, "{}", { Connection: "close" });
  response.setHeader("Connection", "close");
  if (refuses(request, response)) return;
  response.removeHeader("Connection");
  response.writeContinue();
  handle(request, response);
});
server.listen(Number(process.argv[2]), "127.0.0.1");
