# Chunked bodies, their extensions and trailers (RFC 9112, 7), and our limits of bodies.

from cases import DOCUMENT, HOST, KIT, Area, Want, chunked, chunks, exchange, post, request

SIZE = len(DOCUMENT)

chunk = Area("chunks")
chunk.case(
    "one by one", "9112 7.1", "MUST", chunked(chunks(*(DOCUMENT[n : n + 1] for n in range(SIZE)))), 200, end="open"
)
chunk.case(
    "sizes in capitals", "9112 7.1", "MUST", chunked(b"%X\r\n%s\r\n0\r\n\r\n" % (SIZE, DOCUMENT)), 200, end="open"
)
chunk.case(
    "sizes with leading zeros",
    "9112 7.1",
    "MUST",
    chunked(b"0000%x\r\n%s\r\n000\r\n\r\n" % (SIZE, DOCUMENT)),
    200,
    end="open",
)
chunk.case(
    "extensions are ignored",
    "9112 7.1.1",
    "MUST",
    chunked(b'%x;a;b=c;d="e;f\\"\r"'.replace(b"\r", b"") % SIZE + b"\r\n" + DOCUMENT + b"\r\n0;last\r\n\r\n"),
    200,
    end="open",
)
chunk.case(
    "trailers are read past",
    "9112 7.1.2",
    "MUST",
    chunked(chunks(DOCUMENT, last=b"0\r\nX-Sum: 1\r\nX-B: 2\r\n\r\n")),
    200,
    end="open",
)
chunk.case("an empty body", "9112 7.1", "MUST", chunked(chunks()), (200, 400), end="open", needs=["reads"])
chunk.case(
    "then a request in the same packet",
    "9112 9.3.2",
    "MUST",
    chunked(chunks(DOCUMENT)) + request("GET", KIT),
    200,
    200,
    end="open",
)
chunk.case(
    "a chunked body of GET is read past",
    "9110 9.3.1",
    "MUST",
    request("GET", "/healthz", "Transfer-Encoding: chunked", body=chunks(b"hello")),
    (200, 400, 413),
)
for name, body in {
    "an empty size": b"\r\n" + DOCUMENT,
    "a size that is not hexadecimal": b"xyz\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-5\r\nhello\r\n0\r\n\r\n",
    "a plus before the size": b"+5\r\nhello\r\n0\r\n\r\n",
    "0x before the size": b"0x5\r\nhello\r\n0\r\n\r\n",
    "an underscore in the size": b"0_5\r\nhello\r\n0\r\n\r\n",
    "space before the size": b" 5\r\nhello\r\n0\r\n\r\n",
    "a size with a dot": b"5.0\r\nhello\r\n0\r\n\r\n",
    "a size beyond 64 bits": b"10000000000000005\r\nhello\r\n0\r\n\r\n",
    "a size of 2^64 - 1": b"ffffffffffffffff\r\nhello\r\n0\r\n\r\n",
    "a size of 2^63": b"8000000000000000\r\nhello\r\n0\r\n\r\n",
    "a size of 300 digits": b"f" * 300 + b"\r\nhello\r\n0\r\n\r\n",
    "a chunk that is longer than its size": b"3\r\nhello\r\n0\r\n\r\n",
    "no CRLF after a chunk": b"5\r\nhello0\r\n\r\n",
    "two bytes that are not CRLF after it": b"5\r\nhelloXX0\r\n\r\n",
}.items():
    chunk.refused(name, "9112 7.1", "MUST", chunked(body), (400, 413), needs=["reads"])
for name, body in {
    "a bare LF after the size": b"5\nhello\r\n0\r\n\r\n",
    "a bare LF after the data": b"5\r\nhello\n0\r\n\r\n",
    "a bare LF after the last size": b"5\r\nhello\r\n0\n\r\n",
    "a bare CR after the size": b"5\rhello\r\n0\r\n\r\n",
    "a bare CR in an extension": b"5;a\rb\r\nhello\r\n0\r\n\r\n",
    "a bare LF in an extension": b"5;a\nhello\r\n0\r\n\r\n",
    "space after the size, then more": b"5 5\r\nhello\r\n0\r\n\r\n",
    "an extension without its semicolon": b"5 a\r\nhello\r\n0\r\n\r\n",
    "an extension without a name": b"5;=a\r\nhello\r\n0\r\n\r\n",
    "NUL in an extension": b"5;a=\0\r\nhello\r\n0\r\n\r\n",
    "an open quote in an extension": b'5;a="b\r\nhello\r\n0\r\n\r\n',
    "a trailer without a colon": b"5\r\nhello\r\n0\r\nnonsense\r\n\r\n",
    "space before a trailer's colon": b"5\r\nhello\r\n0\r\nX : y\r\n\r\n",
    "a control character in a trailer": b"5\r\nhello\r\n0\r\nX: a\x01b\r\n\r\n",
    "a bare LF in the trailers": b"5\r\nhello\r\n0\r\nX: y\n\r\n",
    "a folded trailer": b"5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n",
    "CR CR LF after the data": b"5\r\nhello\r\r\n0\r\n\r\n",
}.items():
    chunk.refused(name, "9112 7.1", "SECURITY", chunked(body), 400, finish=True, needs=["reads"])
