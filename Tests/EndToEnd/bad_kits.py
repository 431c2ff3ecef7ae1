# Kits, their items and IDs asked for what cannot be: values, references, places, revisions.

import json

STAR = {"If-Match": "*"}


def run(suite, kit, questions):
    kits(suite, kit, questions)
    identifiers(suite, kit)
    changes(suite)


def with_question(kit, change, index=0):
    """A copy of the kit in which one question is changed."""
    copy = json.loads(json.dumps(kit))
    copy["sections"][0]["questions"][index].update(change)
    for name in [name for name, value in change.items() if value is ...]:
        del copy["sections"][0]["questions"][index][name]
    return copy


def kits(suite, kit, questions):
    first = "/sections/0/questions/0"
    options = "/sections/0/questions/3/options"
    scale = {"id": "x", "title": "X", "points": [{"id": "x.1", "label": "1"}]}
    cases = [
        ("no title", "/title", {key: value for key, value in kit.items() if key != "title"}),
        ("null title", "/title", {**kit, "title": None}),
        ("empty title", "/title", {**kit, "title": ""}),
        ("title of 501 scalars", "/title", {**kit, "title": "가" * 501}),
        ("unknown status", "/status", {**kit, "status": "ACTIVE"}),
        ("unknown visibility", "/visibility", {**kit, "visibility": "sometimes"}),
        ("impossible language", "/language", {**kit, "language": "not a language tag!"}),
        ("overall question that is not there", "/overallQuestionId", {**kit, "overallQuestionId": "nobody"}),
        ("overall question without a verdict", "/overallQuestionId", {**kit, "overallQuestionId": "note"}),
        ("scale of a preset's ID", "/scales/0/id", {**kit, "scales": [{**scale, "id": "fourPoint"}, *kit["scales"]]}),
        ("scale without points", "/scales/1/points", {**kit, "scales": [*kit["scales"], {**scale, "points": []}]}),
        (
            "51 scales",
            "/scales",
            {
                **kit,
                "scales": kit["scales"]
                + [{"id": f"z{n}", "title": "Z", "points": [{"id": f"z{n}.1", "label": "1"}]} for n in range(51)],
            },
        ),
        (
            "501 sections",
            "/sections",
            {**kit, "sections": kit["sections"] + [{"id": f"z{n}", "title": "Z", "questions": []} for n in range(500)]},
        ),
        (
            "a question's ID twice",
            "",
            {**kit, "sections": [kit["sections"][0], {"id": "t", "title": "T", "questions": [questions[1]]}]},
        ),
        ("an option with a question's ID", options, with_question(kit, {"options": [{"id": "text", "text": "A"}]}, 3)),
        ("unknown type", first + "/type", with_question(kit, {"type": "essay"})),
        ("no type", first + "/type", with_question(kit, {"type": ...})),
        ("no text", first + "/text", with_question(kit, {"text": ...})),
        ("text of 10,001 scalars", first + "/text", with_question(kit, {"text": "x" * 10_001})),
        ("maxLength 0", first + "/maxLength", with_question(kit, {"maxLength": 0})),
        ("maxLength -1", first + "/maxLength", with_question(kit, {"maxLength": -1})),
        ("maxLength 1.5", first + "/maxLength", with_question(kit, {"maxLength": 1.5})),
        ("maxLength 10^30", first + "/maxLength", with_question(kit, {"maxLength": 10**30})),
        ("options on a text question", first + "/options", with_question(kit, {"options": []})),
        ("maxLength on a yesNo", "/sections/0/questions/2/maxLength", with_question(kit, {"maxLength": 5}, 2)),
        ("select without options", options, with_question(kit, {"options": ...}, 3)),
        ("select with no option", options, with_question(kit, {"options": []}, 3)),
        (
            "201 options",
            options,
            with_question(kit, {"options": [{"id": f"z{n}", "text": "Z"} for n in range(201)]}, 3),
        ),
        ("option without text", options + "/0/text", with_question(kit, {"options": [{"id": "o1"}]}, 3)),
        ("rating without scale", "/sections/0/questions/7/scale", with_question(kit, {"scale": ...}, 7)),
        ("rating on an unknown scale", "/sections/0/questions/7/scale", with_question(kit, {"scale": "sixPoint"}, 7)),
        ("scorecard without criteria", "/sections/0/questions/8/criteria", with_question(kit, {"criteria": ...}, 8)),
        ("note that is required", "/sections/0/questions/9/required", with_question(kit, {"required": True}, 9)),
        (
            "visible when nobody answers",
            "/sections/0/questions/10/visibleWhen",
            with_question(kit, {"visibleWhen": {"questionId": "nobody", "equals": True}}, 10),
        ),
        (
            "visible when itself answers",
            "/sections/0/questions/10/visibleWhen",
            with_question(kit, {"visibleWhen": {"questionId": "shown", "equals": "x"}}, 10),
        ),
        (
            "visible when a yesNo is a text",
            "/sections/0/questions/10/visibleWhen",
            with_question(kit, {"visibleWhen": {"questionId": "yes", "equals": "yes"}}, 10),
        ),
        (
            "visible when a select is an unknown option",
            "/sections/0/questions/10/visibleWhen",
            with_question(kit, {"visibleWhen": {"questionId": "one", "equals": "o9"}}, 10),
        ),
        (
            "visible when equals is missing",
            "/sections/0/questions/10/visibleWhen",
            with_question(kit, {"visibleWhen": {"questionId": "yes"}}, 10),
        ),
        (
            "visible when equals is a list",
            "/sections/0/questions/10/visibleWhen",
            with_question(kit, {"visibleWhen": {"questionId": "yes", "equals": [True]}}, 10),
        ),
    ]
    for name, pointer, document in cases:
        suite.refused(f"kit: {name}", 422, "POST", "/v1/kits", document, pointer=pointer)
        suite.refused(f"replaced kit: {name}", 422, "PUT", "/v1/kits/k", document, STAR, pointer)
        suite.refused(f"dry run: {name}", 422, "POST", "/v1/kits?dryRun=true", document, pointer=pointer)
    suite.refused(
        "Markdown that is no UTF-8", 400, "POST", "/v1/kits", b"# T\n- \xff\n", {"Content-Type": "text/markdown"}
    )
    suite.refused("CSV with an open quote", 422, "POST", "/v1/kits", b'text\n"open', {"Content-Type": "text/csv"})
    suite.refused("an empty CSV", 422, "POST", "/v1/kits", b"", {"Content-Type": "text/csv"})


