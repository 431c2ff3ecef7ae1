// What a ring does at its bounds: no free buffer, more reports than it has room for, numbers that are used again.
import Sockets
import Testing

private let ringsArePermitted = (try? Ring()) != nil

@Suite(.enabled(if: ringsArePermitted)) struct RingSafetyTests {
  private static let token: UInt64 = 5 << 32

  private let ring: Ring
  private let listener: Listener

  init() throws {
    ring = try Ring()
    try ring.start()
    listener = try Listener(.ipv4("127.0.0.1", port: 0))
  }

  private final class End {
    let socket: StreamSocket
    init(_ socket: consuming StreamSocket) { self.socket = socket }

    static func accepted(by listener: borrowing Listener) throws -> End {
      guard case .connection(let server, _) = listener.accept() else { throw SocketError(call: "accept", code: 0) }
      return End(server)
    }
  }

  private func pair() throws -> (client: End, server: End) {
    let client = End(try StreamSocket.connect(to: listener.address))
    return (client, try End.accepted(by: listener))
  }

  /// All that comes until an event for which `isLast` holds.
  private func events(until isLast: (RingEvent) -> Bool) throws -> [RingEvent] {
    var all: [RingEvent] = []
    for _ in 0..<100 {
      try ring.submit(waitingMilliseconds: 100)
      var some: [RingEvent] = []
      ring.takeEvents(&some)
      all += some
      if some.contains(where: isLast) { return all }
    }
    return all
  }

  private func bytes(of event: RingEvent) -> [UInt8] {
    ring.withReceived(event) { span in span.indices.map { span[$0] } }
  }

  private func text(of events: [RingEvent], token: UInt64) -> String {
    String(decoding: events.filter { $0.token == token }.flatMap(bytes), as: UTF8.self)
  }

  @Test func `receiving ends when all buffers are out, and nothing is lost or changed meanwhile`() throws {
    let (client, server) = try pair()
    try ring.receive(server.socket.number, token: Self.token)
    var sent: [UInt8] = []
    var held: [RingEvent] = []
    while held.last?.isLast != true {
      try #require(sent.count <= 2 * Ring.bufferCount * Ring.bufferBytes)
      let more = (0..<4 * Ring.bufferBytes).map { UInt8(truncatingIfNeeded: (sent.count + $0) / 251) }
      try #require(client.socket.send(more) == .bytes(more.count))
      sent += more
      held += try events { _ in true }
    }
    #expect(held.last?.isPause == true)
    #expect(held.last?.buffer == nil)
    let buffers = held.compactMap(\.buffer)
    #expect(Set(buffers).count == Ring.bufferCount && buffers.count == Ring.bufferCount)
    // Asked again without a buffer it ends again, and writes into none of those that are out.
    try ring.receive(server.socket.number, token: Self.token)
    #expect(try events(until: \.isLast).map(\.isPause) == [true])
    var received = held.flatMap(bytes)
    for buffer in buffers { ring.recycle(buffer) }
    try ring.receive(server.socket.number, token: Self.token)
    while received.count < sent.count {
      let some = try events { _ in true }
      try #require(!some.isEmpty && !some.contains(where: \.isLast))
      received += some.flatMap(bytes)
    }
    #expect(received == sent)
  }

  @Test func `what comes after receiving was stopped is there when it begins again`() throws {
    let (client, server) = try pair()
    try ring.receive(server.socket.number, token: Self.token)
    try ring.submit(waitingMilliseconds: 0)
    #expect(client.socket.send(Array("before ".utf8)) == .bytes(7))
    try ring.stopReceiving(token: Self.token)
    #expect(client.socket.send(Array("after".utf8)) == .bytes(5))
    let stopped = try events(until: \.isLast)
    #expect(stopped.last?.isPause == true)
    try ring.receive(server.socket.number, token: Self.token)
    var all = text(of: stopped, token: Self.token)
    while all.utf8.count < 12 {
      let more = try events { _ in true }
      try #require(!more.isEmpty)
      all += text(of: more, token: Self.token)
    }
    #expect(all == "before after")
  }

  @Test func `a closed socket's events keep its token when another socket has its number`() throws {
    let (old, next) = (Self.token, Self.token + 1 << 32)
    let client = End(try StreamSocket.connect(to: listener.address))
    var server: End? = try End.accepted(by: listener)
    let number = server?.socket.number ?? -1
    try ring.receive(number, token: old)
    try ring.submit(waitingMilliseconds: 0)
    #expect(client.socket.send(Array("old".utf8)) == .bytes(3))
    let successorClient = End(try StreamSocket.connect(to: listener.address))
    server = nil
    let successor = try End.accepted(by: listener)
    let numberAgain = successor.socket.number
    try #require(numberAgain == number)
    try ring.receive(number, token: next)
    #expect(successorClient.socket.send(Array("new".utf8)) == .bytes(3))
    var all = try events { $0.token == next }
    #expect(text(of: all, token: old) == "old")
    #expect(text(of: all, token: next) == "new")
    // Receiving goes on for a socket that nobody owns, until it is stopped; then its peer hears of the end.
    #expect(client.socket.send(Array("late".utf8)) == .bytes(4))
    all = try events { $0.token == old }
    #expect(all.allSatisfy { $0.token == old } && text(of: all, token: old) == "late")
    try ring.stopReceiving(token: old)
    all = try events(until: \.isLast)
    #expect(all.map(\.token) == [old] && all.map(\.isPause) == [true])
    client.socket.setReceiveTimeout(milliseconds: 8_000)
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(client.socket.receive(into: &buffer) == .end)
    #expect(successorClient.socket.send(Array("still".utf8)) == .bytes(5))
    #expect(text(of: try events { _ in true }, token: next) == "still")
  }

  @Test func `events that the ring has no room for come with the next call`() throws {
    let ring = try Ring(completions: Ring.entries)
    try ring.start()
    let room = Int(Ring.entries)
    let later = try WakeUp()
    let now = try WakeUp()
    for index in 1...100 { try ring.poll(later.number, token: UInt64(index) << 32) }
    try ring.submit(waitingMilliseconds: 0)
    // All of these end at once, and fill the room; those above have become ready as well.
    now.signal()
    for index in 101...100 + room { try ring.poll(now.number, token: UInt64(index) << 32) }
    later.signal()
    var sizes: [Int] = []
    var told: [RingEvent] = []
    while told.count < room + 100 {
      try ring.submit(waitingMilliseconds: 1_000)
      var some: [RingEvent] = []
      ring.takeEvents(&some)
      try #require(!some.isEmpty)
      sizes.append(some.count)
      told += some
    }
    #expect(sizes.first == room)
    #expect(Set(told.map(\.token)) == Set((1...100 + room).map { UInt64($0) << 32 }) && told.count == room + 100)
  }

  @Test func `more operations than the ring has entries take effect, and sends stay in order`() throws {
    let (client, server) = try pair()
    let count = 2 * Int(Ring.entries) + 10
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try ring.submit(
      bytes.indices.map { RingSend(number: server.socket.number, token: Self.token, range: $0..<$0 + 1) }, of: bytes,
      waitingMilliseconds: 0)
    #expect(ring.failedSends.isEmpty)
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    client.socket.setReceiveTimeout(milliseconds: 8_000)
    while received.count < count {
      guard case .bytes(let some) = client.socket.receive(into: &buffer) else { break }
      received += buffer[..<some]
    }
    #expect(received == bytes)
  }
}
