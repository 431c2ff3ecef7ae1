# Walks every route of a running server and holds each reply to /openapi.json: statuses, headers, and every member.

import copy
import json
import re

from described import Described
from openapi_access import members, strangers, throttled
from service import Server, require

STAR = {"If-Match": "*"}
MERGE = {"Content-Type": "application/merge-patch+json"}
VIEW = "profile=ios&width=375"
KIT = {
    "title": "Described",
    "language": "en",
    "instructions": "Be kind.",
    "overallQuestionId": "hire",
    "scales": [{"id": "own", "title": "Own", "points": [{"id": "low", "label": "Low"}, {"id": "high", "label": "High"}]}],
    "sections": [
        {
            "id": "s1",
            "title": "First",
            "questions": [
                {
                    "id": "long",
                    "type": "longText",
                    "text": "What did you build?",
                    "help": "Say how.",
                    "maxLength": 2000,
                },
                {"id": "gate", "type": "yesNo", "text": "More?", "required": True},
                {
                    "id": "then",
                    "type": "multiSelect",
                    "text": "Which?",
                    "options": [{"id": "a", "text": "A"}, {"text": "B"}],
                    "visibleWhen": {"questionId": "gate", "equals": True},
                },
            ],
        },
        {
            "id": "s2",
            "title": "Second",
            "questions": [
                {"id": "one", "type": "singleSelect", "text": "One?", "options": [{"id": "x", "text": "X"}]},
                {"id": "hire", "type": "rating", "text": "Hire?", "scale": "fourPoint", "private": True},
                {
                    "id": "card",
                    "type": "scorecard",
                    "text": "Card",
                    "scale": "own",
                    "criteria": [{"id": "clear", "text": "Clear"}, {"id": "kind", "text": "Kind"}],
                },
                {"id": "count", "type": "number", "text": "How many?"},
                {"id": "day", "type": "date", "text": "When?"},
                {"id": "note", "type": "note", "text": "Thank you. \U0010fffd"},
            ],
        },
    ],
}
EVALUATION = {"kitId": "k", "candidate": {"id": "c", "name": "C"}, "interviewer": {"id": "me"}}
MARKDOWN = b"# Imported\n\nprose\n\n## Section\n\n- What is new?\n  - And then?\n- [link](https://example.org)\n"
ANSWERS = {
    "gate": True,
    "then": ["a"],
    "one": "x",
    "hire": "fourPoint.yes",
    "clear": "low",
    "count": 2.5,
    "day": "2026-11-30",
    "long": "word " * 60,
}


class Walk:
    """Sends requests and keeps what was seen of each operation."""

    def __init__(self, server, tally):
        self.client, self.tally = server.client(), tally
        self.described = Described(require(self.client.request("GET", "/openapi.json"), 200).json)
        self.seen, self.last = {}, {}
        # The walk's own token, and one of each other role.
        self.token, self.others = None, {}

    def send(self, method, target, body=None, headers=None):
        """A request whose reply must be as described, and which must be so itself when it is taken."""
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if method == "PATCH" and not target.partition("?")[0].endswith("/answers"):
            headers.setdefault(*MERGE.copy().popitem())
        reply = self.client.request(method, target, body, headers)
        name = f"{method} {target} {headers} {str(body)[:200]}"
        template, _, operation = self.described.operation(method, target.partition("?")[0])
        if operation is None:
            self.tally.check(f"{name} is described", False, reply)
            return reply
        faults = self.described.reply_faults(method, target, reply)
        self.tally.check(f"{name}: {reply.status} is as described", not faults, f"{faults[:5]} in {reply}")
        if reply.status >= 400:
            self.problem(name, reply.json)
        # Each operation of a batch is judged by itself.
        parts = reply.json.get("results", []) if template.endswith("/answers") and method == "PATCH" else []
        if reply.status < 300 and not any(part["status"] >= 400 for part in parts):
            faults = self.described.request_faults(method, target, body, headers)
            self.tally.check(f"{name}: what is taken is described", not faults, faults[:5])
        self.seen.setdefault((method, template), set()).add(reply.status)
        return reply

    def problem(self, name, problem):
        """A problem is as the example of its code says, but for what it says of this request."""
        examples = self.described.document["components"]["examples"]
        same = [example["value"] for key, example in examples.items() if key.split(".")[:2] == ["Problem", problem["code"]]]
        fixed = {(one["type"], one["title"], one["status"]) for one in same}
        told = (problem["type"], problem["title"], problem["status"])
        self.tally.check(f"{name}: the problem {problem['code']} has an example like it", told in fixed, fixed)

    def good(self, method, target, body=None, headers=None):
        """A request that succeeds; a tagged read is asked again with its tag."""
        reply = self.send(method, target, body, headers)
        self.tally.check(f"{method} {target} succeeds", reply.status < 300, reply)
        if method == "GET" and reply.tag:
            known = self.send(method, target, headers={**(headers or {}), "If-None-Match": reply.tag})
            self.tally.equal(f"{method} {target} with its tag", known.status, 304)
            other = self.send(method, target, headers={**(headers or {}), "If-Match": '"other"'})
            self.tally.equal(f"{method} {target} with another tag in If-Match", other.status, 412)
        self.last[(method, self.described.operation(method, target.partition("?")[0])[0])] = (target, body, headers)
        return reply

    def conditional(self, method, target, body=None, needs=True):
        """A write that says what it saw: wrong ways first, then with If-Match."""
        for headers, status in (({"If-Match": '"999"'}, 412), ({"If-Match": "bad"}, 400)) + (({}, 428),) * needs:
            self.tally.equal(f"{method} {target} {headers}", self.send(method, target, body, headers).status, status)
        return self.good(method, target, body, STAR)


