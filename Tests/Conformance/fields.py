# Field lines, their limits, and Host (RFC 9112, 3.2 and 5; RFC 9110, 5 and 7.2).

from cases import HOST, Area, Want, request

field = Area("fields")


def lines(text):
    return b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + text + b"\r\n"


field.case("names in any case", "9110 5.1", "MUST", request(host="hOsT: localhost\r\n"), 200, end="open")
field.case("no space after the colon", "9112 5", "MUST", lines(b"X-A:b\r\n"), 200, end="open")
field.case("much space around the value", "9112 5.1", "MUST", lines(b"X-A: \t  b \t \r\n"), 200, end="open")
field.case(
    "space around the value of Host", "9112 5.1", "MUST", request(host="Host: \t localhost \t\r\n"), 200, end="open"
)
field.case("an empty value", "9110 5.5", "MUST", lines(b"X-A:\r\nX-B: \t\r\n"), 200, end="open")
field.case("the same name many times", "9110 5.3", "MUST", lines(b"X-A: 1\r\n" * 20), 200, end="open")
field.case("obs-text in a value", "9110 5.5", "SHOULD", lines(b"X-A: caf\xc3\xa9 \xff\r\n"), 200, end="open")
field.case(
    "every token character in a name", "9110 5.6.2", "MUST", lines(b"!#$%&'*+-.^_`|~09azAZ: v\r\n"), 200, end="open"
)
field.case("tabs within a value", "9110 5.5", "MUST", lines(b"X-A: a\tb\r\n"), 200, end="open")
field.case(
    "quoted strings and comments in values",
    "9110 5.6.4",
    "MUST",
    lines(b'X-A: "a\\"b,:;" (c (d))\r\n'),
    200,
    end="open",
)
for name, text in {
    "space before the colon": b"X-A : b\r\n",
    "a tab before the colon": b"X-A\t: b\r\n",
    "space before the colon of Content-Length": b"Content-Length : 0\r\n",
    "space before the colon of Transfer-Encoding": b"Transfer-Encoding : chunked\r\n",
}.items():
    field.refused(name, "9112 5.1", "MUST", lines(text) + (b"0\r\n\r\n" if b"chunked" in text else b""), 400)
for name, text in {
    "space": b"X-A: a\r\n b\r\n",
    "a tab": b"X-A: a\r\n\tb\r\n",
    "nothing else": b"X-A: a\r\n \r\n",
}.items():
    field.case(f"obs-fold with {name}: refused, or read as a space", "9112 5.2", "MUST", lines(text), (200, 400))
    field.refused(f"obs-fold with {name}: refused", "9112 5.2", "SECURITY", lines(text), 400)
field.refused(
    "a folded Transfer-Encoding",
    "9112 5.2",
    "SECURITY",
    lines(b"Transfer-Encoding:\r\n chunked\r\n") + b"0\r\n\r\n",
    400,
)
field.refused(
    "a folded first line", "9112 2.2", "MUST", b"GET /healthz HTTP/1.1\r\n X: y\r\nHost: localhost\r\n\r\n", (200, 400)
)
field.refused(
    "white space between request line and fields, refused",
    "9112 2.2",
    "SECURITY",
    b"GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n",
    400,
)
for name, text in {
    "an empty name": b": b\r\n",
    "no colon": b"nonsense\r\n",
    "a space within a name": b"X A: b\r\n",
    "a bracket in a name": b"X(A): b\r\n",
    "a slash in a name": b"X/A: b\r\n",
    "a quote in a name": b'X"A: b\r\n',
    "a byte above 0x7F in a name": b"X-\xc3\xa9: b\r\n",
    "a control character in a name": b"X\x01A: b\r\n",
    "NUL in a name": b"X\0A: b\r\n",
}.items():
    field.refused(name, "9112 5", "SHOULD", lines(text), 400)
for code in (0x00, 0x0D):
    field.refused(f"0x{code:02X} in a value", "9110 5.5", "MUST", lines(b"X-A: a" + bytes([code]) + b"b\r\n"), 400)
for code in (0x01, 0x08, 0x0B, 0x0C, 0x1B, 0x1F, 0x7F):
    field.refused(f"0x{code:02X} in a value", "9110 5.5", "SECURITY", lines(b"X-A: a" + bytes([code]) + b"b\r\n"), 400)
field.refused(
    "a bare LF ends a field", "9112 2.2", "SECURITY", b"GET /healthz HTTP/1.1\r\nHost: localhost\nX-A: b\r\n\r\n", 400
)
field.refused(
    "bare LFs end the head",
    "9112 2.2",
    "SECURITY",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: b\n\n",
    (400,),
    finish=True,
)
field.refused("CR CR LF", "9112 2.2", "SECURITY", b"GET /healthz HTTP/1.1\r\r\nHost: localhost\r\n\r\n", 400)
field.refused("LF CR", "9112 2.2", "SECURITY", b"GET /healthz HTTP/1.1\r\nHost: localhost\n\rX-A: b\r\n\r\n", 400)
field.refused(
    "a request within a value",
    "9112 11.1",
    "SECURITY",
    lines(b"X-A: a\n\nGET /v1/kits/k HTTP/1.1\r\nHost: localhost\r\n"),
    400,
)

