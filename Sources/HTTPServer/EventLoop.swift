// The event loop: waits, hands events to connections, keeps deadlines. All of it runs on the loop's own thread.
internal import HTTP
internal import Locks
internal import Sockets
internal import Synchronization

final class EventLoop {
  static let mailboxToken: UInt64 = 0
  static func listenerToken(_ index: Int) -> UInt64 { UInt64(index + 1) }
  /// How often in one turn a busy connection is pumped before others have their turn.
  static let pumpsPerTurn = 16

  /// Its number among the loops.
  let index: Int
  let context: LoopContext
  let limits: ServerLimits
  let mailbox: LoopMailbox
  /// The mailboxes of the other loops.
  let others: [LoopMailbox]
  let metrics: LoopMetrics
  var poller: Poller
  var listeners: [Listener]
  var spare = Descriptor.reserve()
  var acceptPausedUntil: Int?
  var connections: [Connection?] = []
  var connectionCount = 0
  var wheel: DeadlineWheel
  var repeater: Repeater
  /// A parser for the next connection that needs one.
  var spareReading: Reading?
  /// The buffer that every receive fills.
  var input = [UInt8](repeating: 0, count: 64 * 1_024)
  var batch: OutputBatch
  /// Receives and sends for all connections; without one, each has calls of its own.
  let ring: Ring?
  var ringEvents: [RingEvent] = []
  /// What the ring has to do at the end of this turn.
  var staged: [RingSend] = []
  var toReceive: [UInt64] = []
  var toStop: [UInt64] = []
  /// Connections that have more to do without waiting for an event.
  var busy: [UInt64] = []
  var drainDeadline: Int?
  /// While the loop drains: whether another whole request that has arrived comes after the one that is answered.
  var isFollowed = false
  /// What this turn has moved; handed to the metrics at its end.
  var bytesReceived = 0
  var bytesSent = 0
  var answered: [CountedAnswer] = []
  var logged: [AccessRecord] = []
  /// Requests whose handler is at work.
  var inFlight = 0
  /// Monotonic nanoseconds at which the input that is being answered was received.
  var receivedAt = 0
  /// Whether answers are logged, looked up once a turn.
  var takesRecords = false
  /// Whether a connection has ended since the last sends.
  var hasClosed = false
  private(set) var time = LoopTime()
  /// Monotonic milliseconds.
  var now: Int { time.milliseconds }
  /// Since when `logged` has records, in monotonic milliseconds.
  private var loggedSince = Int.max
  private var tokens = ConnectionTokens()

  init(_ index: Int, of seeds: [LoopSeed], _ context: LoopContext) {
    let seed = seeds[index]
    self.index = index
    self.context = context
    limits = context.limits
    mailbox = seed.mailbox
    others = seeds.map(\.mailbox).filter { $0 !== seed.mailbox }
    metrics = seed.metrics
    let parts = seed.takeParts()
    listeners = parts.listeners
    poller = parts.poller
    ring = seed.ring
    batch = OutputBatch(stages: seed.ring != nil)
    repeater = Repeater(answers: RepeatedAnswers(copiedBodyBytes: batch.copiedBodyBytes))
    wheel = DeadlineWheel(now: time.milliseconds)
  }

  var isDraining: Bool { drainDeadline != nil }

  /// Serves until it is drained.
  func run() {
    startRing()
    // What another loop has just handed over is still served.
    while !isFinished || !mailbox.close() {
      let stillBusy = busy
      if let ring { turn(ring, waitingMilliseconds: waitMilliseconds) } else { takeReports(waitMilliseconds) }
      busy.removeFirst(stillBusy.count)
      for token in stillBusy { if let connection = connection(token) { pump(connection) } }
      let due = wheel.due(now: now)
      if !due.isEmpty { sendStaged() }
      for token in due { if let connection = connection(token) { checkDeadline(connection) } }
      resumeAccepting()
      if let drainDeadline, now >= drainDeadline { closeAll() }
      publish()
    }
    sendStaged()
  }

  /// Waits for the poller's reports and handles them.
  func takeReports(_ waitMilliseconds: Int32) {
    let count: Int
    do { count = try poller.wait(milliseconds: waitMilliseconds) } catch { fail(error) }
    readClocks()
    for index in 0..<count { handle(poller[index]) }
  }

