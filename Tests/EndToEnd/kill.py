# Kills the server under write load, again and again: no acknowledged answer may be missing or changed.

import os
import random
import signal
import threading
import time

from patient import QUESTIONS, prepare
from service import Server, database_faults, history_faults, require

# More by INTERVIEWKIT_ROUNDS, for the figures in docs/durability.md.
ROUNDS = int(os.environ.get("INTERVIEWKIT_ROUNDS", "0")) or 20
WRITERS = 12


class Writer(threading.Thread):
    """Owns the answers of one evaluation and remembers, for each, every acknowledged value and the one under way."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.number = number
        self.evaluation = f"e{number}"
        self.acknowledged = {f"q{index}": {} for index in range(QUESTIONS)}
        self.revision = {item: 0 for item in self.acknowledged}
        self.under_way = {}
        self.port, self.fault, self.count = None, None, 0

    def next_round(self, port):
        """A thread starts once, so each round goes on with a copy that knows the same."""
        copy = Writer(self.number)
        copy.acknowledged, copy.revision, copy.count = self.acknowledged, self.revision, self.count
        copy.port = port
        return copy

    def run(self):
        from service import Client

        client = Client(self.port)
        randomness = random.Random(f"{self.number}/{self.count}")
        try:
            while True:
                item = randomness.choice(list(self.acknowledged))
                self.count += 1
                value = f"{self.evaluation} {item} #{self.count} " + "한글 émoji 🙂 " * randomness.randrange(1, 60)
                seen = self.revision[item]
                self.under_way = {item: value}
                reply = client.request(
                    "PUT",
                    f"/v1/evaluations/{self.evaluation}/answers/{item}",
                    {"value": value},
                    {"If-Match": f'"{seen}"'},
                )
                if reply.status != (201 if seen == 0 else 200):
                    self.fault = f"a write after revision {seen} answered {reply!r}"
                    return
                self.revision[item] = (
                    reply.json["revision"] if "revision" in reply.json else reply.json["answer"]["revision"]
                )
                self.acknowledged[item][self.revision[item]] = value
                self.under_way = {}
        except Exception:  # the server was killed: what is under way may have been stored or not
            return
        finally:
            client.close()


def verify(server, writer, tally, name):
    """Compares what is stored with what was acknowledged; adopts a write that was stored but never acknowledged."""
    client, faults = server.client(), []
    for item, acknowledged in writer.acknowledged.items():
        path = f"/v1/evaluations/{writer.evaluation}/answers/{item}"
        answer = require(client.request("GET", path), 200).json
        revision, value, last = answer["revision"], answer["value"], writer.revision[item]
        if revision == last + 1 and value == writer.under_way.get(item):
            acknowledged[revision] = value
            writer.revision[item] = revision
        elif revision != last or value != acknowledged.get(last):
            faults.append(
                f"{item} is at {revision} ({value!r:.60}), acknowledged {last} ({acknowledged.get(last)!r:.60})"
            )
        faults += history_faults(client, writer.evaluation, item, acknowledged)
    client.close()
    tally.check(f"{name}: answers of {writer.evaluation}", not faults, faults[:3])


def run(tally):
    randomness = random.Random(20261130)
    with Server() as first:
        prepare(first, WRITERS)
        data, server = first.data, first
        writers = [Writer(number) for number in range(WRITERS)]
        for round_number in range(1, ROUNDS + 1):
            name = f"kill -9, round {round_number}"
            writers = [writer.next_round(server.port) for writer in writers]
            before = sum(writer.count for writer in writers)
            for writer in writers:
                writer.start()
            time.sleep(randomness.uniform(0.15, 0.6))
            server.process.send_signal(signal.SIGKILL)
            server.kill()
            for writer in writers:
                writer.join(timeout=30)
            for writer in writers:
                tally.check(f"{name}: writes of {writer.evaluation}", writer.fault is None, writer.fault)
            tally.check(f"{name}: there was load", sum(writer.count for writer in writers) - before >= WRITERS)
            tally.equal(f"{name}: the database is clean", database_faults(data), [])
            server = Server(data)
            for writer in writers:
                verify(server, writer, tally, name)
        written = sum(len(values) for writer in writers for values in writer.acknowledged.values())
        print(f"        {written} answers were acknowledged over {ROUNDS} kills")
        server.kill()
