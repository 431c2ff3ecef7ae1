# How long a body is: Content-Length and Transfer-Encoding (RFC 9112, 6), and smuggling (11.2).

import random

from cases import DOCUMENT, HEALTH, KIT, Area, Want, chunked, chunks, exchange, post, request

SIZE = len(DOCUMENT)
SMUGGLED = request("GET", KIT)
PLAIN = f"Content-Length: {SIZE}"

length = Area("content-length")
length.case("a body of that length", "9112 6.3", "MUST", post(PLAIN, body=DOCUMENT), 200, end="open")
length.case("with leading zeros", "9110 8.6", "MUST", post(f"Content-Length: 000{SIZE}", body=DOCUMENT), (200, 400))
length.case("none, and no body", "9112 6.3", "MUST", request(), 200, end="open")
length.case("0", "9112 6.3", "MUST", request("GET", "/healthz", "Content-Length: 0"), 200, end="open")
length.case(
    "a body of GET is read past",
    "9110 9.3.1",
    "MUST",
    request("GET", "/healthz", "Content-Length: 5", body="hello") + HEALTH,
    (200, 400, 413),
)
length.scenario("a body of GET never becomes a request", "9112 11.2", "SECURITY")(
    lambda peer: exchange(
        peer, request("GET", "/healthz", f"Content-Length: {len(SMUGGLED)}", body=SMUGGLED), [(200, 400, 413)], "any"
    )
)
length.case(
    "the body of a refused request is no request",
    "9112 9.3",
    "MUST",
    request("POST", "/nothing", f"Content-Length: {len(SMUGGLED)}", body=SMUGGLED) + request(target="/nothing/2"),
    (404, 405),
    end="any",
)
for value in (
    "-1",
    "+5",
    "5.0",
    "5e0",
    "0x5",
    "5,5x",
    "five",
    "5 5",
    "5;",
    '"5"',
    "",
    "5_0",
    "\xb2",
    "٥".encode().decode("latin-1"),
    "1,2",
    "5\t5",
    "NaN",
):
    length.refused(f"not valid: {value!r}", "9112 6.3", "MUST", post(f"Content-Length: {value}", body="hello"), 400)
for value in ("9223372036854775808", "18446744073709551616", "18446744073709551621", "9" * 400):
    length.refused(
        f"beyond every integer: {value[:24]}",
        "9110 8.6",
        "MUST",
        post(f"Content-Length: {value}", body="hello"),
        (400, 413),
    )
length.refused(
    "two that differ", "9112 6.3", "MUST", post("Content-Length: 5", "Content-Length: 6", body="hello!"), 400
)
length.refused("two that differ, one list", "9112 6.3", "MUST", post("Content-Length: 5, 6", body="hello!"), 400)
length.refused(
    "two that differ, one empty", "9112 6.3", "MUST", post("Content-Length: 5", "Content-Length:", body="hello"), 400
)
length.case("two that are the same", "9112 6.3", "MUST", post(PLAIN, PLAIN, body=DOCUMENT), (200, 400))
length.refused("two that are the same, refused", "9112 6.3", "SECURITY", post(PLAIN, PLAIN, body=DOCUMENT), 400)
length.refused(
    "a list of the same, refused", "9112 6.3", "SECURITY", post(f"Content-Length: {SIZE}, {SIZE}", body=DOCUMENT), 400
)
length.case(
    "a shorter body, then the end",
    "9112 8",
    "MUST",
    post("Content-Length: 500", body=DOCUMENT),
    (400, 408),
    finish=True,
    needs=["reads"],
)
length.case(
    "more bytes than it says are the next request",
    "9112 6.3",
    "MUST",
    post(PLAIN, body=DOCUMENT) + request("GET", KIT),
    200,
    200,
    end="open",
)
length.case(
    "a body too large",
    "9110 15.5.14",
    "SHOULD",
    post("Content-Length: 5000000", body=b"{"),
    Want(413, check=lambda r: True),
    needs=["reads"],
)
length.refused("and huge", "9110 15.5.14", "SHOULD", post("Content-Length: 9000000000000000000", body=b"{"), (400, 413))
length.case(
    "a body of 900 KB is read whole",
    "9112 6.3",
    "MUST",
    post("Content-Length: 900000", body=DOCUMENT + b" " * (900_000 - SIZE)),
    200,
    end="open",
    needs=["reads"],
)
length.case(
    "in many pieces",
    "9112 6.3",
    "MUST",
    [post(PLAIN), *(DOCUMENT[n : n + 9] for n in range(0, SIZE, 9))],
    200,
    end="open",
    pause=0.002,
)

