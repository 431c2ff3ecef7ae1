# Content negotiation, media types of bodies (RFC 9110, 8.3 and 12), and the form of our refusals (RFC 9457).

import gzip

from cases import DOCUMENT, KIT, MEASURE, Area, Want, post, request
from semantics import KIT_BODY, PUT

PLAIN = f"Content-Length: {len(DOCUMENT)}"
negotiation = Area("negotiation")
for name, value in {
    "nothing": "",
    "*/*": "*/*",
    "application/*": "application/*",
    "a lower preference": "text/html, application/json;q=0.1",
    "spaces and cases": "Text/HTML , Application/JSON ; Q=0.5",
    "what browsers send": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
    "parameters": "application/json;charset=utf-8",
    "nonsense beside it": "nonsense, */*",
}.items():
    negotiation.case(
        f"Accept: {name}",
        "9110 12.5.1",
        "MUST",
        request("GET", KIT, f"Accept: {value}"),
        Want(200, check=lambda r: (r.get("Content-Type") or "").startswith("application/json")),
        end="open",
    )
for name, value in {
    "another type": "image/png",
    "q=0": "application/json;q=0",
    "q=0 against a wildcard": "*/*, application/json;q=0",
    "q=0.000": "application/json;q=0.000, text/plain;q=0.000",
}.items():
    negotiation.case(
        f"406 for Accept: {name}",
        "9110 12.5.1",
        "SHOULD",
        request("GET", "/healthz", f"Accept: {value}"),
        406,
        end="open",
        needs=["negotiation"],
    )
for name, value in {
    "none": None,
    "another": "Content-Type: text/html",
    "no media type": "Content-Type: json",
    "a part of it": "Content-Type: application/jsonx",
    "a charset that is not UTF-8": "Content-Type: application/json; charset=utf-16",
}.items():
    negotiation.case(
        f"415 for Content-Type: {name}",
        "9110 15.5.16",
        "SHOULD",
        request("POST", MEASURE, *([value] if value else []), PLAIN, body=DOCUMENT),
        415,
        end="open",
        needs=["types"],
    )
negotiation.case(
    "415 says what would be taken",
    "9110 15.5.16",
    "SHOULD",
    request("POST", MEASURE, "Content-Type: text/html", PLAIN, body=DOCUMENT),
    Want(415, has={"Accept": None}),
    needs=["types"],
)
negotiation.case(
    "415 for a coded body",
    "9110 15.5.16",
    "SHOULD",
    post(PLAIN, "Content-Encoding: gzip", body=DOCUMENT),
    415,
    needs=["types"],
)
for name, value in {
    "cases and parameters": "Application/JSON; Charset=UTF-8",
    "a quoted charset": 'application/json; charset="utf-8"',
    "space around": "  application/json ;charset=utf-8 ",
}.items():
    negotiation.case(
        f"Content-Type: {name}",
        "9110 8.3.1",
        "MUST",
        request("POST", MEASURE, f"Content-Type: {value}", PLAIN, body=DOCUMENT),
        200,
        end="open",
    )
for name, value in {
    "identity": "identity",
    "nothing": "",
    "an unknown one": "br;q=1.0, zstd",
    "identity;q=0.5, *;q=0": "identity;q=0.5, *;q=0",
    "gzip;q=0": "gzip;q=0",
    "*;q=0 beside identity": "identity, *;q=0",
}.items():
    negotiation.case(
        f"Accept-Encoding: {name}",
        "9110 12.5.3",
        "MUST",
        request("GET", KIT, f"Accept-Encoding: {value}"),
        Want(200, lacks=["Content-Encoding"]),
        end="open",
    )
negotiation.case(
    "Range on what has no ranges is ignored",
    "9110 14.2",
    "MUST",
    request("GET", "/healthz", "Range: bytes=0-1"),
    (200, 206),
    end="open",
)

GZIP = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
for name, value in {"gzip": "gzip", "with others": "deflate, gzip;q=1.0, *;q=0.5", "a wildcard": "*"}.items():
    negotiation.case(
        f"a large answer is compressed for Accept-Encoding: {name}",
        "9110 12.5.3",
        "OURS",
        request("GET", "/openapi.json", f"Accept-Encoding: {value}"),
        Want(200, has=GZIP, check=lambda r: gzip.decompress(r.body).startswith(b"{")),
        end="open",
        needs=["ours"],
    )
negotiation.case(
    "and not for a client that excludes it",
    "9110 12.5.3",
    "MUST",
    request("GET", "/openapi.json", "Accept-Encoding: gzip;q=0, *"),
    Want(200, has={"Vary": "Accept-Encoding"}, lacks=["Content-Encoding"]),
    end="open",
    needs=["ours"],
)
negotiation.case(
    "HEAD of a compressed answer has its fields and no content",
    "9110 9.3.2",
    "MUST",
    request("HEAD", "/openapi.json", "Accept-Encoding: gzip"),
    Want(200, has=GZIP, head=True),
    end="open",
    needs=["ours"],
)

EVERYTHING = {"Content-Type": "application/problem+json", "X-Request-Id": None, "Date": None, "Content-Length": None}
ours = Area("problem documents")
for name, data, status in (
    ("404", request(target="/nothing"), 404),
    ("405", request("DELETE", "/healthz"), 405),
    ("406", request("GET", "/healthz", "Accept: image/png"), 406),
    ("415", request("POST", MEASURE, "Content-Type: a/b", PLAIN, body=DOCUMENT), 415),
    ("413", post("Content-Length: 2000000"), 413),
    ("417", request("GET", "/healthz", "Expect: x"), 417),
    ("421", request(host="Host: attacker.example\r\n"), 421),
    ("501", request("BREW"), 501),
    ("505", request(version="HTTP/3.0"), 505),
    ("400", request(host=""), 400),
    ("414", request(target="/" + "a" * 20_000), 414),
    ("431", request("GET", "/healthz", "X: " + "a" * 20_000), 431),
    ("412", request("PUT", KIT, *PUT, 'If-Match: "999"', body=KIT_BODY), 412),
):
    ours.case(
        name,
        "9457 3",
        "OURS",
        data,
        Want(
            *(status if isinstance(status, tuple) else (status,)),
            has=EVERYTHING,
            check=lambda r: r.get("X-Request-Id").encode() in r.body,
        ),
        needs=["ours"],
    )
