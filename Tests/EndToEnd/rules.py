# The rules that clients rely on, asked of a running server: tags, preconditions, trash, places, lists, evaluations.

import gzip
import re

from service import Server, require

STAR = {"If-Match": "*"}
UUID7 = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")


def question(identifier, text="Why?", **more):
    return {"id": identifier, "type": "longText", "text": text, **more}


def kit(identifier, *questions, **more):
    return {
        "id": identifier,
        "title": identifier,
        "sections": [{"id": "s", "title": "S", "questions": list(questions)}],
        **more,
    }


def kits(server, tally):
    made = require(server.request("POST", "/v1/kits", {"title": "Made by the server"}), 201)
    tally.check("the server makes UUIDv7 IDs", UUID7.match(made.json["id"]), made.json["id"])
    tally.equal("a new kit has a Location", made.headers.get("location"), f"/v1/kits/{made.json['id']}")
    tally.check(
        "times are RFC 3339 in UTC with milliseconds", TIME.match(made.json["createdAt"]), made.json["createdAt"]
    )
    tally.equal(
        "a new kit is active, at revision 1",
        (made.json["status"], made.json["revision"], made.tag),
        ("active", 1, '"1"'),
    )
    path = f"/v1/kits/{made.json['id']}"
    read = server.request("GET", path)
    head = server.request("HEAD", path)
    tally.equal(
        "HEAD says what GET says, without the body",
        (head.status, head.tag, head.headers["content-length"], head.body),
        (200, read.tag, str(len(read.body)), b""),
    )
    tally.check(
        "OPTIONS names what is possible",
        {"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"}
        <= set(re.split(r",\s*", server.request("OPTIONS", path).headers.get("allow", ""))),
    )
    packed = server.request("GET", path, headers={"Accept-Encoding": "gzip"})
    if packed.headers.get("content-encoding") == "gzip":
        tally.equal("a compressed reply holds the same", gzip.decompress(packed.body), read.body)
        tally.equal("and has its own tag", packed.tag, '"1-gzip"')
    patched = require(
        server.request("PATCH", path, {"title": "P", "instructions": "I"}, {"If-Match": '"9", "1-gzip"'}), 200
    )
    tally.equal("a patch is a revision", (patched.json["revision"], patched.tag), (2, '"2"'))
    for name, headers in (("without a precondition", {}), ("with a stale one", {"If-Match": '"1"'})):
        same = server.request("PATCH", path, {"title": "P"}, headers)
        tally.equal(f"a write that changes nothing passes {name}", (same.status, same.tag), (200, '"2"'))
    tally.equal(
        "null clears and absent stays",
        [
            require(server.request("PATCH", path, {"instructions": None}, STAR), 200).json[name]
            for name in ("title", "instructions")
        ],
        ["P", None],
    )
    tally.equal(
        "304 when the client has it", server.request("GET", path, headers={"If-None-Match": 'W/"3", "x"'}).status, 304
    )
    tally.equal(
        "an old revision reads as it was",
        server.request("GET", f"{path}/revisions/1").json["title"],
        "Made by the server",
    )


