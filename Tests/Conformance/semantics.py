# Methods, answers and conditions (RFC 9110, 9, 13 and 15).

import re

from cases import DOCUMENT, KIT, Area, Want, request
from wire import Connection, Failure

PLAIN = f"Content-Length: {len(DOCUMENT)}"


def tag_of(peer):
    with Connection(peer.port) as connection:
        connection.send(request("GET", KIT))
        reply = connection.reply()
    if not re.fullmatch(r'(W/)?"[\x21\x23-\x7e\x80-\xff]*"', reply.get("ETag") or ""):
        raise Failure(f"ETag: {reply.get('ETag')}")
    return reply.get("ETag")


def conditional(area, name, source, level, fields, wanted, method="GET", needs=("tags",), end="open", body=b""):
    """A case whose fields are made of the present entity tag: TAG is the tag, OPAQUE what stands between its quotes."""

    @area.scenario(name, source, level, needs=needs)
    def run(peer):
        tag = tag_of(peer)
        lines = [line.replace("TAG", tag).replace("OPAQUE", tag.removeprefix("W/").strip('"')) for line in fields]
        with Connection(peer.port) as connection:
            connection.send(request(method, KIT, *lines, body=body))
            wanted.judge(connection.reply(method == "HEAD"))


method = Area("methods")
method.case("GET", "9110 9.1", "MUST", request("GET", KIT), Want(200, has={"Content-Type": None}), end="open")
method.case("HEAD has no content", "9110 9.3.2", "MUST", request("HEAD", KIT), Want(200, head=True), end="open")
method.case(
    "HEAD of nothing has none either",
    "9110 9.3.2",
    "MUST",
    request("HEAD", "/nothing"),
    Want(404, head=True),
    end="open",
)
method.case(
    "HEAD on 1.0", "9110 9.3.2", "MUST", request("HEAD", KIT, version="HTTP/1.0"), Want(200, head=True), end="closed"
)


@method.scenario("HEAD has the fields of GET", "9110 9.3.2", "SHOULD")
def head_like_get(peer):
    replies = []
    for name in ("GET", "HEAD"):
        with Connection(peer.port) as connection:
            connection.send(request(name, KIT))
            replies.append(connection.reply(name == "HEAD"))
    for field in ("Content-Type", "ETag", "Vary", "Cache-Control", "Last-Modified"):
        if replies[0].get(field) != replies[1].get(field):
            raise Failure(f"{field}: {replies[0].get(field)} and {replies[1].get(field)}")
    length = replies[1].get("Content-Length")
    if length is not None and int(length) != len(replies[0].body):
        raise Failure(f"Content-Length of HEAD is {length}, GET has {len(replies[0].body)} bytes")


for name in ("DELETE", "PUT", "PATCH", "POST"):
    method.case(
        f"405 for {name}, with Allow",
        "9110 15.5.6",
        "MUST",
        request(name, "/healthz"),
        Want(405, check=lambda r: "GET" in (r.get("Allow") or "")),
        needs=["methods"],
    )
method.case(
    "Allow names HEAD beside GET",
    "9110 10.2.1",
    "SHOULD",
    request("DELETE", "/healthz"),
    Want(405, check=lambda r: {"GET", "HEAD"} <= set(re.split(r",\s*", r.get("Allow") or ""))),
    needs=["methods"],
)
method.case(
    "405 leaves the connection as it was",
    "9112 9.3",
    "SHOULD",
    request("DELETE", "/healthz"),
    405,
    end="open",
    needs=["methods"],
)
method.case(
    "OPTIONS of a resource",
    "9110 9.3.7",
    "SHOULD",
    request("OPTIONS", KIT),
    Want(200, 204, check=lambda r: "GET" in (r.get("Allow") or "")),
    end="open",
    needs=["methods"],
)
method.case(
    "OPTIONS with a body",
    "9110 9.3.7",
    "MUST",
    request("OPTIONS", KIT, "Content-Length: 2", "Content-Type: application/json", body="{}"),
    (200, 204, 400, 413, 415),
    needs=["methods"],
)
method.case("OPTIONS of nothing", "9110 9.3.7", "SHOULD", request("OPTIONS", "/nothing"), 404, needs=["methods"])
method.case(
    "204 has no content, and no length",
    "9110 15.3.5",
    "MUST",
    request("OPTIONS", "*"),
    Want(200, 204, check=lambda r: r.status != 204 or r.get("Content-Length") is None),
    end="open",
    needs=["methods"],
)

