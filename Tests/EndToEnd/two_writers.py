# Questions are inserted, deleted, moved and reworded while two clients write: every answer stays with its question.

import random
import threading

from service import VIEWPORT, Server, answer_history, require

EDITS = 150
QUESTIONS = 24


def question(identifier):
    return {"id": identifier, "type": "longText", "text": f"What do you say to {identifier}?"}


def prepare(server):
    sections = [
        {
            "id": f"s{part}",
            "title": f"Part {part}",
            "questions": [question(f"q{index}") for index in range(QUESTIONS) if index % 3 == part],
        }
        for part in range(3)
    ]
    require(server.request("POST", "/v1/kits", {"id": "k", "title": "Two writers", "sections": sections}), 201)
    for name in ("one", "two", "shared"):
        body = {"id": name, "kitId": "k", "candidate": {"id": "c", "name": "C"}}
        require(server.request("POST", "/v1/evaluations", body), 201)


class Editor(threading.Thread):
    """Changes the kit, each change with the tag of what it saw, and keeps every revision as it was answered."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.client, self.randomness = server.client(), random.Random(7)
        self.faults, self.made, self.revisions = [], 0, {}

    def run(self):
        try:
            for _ in range(EDITS):
                self.edit()
                kit = require(self.client.request("GET", "/v1/kits/k"), 200)
                self.revisions[kit.json["revision"]] = kit.json
        except Exception as error:
            self.faults.append(repr(error))

    def edit(self):
        kit = self.client.request("GET", "/v1/kits/k").json
        section = self.randomness.choice(kit["sections"])
        others = [item["id"] for item in section["questions"]]
        after = self.randomness.choice([None, *others])
        present = [item["id"] for part in kit["sections"] for item in part["questions"]]
        chosen = self.randomness.choice(present)
        kind = self.randomness.choice(["insert", "delete", "move", "move", "reword"]) if len(present) > 8 else "insert"
        if kind == "insert":
            self.made += 1
            body = {**question(f"new{self.made}"), "sectionId": section["id"], "after": after}
            return require(self.client.request("POST", "/v1/kits/k/questions", body), 201)
        path = f"/v1/kits/k/questions/{chosen}"
        headers = {"If-Match": require(self.client.request("GET", path), 200).tag}
        if kind == "delete":
            return require(self.client.request("DELETE", path, headers=headers), 204)
        if kind == "reword":
            body = {"text": f"What do you say to {chosen}, in other words ({self.made})?"}
            return require(self.client.request("PATCH", path, body, headers), 200)
        if after != chosen:
            body = {"sectionId": section["id"], "after": after}
            require(self.client.request("POST", f"{path}/move", body, headers), 200)


class Typist(threading.Thread):
    """Writes its own evaluation's answers by ID, one after the other, some in batches, until the editor is done."""

    def __init__(self, server, name, editor):
        super().__init__(daemon=True)
        self.client, self.name_, self.editor = server.client(), name, editor
        self.randomness, self.faults, self.last = random.Random(name), [], {}

    def run(self):
        count = 0
        try:
            while self.editor.is_alive():
                count += 1
                item = f"q{self.randomness.randrange(QUESTIONS)}"
                value = f"{self.name_} says to {item}: {count} " + "word " * self.randomness.randrange(40)
                if count % 4 == 0:
                    self.batch(item, value)
                else:
                    self.single(item, value)
        except Exception as error:
            self.faults.append(repr(error))

    def single(self, item, value):
        path = f"/v1/evaluations/{self.name_}/answers/{item}?{VIEWPORT}"
        reply = self.client.request("PUT", path, {"value": value}, {"If-Match": "*"})
        if reply.status not in (200, 201):
            raise RuntimeError(repr(reply))
        self.last[item] = value
        changed = [row["id"] for row in reply.json["layouts"][0]["changed"]]
        if changed not in ([], [item]):
            self.faults.append(f"a write to {item} changed the rows {changed}")

    def batch(self, item, value):
        path = f"/v1/evaluations/{self.name_}/answers"
        seen = require(self.client.request("GET", f"{path}/{item}"), 200).json["revision"]
        operation = {
            "operationId": f"{self.name_}-{value.split()[4]}",
            "itemId": item,
            "value": value,
            "ifRevision": seen,
        }
        results = require(self.client.request("PATCH", path, {"operations": [operation]}), 200).json["results"]
        if results[0]["status"] not in (200, 201):
            raise RuntimeError(repr(results))
        self.last[item] = value


