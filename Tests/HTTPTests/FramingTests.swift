// Where a body ends: lengths, chunks, expectations, and every way in which two readers could disagree.
import HTTP
import Testing

@Suite struct FramingTests {
  static let lengths = [
    Case(post("Content-Length: 3", body: "abc"), 200, "RFC 9112, 6.3"),
    Case(post("Content-Length: 0"), 200, "an empty body"),
    Case(post("Content-Length: 0003", body: "abc"), 200, "leading zeros are digits"),
    Case(post("Content-Length: +3", body: "abc"), 400, "RFC 9110, 8.6: 1*DIGIT"),
    Case(post("Content-Length: -3"), 400, "RFC 9110, 8.6"),
    Case(post("Content-Length: 0x3"), 400, "RFC 9110, 8.6"),
    Case(post("Content-Length: 3,3", body: "abc"), 400, "a list of lengths"),
    Case(post("Content-Length: 3 3", body: "abc"), 400, "two numbers"),
    Case(post("Content-Length:"), 400, "no digit"),
    Case(post("Content-Length: 3\u{B}", body: "abc"), 400, "a control character"),
    Case(post("Content-Length: \u{663}"), 400, "an Arabic digit"),
    Case(post("Content-Length: 9223372036854775807"), 413, "the largest length"),
    Case(post("Content-Length: 9223372036854775808"), 400, "beyond 63 bits"),
    Case(post("Content-Length: 99999999999999999999999"), 400, "beyond 64 bits"),
    Case(post("Content-Length: 3", "Content-Length: 4", body: "abc"), 400, "RFC 9112, 6.3: lengths that differ"),
    Case(post("Content-Length: 3", "Content-Length: 3", body: "abc"), 400, "RFC 9112, 6.3: doubled"),
    Case(post("Content-Length: 1048577"), 413, "RFC 9110, 15.5.14: before the body is read"),
    Case(post("Content-Length: 3", "Transfer-Encoding: chunked", body: "0\r\n\r\n"), 400, "RFC 9112, 6.1: both"),
    Case(post("Transfer-Encoding: chunked", "Content-Length: 3", body: "0\r\n\r\n"), 400, "RFC 9112, 6.1: both"),
  ]

  @Test(arguments: lengths) func `a length is digits alone, once`(scenario: Case) {
    #expect(status(scenario.text) == scenario.status)
  }

  static let codings = [
    ("chunked", 200), ("Chunked", 200), ("CHUNKED", 200), (" chunked ", 200), ("gzip", 501), ("identity", 501),
    ("gzip, chunked", 501), ("chunked, chunked", 400), ("chunked, gzip", 400), ("chunked, identity", 400), ("", 400),
    (",chunked", 400), ("chunked,", 400), ("chunked;q=1", 400), ("\"chunked\"", 400), ("xchunked", 501),
    ("chun ked", 400), ("\u{B}chunked", 400), ("chunked\u{0}", 400),
  ]

  @Test(arguments: codings) func `the only transfer coding is chunked, once and last`(value: String, expected: Int) {
    #expect(status(post("Transfer-Encoding: \(value)", body: "0\r\n\r\n")) == expected)
  }

  @Test func `transfer codings on several lines are one list`() {
    let text = post("Transfer-Encoding: chunked", "Transfer-Encoding: identity", body: "0\r\n\r\n")
    #expect(status(text) == 400)
  }

  @Test func `HTTP 1.0 has no transfer coding`() {
    #expect(status("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 400)
  }

  static let chunks = [
    Case(chunked("3\r\nabc\r\n0\r\n\r\n"), 200, "RFC 9112, 7.1"),
    Case(chunked("0\r\n\r\n"), 200, "no chunk"),
    Case(chunked("00\r\n\r\n"), 200, "zero in two digits"),
    Case(chunked("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n"), 200, "hexadecimal in either case"),
    Case(chunked("3;a=b;c=\"d;e\\\"\" ; f\r\nabc\r\n0;z\r\n\r\n"), 200, "RFC 9112, 7.1.1: extensions"),
    Case(chunked("3\r\nabc\r\n0\r\nX-A: b\r\n\r\n"), 200, "RFC 9112, 7.1.2: a trailer"),
    Case(chunked("3\nabc\r\n0\r\n\r\n"), 400, "bare LF after the size"),
    Case(chunked("3\r\nabc\n0\r\n\r\n"), 400, "bare LF after the chunk"),
    Case(chunked("3\r\nabcd\r\n0\r\n\r\n"), 400, "a chunk longer than its size"),
    Case(chunked("3\r\nab\r\n0\r\n\r\n"), 400, "a chunk shorter than its size"),
    Case(chunked("3 \r\nabc\r\n0\r\n\r\n"), 400, "white space after the size"),
    Case(chunked(" 3\r\nabc\r\n0\r\n\r\n"), 400, "white space before the size"),
    Case(chunked("+3\r\nabc\r\n0\r\n\r\n"), 400, "a sign"),
    Case(chunked("0x3\r\nabc\r\n0\r\n\r\n"), 400, "a prefix"),
    Case(chunked("\r\n"), 400, "no size"),
    Case(chunked("g\r\n"), 400, "no digit"),
    Case(chunked("3;\r\nabc\r\n0\r\n\r\n"), 400, "an extension without a name"),
    Case(chunked("3;a=\r\nabc\r\n0\r\n\r\n"), 400, "an extension without its value"),
    Case(chunked("3;a=\"b\r\nabc\r\n0\r\n\r\n"), 400, "an open quotation"),
    Case(chunked("3;a b\r\nabc\r\n0\r\n\r\n"), 400, "two words"),
    Case(chunked("3;a\rb\r\nabc\r\n0\r\n\r\n"), 400, "a bare CR in an extension"),
    Case(chunked("3\r\nabc\r\n0\r\nX A: b\r\n\r\n"), 400, "a trailer that is no field"),
    Case(chunked("3\r\nabc\r\n0\r\nX: a\u{0}\r\n\r\n"), 400, "a trailer with NUL"),
    Case(chunked("3\r\nabc\r\n0\r\nX: a\n\r\n"), 400, "a trailer that ends in LF"),
    Case(chunked("100001\r\n"), 413, "one chunk beyond the limit, before it is read"),
    Case(chunked("FFFFFFFFFFFFFFFF\r\n"), 413, "the largest size"),
    Case(chunked("00000000000000001\r\n"), 400, "17 digits"),
    Case(chunked("8000000000000000\r\n"), 413, "no sign bit"),
  ]