coding = Area("transfer-encoding")
coding.case("chunked", "9112 7.1", "MUST", chunked(chunks(DOCUMENT)), 200, end="open")
for value in ("CHUNKED", "Chunked", " \tchunked\t ", ",chunked", "chunked,"):
    coding.case(
        f"chunked, as {value!r}",
        "9112 7",
        "MUST",
        post(f"Transfer-Encoding: {value}", body=chunks(DOCUMENT)),
        (200,) if "," not in value else (200, 400, 501),
        end="any",
    )
coding.case(
    "an unknown coding", "9112 6.1", "SHOULD", post("Transfer-Encoding: br, chunked", body=chunks(b"x")), (400, 501)
)
coding.refused("an unknown coding alone", "9112 6.3", "MUST", post("Transfer-Encoding: br", body="hello"), (400, 501))
coding.refused(
    "chunked, but not last", "9112 6.3", "MUST", post("Transfer-Encoding: chunked, gzip", body=chunks(b"x")), (400, 501)
)
coding.refused(
    "chunked, then identity",
    "9112 6.3",
    "MUST",
    post("Transfer-Encoding: chunked, identity", body=chunks(b"x")),
    (400, 501),
)
coding.refused(
    "chunked twice",
    "9112 6.1",
    "MUST",
    post("Transfer-Encoding: chunked, chunked", body=chunks(chunks(DOCUMENT))),
    (400, 501),
)
coding.refused(
    "chunked in two fields",
    "9112 6.1",
    "MUST",
    post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked", body=chunks(DOCUMENT)),
    (400, 501),
)
coding.refused("identity", "9112 7", "SECURITY", post("Transfer-Encoding: identity", PLAIN, body=DOCUMENT), (400, 501))
for value in (
    "xchunked",
    "chunkedx",
    "chunked;q=1",
    '"chunked"',
    "'chunked'",
    "chunked\x0b",
    "\x0bchunked",
    "chu nked",
    "chunked\x00",
    "[chunked]",
    "chunked\xa0",
    "\xef\xbb\xbfchunked",
    "chun\u212aed".encode().decode("latin-1"),
    "",
    "chunked,,identity",
    "x: chunked",
    "chunked\r",
):
    coding.refused(
        f"obfuscated: {value!r}",
        "9112 6.3",
        "SECURITY",
        post(f"Transfer-Encoding: {value}", PLAIN, body=DOCUMENT),
        (400, 501),
    )
for value in ("xchunked", "chunkedx", "chunked\xa0"):
    coding.refused(
        f"obfuscated, alone: {value!r}",
        "9112 6.3",
        "MUST",
        post(f"Transfer-Encoding: {value}", body=chunks(DOCUMENT)),
        (400, 501),
    )
