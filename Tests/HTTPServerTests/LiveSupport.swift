// A server on port 0 with a handler for tests, and a client on a raw socket.
import HTTP
import Locks
import Sockets
import Testing

@testable import HTTPServer

/// Answers by path: `/echo` the body, `/big` 2 MB, `/huge` 8 MB, `/middle` 9 KB, `/copied` 8,000 bytes, `/counted` how
/// often it was asked, `/wait` when it is let go, anything else 6 bytes from memory.
struct TestHandler: RequestHandler {
  let gate: Gate

  func admit(_ head: RequestHead, requestID: String) -> Admission {
    switch head.path.first {
    case "refused": .refuse(Response(status: 401, body: Array("refused".utf8)))
    case "small": .accept(maximumBodyBytes: 10)
    default: .accept(maximumBodyBytes: 4_000_000)
    }
  }

  func answerFromMemory(_ head: RequestHead, requestID: String) -> MemoryAnswer? {
    switch head.path.first {
    case "echo", "wait", "async", "streamed": nil
    case "big": MemoryAnswer(Response(status: 200, body: [UInt8](repeating: 0x62, count: 2_000_000)))
    case "huge": MemoryAnswer(Response(status: 200, body: [UInt8](repeating: 0x68, count: 8_000_000)))
    case "copied": MemoryAnswer(Response(status: 200, body: [UInt8](repeating: 0x63, count: 8_000)))
    case "middle": MemoryAnswer(Response(status: 200, body: [UInt8](repeating: 0x62, count: 9_000)), standing: gate)
    case "counted": MemoryAnswer(Response(status: 200, body: Array("\(gate.countUp())".utf8)), standing: gate)
    default: MemoryAnswer(Response(status: 200, body: Array("memory".utf8)), standing: gate)
    }
  }

  func answer(_ request: Request) async -> Response {
    switch request.head.path.first {
    case "wait":
      await gate.pass()
      gate.note(isCancelled: Task.isCancelled)
      return Response(status: 200, body: Array("waited".utf8))
    case "streamed": return streamed(request)
    case "async": return Response(status: 200, body: Array((request.head.queryValue("n") ?? "").utf8))
    default: return Response(status: 201, body: request.body)
    }
  }

  /// `pieces` pieces of `size` bytes; `length` announces them all; `fails` ends them with an error; `waits` holds the end
  /// back until the gate opens or the server shuts down.
  private func streamed(_ request: Request) -> Response {
    func number(_ name: String) -> Int? { request.head.queryValue(name).flatMap { Int($0) } }
    let (pieces, size) = (number("pieces") ?? 0, number("size") ?? 0)
    let waits = request.head.queryValue("waits")
    let stream = BodyStream(length: number("length"), endsOnShutdown: waits == "shutdown") { [gate] writer in
      for index in 0..<pieces {
        try await writer.write([UInt8](repeating: UInt8(0x61 + index % 26), count: size))
        gate.count()
      }
      if waits == "gate" { await gate.pass() }
      if waits == "shutdown" {
        let held = await withTaskCancellationHandler {
          await gate.pass()
          return true
        } onCancel: {
          gate.open()
        }
        if held { try await writer.write(Array("farewell".utf8)) }
      }
      if request.head.queryValue("fails") != nil { throw StreamEnded() }
    }
    return Response(status: 200, fields: [Field("Content-Type", "text/plain")], stream: stream)
  }

  func refusal(_ refusal: Refusal, requestID: String) -> Response {
    Response(status: refusal.status, body: Array("\(refusal.code) \(requestID)".utf8))
  }
}

/// Holds handlers until it is opened, and tells when one has come.
final class Gate: Standing {
  let countsRequests = false

