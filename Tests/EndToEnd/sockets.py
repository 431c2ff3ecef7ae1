# How the service listens and moves bytes: each way of moving them, both families of addresses, its own socket, SIGINT, and
# what hostile connections leave of descriptors.

import collections
import concurrent.futures
import os
import random
import signal
import socket
import sqlite3
import stat
import struct
import subprocess
import tempfile

from operations import events, log_lines
from service import BINARY, ROOT, Server, database_path, require, wait_until

REQUEST = b"GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def metric(server, name):
    lines = require(server.request("GET", "/metrics"), 200).body.decode().splitlines()
    return [line for line in lines if line.startswith(name)]


def says_how_it_moves_bytes(tally):
    for asked in ("auto", "epoll"):
        with Server(environment={"INTERVIEWKIT_TRANSFER": asked}) as server:
            wait_until(lambda: events(server, "server.started"), 5)
            started = events(server, "server.started")[0]
            used = started["transfer"]
            tally.check(f"asked for {asked}, the log says what is used", used == "epoll" or asked == "auto", started)
            # Only where the kernel refuses: never silently.
            said = ("transferReason" in started) == (asked == "auto" and used == "epoll")
            tally.check(f"asked for {asked}, the log says why", said, started)
            wanted = [f'interviewkit_transfer_info{{method="{used}"}} 1']
            tally.equal(f"asked for {asked}, so do the metrics", metric(server, "interviewkit_transfer_info"), wanted)
    command = [BINARY, "serve", "--transfer", "pigeon"]
    wrong = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=20)
    said = "auto, io_uring, epoll" in wrong.stderr
    tally.check("another way stops the start", wrong.returncode == 64 and said, wrong.stderr)


