# Tokens from the command line, over the wire: who is let in, when, and what the log keeps.

import json
import os
import socket
import stat
import tempfile
import time

from service import Server, bearer, command, require

NO_ADMIN = "interviewkit: the account has no admin's token now; one is made by: interviewkit token create --role admin --name NAME --data {}\n"


def run_open_mode(tally, folder):
    """Before any token: loopback only, and the first token is an admin's."""
    data = os.path.join(folder, "open")
    refused = command("serve", "--host", "0.0.0.0", "--port", "0", "--data", data)
    lines = refused.stderr.strip().splitlines()
    tally.equal("no other address without tokens", (refused.returncode, len(lines)), (78, 1))
    tally.check("and the line says what to do", "token create" in lines[0], refused.stderr)
    first = command("token", "create", "--role", "observer", "--name", "x", "--data", data)
    tally.equal("the first token is an admin's", (first.returncode, first.stdout), (1, ""))
    wrong = [["token"], ["token", "create", "--name", "x"], ["token", "create", "--role", "admin"], ["token", "revoke"],
             ["token", "list", "--role", "admin"], ["token", "make"]]
    for words in wrong:
        tally.equal(" ".join(words), command(*words, "--data", data).returncode, 64)
    boss = command("token", "create", "--role", "boss", "--name", "x", "--data", data)
    said = "interviewkit: --role is one of admin, author, interviewer, observer, not 'boss'"
    tally.check("a role that is none", boss.returncode == 64 and boss.stderr.startswith(said), boss)
    bad = command("token", "create", "--role", "admin", "--name", " ", "--data", data)
    tally.equal("a name that is none", (bad.returncode, bad.stderr), (64, "interviewkit: --name: The name says nothing.\n"))


def run_tokens(tally, data):
    """Tokens made without a server and beside it, and revoked on a connection that stays open."""
    made = command("token", "create", "--role", "admin", "--name", "boss", "--data", data)
    boss = made.stdout.splitlines()[-1]
    tally.check("the last line is the token alone", made.returncode == 0 and boss.startswith("ik_") and len(boss) == 46, made)
    with Server(data) as server:
        key = os.path.join(data, "interviewkit.key")
        tally.equal("only the owner reads the command line's key", stat.S_IMODE(os.stat(key).st_mode), 0o600)
        tally.equal("nothing without a token", server.request("GET", "/v1/kits").status, 401)
        for scheme in ["Bearer", "bearer", "BEARER"]:
            tally.equal(scheme, server.request("GET", "/v1/kits", headers=bearer(boss, scheme)).status, 200)
        wrong = server.request("GET", "/v1/kits", headers=bearer(boss.swapcase()))
        tally.check("the token is not", wrong.status == 401 and wrong.headers["www-authenticate"].startswith("Bearer "), wrong)
        lee = command("token", "create", "--role", "interviewer", "--name", "lee", "--data", data).stdout.strip()
        me = require(server.request("GET", "/v1/me", headers=bearer(lee)), 200).json
        tally.equal("made beside the server", (me["id"], me["role"], me["open"]), ("lee", "interviewer", False))
        listed = command("token", "list", "--data", data)
        tokens = {line["name"]: line for line in map(json.loads, listed.stdout.splitlines())}
        roles = {name: (line["role"], line["active"]) for name, line in tokens.items()}
        tally.equal("listed with what they are good for", roles, {"boss": ("admin", True), "lee": ("interviewer", True)})
        tally.check("listed without secrets", set(tokens) == {"boss", "lee"} and lee not in listed.stdout, listed)
        client = server.client()
        require(client.request("GET", "/v1/kits", headers=bearer(lee)), 200)
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as stream:
            stream.sendall(f"GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {lee}\r\n\r\n".encode())
            tally.check("a stream begins", b"200 OK" in stream.recv(65536))
            revoked = command("token", "revoke", tokens["lee"]["id"], "--data", data)
            tally.equal("revoked", (revoked.returncode, revoked.stderr), (0, ""))
            tally.equal("on the open connection", client.request("GET", "/v1/kits", headers=bearer(lee)).status, 401)
            received = b""
            while not received.endswith(b"0\r\n\r\n"):
                piece = stream.recv(65536)
                if not piece:
                    break
                received += piece
            tally.check("the open stream ends whole", received.endswith(b"0\r\n\r\n"), received[-200:])
        client.close()
        tally.equal("a token that is none", command("token", "revoke", "none", "--data", data).returncode, 1)
        audit = require(server.request("GET", "/v1/audit", headers=bearer(boss)), 200).json["items"]
        tally.equal("the audit names the command line", {entry["memberId"] for entry in audit}, {"commandLine"})
        run_before_bodies(tally, server, boss)
        run_headers(tally, server, boss)
        run_address(tally, server, run_last_admin(tally, server, boss, tokens["boss"]["id"]))
    tally.equal("the key goes with the server", os.path.exists(key) and server.process.returncode == 0, False)


