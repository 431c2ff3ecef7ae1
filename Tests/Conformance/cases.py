# Cases: what is sent, what must come back, where that stands, and the registry of all of them.

import time

from wire import Connection, Failure

LEVELS = ("MUST", "SHOULD", "SECURITY", "OURS")
CASES = []
HOST = "Host: localhost\r\n"
HEALTH = f"GET /healthz HTTP/1.1\r\n{HOST}\r\n".encode()
KIT = "/v1/kits/k"
MEASURE = "/v1/measure"
DOCUMENT = b'{"profile":"ios","mode":"label","width":200,"texts":[{"id":"a","text":"b"}]}'


class Want:
    """One reply that is wanted: its status, fields that it has (None: any value) or lacks, and a further check."""

    def __init__(self, *statuses, has=None, lacks=(), check=None, head=False):
        self.statuses, self.has, self.lacks, self.check, self.head = statuses, has or {}, lacks, check, head

    def judge(self, reply):
        if reply.status not in self.statuses:
            raise Failure(f"{reply.status}, wanted {' or '.join(map(str, self.statuses))}")
        for name, value in self.has.items():
            found = reply.get(name)
            if found is None or (value is not None and found != value):
                raise Failure(f"{name}: {found}, wanted {value or 'some value'}")
        for name in self.lacks:
            if reply.get(name) is not None:
                raise Failure(f"{name}: {reply.get(name)}, wanted none")
        if self.check and not self.check(reply):
            raise Failure(f"not the answer wanted: {reply!r}, {reply.fields}")


class Case:
    def __init__(self, area, name, source, level, run, needs=(), is_slow=False):
        self.area, self.name, self.source, self.level, self.run = area, name, source, level, run
        self.needs, self.is_slow = frozenset(needs), is_slow

    def applies_to(self, peer):
        return self.needs <= peer.can

    def failure(self, peer):
        """None, or what went wrong. Each case is followed by a healthy request on a new connection."""
        try:
            self.run(peer)
        except Failure as failure:
            return str(failure)
        except OSError as error:
            return f"{type(error).__name__}: {error}"
        finally:
            health = is_healthy(peer)
        return health


def is_healthy(peer):
    """None, or why a healthy request on a new connection was not answered."""
    try:
        with Connection(peer.port) as connection:
            connection.send(HEALTH)
            reply = connection.reply()
            return None if reply.status == 200 else f"afterwards a healthy request got {reply.status}"
    except (Failure, OSError) as error:
        return f"afterwards a healthy request got: {error}"


def bytes_of(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")


def request(method="GET", target="/healthz", *fields, body=b"", version="HTTP/1.1", host=HOST):
    """A request's bytes; fields are whole lines without CRLF."""
    head = f"{method} {target} {version}\r\n{host}" + "".join(f"{field}\r\n" for field in fields) + "\r\n"
    return bytes_of(head) + bytes_of(body)


def post(*fields, body=b"", version="HTTP/1.1", host=HOST):
    return request("POST", MEASURE, "Content-Type: application/json", *fields, body=body, version=version, host=host)


def chunks(*pieces, last=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + last


def chunked(body, *fields):
    return post("Transfer-Encoding: chunked", *fields, body=body)


def want(status):
    return status if isinstance(status, Want) else Want(*status) if isinstance(status, tuple) else Want(status)


def expect_open(connection, peer):
    """The connection serves another request, and answers that one and no other."""
    connection.send(HEALTH)
    try:
        reply = connection.reply()
    except Failure as failure:
        raise Failure(f"not kept open: {failure}") from None
    if reply.status != 200 or reply.body != peer.health:
        raise Failure(f"the next request on the connection got {reply!r}")


def exchange(peer, sent, replies, end="any", finish=False, pause=0.0):
    """Sends, in pieces where it is a list, and judges the replies and the state of the connection after them."""
    with Connection(peer.port) as connection:
        for number, piece in enumerate(sent if isinstance(sent, list) else [sent]):
            if number:
                time.sleep(pause)
            connection.send(bytes_of(piece))
        if finish:
            connection.finish()
        for wanted in map(want, replies):
            reply = connection.reply(wanted.head)
            while reply.status < 200 and 100 not in wanted.statuses:
                reply = connection.reply(wanted.head)
            wanted.judge(reply)
        if end == "open":
            expect_open(connection, peer)
        elif end == "closed":
            connection.expect_closed()


class Area:
    """Registers the cases of one area."""

    def __init__(self, name):
        self.name = name

    def case(self, name, source, level, sent, *replies, end="any", needs=(), **options):
        def run(peer):
            exchange(peer, sent, replies, end, **options)

        self.add(Case(self.name, name, source, level, run, needs))

    def refused(self, name, source, level, sent, statuses=400, needs=(), **options):
        """A refusal after which the connection ends."""
        self.case(name, source, level, sent, statuses, end="closed", needs=needs, **options)

    def scenario(self, name, source, level, needs=(), is_slow=False):
        """Registers a function that is given the peer."""

        def register(run):
            self.add(Case(self.name, name, source, level, run, needs, is_slow))
            return run

        return register

    def add(self, case):
        assert case.level in LEVELS, case.level
        assert all((case.area, case.name) != (other.area, other.name) for other in CASES), f"twice: {case.name}"
        CASES.append(case)