  private struct State {
    var isOpen = false
    var stands = true
    var arrivals = 0
    var counted = 0
    var cancellations: [Bool] = []
    var held: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watching) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.held.append(continuation) }
        defer { state.watching = [] }
        return (state.isOpen, state.watching)
      }
      for watcher in watching { watcher.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Whether an answer that was given before may be given again.
  func holds(for peer: String?) -> Bool { state.withLock { $0.stands } }
  func withdraw() { state.withLock { $0.stands = false } }
  func stand() { state.withLock { $0.stands = true } }

  func countUp() -> Int {
    state.withLock { state in
      state.counted += 1
      return state.counted
    }
  }

  /// Of each handler that was let go, whether its request had been cancelled by then.
  var cancellations: [Bool] { state.withLock { $0.cancellations } }
  func note(isCancelled: Bool) { state.withLock { $0.cancellations.append(isCancelled) } }

  /// How often something has been done.
  func count() { state.withLock { $0.counted += 1 } }
  var counted: Int { state.withLock { $0.counted } }

  func firstArrival() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.arrivals == 0 { state.watching.append(continuation) }
        return state.arrivals > 0
      }
      if hasArrived { continuation.resume() }
    }
  }

  func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}

/// What reached the log.
final class Records: Sendable {
  private let state = Lock<[AccessRecord]>([])
  func append(_ records: [AccessRecord]) { state.withLock { $0 += records } }
  var all: [AccessRecord] { state.withLock { $0 } }
}

/// A server that runs for one test.
struct LiveServer {
  let server: HTTPServer
  let address: SocketAddress
  let gate = Gate()

  init(
    address: SocketAddress = .ipv4("127.0.0.1", port: 0), hosts: HostPolicy = .any,
    method: TransferMethod = .automatic, loopCount: Int = 1,
    accessLog: (@Sendable ([AccessRecord]) -> Void)? = nil, _ change: (inout ServerLimits) -> Void = { _ in }
  ) throws {
    var limits = ServerLimits()
    change(&limits)
    server = try HTTPServer(
      handler: TestHandler(gate: gate), limits: limits, hosts: { hosts }, method: method, loopCount: loopCount,
      accessLog: accessLog)
    self.address = try server.start(listening: address)
  }

  func connect() throws -> Client { try Client(address) }

  func stop() async { await server.shutdown(grace: .seconds(5)) }
}

/// Runs `body` with a server and ends the server after it, whatever comes: once with io_uring where the kernel permits it,
/// and once without.
func withServer(
  address: SocketAddress = .ipv4("127.0.0.1", port: 0), hosts: HostPolicy = .any, loopCount: Int = 1,
  accessLog: (@Sendable ([AccessRecord]) -> Void)? = nil, _ change: (inout ServerLimits) -> Void = { _ in },
  _ body: (LiveServer) async throws -> Void
) async throws {
  for method in [TransferMethod.automatic, .calls] {
    let live = try LiveServer(
      address: address, hosts: hosts, method: method, loopCount: loopCount, accessLog: accessLog, change)
    do { try await body(live) } catch {
      await live.stop()
      throw error
    }
    await live.stop()
  }
}

/// A reply as read from the wire.
struct Reply: Equatable {
  var status: Int
  var fields: [Field]
  var body: [UInt8]

  func field(_ name: String) -> String? { fields.first { $0.name.isASCIICaseInsensitively(name) }?.value }
  var text: String { String(decoding: body, as: UTF8.self) }
  var closes: Bool { field("Connection") == "close" }
}

/// A client that sends any bytes and reads replies one by one.
///
/// `@unchecked Sendable`: one test uses it, one call at a time; the thread of `fill` is awaited before anything else.
final class Client: @unchecked Sendable {
  enum Failure: Error { case closed, timeout, broken }

  private let socket: StreamSocket
  private var buffer: [UInt8] = []

  init(_ address: SocketAddress) throws {
    socket = try StreamSocket.connect(to: address)
    socket.setReceiveTimeout(milliseconds: 8_000)
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var start = 0
    while start < bytes.count {
      guard case .bytes(let count) = socket.send(bytes, from: start) else { throw Failure.broken }
      start += count
    }
  }

  func shutWriting() { socket.shutWriting() }
  func resetOnClose() { socket.resetOnClose() }

  /// Reads from the socket alone and at a pace, as over a bad network.
  /// - Returns: whether the connection lasts.
  func readSlowly(times: Int, bytes: Int, pauseMilliseconds: Int) async throws -> Bool {
    for _ in 0..<times {
      do { try await fill(bytes, afterMilliseconds: pauseMilliseconds) } catch Failure.closed {
        return false
      } catch Failure.broken { return false }
    }
    return true
  }

