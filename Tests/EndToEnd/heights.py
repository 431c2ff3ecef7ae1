# What an answer write says of the rows, applied to a client's copy, must give the layout that the server gives anew.

import random

from service import Server, require

VIEWPORTS = [
    "profile=ios&width=375&scale=3",
    "profile=ios&width=320&contentSize=accessibilityLarge&scale=2",
    "profile=android&width=411.5&fontScale=1.3&scale=2.625",
    "profile=web&width=600",
    "profile=ios-zero-padding&width=390&locale=ko",
    "profile=android-33&width=360",
]
WORDS = [
    "a",
    "word",
    "longer-than-most",
    "한국어",
    "문장을",
    "日本語の",
    "テスト。",
    "สวัสดีครับ",
    "العربية",
    "🙂",
    "👨‍👩‍👧",
    "\n",
    "\n\n",
    "https://example.org/a/b/c?d=e",
    "Donaudampfschiff" * 3,
    "\t",
]


def prepare(server):
    questions = [{"id": f"q{number}", "type": "longText", "text": f"Question {number}?"} for number in range(6)]
    questions += [
        {"id": "gate", "type": "yesNo", "text": "More?"},
        {
            "id": "hidden",
            "type": "longText",
            "text": "Then why, and what would it take?",
            "visibleWhen": {"questionId": "gate", "equals": True},
        },
        {
            "id": "deep",
            "type": "shortText",
            "text": "By whom?",
            "visibleWhen": {"questionId": "hidden", "equals": "me"},
        },
        {
            "id": "card",
            "type": "scorecard",
            "text": "Rate",
            "scale": "fivePoint",
            "criteria": [{"id": "c1", "text": "Clear"}, {"id": "c2", "text": "Kind"}],
        },
        {
            "id": "one",
            "type": "singleSelect",
            "text": "Which?",
            "options": [{"id": "o1", "text": "A"}, {"id": "o2", "text": "Another"}],
        },
    ]
    half = len(questions) // 2
    sections = [
        {"id": "s1", "title": "One", "questions": questions[:half]},
        {"id": "s2", "title": "Two", "questions": questions[half:]},
    ]
    require(
        server.request("POST", "/v1/kits", {"id": "k", "title": "Heights", "language": "en", "sections": sections}), 201
    )


def value(randomness, item):
    if item == "gate":
        return randomness.choice([True, False, None])
    if item == "one":
        return randomness.choice(["o1", "o2", None])
    if item in ("c1", "c2"):
        return randomness.choice(["fivePoint.yes", "fivePoint.mixed", None])
    if item == "hidden":
        return randomness.choice(["me", "you", None])
    if item == "deep":
        return randomness.choice(["Kim", None])
    return randomness.choice(
        [None, "", "short", " ".join(randomness.choice(WORDS) for _ in range(randomness.randrange(1, 80)))]
    )


def applied(layout, delta):
    """A client's layout after the delta: changed heights, removed rows, inserted rows, then places from the heights."""
    rows = {row["id"]: dict(row) for row in layout["rows"]}
    order = [row["id"] for row in layout["rows"]]
    for change in delta["changed"]:
        assert abs(rows[change["id"]]["height"] + change["heightDelta"] - change["height"]) < 1e-9, change
        rows[change["id"]]["height"] = change["height"]
    for identifier in delta["removed"]:
        order.remove(identifier if isinstance(identifier, str) else identifier["id"])
    for insert in delta["inserted"]:
        row = insert["row"]
        rows[row["id"]] = dict(row)
        order.insert(0 if insert["after"] is None else order.index(insert["after"]) + 1, row["id"])
    return order, {identifier: rows[identifier]["height"] for identifier in order}


def walk(server, viewport, tally):
    randomness = random.Random(viewport)
    name = f"e-{VIEWPORTS.index(viewport)}"
    require(
        server.request("POST", "/v1/evaluations", {"id": name, "kitId": "k", "candidate": {"id": "c", "name": "C"}}),
        201,
    )
    path = f"/v1/evaluations/{name}/layout?{viewport}"
    layout = require(server.request("GET", path), 200).json
    items = [f"q{number}" for number in range(6)] + ["gate", "gate", "hidden", "deep", "c1", "c2", "one"]
    faults, scale = [], layout["viewport"]["scale"]
    for step in range(40):
        item = randomness.choice(items)
        reply = require_any(
            server.request(
                "PUT",
                f"/v1/evaluations/{name}/answers/{item}?{viewport}",
                {"value": value(randomness, item)},
                {"If-Match": "*"},
            )
        )
        delta = reply["layouts"][0]
        order, heights = applied(layout, delta)
        layout = require(server.request("GET", path), 200).json
        if order != [row["id"] for row in layout["rows"]]:
            faults.append(
                f"step {step}, {item}: the rows are {[row['id'] for row in layout['rows']]}, the delta gives {order}"
            )
        elif heights != {row["id"]: row["height"] for row in layout["rows"]}:
            faults.append(f"step {step}, {item}: a height differs")
        if delta["contentHeight"] != layout["contentHeight"] or delta["fingerprint"] != layout["fingerprint"]:
            faults.append(f"step {step}, {item}: contentHeight or fingerprint differs")
        faults += geometry(layout, scale)
        rest = set(row["id"] for row in delta["changed"]) - {item}
        if rest:
            faults.append(f"step {step}: a write to {item} changed {rest}")
    tally.check(f"deltas add up to the layout, {viewport}", not faults, faults[:3])