def run_before_bodies(tally, server, boss):
    """A bad token is refused before the body is waited for, or read."""
    head = "POST /v1/kits HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 400000\r\n"
    refused = server.raw((head + "Expect: 100-continue\r\nAuthorization: Bearer wrong\r\n\r\n").encode())
    tally.check("no 100 for a bad token", refused.startswith(b"HTTP/1.1 401 "), refused[:200])
    small = head.replace("400000", "11") + "Connection: close\r\nExpect: 100-continue\r\n"
    taken = server.raw(f"{small}Authorization: Bearer {boss}\r\n\r\n".encode() + b'{"title":1}')
    tally.check("a good one's body is read", b" 422 " in taken, taken[:200])
    for depth in [300, 5_000, 100_000]:
        body = b"[" * depth + b"]" * depth
        tally.equal(f"{depth} deep without a token", server.request("POST", "/v1/kits", body).status, 401)
        deep = server.request("POST", "/v1/kits", body, bearer(boss))
        tally.equal(f"{depth} deep with one", (deep.status, deep.json["code"]), (400, "tooDeep"))
    tally.check("the service lives", server.is_alive())


def run_last_admin(tally, server, boss, token):
    """Nobody is locked out by a slip, and a service that has lost its last admin is not open again."""
    refused = server.request("DELETE", f"/v1/tokens/{token}", headers=bearer(boss))
    tally.equal("an admin's last token", (refused.status, refused.json["code"]), (409, "lastAdmin"))
    told = command("token", "revoke", token, "--data", server.data)
    tally.equal("is revoked by the command line, which says so", (told.returncode, told.stderr), (0, NO_ADMIN.format(server.data)))
    for headers in ({}, bearer(boss)):
        for method, path, body in (("GET", "/v1/kits", None), ("POST", "/v1/tokens", {"name": "x", "role": "admin"})):
            tally.equal(f"{method} {path} without an admin", server.request(method, path, body, headers).status, 401)
    made = command("token", "create", "--role", "admin", "--name", "boss", "--data", server.data)
    again = server.request("GET", "/v1/me", headers=bearer(made.stdout.strip())).json
    tally.equal("the command line makes another one, of the same member", (again["id"], again["role"]), ("boss", "admin"))
    return made.stdout.strip()


def run_without_admin(tally, folder):
    """A start without an admin is told of, and opens nothing."""
    data = os.path.join(folder, "without")
    os.mkdir(data)
    command("token", "create", "--role", "admin", "--name", "boss", "--data", data)
    command("token", "create", "--role", "admin", "--name", "other", "--data", data)
    tokens = {line["name"]: line["id"] for line in map(json.loads, command("token", "list", "--data", data).stdout.splitlines())}
    for name, said in (("boss", ""), ("other", NO_ADMIN.format(data))):
        told = command("token", "revoke", tokens[name], "--data", data)
        tally.equal(f"{name}'s revoked without a server", (told.returncode, told.stderr), (0, said))
    with Server(data, ["--heartbeat-seconds", "1"]) as server:
        tally.equal("not open", server.request("GET", "/v1/kits").status, 401)
        tally.equal("nobody makes himself an admin", server.request("POST", "/v1/tokens", {"name": "x", "role": "admin"}).status, 401)
        line = '"event":"access.noAdmin","account":"default"'
        end = time.monotonic() + 20
        while time.monotonic() < end and line not in open(server.log.name, encoding="utf-8").read():
            time.sleep(0.1)
        tally.check("the log tells of it", line in open(server.log.name, encoding="utf-8").read())