answer = Area("answers")
for name, data, status in (
    ("200", request(), 200),
    ("404", request(target="/nothing"), 404),
    ("400", request(host=""), 400),
    ("414", request(target="/" + "a" * 40_000), (414, 431)),
):
    answer.case(
        f"Date on {name}",
        "9110 6.6.1",
        "MUST",
        data,
        Want(*(status if isinstance(status, tuple) else (status,)), has={"Date": None}),
    )
for name, data, status in (
    ("404", request(target="/nothing"), 404),
    ("400", request(host=""), 400),
    ("431", request("GET", "/healthz", "X: " + "a" * 40_000), 431),
):
    answer.case(
        f"{name} explains itself",
        "9110 15.5",
        "SHOULD",
        data,
        Want(status, has={"Content-Type": None}, check=lambda r: len(r.body) > 0),
    )
answer.case(
    "a refusal that closes says so",
    "9112 9.6",
    "SHOULD",
    request(host=""),
    Want(400, check=lambda r: r.closes),
    end="closed",
)
answer.case(
    "no chunks for 1.0",
    "9112 6.1",
    "MUST",
    request("GET", KIT, version="HTTP/1.0"),
    Want(200, lacks=["Transfer-Encoding"]),
    end="closed",
)
answer.case(
    "no tag or type is guessed for 404",
    "9110 8.3",
    "SHOULD",
    request(target="/nothing"),
    Want(404, has={"Content-Type": None}),
)
answer.case(
    "Content-Type names its charset or needs none",
    "9110 8.3.2",
    "SHOULD",
    request("GET", KIT),
    Want(200, check=lambda r: (r.get("Content-Type") or "").startswith("application/json")),
)
answer.case(
    "the program's versions are not told",
    "9110 10.2.4",
    "SECURITY",
    request(),
    Want(200, check=lambda r: not re.search(r"\d+\.\d+\.\d+", r.get("Server") or "")),
)
answer.case("a Date that is now", "9110 6.6.1", "MUST", request(), Want(200, check=lambda r: is_now(r.get("Date"))))
answer.case(
    "nothing of a request comes back as a field",
    "9110 17.11",
    "SECURITY",
    request("GET", "/nothing%0d%0aX-Evil:%201", "X-Request-Id: a"),
    Want(400, 404, lacks=["X-Evil"]),
)


def is_now(date):
    from datetime import datetime, timezone
    from email.utils import parsedate_to_datetime

    return date is not None and abs((datetime.now(timezone.utc) - parsedate_to_datetime(date)).total_seconds()) < 5


