# Well-formed requests that ask for what cannot be: answers, viewports, conditions, lists, sizes, framing.

import json

STAR = {"If-Match": "*"}
ANSWERS = "/v1/evaluations/e/answers"


def run(suite, kit):
    evaluations(suite)
    answers(suite)
    batches(suite)
    viewports(suite)
    measures(suite)
    conditions(suite, kit)
    lists_and_methods(suite)
    sizes(suite, kit)
    framing(suite)


def evaluations(suite):
    good = {"kitId": "k", "candidate": {"id": "c", "name": "N"}}
    for name, change, pointer, statuses in [
        ("no kit", {"kitId": ...}, "/kitId", {422}),
        ("an unknown kit", {"kitId": "nobody"}, "/kitId", {404, 422}),
        ("no candidate", {"candidate": ...}, "/candidate", {422}),
        ("a candidate without ID", {"candidate": {"name": "N"}}, "/candidate", {422}),
        ("a candidate with a bad ID", {"candidate": {"id": "a b", "name": "N"}}, "/candidate/id", {422}),
        ("a name of 501 scalars", {"candidate": {"id": "c", "name": "x" * 501}}, "/candidate/name", {422}),
        ("an unknown revision", {"kitRevision": 99}, "/kitRevision", {404, 422}),
        ("revision 0", {"kitRevision": 0}, "/kitRevision", {404, 422}),
        ("half a revision", {"kitRevision": 1.5}, "/kitRevision", {422}),
        ("a status", {"status": "submitted"}, "/status", {422}),
        ("answers", {"answers": {}}, "/answers", {422}),
    ]:
        body = {key: value for key, value in {**good, **change}.items() if value is not ...}
        suite.refused(f"evaluation: {name}", statuses, "POST", "/v1/evaluations", body, pointer=pointer)
    for path in (
        "/v1/evaluations/nobody",
        "/v1/evaluations/nobody/answers",
        "/v1/evaluations/nobody/answers/text",
        "/v1/kits/nobody/layout",
        "/v1/nothing",
        "/v2/kits",
        "/v1",
        "/v1/kits/k/nothing",
        "/v1/evaluations/e/answers/nobody",
        "/v1/profiles/nobody",
    ):
        suite.refused(f"GET {path}", 404, "GET", path)


def answers(suite):
    values = {
        "text": [5, True, [], {}, "x" * 101, "nul \u0000"],
        "line": ["two\nlines", "two\r\nlines", 1],
        "yes": ["yes", 1, "true", []],
        "one": ["o9", "", 1, ["o1"], "m1"],
        "many": ["m1", ["m9"], ["m1", "m1"], [1], {}],
        "number": ["3", True, [], "x"],
        "date": ["2026-02-30", "2026-2-3", "30.11.2026", "2026-11-30T00:00:00Z", "", 20261130],
        "rating": ["own.9", "fourPoint.yes", 1, ""],
        "c1": ["fourPoint.maybe", "own.1", 3],
        "card": ["fourPoint.yes", True],
        "note": ["anything", True],
        "shown": [1, False],
    }
    for item, bad in values.items():
        for value in bad:
            statuses = {404, 409, 422} if item in ("card", "note") else {422}
            suite.refused(
                f"answer to {item}: {value!r:.30}",
                statuses,
                "PUT",
                f"{ANSWERS}/{item}",
                {"value": value},
                STAR,
                "/value" if len(statuses) == 1 else None,
            )
    for number in ("1e999", "-1e999", "1e400"):
        suite.refused(
            f"answer to number: {number}",
            {400, 422},
            "PUT",
            f"{ANSWERS}/number",
            f'{{"value":{number}}}'.encode(),
            STAR,
        )
    suite.refused(
        "a comment of 20,001 scalars",
        422,
        "PUT",
        f"{ANSWERS}/yes",
        {"value": True, "comment": "x" * 20_001},
        STAR,
        "/comment",
    )
    suite.refused(
        "not assessed, and a value", 422, "PUT", f"{ANSWERS}/rating", {"value": "own.1", "notAssessed": True}, STAR
    )
    # What would be wrong whatever stands there is told before what stands there.
    for headers in ({}, {"If-Match": '"99"'}):
        for body in ({"value": "V", "more": 1}, {"value": 5}, {"comment": 5}):
            for method in ("PUT", "PATCH"):
                suite.refused(f"{body} over an answer, {headers}", 422, method, f"{ANSWERS}/line", body, headers)
            operation = {"itemId": "line", **body, **({"ifRevision": 99} if headers else {})}
            reply = suite.server.request("PATCH", ANSWERS, {"operations": [operation]})
            told = [(one["status"], one["problem"]["code"]) for one in reply.json["results"]]
            suite.tally.equal(f"{operation} in a batch", told, [(422, "invalidDocument")])
    for item in ("nobody", "s", "k", "o1", "fourPoint"):
        suite.refused(f"answer to {item}, which takes none", {404, 422}, "PUT", f"{ANSWERS}/{item}", {"value": "x"})
    suite.refused(
        "everything wrong at once",
        422,
        "PUT",
        f"{ANSWERS}/text",
        {"value": 1, "comment": 2, "notAssessed": 3, "more": 4},
        STAR,
        "/more",
    )