  @Test(arguments: chunks) func `chunk framing is read in one way or refused`(scenario: Case) {
    #expect(status(scenario.text) == scenario.status)
  }

  @Test func `the running sum of chunks is limited`() {
    #expect(status(chunked("6\r\n012345\r\n5\r\n"), maximumBodyBytes: 10) == 413)
    #expect(status(chunked("6\r\n012345\r\n4\r\n0123\r\n0\r\n\r\n"), maximumBodyBytes: 10) == 200)
  }

  @Test func `extensions, trailers and framing are limited`() {
    var limits = HTTPLimits()
    limits.chunkLineBytes = 20
    limits.chunkExtensionBytes = 30
    limits.trailerBytes = 30
    limits.trailerCount = 2
    limits.chunkFramingBytes = 100
    #expect(status(chunked("1;" + String(repeating: "a", count: 18) + "\r\nx\r\n0\r\n\r\n"), limits: limits) == 200)
    #expect(status(chunked("1;" + String(repeating: "a", count: 19) + "\r\nx\r\n0\r\n\r\n"), limits: limits) == 400)
    #expect(status(chunked("1;" + String(repeating: "a", count: 100)), limits: limits) == 413)
    let extended = "1;aaaaaaaaaaaa\r\nx\r\n"
    #expect(status(chunked(extended + extended + "0\r\n\r\n"), limits: limits) == 200)
    #expect(status(chunked(extended + extended + extended + "0\r\n\r\n"), limits: limits) == 400)
    #expect(status(chunked("0\r\na: 1\r\nb: 2\r\n\r\n"), limits: limits) == 200)
    #expect(status(chunked("0\r\na: 1\r\nb: 2\r\nc: 3\r\n\r\n"), limits: limits) == 400)
    #expect(status(chunked("0\r\na: 1234567890123\r\nb: 1234567890123\r\n\r\n"), limits: limits) == 400)
    #expect(status(chunked(String(repeating: "1\r\nx\r\n", count: 25)), limits: limits) == 413)
  }

  @Test func `a body and the request after it are told apart`() {
    let text = post("Content-Length: 3", body: "abc") + chunked("2\r\nde\r\n0\r\nT: u\r\n\r\n") + get("X: y")
    #expect(
      outcomes(text) == [
        .request("POST /", body: Array("abc".utf8)), .request("POST /", body: Array("de".utf8)),
        .request("GET /", body: []),
      ])
  }

  @Test func `an empty line after a request begins no other`() {
    #expect(outcomes(get() + "\r\n") == [.request("GET /", body: [])])
  }

  @Test func `an error ends the batch`() {
    #expect(
      outcomes(get() + "BAD\r\n\r\n" + get()) == [.request("GET /", body: []), .refused(400, "invalidRequestLine")])
  }

  @Test func `only 100-continue is met, and only where a body follows`() throws {
    func head(_ text: String) -> RequestHead? {
      var parser = RequestParser()
      var offset = 0
      let bytes = Array(text.utf8)
      if case .head(let head) = parser.next(bytes.span, &offset) { return head }
      return nil
    }
    #expect(head(post("Content-Length: 1", "Expect: 100-Continue"))?.expectsContinue == true)
    #expect(head(post("Expect: 100-continue"))?.expectsContinue == false)
    #expect(head("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")?.expectsContinue == false)
    #expect(status(post("Content-Length: 1", "Expect: more")) == 417)
    #expect(status(post("Content-Length: 1", "Expect: 100-continue, more")) == 417)
    #expect(status("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: more\r\n\r\nx") == 200)
  }

  @Test func `a discarded body is read to its end and thrown away`() {
    var parser = RequestParser()
    var offset = 0
    let bytes = Array((post("Content-Length: 5", body: "abcde") + get()).utf8)
    guard case .head = parser.next(bytes.span, &offset) else {
      Issue.record("no head")
      return
    }
    #expect(parser.discardBody(upTo: 5) == nil)
    guard case .body(let body) = parser.next(bytes.span, &offset), body.isEmpty else {
      Issue.record("the body is kept")
      return
    }
    guard case .head(let head) = parser.next(bytes.span, &offset) else {
      Issue.record("no second head")
      return
    }
    #expect(head.method == .get)
  }
}
