# Abuse: slow and hostile clients, many connections, leaks, and the deadlines in real time.

import time

from cases import DOCUMENT, KIT, Area, is_healthy, post, request
from wire import Connection, Failure

PLAIN = f"Content-Length: {len(DOCUMENT)}"
abuse = Area("abuse")


def healthy_milliseconds(peer):
    start = time.monotonic()
    if fault := is_healthy(peer):
        raise Failure(fault)
    return (time.monotonic() - start) * 1_000


def eventually(condition, seconds=3):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def leaves_nothing(peer, act, seconds=None):
    """The server's descriptors return to their count: ours at once, others' when they notice by their deadlines alone."""
    seconds = seconds or (5 if "ours" in peer.can else 30)
    is_healthy(peer)
    before = peer.descriptors()
    act()
    if not eventually(lambda: peer.descriptors() <= before + 1, seconds):
        raise Failure(f"{peer.descriptors()} descriptors, {before} before")


@abuse.scenario("500 empty connections delay nobody", "9112 9.5", "SECURITY")
def empty_connections(peer):
    held = [Connection(peer.port) for _ in range(500)]
    try:
        if (took := min(healthy_milliseconds(peer) for _ in range(3))) > 200:
            raise Failure(f"a healthy request took {took:.0f} ms")
    finally:
        for connection in held:
            connection.socket.close()


@abuse.scenario("200 heads that dribble delay nobody", "9112 9.5", "SECURITY")
def dribbling_heads(peer):
    held = [Connection(peer.port) for _ in range(200)]
    try:
        for byte in request()[:12]:
            for connection in held:
                connection.send(bytes([byte]))
        if (took := min(healthy_milliseconds(peer) for _ in range(3))) > 200:
            raise Failure(f"a healthy request took {took:.0f} ms")
    finally:
        for connection in held:
            connection.socket.close()


@abuse.scenario("100 bodies that dribble delay nobody", "9112 9.5", "SECURITY")
def dribbling_bodies(peer):
    held = [Connection(peer.port) for _ in range(100)]
    try:
        for connection in held:
            connection.send(post("Content-Length: 1000", body=b"{"))
        if (took := min(healthy_milliseconds(peer) for _ in range(3))) > 200:
            raise Failure(f"a healthy request took {took:.0f} ms")
    finally:
        for connection in held:
            connection.socket.close()


@abuse.scenario("100 readers that do not read delay nobody", "9112 9.5", "SECURITY")
def silent_readers(peer):
    held = [Connection(peer.port, receive_buffer=2_048) for _ in range(100)]
    try:
        for connection in held:
            connection.send(request("GET", KIT) * 100)
        if (took := min(healthy_milliseconds(peer) for _ in range(3))) > 500:
            raise Failure(f"a healthy request took {took:.0f} ms")
    finally:
        for connection in held:
            connection.socket.close()


def leak(name, act, needs=()):
    @abuse.scenario(f"no descriptor is left by {name}", "9112 9.6", "SECURITY", needs=needs)
    def run(peer):
        leaves_nothing(peer, lambda: act(peer))


def connections(data, count=100, reset=False, finish=False, reads=False):
    def act(peer):
        for _ in range(count):
            connection = Connection(peer.port)
            connection.send(data)
            if reads:
                connection.fill()
            if finish:
                connection.finish()
            if reset:
                connection.reset()
            else:
                connection.socket.close()

    return act


leak("connections that say nothing", connections(b"", 300))
leak("half heads", connections(request()[:30]))
leak("half bodies", connections(post("Content-Length: 50", body=b"{")))
leak("resets within heads", connections(request()[:30], reset=True))
leak("resets with answers under way", connections(request("GET", KIT) * 20, reset=True))
leak("resets while the handler works", connections(post(PLAIN, body=DOCUMENT), reset=True))
leak("half-closes", connections(request(), finish=True))
leak("refused requests", connections(request(host="")))
leak("unfinished chunks", connections(post("Transfer-Encoding: chunked", body=b"ff\r\nab")))
leak("bodies that are too large", connections(post("Content-Length: 5000000", body=b" " * 10_000), 30))
EVENTS = request("GET", "/v1/changes", "Accept: text/event-stream")
leak("event streams that are reset", connections(EVENTS, reset=True, reads=True), ["ours"])
leak("event streams that half-close, and then reset", connections(EVENTS, finish=True, reset=True, reads=True), ["ours"])


@abuse.scenario("memory does not grow with hostile connections", "9112 9.5", "SECURITY", needs=["ours"])
def memory_after_abuse(peer):
    def round_of_all():
        for data in (b"", request()[:30], request(host=""), request("GET", KIT) * 20, post(PLAIN, body=DOCUMENT), EVENTS,
                     post("Content-Length: 50", body=b"{"), post("Transfer-Encoding: chunked", body=b"ff\r\nab"),
                     post("Content-Length: 5000000", body=b" " * 10_000), request("GET", "/openapi.json") * 20):
            for way in ({}, {"reset": True}, {"finish": True}):
                connections(data, 20, **way)(peer)

    # What is kept for use again has its size after the first of them.
    for _ in range(2):
        leaves_nothing(peer, round_of_all, 30)
    before = peer.anonymous_kilobytes()
    for _ in range(3):
        leaves_nothing(peer, round_of_all, 30)
    if (grown := peer.anonymous_kilobytes() - before) > 1_024:
        raise Failure(f"{grown} KB more after 1,800 of them")