def identifiers(suite, kit):
    for bad in ("", "-x", ".x", "a b", "a/b", "ä", "x" * 65, "a\n", "한", "a%"):
        suite.refused(f"kit ID {bad!r}", 422, "POST", "/v1/kits", {**kit, "id": bad}, pointer="/id")
        suite.refused(
            f"question ID {bad!r}",
            422,
            "POST",
            "/v1/kits/k/questions",
            {"id": bad, "type": "note", "text": "T"},
            pointer="/id",
        )
    for bad, statuses in (
        ("-x", {404, 422}),
        ("a%20b", {404, 422}),
        ("x" * 65, {404, 422}),
        ("%ED%95%9C", {404, 422}),
        ("a%2Fb", {404, 422}),
        ("%00", {400}),
        ("%ff", {400}),
        ("%zz", {400}),
        ("..", {404}),
        ("%2e%2e", {404}),
    ):
        suite.refused(f"PUT kit {bad}", statuses, "PUT", f"/v1/kits/{bad}", kit)
        suite.refused(f"GET kit {bad}", statuses, "GET", f"/v1/kits/{bad}")
    suite.refused(
        "a kit under another ID than its own", 422, "PUT", "/v1/kits/new", {**kit, "id": "other"}, pointer="/id"
    )
    suite.refused("a kit's ID again", 409, "POST", "/v1/kits", {**kit, "id": "k"})
    suite.refused(
        "a question's ID again", 409, "POST", "/v1/kits/k/questions", {"id": "text", "type": "note", "text": "T"}
    )
    suite.refused(
        "an evaluation's ID again",
        409,
        "POST",
        "/v1/evaluations",
        {"id": "e", "kitId": "k", "candidate": {"id": "c", "name": "N"}},
    )


def changes(suite):
    text = "/v1/kits/k/questions/text"
    suite.refused("another type under the same ID", {409, 422}, "PATCH", text, {"type": "yesNo"}, STAR)
    suite.refused("a question without its text", 422, "PATCH", text, {"text": None}, STAR, "/text")
    suite.refused("a kit without its title", 422, "PATCH", "/v1/kits/k", {"title": None}, STAR, "/title")
    suite.refused("a section without its title", 422, "PATCH", "/v1/kits/k/sections/s", {"title": None}, STAR, "/title")
    suite.refused("another ID", {409, 422}, "PATCH", text, {"id": "other"}, STAR)
    move = f"{text}/move"
    for name, body, pointer in [
        ("nowhere said", {}, ""),
        ("an unknown section", {"sectionId": "nowhere", "after": None}, "/sectionId"),
        ("after nobody", {"sectionId": "s", "after": "nobody"}, "/after"),
        ("after itself", {"sectionId": "s", "after": "text"}, "/after"),
        ("after a question of another section", {"sectionId": "t", "after": "line"}, "/after"),
        ("an index", {"sectionId": "s", "index": 0}, "/index"),
    ]:
        suite.refused(f"move: {name}", 422, "POST", move, body, STAR, pointer)
    for item in ("/v1/kits/k/questions/nobody", "/v1/kits/k/sections/nowhere", "/v1/kits/nobody"):
        suite.refused(
            f"PATCH {item}",
            {404, 412},
            "PATCH",
            item,
            {"title": "T"} if "questions" not in item else {"text": "T"},
            STAR,
        )
        suite.refused(f"DELETE {item}", {404, 412}, "DELETE", item, headers=STAR)
        suite.refused(f"GET {item}", 404, "GET", item)
        suite.refused(f"restore {item}", 404, "POST", f"{item}/restore")
    for number, statuses in (
        ("0", {404}),
        ("99", {404}),
        ("-1", {404, 422}),
        ("one", {404, 422}),
        ("9" * 30, {404, 422}),
    ):
        suite.refused(f"revision {number}", statuses, "GET", f"/v1/kits/k/revisions/{number}")
