// The ring against real sockets. Where the kernel refuses io_uring there is nothing to test, and the first test says so.
import Sockets
import Testing

struct RingTests {
  private static let isPermitted = (try? Ring()) != nil

  /// A client, and the server's end of its connection.
  private func pair() throws -> (client: End, server: End) {
    let listener = try Listener(.ipv4("127.0.0.1", port: 0))
    let client = End(try StreamSocket.connect(to: listener.address))
    guard case .connection(let server, _) = listener.accept() else { throw SocketError(call: "accept", code: 0) }
    return (client, End(server))
  }

  /// Keeps a socket open: a tuple holds nothing that cannot be copied.
  private final class End {
    let socket: StreamSocket
    init(_ socket: consuming StreamSocket) { self.socket = socket }
  }

  private func events(of ring: Ring, atLeast count: Int) throws -> [RingEvent] {
    var all: [RingEvent] = []
    for _ in 0..<100 where all.count < count {
      try ring.submit(waitingMilliseconds: 100)
      var some: [RingEvent] = []
      ring.takeEvents(&some)
      all += some
    }
    return all
  }

  @Test func `a kernel that refuses rings says why`() {
    do throws(SocketError) { _ = try Ring() } catch {
      #expect(error.call.hasPrefix("io_uring"))
      #expect(error.code != 0)
    }
  }

  @Test(.enabled(if: isPermitted)) func `what is sent is received, until the end`() throws {
    let (client, server) = try pair()
    let ring = try Ring()
    try ring.start()
    try ring.receive(server.socket.number, token: 7 << 32 | 5)
    let text = [UInt8]((0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    #expect(client.socket.send(text) == .bytes(text.count))
    var received: [UInt8] = []
    while received.count < text.count {
      for event in try events(of: ring, atLeast: 1) {
        #expect(event.operation == .receive)
        #expect(event.token == 7 << 32 | 5)
        #expect(!event.isLast)
        ring.withReceived(event) { span in for index in span.indices { received.append(span[index]) } }
        if let buffer = event.buffer { ring.recycle(buffer) }
      }
    }
    #expect(received == text)
    client.socket.shutWriting()
    let end = try events(of: ring, atLeast: 1)
    #expect(end.map(\.result) == [0])
    #expect(end.map(\.isLast) == [true])
  }

  @Test(.enabled(if: isPermitted)) func `a range is sent whole, and what is not taken is told`() throws {
    let (client, server) = try pair()
    let ring = try Ring()
    try ring.start()
    let bytes = [UInt8](repeating: 0x61, count: 100_000)
    try ring.submit(
      [RingSend(number: server.socket.number, token: 3 << 32, range: 10..<15)], of: bytes, waitingMilliseconds: 0)
    #expect(ring.failedSends.isEmpty)
    var buffer = [UInt8](repeating: 0, count: 64)
    #expect(client.socket.receive(into: &buffer) == .bytes(5))
    // Nobody reads: the system takes some, then nothing.
    var taken = 0
    var last: RingEvent?
    for _ in 0..<1_000 where last == nil {
      try ring.submit(
        [RingSend(number: server.socket.number, token: 3 << 32, range: bytes.indices)], of: bytes,
        waitingMilliseconds: 0)
      last = ring.failedSends.first
      if last == nil { taken += bytes.count }
    }
    let failed = try #require(last)
    #expect(failed.token == 3 << 32)
    #expect(failed.result < bytes.count)
    #expect(failed.isNothing || failed.result > 0)
    taken += max(0, Int(failed.result))
    var seen = 0
    buffer = [UInt8](repeating: 0, count: 65_536)
    while seen < taken, case .bytes(let count) = client.socket.receive(into: &buffer) { seen += count }
    #expect(seen == taken)
  }

  @Test(.enabled(if: isPermitted)) func `receiving that is stopped ends, and sending to a lost peer fails`() throws {
    let ring = try Ring()
    try ring.start()
    let server: End
    do {
      let (client, end) = try pair()
      server = end
      try ring.receive(server.socket.number, token: 1 << 32)
      try ring.submit(waitingMilliseconds: 0)
      try ring.stopReceiving(token: 1 << 32)
      let ended = try events(of: ring, atLeast: 1)
      #expect(ended.map(\.isPause) == [true])
      #expect(ended.map(\.isLast) == [true])
      client.socket.resetOnClose()
    }
    var failed: [RingEvent] = []
    for _ in 0..<100 where failed.isEmpty {
      try ring.submit(
        [RingSend(number: server.socket.number, token: 1 << 32, range: 0..<3)], of: [1, 2, 3], waitingMilliseconds: 0)
      failed = ring.failedSends
    }
    #expect(failed.first.map { $0.result < 0 && !$0.isNothing } == true)
  }

  @Test(.enabled(if: isPermitted)) func `a ring waits no longer than it is told, and hears a wake-up through a poller`()
    throws
  {
    let ring = try Ring()
    try ring.start()
    let wakeUp = try WakeUp()
    var poller = try Poller(capacity: 4)
    try poller.add(wakeUp.number, .reading, token: 9)
    try ring.poll(poller.number, token: 1)
    try ring.submit(waitingMilliseconds: 1)
    var none: [RingEvent] = []
    ring.takeEvents(&none)
    #expect(none.isEmpty)
    wakeUp.signal()
    let events = try events(of: ring, atLeast: 1)
    #expect(events.map(\.operation) == [.poll])
    #expect(try poller.wait(milliseconds: 0) == 1)
  }
}
