# Tokens from the command line, over the wire: who is let in, when, and what the log keeps.

import json
import os
import socket
import stat
import subprocess
import tempfile

from service import BINARY, ROOT, Server, require


def command(*words):
    return subprocess.run([BINARY, *words], cwd=ROOT, capture_output=True, text=True, timeout=30)


def bearer(token, scheme="Bearer"):
    return {"Authorization": f"{scheme} {token}"}


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
    tally.equal("a role that is none", command("token", "create", "--role", "boss", "--name", "x", "--data", data).returncode, 1)


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
        tally.check("listed without secrets", set(tokens) == {"boss", "lee"} and lee not in listed.stdout, listed)
        client = server.client()
        require(client.request("GET", "/v1/kits", headers=bearer(lee)), 200)
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as stream:
            stream.sendall(f"GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {lee}\r\n\r\n".encode())
            tally.check("a stream begins", b"200 OK" in stream.recv(65536))
            revoked = command("token", "revoke", tokens["lee"]["id"], "--data", data)
            tally.equal("revoked", revoked.returncode, 0)
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
        run_before_bodies(tally, server, boss)
        run_address(tally, server, boss)
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
        tally.equal(f"{name} {value}", (refused.returncode, len(refused.stderr.strip().splitlines())), (78, 1))


def run(tally):
    run_limits(tally)
    with tempfile.TemporaryDirectory(prefix="interviewkit-access-") as folder:
        run_open_mode(tally, folder)
        data = os.path.join(folder, "data")
        os.mkdir(data)
        run_tokens(tally, data)
        os.mkdir(os.path.join(folder, "bootstrap"))
        run_bootstrap(tally, folder)