@abuse.scenario("an accepted connection costs little memory", "9112 9.5", "SECURITY", needs=["ours"])
def memory(peer):
    before = peer.anonymous_kilobytes()
    held = [Connection(peer.port) for _ in range(1_000)]
    is_healthy(peer)
    each = (peer.anonymous_kilobytes() - before) / 1_000
    for connection in held:
        connection.socket.close()
    if each > 2:
        raise Failure(f"{each:.1f} KB each")


@abuse.scenario("idle connections cost no time", "9112 9.5", "SECURITY", needs=["ours"])
def idle_time(peer):
    held = [Connection(peer.port) for _ in range(200)]
    for connection in held[:100]:
        connection.send(request()[:20])
    is_healthy(peer)
    before = peer.cpu_seconds()
    time.sleep(1)
    used = peer.cpu_seconds() - before
    for connection in held:
        connection.socket.close()
    if used > 0.05:
        raise Failure(f"{used:.2f} s of processor time in one second of nothing")


@abuse.scenario(
    "many requests and no reply read: the connection's buffer is bounded", "9112 9.5", "SECURITY", needs=["ours"]
)
def bounded_output(peer):
    before = peer.anonymous_kilobytes()
    with Connection(peer.port, receive_buffer=2_048) as connection:
        connection.socket.settimeout(0.2)
        try:
            for _ in range(400):
                connection.socket.sendall(request("GET", "/openapi.json") * 20)
        except OSError:
            pass
        grown = peer.anonymous_kilobytes() - before
    if grown > 8_000:
        raise Failure(f"{grown} KB more")


@abuse.scenario("the figures count what happened", "9110 15", "OURS", needs=["ours"])
def figures(peer):
    def read():
        with Connection(peer.port) as connection:
            connection.send(request("GET", "/metrics"))
            lines = connection.reply().body.decode().splitlines()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}

    kit = '{method="GET",route="/v1/kits/{kitId}"'
    wanted = [
        f'interviewkit_requests_total{kit},status="200"}}',
        f'interviewkit_request_seconds_bucket{kit},le="+Inf"}}',
        f"interviewkit_request_seconds_count{kit}}}",
    ]
    before = read()
    with Connection(peer.port) as connection:
        connection.send(request("GET", KIT) * 5)
        for _ in range(5):
            connection.reply()
    if not eventually(lambda: all(read().get(name, 0) >= before.get(name, 0) + 5 for name in wanted)):
        raise Failure(f"{[(name, before.get(name), read().get(name)) for name in wanted]}")
    for name in ("interviewkit_connections_open", "interviewkit_write_queue_depth", "interviewkit_log_queue_depth"):
        if name not in read():
            raise Failure(f"no {name}")


# Deadlines, in real time: they run beside each other, and beside everything else.

deadline = Area("deadlines")


def ends_within(peer, connection, least, most, statuses):
    start = time.monotonic()
    connection.socket.settimeout(most + 2)
    data = b""
    try:
        while piece := connection.socket.recv(65536):
            data += piece
    except TimeoutError:
        raise Failure(f"still open after {most} s") from None
    except ConnectionResetError:
        pass
    took = time.monotonic() - start
    if not least <= took <= most:
        raise Failure(f"ended after {took:.1f} s")
    status = int(data.split()[1]) if data else None
    if status not in statuses:
        raise Failure(f"{status} at the end")


def slow(name, source, level, statuses, data, needs=(), least=5, most=27):
    @deadline.scenario(name, source, level, needs=needs, is_slow=True)
    def run(peer):
        with Connection(peer.port) as connection:
            connection.send(data)
            ends_within(peer, connection, least, most, statuses)


slow("a head that stops is ended", "9110 15.5.9", "SHOULD", (408, 400, None), request()[:20])
slow("with 408", "9110 15.5.9", "SHOULD", (408,), request()[:20])
slow("a connection that says nothing is ended", "9112 9.5", "SHOULD", (408, None), b"")
slow("a connection that is idle after a request is ended", "9112 9.5", "SHOULD", (200,), request())
slow(
    "a body that stops is ended",
    "9110 15.5.9",
    "SHOULD",
    (408, 400, None),
    post("Content-Length: 100", body=b"{"),
    needs=["reads"],
)
slow("with 408 too", "9110 15.5.9", "SHOULD", (408,), post("Content-Length: 100", body=b"{"), needs=["reads"])
slow(
    "a chunk that stops is ended",
    "9110 15.5.9",
    "SHOULD",
    (408, 400, None),
    post("Transfer-Encoding: chunked", body=b"ff\r\n{"),
    needs=["reads"],
)


@deadline.scenario("a head that dribbles does not move its deadline", "9112 9.5", "SECURITY", is_slow=True)
def dribble(peer):
    with Connection(peer.port) as connection:
        connection.send(b"GET /healthz HTTP/1.1\r\nX: ")
        start = time.monotonic()
        connection.socket.settimeout(0.25)
        while time.monotonic() - start < 27:
            connection.send(b"a")
            try:
                if not connection.socket.recv(1_000):
                    return
            except TimeoutError:
                continue
            except OSError:
                return
        raise Failure("still open after 27 s")
