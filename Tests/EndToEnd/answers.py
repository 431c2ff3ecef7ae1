# The rules of answers, asked of a running server: first writes, clearing, history, batches, and texts kept as typed.

from rules import STAR, kit, question
from service import Server, require


def answers(server, tally):
    names = [f"n{number}" for number in range(8)]
    require(
        server.request(
            "POST",
            "/v1/kits",
            kit(
                "an",
                *map(question, names),
                {
                    "id": "pick",
                    "type": "multiSelect",
                    "text": "P",
                    "options": [{"id": "p1", "text": "1"}, {"id": "p2", "text": "2"}],
                },
            ),
        ),
        201,
    )
    require(
        server.request("POST", "/v1/evaluations", {"id": "an", "kitId": "an", "candidate": {"id": "c", "name": "C"}}),
        201,
    )
    base = "/v1/evaluations/an/answers"
    empty = require(server.request("GET", f"{base}/n0"), 200)
    tally.equal(
        "an answer never written reads as such",
        (empty.json["value"], empty.json["revision"], empty.tag),
        (None, 0, '"0"'),
    )
    for name, headers in zip(names, ({"If-Match": '"0"'}, STAR, {"If-None-Match": "*"}, {})):
        tally.equal(
            f"a first write passes {headers}",
            server.request("PUT", f"{base}/{name}", {"value": "first"}, headers).status,
            201,
        )
    for headers in ({}, {"If-Match": '"77"'}):
        same = server.request("PUT", f"{base}/n0", {"value": "first"}, headers)
        tally.equal(
            f"the same value again is no revision, with {headers}", (same.status, same.json["revision"]), (200, 1)
        )
    tally.equal(
        "create-only on an answer is refused",
        server.request("PUT", f"{base}/n0", {"value": "x"}, {"If-None-Match": "*"}).status,
        412,
    )
    patched = require(server.request("PATCH", f"{base}/n0", {"comment": "C"}, {"If-Match": '"1"'}), 200)
    tally.equal(
        "a patch keeps the value",
        (patched.json["value"], patched.json["comment"], patched.json["revision"]),
        ("first", "C", 2),
    )
    require(server.request("DELETE", f"{base}/n0", headers={"If-Match": '"2"'}), 204)
    cleared = server.request("GET", f"{base}/n0").json
    tally.equal("clearing is a revision too", (cleared["value"], cleared["revision"]), (None, 3))
    history = server.request("GET", f"{base}/n0/history").json["items"]
    tally.equal(
        "the history is newest first",
        [(item["revision"], item["value"]) for item in history],
        [(3, None), (2, "first"), (1, "first")],
    )
    operations = [
        {"operationId": "1", "itemId": "n4", "value": "a"},
        {"operationId": "2", "itemId": "n1", "value": "blind"},
        {"operationId": "3", "itemId": "n1", "value": "seen", "ifRevision": 1},
        {"operationId": "4", "itemId": "n2", "value": "x", "ifRevision": 9},
        {"operationId": "5", "itemId": "pick", "value": ["p2", "p1"]},
        {"operationId": "6", "itemId": "pick", "value": ["p3"], "ifRevision": 1},
    ]
    results = require(server.request("PATCH", base, {"operations": operations}), 200).json["results"]
    tally.equal(
        "each operation of a batch has its own outcome",
        [item["status"] for item in results],
        [201, 428, 200, 412, 201, 422],
    )
    again = require(server.request("PATCH", base, {"operations": operations[:1]}), 200).json["results"]
    tally.equal(
        "a repeated operation is not written twice",
        (again[0]["answer"]["revision"], server.request("GET", f"{base}/n4").json["revision"]),
        (1, 1),
    )


TEXTS = [
    "",
    " ",
    "  kept  ",
    "line\nline\n",
    "\r\n",
    "tab\t",
    "\u2028\u2029",
    "é",
    "e\u0301",
    "가",
    "\u1100\u1161",
    "👨‍👩‍👧‍👦",
    "👍🏽",
    "🇰🇷",
    "\ufeffbom",
    "a\u200bb\u200d",
    "\u202eabc",
    "\u0001\u001f\u007f\u0080",
    "\ue000\U0010fffd",
    "\ufdd0\uffff",
    '"\\/\b\f',
    "</script><b>",
    "מבחן ABC",
    "สวัสดี",
    "𝒜𝓑",
    "x" * 20_000,
    "한" * 20_000,
    "Ω\u2126",
    "ﬁ ﬀ",
    "i\u0307İı",
]


def texts(server, tally):
    names = [f"t{number}" for number in range(len(TEXTS))]
    require(
        server.request(
            "POST", "/v1/kits", kit("texts", *(question(name, f"?{text}?"[:9_000]) for name, text in zip(names, TEXTS)))
        ),
        201,
    )
    require(
        server.request(
            "POST", "/v1/evaluations", {"id": "texts", "kitId": "texts", "candidate": {"id": "c", "name": "C"}}
        ),
        201,
    )
    for name, text in zip(names, TEXTS):
        reply = server.request("PUT", f"/v1/evaluations/texts/answers/{name}", {"value": text})
        tally.check(f"a text of {text[:12]!r} is taken", reply.status in (200, 201), reply)
    stored = server.request("GET", "/v1/evaluations/texts").json["answers"]
    read = [stored.get(name, {}).get("value") for name in names]
    wrong = [text[:20] for text, value in zip(TEXTS, read) if value != text and not (text == "" and value is None)]
    tally.equal("texts are kept code point for code point", wrong, [])
    questions = server.request("GET", "/v1/kits/texts").json["sections"][0]["questions"]
    tally.equal(
        "questions too",
        [item["text"][:20] for item, text in zip(questions, TEXTS) if item["text"] != f"?{text}?"[:9_000]],
        [],
    )


def run(tally):
    with Server() as server:
        answers(server, tally)
        texts(server, tally)
