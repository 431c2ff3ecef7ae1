// Readers on bad networks are waited for as long as they read on; those who do not are let go.
import HTTP
import HTTPServer
import Sockets
import Testing

@Suite struct StalledReaderTests {
  /// Of TCP, whose send buffer takes minutes to drain at a slow reader's pace, and of a Unix socket.
  private static let addresses = [
    SocketAddress.ipv4("127.0.0.1", port: 0),
    .unix(path: "/tmp/interviewkit-\(UInt64.random(in: 0...UInt64.max)).socket"),
  ]

  private static let targets = ["/huge", "/streamed?pieces=800&size=10000"]

  /// Slower than what makes a socket take more within the deadline.
  private static func readSlowly(_ client: Client) async throws -> Bool {
    try await client.readSlowly(times: 30, bytes: 8_192, pauseMilliseconds: 50)
  }

  private static func client(of live: LiveServer, asking target: String) throws -> Client {
    let client = try live.connect()
    client.setReceiveBuffer(bytes: 16_384)
    try client.send(request("GET", target))
    return client
  }

  @Test(arguments: addresses, targets)
  func `who reads on gets all of it, however long that takes`(address: SocketAddress, target: String) async throws {
    try await withServer(address: address, { $0.stalledWriteMilliseconds = 1_000 }) { live in
      let slow = try Self.client(of: live, asking: target)
      #expect(try await Self.readSlowly(slow))
      #expect(try await slow.reply().body.count == 8_000_000)
      #expect(live.server.metrics.timeouts == 0)
      #expect(try await slow.ask(request()).text == "memory")
    }
  }

  @Test(arguments: zip(addresses, targets))
  func `who stops reading, or reads less than the least, is let go`(address: SocketAddress, target: String) async throws
  {
    try await withServer(address: address, { $0.stalledWriteMilliseconds = 1_000 }) { live in
      let silent = try Self.client(of: live, asking: target)
      #expect(await comesTrue { live.server.metrics.timeouts == 1 && live.server.metrics.connectionsOpen == 0 })
      _ = consume silent
      let stopping = try Self.client(of: live, asking: target)
      #expect(try await Self.readSlowly(stopping))
      #expect(await comesTrue { live.server.metrics.timeouts == 2 && live.server.metrics.connectionsOpen == 0 })
    }
    try await withServer(
      address: address, { ($0.stalledWriteMilliseconds, $0.bodyBytesPerSecond) = (1_000, 10_000_000) }
    ) { live in
      let dribbling = try Self.client(of: live, asking: target)
      _ = try await Self.readSlowly(dribbling)
      #expect(await comesTrue { live.server.metrics.timeouts == 1 && live.server.metrics.connectionsOpen == 0 })
    }
  }
}