condition = Area("conditions")
conditional(condition, "If-None-Match with the tag", "9110 13.1.2", "MUST", ["If-None-Match: TAG"], Want(304))
conditional(
    condition,
    "304 has the tag and the date",
    "9110 15.4.5",
    "MUST",
    ["If-None-Match: TAG"],
    Want(304, has={"ETag": None, "Date": None}),
)
conditional(condition, "304 to HEAD", "9110 13.1.2", "MUST", ["If-None-Match: TAG"], Want(304, head=True), "HEAD")
conditional(condition, "If-None-Match compares weakly", "9110 13.1.2", "MUST", ['If-None-Match: W/"OPAQUE"'], Want(304))
conditional(condition, "If-None-Match with a list", "9110 13.1.2", "MUST", ['If-None-Match: "x", TAG, "y"'], Want(304))
conditional(
    condition,
    "If-None-Match in two fields",
    "9110 5.3",
    "MUST",
    ['If-None-Match: "x"', "If-None-Match: TAG"],
    Want(304),
)
conditional(condition, "a tag with a comma in a list", "9110 8.8.3", "MUST", ['If-None-Match: "a,b", TAG'], Want(304))
conditional(condition, "If-None-Match with empty elements", "9110 5.6.1", "MUST", ["If-None-Match: , ,TAG,"], Want(304))
conditional(condition, "If-None-Match: *", "9110 13.1.2", "MUST", ["If-None-Match: *"], Want(304))
conditional(condition, "If-None-Match with another tag", "9110 13.1.2", "MUST", ['If-None-Match: "other"'], Want(200))
conditional(
    condition,
    "tags are case-sensitive and whole",
    "9110 8.8.3.2",
    "MUST",
    ['If-None-Match: "OPAQUEx", "xOPAQUE"'],
    Want(200),
)
conditional(
    condition, "a tag without quotes is none", "9110 8.8.3", "SHOULD", ["If-None-Match: OPAQUE"], Want(200, 400)
)
conditional(
    condition,
    "If-Modified-Since is ignored beside If-None-Match",
    "9110 13.1.3",
    "MUST",
    ['If-None-Match: "other"', "If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT"],
    Want(200),
)
conditional(
    condition,
    "If-Match with the tag",
    "9110 13.1.1",
    "MUST",
    ["If-Match: TAG"],
    Want(200, 412),
    needs=("tags", "match"),
)
conditional(
    condition,
    "If-Match: * where there is something",
    "9110 13.1.1",
    "MUST",
    ["If-Match: *"],
    Want(200),
    needs=("tags", "match"),
)
for verb in ("GET", "HEAD"):
    for name, fields, status in (
        ("another tag", ['If-Match: "other"'], 412),
        ("a weak tag", ['If-Match: W/"OPAQUE"'], 412),
        ("another tag, before If-None-Match", ['If-Match: "other"', "If-None-Match: TAG"], 412),
        ("the tag, and If-None-Match with it", ["If-Match: TAG", "If-None-Match: TAG"], 304),
    ):
        conditional(
            condition,
            f"{verb} with If-Match: {name}",
            "9110 13.1.1",
            "MUST",
            fields,
            Want(status, head=verb == "HEAD"),
            verb,
            needs=("tags", "match"),
        )
KIT_BODY = '{"title":"Another","language":"en","sections":[]}'
PUT = ["Content-Type: application/json", f"Content-Length: {len(KIT_BODY)}"]
for name, value, status in (
    ("another tag", '"other"', (412,)),
    ("a weak tag", 'W/"OPAQUE"', (412,)),
    ("a list without the tag", '"a", "b"', (412,)),
    ("no tag at all", "nonsense", (400, 412)),
):
    conditional(
        condition,
        f"PUT with If-Match: {name}",
        "9110 13.1.1",
        "MUST",
        [*PUT, f"If-Match: {value}"],
        Want(*status),
        "PUT",
        needs=("tags", "put"),
        body=KIT_BODY,
    )
conditional(
    condition,
    "PUT with If-None-Match: * on what there is",
    "9110 13.1.2",
    "MUST",
    [*PUT, "If-None-Match: *"],
    Want(412),
    "PUT",
    needs=("tags", "put"),
    body=KIT_BODY,
)
conditional(
    condition,
    "PUT with Content-Range",
    "9110 14.5",
    "SHOULD",
    [*PUT, "Content-Range: bytes 0-1/2"],
    Want(400),
    "PUT",
    needs=("tags", "put"),
    body=KIT_BODY,
)
conditional(
    condition,
    "If-Unmodified-Since is ignored where there is no date",
    "9110 13.1.4",
    "MUST",
    ["If-Unmodified-Since: Fri, 31 Dec 1999 23:59:59 GMT"],
    Want(200),
    needs=("tags", "dateless"),
)
conditional(
    condition,
    "If-Modified-Since is ignored where there is no date",
    "9110 13.1.3",
    "MUST",
    ["If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT"],
    Want(200),
    needs=("tags", "dateless"),
)
conditional(
    condition,
    "a condition does not rescue a wrong method",
    "9110 13.2.1",
    "MUST",
    ["If-None-Match: TAG"],
    Want(400, 405, 501),
    "BREW",
    needs=("tags", "methods"),
)


@condition.scenario("conditions do not apply to what is not there", "9110 13.2.1", "MUST", needs=["tags"])
def nothing_there(peer):
    with Connection(peer.port) as connection:
        connection.send(request("GET", "/nothing", 'If-None-Match: "x"'))
        Want(404).judge(connection.reply())
