# Bad input for every resource: the right problem document, nothing stored, the server alive.

import json

import bad_documents
import bad_kits
import bad_values
from service import Reply, Server, require, row_counts

JSON = "application/json"

QUESTIONS = [
    {
        "id": "text",
        "type": "longText",
        "text": "Long?",
        "help": "Help",
        "required": True,
        "private": False,
        "maxLength": 100,
    },
    {"id": "line", "type": "shortText", "text": "Short?"},
    {"id": "yes", "type": "yesNo", "text": "Yes?"},
    {
        "id": "one",
        "type": "singleSelect",
        "text": "One?",
        "options": [{"id": "o1", "text": "A"}, {"id": "o2", "text": "B"}],
    },
    {
        "id": "many",
        "type": "multiSelect",
        "text": "Many?",
        "options": [{"id": "m1", "text": "A"}, {"id": "m2", "text": "B"}],
    },
    {"id": "number", "type": "number", "text": "How many?"},
    {"id": "date", "type": "date", "text": "When?"},
    {"id": "rating", "type": "rating", "text": "How good?", "scale": "own"},
    {"id": "card", "type": "scorecard", "text": "Rate", "scale": "fourPoint", "criteria": [{"id": "c1", "text": "C"}]},
    {"id": "note", "type": "note", "text": "Say hello."},
    {"id": "shown", "type": "longText", "text": "Why?", "visibleWhen": {"questionId": "yes", "equals": True}},
]
KIT = {
    "title": "Bad input",
    "instructions": "None",
    "language": "en",
    "status": "active",
    "visibility": "always",
    "overallQuestionId": "rating",
    "scales": [{"id": "own", "title": "Own", "points": [{"id": "own.1", "label": "1"}, {"id": "own.2", "label": "2"}]}],
    "sections": [{"id": "s", "title": "S", "questions": QUESTIONS}, {"id": "t", "title": "T", "questions": []}],
}
MEASURE = {
    "profile": "ios",
    "mode": "label",
    "width": 343,
    "font": {"family": "Inter", "size": 17, "weight": 400, "fallbacks": ["Noto Sans CJK KR"]},
    "scale": 3,
    "locale": "ko",
    "options": {"hangul": "word", "lineStarts": True},
    "texts": [{"id": "a", "text": "Hello", "width": 200}],
}


class Endpoint:
    """A request that would work, whose body is then made worse. `prefix` is where its document starts in pointers."""

    def __init__(self, name, method, path, body, headers=None, stores=True):
        self.name, self.method, self.path, self.body = name, method, path, body
        self.headers, self.stores = headers or {}, stores


def endpoints():
    star = {"If-Match": "*"}
    question = {
        "type": "longText",
        "text": "New?",
        "help": "H",
        "required": True,
        "private": False,
        "maxLength": 50,
        "visibleWhen": {"questionId": "yes", "equals": True},
        "sectionId": "s",
        "after": "text",
    }
    evaluation = {
        "kitId": "k",
        "kitRevision": 1,
        "candidate": {"id": "c", "name": "N"},
        "interviewer": {"id": "i", "name": "I"},
    }
    batch = {"operations": [{"operationId": "op-1", "itemId": "line", "value": "V", "comment": "C", "ifRevision": 1}]}
    answers = "/v1/evaluations/e/answers"
    return [
        Endpoint("create a kit", "POST", "/v1/kits", KIT),
        Endpoint("create a kit under an ID", "PUT", "/v1/kits/new", {**KIT, "id": "new"}),
        Endpoint("replace a kit", "PUT", "/v1/kits/k", {**KIT, "title": "Replaced"}, star),
        Endpoint("patch a kit", "PATCH", "/v1/kits/k", {"title": "P", "instructions": "I", "status": "draft"}, star),
        Endpoint("create a section", "POST", "/v1/kits/k/sections", {"id": "n", "title": "N", "after": "s"}),
        Endpoint("patch a section", "PATCH", "/v1/kits/k/sections/s", {"title": "P"}, star),
        Endpoint("move a section", "POST", "/v1/kits/k/sections/t/move", {"after": None}, star),
        Endpoint("create a question", "POST", "/v1/kits/k/questions", question),
        Endpoint(
            "patch a question",
            "PATCH",
            "/v1/kits/k/questions/text",
            {"text": "P", "help": "H", "required": False},
            star,
        ),
        Endpoint("move a question", "POST", "/v1/kits/k/questions/text/move", {"sectionId": "t", "after": None}, star),
        Endpoint("create an evaluation", "POST", "/v1/evaluations", evaluation),
        Endpoint("create an evaluation under an ID", "PUT", "/v1/evaluations/new", evaluation),
        Endpoint(
            "patch an evaluation", "PATCH", "/v1/evaluations/e", {"candidate": {"id": "c", "name": "Other"}}, star
        ),
        Endpoint(
            "write an answer", "PUT", f"{answers}/text", {"value": "V", "comment": "C", "notAssessed": False}, star
        ),
        Endpoint("patch an answer", "PATCH", f"{answers}/text", {"value": "W", "comment": "D"}, star),
        Endpoint("write answers in a batch", "PATCH", answers, batch),
        Endpoint(
            "measure unsaved text",
            "POST",
            "/v1/evaluations/e/layout?profile=ios&width=375",
            {"values": {"text": "T"}},
            stores=False,
        ),
        Endpoint("measure strings", "POST", "/v1/measure", MEASURE, stores=False),
    ]


