// Whole conversations on real sockets: persistence, pipelining, bodies, expectations, HEAD.
import HTTP
import HTTPServer
import Sockets
import Testing

@Suite struct ConversationTests {
  @Test func `a connection answers many requests, each with its own ID`() async throws {
    try await withServer { live in
      let client = try live.connect()
      var ids: Set<String> = []
      for _ in 0..<5 {
        let reply = try await client.ask(request())
        #expect(reply.status == 200)
        #expect(reply.text == "memory")
        #expect(reply.field("Date")?.hasSuffix(" GMT") == true)
        #expect(!reply.closes)
        ids.insert(try #require(reply.field("X-Request-Id")))
      }
      #expect(ids.count == 5)
      #expect(ids.allSatisfy { $0.utf8.count == 36 })
    }
  }

  @Test(arguments: [
    SocketAddress.ipv6("::1", port: 0), .unix(path: "/tmp/interviewkit-\(UInt64.random(in: 0...UInt64.max)).socket"),
  ])
  func `IPv6 and Unix sockets are served alike`(address: SocketAddress) async throws {
    try await withServer(address: address) { live in
      let reply = try await live.connect().ask(request())
      #expect(reply.status == 200)
    }
  }

  @Test func `HTTP 1.0 closes after its answer unless it asks otherwise`() async throws {
    try await withServer { live in
      let plain = try live.connect()
      #expect(try await plain.ask("GET / HTTP/1.0\r\n\r\n").closes)
      #expect(try await plain.isClosed())
      let kept = try live.connect()
      for _ in 0..<2 {
        #expect(
          try await kept.ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").field("Connection") == "keep-alive")
      }
    }
  }

  @Test func `Connection close is honoured and announced`() async throws {
    try await withServer { live in
      let client = try live.connect()
      #expect(try await client.ask(request("GET", "/", "Connection: close\r\n")).closes)
      #expect(try await client.isClosed())
    }
  }

  @Test func `pipelined answers come in order, those from memory after those that wait`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let targets = (0..<50).map { $0 % 3 == 0 ? "/async?n=\($0)" : "/" }
      try client.send(targets.map { request("GET", $0) }.joined())
      for (number, _) in targets.enumerated() {
        #expect(try await client.reply().text == (number % 3 == 0 ? "\(number)" : "memory"))
      }
    }
  }

  @Test func `the same body arrives whole, in chunks, and byte by byte`() async throws {
    try await withServer { live in
      let body = String(repeating: "{\"a\": 1}", count: 375)
      let length = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n" + body
      var chunked = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      for start in stride(from: 0, to: 3_000, by: 1_000) {
        chunked += "3E8;x=y\r\n\(body.dropFirst(start).prefix(1_000))\r\n"
      }
      chunked += "0\r\nChecksum: none\r\n\r\n"
      let client = try live.connect()
      for text in [length, chunked] {
        let reply = try await client.ask(text)
        #expect(reply.status == 201)
        #expect(reply.text == body)
      }
      for byte in length.utf8 { try client.send([byte]) }
      #expect(try await client.reply().text == body)
      #expect(try await client.ask(request()).text == "memory")
    }
  }

  @Test func `100-continue is answered at once where the body will be read`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let fields = "Content-Length: 5\r\nExpect: 100-continue\r\n"
      #expect(try await client.ask(request("POST", "/echo", fields)).status == 100)
      #expect(try await client.ask("hello").text == "hello")
      #expect(try await client.ask(request()).status == 200)
    }
  }

  @Test(arguments: [("/refused", 5, 401), ("/small", 11, 413)])
  func `a body that will not be read is refused before it is sent`(path: String, length: Int, status: Int) async throws
  {
    try await withServer { live in
      let client = try live.connect()
      let reply = try await client.ask(request("POST", path, "Content-Length: \(length)\r\nExpect: 100-continue\r\n"))
      #expect(reply.status == status)
      #expect(reply.closes)
      #expect(try await client.isClosed())
    }
  }

  @Test func `a short body that nobody reads is thrown away, and the connection lives on`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request("POST", "/refused", "Content-Length: 5\r\n"))
      let reply = try await client.reply()
      #expect(reply.status == 401)
      #expect(!reply.closes)
      try client.send("hello" + request())
      #expect(try await client.reply().text == "memory")
    }
  }

  @Test func `a refusal can be read although its body is still being sent`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request("POST", "/echo", "Content-Length: 5000000\r\n"))
      try client.send([UInt8](repeating: 0x61, count: 1_000_000))
      let reply = try await client.reply()
      #expect(reply.status == 413)
      #expect(reply.closes)
    }
  }

  @Test func `HEAD sends the fields of GET and no body`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let reply = try await client.ask(request("HEAD") + request(), isHead: true)
      #expect(reply.field("Content-Length") == "6")
      #expect(try await client.reply().text == "memory")
    }
  }

  @Test func `OPTIONS asterisk answers for the server`() async throws {
    try await withServer { live in
      let reply = try await live.connect().ask(request("OPTIONS", "*"))
      #expect(reply.status == 204)
      #expect(reply.field("Allow") == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
      #expect(reply.field("Content-Length") == nil)
    }
  }

  @Test func `a client that shuts its writing side still gets its answers`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request() + request("GET", "/async?n=1"))
      client.shutWriting()
      #expect(try await client.reply().text == "memory")
      #expect(try await client.reply().text == "1")
      #expect(try await client.isClosed())
    }
  }

  @Test func `half a request whose sender has shut its side is refused`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send("GET / HT")
      client.shutWriting()
      #expect(try await client.reply().status == 400)
      #expect(try await client.isClosed())
    }
  }

  @Test func `what the parser refuses is answered, announced and closed`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request() + "GET / HTTP/1.1\r\n\r\n" + request())
      #expect(try await client.reply().status == 200)
      let refusal = try await client.reply()
      #expect(refusal.status == 400)
      #expect(refusal.closes)
      #expect(refusal.text == "invalidHost \(refusal.field("X-Request-Id") ?? "")")
      #expect(try await client.isClosed())
    }
  }

  @Test func `a host that is not served is misdirected`() async throws {
    try await withServer(hosts: .loopback) { live in
      let client = try live.connect()
      #expect(try await client.ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status == 421)
      #expect(try await client.ask("GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n").status == 200)
    }
  }

  @Test func `a big answer is sent whole to a reader with a small window`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request("GET", "/big") + request("GET", "/big") + request())
      for _ in 0..<2 { #expect(try await client.reply().body == [UInt8](repeating: 0x62, count: 2_000_000)) }
      #expect(try await client.reply().text == "memory")
    }
  }
}