coding.refused(
    "with Content-Length: closed after it",
    "9112 6.1",
    "MUST",
    post(PLAIN, "Transfer-Encoding: chunked", body=chunks(DOCUMENT)),
    (200, 400),
)
coding.refused(
    "with Content-Length: refused",
    "9112 6.3",
    "SECURITY",
    post(PLAIN, "Transfer-Encoding: chunked", body=chunks(DOCUMENT)),
    400,
)
coding.refused(
    "with Content-Length after it: refused",
    "9112 6.3",
    "SECURITY",
    post("Transfer-Encoding: chunked", PLAIN, body=chunks(DOCUMENT)),
    400,
)
coding.refused(
    "on 1.0: faulty, and closed",
    "9112 6.1",
    "MUST",
    post("Transfer-Encoding: chunked", "Connection: keep-alive", body=chunks(DOCUMENT), version="HTTP/1.0"),
    (200, 400, 501),
)
coding.refused(
    "on 1.0: refused",
    "9112 6.1",
    "SECURITY",
    post("Transfer-Encoding: chunked", body=chunks(DOCUMENT), version="HTTP/1.0"),
    (400, 501),
)
coding.case(
    "TE and its trailers are no harm",
    "9110 10.1.4",
    "MUST",
    request("GET", "/healthz", "TE: trailers, deflate;q=0.5", "Connection: TE"),
    200,
    end="open",
)

smuggling = Area("smuggling")
for name, data in {
    "CL.TE": post("Content-Length: 6", "Transfer-Encoding: chunked", body=b"0\r\n\r\nG"),
    "TE.CL": post("Content-Length: 4", "Transfer-Encoding: chunked", body=b"5c\r\n" + SMUGGLED + b"\r\n0\r\n\r\n"),
    "TE.TE": post(
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: cow",
        "Content-Length: 4",
        body=b"5c\r\n" + SMUGGLED + b"\r\n0\r\n\r\n",
    ),
    "TE with a tab before its colon": post(
        "Content-Length: 4", "Transfer-Encoding\t: chunked", body=b"5c\r\n" + SMUGGLED
    ),
    "TE behind a bare LF": post("X: a\nTransfer-Encoding: chunked", "Content-Length: 4", body=b"5c\r\n" + SMUGGLED),
    "TE behind a bare CR": post("X: a\rTransfer-Encoding: chunked", "Content-Length: 4", body=b"5c\r\n" + SMUGGLED),
    "CL behind a NUL": post("X: a\0Content-Length: 4", f"Content-Length: {len(SMUGGLED)}", body=SMUGGLED),
    "CL with a line feed within": post("Content-Length: 4\n4", body=SMUGGLED),
    "CL and CL folded": post("Content-Length: 4\r\n 4", body=SMUGGLED),
    "a name with an underscore is another name": request(
        "GET", "/healthz", "Content_Length: 5", "Transfer_Encoding: chunked"
    ),
    "chunk extension with LF (TERM.EXT)": chunked(b"5;\nhello\r\n0\r\n\r\n" + SMUGGLED),
    "chunk data with two more bytes (TERM.SPILL)": chunked(b"5\r\nhelloXY" + b"0\r\n\r\n" + SMUGGLED),
}.items():
    if "underscore" in name:
        smuggling.case(name, "9112 11.2", "SECURITY", data, 200, end="open")
    else:
        smuggling.refused(name, "9112 11.2", "SECURITY", data, (400, 501), needs=["reads"] if "chunk" in name else [])
smuggling.case(
    "a second request behind a refused one is not answered",
    "9112 11.2",
    "SECURITY",
    request(host="Host: a b\r\n") + request("GET", KIT),
    400,
    end="closed",
)


@smuggling.scenario("random framing is refused, or read in one way", "9112 11.2", "SECURITY")
def random_framing(peer):
    generator = random.Random(9112)
    words = [
        "Content-Length: 5",
        "Content-Length: 0",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: x",
        "Content-Length: 5, 5",
        "Connection: close",
    ]
    for _ in range(60):
        fields = generator.sample(words, generator.randint(1, 4))
        data = post(*fields, body=b"5\r\nhello\r\n0\r\n\r\n")
        both = any("Length" in field for field in fields) and any("Transfer" in field for field in fields)
        if both or "Transfer-Encoding: x" in fields:
            exchange(peer, data, [(200, 400, 501)], "closed")
