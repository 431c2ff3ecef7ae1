// The access log: records are handed to a thread of its own, so that no event loop ever waits for the log.
internal import HTTP
internal import Locks
internal import Sockets
internal import Synchronization

/// One answered request.
public struct AccessRecord: Sendable {
  /// Text is made of it when it is asked for, on the log's thread.
  let head: RequestHead?
  let refusedMethod: HTTPMethod?
  public var status: Int
  /// Bytes of the response's body.
  public var bytes: Int
  /// From the end of the head to the finished answer.
  public var durationMicroseconds: Int
  public var requestID: String
  /// Nil for a Unix socket.
  public var peer: String?
  /// The stable word of a refusal by the parser or the server; nil for the handler's answers.
  public var refusal: String?

  /// Empty when the request line was not read.
  public var method: String { (head?.method ?? refusedMethod)?.name ?? "" }
  /// The target as sent, query included; empty when the request line was not read.
  public var target: String { head?.rawTarget ?? "" }
}

/// Gathers records and calls the hook with them on its own thread.
final class AccessLog: Sendable {
  private struct State {
    var records: [AccessRecord] = []
    var dropped = 0
    var isStopped = false
  }

  /// How long records are gathered before they are handed out: a thread switch for many, not for each.
  private static let gatherMilliseconds = 5

  private let hook: @Sendable ([AccessRecord]) -> Void
  private let capacity: Int
  private let state = Lock(State())
  private let isOn = Atomic(true)
  private let wakeUp: WakeUp
  private let finished = Latch(count: 1)

  init(capacity: Int, hook: @escaping @Sendable ([AccessRecord]) -> Void) throws(SocketError) {
    self.hook = hook
    self.capacity = capacity
    wakeUp = try WakeUp(blocks: true)
  }

  func start() throws(SocketError) {
    try LoopThread.start(named: "access-log") { self.run() }
  }

  /// Whether records are taken.
  var takesRecords: Bool { isOn.load(ordering: .relaxed) }

  /// Takes records; drops those that are too many with what waits already. Never blocks.
  func append(_ records: [AccessRecord]) {
    let isFirst = state.withLock { state in
      let taken = records.prefix(capacity - state.records.count)
      state.dropped += records.count - taken.count
      let isFirst = state.records.isEmpty && !taken.isEmpty
      state.records.append(contentsOf: taken)
      return isFirst
    }
    if isFirst { wakeUp.signal() }
  }

  func turn(on isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

  var pending: Int { state.withLock { $0.records.count } }

  var dropped: Int { state.withLock { $0.dropped } }

  /// Hands out what waits, ends the thread and returns when it has ended.
  func stop() async {
    state.withLock { $0.isStopped = true }
    wakeUp.signal()
    await finished.wait()
  }

  private func run() {
    while true {
      wakeUp.wait()
      if !state.withLock({ $0.isStopped }) { SystemClock.pause(milliseconds: Self.gatherMilliseconds) }
      let (records, isStopped) = state.withLock { state in
        let records = state.records
        state.records = []
        return (records, state.isStopped)
      }
      if !records.isEmpty { hook(records) }
      if isStopped { break }
    }
    finished.countDown()
  }
}
