# Clients that send a write again, under the same name, until it is acknowledged: what they hold is then what is stored.

import random
import threading
import time

from service import Client, require, wait_until

QUESTIONS = 6


def prepare(server, writers):
    """A kit of long texts and an evaluation for each writer."""
    questions = [{"id": f"q{index}", "type": "longText", "text": f"Question {index}?"} for index in range(QUESTIONS)]
    kit = {"id": "k", "title": "Faults", "sections": [{"id": "s", "title": "All", "questions": questions}]}
    require(server.request("POST", "/v1/kits", kit), 201)
    for number in range(writers):
        body = {"id": f"e{number}", "kitId": "k", "candidate": {"id": f"c{number}", "name": f"Candidate {number}"}}
        require(server.request("POST", "/v1/evaluations", body), 201)


class Patient(threading.Thread):
    """Owns the answers of one evaluation. `refusals` counts what it was told instead of an acknowledgement."""

    def __init__(self, number, port, letters=1000):
        super().__init__(daemon=True)
        self.number, self.port, self.letters = number, port, letters
        self.evaluation = f"e{number}"
        self.acknowledged = {f"q{index}": {} for index in range(QUESTIONS)}
        self.count, self.refusals, self.fault = 0, {}, None
        self.longest = 0
        self.is_stopped = threading.Event()

    def run(self):
        randomness, client = random.Random(self.number), None
        while not self.is_stopped.is_set() and self.fault is None:
            item = randomness.choice(list(self.acknowledged))
            seen = max(self.acknowledged[item], default=0)
            self.count += 1
            value = f"{self.evaluation} {item} #{self.count} " + "한글 é🙂 " * randomness.randrange(1, self.letters // 8 + 2)
            headers = {"If-Match": f'"{seen}"', "Idempotency-Key": f"{self.evaluation}-{self.count}"}
            path = f"/v1/evaluations/{self.evaluation}/answers/{item}"
            reply = None
            while reply is None:
                start = time.monotonic()
                try:
                    client = client or Client(self.port)
                    reply = client.request("PUT", path, {"value": value}, headers)
                except Exception:  # the server is away; the write is sent again when it is back
                    client = None
                    self.note("away")
                else:
                    self.longest = max(self.longest, time.monotonic() - start)
                    if reply.status in (503, 507):
                        self.note(f"{reply.status} {reply.json['code']}")
                        if reply.status == 503 and reply.json["code"] != "databaseDamaged" and not reply.headers.get("retry-after"):
                            self.fault = "a 503 without Retry-After"
                        reply = None
                if reply is None:
                    time.sleep(0.02)
            if reply.status != (201 if seen == 0 else 200) or reply.json["revision"] != seen + 1:
                self.fault = f"a write after revision {seen} answered {reply!r}"
                return
            self.acknowledged[item][seen + 1] = value

    def note(self, what):
        self.refusals[what] = self.refusals.get(what, 0) + 1

    @property
    def total(self):
        return sum(len(values) for values in self.acknowledged.values())


class Patients:
    """Several of them, one for each evaluation that `prepare` made."""

    def __init__(self, server, writers, letters=1000):
        self.all = [Patient(number, server.port, letters) for number in range(writers)]
        for patient in self.all:
            patient.start()

    @property
    def total(self):
        return sum(patient.total for patient in self.all)

    def refused(self, what):
        return sum(patient.refusals.get(what, 0) for patient in self.all)

    def grows(self, count=20, seconds=20):
        """True when further writes are acknowledged."""
        wanted = self.total + count
        return wait_until(lambda: self.total >= wanted, seconds)

    def moves_to(self, server):
        for patient in self.all:
            patient.port = server.port

    def stop(self):
        """Lets the write under way be settled."""
        for patient in self.all:
            patient.is_stopped.set()
        for patient in self.all:
            patient.join(timeout=60)

    def check(self, server, tally, name):
        """What is stored is exactly what was acknowledged: nothing lost, nothing twice, nothing changed."""
        client = server.client()
        for patient in self.all:
            tally.check(f"{name}: the writes of {patient.evaluation}", patient.fault is None, patient.fault)
            for item, acknowledged in patient.acknowledged.items():
                stored, cursor = {}, ""
                path = f"/v1/evaluations/{patient.evaluation}/answers/{item}/history"
                while cursor is not None:
                    page = require(client.request("GET", f"{path}?limit=200{cursor}"), 200).json
                    stored.update({entry["revision"]: entry["value"] for entry in page["items"]})
                    cursor = f"&cursor={page['nextCursor']}" if page.get("nextCursor") else None
                wrong = sorted(key for key in stored.keys() | acknowledged.keys() if stored.get(key) != acknowledged.get(key))
                tally.check(f"{name}: {patient.evaluation} {item}", not wrong, f"revisions {wrong[:5]} differ")
        client.close()