def listens_to_both_families_and_its_socket(tally):
    for host, family in (("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6)):
        with (Server() if family == socket.AF_INET else V6()) as server:
            with socket.socket(family) as connection:
                connection.connect((host, server.port))
                connection.sendall(REQUEST)
                tally.check(f"{host} is answered", connection.recv(65536).startswith(b"HTTP/1.1 200"))
            path = os.path.join(server.data, "interviewkit.sock")
            mode = stat.S_IMODE(os.stat(path).st_mode)
            tally.equal(f"beside {host} its socket is for its owner alone", mode, 0o600)
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                connection.sendall(REQUEST)
                tally.check(f"beside {host} its socket is answered", connection.recv(65536).startswith(b"HTTP/1.1 200"))
            server.process.send_signal(signal.SIGINT)
            tally.equal("SIGINT ends it with 0", server.process.wait(timeout=20), 0)
            tally.check("and its socket is gone", not os.path.exists(path))


class V6(Server):
    """A server on the loopback of IPv6."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="interviewkit-")
        self.data = os.path.join(self.folder.name, "data")
        self.log = open(self.folder.name + "/log.txt", "ab")
        command = [BINARY, "serve", "--host", "::1", "--port", "0", "--data", self.data]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        if not line.startswith("interviewkit listening on http://[::1]:"):
            self.kill()
            raise RuntimeError(f"the server did not start: {line!r}")
        self.port = int(line.rsplit(":", 1)[1])


def answers_a_fault_within_with_500(tally):
    """A table that is gone is no fault that anything foresees: one 500, logged, and everything else goes on."""
    with Server() as server:
        kit = {"id": "k", "title": "K", "sections": []}
        require(server.request("POST", "/v1/kits", kit), 201)
        client = server.client()
        with sqlite3.connect(database_path(server.data)) as database:
            database.execute("ALTER TABLE evaluation RENAME TO elsewhere")
        reply = client.request("GET", "/v1/evaluations")
        tally.equal("a fault within is 500", (reply.status, reply.json["code"]), (500, "internalError"))
        identifier = reply.headers["x-request-id"]
        tally.equal("with the request's ID", reply.json["requestId"], identifier)
        tally.check("and without its cause", b"elsewhere" not in reply.body and b"no such" not in reply.body, reply)
        logged = lambda: [line for line in log_lines(server) if line.get("requestId") == identifier and line["level"] == "error"]
        tally.check("the log has its cause under that ID", wait_until(logged, 5), identifier)
        tally.equal("the connection goes on", client.request("GET", "/v1/kits/k").status, 200)
        client.close()
        with sqlite3.connect(database_path(server.data)) as database:
            database.execute("ALTER TABLE elsewhere RENAME TO evaluation")
        tally.equal("and so does the service", server.request("GET", "/v1/evaluations").status, 200)


HOST = b" HTTP/1.1\r\nHost: localhost\r\n"
KITS = b"POST /v1/kits" + HOST + b"Content-Type: application/json\r\n"
HOSTILE = {
    "nothing": b"",
    "half a head": b"GET /v1/kits/k HT",
    "half a body": KITS + b"Content-Length: 90000\r\n\r\n{" + b" " * 30_000,
    "half a chunk": KITS + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{",
    "a body that is refused": KITS + b"Content-Length: 999999999\r\n\r\n" + b" " * 100_000,
    "a body that waits for 100": KITS + b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n",
    "a hello of TLS": bytes.fromhex("16030100c8010000c40303") + bytes(180),
    "no HTTP": b"\0\xff" * 1_000,
    "a write": KITS + b'Content-Length: 45\r\n\r\n{"title": "x", "language": "en", "sections":[]}',
    "reads from memory": (b"GET /v1/kits/k" + HOST + b"\r\n") * 20,
    "reads from the database": (b"GET /v1/evaluations?limit=50" + HOST + b"\r\n") * 5,
    "a stream": b"GET /v1/changes" + HOST + b"Accept: text/event-stream\r\n\r\n",
}


def opened(server):
    """How many descriptors the server has of each kind; those of connections for reading are `reader`s."""
    kinds = collections.Counter()
    for number in os.listdir(f"/proc/{server.process.pid}/fd"):
        try:
            target = os.readlink(f"/proc/{server.process.pid}/fd/{number}")
        except OSError:
            continue
        kinds["reader" if target.endswith((".sqlite", ".sqlite-wal")) else target.split(":[")[0]] += 1
    return kinds


def is_hostile(server, seed):
    chance = random.Random(seed)
    with socket.socket() as connection:
        connection.settimeout(5)
        try:
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(HOSTILE[list(HOSTILE)[seed % len(HOSTILE)]])
            if chance.random() < 0.5:
                connection.shutdown(socket.SHUT_WR)
            if chance.random() < 0.3:
                connection.recv(1_000)
        except OSError:
            pass
        if chance.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def hostile_connections_leave_no_descriptor(tally):
    deadlines = [flag for name in ("head", "body", "idle") for flag in (f"--{name}-seconds", "1")]
    for transfer in ("auto", "epoll"):
        flags = [*deadlines, "--maximum-connections", "80", "--transfer", transfer]
        with Server(arguments=flags) as server, concurrent.futures.ThreadPoolExecutor(16) as threads:
            questions = [{"id": f"q{number}", "type": "longText", "text": "?" * 300} for number in range(1_000)]
            kit = {"id": "k", "title": "K", "sections": [{"id": "s", "title": "S", "questions": questions}]}
            require(server.request("POST", "/v1/kits", kit), 201)
            before = opened(server)
            # Some find the service at its limit.
            held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(72)]
            for done, _ in enumerate(threads.map(lambda seed: is_hostile(server, seed), range(1_200))):
                if done % 100 == 0:
                    server.process.send_signal(signal.SIGHUP)
            for connection in held:
                connection.close()
            more = lambda: {kind: count for kind, count in (opened(server) - before).items() if kind != "reader"}
            tally.check(f"with {transfer}, hostile connections leave no descriptor", wait_until(lambda: not more(), 20), more())
            refused = metric(server, "interviewkit_connections_refused_total ")[0]
            tally.check(f"with {transfer}, some were too many", not refused.endswith(" 0"), refused)
            # The writer, and at most four for reading, which are opened when they are needed: a database and its log each.
            tally.check(f"with {transfer}, the database has no more than its own", opened(server)["reader"] <= 10, opened(server))
            tally.equal(f"with {transfer}, it serves", server.request("GET", "/v1/kits/k").status, 200)


def run(tally):
    hostile_connections_leave_no_descriptor(tally)
    answers_a_fault_within_with_500(tally)
    says_how_it_moves_bytes(tally)
    listens_to_both_families_and_its_socket(tally)