def batches(suite):
    operation = {"operationId": "op", "itemId": "line", "value": "V", "ifRevision": 1}
    for name, body, pointer in [
        ("no operations", {}, "/operations"),
        ("an operation without item", {"operations": [{"operationId": "o", "value": "V"}]}, "/operations/0"),
        ("501 operations", {"operations": [{**operation, "operationId": f"o{n}"} for n in range(501)]}, "/operations"),
        ("an operation that is no object", {"operations": [1]}, "/operations/0"),
        ("a revision below zero", {"operations": [{**operation, "ifRevision": -1}]}, "/operations/0/ifRevision"),
        ("half a revision", {"operations": [{**operation, "ifRevision": 1.5}]}, "/operations/0/ifRevision"),
    ]:
        suite.refused(f"batch: {name}", 422, "PATCH", ANSWERS, body, pointer=pointer)
    for name, change, status in [
        ("a wrong value", {"value": 5}, {422}),
        ("an unknown item", {"itemId": "nobody"}, {404, 422}),
        ("a stale revision", {"ifRevision": 0}, {412}),
        ("no revision", {"ifRevision": ...}, {428}),
    ]:
        body = {
            "operations": [
                {
                    key: value
                    for key, value in {**operation, "operationId": f"op-{name.replace(' ', '-')}", **change}.items()
                    if value is not ...
                }
            ]
        }
        reply = suite.server.request("PATCH", ANSWERS, body)
        found = reply.json["results"][0]["status"] if reply.status == 200 else None
        suite.tally.check(f"batch: {name} is refused by itself", found in status or reply.status in status, reply)


def viewports(suite):
    for width in (
        "0",
        "-10",
        "NaN",
        "nan",
        "inf",
        "Infinity",
        "1e308",
        "1e400",
        "-0",
        "0x10",
        "",
        "abc",
        "1e-9",
        "31",
        "+375",
        "375px",
        "375,0",
        "375,,667",
        "9" * 40,
    ):
        for path in ("/v1/kits/k/layout", "/v1/evaluations/e/layout"):
            suite.refused(
                f"{path} with width {width!r}", 422, "GET", f"{path}?profile=ios&width={width.replace('+', '%2B')}"
            )
    for query in (
        "",
        "width=375",
        "profile=ios",
        "profile=windows&width=375",
        "profile=ios@99&width=375",
        "profile=ios&width=375&scale=0",
        "profile=ios&width=375&scale=-1",
        "profile=ios&width=375&scale=NaN",
        "profile=ios&width=375&scale=1e9",
        "profile=ios&width=375&contentSize=gigantic",
        "profile=ios&width=375&fontScale=0",
        "profile=android&width=375&fontScale=-1",
        "profile=android&width=375&fontScale=1e6",
        "profile=ios&width=375&width=320",
        "profile=ios&width=375&locale=%21%21",
    ):
        suite.refused(f"layout with {query!r}", 422, "GET", f"/v1/kits/k/layout?{query}")
    for path in (f"{ANSWERS}/yes?profile=ios&width=0", f"{ANSWERS}/yes?profile=ios"):
        suite.refused(f"a write with a bad viewport stores nothing: {path}", 422, "PUT", path, {"value": True})
    suite.refused(
        "a screen with a bad viewport", 422, "GET", "/v1/evaluations/e?include=kit,layout&profile=ios&width=-1"
    )
    suite.refused("an unknown include", 422, "GET", "/v1/evaluations/e?include=everything&profile=ios&width=375")