def run_headers(tally, server, boss):
    """What every response says, the errors of the parser and of the server among them."""
    def fields(raw):
        head = raw.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        return head[0], {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in head[1:]}

    host = "Host: localhost\r\nConnection: close\r\n"
    secured = f"{host}Authorization: Bearer {boss}\r\n"
    length = "Content-Type: application/json\r\nContent-Length:"
    raws = {
        200: f"GET /v1/kits HTTP/1.1\r\n{secured}\r\n", 204: f"OPTIONS /v1/kits HTTP/1.1\r\n{host}\r\n",
        400: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 401: f"GET /v1/kits HTTP/1.1\r\n{host}\r\n",
        404: f"GET /v1/none HTTP/1.1\r\n{secured}\r\n", 405: f"PUT /v1/kits HTTP/1.1\r\n{secured}\r\n",
        406: f"GET /v1/kits HTTP/1.1\r\n{secured}Accept: image/png\r\n\r\n",
        413: f"POST /v1/evaluations HTTP/1.1\r\n{secured}{length} 2000000\r\n\r\n",
        414: f"GET /{'x' * 17_000} HTTP/1.1\r\n{host}\r\n", 415: f"POST /v1/kits HTTP/1.1\r\n{secured}Content-Length: 0\r\n\r\n",
        417: f"GET / HTTP/1.1\r\n{host}Expect: tea\r\n\r\n", 422: f"POST /v1/kits HTTP/1.1\r\n{secured}{length} 2\r\n\r\n{{}}",
        428: f"PUT /v1/members/boss HTTP/1.1\r\n{secured}\r\n", 431: f"GET / HTTP/1.1\r\n{host}X: {'x' * 20_000}\r\n\r\n",
        501: f"BREW / HTTP/1.1\r\n{host}\r\n", 505: f"GET / HTTP/2.0\r\n{host}\r\n",
    }
    raws[428] = f"PATCH /v1/members/boss HTTP/1.1\r\n{secured}{length} 19\r\n\r\n" + '{"role":"observer"}'
    for status, raw in raws.items():
        line, found = fields(server.raw(raw.encode()))
        tally.check(f"{status} comes", line.startswith(f"HTTP/1.1 {status} "), line)
        told = found.get("x-content-type-options"), found.get("cache-control")
        tally.equal(f"{status} says how it is read and kept", told, ("nosniff", "private, no-cache"))
    for path in ("/", "/docs", "/assets/app.js"):
        page = server.request("GET", path)
        policy = page.headers.get("content-security-policy", "")
        strict = "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        tally.check(f"{path} has a strict policy", page.status == 200 and strict, (page.status, policy))
        tally.equal(f"{path} says that its type holds", page.headers.get("x-content-type-options"), "nosniff")


def run_slow_head(tally):
    """The server's own refusals of what comes too slowly."""
    with Server(arguments=("--head-seconds", "1")) as server:
        late = server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n", timeout=10)
        tally.check("408 has them, too", late.startswith(b"HTTP/1.1 408 ") and b"nosniff" in late and b"private, no-cache" in late, late[:400])


def run_origins(tally):
    """B039: preflights and replies to pages of other origins, of a service with tokens."""
    with Server(arguments=("--allowed-origins", "https://app.example,http://localhost:5173")) as server:
        boss = require(server.request("POST", "/v1/tokens", {"name": "boss", "role": "admin"}), 201).json["token"]
        asks = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization, if-match, idempotency-key"}
        for origin in ("https://app.example", "http://localhost:5173"):
            preflight = server.request("OPTIONS", "/v1/kits/k", headers={"Origin": origin, **asks})
            methods = preflight.headers.get("access-control-allow-methods", "").split(", ")
            names = preflight.headers.get("access-control-allow-headers", "").lower().split(", ")
            tally.equal(f"a preflight from {origin}", (preflight.status, preflight.headers.get("access-control-allow-origin")), (204, origin))
            tally.check("tells the methods", {"GET", "PUT", "PATCH", "DELETE"} <= set(methods), methods)
            tally.check("and the fields", {"authorization", "if-match", "if-none-match", "idempotency-key", "content-type"} <= set(names), names)
            tally.check("and no credentials", "access-control-allow-credentials" not in preflight.headers, preflight.headers)
            for path, status in (("/v1/kits", 200), ("/v1/none", 404)):
                reply = server.request("GET", path, headers={"Origin": origin, **bearer(boss)})
                exposed = reply.headers.get("access-control-expose-headers", "").split(", ")
                tally.equal(f"{path} from {origin}", (reply.status, reply.headers.get("access-control-allow-origin")), (status, origin))
                tally.check("shows its fields", {"ETag", "Location", "Retry-After", "RateLimit"} <= set(exposed), exposed)
                tally.check("varies", "Origin" in reply.headers.get("vary", ""), reply.headers)
        for origin in ("https://evil.example", "https://app.example.evil", "http://app.example", "null"):
            preflight = server.request("OPTIONS", "/v1/kits/k", headers={"Origin": origin, **asks})
            tally.check(f"nothing for {origin}", not any(name.startswith("access-control") for name in preflight.headers), preflight.headers)
            reply = server.request("GET", "/v1/kits", headers={"Origin": origin, **bearer(boss)})
            tally.check(f"nor in replies to {origin}", reply.status == 200 and "access-control-allow-origin" not in reply.headers, reply.headers)


