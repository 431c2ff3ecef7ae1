# Persistence, pipelining, Expect, half-close, resets and odd deliveries (RFC 9112, 9; RFC 9110, 10.1.1).

from cases import DOCUMENT, HEALTH, KIT, MEASURE, Area, Want, chunks, exchange, expect_open, post, request
from wire import Connection, Failure

PLAIN = f"Content-Length: {len(DOCUMENT)}"
persistence = Area("persistence")
persistence.case("1.1 stays open", "9112 9.3", "MUST", request(), Want(200, check=lambda r: not r.closes), end="open")
for value in (
    "close",
    "Close",
    "CLOSE",
    "keep-alive, close",
    "close, keep-alive",
    "x, close",
    " close ",
    "close,",
    ",close",
):
    persistence.case(
        f"Connection: {value}",
        "9112 9.6",
        "MUST",
        request("GET", "/healthz", f"Connection: {value}"),
        200,
        end="closed",
    )
persistence.case(
    "close in a second field",
    "9110 5.3",
    "MUST",
    request("GET", "/healthz", "Connection: x", "Connection: close"),
    200,
    end="closed",
)
persistence.case(
    "a close is announced",
    "9112 9.6",
    "SHOULD",
    request("GET", "/healthz", "Connection: close"),
    Want(200, check=lambda r: r.closes),
    end="closed",
)
persistence.case(
    "nothing is processed after close",
    "9112 9.6",
    "MUST",
    request("GET", "/healthz", "Connection: close") + request("GET", KIT),
    200,
    end="closed",
)
persistence.case(
    "closed is not close",
    "9110 7.6.1",
    "MUST",
    request("GET", "/healthz", "Connection: closed, xclose"),
    200,
    end="open",
)
persistence.case(
    "a quoted close is none", "9110 7.6.1", "SHOULD", request("GET", "/healthz", 'Connection: "close"'), (200, 400)
)
persistence.case(
    "1.0 with keep-alive",
    "9112 9.3",
    "SHOULD",
    request("GET", "/healthz", "Connection: keep-alive", version="HTTP/1.0"),
    Want(200, has={"Connection": None}),
    end="open",
)
persistence.case(
    "1.0 with Keep-Alive in capitals",
    "9112 9.3",
    "SHOULD",
    request("GET", "/healthz", "Connection: Keep-Alive", version="HTTP/1.0"),
    200,
    end="open",
)
persistence.case(
    "1.0 with keep-alive and close",
    "9112 9.3",
    "MUST",
    request("GET", "/healthz", "Connection: keep-alive, close", version="HTTP/1.0"),
    200,
    end="closed",
)
persistence.case(
    "a refusal by the application leaves it open",
    "9112 9.3",
    "SHOULD",
    request(target="/nothing"),
    Want(404, check=lambda r: not r.closes),
    end="open",
)
persistence.case(
    "a small body left unread is read past, or the end is announced",
    "9112 9.3",
    "MUST",
    request("POST", "/nothing", "Content-Length: 5", body="hello"),
    Want(404, 405),
)
persistence.case(
    "no field announces Upgrade that was not asked for", "9110 7.8", "MUST", request(), Want(200, lacks=["Upgrade"])
)
persistence.case(
    "an upgrade to h2c is ignored",
    "9110 7.8",
    "MUST",
    request(
        "GET",
        "/healthz",
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    ),
    200,
    end="open",
)
persistence.case(
    "and to a websocket",
    "9110 7.8",
    "MUST",
    request(
        "GET",
        "/healthz",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ),
    (200, 400, 426),
)


@persistence.scenario("a hundred requests, one connection", "9112 9.3", "MUST")
def hundred(peer):
    with Connection(peer.port) as connection:
        for _ in range(100):
            expect_open(connection, peer)


@persistence.scenario("a large body that is refused: the refusal can be read", "9112 9.6", "SHOULD", needs=["reads"])
def readable_refusal(peer):
    with Connection(peer.port) as connection:
        connection.send(post("Content-Length: 3000000") + b" " * 3_000_000)
        Want(413).judge(connection.reply())


