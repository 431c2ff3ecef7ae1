# A kit is edited while an evaluation of it is open: the evaluation stays, moves when it is told, and loses nothing.

from service import Server, require

STAR = {"If-Match": "*"}


def run(tally):
    questions = [{"id": f"q{number}", "type": "longText", "text": f"Question {number}?"} for number in range(1, 4)]
    with Server() as server:
        require(server.request("POST", "/v1/kits", {"id": "k", "title": "K", "sections": [{"id": "s", "title": "S", "questions": questions}]}), 201)
        require(server.request("POST", "/v1/evaluations", {"id": "old", "kitId": "k", "candidate": {"id": "c", "name": "C"}}), 201)
        for number in range(1, 4):
            require(server.request("PUT", f"/v1/evaluations/old/answers/q{number}", {"value": f"said {number}"}), 201)
        require(server.request("DELETE", "/v1/kits/k/questions/q2", headers=STAR), 204)
        require(server.request("PATCH", "/v1/kits/k/questions/q1", {"text": "Reworded?"}, STAR), 200)
        require(server.request("POST", "/v1/evaluations", {"id": "new", "kitId": "k", "candidate": {"id": "c", "name": "C"}}), 201)
        old = server.request("GET", "/v1/evaluations/old?include=kit").json
        tally.equal("the old evaluation keeps its revision, wording and answers",
                    (old["kitRevision"], old["kit"]["sections"][0]["questions"][0]["text"], sorted(old["answers"])),
                    (1, "Question 1?", ["q1", "q2", "q3"]))
        new = server.request("GET", "/v1/evaluations/new?include=kit").json
        tally.equal("a new one has the new", (new["kitRevision"], [item["id"] for item in new["kit"]["sections"][0]["questions"]]),
                    (3, ["q1", "q3"]))
        diff = require(server.request("GET", "/v1/kits/k/diff?from=1&to=3"), 200).json
        tally.equal("the diff says what was done", ([item["id"] for item in diff["removed"]], [item["id"] for item in diff["reworded"]]),
                    (["q2"], ["q1"]))
        path = "/v1/evaluations/old/kitRevision"
        tried = require(server.request("PUT", path + "?dryRun=true", {"kitRevision": 3}), 200).json
        tally.equal("a try says what would retire", tried["retired"], ["q2"])
        moved = require(server.request("PUT", path, {"kitRevision": 3}, STAR), 200).json
        tally.equal("a retired answer is kept and listed", (moved["retired"], moved["answers"]["q2"]["value"]), (["q2"], "said 2"))
        require(server.request("POST", "/v1/kits/k/questions/q2/restore"), 200)
        back = require(server.request("PUT", path, {"kitRevision": 4}, STAR), 200).json
        tally.equal("and back in place when its question returns", (back["retired"], back["answers"]["q2"]["value"]), ([], "said 2"))
        copy = require(server.request("POST", "/v1/kits/k/copy", headers={"Idempotency-Key": "copy"}), 201).json
        again = require(server.request("POST", "/v1/kits/k/copy", headers={"Idempotency-Key": "copy"}), 201).json
        tally.equal("a copy is made once", again, copy)
        tally.check("with new IDs", copy["idMap"]["q1"] != "q1" and copy["idMap"]["k"] == copy["id"], copy["idMap"])