def trash(server, tally):
    require(server.request("POST", "/v1/kits", kit("bin", question("a"), question("b"), question("c"))), 201)
    require(
        server.request("POST", "/v1/evaluations", {"id": "bin", "kitId": "bin", "candidate": {"id": "c", "name": "C"}}),
        201,
    )
    require(server.request("PUT", "/v1/evaluations/bin/answers/b", {"value": "kept"}), 201)
    before = server.request("GET", "/v1/kits/bin").json["sections"]
    require(server.request("DELETE", "/v1/kits/bin/questions/b", headers=STAR), 204)
    tally.equal("a deleted question is gone", server.request("GET", "/v1/kits/bin/questions/b").status, 404)
    reused = server.request("POST", "/v1/kits/bin/questions", question("b", "Another?"))
    tally.equal("its ID is used for nothing else", (reused.status, reused.json["code"]), (409, "deletedId"))
    tally.equal("nor by PUT", server.request("PUT", "/v1/kits/bin/questions/b", question("b", "Another?")).status, 409)
    listed = server.request("GET", "/v1/kits/bin/questions?deleted=true").json["items"]
    tally.equal("the trash lists it", [item["id"] for item in listed], ["b"])
    back = require(server.request("POST", "/v1/kits/bin/questions/b/restore"), 200)
    tally.equal("restored, it is what it was", back.json["text"], "Why?")
    ids = [item["id"] for item in server.request("GET", "/v1/kits/bin").json["sections"][0]["questions"]]
    tally.equal("and where it was", ids, ["a", "b", "c"])
    require(server.request("DELETE", "/v1/kits/bin/sections/s", headers=STAR), 204)
    require(server.request("POST", "/v1/kits/bin/sections/s/restore"), 200)
    after = server.request("GET", "/v1/kits/bin").json["sections"]
    tally.equal(
        "a restored section brings its questions",
        [item["id"] for item in after[0]["questions"]],
        [item["id"] for item in before[0]["questions"]],
    )
    require(server.request("DELETE", "/v1/kits/bin", headers=STAR), 204)
    tally.equal("a deleted kit reads as 404", server.request("GET", "/v1/kits/bin").status, 404)
    tally.equal("and its ID is taken", server.request("PUT", "/v1/kits/bin", kit("bin")).json["code"], "deletedId")
    tally.check(
        "it is in no list",
        "bin" not in [item["id"] for item in server.request("GET", "/v1/kits?limit=200").json["items"]],
    )
    tally.check(
        "but in that of the trash",
        "bin" in [item["id"] for item in server.request("GET", "/v1/kits?limit=200&deleted=true").json["items"]],
    )
    tally.equal(
        "its evaluations still read", server.request("GET", "/v1/evaluations/bin/answers/b").json["value"], "kept"
    )
    whole = require(server.request("POST", "/v1/kits/bin/restore"), 200)
    tally.equal("restored, it is whole", whole.json["sections"], after)


def items(server, tally):
    require(server.request("POST", "/v1/kits", kit("items", question("a"), question("b"), question("c"))), 201)
    base = "/v1/kits/items/questions"
    tags = {name: server.request("GET", f"{base}/{name}").tag for name in "abc"}
    require(server.request("PATCH", f"{base}/a", {"text": "A?"}, {"If-Match": tags["a"]}), 200)
    other = server.request("PATCH", f"{base}/b", {"text": "B?"}, {"If-Match": tags["b"]})
    tally.equal("edits of different questions do not conflict", other.status, 200)
    tally.equal(
        "edits of the same one do",
        server.request("PATCH", f"{base}/b", {"text": "C?"}, {"If-Match": tags["b"]}).status,
        412,
    )
    moved = require(
        server.request("POST", f"{base}/c/move", {"sectionId": "s", "after": None}, {"If-Match": tags["c"]}), 200
    )
    tally.check("a move changes the tag of what moved", moved.tag != tags["c"], moved.tag)
    tally.equal("and no other's", server.request("GET", f"{base}/a").tag, '"2"')
    revision = server.request("GET", "/v1/kits/items").json["revision"]
    require(server.request("POST", f"{base}/c/move", {"sectionId": "s", "after": None}, {"If-Match": moved.tag}), 200)
    tally.equal(
        "a move to where it is changes nothing", server.request("GET", "/v1/kits/items").json["revision"], revision
    )
    require(server.request("POST", base, question("d", sectionId="s", after="c")), 201)
    order = [item["id"] for item in server.request("GET", "/v1/kits/items").json["sections"][0]["questions"]]
    tally.equal("a new question names its place", order, ["c", "d", "a", "b"])
    tally.equal("PUT creates under the client's ID", server.request("PUT", f"{base}/e", question("e")).status, 201)
    tally.equal("PUT that says the same is no revision", server.request("PUT", f"{base}/e", question("e")).status, 200)
    changed = {
        "title": "items",
        "sections": [{"id": "t", "title": "T", "questions": [question("b", "B?"), question("new")]}],
    }
    replaced = require(server.request("PUT", "/v1/kits/items", changed, STAR), 200)
    tally.equal("a replacement is one revision", replaced.json["revision"], revision + 3)
    tally.equal(
        "and keeps what has the same ID",
        [server.request("GET", f"{base}/b").status, server.request("GET", f"{base}/a").status],
        [200, 404],
    )