def geometry(layout, scale):
    """Rows follow each other in whole device pixels."""
    pixels = 0
    for row in layout["rows"]:
        if row["height"] <= 0:
            return [f"{row['id']} has the height {row['height']}"]
        if abs(row["y"] * scale - pixels) > 1e-6 or abs(row["height"] * scale - round(row["height"] * scale)) > 1e-6:
            return [f"{row['id']} is not in whole pixels: {row}"]
        pixels += round(row["height"] * scale)
    return [] if abs(layout["contentHeight"] * scale - pixels) < 1e-6 else ["contentHeight is not the sum"]


def require_any(reply):
    if reply.status not in (200, 201):
        raise RuntimeError(repr(reply))
    return reply.json


def unsaved_and_screens(server, tally):
    require(
        server.request("POST", "/v1/evaluations", {"id": "u", "kitId": "k", "candidate": {"id": "c", "name": "C"}}), 201
    )
    text = "typed, and not saved yet " * 20
    unsaved = require(
        server.request("POST", f"/v1/evaluations/u/layout?{VIEWPORTS[0]}", {"values": {"q1": text}}), 200
    ).json
    tally.equal("unsaved text is not stored", server.request("GET", "/v1/evaluations/u/answers/q1").json["revision"], 0)
    require(server.request("PUT", "/v1/evaluations/u/answers/q1", {"value": text}), 201)
    saved = server.request("GET", f"/v1/evaluations/u/layout?{VIEWPORTS[0]}").json
    tally.equal("unsaved text measures as it does when saved", unsaved["rows"], saved["rows"])
    screen = require(
        server.request("GET", "/v1/evaluations/u?include=kit,layout&profile=ios&width=375,667&scale=3"), 200
    ).json
    tally.equal(
        "a screen has both orientations", [layout["viewport"]["width"] for layout in screen["layouts"]], [375, 667]
    )
    tally.equal("and the same rows as the layout", screen["layouts"][0]["rows"], saved["rows"])
    tag = server.request("GET", f"/v1/evaluations/u/layout?{VIEWPORTS[0]}").tag
    known = server.request("GET", f"/v1/evaluations/u/layout?{VIEWPORTS[0]}", headers={"If-None-Match": tag})
    tally.equal("a layout that the client has is 304", known.status, 304)
    empty = require(server.request("POST", "/v1/kits", {"id": "empty", "title": "Nothing"}), 201)
    layout = require(server.request("GET", f"/v1/kits/{empty.json['id']}/layout?{VIEWPORTS[0]}"), 200).json
    tally.equal("a kit with nothing in it has a layout", (layout["rows"], layout["contentHeight"]), ([], 0))


HEAVY = ["🏽", "ก\u0e48", "ក្", "\u05b8", "क्", "ب\u064b", "ཀ\u0f71", "e\u0301", "מ\u05b8", "a", "漢", "🙂", "👩\u200d💻", "ကို"]


def heavy_texts(server, tally):
    """Pieces that take quadratic time or worse where they are shaped as one: each is answered while the client waits."""
    for piece in HEAVY:
        text = piece * (20_000 // len(piece))
        for shape, content in (("repeated", text), ("on one letter", "a" + piece[-1] * 20_000)):
            body = {"profile": "ios", "mode": "label", "width": 300, "texts": [{"id": "t", "text": content}]}
            reply = server.request("POST", "/v1/measure", body)
            tally.equal(f"20,000 characters of {piece!r} {shape} are measured", reply.status, 200)


def run(tally):
    with Server() as server:
        prepare(server)
        for viewport in VIEWPORTS:
            walk(server, viewport, tally)
        unsaved_and_screens(server, tally)
        heavy_texts(server, tally)
