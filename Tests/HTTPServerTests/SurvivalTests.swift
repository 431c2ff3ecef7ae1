// What the server survives: slow, silent, rude and too many peers; and its own end.
import HTTP
import HTTPServer
import Locks
import Sockets
import Testing

@Suite struct SurvivalTests {
  @Test func `a head that does not come in time is 408, however it dribbles`() async throws {
    try await withServer({ $0.headMilliseconds = 150 }) { live in
      let client = try live.connect()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
      let reply = try await client.reply()
      #expect(reply.status == 408)
      #expect(reply.closes)
      #expect(live.server.metrics.timeouts == 1)
    }
  }

  @Test func `a body that does not come in time is 408`() async throws {
    try await withServer({ $0.bodyMilliseconds = 150 }) { live in
      let client = try live.connect()
      try client.send(request("POST", "/echo", "Content-Length: 500000\r\n") + "1234567")
      #expect(try await client.reply().status == 408)
      #expect(try await client.isClosed())
    }
  }

  @Test func `a connection that never asks is told so, one between requests is just closed`() async throws {
    try await withServer({ $0.idleMilliseconds = 150 }) { live in
      #expect(try await live.connect().reply().status == 408)
      let client = try live.connect()
      #expect(try await client.ask(request()).status == 200)
      #expect(try await client.isClosed())
    }
  }

