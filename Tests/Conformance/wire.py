# A raw HTTP/1.1 client: sends any bytes, and reads replies so strictly that a malformed one is a failure.

import re
import select
import socket
import time

SECONDS = 4
IMF_DATE = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT"
)
TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


class Failure(Exception):
    """What a server did otherwise than a case wants."""


class Reply:
    """One reply as it came: fields in order, the body decoded."""

    def __init__(self, version, status, fields):
        self.version, self.status, self.fields, self.body = version, status, fields, b""

    def all(self, name):
        return [value for field, value in self.fields if field.lower() == name.lower()]

    def get(self, name):
        values = self.all(name)
        return ", ".join(values) if values else None

    @property
    def closes(self):
        return "close" in re.split(r"\s*,\s*", (self.get("Connection") or "").lower())

    def __repr__(self):
        return f"{self.status} {self.body[:100]!r}"


class Connection:
    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.buffer = b""
        self.ended = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    # Sending

    def send(self, data):
        """Sends; a peer that has closed already is found out when its reply is read."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def finish(self):
        """Shuts the writing side: a half-closed connection."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def reset(self):
        """Closes with RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.socket.close()

    # Receiving

    def fill(self, seconds=SECONDS):
        """Receives some more; false at the end of the stream."""
        if self.ended:
            return False
        self.socket.settimeout(seconds)
        try:
            piece = self.socket.recv(65536)
        except socket.timeout:
            raise Failure("no reply in time") from None
        except ConnectionResetError:
            piece = b""
        if not piece:
            self.ended = True
            return False
        self.buffer += piece
        return True

    def line(self, what):
        while (end := self.buffer.find(b"\n")) < 0:
            if not self.fill():
                raise Failure(f"closed {'within' if self.buffer else 'before'} the {what}")
        line, self.buffer = self.buffer[: end + 1], self.buffer[end + 1 :]
        if not line.endswith(b"\r\n"):
            raise Failure(f"a line of the {what} ends without CRLF")
        return line[:-2]

    def exactly(self, count):
        while len(self.buffer) < count:
            if not self.fill():
                raise Failure("the body ends early")
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def reply(self, head=False):
        """Reads one reply, interim ones included; `head` when it answers HEAD."""
        status_line = self.line("reply's head")
        found = re.fullmatch(rb"HTTP/1\.([01]) ([1-9]\d\d) [\t\x20-\x7e\x80-\xff]*", status_line)
        if not found:
            raise Failure(f"no status line: {status_line[:80]!r}")
        fields = []
        while line := self.line("reply's head"):
            name, colon, value = line.partition(b":")
            if not colon or not TOKEN.fullmatch(name) or re.search(rb"[\0-\x08\x0a-\x1f\x7f]", value):
                raise Failure(f"a malformed field: {line[:80]!r}")
            fields.append((name.decode(), value.strip(b" \t").decode("latin-1")))
        reply = Reply(int(found[1]), int(found[2]), fields)
        self.check(reply)
        self.read_body(reply, head)
        return reply

    def final(self, head=False):
        while (reply := self.reply(head)).status < 200:
            pass
        return reply

    def check(self, reply):
        """What holds for every reply (RFC 9110, 6.4, 6.6.1, 8.6; RFC 9112, 6.1)."""
        lengths, codings = reply.all("Content-Length"), reply.all("Transfer-Encoding")
        if len(lengths) > 1 or (lengths and not re.fullmatch(r"\d+", lengths[0])):
            raise Failure(f"Content-Length: {lengths}")
        if lengths and codings:
            raise Failure("Content-Length and Transfer-Encoding together")
        if (lengths or codings) and (reply.status < 200 or reply.status == 204):
            raise Failure(f"{reply.status} with a body's length")
        if codings and codings != ["chunked"]:
            raise Failure(f"Transfer-Encoding: {codings}")
        if len(reply.all("Date")) > 1 or (reply.get("Date") and not IMF_DATE.fullmatch(reply.get("Date"))):
            raise Failure(f"Date: {reply.get('Date')}")

    def read_body(self, reply, head):
        if head or reply.status < 200 or reply.status in (204, 304):
            return
        if reply.get("Transfer-Encoding"):
            while size := int(self.line("chunk size").partition(b";")[0], 16):
                reply.body += self.exactly(size)
                if self.exactly(2) != b"\r\n":
                    raise Failure("a chunk without CRLF")
            while self.line("trailers"):
                pass
        elif (length := reply.get("Content-Length")) is not None:
            reply.body = self.exactly(int(length))
        else:
            while self.fill():
                pass
            reply.body, self.buffer = self.buffer, b""

    # The state of the connection

    def is_silent(self, seconds=0.06):
        """Nothing comes for a while."""
        return not self.buffer and not select.select([self.socket], [], [], seconds)[0]

    def expect_closed(self, seconds=SECONDS):
        """The server ends the stream, with nothing more said."""
        deadline = time.monotonic() + seconds
        while not self.buffer:
            try:
                if not self.fill(max(0.01, deadline - time.monotonic())):
                    return
            except Failure:
                raise Failure("left open") from None
        raise Failure(f"more than the replies expected: {self.buffer[:80]!r}")

    def drain(self):
        """All that still comes until the stream ends."""
        try:
            while self.fill(SECONDS):
                pass
        except Failure:
            pass
        return self.buffer