def kits(walk):
    walk.good("POST", "/v1/kits", {"id": "k", **KIT})
    walk.good("POST", "/v1/kits?dryRun=true", {"id": "dry", **KIT})
    walk.good("POST", "/v1/kits?title=Named", MARKDOWN, {"Content-Type": "text/markdown"})
    walk.good("POST", "/v1/kits", b"section,question,color\nS,Why?,red\n", {"Content-Type": "text/csv"})
    walk.send("POST", "/v1/kits", b"\xff\xfe\xff", {"Content-Type": "text/markdown"})
    read = walk.good("GET", "/v1/kits/k").json
    for kind in ("text/markdown", "text/csv", "application/json"):
        walk.good("GET", "/v1/kits/k", headers={"Accept": kind})
        walk.good("GET", "/v1/kits/k/revisions/1", headers={"Accept": kind})
    walk.conditional("PUT", "/v1/kits/k", {**read, "title": "Put"})
    walk.good("PUT", "/v1/kits/new", {"title": "New"}, {"If-None-Match": "*"})
    walk.good("PUT", "/v1/kits/new?dryRun=false", {"title": "New"})
    walk.conditional("PATCH", "/v1/kits/k", {"title": "Patched", "instructions": None})
    walk.send("PATCH", "/v1/kits/k", {"scales": []}, STAR)
    walk.conditional("DELETE", "/v1/kits/new")
    walk.send("POST", "/v1/kits", {"id": "new", "title": "Taken"})
    for query in ("", "?limit=1&q=a", "?status=active", "?deleted=true", "?limit=0", "?status=gone", "?cursor=nope"):
        walk.send("GET", f"/v1/kits{query}")
    walk.good("GET", "/v1/kits?limit=1")
    walk.good("POST", "/v1/kits/new/restore")


def items(walk):
    base = "/v1/kits/k"
    for kind, other, one in (
        ("sections", {"title": "More", "questions": [{"type": "note", "text": "N"}]}, "title"),
        ("questions", {"type": "shortText", "text": "More?", "sectionId": "s1", "after": "long"}, "text"),
    ):
        path = f"{base}/{kind}"
        walk.good("POST", path, {**other, "id": f"{kind}-1"})
        walk.good("PUT", f"{path}/{kind}-2", {**other, "after": None}, {"If-None-Match": "*"})
        walk.good("GET", f"{path}/{kind}-2")
        name = f"{path}/{kind}-1"
        body = {key: value for key, value in other.items() if key not in ("after", "questions")}
        walk.conditional("PUT", name, {**body, one: "Put"})
        walk.conditional("PATCH", name, {one: "Patched"})
        walk.conditional("POST", f"{name}/move", {"after": None})
        walk.conditional("DELETE", name)
        walk.good("GET", f"{path}?deleted=true")
        walk.good("POST", f"{name}/restore")
        walk.send("POST", path, {**other, "id": "long"})
        walk.good("GET", path)
        walk.good("GET", f"{path}?limit=1&cursor=" + walk.good("GET", f"{path}?limit=1").json["nextCursor"])
    walk.send("DELETE", f"{base}/questions/gate", headers=STAR)