def lists(server, tally):
    for number in range(30):
        require(
            server.request(
                "PUT",
                f"/v1/kits/list-{number:02}",
                {"title": f"Paged {number:02}", "status": "draft" if number % 3 == 0 else "active"},
            ),
            201,
        )
    seen, cursor, count = [], "", 0
    while cursor is not None:
        page = require(server.request("GET", f"/v1/kits?q=Paged&limit=7{cursor}"), 200).json
        seen += [item["id"] for item in page["items"]]
        count += 1
        require(server.request("PUT", f"/v1/kits/list-new-{count}", {"title": f"Paged new {count}"}), 201)
        cursor = f"&cursor={page['nextCursor']}" if page["nextCursor"] else None
    tally.equal("pages give each kit once while others are made", len(seen), len(set(seen)))
    tally.check("and miss none", {f"list-{number:02}" for number in range(30)} <= set(seen), seen)
    drafts = server.request("GET", "/v1/kits?q=Paged&status=draft&limit=200").json["items"]
    tally.equal("a list filters by status", len(drafts), 10)
    tally.check("lists hold summaries", all("sections" not in item for item in drafts))


def evaluations(server, tally):
    require(
        server.request(
            "POST",
            "/v1/kits",
            kit(
                "ev",
                question("a", required=True),
                question("b"),
                {"id": "v", "type": "rating", "text": "V", "scale": "fourPoint", "required": True},
                overallQuestionId="v",
            ),
        ),
        201,
    )
    body = {"kitId": "ev", "candidate": {"id": "cand", "name": "Kim"}}
    made = require(server.request("PUT", "/v1/evaluations/ev", body), 201)
    tally.equal("it is pinned to the newest revision", made.json["kitRevision"], 1)
    tally.equal("a repeated PUT changes nothing", server.request("PUT", "/v1/evaluations/ev", body).status, 200)
    require(server.request("PATCH", "/v1/kits/ev", {"title": "Newer"}, STAR), 200)
    old = require(server.request("POST", "/v1/evaluations", {**body, "id": "ev-old", "kitRevision": 1}), 201)
    tally.equal("an older revision may be named", old.json["kitRevision"], 1)
    tally.equal("progress counts what is asked", made.json["progress"], {"answered": 0, "required": 2, "missing": 2})
    require(server.request("PUT", "/v1/evaluations/ev/answers/v", {"value": "fourPoint.strongYes"}), 201)
    read = server.request("GET", "/v1/evaluations/ev").json
    tally.equal(
        "the verdict is the recommendation", read["recommendation"] and "strongYes" in str(read["recommendation"]), True
    )
    tally.equal("and progress follows", read["progress"], {"answered": 1, "required": 2, "missing": 1})
    listed = server.request("GET", "/v1/evaluations?kit=ev&candidate=cand").json["items"]
    tally.equal("lists filter by kit and candidate", sorted(item["id"] for item in listed), ["ev", "ev-old"])
    tally.check("and hold no answers", all("answers" not in item for item in listed))
    require(server.request("PATCH", "/v1/kits/ev", {"status": "archived"}, STAR), 200)
    tally.equal(
        "an archived kit takes no new evaluation",
        server.request("POST", "/v1/evaluations", {**body, "id": "late"}).status,
        409,
    )
    tally.equal(
        "but answers to those that are open",
        server.request("PUT", "/v1/evaluations/ev/answers/a", {"value": "still"}).status,
        201,
    )


def run(tally):
    with Server() as server:
        for part in (kits, trash, items, lists, evaluations):
            try:
                part(server, tally)
            except Exception as error:
                tally.check(f"rules: {part.__name__} ran to its end", False, repr(error))
