# The change feed of a running server as a stream: resumed, reset, many readers at once, a reader that never reads.

import json
import os
import re
import socket
import threading

from crowd import gather, memory
from service import VIEWPORT, Server, require, wait_until

STAR = {"If-Match": "*"}
READERS = 200
WRITERS = 16
WRITES = 25


class Stream(threading.Thread):
    """Reads events on a socket of its own until it is closed."""

    def __init__(self, server, target, last=None):
        super().__init__(daemon=True)
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        resume = f"Last-Event-ID: {last}\r\n" if last else ""
        head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{resume}\r\n"
        self.socket.sendall(head.encode())
        self.head, self.events, self.last, self.ended = "", [], None, False
        self.comments = 0
        self.arrived = threading.Condition()

    def run(self):
        rest = b""
        try:
            while piece := self.socket.recv(65536):
                rest += piece
                if not self.head and b"\r\n\r\n" in rest:
                    head, rest = rest.split(b"\r\n\r\n", 1)
                    self.head = head.decode()
                rest = self.take(rest)
        except OSError:
            pass
        with self.arrived:
            self.ended = True
            self.arrived.notify_all()

    def take(self, rest):
        # Chunk sizes stand on lines of their own, between events.
        text = re.sub(rb"(?:^|\r\n)[0-9a-f]+\r\n", b"", rest)
        if not text.endswith(b"\n\n\r\n"):
            return rest
        with self.arrived:
            for block in text.replace(b"\r\n", b"").decode().split("\n\n"):
                self.comments += block.startswith(":")
                fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
                if "data" in fields:
                    self.last = fields.get("id", self.last)
                    self.events.append({"event": fields.get("event"), **json.loads(fields["data"])})
            self.arrived.notify_all()
        return b""

    def wait(self, count, seconds=30):
        with self.arrived:
            self.arrived.wait_for(lambda: len(self.events) >= count or self.ended, seconds)
            return list(self.events)

    def close(self):
        self.socket.close()


def opened(server, target, last=None):
    stream = Stream(server, target, last)
    stream.start()
    wait_until(lambda: stream.head, 10)
    return stream


def sequences(events):
    return [event["sequence"] for event in events]


def resume(server, tally):
    write = lambda value: require(server.request("PUT", "/v1/evaluations/e/answers/q", {"value": value}, STAR), 200)
    since = server.request("GET", "/v1/evaluations/e").json["sequence"]
    stream = opened(server, f"/v1/changes?since={since}&{VIEWPORT}")
    for field in ("Content-Type: text/event-stream", "Cache-Control: no-cache", "X-Accel-Buffering: no"):
        tally.check(f"the stream says {field}", field in stream.head, stream.head)
    write("word " * 60)
    event = stream.wait(1)[0]
    rows = server.request("GET", f"/v1/evaluations/e/layout?{VIEWPORT}").json["rows"]
    height = {row["id"]: row["height"] for row in rows}["q"]
    tally.equal("an answer's event carries its row's height", event["layouts"][0]["changed"], [{"id": "q", "height": height}])
    tally.check("an event holds no text", "value" not in event and "word" not in json.dumps(event), event)
    seen = event["sequence"]
    for value in ("two", "three"):
        write(value)
    tally.equal("events come in order", sequences(stream.wait(3)), [seen, seen + 1, seen + 2])
    stream.close()
    for value in ("four", "five", "six"):
        write(value)
    again = opened(server, "/v1/changes", stream.last)
    tally.equal("after a cut exactly what was missed comes", sequences(again.wait(3)), [seen + 3, seen + 4, seen + 5])
    again.close()
    delta = require(server.request("GET", f"/v1/changes?since={since}"), 200).json
    tally.equal("the delta is the same", sequences(delta["items"]), list(range(seen, seen + 6)))
    foreign = opened(server, "/v1/changes", "elsewhere-7")
    tally.equal("a foreign position is reset", foreign.wait(1)[0]["event"], "reset")
    foreign.close()


def crowd(server, tally):
    """Many readers while many write: each reader sees each change once, in order."""
    deaf = [opened(server, f"/v1/changes?since=0&{VIEWPORT}") for _ in range(3)]
    before = memory(server)
    streams, found = gather(server, READERS, WRITERS, WRITES)
    tally.equal(f"{WRITERS} writers are all answered beside {READERS} readers", found["failures"], [])
    tally.equal(f"{READERS} readers see each of {WRITERS * WRITES} changes once, in order", found["wrong"], [])
    grown = memory(server) - before
    tally.check("memory stays flat", grown < 64 * 1024, f"{grown} KiB more")
    print(f"        {found['events']} events to {READERS} readers in {found['seconds']:.1f} s, {grown} KiB more")
    for stream in streams:
        stream.socket.close()
    for stream in deaf:
        stream.close()
    descriptors = f"/proc/{server.process.pid}/fd"
    tally.check("readers that are gone are let go", wait_until(lambda: len(os.listdir(descriptors)) < 60, 10),
                len(os.listdir(descriptors)))


def run(tally):
    names = ["q"] + [f"w{number}" for number in range(WRITERS)]
    questions = [{"id": name, "type": "longText", "text": f"{name}?"} for name in names]
    # A reader that is gone is known by the beat that does not reach it.
    with Server(arguments=("--heartbeat-seconds", "2")) as server:
        kit = {"id": "k", "title": "K", "sections": [{"id": "s", "title": "S", "questions": questions}]}
        require(server.request("POST", "/v1/kits", kit), 201)
        new = {"id": "e", "kitId": "k", "candidate": {"id": "c", "name": "C"}}
        require(server.request("POST", "/v1/evaluations", new), 201)
        require(server.request("PUT", "/v1/evaluations/e/answers/q", {"value": "one"}), 201)
        resume(server, tally)
        crowd(server, tally)
        tally.check("the server is alive", server.is_alive())
