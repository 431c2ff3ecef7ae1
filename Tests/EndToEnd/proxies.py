# The examples for nginx and Caddy, run as they are before a server: TLS, HTTP/1.1 and HTTP/2, events, bodies, restarts.

import json
import os
import signal
import subprocess
import tempfile
import threading
import time

from proxy import CONFIGURATION, free_port
from service import BINARY, ROOT, Client, Reply, require, wait_until

DEPLOY = os.path.join(ROOT, "Examples/deploy")
NAME = "interviews.example"
KIT = {"id": "k", "title": "K", "instructions": "Long enough to be compressed. " * 100, "sections": [
    {"id": "s", "title": "S", "questions": [{"id": "q", "type": "longText", "text": "Q?"}]}]}
CADDY = """
{{
    admin off
    auto_https disable_redirects
    skip_install_trust
    local_certs
    storage file_system {folder}/storage
    log {{
        output file {folder}/caddy.log
    }}
}}
import {example}
"""


class Service:
    """A server at one port, that may be stopped and started again."""

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None

    def start(self):
        command = [BINARY, "serve", "--port", str(self.port), "--data", f"{self.folder}/data", "--trusted-proxies", "127.0.0.1"]
        self.log = open(f"{self.folder}/log.txt", "ab")
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=self.log, env=dict(os.environ, INTERVIEWKIT_RATE_LIMIT="off"))
        if b"listening" not in self.process.stdout.readline():
            raise RuntimeError("the server did not start")

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def request(self, *words):
        client = Client(self.port)
        try:
            return client.request(*words)
        finally:
            client.close()

    def peers(self, target):
        with open(f"{self.folder}/log.txt") as file:
            lines = [json.loads(line) for line in file if line.startswith("{")]
        return [line["peer"] for line in lines if line["event"] == "request" and line["target"] == target]


class Proxied:
    """What a proxy's clients see, asked with curl."""

    def __init__(self, name, command, port, authority, folder, environment=None):
        self.name, self.port, self.authority, self.folder = name, port, authority, folder
        self.output = open(f"{folder}/{name}.log", "ab")
        self.process = subprocess.Popen(
            command, env=dict(os.environ, **(environment or {})), stdout=self.output, stderr=self.output)

    def started(self):
        return wait_until(lambda: os.path.exists(self.authority) and self.curl("/healthz").status == 200, 20)

    def command(self, path, *words, host="localhost"):
        return ["curl", "-sS", "--max-time", "20", "--cacert", self.authority, "--resolve", f"{host}:{self.port}:127.0.0.1",
                *words, f"https://{host}:{self.port}{path}"]

    def curl(self, path, *words, host="localhost"):
        """A reply, with the version of HTTP that it came in."""
        head = f"{self.folder}/head"
        done = subprocess.run(
            self.command(path, "-D", head, "-o", f"{self.folder}/reply", "-w", "%{http_code} %{http_version}", *words, host=host),
            capture_output=True, text=True, timeout=30)
        status, _, version = done.stdout.partition(" ")
        if done.returncode not in (0, 55, 56) or not status.isdigit() or status == "000":
            return Reply(0, {}, done.stderr.encode())
        with open(head) as file:
            last = file.read().strip().split("\n\n")[-1]
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in last.splitlines()[1:])}
        with open(f"{self.folder}/reply", "rb") as file:
            reply = Reply(int(status), fields, file.read())
        reply.version = version
        return reply

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.output.close()