def run_logged(tally):
    """No log line, in any of its fields, holds a token, a name, an answer or what somebody searched for."""
    with Server() as server:
        boss = require(server.request("POST", "/v1/tokens", {"name": "Zoe Zebrafinch", "role": "admin"}), 201).json["token"]
        ticket = require(server.request("POST", "/v1/tickets", headers=bearer(boss)), 201).json["ticket"]
        kit = {"title": "K", "sections": [{"id": "s", "title": "S", "questions": [{"id": "q", "type": "shortText", "text": "?", "maxLength": 99}]}]}
        require(server.request("PUT", "/v1/kits/k", kit, bearer(boss)), 201)
        person = {"kitId": "k", "candidate": {"id": "c", "name": "Zebrafinch"}}
        require(server.request("PUT", "/v1/evaluations/e", person, bearer(boss)), 201)
        answer = {"value": "zebrafinch"}
        require(server.request("PUT", "/v1/evaluations/e/answers/q", answer, bearer(boss)), 201)
        stale = server.request("PUT", "/v1/evaluations/e/answers/q", {"value": "zebrafinch!"}, {**bearer(boss), "If-Match": '"7"'})
        tally.check("a refused answer is told to its writer", stale.status == 412 and "zebrafinch!" in stale.json["sent"]["value"], stale)
        for body in ({"value": "zebrafinch" * 99}, {"value": ["zebrafinch"]}, {"zebrafinch": 1}, b'{"value":"zebrafinch'):
            refused = server.request("PUT", "/v1/evaluations/e/answers/q", body, {**bearer(boss), "If-Match": "*"})
            tally.check("a bad answer is refused", refused.status in (400, 422), refused)
        for secret in (boss, ticket):
            fields = {"X-Request-Id": secret, "User-Agent": secret, "Referer": f"http://localhost/{secret}", "X-Forwarded-For": secret, "Cookie": secret}
            for path in ("/v1/kits", f"/v1/kits/{secret}", f"/{secret}/x", f"/v1/kits?{secret}", f"/v1/kits?q={secret}", f"http://{secret}/v1/kits"):
                reply = server.request("GET", path, headers={**fields, **bearer(boss)})
                shown = repr(reply.headers) + reply.body.decode()
                tally.check(f"{path[:14]} is not given back", secret not in shown, shown)
        for path in ("/v1/kits?q=zebrafinch", "/v1/evaluations?name=Zoe%20Zebrafinch", "/v1/candidates/Zoe%20Zebrafinch", "/v1/kits?zebra%20finch=1"):
            server.request("GET", path, headers=bearer(boss))
        named = server.request("GET", "/v1/kits", headers={"X-Request-Id": "trace-1", **bearer(boss)})
        tally.equal("another request ID is given back", named.headers["x-request-id"], "trace-1")
        server.process.terminate()
        server.process.wait(timeout=20)
        with open(server.log.name, encoding="utf-8") as log:
            text = log.read()
        lines = [json.loads(line) for line in text.splitlines()]
        tally.check("every line is whole", len(lines) > 20 and any(line.get("requestId") == "trace-1" for line in lines), text[-500:])
        for word in (boss, boss[3:], ticket, ticket[4:], "ebrafinch", "zebra"):
            tally.check(f"the log holds no {word[:9]}", word not in text, [line for line in text.splitlines() if word in line][:2])
        tally.check("and tells what was asked", '"target":"/v1/kits?q=***"' in text and '"target":"/v1/candidates/***"' in text, text[-500:])