class Suite:
    """Sends one bad request after the other and holds each reply to the rules of problem documents."""

    def __init__(self, server, tally):
        self.server, self.tally = server, tally

    def refused(self, name, statuses, method, path, body=None, headers=None, pointer=None):
        try:
            reply = self.server.request(method, path, body, headers)
        except Exception as error:
            self.tally.check(name, False, f"no reply: {error!r}")
            return
        statuses = statuses if isinstance(statuses, (set, tuple)) else {statuses}
        if reply.status == 200 and b'"operationId"' in (body or b""):
            reply = operation_reply(reply)
        fault = self.fault(reply, statuses, pointer)
        self.tally.check(name, fault is None, f"{fault}: {reply!r}")

    def fault(self, reply, statuses, pointer):
        """What is wrong with a problem document, or None."""
        if reply.status not in statuses:
            return f"status {reply.status}, wanted {sorted(statuses)}"
        if reply.headers.get("content-type", "").split(";")[0] != "application/problem+json":
            return f"content type {reply.headers.get('content-type')}"
        try:
            problem = reply.json
        except ValueError:
            return "no JSON"
        missing = {"type", "title", "status", "code", "requestId"} - set(problem)
        if missing:
            return f"without {sorted(missing)}"
        if problem["status"] != reply.status or problem["requestId"] != reply.headers.get("x-request-id"):
            return "status or requestId is not that of the reply"
        if reply.status == 422 and pointer is not None:
            found = [error["pointer"] for error in problem.get("errors", [])]
            if not any(each == pointer or each.startswith(pointer + "/") for each in found):
                return f"errors at {found}, none at {pointer!r}"
            if not all(error.get("code") and error.get("message") for error in problem["errors"]):
                return "an error without code or message"
        return None


def operation_reply(reply):
    """A batch refuses what is wrong with one operation by itself: its problem, as if it had been the reply."""
    result = reply.json["results"][0]
    headers = {**reply.headers, "content-type": "application/problem+json"}
    return Reply(result["status"], headers, json.dumps(result.get("problem")).encode())


def prepare(server):
    require(server.request("PUT", "/v1/kits/k", KIT), 201)
    require(server.request("PUT", "/v1/evaluations/e", {"kitId": "k", "candidate": {"id": "c", "name": "N"}}), 201)
    for item, value in (("text", "kept"), ("line", "kept too"), ("number", 3)):
        require(server.request("PUT", f"/v1/evaluations/e/answers/{item}", {"value": value}), 201)


def contents(server):
    """All that is stored, as documents and as row counts."""
    paths = [
        "/v1/kits?limit=200",
        "/v1/kits?limit=200&deleted=true",
        "/v1/kits/k",
        "/v1/evaluations?limit=200",
        "/v1/evaluations/e",
        "/v1/evaluations/e/answers/text/history",
    ]
    documents = {path: require(server.request("GET", path), 200).json for path in paths}
    return documents, row_counts(server.data)


def bodies(suite, endpoint):
    """Unreadable bodies, then each member spoilt in turn."""

    def refused(name, statuses, body, headers=None, pointer=None):
        fields = {**endpoint.headers, **(headers or {})}
        suite.refused(f"{endpoint.name}: {name}", statuses, endpoint.method, endpoint.path, body, fields, pointer)

    valid = json.dumps(endpoint.body, ensure_ascii=False).encode()
    for name, body, statuses in bad_documents.unreadable(valid):
        refused(name, statuses, body)
    for name, content_type in bad_documents.CONTENT_TYPES:
        refused(name, 415, valid, {"Content-Type": content_type})
    for name, pointer, document, statuses in bad_documents.spoilt(endpoint.body):
        refused(name, statuses, json.dumps(document).encode(), pointer=pointer)
    for name, document, statuses in bad_documents.doubled(endpoint.body):
        refused(name, statuses, document)


def run(tally):
    with Server() as server:
        prepare(server)
        before = contents(server)
        suite = Suite(server, tally)
        for endpoint in endpoints():
            bodies(suite, endpoint)
            documents, counts = contents(server)
            tally.check(
                f"{endpoint.name}: bad bodies store nothing",
                (documents, counts) == before,
                {name: (before[1].get(name), count) for name, count in counts.items() if before[1].get(name) != count},
            )
            before = documents, counts
        bad_kits.run(suite, KIT, QUESTIONS)
        bad_values.run(suite, KIT)
        documents, counts = contents(server)
        # A good value that only came too late is kept beside the history.
        lost = (before[1].pop("lost_answer"), counts.pop("lost_answer"))
        tally.equal("good values that lost a conflict are kept, bad ones are not", lost, (0, 3))
        for histories in (before[0], documents):
            histories["/v1/evaluations/e/answers/text/history"].pop("lostConflicts")
        tally.check(
            "bad values store nothing",
            (documents, counts) == before,
            {name: (before[1].get(name), count) for name, count in counts.items() if before[1].get(name) != count},
        )
        tally.check("the server is alive", server.is_alive() and server.request("GET", "/healthz").status == 200)
        for endpoint in endpoints():
            reply = server.request(endpoint.method, endpoint.path, endpoint.body, endpoint.headers)
            wanted = (200, 201)
            tally.check(f"{endpoint.name}: what was spoilt is good when it is not", reply.status in wanted, reply)