def evaluations(walk):
    walk.good("POST", "/v1/evaluations", {"id": "e", **EVALUATION})
    walk.send("POST", "/v1/evaluations", {"id": "e", **EVALUATION})
    walk.good("PUT", "/v1/evaluations/e2", {**EVALUATION, "interviewer": None, "kitRevision": 1})
    walk.good("PUT", "/v1/evaluations/e2", {**EVALUATION, "interviewer": None, "kitRevision": 1})
    for query in ("", "?kit=k&status=draft", "?interviewer=me", "?candidate=c&limit=1", "?status=gone", "?kit=-"):
        walk.send("GET", f"/v1/evaluations{query}")
    walk.good("GET", "/v1/evaluations")
    walk.conditional("PATCH", "/v1/evaluations/e", {"candidate": {"name": "D"}})
    walk.send("PUT", "/v1/evaluations/e", {**EVALUATION, "candidate": {"id": "other"}})
    walk.send("PUT", "/v1/evaluations/e", EVALUATION, {"If-None-Match": "*"})
    walk.send("PUT", "/v1/evaluations/e4", EVALUATION, {"If-Match": '"1"'})
    walk.send("PUT", "/v1/evaluations/e3", {**EVALUATION, "kitId": "nope"})
    for query in ("", "?include=kit", f"?include=kit,layout&parts=true&{VIEW},667", "?include=layout", "?include=all"):
        walk.send("GET", f"/v1/evaluations/e{query}")
    walk.good("GET", "/v1/evaluations/e")


def answers(walk):
    base = "/v1/evaluations/e/answers"
    for name, value in ANSWERS.items():
        walk.good("PUT", f"{base}/{name}?{VIEW},320&parts=true", {"value": value})
        walk.good("GET", f"{base}/{name}")
    walk.conditional("PUT", f"{base}/long", {"value": "short", "comment": "C"})
    walk.conditional("PATCH", f"{base}/count?profile=web&width=300", {"value": None, "notAssessed": True})
    walk.good("PATCH", f"{base}/kind", {"value": "high"})
    walk.good("DELETE", f"{base}/clear?profile=android&width=300&fontScale=1.3&parts=true", headers=STAR)
    walk.conditional("DELETE", f"{base}/long")
    walk.good("PUT", f"{base}/long?{VIEW}&parts=true", {"value": "word \U0010fffd " * 90}, STAR)
    walk.good("GET", f"{base}/long/history?limit=2")
    operations = [
        {"operationId": "1", "itemId": "gate", "ifRevision": 1, "value": False},
        {"itemId": "one", "value": "nope", "ifRevision": 1},
        {"itemId": "day", "value": None},
        {"itemId": "nope", "value": 1},
    ]
    walk.good("PATCH", f"{base}?{VIEW},414&parts=true", {"operations": operations})
    walk.send("PATCH", base, {"operations": operations}, STAR)
    walk.good("GET", base)


def lifecycle(walk):
    base = "/v1/evaluations/e"
    walk.send("POST", "/v1/evaluations/e2/submit")
    for method, path, body in (
        ("POST", f"{base}/submit", {"ifRevision": 1}),
        ("POST", f"{base}/submit", {}),
        ("POST", f"{base}/submit", None),
    ):
        walk.send(method, path, body, {"If-Match": '"999"'})
    walk.conditional("POST", f"{base}/submit", {}, needs=False)
    walk.send("PUT", f"{base}/answers/long", {"value": "frozen"}, STAR)
    walk.send("PATCH", base, {"candidate": {"name": "E"}}, STAR)
    walk.conditional("POST", f"{base}/reopen", {"reason": "One more thing."}, needs=False)
    walk.conditional("POST", f"{base}/withdraw", needs=False)
    walk.good("GET", f"{base}/history")
    walk.good("POST", f"{base}/reopen", {"reason": "Again."})


def revisions(walk):
    base = "/v1/kits/k"
    walk.good("GET", f"{base}/diff?from=1")
    walk.good("GET", f"{base}/diff?from=1&to=2")
    for query in ("", "?from=0", "?from=999"):
        walk.send("GET", f"{base}/diff{query}")
    walk.good("POST", f"{base}/copy", headers={"Idempotency-Key": "copy"})
    walk.good("POST", f"{base}/copy", {"title": "Copied"})
    walk.good("POST", f"{base}/questions/card/copy")
    walk.good("PUT", "/v1/evaluations/e/kitRevision?dryRun=true", {"kitRevision": 2})
    walk.send("PUT", "/v1/evaluations/e/kitRevision", {"kitRevision": 999}, STAR)
    walk.conditional("PUT", "/v1/evaluations/e/kitRevision", {"kitRevision": 2})