def run_address(tally, server, boss):
    """A token in the address is refused, and is in no log."""
    for target in [f"/v1/kits?token={boss}", f"/v1/kits?access_token={boss}", f"/v1/kits/{boss}", f"/v1/changes?since={boss}"]:
        refused = server.request("GET", target)
        tally.equal(target[:20], (refused.status, refused.json["code"]), (401, "tokenInAddress"))
        refused = server.request("GET", target, headers=bearer(boss))
        tally.equal(target[:20] + " with a good one", (refused.status, refused.json["code"]), (400, "tokenInAddress"))
    server.process.terminate()
    server.process.wait(timeout=20)
    with open(server.log.name, encoding="utf-8") as log:
        text = log.read()
    tally.check("the log tells of it", '"target":"/v1/kits?token=***"' in text, text[-500:])
    tally.check("and not the token", boss not in text and boss[3:] not in text)
    with open(os.path.join(server.data, "interviewkit.sqlite"), "rb") as database:
        tally.check("nor does the database", boss.encode() not in database.read())


def run_bootstrap(tally, folder):
    """A container's first token comes from a file."""
    path, data = os.path.join(folder, "token"), os.path.join(folder, "bootstrap")
    for text in ["short", "with a space " * 4, ""]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        refused = command("serve", "--port", "0", "--data", data, "--bootstrap-token-file", path)
        tally.equal(f"no token: {text[:12]!r}", (refused.returncode, len(refused.stderr.strip().splitlines())), (78, 1))
    token = "ik_" + "b" * 43
    with open(path, "w", encoding="utf-8") as file:
        file.write(token + "\n")
    for _ in range(2):
        with Server(data, ["--bootstrap-token-file", path]) as server:
            me = require(server.request("GET", "/v1/me", headers=bearer(token)), 200).json
            tally.equal("the file's token is an admin's", (me["role"], me["token"]["name"]), ("admin", "bootstrap"))
            tally.equal("and the only one", server.request("GET", "/v1/kits").status, 401)


def run_limits(tally):
    """Limits and pages of other origins, as settings, over the wire: answers repeated from memory are counted too."""
    settings = ("--rate-limit", "50/3600", "--allowed-origins", "https://app.example")
    with Server(arguments=settings) as server:
        require(server.request("PUT", "/v1/kits/k", {"title": "K", "sections": []}), 201)
        evil = server.request("GET", "/v1/kits/k", headers={"Origin": "https://evil.example"})
        tally.equal("an open service and a page of another origin", (evil.status, evil.json["code"]), (403, "originForbidden"))
        rebound = server.request("GET", "/v1/kits/k", headers={"Host": "evil.example"})
        tally.equal("an open service and a name that was pointed at it", rebound.status, 421)
        boss = require(server.request("POST", "/v1/tokens", {"name": "boss", "role": "admin"}), 201).json["token"]
        named = server.request("GET", "/v1/kits", headers={"Host": "interviews.example"})
        tally.equal("with the first token every name is served, without a restart", named.status, 401)
        client = server.client()
        head = {**bearer(boss), "Origin": "https://app.example"}
        replies = [client.request("GET", "/v1/kits/k", headers=head) for _ in range(60)]
        tally.equal("50 are answered, 10 are not", [reply.status for reply in replies], [200] * 50 + [429] * 10)
        tally.check("and told when to come back", all(int(reply.headers["retry-after"]) > 0 for reply in replies[50:]))
        tally.check("the page may read all of them", all(reply.headers["access-control-allow-origin"] == "https://app.example" for reply in replies))
        tally.equal("what is left is told when it is little", replies[49].headers.get("ratelimit", "").split(";")[1:2], ["r=0"])
        preflight = server.request("OPTIONS", "/v1/kits/k", headers={"Origin": "https://app.example", "Access-Control-Request-Method": "PUT"})
        tally.check("a preflight needs no token", preflight.status == 204 and "PUT" in preflight.headers["access-control-allow-methods"], preflight)
        client.close()
    for name, value in (("--rate-limit", "fast"), ("--address-rate-limit", "0/1"), ("--allowed-origins", "*")):
        refused = command("serve", "--port", "0", name, value)
        tally.equal(f"{name} {value}", (refused.returncode, len(refused.stderr.strip().splitlines())), (64, 1))


def run(tally):
    run_limits(tally)
    run_logged(tally)
    run_origins(tally)
    run_slow_head(tally)
    with tempfile.TemporaryDirectory(prefix="interviewkit-access-") as folder:
        run_open_mode(tally, folder)
        data = os.path.join(folder, "data")
        os.mkdir(data)
        run_tokens(tally, data)
        run_without_admin(tally, folder)
        os.mkdir(os.path.join(folder, "bootstrap"))
        run_bootstrap(tally, folder)
