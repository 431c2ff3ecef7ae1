// Request IDs in and out.
import HTTP
import Testing

@testable import HTTPServer

@Suite struct RequestIDTests {
  @Test(arguments: ["a", "0190b3f0-7f00-7000-8000-000000000000", "trace:1.2_3", String(repeating: "x", count: 128)])
  func `a request keeps the ID that its client gave it`(id: String) async throws {
    try await withServer { live in
      let reply = try await live.connect().ask(request("GET", "/", "X-Request-Id: \(id)\r\n"))
      #expect(reply.field("X-Request-Id") == id)
    }
  }

  @Test(arguments: ["", "-a", "a b", "a\"b", "a,b", "<script>", "\u{E9}", String(repeating: "x", count: 129)])
  func `what is no ID is not repeated`(id: String) async throws {
    try await withServer { live in
      let reply = try await live.connect().ask(request("GET", "/", "X-Request-Id: \(id)\r\n"))
      #expect(reply.status == 200 && reply.field("X-Request-Id")?.utf8.count == 36)
    }
  }
}
