// The peer of scripts/bench-http on Node: answers every request with the bytes of one file, from memory.
"use strict";
const body = require("fs").readFileSync(process.argv[3]);
require("http")
  .createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length, ETag: '"1"' });
    response.end(body);
  })
  .listen(Number(process.argv[2]), "127.0.0.1");
