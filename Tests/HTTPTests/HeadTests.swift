// The request line, targets and fields: what is read and what is refused, with where that stands.
import HTTP
import Testing

@Suite struct HeadTests {
  static let requestLines = [
    Case("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, "RFC 9112, 3"),
    Case("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, "RFC 9112, 2.2: an empty line before"),
    Case("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "too many empty lines"),
    Case("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "RFC 9112, 3: single space"),
    Case("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400, "RFC 9112, 3: space at the end"),
    Case(" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "RFC 9112, 3: space at the start"),
    Case("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "RFC 9112, 3: a tab is no space"),
    Case("GET /\r\nHost: a\r\n\r\n", 400, "no HTTP/0.9"),
    Case("GET / HTTP/1.1\nHost: a\n\n", 400, "RFC 9112, 2.2: bare LF"),
    Case("GET / HTTP/1.1\rHost: a\r\r", 0, "a bare CR ends no line"),
    Case("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400, "RFC 9112, 2.2: bare CR"),
    Case("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "RFC 9110, 9.1: methods are case-sensitive"),
    Case("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "RFC 9110, 9.1: unknown method"),
    Case("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "RFC 9110, 9.1: a method is a token"),
    Case("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501, "RFC 9110, 9.3.6"),
    Case("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "RFC 9110, 15.6.6"),
    Case("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "RFC 9113, 3.4: the preface of HTTP/2"),
    Case("GET / HTTP/1.9\r\nHost: a\r\n\r\n", 200, "RFC 9110, 2.5: a higher minor version"),
    Case("GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400, "RFC 9112, 2.3: one digit"),
    Case("GET / http/1.1\r\nHost: a\r\n\r\n", 400, "RFC 9112, 2.3: case-sensitive"),
    Case("GET / HTTP/1.1\0\r\nHost: a\r\n\r\n", 400, "a control character"),
    Case("\u{16}\u{3}\u{1}", 400, "a TLS handshake on a plain port"),
    Case("GET / HTTP/1.0\r\n\r\n", 200, "RFC 9112, 3.2: HTTP/1.0 needs no Host"),
  ]

  @Test(arguments: requestLines) func `a request line is read in one way or refused`(scenario: Case) {
    #expect(status(scenario.text) == scenario.status)
  }

  static let fields = [
    Case("GET / HTTP/1.1\r\n\r\n", 400, "RFC 9112, 3.2: no Host"),
    Case("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "RFC 9112, 3.2: two Hosts"),
    Case("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400, "RFC 9112, 3.2: two Hosts on HTTP/1.0"),
    Case("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400, "RFC 9110, 4.2.1: empty Host"),
    Case("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "RFC 3986, 3.2.2"),
    Case("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400, "RFC 9110, 4.2.4: user information"),
    Case("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "RFC 3986, 3.2.2"),
    Case("GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n", 400, "no such port"),
    Case("GET / HTTP/1.1\r\nHost: a:8x\r\n\r\n", 400, "RFC 3986, 3.2.3"),
    Case("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", 200, "RFC 3986, 3.2.2: a comma is a sub-delimiter"),
    Case("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200, "RFC 3986, 3.2.2: IP literal"),
    Case("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400, "RFC 3986, 3.2.2: open bracket"),
    Case("GET / HTTP/1.1\r\nHOST: a:80\r\n\r\n", 200, "RFC 9110, 5.1: names without case"),
    Case("GET / HTTP/1.1\r\nHo\u{212A}t: a\r\n\r\n", 400, "a Kelvin sign is no k"),
    Case(get("X-A : b"), 400, "RFC 9112, 5.1: space before the colon"),
    Case(get(" X-A: b"), 400, "RFC 9112, 2.2: space before the first field"),
    Case(get("X-A: b", " c"), 400, "RFC 9112, 5.2: obs-fold"),
    Case(get("X-A: b", "\tc"), 400, "RFC 9112, 5.2: obs-fold"),
    Case(get(": b"), 400, "RFC 9110, 5.1: empty name"),
    Case(get("X-A"), 400, "RFC 9112, 5: no colon"),
    Case(get("X(A: b"), 400, "RFC 9110, 5.1: a name is a token"),
    Case(get("X-A: b\0c"), 400, "RFC 9110, 5.5: NUL"),
    Case(get("X-A: b\u{7F}"), 400, "RFC 9110, 5.5: DEL"),
    Case(get("X-A: b\u{1}"), 400, "RFC 9110, 5.5: control character"),
    Case(get("X-A:"), 200, "RFC 9110, 5.5: an empty value"),
    Case(get("X-A:\t b \t"), 200, "RFC 9110, 5.6.3: optional white space"),
    Case(get("X-A: \u{E9}"), 200, "RFC 9110, 5.5: obs-text"),
    Case(get("X-HTTP-Method-Override: DELETE"), 200, "it means nothing"),
  ]

  @Test(arguments: fields) func `a field is read in one way or refused`(scenario: Case) {
    #expect(status(scenario.text) == scenario.status)
  }

  static let targets = [
    ("/", 200), ("/a/b?c=d", 200), ("/%41", 200), ("/a%2Fb", 200), ("/?a=%20+%C3%A9", 200), ("/?x[0]={1}|2", 200),
    ("http://a/b", 200), ("HTTP://a:80", 200), ("https://a?b", 200), ("/..", 200), ("/%00", 400), ("/%", 400),
    ("/%4", 400), ("/%zz", 400), ("/%ff", 400), ("/%C3%28", 400), ("/?a=%00", 400), ("/?a=%E", 400), ("/#a", 400),
    ("/a#", 400), ("/?#", 400), ("/\u{E9}", 400), ("/a\"b", 400), ("/a<b>", 400), ("/a\\b", 400), ("/a{b}", 400),
    ("a/b", 400), ("*", 400), ("a:80", 400), ("http://", 400), ("http:///a", 400), ("http://u@a/", 400),
    ("http://a:b/", 400), ("ftp://a/", 400), ("//a/b", 200), ("?a", 400),
  ]

  @Test(arguments: targets) func `a target is valid or refused`(target: String, expected: Int) {
    #expect(status("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == expected)
  }

  @Test func `the asterisk is for OPTIONS`() throws {
    #expect(try RequestHead.make(.options, "*").isAsterisk)
    #expect(try RequestHead.make(.options, "http://a").isAsterisk)
    #expect(try !RequestHead.make(.options, "/").isAsterisk)
  }

  @Test func `the authority of an absolute target wins over Host`() throws {
    let head = try RequestHead.make(.get, "http://Example.ORG:8080/a?b", fields: [Field("Host", "other")])
    #expect(head.authority == "Example.ORG:8080")
    #expect(head.hostname == "example.org")
    #expect(head.path == ["a"])
  }

  @Test func `a path is split before it is decoded, and decoded once`() throws {
    let head = try RequestHead.make(.get, "/a%2Fb/%2541//c?name=%C3%A9+x&flag&name=2&=v")
    #expect(head.path == ["a/b", "%41", "", "c"])
    #expect(head.queryValue("name") == "é x")
    #expect(head.queryValue("flag") == "")
    #expect(head.queryValue("none") == nil)
    #expect(head.query.map(\.name) == ["name", "flag", "name", ""])
  }

  @Test func `fields are found without regard to ASCII case, and joined in order`() throws {
    let head = try RequestHead.make(fields: [
      Field("If-Match", "\"1\""), Field("X", " a\t"), Field("IF-MATCH", "\"2\""),
    ])
    #expect(head.fields["if-match"] == "\"1\", \"2\"")
    #expect(head.fields.values(of: "If-Match") == ["\"1\"", "\"2\""])
    #expect(head.fields["x"] == "a")
    #expect(head.fields["y"] == nil)
    #expect(!head.fields.contains("y"))
    #expect(head.fields.count == 4)
  }

  static let persistence = [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
    ("HTTP/1.1", "Connection: x, CLOSE\r\n", false),
    ("HTTP/1.1", "Connection: x\r\nConnection: close\r\n", false), ("HTTP/1.1", "Connection: closed\r\n", true),
    ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: keep-alive\r\n", true),
    ("HTTP/1.0", "Connection: keep-alive, close\r\n", false), ("HTTP/1.0", "Connection: X, Keep-Alive\r\n", true),
  ]

  @Test(arguments: persistence)
  func `persistence follows RFC 9112, section 9.3`(version: String, fields: String, keeps: Bool) {
    var parser = RequestParser()
    var offset = 0
    let bytes = Array("GET / \(version)\r\nHost: a\r\n\(fields)\r\n".utf8)
    guard case .head(let head) = parser.next(bytes.span, &offset) else {
      Issue.record("no head")
      return
    }
    #expect(head.keepsAlive == keeps)
  }
}