def measures(suite):
    good = {
        "profile": "ios",
        "mode": "label",
        "width": 343,
        "font": {"family": "Inter", "size": 17, "weight": 400},
        "texts": [{"id": "a", "text": "Hello"}],
    }
    for name, change, pointer in [
        ("no texts", {"texts": ...}, "/texts"),
        ("an unknown profile", {"profile": "windows"}, "/profile"),
        ("an unknown mode", {"mode": "button"}, "/mode"),
        ("an unknown family", {"font": {"family": "Comic Sans", "size": 17, "weight": 400}}, "/font"),
        ("size 0", {"font": {"family": "Inter", "size": 0, "weight": 400}}, "/font/size"),
        ("size 10^9", {"font": {"family": "Inter", "size": 10**9, "weight": 400}}, "/font/size"),
        ("width 0", {"width": 0}, "/width"),
        ("width -1", {"width": -1}, "/width"),
        ("width 10^308", {"width": 1e308}, "/width"),
        ("scale 0", {"scale": 0}, "/scale"),
        ("a text without text", {"texts": [{"id": "a"}]}, "/texts/0"),
        ("a text's width 0", {"texts": [{"id": "a", "text": "x", "width": 0}]}, "/texts/0/width"),
    ]:
        body = {key: value for key, value in {**good, **change}.items() if value is not ...}
        suite.refused(f"measure: {name}", 422, "POST", "/v1/measure", body, pointer=pointer)


def conditions(suite, kit):
    text = f"{ANSWERS}/text"
    for method, path, body in [
        ("PUT", "/v1/kits/k", kit),
        ("PATCH", "/v1/kits/k", {"title": "X"}),
        ("DELETE", "/v1/kits/k", None),
        ("PATCH", "/v1/kits/k/questions/text", {"text": "X"}),
        ("DELETE", "/v1/kits/k/questions/text", None),
        ("DELETE", "/v1/kits/k/sections/s", None),
        ("POST", "/v1/kits/k/questions/text/move", {"sectionId": "t", "after": None}),
        ("PATCH", "/v1/evaluations/e", {"candidate": {"id": "c", "name": "X"}}),
        ("PUT", text, {"value": "X"}),
        ("DELETE", text, None),
    ]:
        suite.refused(
            f"{method} {path} without a precondition",
            428,
            method,
            path,
            body and {**body, "title": "X"} if path == "/v1/kits/k" else body,
        )
        suite.refused(
            f"{method} {path} with a stale one",
            412,
            method,
            path,
            body and {**body, "title": "X"} if path == "/v1/kits/k" else body,
            {"If-Match": '"999"'},
        )
        suite.refused(
            f"{method} {path} with a weak one",
            412,
            method,
            path,
            body and {**body, "title": "X"} if path == "/v1/kits/k" else body,
            {"If-Match": 'W/"1"'},
        )
    suite.refused("create-only on what exists", 412, "PUT", "/v1/kits/k", {**kit, "title": "X"}, {"If-None-Match": "*"})
    suite.refused("If-Match on what does not exist", 412, "PUT", "/v1/kits/new", kit, STAR)
    for bad in ("1", '"1', 'x"1"', '"1" "2"', '*, "1"'):
        suite.refused(f"If-Match: {bad}", {400, 412}, "PATCH", "/v1/kits/k", {"title": "X"}, {"If-Match": bad})


def lists_and_methods(suite):
    for path in ("/v1/kits", "/v1/evaluations"):
        for query in (
            "limit=0",
            "limit=201",
            "limit=-1",
            "limit=ten",
            "limit=1.5",
            "limit=",
            "cursor=garbage",
            "cursor=%F0%9F%99%82",
            "status=unheard",
            "deleted=maybe",
        ):
            suite.refused(f"{path}?{query}", {400, 422}, "GET", f"{path}?{query}")
    for method, path in (
        ("DELETE", "/v1/kits"),
        ("PUT", "/v1/kits"),
        ("POST", "/v1/kits/k"),
        ("GET", "/v1/measure"),
        ("POST", "/v1/evaluations/e/answers/text"),
        ("PUT", "/v1/profiles"),
        ("POST", "/healthz"),
        ("PUT", "/v1/kits/k/layout"),
        ("GET", "/v1/kits/k/questions/text/move"),
    ):
        suite.refused(f"{method} {path}", 405, method, path, b"{}" if method in ("PUT", "POST") else None)
        reply = suite.server.request(method, path)
        suite.tally.check(
            f"{method} {path} names what is allowed",
            "GET" in reply.headers.get("allow", "") or "POST" in reply.headers.get("allow", ""),
            reply.headers,
        )
    suite.refused("an unknown method", 501, "BREW", "/v1/kits")
    suite.refused("a method that is known and nowhere taken", 405, "QUERY", "/v1/kits")
    name = {"Idempotency-Key": "\xe9"}
    suite.refused("a dry run under a name that is none", 400, "POST", "/v1/kits?dryRun=true", {"title": "T"}, name)
    suite.refused("also of a replacement", 400, "PUT", "/v1/kits/other?dryRun=true", {"title": "T"}, name)
    suite.refused("no acceptable form", 406, "GET", "/v1/kits/k", headers={"Accept": "image/png"})


