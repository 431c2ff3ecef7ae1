// What a client sends before it can be read is held back, and not lost.
import HTTP
import Locks
import Testing

@testable import HTTPServer

struct BackPressureTests {
  /// 16 MB in requests of 8 KB each: more than the system's own buffers hold.
  private static let count = 2_000
  private static let one = request("GET", "/", "X: \(String(repeating: "x", count: 8_000))\r\n")

  @Test func `requests behind one that waits are received as far as a bound, and all answered in the end`() async throws
  {
    try await withServer { live in
      let client = try live.connect()
      try client.send(request("GET", "/wait"))
      await live.gate.firstArrival()
      let isSent = Lock(false)
      try LoopThread.start(named: "sender") {
        for _ in 0..<Self.count {
          do { try client.send(Self.one) } catch { return }
        }
        isSent.withLock { $0 = true }
      }
      // A ring receives ahead; calls do not.
      let isAhead = live.server.transfer?.method == .ring
      #expect(await comesTrue { !isAhead || live.server.metrics.bytesReceived > 60_000 })
      let other = try live.connect()
      for _ in 0..<200 { #expect(try await other.ask(request()).text == "memory") }
      // 64 KiB, and what was on its way in lent buffers when the bound was reached.
      #expect(live.server.metrics.bytesReceived < 2_500_000)
      #expect(!isSent.withLock { $0 })
      live.gate.open()
      #expect(try await client.reply().text == "waited")
      for _ in 0..<Self.count { #expect(try await client.reply().text == "memory") }
      #expect(isSent.withLock { $0 })
    }
  }

  @Test func `a reader that does not read is held to its output's bound, and read on once it does`() async throws {
    try await withServer({ $0.stalledWriteMilliseconds = 60_000 }) { live in
      let client = try live.connect()
      let count = 12
      for _ in 0..<count { try client.send(request("GET", "/big")) }
      #expect(await comesTrue { live.server.metrics.bytesSent > 100_000 })
      let other = try live.connect()
      for _ in 0..<50 { #expect(try await other.ask(request()).text == "memory") }
      for _ in 0..<count { #expect(try await client.reply().body.count == 2_000_000) }
      #expect(try await client.ask(request()).text == "memory")
    }
  }

  @Test func `who sends on after a refusal is held up, and not reset, until it has read it`() async throws {
    try await withServer({ ($0.lingerBytes, $0.lingerMilliseconds) = (100_000, 600_000) }) { live in
      let client = try live.connect()
      try client.send(request("POST", "/echo", "Content-Length: 40000000\r\n"))
      let hasEnded = Lock(false)
      try LoopThread.start(named: "sender") {
        try? client.send([UInt8](repeating: 0x61, count: 40_000_000))
        hasEnded.withLock { $0 = true }
      }
      #expect(await comesTrue { live.server.metrics.bytesReceived > 100_000 })
      let other = try live.connect()
      for _ in 0..<200 { #expect(try await other.ask(request()).text == "memory") }
      #expect(live.server.metrics.connectionsOpen == 2)
      #expect(live.server.metrics.bytesReceived < 2_500_000)
      #expect(!hasEnded.withLock { $0 })
      #expect(try await client.reply().status == 413)
      // Then it goes, and the server does not wait for it.
      client.resetOnClose()
      client.shutWriting()
      #expect(await comesTrue { hasEnded.withLock { $0 } })
    }
  }

  @Test func `who sends on gets what was answered before the refusal whole, at its own pace`() async throws {
    try await withServer({ ($0.lingerBytes, $0.lingerMilliseconds) = (100_000, 100) }) { live in
      let client = try live.connect()
      client.setReceiveBuffer(bytes: 65_536)
      try client.send(request("GET", "/huge") + request("POST", "/echo", "Content-Length: 40000000\r\n"))
      let hasEnded = Lock(false)
      try LoopThread.start(named: "sender") {
        try? client.send([UInt8](repeating: 0x61, count: 40_000_000))
        hasEnded.withLock { $0 = true }
      }
      #expect(try await client.readSlowly(times: 30, bytes: 65_536, pauseMilliseconds: 30))
      #expect(try await client.reply().body.count == 8_000_000)
      #expect(try await client.reply().status == 413)
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 && hasEnded.withLock { $0 } })
      #expect(live.server.metrics.timeouts == 0)
    }
  }

  @Test func `what comes in the middle of a big body reaches its handler whole, beside others`() async throws {
    try await withServer(loopCount: 2) { live in
      let body = [UInt8]((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
      let client = try live.connect()
      try client.send(request("POST", "/echo", "Content-Length: \(body.count)\r\n"))
      try LoopThread.start(named: "sender") { try? client.send(body) }
      let other = try live.connect()
      for _ in 0..<50 { #expect(try await other.ask(request()).text == "memory") }
      #expect(try await client.reply().body == body)
    }
  }
}
