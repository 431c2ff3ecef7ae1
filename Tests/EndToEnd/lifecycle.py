# An evaluation from draft to submitted and back, asked of a running server that is killed in between.

from service import Server, require

STAR = {"If-Match": "*"}


def prepare(server):
    questions = [
        {"id": "why", "type": "longText", "text": "Why?", "required": True},
        {"id": "sure", "type": "yesNo", "text": "Sure?"},
        {"id": "hidden", "type": "longText", "text": "What then?", "required": True,
         "visibleWhen": {"questionId": "sure", "equals": False}},
        {"id": "card", "type": "scorecard", "text": "Skills", "scale": "fourPoint", "required": True,
         "criteria": [{"id": "depth", "text": "Depth"}, {"id": "breadth", "text": "Breadth"}]}]
    require(server.request("POST", "/v1/kits", {"id": "k", "title": "K", "sections": [{"id": "s", "title": "S", "questions": questions}]}), 201)
    require(server.request("POST", "/v1/evaluations", {"id": "e", "kitId": "k", "candidate": {"id": "c", "name": "C"}}), 201)


def missing(server):
    reply = server.request("POST", "/v1/evaluations/e/submit")
    return [error["itemId"] for error in reply.json["errors"]] if reply.status == 422 else reply.status


def run(tally):
    with Server() as server:
        prepare(server)
        answer = lambda item, value: require(server.request("PUT", f"/v1/evaluations/e/answers/{item}", {"value": value}, STAR), 201)
        tally.equal("submit lists every required item without an answer", missing(server), ["why", "depth", "breadth"])
        answer("sure", False)
        tally.equal("a question that is shown is missed", missing(server), ["why", "hidden", "depth", "breadth"])
        for item, value in (("why", "W"), ("hidden", "H"), ("depth", "fourPoint.yes"), ("breadth", "fourPoint.no")):
            answer(item, value)
        submitted = require(server.request("POST", "/v1/evaluations/e/submit", {"ifRevision": 6}), 200)
        tally.equal("submitted", (submitted.json["status"], submitted.json["progress"]["missing"]), ("submitted", 0))
        again = require(server.request("POST", "/v1/evaluations/e/submit"), 200)
        tally.equal("twice is the same", again.body, submitted.body)
        late = server.request("PUT", "/v1/evaluations/e/answers/why", {"value": "late"}, STAR)
        tally.equal("its answers are frozen", (late.status, late.json["code"]), (409, "evaluationNotDraft"))
        data = server.data
        server.kill()
        with Server(data) as server:
            tally.equal("and stay so", server.request("PUT", "/v1/evaluations/e/answers/why", {"value": "late"}, STAR).status, 409)
            require(server.request("POST", "/v1/evaluations/e/reopen", {"reason": "A slip"}), 200)
            tally.equal("reopened, it takes answers", server.request("PUT", "/v1/evaluations/e/answers/why", {"value": "in time"}, STAR).status, 200)
            require(server.request("POST", "/v1/evaluations/e/withdraw"), 200)
            history = require(server.request("GET", "/v1/evaluations/e/history"), 200).json["items"]
            tally.equal("its history says what happened", [(item["kind"], item["reason"]) for item in history],
                        [("withdrawn", None), ("reopened", "A slip"), ("submitted", None), ("created", None)])