pipelining = Area("pipelining")
ORDER = [("GET", "/healthz", 200), ("GET", KIT, 200), ("GET", "/nothing", 404), ("GET", "/healthz", 200)]
pipelining.case(
    "answers in order",
    "9112 9.3.2",
    "MUST",
    b"".join(request(m, t) for m, t, _ in ORDER),
    *(s for *_, s in ORDER),
    end="open",
)
pipelining.case(
    "a slow answer is not overtaken",
    "9112 9.3.2",
    "MUST",
    post(PLAIN, body=DOCUMENT) + request(target="/nothing") + post(PLAIN, body=DOCUMENT),
    200,
    404,
    200,
    end="open",
)
pipelining.case(
    "HEAD among them",
    "9112 9.3.2",
    "MUST",
    request("HEAD", KIT) + request() + request("HEAD", KIT),
    Want(200, head=True),
    200,
    Want(200, head=True),
    end="open",
)
pipelining.case(
    "chunked and plain bodies among them",
    "9112 9.3.2",
    "MUST",
    post("Transfer-Encoding: chunked", body=chunks(DOCUMENT)) + post(PLAIN, body=DOCUMENT) + request(),
    200,
    200,
    200,
    end="open",
)
pipelining.case(
    "an empty line between two requests", "9112 2.2", "SHOULD", request() + b"\r\n" + request(), 200, 200, end="open"
)
pipelining.case(
    "an error ends them",
    "9112 9.3.2",
    "SHOULD",
    request() + request(host="") + request("GET", KIT),
    200,
    400,
    end="closed",
)
pipelining.case(
    "close ends them",
    "9112 9.6",
    "MUST",
    request() + request("GET", "/healthz", "Connection: close") + request("GET", KIT),
    200,
    200,
    end="closed",
)
pipelining.case(
    "then a half-close: all are answered", "9112 9.6", "SHOULD", request() * 3, 200, 200, 200, end="closed", finish=True
)


@pipelining.scenario("a thousand in one piece", "9112 9.3.2", "MUST")
def thousand(peer):
    with Connection(peer.port) as connection:
        connection.send(request("GET", "/nothing") + HEALTH * 998 + request("GET", KIT))
        statuses = [connection.reply().status for _ in range(1_000)]
        if statuses != [404] + [200] * 999:
            raise Failure(f"statuses {sorted(set(statuses))}")


@pipelining.scenario("a reader that is slow stops being read from", "9112 9.3.2", "SECURITY", needs=["ours"])
def slow_reader(peer):
    with Connection(peer.port, receive_buffer=4_096) as connection:
        connection.socket.settimeout(0.3)
        sent = 0
        try:
            while sent < 64_000_000:
                sent += connection.socket.send(request("GET", "/openapi.json") * 100)
        except OSError:
            return
        raise Failure(f"took {sent} bytes of requests from a peer that reads nothing")


expectation = Area("expect")


@expectation.scenario("100-continue is answered before the body", "9110 10.1.1", "MUST")
def continues(peer):
    with Connection(peer.port) as connection:
        connection.send(post(PLAIN, "Expect: 100-continue"))
        reply = connection.reply()
        if reply.status == 100:
            connection.send(DOCUMENT)
            reply = connection.reply()
            expect_open(connection, peer)
        Want(200, 417).judge(reply)


@expectation.scenario("with a chunked body too", "9110 10.1.1", "MUST")
def continues_chunked(peer):
    with Connection(peer.port) as connection:
        connection.send(post("Transfer-Encoding: chunked", "Expect: 100-Continue"))
        Want(100).judge(connection.reply())
        connection.send(chunks(DOCUMENT))
        Want(200).judge(connection.reply())


@expectation.scenario("refused before the body where it would be refused", "9110 10.1.1", "SHOULD", needs=["types"])
def refuses_early(peer):
    with Connection(peer.port) as connection:
        connection.send(
            request("POST", MEASURE, "Content-Type: image/png", "Content-Length: 100", "Expect: 100-continue")
        )
        Want(415).judge(connection.reply())


@expectation.scenario("refused early for its length", "9110 10.1.1", "SHOULD", needs=["reads"])
def refuses_length(peer):
    with Connection(peer.port) as connection:
        connection.send(post("Content-Length: 9000000", "Expect: 100-continue"))
        Want(413).judge(connection.reply())


