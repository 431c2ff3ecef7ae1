// Responses as bytes: what the server adds, and what has no body.
import HTTP
import Testing

@Suite struct ResponseEncoderTests {
  private func encode(_ response: Response, closes: Bool = false, isHead: Bool = false, minorVersion: Int = 1) -> String
  {
    var bytes: [UInt8] = []
    let context = ReplyContext(
      date: HTTPDate.bytes(secondsSinceEpoch: 784_111_777), requestID: .given("id"), closes: closes, isHead: isHead,
      minorVersion: minorVersion)
    if ResponseEncoder.appendHead(of: response, to: &bytes, context) { bytes += response.body }
    return String(decoding: bytes, as: UTF8.self)
  }

  private let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

  @Test func `a response has its date, length and request ID`() {
    let response = Response(status: 200, fields: [Field("ETag", "\"7\"")], body: Array("hello".utf8))
    #expect(
      encode(response)
        == "HTTP/1.1 200 OK\r\nETag: \"7\"\r\nContent-Length: 5\r\n\(date)X-Request-Id: id\r\n\r\nhello")
  }

  @Test func `HEAD has the length of GET and no body`() {
    let text = encode(Response(status: 200, body: Array("hello".utf8)), isHead: true)
    #expect(text.contains("Content-Length: 5\r\n"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: [204, 304]) func `a status without content has no length and no body`(status: Int) {
    let text = encode(Response(status: status, body: Array("hello".utf8)))
    #expect(!text.contains("Content-Length"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test func `an empty body has the length 0`() {
    #expect(encode(Response(status: 404)).contains("HTTP/1.1 404 Not Found\r\n"))
    #expect(encode(Response(status: 404)).contains("Content-Length: 0\r\n"))
  }

  @Test func `a close is announced, and a life on HTTP 1.0 confirmed`() {
    #expect(encode(Response(status: 200), closes: true).contains("\r\nConnection: close\r\n"))
    #expect(encode(Response(status: 200), minorVersion: 0).contains("\r\nConnection: keep-alive\r\n"))
    #expect(!encode(Response(status: 200)).contains("Connection"))
  }

  @Test func `a value cannot begin a field of its own, and the server's fields are the server's`() {
    let fields = [Field("X", "a\r\nSet-Cookie: b\0"), Field("content-length", "9"), Field("Connection", "upgrade")]
    let text = encode(Response(status: 200, fields: fields))
    #expect(text.contains("\r\nX: a  Set-Cookie: b \r\n"))
    #expect(!text.contains("content-length"))
    #expect(!text.contains("upgrade"))
  }

  static let dates = [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_796_082_423, "Mon, 30 Nov 2026 23:47:03 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
  ]

  @Test(arguments: dates) func `dates are in the fixed form`(seconds: Int, expected: String) {
    #expect(String(decoding: HTTPDate.bytes(secondsSinceEpoch: seconds), as: UTF8.self) == expected)
  }
}