def sizes(suite, kit):
    for name, path, body, statuses in [
        ("an answer of 100,001 scalars", f"{ANSWERS}/shown", json.dumps({"value": "x" * 100_001}).encode(), {422}),
        ("an answer of 1.5 MB", f"{ANSWERS}/shown", json.dumps({"value": "x" * 1_500_000}).encode(), {413}),
        ("a kit of 17 MB", "/v1/kits/new", json.dumps({**kit, "instructions": "x" * 17_000_000}).encode(), {413}),
        (
            "a kit of 5,001 questions",
            "/v1/kits/new",
            {"title": "T", "sections": [{"title": "S", "questions": [{"type": "yesNo", "text": "?"}] * 5001}]},
            {422},
        ),
        (
            "a kit of 200,000 members",
            "/v1/kits/new",
            ("{" + ",".join(f'"m{n}":0' for n in range(200_000)) + "}").encode(),
            {422},
        ),
    ]:
        suite.refused(name, statuses, "PUT", path, body)
    suite.refused("a request line of 20 KB", 414, "GET", "/v1/kits?q=" + "x" * 20_000)
    suite.refused("a field of 20 KB", 431, "GET", "/v1/kits", headers={"X-Long": "x" * 20_000})
    suite.refused("200 fields", 431, "GET", "/v1/kits", headers={f"X-{n}": "1" for n in range(200)})


def framing(suite):
    """Requests that no client library sends: answered with a problem document, then closed, never with another status."""
    host = "Host: 127.0.0.1\r\n"
    json_type = "Content-Type: application/json\r\n"
    put = f"PUT {ANSWERS}/yes HTTP/1.1\r\n{host}{json_type}"
    cases = [
        ("ten gigabytes announced", put + "Content-Length: 10000000000\r\n\r\n", 413),
        ("a length beyond 64 bits", put + "Content-Length: 99999999999999999999\r\n\r\n", 400),
        ("a length with a sign", put + "Content-Length: +5\r\n\r\n{}{}{", 400),
        ("two lengths", put + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        ("length and chunks", put + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("a huge chunk", put + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", 413),
        ("a chunk size that is none", put + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ("gzip chunks", put + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("no host", "GET /v1/kits HTTP/1.1\r\n\r\n", 400),
        ("two hosts", f"GET /v1/kits HTTP/1.1\r\n{host}{host}\r\n", 400),
        ("HTTP/2.0", f"GET / HTTP/2.0\r\n{host}\r\n", 505),
        ("no version", "GET /v1/kits\r\n\r\n", 400),
        ("a space before the colon", f"GET /v1/kits HTTP/1.1\r\n{host}X : y\r\n\r\n", 400),
        ("noise", "\x00\x01\x02\r\n\r\n", 400),
        ("bare line feeds", "GET /v1/kits HTTP/1.1\nHost: 127.0.0.1\n\n", 400),
        ("an expectation", put + "Content-Length: 2\r\nExpect: tea\r\n\r\n", 417),
    ]
    for name, request, status in cases:
        reply = suite.server.raw(request.encode("latin-1"), finish=True)
        head, _, body = reply.partition(b"\r\n\r\n")
        holds = (
            reply.startswith(f"HTTP/1.1 {status} ".encode())
            and b"application/problem+json" in head.lower()
            and b'"requestId"' in body
        )
        suite.tally.check(f"framing: {name}", holds, f"wanted {status}: {reply[:300]!r}")