@expectation.scenario("after an early refusal, bytes of the body are no request", "9110 10.1.1", "MUST")
def early_refusal_then_body(peer):
    body = request("GET", KIT)
    with Connection(peer.port) as connection:
        connection.send(request("POST", "/nothing", f"Content-Length: {len(body)}", "Expect: 100-continue"))
        reply = connection.reply()
        if reply.status == 100:
            connection.send(body)
            reply = connection.reply()
        Want(404, 405).judge(reply)
        if reply.closes:
            connection.expect_closed()
        else:
            connection.send(body)
            if not connection.is_silent():
                raise Failure(f"answered with {connection.reply()!r}")


@expectation.scenario("no 100 to 1.0", "9110 10.1.1", "MUST")
def none_for_old(peer):
    with Connection(peer.port) as connection:
        connection.send(post(PLAIN, "Expect: 100-continue", version="HTTP/1.0"))
        if not connection.is_silent():
            raise Failure(f"answered with {connection.reply()!r} before the body")
        connection.send(DOCUMENT)
        Want(200).judge(connection.reply())


expectation.case(
    "body and expectation in one piece",
    "9110 10.1.1",
    "MUST",
    post(PLAIN, "Expect: 100-continue", body=DOCUMENT),
    200,
    end="open",
)
expectation.case(
    "without a body", "9110 10.1.1", "MUST", request("GET", "/healthz", "Expect: 100-continue"), (200, 417)
)
for value in ("200-ok", "100-continue, x", "100-continuex", "x=y"):
    expectation.case(
        f"another expectation: {value}", "9110 10.1.1", "SHOULD", request("GET", "/healthz", f"Expect: {value}"), 417
    )

delivery = Area("delivery")
delivery.case("half-close after a request", "9112 9.6", "SHOULD", request(), 200, end="closed", finish=True)
delivery.case(
    "half-close after a body", "9112 9.6", "SHOULD", post(PLAIN, body=DOCUMENT), 200, end="closed", finish=True
)
delivery.case(
    "the head in two pieces", "9112 2.2", "MUST", [request()[:20], request()[20:]], 200, end="open", pause=0.02
)
delivery.case("CR and LF in two pieces", "9112 2.2", "MUST", [request()[:-1], b"\n"], 200, end="open", pause=0.02)


@delivery.scenario("byte by byte", "9112 2.2", "MUST")
def byte_by_byte(peer):
    data = request("GET", KIT, "X-A: b") + post("Transfer-Encoding: chunked", body=chunks(DOCUMENT[:40], DOCUMENT[40:]))
    exchange(peer, [bytes([byte]) for byte in data], [200, 200], "open", pause=0.0002)


@delivery.scenario("nothing is answered before it is whole", "9112 9.3.2", "MUST")
def not_before_whole(peer):
    with Connection(peer.port) as connection:
        for piece, rest in ((request()[:-2], b"\r\n"), (post(PLAIN, body=DOCUMENT[:-1]), DOCUMENT[-1:])):
            connection.send(piece)
            if peer.reads_bodies and not connection.is_silent():
                raise Failure(f"answered with {connection.reply()!r} before the end")
            connection.send(rest)
            Want(200).judge(connection.reply())


@delivery.scenario("half a head, then the end", "9112 8", "SHOULD")
def half_head(peer):
    with Connection(peer.port) as connection:
        connection.send(request()[:-2])
        connection.finish()
        if connection.drain()[:12] not in (b"", b"HTTP/1.1 400", b"HTTP/1.1 408"):
            raise Failure(f"answered with {connection.buffer[:60]!r}")


def leaves(name, data, level="SECURITY"):
    """Clients that go away with RST, many times."""

    @delivery.scenario(name, "9112 9.5", level)
    def run(peer):
        for _ in range(30):
            connection = Connection(peer.port)
            connection.send(data)
            connection.reset()


leaves("reset at once", b"")
leaves("reset within a head", request()[:25])
leaves("reset within a body", post("Content-Length: 5000", body=b"{"))
leaves("reset within a chunk", post("Transfer-Encoding: chunked", body=b"ff\r\nabc"))
leaves("reset with answers unread", request("GET", KIT) * 200)
leaves("reset while the answer is made", post(PLAIN, body=DOCUMENT))
leaves("reset after 100-continue was asked for", post(PLAIN, "Expect: 100-continue"))
