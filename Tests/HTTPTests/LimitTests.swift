// The limits of heads, at the limit and one beyond.
import HTTP
import Testing

@Suite struct LimitTests {
  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  @Test func `a request line of 8,000 bytes works, one beyond 16 KiB is 414`() {
    #expect(status("GET /\(Self.letters(7_986)) HTTP/1.1\r\nHost: a\r\n\r\n") == 200)
    let longest = 16_384 - "GET / HTTP/1.1".utf8.count
    #expect(status("GET /\(Self.letters(longest)) HTTP/1.1\r\nHost: a\r\n\r\n") == 200)
    #expect(status("GET /\(Self.letters(longest + 1)) HTTP/1.1\r\nHost: a\r\n\r\n") == 414)
    #expect(status("GET /\(Self.letters(16_384))") == 414)
  }

  @Test func `a field beyond 16 KiB is 431`() {
    #expect(status(get("X: " + Self.letters(16_381))) == 200)
    #expect(status(get("X: " + Self.letters(16_382))) == 431)
    #expect(status("GET / HTTP/1.1\r\nHost: a\r\nX: " + Self.letters(16_384)) == 431)
  }

  @Test func `all fields beyond 32 KiB are 431`() {
    // Host and the two line ends are 9 + 2 + 2 bytes.
    let half = "X: " + Self.letters(16_376 - 3)
    #expect(status(get(half, half)) == 200)
    #expect(status(get(half, half, "Y: " + Self.letters(20))) == 431)
  }

  @Test func `more than 100 fields are 431`() {
    let fields = String(repeating: "X: y\r\n", count: 99)
    #expect(status("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") == 200)
    #expect(status("GET / HTTP/1.1\r\nHost: a\r\n\(fields)Y: z\r\n\r\n") == 431)
  }
}