chunk.case("the end comes early", "9112 8", "MUST", chunked(b"5\r\nhel"), (400, 408), finish=True, needs=["reads"])
chunk.case(
    "the end comes before the last chunk",
    "9112 8",
    "MUST",
    chunked(b"%x\r\n%s\r\n" % (SIZE, DOCUMENT)),
    (400, 408),
    finish=True,
    needs=["reads"],
)
chunk.case(
    "the end comes within the trailers",
    "9112 8",
    "MUST",
    chunked(b"%x\r\n%s\r\n0\r\nX: " % (SIZE, DOCUMENT)),
    (400, 408),
    finish=True,
    needs=["reads"],
)
chunk.refused(
    "an extension of 100 KB",
    "9112 7.1.1",
    "SECURITY",
    chunked(b"5;a=" + b"b" * 100_000 + b"\r\nhello\r\n0\r\n\r\n"),
    (400, 413),
    needs=["reads"],
)
chunk.refused(
    "an extension that never ends",
    "9112 7.1.1",
    "SECURITY",
    chunked(b"5;a=" + b"b" * 3_000_000),
    (400, 413),
    needs=["reads"],
)
chunk.refused(
    "small extensions on every chunk, 1 MB of them",
    "9112 7.1.1",
    "SECURITY",
    chunked(b"1;%s\r\nx\r\n" % (b"a" * 100) * 10_000 + b"0\r\n\r\n"),
    (400, 413),
    needs=["reads"],
)
chunk.refused(
    "trailers of 1 MB",
    "9110 5.4",
    "SECURITY",
    chunked(chunks(DOCUMENT, last=b"0\r\n" + b"X: %s\r\n" % (b"a" * 1_000) * 1_000 + b"\r\n")),
    (400, 413, 431),
    needs=["reads"],
)
chunk.refused(
    "100,000 trailers",
    "9110 5.4",
    "SECURITY",
    chunked(chunks(DOCUMENT, last=b"0\r\n" + b"X: a\r\n" * 100_000 + b"\r\n")),
    (400, 413, 431),
    needs=["reads"],
)
chunk.refused(
    "chunks that are too much in all",
    "9110 15.5.14",
    "SHOULD",
    chunked(chunks(*[b" " * 60_000] * 40)),
    413,
    needs=["reads"],
)
chunk.refused("one chunk that is too large", "9110 15.5.14", "SHOULD", chunked(b"7fffffff\r\n{"), 413, needs=["reads"])
chunk.case(
    "trailers never become fields",
    "9110 6.5.1",
    "SECURITY",
    chunked(
        chunks(
            DOCUMENT, last=b"0\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\nConnection: close\r\nHost: other\r\n\r\n"
        )
    ),
    (200, 400),
)
chunk.case(
    "a body of 900 KB in chunks of 1,000",
    "9112 7.1",
    "MUST",
    chunked(chunks(DOCUMENT, *[b" " * 1_000] * 900)),
    200,
    end="open",
    needs=["reads"],
)


@chunk.scenario("cut anywhere, they are the same", "9112 7.1", "MUST")
def cut_anywhere(peer):
    data = chunked(b'%x;a="b"\r\n' % SIZE + DOCUMENT + b"\r\n0\r\nX: y\r\n\r\n")
    for offset in range(1, len(data), 7):
        exchange(peer, [data[:offset], data[offset:]], [200], "any", pause=0.001)


ours = Area("bodies, our limits")
ours.refused(
    "17 digits of a chunk size",
    "9112 7.1",
    "OURS",
    chunked(b"0" * 16 + b"5\r\nhello\r\n0\r\n\r\n"),
    400,
    needs=["ours"],
)
ours.refused(
    "a size line of 5 KB",
    "9112 7.1.1",
    "OURS",
    chunked(b"5;a=" + b"b" * 5_000 + b"\r\nhello\r\n0\r\n\r\n"),
    (400, 413),
    needs=["ours"],
)
ours.refused(
    "trailers of 9 KB",
    "9112 7.1.2",
    "OURS",
    chunked(chunks(DOCUMENT, last=b"0\r\n" + b"X: %s\r\n" % (b"a" * 1_000) * 9 + b"\r\n")),
    (400, 413),
    needs=["ours"],
)
ours.refused(
    "a refusal is a problem document",
    "9457 3",
    "OURS",
    post("Content-Length: x"),
    Want(
        400, has={"Content-Type": "application/problem+json", "X-Request-Id": None, "Date": None, "Connection": "close"}
    ),
    needs=["ours"],
)
ours.case(
    "its HEAD has no content",
    "9110 9.3.2",
    "OURS",
    f"HEAD /healthz HTTP/1.1\r\n{HOST}Content-Length: x\r\n\r\n",
    Want(400, head=True),
    end="closed",
    needs=["ours"],
)
