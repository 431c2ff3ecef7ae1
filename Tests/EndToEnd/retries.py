# Writes sent again because their reply was lost, by many at once and after the server was killed: each has its effect once.

import threading

from service import Server, require, row_counts

TABLES = ("kit", "evaluation", "answer", "answer_history", "change")


def at_once(count, send):
    replies = []
    threads = [threading.Thread(target=lambda: replies.append(send())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return replies


def counts(data):
    rows = row_counts(data)
    return {name: rows[name] for name in TABLES}


def run(tally):
    kit = {"id": "k", "title": "K", "sections": [{"id": "s", "title": "S", "questions": [
        {"id": "q", "type": "longText", "text": "Why?"}]}]}
    new = {"kitId": "k", "candidate": {"id": "c", "name": "C"}}
    with Server() as server:
        require(server.request("POST", "/v1/kits", kit), 201)
        create = lambda: server.request("POST", "/v1/evaluations", new, {"Idempotency-Key": "create"})
        replies = at_once(10, create)
        tally.equal("ten racing posts make one record", len({reply.json["id"] for reply in replies}), 1)
        tally.equal("and each says 201", {reply.status for reply in replies}, {201})
        path = f"/v1/evaluations/{replies[0].json['id']}"
        batch = {"operations": [{"operationId": f"o{number}", "itemId": "q", "value": f"v{number}", "ifRevision": number}
                                for number in range(50)]}
        first = require(server.request("PATCH", f"{path}/answers", batch), 200)
        put = lambda: server.request("PUT", f"{path}/answers/q", {"value": "put"}, {"If-Match": '"50"', "Idempotency-Key": "put"})
        written = require(put(), 200)
        data = server.data
        server.kill()
        with Server(data) as server:
            before = counts(data)
            again = create()
            told = lambda reply: {name: value for name, value in reply.json.items() if name != "sequence"}
            tally.equal("after a restart the post is given again", (again.status, told(again)), (201, told(replies[0])))
            tally.equal("a put sent again gets its own outcome", put().body, written.body)
            repeated = require(server.request("PATCH", f"{path}/answers", batch), 200)
            tally.equal("a repeated batch has the same results", repeated.json["results"], first.json["results"])
            tally.equal("and none of it has another effect", counts(data), before)
            other = server.request("POST", "/v1/evaluations", {**new, "kitRevision": 1}, {"Idempotency-Key": "create"})
            tally.equal("the same key with another request is refused", (other.status, other.json["code"]),
                        (422, "idempotencyKeyReused"))
            late = {"operations": [{"operationId": "late", "itemId": "q", "value": "old", "ifRevision": 3}]}
            result = require(server.request("PATCH", f"{path}/answers", late), 200).json["results"][0]
            tally.equal("an older save that arrives late replaces nothing", result["status"], 412)
            tally.equal("both values are side by side", (result["problem"]["current"]["value"], result["problem"]["sent"]["value"]),
                        ("put", "old"))
            tally.equal("what was written stays", server.request("GET", f"{path}/answers/q").json["value"], "put")
