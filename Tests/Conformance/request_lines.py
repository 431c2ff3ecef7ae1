# Request lines, versions and targets (RFC 9112, 2 and 3; RFC 3986).

from cases import HOST, KIT, Area, Want, request

line = Area("request line")


def raw(first, fields=HOST):
    return f"{first}\r\n{fields}\r\n".encode("latin-1")


line.case("one empty line before it is ignored", "9112 2.2", "SHOULD", b"\r\n" + request(), 200, end="open")
line.case("several empty lines before it are no harm", "9112 2.2", "SHOULD", b"\r\n\r\n" + request(), (200, 400))
line.refused(
    "endless empty lines are refused or ended",
    "9112 2.2",
    "SECURITY",
    b"\r\n" * 40_000 + request(),
    (200, 400, 414, 431),
)
for name, text in {
    "two spaces after the method": "GET  /healthz HTTP/1.1",
    "two spaces before the version": "GET /healthz  HTTP/1.1",
    "a tab after the method": "GET\t/healthz HTTP/1.1",
    "a tab before the version": "GET /healthz\tHTTP/1.1",
    "a vertical tab before the version": "GET /healthz\x0bHTTP/1.1",
    "a space before the method": " GET /healthz HTTP/1.1",
    "a space after the version": "GET /healthz HTTP/1.1 ",
    "no target": "GET HTTP/1.1",
    "an empty target": "GET  HTTP/1.1",
    "four words": "GET /healthz extra HTTP/1.1",
    "a space within the target": "GET /health z HTTP/1.1",
    "only a method": "GET",
    "no version (HTTP/0.9)": "GET /healthz",
    "a method that is no token": "G@T /healthz HTTP/1.1",
    "a method with a control character": "G\x01T /healthz HTTP/1.1",
    "a bracket for a method": "(GET) /healthz HTTP/1.1",
    "a byte above 0x7F in the method": "G\xcbT /healthz HTTP/1.1",
    "a quoted method": '"GET" /healthz HTTP/1.1',
}.items():
    line.refused(f"refused: {name}", "9112 3", "SHOULD", raw(text), (400, 501) if "method" in name else 400)
line.refused("a bare CR in it", "9112 2.2", "MUST", raw("GET /healthz\rX HTTP/1.1"), 400)
line.refused(
    "a bare CR as a line end",
    "9112 2.2",
    "MUST",
    b"GET /healthz HTTP/1.1\rHost: localhost\r\r",
    (400, 408),
    finish=True,
)
line.refused("a bare LF ends it", "9112 2.2", "SECURITY", b"GET /healthz HTTP/1.1\nHost: localhost\r\n\r\n", 400)
line.refused("NUL in it", "9112 3", "SECURITY", raw("GET /healthz\0 HTTP/1.1"), 400)
line.refused(
    "a TLS greeting",
    "9112 3",
    "SECURITY",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64) + b"\r\n\r\n",
    400,
)
line.refused("the HTTP/2 preface", "9112 2.3", "SHOULD", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 405, 501, 505))
line.refused("random bytes", "9112 2.2", "SECURITY", bytes(range(128, 256)) * 4 + b"\r\n\r\n", 400)

for method in ("get", "Get", "GETT", "G", "BREW", "M-SEARCH", "!#$%&'*+.^_`|~"):
    line.case(f"unknown method {method}", "9110 9.1", "SHOULD", request(method), Want(501, 405), needs=["methods"])
line.case("a method of 2,000 letters", "9112 3", "SHOULD", request("A" * 2_000), (400, 405, 414, 431, 501))
line.case("CONNECT is refused", "9110 9.3.6", "SHOULD", request("CONNECT", "localhost:80"), (400, 404, 405, 501))
line.case(
    "TRACE is refused, and echoes nothing",
    "9110 9.3.8",
    "SECURITY",
    request("TRACE", "/healthz", "X-Secret: echo-me"),
    Want(400, 403, 405, 501, check=lambda r: b"echo-me" not in r.body),
)
line.case(
    "X-HTTP-Method-Override means nothing",
    "9110 9.1",
    "SECURITY",
    request("GET", KIT, "X-HTTP-Method-Override: DELETE"),
    200,
    end="open",
)