def exports(walk):
    for kind in ("text/csv", "text/markdown", "application/json"):
        walk.good("GET", "/v1/evaluations/e", headers={"Accept": kind})
        walk.good("GET", "/v1/kits/k/evaluations", headers={"Accept": kind})


def changes(walk):
    page = walk.good("GET", "/v1/changes?limit=2").json
    walk.good("GET", f"/v1/changes?cursor={page['nextCursor']}&kit=k")
    walk.good("GET", f"/v1/changes?since={page['sequence']}&evaluation=e&limit=200")
    walk.good("GET", "/v1/changes?limit=200&profile=ios&width=375,667")
    for query in ("?since=nope", "?since=other-1", "?since=999999"):
        walk.send("GET", f"/v1/changes{query}")


def layouts(walk):
    own = {"extends": "ios@1", "slots": {"counter": {"height": 18}}, "notes": None}
    own["rows"] = {"longText": {"parts": ["text", "answer", "counter"]}}
    walk.good("PUT", "/v1/profiles/own", own)
    walk.conditional("PUT", "/v1/profiles/own", {**own, "description": "Ours"})
    walk.send("PUT", "/v1/profiles/own@1", own, STAR)
    walk.send("PUT", "/v1/profiles/own", {"extends": "none"}, STAR)
    walk.good("GET", "/v1/kits/k/layout?profile=own&width=300&slots=counter:30&parts=true")
    profiles = walk.good("GET", "/v1/profiles").json["items"]
    walk.send("GET", "/v1/profiles?limit=1")
    for profile in profiles:
        walk.good("GET", f"/v1/profiles/{profile['id']}")
        size = f"contentSize={profile['contentSizes'][-1]}" if "contentSizes" in profile else "fontScale=1.5"
        view = f"profile={profile['name']}&width=400&{size}&scale=2&locale=ko&parts=true"
        walk.good("GET", f"/v1/kits/k/layout?{view}")
        walk.good("GET", f"/v1/evaluations/e/layout?{view}")
        walk.good("POST", f"/v1/evaluations/e/layout?{view}", {"values": {"long": "unsaved " * 40}})
        for mode in profile["modes"]:
            text = {
                "id": "1",
                "text": "Some text \U0010fffd",
                "width": 90,
                "options": {"lineStarts": True, "insets": 2},
            }
            body = {"profile": profile["id"], "mode": mode, "width": 200, "texts": [{"id": "0", "text": ""}, text]}
            walk.good("POST", "/v1/measure", body)
    for query in ("", "?profile=ios", "?width=375", f"?{VIEW},667", f"?{VIEW}&width=1", "?profile=None&width=300"):
        for path in ("/v1/kits/k/layout", "/v1/evaluations/e/layout"):
            faults = walk.described.request_faults("GET", path + query, None, {})
            reply = walk.send("GET", path + query)
            walk.tally.equal(f"{path}{query} is refused", reply.status, 422)
            walk.tally.check(f"{path}{query} is described as wrong", faults or "width=1" in query)
    for name in ("/v1/fonts", "/version", "/openapi.json", "/healthz", "/readyz", "/metrics"):
        walk.good("GET", name)


def refusals(walk):
    """What every operation refuses alike, asked of each with the last request that it took."""
    bearer = {"Authorization": f"Bearer {walk.token}"} if walk.token else {}
    for (method, template), (target, body, headers) in sorted(walk.last.items()):
        path, headers = target.partition("?")[0], headers or {}
        operation = walk.described.operations[(method, template)]
        if "404" in operation["responses"]:
            missing = re.sub(r"\{\w+\}", "nope", template.replace("{revision}", "99")) + target[len(path) :]
            # A PUT with If-Match says that it is there, which is 412.
            plain = {name: value for name, value in headers.items() if name != "If-Match" or method != "PUT"}
            walk.tally.equal(f"{method} {missing}", walk.send(method, missing, body, plain).status, 404)
        bogus, strict = f"{path}?bogus=1", path.startswith("/v1/")
        reply = walk.send(method, bogus, body, headers) if strict else walk.client.request(method, bogus, headers=bearer)
        walk.tally.equal(f"{method} {bogus}", reply.status, 422 if strict else 200)
        walk.tally.equal(f"{method} {path}?%", walk.send(method, f"{path}?a=%zz", body, headers).status, 400)
        picture = walk.send(method, target, body, {**headers, "Accept": "image/png"})
        walk.tally.equal(f"{method} {path} as a picture", picture.status, 406)
        if body is not None:
            conditions = STAR if "428" in operation["responses"] else {}
            for kind, data, status in (("image/png", b"x", 415), (None, b"{", 400), (None, b"[]", 422)):
                types = {} if kind is None else {"Content-Type": kind}
                if kind is None and headers.get("Content-Type", "").startswith("text/"):
                    types = {"Content-Type": "application/json"}
                reply = walk.send(method, target, data, {**headers, **types, **conditions})
                walk.tally.equal(f"{method} {path} with {data} of {kind}", reply.status, status)


