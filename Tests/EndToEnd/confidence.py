# What is answered in confidence, and what is not submitted yet, as other members see it: not at all.

import re

from service import Server, bearer, require

MEMBERS = [("kim", "interviewer"), ("lee", "interviewer"), ("eve", "observer")]
QUESTIONS = [
    {"id": "q1", "type": "longText", "text": "In confidence?", "private": True},
    {"id": "q2", "type": "longText", "text": "Openly?"},
    {"id": "q3", "type": "yesNo", "text": "Sure?", "private": True},
    {"id": "q4", "type": "longText", "text": "Why?", "visibleWhen": {"questionId": "q3", "equals": True}},
]


def confide(server, tokens, confiding):
    """Kim's evaluation, with or without private answers; then the kit forgets that they are, and the evaluation moves."""
    def ask(who, method, target, body=None, wants=200):
        head = {**bearer(tokens[who]), "If-Match": "*"} if method in ("PUT", "PATCH", "DELETE") else bearer(tokens[who])
        if wants == 201:
            head.pop("If-Match", None)
        return require(server.request(method, target, body, head), wants)

    kit = {"title": "Kit", "visibility": "always", "sections": [{"id": "s", "title": "S", "questions": QUESTIONS}]}
    ask("boss", "PUT", "/v1/kits/kit", kit, 201)
    ask("kim", "PUT", "/v1/evaluations/e", {"kitId": "kit", "candidate": {"id": "c", "name": "C"}}, 201)
    answers = {"q1": "zebra", "q3": True, "q4": "zebra, because"} if confiding else {}
    for item, value in answers.items():
        ask("kim", "PUT", f"/v1/evaluations/e/answers/{item}", {"value": value}, 201)
    ask("kim", "PUT", "/v1/evaluations/e/answers/q2", {"value": "open"}, 201)
    for question in ("q1", "q3"):
        ask("boss", "PATCH", f"/v1/kits/kit/questions/{question}", {"private": False})
    ask("kim", "PUT", "/v1/evaluations/e/kitRevision", {"kitRevision": 3})
    ask("kim", "POST", "/v1/evaluations/e/submit")


def told(server, token):
    """Everything that is told of the evaluation, but where the feed stands and what the clock says."""
    view = "profile=ios&width=300"
    base = "/v1/evaluations/e"
    targets = ["/v1/evaluations", base, f"{base}?include=kit,layout&{view}", f"{base}/history", f"{base}/answers", f"{base}/layout?{view}&parts=true",
               f"/v1/changes?{view}", "/v1/kits/kit/evaluations", "/v1/kits/kit", "/v1/kits"]
    targets += [f"{base}/answers/{item}{end}" for item in ("q1", "q2", "q3", "q4") for end in ("", "/history")]
    replies = {}
    for target in targets:
        for accept in ("application/json", "text/csv", "text/markdown"):
            reply = server.request("GET", target, headers={**bearer(token), "Accept": accept})
            body = re.sub(rb'\d{4}-\d\d-\d\dT[\d:.]+Z|"sequence":("[^"]*"|\d+)|"requestId":"[^"]*"', b"", reply.body)
            fields = {name: value for name, value in reply.headers.items() if name not in ("date", "x-request-id", "content-length")}
            replies[target, accept] = (reply.status, fields, body)
    return replies


def run(tally):
    """Two services that differ in private answers alone tell others the same, to the byte, also once the kit forgot its flag."""
    worlds = []
    for confiding in (True, False):
        with Server() as server:
            tokens = {"boss": require(server.request("POST", "/v1/tokens", {"name": "boss", "role": "admin"}), 201).json["token"]}
            for name, role in MEMBERS:
                made = server.request("POST", "/v1/tokens", {"name": name, "role": role}, bearer(tokens["boss"]))
                tokens[name] = require(made, 201).json["token"]
            confide(server, tokens, confiding)
            worlds.append({who: told(server, tokens[who]) for who in tokens})
            if not confiding:
                run_sight(tally, server, tokens)
    for who in ("lee", "eve"):
        for asked, reply in worlds[0][who].items():
            tally.equal(f"{who} {asked}", reply, worlds[1][who][asked])
            tally.check(f"{who} {asked} has no secret", b"zebra" not in reply[2], reply)
    for who in ("kim", "boss"):
        tally.check(f"{who} is told", b"zebra" in worlds[0][who]["/v1/evaluations/e", "application/json"][2])


def run_sight(tally, server, tokens):
    """Sight opens by a submission that says something."""
    kit = {"title": "Blind", "sections": [{"id": "s", "title": "S", "questions": [{"id": "q", "type": "shortText", "text": "Q?"}]}]}
    require(server.request("PUT", "/v1/kits/blind", kit, bearer(tokens["boss"])), 201)
    for who in ("kim", "lee"):
        body = {"kitId": "blind", "candidate": {"id": "d"}}
        require(server.request("PUT", f"/v1/evaluations/{who}", body, bearer(tokens[who])), 201)
    require(server.request("PUT", "/v1/evaluations/kim/answers/q", {"value": "x"}, bearer(tokens["kim"])), 201)
    require(server.request("POST", "/v1/evaluations/kim/submit", None, bearer(tokens["kim"])), 200)
    statuses = []
    for value in (None, "mine"):
        if value:
            require(server.request("POST", "/v1/evaluations/lee/reopen", {"reason": "r"}, bearer(tokens["lee"])), 200)
            require(server.request("PUT", "/v1/evaluations/lee/answers/q", {"value": value}, bearer(tokens["lee"])), 201)
        require(server.request("POST", "/v1/evaluations/lee/submit", None, bearer(tokens["lee"])), 200)
        statuses.append(server.request("GET", "/v1/evaluations/kim", headers=bearer(tokens["lee"])).status)
    tally.equal("an empty submission opens nothing, an answer does", statuses, [404, 200])