version = Area("version")
version.case(
    "1.1 is answered as 1.1", "9110 6.2", "MUST", request(), Want(200, check=lambda r: r.version == 1), end="open"
)
version.case("1.0 is answered, and ends", "9112 9.3", "MUST", request(version="HTTP/1.0"), 200, end="closed")
version.case("1.0 without Host", "9112 3.2", "MUST", request(version="HTTP/1.0", host=""), 200, end="closed")
version.case("a higher minor version", "9110 2.5", "SHOULD", request(version="HTTP/1.9"), (200, 505))
for text in ("HTTP/2.0", "HTTP/3.0", "HTTP/0.9", "HTTP/9.9"):
    version.refused(f"major version: {text}", "9110 15.6.6", "SHOULD", request(version=text), (400, 505))
for text in (
    "http/1.1",
    "Http/1.1",
    "HTTP/1",
    "HTTP/1.",
    "HTTP/11",
    "HTTP/1.10",
    "HTTP/01.1",
    "HTTP/1,1",
    "HTTP/1.1x",
    "HTP/1.1",
    "HTTP /1.1",
    "HTTP/1. 1",
    "HTTP/+1.1",
    "HTTP/1.-1",
    "FTP/1.1",
    "1.1",
):
    version.refused(f"no version: {text}", "9112 2.3", "SHOULD", request(version=text), (400, 505))
version.refused("no HTTP/0.9", "9112 2.3", "SECURITY", b"GET /healthz\r\n", 400, finish=True)

target = Area("target")
target.case("a target of 8,000 bytes is read", "9112 3", "SHOULD", request(target="/" + "a" * 7_999), 404, end="open")
target.case(
    "with a query of 8,000 bytes too", "9112 3", "SHOULD", request(target="/nothing?q=" + "a" * 7_989), 404, end="open"
)
for size in (40_000, 2_000_000):
    target.refused(f"a target of {size:,} bytes", "9112 3", "MUST", request(target="/" + "a" * size), 414)
target.case("absolute form", "9112 3.2.2", "MUST", request(target="http://localhost/healthz"), 200, end="open")
target.case(
    "absolute form with a port", "9112 3.2.2", "MUST", request(target="http://localhost:80/healthz"), 200, end="open"
)
target.case(
    "absolute form, scheme in capitals",
    "9110 4.2.3",
    "SHOULD",
    request(target="HTTP://localhost/healthz"),
    200,
    end="open",
)
target.case(
    "absolute form, authority against Host",
    "9112 3.2.2",
    "MUST",
    request(target="http://localhost/healthz", host="Host: 127.0.0.1\r\n"),
    200,
    end="open",
)
target.case(
    "the authority wins over Host",
    "9112 3.2.2",
    "MUST",
    request(target="http://other.example/healthz"),
    421,
    needs=["hosts"],
)
target.case(
    "a foreign Host is overruled by the authority",
    "9112 3.2.2",
    "MUST",
    request(target="http://localhost/healthz", host="Host: other.example\r\n"),
    200,
    needs=["hosts"],
)
target.case(
    "absolute form without a path",
    "9112 3.2.2",
    "MUST",
    request(target="http://localhost"),
    (200, 403, 404),
    end="open",
)
target.case(
    "absolute form, without Host on 1.1", "9112 3.2", "MUST", request(target="http://localhost/healthz", host=""), 400
)
target.case("absolute form, empty authority", "9110 4.2.1", "MUST", request(target="http:///healthz"), 400)
target.case(
    "absolute form, user information", "9110 4.2.4", "SECURITY", request(target="http://u:p@localhost/healthz"), 400
)
target.case("authority form outside CONNECT", "9112 3.2.3", "SHOULD", request(target="localhost:80"), 400)
target.case("a path without its slash", "9112 3.2.1", "SHOULD", request(target="healthz"), 400)
target.case("an asterisk outside OPTIONS", "9112 3.2.4", "SHOULD", request(target="*"), (400, 404))
target.case("OPTIONS *", "9110 9.3.7", "SHOULD", request("OPTIONS", "*"), (200, 204), end="open")
target.case("OPTIONS * on 1.0", "9110 9.3.7", "SHOULD", request("OPTIONS", "*", version="HTTP/1.0"), (200, 204))
target.case(
    "OPTIONS with an absolute form without path",
    "9112 3.2.4",
    "SHOULD",
    request("OPTIONS", "http://localhost"),
    (200, 204),
    end="open",
    needs=["methods"],
)
target.case("two asterisks", "9112 3.2", "SHOULD", request("OPTIONS", "**"), 400)
target.case("a fragment", "9112 3.2.1", "SHOULD", request(target="/healthz#top"), 400)
target.case("a backslash", "3986 3.3", "SHOULD", request(target="/health\\z"), (400, 404))
for escape in ("%", "%4", "%zz", "%u0041", "%-1"):
    target.case(f"a broken escape: {escape}", "3986 2.1", "SHOULD", request(target=f"/{escape}"), 400)