def nginx(folder, upstream):
    """The example with this test's ports and certificate in place of the ones it names."""
    port, plain = free_port(), free_port()
    certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=test", "-addext", f"subjectAltName=DNS:localhost,DNS:{NAME}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    with open(f"{DEPLOY}/nginx.conf") as file:
        site = file.read()
    for old, new in [
        ("server 127.0.0.1:8080;", f"server 127.0.0.1:{upstream};"), ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        (f"/etc/ssl/{NAME}.pem", certificate), (f"/etc/ssl/{NAME}.key", key),
    ]:
        if site.count(old) != 1:
            raise RuntimeError(f"Examples/deploy/nginx.conf has no {old!r}")
        site = site.replace(old, new)
    for name, text in (("site.conf", site), ("nginx.conf", CONFIGURATION.format(folder=folder, inside=f"include {folder}/site.conf;"))):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
    path = {"PATH": os.environ.get("PATH", "") + ":/usr/sbin"}
    command = ["nginx", "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
    return Proxied("nginx", command, port, certificate, folder, path), plain


def caddy(folder, upstream):
    port = free_port()
    with open(f"{folder}/Caddyfile", "w") as file:
        file.write(CADDY.format(folder=folder, example=f"{DEPLOY}/Caddyfile"))
    environment = {"SITE": f"localhost:{port}, {NAME}:{port}", "UPSTREAM": f"127.0.0.1:{upstream}", "HOME": folder,
                   "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]
    return Proxied("caddy", command, port, f"{folder}/storage/pki/authorities/local/root.crt", folder, environment)


def passes_requests(tally, service, proxy):
    direct = service.request("GET", "/v1/kits/k")
    for flag, version in (("--http1.1", "1.1"), ("--http2", "2")):
        reply = proxy.curl("/v1/kits/k", flag)
        tally.equal(f"{proxy.name} speaks HTTP/{version}", (reply.status, reply.version), (200, version))
        tally.equal(f"{proxy.name}, HTTP/{version}: the same bytes and tag", (reply.body, reply.tag), (direct.body, direct.tag))
    packed = proxy.curl("/v1/kits/k", "-H", "Accept-Encoding: gzip")
    wanted = service.request("GET", "/v1/kits/k", None, {"Accept-Encoding": "gzip"})
    tally.equal(f"{proxy.name} passes gzip on", packed.headers.get("content-encoding"), "gzip")
    tally.equal(f"{proxy.name}: its bytes and its tag are the service's", (packed.body, packed.tag), (wanted.body, wanted.tag))
    known = proxy.curl("/v1/kits/k", "-H", f"If-None-Match: {packed.tag}", "-H", "Accept-Encoding: gzip")
    tally.equal(f"{proxy.name}: and are known again", known.status, 304)
    written = proxy.curl(
        "/v1/kits/k", "-X", "PATCH", "-H", "Content-Type: application/json", "-H", f"If-Match: {packed.tag}", "-d", '{"title":"K2"}')
    tally.equal(f"{proxy.name}: and good for a write", written.status, 200)
    other = proxy.curl("/healthz", host=NAME)
    # Without tokens the service serves this machine's names only: it has to be told the name to refuse it.
    tally.equal(f"{proxy.name} keeps Host", (other.status, other.json.get("code")), (421, "misdirectedRequest"))
    proxy.curl("/version?from=elsewhere", "--interface", "127.0.0.2", "-H", "X-Forwarded-For: 6.6.6.6")
    seen = wait_until(lambda: service.peers("/version?from=elsewhere"), 5) and service.peers("/version?from=elsewhere")
    tally.equal(f"{proxy.name} tells the client's address, and only that is believed", seen, ["127.0.0.2"])


def passes_events(tally, service, proxy):
    for flag in ("--http1.1", "--http2"):
        lines, arrived = [], threading.Event()
        reader = subprocess.Popen(
            proxy.command("/v1/changes?evaluation=e", "-N", flag, "-H", "Accept: text/event-stream"),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

        def read():
            for line in reader.stdout:
                lines.append(line.decode())
                if line.startswith(b"retry:") or line.startswith(b"data:"):
                    arrived.set()

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        tally.check(f"{proxy.name} {flag}: the stream begins", arrived.wait(10), lines)
        arrived.clear()
        start = time.monotonic()
        require(service.request("PUT", "/v1/evaluations/e/answers/q", {"value": f"{proxy.name} {flag}"}, {"If-Match": "*"}), 200)
        held = arrived.wait(10)
        took = time.monotonic() - start
        tally.check(f"{proxy.name} {flag}: an event arrives within a second", held and took < 1, f"{took:.2f} s {lines}")
        reader.kill()
        reader.wait()
        thread.join()
        reader.stdout.close()


def leaves_limits_to_the_service(tally, service, proxy):
    sizes = {"2 MiB": 2 << 20, "17 MiB": 17 << 20, "40 MiB": 40 << 20}
    json_type = ["-H", "Content-Type: application/json", "--data-binary"]
    for name, size in sizes.items():
        path = f"{proxy.folder}/large"
        with open(path, "wb") as file:
            file.write(b'{"title":"' + b"x" * size + b'"}')
        target = "/v1/evaluations" if size < 16 << 20 else "/v1/kits"
        for more in ([], ["-H", "Transfer-Encoding: chunked"], ["--http1.1", "-H", "Expect:"]):
            reply = proxy.curl(target, *more, *json_type, f"@{path}")
            found = (reply.status, reply.headers.get("content-type"), reply.status == 413 and reply.json.get("code"))
            wanted = (413, "application/problem+json", "contentTooLarge")
            tally.equal(f"{proxy.name}: {name} {' '.join(more)} is refused by the service", found, wanted)
    with open(f"{proxy.folder}/large", "w") as file:
        questions = [{"type": "note", "text": "n" * 9_000} for _ in range(300)]
        json.dump({"title": "Large", "sections": [{"title": "S", "questions": questions}]}, file)
    reply = proxy.curl("/v1/kits", *json_type, f"@{proxy.folder}/large")
    tally.equal(f"{proxy.name}: what is within the limit passes", reply.status, 201)


def bears_restarts(tally, service, proxy):
    service.stop()
    away = proxy.curl("/v1/kits/k")
    found = (away.status, away.headers.get("content-type"), away.headers.get("retry-after"))
    tally.equal(f"{proxy.name}: while the service is away, a problem says so", found, (503, "application/problem+json", "2"))
    tally.equal(f"{proxy.name}: in the form of all others", away.status and away.json.get("code"), "unavailable")
    service.start()
    tally.equal(f"{proxy.name}: and afterwards it goes on", proxy.curl("/v1/kits/k").status, 200)
    # Held connections of a service that was killed are not taken for a live one.
    service.stop(signal.SIGKILL)
    service.start()
    tally.equal(f"{proxy.name}: also when it was killed", proxy.curl("/v1/kits/k").status, 200)


def run(tally):
    with tempfile.TemporaryDirectory(prefix="interviewkit-proxies-") as folder:
        service = Service(folder)
        service.start()
        proxies = []
        try:
            require(service.request("POST", "/v1/kits", KIT), 201)
            require(service.request("POST", "/v1/evaluations", {"id": "e", "kitId": "k", "candidate": {"id": "c"}}), 201)
            require(service.request("PUT", "/v1/evaluations/e/answers/q", {"value": "first"}), 201)
            for name in ("nginx", "caddy"):
                os.makedirs(f"{folder}/{name}")
            before_nginx, plain = nginx(f"{folder}/nginx", service.port)
            proxies = [before_nginx, caddy(f"{folder}/caddy", service.port)]
            for proxy in proxies:
                if not tally.check(f"{proxy.name} starts with its example", proxy.started(), proxy.folder):
                    continue
                for part in (passes_requests, passes_events, leaves_limits_to_the_service, bears_restarts):
                    part(tally, service, proxy)
            client = Client(plain)
            reply = client.request("GET", "/v1/kits?limit=1", None, {"Host": NAME})
            client.close()
            tally.equal("plain HTTP is sent on", (reply.status, reply.headers.get("location")), (308, f"https://{NAME}/v1/kits?limit=1"))
        finally:
            for proxy in proxies:
                proxy.stop()
            service.stop()
