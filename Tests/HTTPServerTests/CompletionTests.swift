// What is still under way when a connection ends, or when the system does not take an answer whole. A ring has both.
import HTTP
import Testing

@testable import HTTPServer

struct CompletionTests {
  private func requests(_ numbers: Range<Int>) -> String {
    numbers.map { request("GET", "/copied", "X-Request-ID: \(100_000 + $0)\r\n") }.joined()
  }

  @Test(arguments: [1, 3, 10])
  func `an answer that is not taken whole is sent on in order`(together: Int) async throws {
    try await withServer({ $0.stalledWriteMilliseconds = 60_000 }) { live in
      let client = try live.connect()
      try client.send(requests(0..<together))
      #expect(await comesTrue { live.server.metrics.requestsByStatus[200] == together })
      let bytes = live.server.metrics.bytesSent
      // Nobody reads. Each turn answers what has come, until the system takes no more.
      var count = together
      while live.server.metrics.bytesSent == bytes * count / together {
        try client.send(requests(count..<count + together))
        count += together
        let all = count
        let isAnswered = await comesTrue { live.server.metrics.requestsByStatus[200] == all }
        try #require(isAnswered && count < 5_000)
      }
      #expect(try await live.connect().ask(request()).text == "memory")
      for index in 0..<count {
        let reply = try await client.reply()
        try #require(reply.field("X-Request-ID") == "\(100_000 + index)")
        try #require(reply.body == [UInt8](repeating: 0x63, count: 8_000))
      }
      #expect(try await client.ask(request()).text == "memory")
    }
  }

  @Test(arguments: [("GET", true), ("PUT", false)])
  func `a read whose client has gone is cancelled, a write is not`(method: String, isCancelled: Bool) async throws {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request(method, "/wait", "Content-Length: 0\r\n"))
      await live.gate.firstArrival()
      client.resetOnClose()
      _ = consume client
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 })
      live.gate.open()
      #expect(await comesTrue { live.gate.cancellations == [isCancelled] })
    }
  }

  @Test func `what comes for connections that have ended takes no buffer for good`() async throws {
    try await withServer { live in
      // The first buffer holds a request that ends its connection, those behind it come too late.
      let head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: "
      let last = head + String(repeating: "x", count: 4_096 - head.utf8.count - 4) + "\r\n\r\n"
      let all = Array((last + String(repeating: "y", count: 3 * 4_096)).utf8)
      for _ in 0..<300 {
        let client = try live.connect()
        try client.send(all)
        var isEnded = false
        for _ in 0..<4 where !isEnded { isEnded = try await client.isEnded() }
        #expect(isEnded)
      }
      let body = [UInt8]((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
      let client = try live.connect()
      try LoopThread.start(named: "sender") {
        try? client.send(request("POST", "/echo", "Content-Length: \(body.count)\r\n"))
        try? client.send(body)
      }
      #expect(try await client.reply().body == body)
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 1 })
    }
  }

  @Test(arguments: [true, false])
  func `a connection that breaks while nothing is received from it is noticed`(isHalfClosed: Bool) async throws {
    try await withServer { live in
      var client: Client? = try live.connect()
      try client?.send(request("GET", isHalfClosed ? "/streamed?pieces=1&size=9&waits=gate" : "/wait"))
      await live.gate.firstArrival()
      if isHalfClosed {
        client?.shutWriting()
      } else {
        // More than is received ahead, and less than the system's buffers take besides.
        try client?.send([UInt8](repeating: 0x61, count: 600_000))
        let isAhead = live.server.transfer?.method == .ring
        #expect(await comesTrue { !isAhead || live.server.metrics.bytesReceived > 65_536 })
      }
      #expect(try await live.connect().ask(request()).text == "memory")
      client?.resetOnClose()
      client = nil
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 })
      live.gate.open()
      #expect(try await live.connect().ask(request()).text == "memory")
    }
  }

  @Test func `a connection never gets what belongs to one before it that had its number`() async throws {
    try await withServer { live in
      for index in 0..<300 {
        let rude = try live.connect()
        // An answer from memory, one that is waited for, and half a body: all under way at the reset.
        try rude.send(request("GET", "/copied") + request("GET", "/async?n=rude"))
        try rude.send(request("POST", "/echo", "Content-Length: 9\r\n") + "rude")
        if index % 2 == 0 { rude.resetOnClose() }
        _ = consume rude
        let next = try live.connect()
        #expect(try await next.ask(request("GET", "/async?n=\(index)")).text == "\(index)")
        #expect(try await next.ask(request("POST", "/echo", "Content-Length: 4\r\n") + "next").text == "next")
      }
      #expect(await comesTrue { live.server.metrics.connectionsOpen <= 1 })
    }
  }

  @Test func `numbers of connections begin anew after four billion, above the tokens of all else`() {
    var tokens = ConnectionTokens(after: .max - 1)
    #expect(tokens.next(for: 7) == UInt64(UInt32.max) << 32 | 7)
    #expect(tokens.next(for: 7) == 1 << 32 | 7)
    #expect(tokens.next(for: 8) == 2 << 32 | 8)
  }
}
