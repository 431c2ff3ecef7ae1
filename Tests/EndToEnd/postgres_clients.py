# Those who write to servers while their database fails, and who follow the changes: what they were told must be there.

import http.client
import random
import threading
import time

from service import Client

QUESTIONS = 4


class Writer(threading.Thread):
    """Owns one evaluation; each write goes to either server, under a name, until one of them has acknowledged it."""

    def __init__(self, number, ports):
        super().__init__(daemon=True)
        self.number, self.ports, self.evaluation = number, ports, f"e{number}"
        self.acknowledged = {f"q{index}": {} for index in range(QUESTIONS)}
        self.revision = dict.fromkeys(self.acknowledged, 0)
        self.under_way, self.fault = None, None
        self.count = self.unanswered = self.read_back = 0
        self.ends = threading.Event()
        self.clients = {}
        self.random = random.Random(number)

    def again(self):
        """A thread starts once, so each round goes on with a copy that knows the same."""
        copy = Writer(self.number, self.ports)
        for name in ("acknowledged", "revision", "under_way", "count", "unanswered", "read_back", "random"):
            setattr(copy, name, getattr(self, name))
        return copy

    def request(self, port, *arguments):
        """None when no reply came."""
        client = self.clients.setdefault(port, Client(port))
        try:
            return client.request(*arguments)
        except (OSError, http.client.HTTPException):
            client.close()
            del self.clients[port]
            return None

    def run(self):
        while not self.ends.is_set() and not self.fault:
            if not self.under_way:
                item = self.random.choice(list(self.acknowledged))
                self.count += 1
                value = f"{self.evaluation} {item} #{self.count} " + "한글 émoji 🙂 " * self.random.randrange(1, 40)
                self.under_way = item, value, f"{self.evaluation}-{self.count}"
            self.send()
        for client in self.clients.values():
            client.close()
        self.clients = {}

    def send(self):
        item, value, name = self.under_way
        port, seen = self.random.choice(self.ports), self.revision[item]
        path = f"/v1/evaluations/{self.evaluation}/answers/{item}"
        headers = {"If-Match": f'"{seen}"', "Idempotency-Key": name}
        reply = self.request(port, "PUT", path, {"value": value}, headers)
        if reply is None or reply.status == 503:
            self.unanswered += 1
            if reply and "retry-after" not in reply.headers:
                self.fault = f"503 without Retry-After: {reply!r}"
            time.sleep(0.02)
            return
        if reply.status != (201 if seen == 0 else 200) or reply.json["revision"] != seen + 1:
            self.fault = f"a write after revision {seen} answered {reply!r}"
            return
        self.revision[item] = seen + 1
        self.acknowledged[item][seen + 1] = value
        self.under_way = None
        other = self.ports[1 - self.ports.index(port)]
        read = self.request(other, "GET", path)
        if read and read.status == 200:
            self.read_back += 1
            if (read.json["revision"], read.json["value"]) != (seen + 1, value):
                self.fault = f"the other server shows {read!r}, acknowledged was {seen + 1}: {value:.60}"
        elif read and read.status != 503:
            self.fault = f"the other server answered {read!r}"


class Follower(threading.Thread):
    """Reads the feed of one server as a stream, and comes back after each cut: every change once, in order."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.last, self.sequence, self.fault, self.cuts = port, None, 0, None, 0
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=1)
            try:
                headers = {"Accept": "text/event-stream", "Last-Event-ID": self.last or "0"}
                connection.request("GET", "/v1/changes", headers=headers)
                reply = connection.getresponse()
                while reply.status == 200 and (line := reply.readline()):
                    self.hear(line.decode().strip())
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            self.cuts += 1
            time.sleep(0.05)

    def hear(self, line):
        if line.startswith("id: "):
            sequence = int(line.rpartition("-")[2].removeprefix("id: "))
            if sequence != self.sequence + 1:
                self.fault = self.fault or f"after change {self.sequence} came {sequence}"
            self.last, self.sequence = line.removeprefix("id: "), sequence
        elif line.startswith("event: reset"):
            self.fault = self.fault or f"a reset after change {self.sequence}"
