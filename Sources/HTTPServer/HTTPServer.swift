// The server: listeners, event loops, and their common start and end.
public import HTTP
internal import Locks
public import Sockets

/// An HTTP/1.1 server on sockets of its own.
///
/// One event loop a core; all loops accept from the same listeners; a connection stays on the loop that accepted it.
/// `start`, then `shutdown`: once each.
public final class HTTPServer: Sendable {
  private struct State {
    var mailboxes: [LoopMailbox] = []
    var metrics: [LoopMetrics] = []
    var transfer: Transfer?
    var isStarted = false
    var isStopping = false
  }

  private let context: LoopContext
  private let loopCount: Int
  private let method: TransferMethod
  private let state = Lock(State())
  private let loopsEnded: Latch
  private let stopped = Latch(count: 1)

  /// - Parameters:
  ///   - hosts: for whom the server answers now; 421 for others.
  ///   - trustedProxies: exempt from the limit of connections an address, and believed about their clients' addresses.
  ///   - method: how bytes get from and to sockets.
  ///   - loopCount: event loops; one a core unless given.
  ///   - accessLog: called with the requests that were answered since it was last called, on a thread of its own.
  ///   - whenBroken: called on a loop's thread with the call that it can't go on without; the process ends after it.
  /// - Throws: when the log's thread cannot have its descriptor.
  public init(
    handler: any RequestHandler, limits: ServerLimits = .standard,
    hosts: @escaping @Sendable () -> HostPolicy = { .any },
    trustedProxies: TrustedProxies = TrustedProxies(), method: TransferMethod = .automatic, loopCount: Int? = nil,
    accessLog: (@Sendable ([AccessRecord]) -> Void)? = nil, whenBroken: (@Sendable (SocketError) -> Void)? = nil
  ) throws(SocketError) {
    let loops = max(1, loopCount ?? ProcessorCount.online)
    self.loopCount = loops
    self.method = method
    loopsEnded = Latch(count: loops)
    context = LoopContext(
      handler: handler, limits: limits, hosts: hosts,
      trustedProxies: trustedProxies,
      census: ConnectionCensus(limits: limits, trustedProxies: trustedProxies.ranges),
      heldOutput: HeldOutput(limitBytes: limits.heldOutputBytes),
      accessLog: try accessLog.map { hook throws(SocketError) in
        try AccessLog(loops: loops, capacity: limits.pendingAccessRecords, hook: hook)
      }, whenBroken: whenBroken)
  }

  /// Binds, listens and begins to serve.
  ///
  /// - Parameter inherited: sockets that listen already; they come first.
  /// - Returns: the addresses as bound, with the ports that the system chose, in the order given.
  /// - Throws: the call that failed; nothing listens then.
  @discardableResult
  public func start(
    listening addresses: [SocketAddress], inherited: [Listener] = []
  ) throws(SocketError) -> [SocketAddress] {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    precondition(isFirst, "a server is started once")
    ProcessSignals.ignoreBrokenPipes()
    var listeners = inherited
    for address in addresses { listeners.append(try Listener(address, backlog: context.limits.backlog)) }
    let (rings, transfer) = try method.rings(loopCount)
    var seeds: [LoopSeed] = []
    for ring in rings { seeds.append(try LoopSeed(listeners, ring)) }
    try context.accessLog?.start()
    for index in seeds.indices {
      let context = context
      let seeds = seeds
      let ended = loopsEnded
      try LoopThread.start(named: "http-\(index)") {
        EventLoop(index, of: seeds, context).run()
        ended.countDown()
      }
    }
    state.withLock { state in
      state.mailboxes = seeds.map(\.mailbox)
      state.metrics = seeds.map(\.metrics)
      state.transfer = transfer
    }
    return listeners.map(\.address)
  }

  /// Listens at one address.
  public func start(listening address: SocketAddress) throws(SocketError) -> SocketAddress {
    try start(listening: [address])[0]
  }

  /// How much of the grace is left when the log is not waited for any more, and how long it is waited for at least.
  private static let logReserveMilliseconds = 500
  private static let leastLogMilliseconds = 250

  /// Stops accepting, closes idle connections, lets requests in flight and the log finish for at most `grace`, and ends.
  /// The log has a quarter of a second where the requests have left it none.
  public func shutdown(grace: Duration) async {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return await stopped.wait() }
    let (seconds, attoseconds) = grace.components
    let milliseconds = Int(clamping: seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    let deadline = SystemClock.monotonicNanoseconds / 1_000_000 + max(0, milliseconds)
    let mailboxes = state.withLock { $0.mailboxes }
    for mailbox in mailboxes { mailbox.post(.drain(deadline: deadline)) }
    if !mailboxes.isEmpty {
      await loopsEnded.wait()
      let left = deadline - Self.logReserveMilliseconds - SystemClock.monotonicNanoseconds / 1_000_000
      await context.accessLog?.stop(withinMilliseconds: max(left, Self.leastLogMilliseconds))
    }
    stopped.countDown()
  }

  /// Returns when `shutdown` has done its work.
  public func waitUntilStopped() async { await stopped.wait() }

  /// Whether answered requests go to the log; on unless turned off.
  public func logRequests(_ isOn: Bool) { context.accessLog?.turn(on: isOn) }

  /// How bytes get from and to sockets; nil before the start.
  public var transfer: Transfer? { state.withLock { $0.transfer } }

  /// The counters of all loops.
  public var metrics: ServerMetrics {
    var sum = ServerMetrics()
    for loop in state.withLock({ $0.metrics }) { sum.add(loop.current) }
    sum.heldOutputBytes = context.heldOutput.bytes
    sum.droppedAccessRecords = context.accessLog?.dropped ?? 0
    sum.pendingAccessRecords = context.accessLog?.pending ?? 0
    return sum
  }
}

/// What all loops share.
struct LoopContext: Sendable {
  let handler: any RequestHandler
  let limits: ServerLimits
  let hosts: @Sendable () -> HostPolicy
  let trustedProxies: TrustedProxies
  let census: ConnectionCensus
  let heldOutput: HeldOutput
  let accessLog: AccessLog?
  let whenBroken: (@Sendable (SocketError) -> Void)?
}

/// What a loop is made of, made before its thread starts so that failures are the caller's.
final class LoopSeed: Sendable {
  let mailbox: LoopMailbox
  let metrics = LoopMetrics()
  /// For the loop's thread alone.
  let ring: Ring?
  private let parts: Lock<Parts?>

  struct Parts: ~Copyable, Sendable {
    var poller: Poller
    var listeners: [Listener]
  }

  init(_ listeners: [Listener], _ ring: Ring?) throws(SocketError) {
    self.ring = ring
    mailbox = try LoopMailbox()
    let poller = try Poller()
    try poller.add(mailbox.number, .reading, token: EventLoop.mailboxToken)
    for (index, listener) in listeners.enumerated() {
      try poller.add(listener.number, .accepting, token: EventLoop.listenerToken(index))
    }
    parts = Lock(Parts(poller: poller, listeners: listeners))
  }

  /// Hands the parts to the loop's thread, once.
  func takeParts() -> Parts {
    guard let parts = parts.withLock({ $0.take() }) else { preconditionFailure("a loop is started once") }
    return parts
  }
}