  func setReceiveBuffer(bytes: Int) { socket.setReceiveBuffer(bytes: bytes) }

  /// Waits for more on a thread of its own: the handlers need the pool's.
  private func fill(_ bytes: Int = 65_536, afterMilliseconds pause: Int = 0) async throws {
    // The thread shares nothing but the socket: the thread sanitizer does not see that a continuation orders threads.
    let (received, chunk) = try await withCheckedThrowingContinuation { continuation in
      do {
        try LoopThread.start(named: "client") {
          if pause > 0 { SystemClock.pause(milliseconds: pause) }
          var chunk = [UInt8](repeating: 0, count: bytes)
          let received = self.socket.receive(into: &chunk)
          continuation.resume(returning: (received, chunk))
        }
      } catch { continuation.resume(throwing: error) }
    }
    switch received {
    case .bytes(let count): buffer += chunk[..<count]
    case .end: throw Failure.closed
    case .nothing: throw Failure.timeout
    case .broken: throw Failure.broken
    }
  }

  /// Reads one reply; `isHead` when it answers `HEAD`.
  func reply(isHead: Bool = false) async throws -> Reply {
    var end = headEnd
    while end == nil {
      try await fill()
      end = headEnd
    }
    let lines = String(decoding: buffer[..<(end ?? 0)], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst((end ?? 0) + 4)
    try #require(lines[0].hasPrefix("HTTP/1.1 "))
    let status = try #require(Int(lines[0].split(separator: " ")[1]))
    let fields = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return Field(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    var reply = Reply(status: status, fields: Array(fields), body: [])
    if !isHead, reply.field("Transfer-Encoding") == "chunked" {
      while let piece = try await chunk() { reply.body += piece }
      return reply
    }
    let length = isHead ? 0 : reply.field("Content-Length").flatMap { Int($0) } ?? 0
    while buffer.count < length { try await fill() }
    reply.body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    return reply
  }

  /// One chunk of a body; nil for the last one, whose trailers are empty.
  func chunk() async throws -> [UInt8]? {
    while buffer.firstIndex(of: 0x0A) == nil { try await fill() }
    let lineEnd = buffer.firstIndex(of: 0x0A) ?? 0
    let line = String(decoding: buffer[..<lineEnd].dropLast(), as: UTF8.self)
    let size = try #require(Int(line, radix: 16))
    while buffer.count < lineEnd + 1 + size + 2 { try await fill() }
    let piece = Array(buffer[(lineEnd + 1)..<(lineEnd + 1 + size)])
    try #require(Array(buffer[(lineEnd + 1 + size)..<(lineEnd + 3 + size)]) == [0x0D, 0x0A])
    buffer.removeFirst(lineEnd + 3 + size)
    return size > 0 ? piece : nil
  }

  private var headEnd: Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...buffer.count - 4).first { buffer[$0...].starts(with: [13, 10, 13, 10]) }
  }

  /// Sends a request and reads its reply.
  func ask(_ text: String, isHead: Bool = false) async throws -> Reply {
    try send(text)
    return try await reply(isHead: isHead)
  }

  /// Whatever comes until the connection's end.
  func rest() async throws -> [UInt8] {
    do { while true { try await fill() } } catch Failure.closed {}
    defer { buffer = [] }
    return buffer
  }

  /// Whether the connection has ended, one way or the other, within the time.
  func isEnded() async throws -> Bool {
    do { try await fill() } catch Failure.closed { return true } catch Failure.broken { return true }
    return false
  }

  /// Whether the server ends the connection with nothing more to read.
  func isClosed() async throws -> Bool {
    do { try await fill() } catch Failure.closed { return buffer.isEmpty }
    return false
  }
}

/// A request without a body.
func request(_ method: String = "GET", _ target: String = "/", _ fields: String = "") -> String {
  "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}

/// Whether a condition comes true within some seconds.
func comesTrue(_ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(8)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    await Task.yield()
  }
  return true
}
