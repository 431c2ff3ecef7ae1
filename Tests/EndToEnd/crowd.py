# A crowd on the change stream: many readers on one thread, beside many writers, each change counted with each reader.

import re
import select
import socket
import threading
import time

STAR = {"If-Match": "*"}
SEQUENCE = re.compile(rb'\ndata: \{"sequence":(\d+)')


class Reader:
    """One open stream; it keeps what it heard as a count, and the first number that was not the next."""

    def __init__(self, server, expected):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self.socket.sendall(b"GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        self.rest, self.expected, self.wrong, self.ended = b"", expected, None, False

    def open(self):
        """Waits for the head and the stream's first line, so that nothing that follows is missed."""
        while b"retry:" not in self.rest:
            piece = self.socket.recv(65536)
            if not piece:
                raise RuntimeError(f"a stream ended before it began: {self.rest!r}")
            self.rest += piece
        self.rest = b""
        self.socket.setblocking(False)
        return self

    def take(self):
        try:
            piece = self.socket.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self.ended = True
            return
        text = self.rest + piece
        end = text.rfind(b"\n\n") + 1
        for number in SEQUENCE.findall(text, 0, end):
            if int(number) != self.expected and self.wrong is None:
                self.wrong = (self.expected, int(number))
            self.expected = int(number) + 1
        self.rest = text[max(end - 1, 0):]


def gather(server, readers, writers, writes, seconds=120):
    """Opens the readers, lets the writers write, and tells who heard what.

    `server` has a kit with questions w0, w1 … and an evaluation e. Returns the readers and what it took: `wrong` lists the
    readers that missed, doubled or mixed up changes."""
    start = int(server.request("GET", "/v1/changes?limit=1&since=999999999").json["sequence"].split("-")[1])
    crowd = [Reader(server, start + 1) for _ in range(readers)]
    for reader in crowd:
        reader.open()
    last = start + writers * writes
    failures = []

    def write(name):
        client = server.client()
        for number in range(writes):
            path = f"/v1/evaluations/e/answers/{name}"
            reply = client.request("PUT", path, {"value": f"{number} " * 40}, STAR)
            if reply.status not in (200, 201):
                failures.append(reply)
                return
        client.close()

    poll = select.epoll()
    by_descriptor = {reader.socket.fileno(): reader for reader in crowd}
    for descriptor in by_descriptor:
        poll.register(descriptor, select.EPOLLIN)
    threads = [threading.Thread(target=write, args=(f"w{number}",)) for number in range(writers)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    waiting = set(by_descriptor)
    while waiting and not failures and time.monotonic() < began + seconds:
        for descriptor, _ in poll.poll(0.5):
            reader = by_descriptor[descriptor]
            reader.take()
            if reader.ended or reader.expected > last:
                waiting.discard(descriptor)
            if reader.ended:
                poll.unregister(descriptor)
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    poll.close()
    wrong = [reader.wrong or reader.expected for reader in crowd if reader.wrong or reader.expected != last + 1]
    return crowd, {"wrong": wrong, "failures": failures, "seconds": took, "events": readers * writers * writes}


def stage(server, writers):
    """The kit and the evaluation that the writers write to."""
    questions = [{"id": f"w{number}", "type": "longText", "text": f"{number}?"} for number in range(writers)]
    kit = {"id": "k", "title": "K", "sections": [{"id": "s", "title": "S", "questions": questions}]}
    new = {"id": "e", "kitId": "k", "candidate": {"id": "c"}}
    for path, body in (("/v1/kits", kit), ("/v1/evaluations", new)):
        reply = server.request("POST", path, body)
        if reply.status != 201:
            raise RuntimeError(f"{reply!r}")


def memory(server):
    """Resident, in KiB."""
    with open(f"/proc/{server.process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