  @Test func `a reader that takes nothing is let go`() async throws {
    try await withServer({ $0.stalledWriteMilliseconds = 150 }) { live in
      let stalled = try live.connect()
      try stalled.send((0..<20).map { _ in request("GET", "/big") }.joined())
      #expect(await comesTrue { live.server.metrics.timeouts == 1 })
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 })
    }
  }

  @Test func `too many connections are refused with 503`() async throws {
    try await withServer({ $0.connections = 2 }) { live in
      let first = try live.connect()
      let second = try live.connect()
      #expect(try await first.ask(request()).status == 200)
      #expect(try await second.ask(request()).status == 200)
      let third = try live.connect()
      let refusal = try await third.ask(request())
      #expect(refusal.status == 503)
      #expect(refusal.closes)
      #expect(refusal.text.hasPrefix("tooManyConnections"))
      #expect(live.server.metrics.connectionsRefused == 1)
      #expect(try await first.ask(request("GET", "/", "Connection: close\r\n")).status == 200)
      #expect(try await first.isClosed())
      #expect(try await live.connect().ask(request()).status == 200)
    }
  }

  @Test func `bodies of all connections together take bounded memory, and their room is given back`() async throws {
    try await withServer({ ($0.heldBodyBytes, $0.lingerMilliseconds) = (100_000, 100) }) { live in
      let head = request("POST", "/echo", "Content-Length: 60000\r\n")
      let half = [UInt8](repeating: 0x61, count: 59_999)
      for way in 0..<3 {
        let before = live.server.metrics.bytesReceived
        let first = try live.connect()
        try first.send(Array(head.utf8) + half)
        let second = try live.connect()
        // An announced length takes no room; bytes that have come do.
        try second.send(head)
        #expect(try await live.connect().ask(request()).status == 200)
        #expect(await comesTrue { live.server.metrics.bytesReceived - before >= 60_000 })
        try second.send(half)
        let refused = try await second.reply()
        #expect(refused.status == 503 && refused.closes && refused.text.hasPrefix("tooManyBodies"))
        switch way {
        case 0:
          try first.send("a")
          #expect(try await first.reply().body.count == 60_000)
        case 1: first.resetOnClose()
        default: first.shutWriting()
        }
        _ = consume first
        let third = try live.connect()
        #expect(await comesTrue { live.server.metrics.connectionsOpen <= 1 })
        #expect(try await third.ask(head + String(repeating: "a", count: 60_000)).status == 201)
      }
    }
  }

  @Test func `a connection ends after its allotted requests, and says so`() async throws {
    try await withServer({ $0.requestsPerConnection = 2 }) { live in
      let client = try live.connect()
      #expect(try await !client.ask(request()).closes)
      #expect(try await client.ask(request()).closes)
      #expect(try await client.isClosed())
    }
  }

  @Test func `clients that reset in the middle of a big answer cost only themselves`() async throws {
    try await withServer { live in
      let healthy = try live.connect()
      for _ in 0..<100 {
        let rude = try live.connect()
        try rude.send(request("GET", "/big"))
        rude.resetOnClose()
      }
      #expect(try await healthy.ask(request()).text == "memory")
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 1 })
    }
  }

  @Test func `connections that dribble do not delay a healthy one`() async throws {
    try await withServer { live in
      let dribbling = try (0..<100).map { _ in try live.connect() }
      for byte in "GET / HTTP".utf8 { for client in dribbling { try client.send([byte]) } }
      #expect(try await live.connect().ask(request()).text == "memory")
      for client in dribbling { #expect(try await client.ask("/1.1\r\nHost: a\r\n\r\n").text == "memory") }
    }
  }

  @Test func `shutting down finishes what is in flight, closes what is idle, and accepts nothing`() async throws {
    let live = try LiveServer({ $0.lingerMilliseconds = 100 })
    let idle = try live.connect()
    #expect(try await idle.ask(request()).status == 200)
    let busy = try live.connect()
    try busy.send(request("GET", "/wait"))
    await live.gate.firstArrival()
    async let stopped: Void = live.server.shutdown(grace: .seconds(5))
    #expect(try await idle.isClosed())
    await #expect(throws: (any Error).self) { try await live.connect().ask(request()) }
    live.gate.open()
    let reply = try await busy.reply()
    #expect(reply.text == "waited")
    #expect(reply.closes)
    await stopped
    await live.server.waitUntilStopped()
    #expect(live.server.metrics.connectionsOpen == 0)
  }

  @Test func `shutting down answers who has just connected`() async throws {
    let live = try LiveServer({
      ($0.lingerMilliseconds, $0.firstRequestAtShutdownMilliseconds) = (100, 60_000)
    })
    let idle = try live.connect()
    #expect(try await idle.ask(request()).status == 200)
    let fresh = try live.connect()
    while live.server.metrics.connectionsOpen < 2 { await Task.yield() }
    async let stopped: Void = live.server.shutdown(grace: .seconds(60))
    // It has begun.
    #expect(try await idle.isClosed())
    #expect(try await fresh.ask(request()).text == "memory")
    await stopped
    #expect(live.server.metrics.connectionsOpen == 0)
  }

  @Test func `shutting down does not wait for who stays silent`() async throws {
    let live = try LiveServer({ $0.firstRequestAtShutdownMilliseconds = 50 })
    let silent = try live.connect()
    while live.server.metrics.connectionsOpen < 1 { await Task.yield() }
    async let stopped: Void = live.server.shutdown(grace: .seconds(60))
    #expect(try await silent.isClosed())
    await stopped
    #expect(live.server.metrics.connectionsOpen == 0)
  }

  @Test func `shutting down does not wait longer than its grace`() async throws {
    let live = try LiveServer()
    let busy = try live.connect()
    try busy.send(request("GET", "/wait"))
    await live.gate.firstArrival()
    await live.server.shutdown(grace: .milliseconds(50))
    await #expect(throws: Client.Failure.self) { try await busy.reply() }
    live.gate.open()
  }

  @Test(.timeLimit(.minutes(1))) func `a log that takes nothing any more does not hold up the end`() async throws {
    let (isHeld, mayGoOn) = (Lock(false), Lock(false))
    let live = try LiveServer(accessLog: { _ in
      isHeld.withLock { $0 = true }
      while !mayGoOn.withLock({ $0 }) {}
    })
    let client = try live.connect()
    #expect(try await client.ask(request()).status == 200)
    #expect(await comesTrue { isHeld.withLock { $0 } })
    await live.server.shutdown(grace: .milliseconds(700))
    #expect(live.server.metrics.connectionsOpen == 0)
    mayGoOn.withLock { $0 = true }
  }

  @Test func `every request reaches the log and the counters`() async throws {
    let records = Lock<[AccessRecord]>([])
    let log: @Sendable ([AccessRecord]) -> Void = { more in records.withLock { $0 += more } }
    let live = try LiveServer(accessLog: log, { $0.lingerMilliseconds = 100 })
    let client = try live.connect()
    var ids: [String?] = []
    for text in [request(), request("POST", "/echo?a=b", "Content-Length: 2\r\n") + "hi", "BAD\r\n\r\n"] {
      ids.append(try await client.ask(text).field("X-Request-Id"))
    }
    await live.stop()
    let metrics = live.server.metrics
    let logged = records.withLock { $0 }
    #expect(logged.map(\.requestID.text) == ids)
    #expect(logged.map(\.status) == [200, 201, 400])
    #expect(logged.map(\.method) == ["GET", "POST", ""])
    #expect(logged.map(\.target) == ["/", "/echo?a=b", ""])
    #expect(logged.map(\.bytes)[..<2] == [6, 2])
    #expect(logged.map(\.refusal) == [nil, nil, "invalidRequestLine"])
    #expect(logged.allSatisfy { $0.peer == "127.0.0.1" && $0.durationMicroseconds >= 0 })
    #expect(metrics.connectionsAccepted == 1 && metrics.connectionsOpen == 0 && metrics.requestsInFlight == 0)
    #expect(metrics.requestsByStatus == [200: 1, 201: 1, 400: 1])
    // What was refused before its head was whole took no time that could be told.
    #expect(metrics.latencies[0]?.counts.reduce(0, +) == 2)
  }

  @Test func `several loops serve many connections, and nothing leaks`() async throws {
    try await withServer(loopCount: 3) { live in
      for _ in 0..<3 {
        let clients = try (0..<40).map { _ in try live.connect() }
        for client in clients { try client.send(request() + request("GET", "/async?n=2")) }
        for client in clients {
          #expect(try await client.reply().text == "memory")
          #expect(try await client.reply().text == "2")
        }
      }
      #expect(await comesTrue { live.server.metrics.connectionsOpen == 0 })
      #expect(live.server.metrics.requestsByStatus == [200: 240])
    }
  }

  @Test func `a port in use is the caller's error`() async throws {
    try await withServer { live in
      let other = try HTTPServer(handler: TestHandler(gate: Gate()), loopCount: 1)
      let error = #expect(throws: SocketError.self) { try other.start(listening: live.address) }
      #expect(error?.code == SocketError.addressInUse)
    }
  }
}