  /// Nothing can be served any more.
  func fail(_ error: SocketError) -> Never {
    context.whenBroken?(error)
    fatalError("the server's loop is broken: \(error)")
  }

  private func publish() {
    finishRepeated(since: time.nanoseconds)
    if !logged.isEmpty {
      loggedSince = min(loggedSince, now)
      if isDraining || now >= loggedSince + AccessLog.handOverMilliseconds || logged.count >= AccessLog.heldRecords {
        context.accessLog?.take(&logged, loop: index)
        loggedSince = Int.max
      }
    }
    guard bytesReceived + bytesSent > 0 || !answered.isEmpty else { return }
    metrics.add(received: bytesReceived, sent: bytesSent, answered: answered, inFlight: inFlight)
    (bytesReceived, bytesSent) = (0, 0)
    answered.removeAll(keepingCapacity: true)
  }

  private var isFinished: Bool { isDraining && connectionCount == 0 }

  private var waitMilliseconds: Int32 {
    guard busy.isEmpty else { return 0 }
    var wait = wheel.nextWait(now: now) ?? Int.max
    if loggedSince < Int.max { wait = min(wait, loggedSince + AccessLog.handOverMilliseconds - now) }
    if let acceptPausedUntil { wait = min(wait, acceptPausedUntil - now) }
    if let drainDeadline { wait = min(wait, drainDeadline - now) }
    return wait == Int.max ? -1 : Int32(clamping: max(0, wait))
  }

  func readClocks() {
    takesRecords = context.accessLog?.takesRecords == true
    time.read()
  }

  private func handle(_ event: PollEvent) {
    if event.token >= ConnectionTokens.first {
      guard let connection = connection(event.token) else { return }
      if event.isBroken { return close(connection) }
      if event.peerShutWriting { connection.peerShutWriting = true }
      if event.isReadable || event.peerShutWriting { connection.isReadable = true }
      pump(connection, writable: event.isWritable)
    } else if event.token == Self.mailboxToken {
      for message in mailbox.takeAll() { receive(message) }
    } else {
      accept(from: Int(event.token) - 1)
    }
  }

  private func receive(_ message: LoopMessage) {
    switch message {
    case .answered(let token, let response):
      guard let connection = connection(token), let exchange = connection.exchange else { return }
      inFlight -= 1
      connection.phase = .open
      connection.exchange = nil
      connection.task = nil
      releaseBody(of: connection)
      isFollowed = isDraining && arrivedHoldsRequest(connection)
      finish(exchange, response, on: connection)
      pump(connection)
    case .adopt(let handover):
      if let socket = handover.take() {
        open(socket, handover.peer, censusKey: handover.censusKey, isRefused: false)
      }
    case .streamed(let token):
      if let connection = connection(token) { feed(connection) }
    case .drain(let deadline): drain(until: deadline)
    }
  }

  // MARK: The table of connections

  func connection(_ token: UInt64) -> Connection? {
    let number = Int(token & 0xFFFF_FFFF)
    guard number < connections.count, let connection = connections[number], connection.token == token else {
      return nil
    }
    return connection
  }

  func makeToken(_ number: Int32) -> UInt64 { tokens.next(for: number) }

  func enter(_ connection: Connection) {
    let number = Int(connection.socket.number)
    while connections.count <= number { connections.append(nil) }
    connections[number] = connection
    connectionCount += 1
    metrics.update { $0.connectionsOpen += 1 }
  }

  /// The one place where a connection ends.
  func close(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.isClosed = true
    hasClosed = true
    connections[Int(connection.socket.number)] = nil
    stopReceiving(connection)
    connectionCount -= 1
    mailbox.load.wrappingSubtract(1, ordering: .relaxed)
    metrics.update { $0.connectionsOpen -= 1 }
    if connection.isRefused { context.census.leaveLingering() } else { context.census.leave(connection.censusKey) }
    releaseBody(of: connection)
    context.heldOutput.leave(connection.unsent.pieces)
    connection.unsent = OutputQueue()
    abandonStream(of: connection)
    if connection.phase == .awaitingAnswer, let exchange = connection.exchange {
      // 499 is what log readers know as "the client went away"; nothing is sent, and what only reads need not be done.
      if exchange.head.method.isSafe { connection.task?.cancel() }
      inFlight -= 1
      record(exchange, 0, 499, bytes: 0, refusal: "clientClosed", on: connection)
      connection.exchange = nil
    }
  }
}
