// What has arrived is read before a connection is closed: at shutdown, and when a paused process goes on.
import HTTP
import Locks
import Sockets
import Testing

@testable import HTTPServer

struct DrainTests {
  /// More than a ring delivers, or a poller reports, in one go.
  private static let connections = 320

  /// Connections that have each had an answer already.
  private func warmClients(_ live: LiveServer) async throws -> [Client] {
    let clients = try (0..<Self.connections).map { _ in try live.connect() }
    for client in clients { #expect(try await client.ask(request()).status == 200) }
    return clients
  }

  /// Runs `body` with a client whose request is answered while the loop drains, and waits for the server's end.
  private func whileDraining(lingerMilliseconds: Int, _ body: (Client) async throws -> Void) async throws {
    try await withServer({ $0.lingerMilliseconds = lingerMilliseconds }) { live in
      let (idle, client) = (try live.connect(), try live.connect())
      #expect(try await idle.ask(request()).status == 200)
      try client.send(request("GET", "/wait"))
      await live.gate.firstArrival()
      async let stopped: Void = live.server.shutdown(grace: .seconds(600))
      #expect(try await idle.isClosed())
      live.gate.open()
      try await body(client)
      await stopped
    }
  }

  @Test(arguments: ["GET / HTTP/1.1", "GET /async?n=7 HTTP/1.1"])
  func `a request that arrived before the shutdown is answered, over whatever connection`(line: String) async throws {
    try await withServer({ $0.lingerMilliseconds = 100 }) { live in
      let clients = try await warmClients(live)
      for client in clients { try client.send(line + "\r\nHost: a\r\n\r\n") }
      async let stopped: Void = live.server.shutdown(grace: .seconds(20))
      var answered = 0
      for client in clients {
        if let reply = try? await client.reply(), reply.status == 200 { answered += 1 }
      }
      #expect(answered == Self.connections)
      await stopped
      #expect(live.server.metrics.connectionsOpen == 0)
    }
  }

  @Test(arguments: ["/wait", "/streamed?pieces=2&size=3&waits=gate"])
  func `whole requests behind one under way are answered too, and the last one alone says close`(
    first: String
  ) async throws {
    try await withServer({ $0.lingerMilliseconds = 100 }) { live in
      let (idle, client) = (try live.connect(), try live.connect())
      #expect(try await idle.ask(request()).status == 200)
      let behind = ["/", "/async?n=1", "/copied", "/async?n=2", "/"]
      let put = "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nsent"
      let half = "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"
      try client.send(request("GET", first))
      await live.gate.firstArrival()
      try client.send(behind.map { request("GET", $0) }.joined() + put + half)
      async let stopped: Void = live.server.shutdown(grace: .seconds(20))
      // The loop drains.
      #expect(try await idle.isClosed())
      live.gate.open()
      var replies: [Reply] = []
      for _ in 0..<behind.count + 2 { replies.append(try await client.reply()) }
      #expect(replies.map(\.status) == [200, 200, 200, 200, 200, 200, 201])
      #expect(replies.dropFirst().map(\.body.count) == [6, 1, 8_000, 1, 6, 4])
      #expect(replies.map(\.closes) == [false, false, false, false, false, false, true])
      #expect(try await client.isClosed())
      await stopped
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `at shutdown, who has all answers and stays is not waited for as long as who may still send`() async throws {
    try await whileDraining(lingerMilliseconds: 600_000) { client in
      let reply = try await client.reply()
      #expect(reply.closes)
      #expect(try await client.isClosed())
    }
  }

  @Test func `what comes behind a request under way after the shutdown began holds nothing up`() async throws {
    try await whileDraining(lingerMilliseconds: 100) { client in
      // Ever more, one ahead of the answers.
      var answered = 0
      try client.send(request("GET", "/async?n=1"))
      while let reply = try? await client.reply(), !reply.closes {
        answered += 1
        guard answered < 100, (try? client.send(request("GET", "/async?n=1"))) != nil else { break }
      }
      #expect(answered < 100)
    }
  }

  @Test func `who is idle at shutdown is not waited for, however many`() async throws {
    try await withServer({ $0.lingerMilliseconds = 100 }) { live in
      let clients = try await warmClients(live)
      await live.server.shutdown(grace: .seconds(600))
      for client in clients { #expect(try await client.isClosed()) }
      #expect(live.server.metrics.timeouts == 0)
    }
  }

  /// Holds the loop at `/pause`, as a stopped process is held, until it is let go.
  private struct PausingHandler: RequestHandler {
    let inner = TestHandler(gate: Gate())
    let isPaused = Lock(false)
    let mayGoOn = Lock(false)

    func admit(_ head: RequestHead, requestID: String) -> Admission { inner.admit(head, requestID: requestID) }
    func answer(_ request: Request) async -> Response { await inner.answer(request) }
    func refusal(_ refusal: Refusal, requestID: String) -> Response { inner.refusal(refusal, requestID: requestID) }
    func answerFromMemory(_ head: RequestHead, requestID: String) -> MemoryAnswer? {
      if head.path.first == "pause" {
        isPaused.withLock { $0 = true }
        while !mayGoOn.withLock({ $0 }) {}
      }
      return inner.answerFromMemory(head, requestID: requestID)
    }
  }

  @Test(arguments: [TransferMethod.automatic, .calls])
  func `requests that came while the process was paused are read before deadlines are judged`(
    method: TransferMethod
  ) async throws {
    var limits = ServerLimits()
    limits.idleMilliseconds = 4_000
    let handler = PausingHandler()
    let server = try HTTPServer(handler: handler, limits: limits, method: method, loopCount: 1)
    let address = try server.start(listening: .ipv4("127.0.0.1", port: 0))
    let pausing = try Client(address)
    let clients = try (0..<Self.connections).map { _ in try Client(address) }
    for client in clients { #expect(try await client.ask(request()).status == 200) }
    try pausing.send(request("GET", "/pause"))
    while !handler.isPaused.withLock({ $0 }) { await Task.yield() }
    for client in clients { try client.send(request()) }
    // Longer than anybody may be idle.
    let end = SystemClock.monotonicNanoseconds + (limits.idleMilliseconds + 200) * 1_000_000
    while SystemClock.monotonicNanoseconds < end { await Task.yield() }
    handler.mayGoOn.withLock { $0 = true }
    var answered = 0
    for client in clients {
      if let reply = try? await client.reply(), reply.status == 200 { answered += 1 }
    }
    #expect(answered == Self.connections)
    await server.shutdown(grace: .seconds(5))
  }

  @Test(arguments: [TransferMethod.automatic, .calls])
  func `who connects while a server ends is answered, by it or by the next one on its socket`(
    method: TransferMethod
  ) async throws {
    let listener = try Listener(.ipv4("127.0.0.1", port: 0))
    func server() throws -> HTTPServer {
      let server = try HTTPServer(handler: TestHandler(gate: Gate()), method: method, loopCount: 3)
      try server.start(listening: [], inherited: [listener])
      return server
    }
    var serving = try server()
    for _ in 0..<30 {
      let ending = serving
      async let stopped: Void = ending.shutdown(grace: .seconds(20))
      let clients = try (0..<24).map { _ in
        let client = try Client(listener.address)
        try client.send(request("GET", "/", "Connection: close\r\n"))
        return client
      }
      await stopped
      serving = try server()
      for client in clients { #expect(try await client.reply().status == 200) }
    }
    await serving.shutdown(grace: .seconds(5))
  }
}

struct TransferMethodTests {
  private let refusal: () throws(SocketError) -> Void = { () throws(SocketError) in
    throw SocketError(call: "io_uring_enter", code: 1)
  }

  @Test func `where a ring can be made and does not work, auto does without and says why`() throws {
    let (rings, transfer) = try TransferMethod.automatic.rings(2, probe: refusal)
    #expect(rings.count == 2 && rings.allSatisfy { $0 == nil })
    #expect(transfer.method == .calls)
    #expect(transfer.reason?.hasPrefix("io_uring_enter: ") == true)
  }

  @Test func `where a ring does not work, asking for it by name fails, and epoll asks nobody`() throws {
    let error = #expect(throws: SocketError.self) { try TransferMethod.ring.rings(1, probe: refusal) }
    #expect(error?.call == "io_uring_enter")
    #expect(try TransferMethod.calls.rings(1, probe: refusal).1.reason == nil)
  }

  @Test func `a ring that can be made works here`() throws {
    guard (try? Ring()) != nil else { return }
    try Ring.probe()
  }
}