limit = Area("limits")
limit.case(
    "a field of 8,000 bytes is read", "9110 5.4", "SHOULD", lines(b"X-A: " + b"a" * 7_990 + b"\r\n"), 200, end="open"
)
limit.case(
    "fifty fields are read",
    "9110 5.4",
    "SHOULD",
    lines(b"".join(b"X-%d: a\r\n" % n for n in range(50))),
    200,
    end="open",
)
limit.refused("a field of 40,000 bytes", "9110 5.4", "MUST", lines(b"X-A: " + b"a" * 40_000 + b"\r\n"), (400, 413, 431))
limit.refused("with the status that says so", "6585 5", "SHOULD", lines(b"X-A: " + b"a" * 40_000 + b"\r\n"), 431)
limit.refused("a name of 40,000 bytes", "9110 5.4", "MUST", lines(b"A" * 40_000 + b": b\r\n"), (400, 413, 431))
limit.refused(
    "fields of 2 MB in all",
    "9110 5.4",
    "MUST",
    lines(b"".join(b"X-%d: %s\r\n" % (n, b"a" * 1_000) for n in range(2_000))),
    (400, 413, 431),
)
limit.refused(
    "a field that never ends", "9110 5.4", "MUST", lines(b"")[:-2] + b"X-A: " + b"a" * 3_000_000, (400, 413, 431)
)
limit.refused("10,000 fields", "9110 5.4", "SECURITY", lines(b"X: a\r\n" * 10_000), (400, 413, 431))
limit.refused(
    "200 fields", "9110 5.4", "OURS", lines(b"X: a\r\n" * 200), Want(431, has={"Connection": "close"}), needs=["ours"]
)
limit.refused(
    "fields of 40 KB in all",
    "9110 5.4",
    "OURS",
    lines(b"".join(b"X-%d: %s\r\n" % (n, b"a" * 1_000) for n in range(40))),
    431,
    needs=["ours"],
)
limit.refused(
    "a target of 17,000 bytes",
    "9112 3",
    "OURS",
    request(target="/" + "a" * 17_000),
    Want(414, has={"Content-Type": "application/problem+json"}),
    needs=["ours"],
)
limit.case("a name that is long and odd", "9110 5.1", "MUST", lines(b"X-" + b"a" * 500 + b": b\r\n"), 200, end="open")

host = Area("host")
host.case("missing on 1.1", "9112 3.2", "MUST", request(host=""), 400)
host.case("twice, different", "9112 3.2", "MUST", request(host=HOST + "Host: other\r\n"), 400)
host.case("twice, the same", "9112 3.2", "MUST", request(host=HOST * 2), 400)
host.case("twice on 1.0", "9112 3.2", "SECURITY", request(host=HOST + "Host: other\r\n", version="HTTP/1.0"), 400)
for value in (
    "local host",
    "localhost, other",
    "local/host",
    "localhost?",
    "localhost#x",
    "local@host",
    "user@localhost",
    "localhost:port",
    "localhost:80:80",
    "localhost:-1",
    "[::1",
    "::1]",
    "a[::1]",
    "[]",
    "[::1]x",
    "localhost\\",
    "loc\xe9al",
    'local"host',
    "<localhost>",
    "local\thost",
    "%zz",
    "localhost:80 ,",
):
    host.case(f"not valid: {value!r}", "9112 3.2", "MUST", request(host=f"Host: {value}\r\n"), 400)
host.case("a control character", "9112 3.2", "MUST", request(host="Host: local\x01host\r\n"), 400)
host.case("a port", "9110 7.2", "MUST", request(host="Host: localhost:8080\r\n"), 200, end="open")
host.case("an empty port", "9110 4.2.3", "MUST", request(host="Host: localhost:\r\n"), 200, end="open")
host.case("an IPv4 address", "9110 7.2", "MUST", request(host="Host: 127.0.0.1\r\n"), 200, end="open")
host.case("an IPv6 address", "9110 7.2", "MUST", request(host="Host: [::1]:80\r\n"), 200, end="open")
host.case("in capitals", "9110 4.2.3", "MUST", request(host="Host: LOCALHOST\r\n"), 200, end="open")
host.case("empty: valid in itself", "9112 3.2", "MUST", request(host="Host:\r\n"), (200, 400, 421))
host.case(
    "one that is not served", "9110 7.4", "SHOULD", request(host="Host: attacker.example\r\n"), 421, needs=["hosts"]
)
host.case(
    "one that only begins like one served",
    "9110 7.4",
    "SECURITY",
    request(host="Host: localhost.attacker.example\r\n"),
    421,
    needs=["hosts"],
)
host.case(
    "one that looks like an address",
    "9110 7.4",
    "SECURITY",
    request(host="Host: 127.0.0.1.attacker.example\r\n"),
    421,
    needs=["hosts"],
)
host.case("the Kelvin sign is no k", "9110 5.1", "SECURITY", request(host="Host: \xe2\x84\xaaocalhost\r\n"), (400, 421))
