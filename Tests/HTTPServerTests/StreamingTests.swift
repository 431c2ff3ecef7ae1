// Bodies that are produced piece by piece: framing, back-pressure, endings of both sides, shutdown.
import HTTP
import Locks
import Sockets
import Testing

@testable import HTTPServer

@Suite struct StreamingTests {
  @Test func `a streamed body arrives in chunks, and the connection goes on`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let reply = try await client.ask(request("GET", "/streamed?pieces=30&size=1000"))
      #expect(reply.status == 200 && reply.field("Transfer-Encoding") == "chunked")
      #expect(reply.field("Content-Length") == nil && !reply.closes)
      #expect(reply.body.count == 30_000 && reply.body[1_000] == 0x62)
      #expect(try await client.ask(request()).text == "memory")
      #expect(try await client.ask(request("GET", "/streamed?pieces=0")).body.isEmpty)
    }
  }

  @Test func `a body of known length has it`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let reply = try await client.ask(request("GET", "/streamed?pieces=3&size=5&length=15"))
      #expect(reply.text == "aaaaabbbbbccccc" && reply.field("Transfer-Encoding") == nil)
      #expect(try await client.ask(request()).text == "memory")
    }
  }

  @Test func `HEAD has the fields of a stream and starts none`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let reply = try await client.ask(request("HEAD", "/streamed?pieces=3&size=5"), isHead: true)
      #expect(reply.field("Transfer-Encoding") == "chunked")
      #expect(try await client.ask(request()).text == "memory")
      #expect(live.gate.counted == 0)
    }
  }

  @Test func `to HTTP 1_0 a body without a length ends with the connection`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send("GET /streamed?pieces=2&size=3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let reply = try await client.reply()
      #expect(reply.closes && reply.field("Transfer-Encoding") == nil && reply.field("Content-Length") == nil)
      #expect(try await client.rest() == Array("aaabbb".utf8))
    }
  }

  @Test func `requests pipelined behind a stream are answered after it`() async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request("GET", "/streamed?pieces=20&size=9999") + request("GET", "/async?n=7") + request())
      #expect(try await client.reply().body.count == 199_980)
      #expect(try await client.reply().text == "7")
      #expect(try await client.reply().text == "memory")
    }
  }

  @Test func `a reader that stops holds the producer, and nobody else`() async throws {
    try await withServer { live in
      let slow = try live.connect()
      try slow.send(request("GET", "/streamed?pieces=10000&size=10000"))
      #expect(await comesTrue { live.gate.counted > 0 })
      for _ in 0..<200 { #expect(try await live.connect().ask(request()).text == "memory") }
      // The kernel's buffers take some megabytes; of 100 most are not produced.
      #expect(live.gate.counted < 2_000)
      #expect(try await slow.reply().body.count == 100_000_000)
    }
  }

  @Test func `a client that goes away ends the producer`() async throws {
    let log = Lock<[AccessRecord]>([])
    try await withServer(accessLog: { records in log.withLock { $0 += records } }) { live in
      var client: Client? = try live.connect()
      try client?.send(request("GET", "/streamed?pieces=1000000&size=10000"))
      #expect(await comesTrue { live.gate.counted > 0 })
      client?.resetOnClose()
      client = nil
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 })
      let counted = live.gate.counted
      #expect(try await live.connect().ask(request()).text == "memory")
      #expect(live.gate.counted <= counted + 1)
      #expect(await comesTrue { log.withLock { $0.contains { $0.refusal == "brokenOff" } } })
    }
  }

  @Test(arguments: ["pieces=3&size=5&fails=1", "pieces=3&size=5&length=20", "pieces=3&size=5&length=10"])
  func `a body that fails, or is not as long as it says, is broken off`(query: String) async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request("GET", "/streamed?\(query)"))
      var failed = false
      do { _ = try await client.reply() } catch { failed = true }
      if !failed { #expect(try await client.isEnded()) }
      #expect(try await live.connect().ask(request()).text == "memory")
    }
  }

  @Test func `at shutdown an endless stream says farewell, and a finite one is finished`() async throws {
    let live = try LiveServer(loopCount: 1, accessLog: nil) { $0.lingerMilliseconds = 50 }
    let endless = try live.connect()
    try endless.send(request("GET", "/streamed?pieces=1&size=3&waits=shutdown"))
    await live.gate.firstArrival()
    async let stopping: Void = live.stop()
    let reply = try await endless.reply()
    #expect(reply.text == "aaafarewell")
    #expect(try await endless.isEnded())
    await stopping
  }
}
