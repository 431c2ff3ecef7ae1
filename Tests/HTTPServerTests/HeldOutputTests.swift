// What waits for readers takes bounded memory, and who reads is not the one who pays for it.
import HTTP
import Sockets
import Testing

@testable import HTTPServer

@Suite struct HeldOutputTests {
  private static let hugeBytes = 8_000_000

  @Test func `answers that nobody reads take bounded memory, and their room is given back`() async throws {
    let limit = 3 * Self.hugeBytes
    try await withServer(
      loopCount: 2, { ($0.heldOutputBytes, $0.stalledWriteMilliseconds) = (limit, 60_000) }
    ) { live in
      var silent: [Client] = []
      for count in 1...12 {
        let client = try live.connect()
        try client.send(request("GET", "/huge"))
        silent.append(client)
        // Each is held, or has let others go.
        #expect(await comesTrue { live.server.metrics.requestsByStatus[200] == count })
        #expect(await comesTrue { live.server.metrics.heldOutputBytes <= limit })
        #expect(await comesTrue { live.server.metrics.connectionsOpen + live.server.metrics.connectionsShed == count })
      }
      #expect(live.server.metrics.heldOutputBytes > limit / 2)
      #expect(live.server.metrics.connectionsShed >= 9)
      for client in silent { client.resetOnClose() }
      silent = []
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 && live.server.metrics.heldOutputBytes == 0 })
    }
  }

  @Test(.timeLimit(.minutes(1))) func `who reads gets room from those who do not, once that is known of them`()
    async throws
  {
    let limit = 3 * Self.hugeBytes
    try await withServer({
      ($0.heldOutputBytes, $0.stalledWriteMilliseconds, $0.readerTrialMilliseconds) = (limit, 60_000, 100)
    }) { live in
      let silent = try (0..<3).map { _ in try live.connect() }
      for client in silent { try client.send(request("GET", "/huge")) }
      #expect(await comesTrue { live.server.metrics.heldOutputBytes == limit })
      func read() async throws -> Int { try await live.connect().ask(request("GET", "/huge")).body.count }
      while (try? await read()) == nil {}
      for _ in 0..<3 { #expect(try await read() == Self.hugeBytes) }
      for client in silent { client.resetOnClose() }
    }
  }

  @Test func `who reads on, if slowly, is kept, and those go that do not read`() async throws {
    try await withServer({
      ($0.heldOutputBytes, $0.stalledWriteMilliseconds) = (2 * Self.hugeBytes + 100_000, 60_000)
      $0.readerTrialMilliseconds = 150
    }) { live in
      let slow = try live.connect()
      slow.setReceiveBuffer(bytes: 16_384)
      try slow.send(request("GET", "/huge"))
      #expect(await comesTrue { live.server.metrics.heldOutputBytes >= Self.hugeBytes })
      var silent: [Client] = []
      for count in 0..<4 {
        let client = try live.connect()
        try client.send(request("GET", "/huge"))
        silent.append(client)
        #expect(await comesTrue { live.server.metrics.connectionsShed == count })
        #expect(try await slow.readSlowly(times: 8, bytes: 16_384, pauseMilliseconds: 50))
      }
      #expect(try await slow.reply().body.count == Self.hugeBytes)
      #expect(try await slow.ask(request()).text == "memory")
    }
  }

  @Test func `where nobody was looked at for long enough, the one more is reset`() async throws {
    try await withServer({ ($0.heldOutputBytes, $0.readerTrialMilliseconds) = (Self.hugeBytes + 100_000, 60_000) }) {
      live in
      let first = try live.connect()
      try first.send(request("GET", "/huge"))
      #expect(await comesTrue { live.server.metrics.heldOutputBytes >= Self.hugeBytes })
      let second = try live.connect()
      try second.send(request("GET", "/huge"))
      #expect(await comesTrue { live.server.metrics.connectionsShed == 1 })
      #expect(try await first.reply().body.count == Self.hugeBytes)
      await #expect(throws: Client.Failure.self) { try await second.reply() }
      #expect(await comesTrue { live.server.metrics.heldOutputBytes == 0 })
    }
  }

  @Test func `a kept body counts once, however many wait for it`() {
    let held = HeldOutput(limitBytes: 1_000)
    let kept = [UInt8](repeating: 1, count: 900)
    let own = [UInt8](repeating: 2, count: 100)
    for _ in 0..<50 { held.enter([kept]) }
    #expect(held.bytes == 900 && !held.isTooMuch && !held.isAlone(with: [kept]))
    held.enter([own, kept])
    #expect(held.bytes == 1_000 && !held.isTooMuch && held.isAlone(with: [own, kept]))
    held.enter([[3]])
    #expect(held.isTooMuch)
    for _ in 0..<50 { held.leave([kept]) }
    #expect(held.bytes == 1_001 && held.isAlone(with: [kept]))
    held.leave([own, kept])
    #expect(held.bytes == 1)
  }

  @Test func `a queue hands out the pieces that it has sent whole`() {
    var queue = OutputQueue()
    queue.append([[1, 2, 3], [4, 5], [6]])
    #expect(queue.advance(2).isEmpty)
    #expect(Array(queue.advance(3)) == [[1, 2, 3], [4, 5]])
    #expect(queue.pieces == [[6]] && queue.byteCount == 1)
    #expect(Array(queue.advance(1)) == [[6]] && queue.isEmpty)
  }
}