def mutations(value):
    """A document with one thing changed, in every place."""
    yield from (other for other in (None, True, "", "x", -1, 1.5, [], {}) if type(other) is not type(value))
    if isinstance(value, dict):
        yield {**value, "bogus": 1}
        for name in value:
            yield {other: item for other, item in value.items() if other != name}
            for changed in mutations(value[name]):
                yield {**value, name: changed}
    if isinstance(value, list) and value:
        for changed in mutations(value[0]):
            yield [changed, *copy.deepcopy(value[1:])]


def mutated(walk):
    """Bodies with one thing changed: what is not described is not taken, and no reply is a surprise."""
    walk.send("POST", "/v1/evaluations", {"id": "m", **EVALUATION})
    question = copy.deepcopy(KIT["sections"][0]["questions"][2])
    measure = {
        "profile": "ios", "width": 300, "scale": 2, "locale": "en", "font": {"size": 12, "weight": 400},
        "options": {"tabs": {"spaces": 4}, "insets": {"top": 1}}, "texts": [{"id": "a", "text": "b"}],
    }  # fmt: skip
    small = {
        **KIT,
        "sections": [{"id": "s1", "title": "S", "questions": [question, KIT["sections"][0]["questions"][1]]}],
    }
    small["overallQuestionId"] = None
    for method, target, body in (
        ("POST", "/v1/kits?dryRun=true", small),
        ("PATCH", "/v1/kits/new", {"title": "M", "status": "draft", "visibility": "never", "language": "de"}),
        ("PUT", "/v1/kits/k/questions/then", {**question, "revision": 1}),
        ("PATCH", "/v1/kits/k/questions/then", question),
        ("PUT", "/v1/kits/k/sections/s2", {"title": "M"}),
        ("POST", "/v1/kits/k/questions/long/move", {"sectionId": "s1", "after": None}),
        ("PUT", "/v1/evaluations/m", {"id": "m", **EVALUATION, "kitRevision": 1}),
        ("PATCH", "/v1/evaluations/m", {"candidate": {"id": "c", "name": "C"}, "interviewer": {"id": "i"}}),
        ("PUT", f"/v1/evaluations/m/answers/long?{VIEW}", {"value": "V", "comment": "C", "notAssessed": False}),
        ("PATCH", f"/v1/evaluations/m/answers/then?{VIEW}", {"value": ["a"], "comment": "C"}),
        ("PATCH", "/v1/evaluations/m/answers", {"operations": [{"itemId": "gate", "ifRevision": 0, "value": True}]}),
        ("POST", f"/v1/evaluations/m/layout?{VIEW}", {"values": {"long": "V"}}),
        ("POST", "/v1/measure", measure),
        ("POST", "/v1/evaluations/m/submit", {"ifRevision": 99}),
        ("POST", "/v1/evaluations/m/reopen", {"reason": "R"}),
    ):
        headers = {} if target.endswith("/answers") or method == "POST" and not target.endswith("/move") else STAR
        for changed in mutations(body):
            walk.send(
                method, target, changed if isinstance(changed, (dict, list)) else json.dumps(changed).encode(), headers
            )


def run(tally):
    with Server() as server:
        walk = Walk(server, tally)
        for part in (
            kits, items, evaluations, answers, lifecycle, revisions, exports, changes, layouts, members, refusals, strangers, throttled,
        ):
            part(walk)
        # 409, 410 and 413 need more than one request can bring about everywhere.
        for key, operation in walk.described.operations.items():
            never = {int(status) for status in operation["responses"] if status not in ("default", "409", "410", "413")}
            tally.equal(f"{key} answers with all that it declares", never - walk.seen.get(key, set()), set())
        mutated(walk)
        tally.check("the server is alive", server.is_alive())