target.case("an escaped NUL", "3986 7.3", "SECURITY", request(target="/healthz%00"), 400)
target.case(
    "an escaped control character", "3986 7.3", "SECURITY", request(target="/health%0d%0aX:1"), (400, 404), end="open"
)
target.case("an overlong UTF-8 escape", "3629 3", "SECURITY", request(target="/%c0%ae%c0%ae/etc/passwd"), (400, 404))
target.case("an escape that is no UTF-8", "3986 2.5", "SECURITY", request(target="/%ff%fe"), (400, 404))
target.case("raw bytes above 0x7F", "3986 2", "SHOULD", request(target="/h\xc3\xa9"), 400)
target.case("a raw control character", "3986 2", "SHOULD", request(target="/a\x01b"), 400)
target.case("DEL", "3986 2", "SHOULD", request(target="/a\x7fb"), 400)
for text in ('/a"b', "/a<b", "/a>b"):
    target.case(f"a character that no URI has: {text[2]}", "3986 2", "SHOULD", request(target=text), (400, 404))
target.case(
    "dot segments lead nowhere outside",
    "3986 5.2.4",
    "SECURITY",
    request(target="/../../etc/passwd"),
    Want(400, 403, 404, check=lambda r: b"root:" not in r.body),
)
target.case(
    "nor escaped ones",
    "3986 5.2.4",
    "SECURITY",
    request(target="/%2e%2e/%2e%2e/etc/passwd"),
    Want(400, 403, 404, check=lambda r: b"root:" not in r.body),
)
target.case(
    "an escaped slash stays in its segment",
    "3986 2.2",
    "SECURITY",
    request(target="/v1%2fkits%2fk"),
    (400, 404),
    needs=["paths"],
)
target.case(
    "an escape of an ordinary letter is that letter",
    "3986 2.3",
    "MUST",
    request(target="/%68ealthz"),
    200,
    end="open",
    needs=["escapes"],
)
target.case(
    "and in lower and upper case", "3986 2.1", "MUST", request(target="/health%7A"), 200, end="open", needs=["escapes"]
)
target.case("two slashes are not one", "3986 3.3", "SHOULD", request(target="//healthz"), (400, 404), needs=["paths"])
target.case("an unknown path", "9110 15.5.5", "MUST", request(target="/nothing/here"), 404, end="open")
target.case("an empty query", "3986 3.4", "MUST", request(target="/healthz?"), 200, end="open")
target.case(
    "a query with reserved characters",
    "3986 3.4",
    "MUST",
    request(target="/nothing?a=/?:@!$&'()*+,;="),
    404,
    end="open",
)