class Sharer(threading.Thread):
    """Writes one evaluation together with another: says what it saw, and on 412 goes on from what is there."""

    def __init__(self, server, name, editor):
        super().__init__(daemon=True)
        self.client, self.name_, self.editor = server.client(), name, editor
        self.written, self.refused, self.faults = {}, 0, []

    def run(self):
        seen, count = {"q0": 0, "q1": 0}, 0
        try:
            while self.editor.is_alive():
                count += 1
                item = f"q{count % 2}"
                value = f"{self.name_} says to {item}: {count}"
                reply = self.client.request(
                    "PUT", f"/v1/evaluations/shared/answers/{item}", {"value": value}, {"If-Match": f'"{seen[item]}"'}
                )
                if reply.status == 412:
                    self.refused += 1
                    seen[item] = reply.json["current"]["revision"]
                    if reply.json["sent"]["value"] != value:
                        self.faults.append(f"`sent` is not what was sent: {reply!r}")
                else:
                    seen[item] = revision(reply)
                    self.written[item, seen[item]] = value
        except Exception as error:
            self.faults.append(repr(error))


def revision(reply):
    if reply.status not in (200, 201):
        raise RuntimeError(repr(reply))
    return reply.json.get("answer", reply.json)["revision"]


def check_typist(server, typist, kit_revision, tally):
    name = typist.name_
    tally.equal(f"client {name} met no fault", typist.faults[:3], [])
    screen = require(server.request("GET", f"/v1/evaluations/{name}?include=kit,layout&{VIEWPORT}"), 200).json
    answers = {item: answer["value"] for item, answer in screen["answers"].items() if answer["value"] is not None}
    tally.check(
        f"client {name}: every answer is what was last written",
        answers == typist.last,
        [item for item in set(answers) | set(typist.last) if answers.get(item) != typist.last.get(item)],
    )
    strays = [item for item, value in answers.items() if not value.startswith(f"{name} says to {item}: ")]
    tally.equal(f"client {name}: every answer stays with its question", strays, [])
    tally.equal(f"client {name}: the evaluation is pinned", screen["kitRevision"], kit_revision)
    tally.equal(f"client {name}: the screen's kit is of that revision", screen["kit"]["revision"], kit_revision)
    ids = [section["id"] for section in screen["kit"]["sections"]]
    ids = [
        each
        for section in screen["kit"]["sections"]
        for each in [section["id"], *(item["id"] for item in section["questions"])]
    ]
    tally.equal(
        f"client {name}: the rows are the kit's items in order",
        [row["id"] for row in screen["layouts"][0]["rows"]],
        ids,
    )


def check_shared(server, sharers, tally):
    for sharer in sharers:
        tally.equal(f"sharer {sharer.name_} met no fault", sharer.faults[:3], [])
    both = {**sharers[0].written, **sharers[1].written}
    tally.equal("no revision was given twice", len(both), len(sharers[0].written) + len(sharers[1].written))
    tally.check("the sharers did meet", sharers[0].refused + sharers[1].refused > 0)
    for item in ("q0", "q1"):
        wanted = {number: value for (key, number), value in both.items() if key == item}
        found = answer_history(server, "shared", item)
        tally.check(
            f"the history of {item} holds both clients' writes, each once",
            found == wanted,
            f"{len(found)} entries, wanted {len(wanted)}",
        )


def run(tally):
    with Server() as server:
        prepare(server)
        first = require(server.request("GET", "/v1/kits/k"), 200).json["revision"]
        editor = Editor(server)
        typists = [Typist(server, name, editor) for name in ("one", "two")]
        sharers = [Sharer(server, name, editor) for name in ("left", "right")]
        editor.start()
        for thread in [*typists, *sharers]:
            thread.start()
        for thread in [editor, *typists, *sharers]:
            thread.join(timeout=120)
        tally.equal("the editor met no fault", editor.faults, [])
        for typist in typists:
            check_typist(server, typist, first, tally)
        check_shared(server, sharers, tally)
        changed = [
            number
            for number, kit in editor.revisions.items()
            if server.request("GET", f"/v1/kits/k/revisions/{number}").json["sections"] != kit["sections"]
        ]
        tally.equal("every revision reads as it was", changed, [])
        writes = sum(len(typist.last) for typist in typists) + sum(len(sharer.written) for sharer in sharers)
        print(f"        {len(editor.revisions)} revisions of the kit, at least {writes} answers written under them")
