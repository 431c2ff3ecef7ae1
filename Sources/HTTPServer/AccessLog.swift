// The access log: records are handed to a thread of its own, so that no event loop ever waits for the log.
public import HTTP
internal import Locks
internal import Sockets
internal import Synchronization

/// One answered request.
public struct AccessRecord: Sendable {
  /// Where the duration is told later.
  static let noDuration = -1

  /// Text is made of it when it is asked for, on the log's thread.
  let head: RequestHead?
  let refusedMethod: HTTPMethod?
  public var status: Int
  /// Bytes of the response's body.
  public var bytes: Int
  /// From the end of the head to the finished answer.
  public var durationMicroseconds: Int
  public var requestID: RequestID
  /// Nil for a Unix socket.
  public var peer: String?
  /// The stable word of a refusal by the parser or the server; nil for the handler's answers.
  public var refusal: String?

  /// Whether it tells of the very same head, answered with the same status and length.
  public func isAlike(_ other: AccessRecord) -> Bool {
    guard let head, let otherHead = other.head else { return false }
    return head.isSame(as: otherHead) && status == other.status && bytes == other.bytes
  }

  /// Empty when the request line was not read.
  public var method: String { (head?.method ?? refusedMethod)?.name ?? "" }
  /// The target as sent, query included, but for secrets; empty when the request line was not read.
  public var target: String { String(decoding: targetBytes, as: UTF8.self) }
  /// The same as bytes.
  public var targetBytes: ArraySlice<UInt8> { head?.loggedTargetBytes ?? [] }
}

/// The records of one loop on their way to the log's thread. Buffers are exchanged, so that none is made for each batch.
final class LogQueue: Sendable {
  private struct State {
    var records: [AccessRecord] = []
    var dropped = 0
  }

  private let capacity: Int
  private let state = Lock(State())

  init(capacity: Int) { self.capacity = capacity }

  /// Takes the records and leaves `records` empty; those that are too many are dropped. True when none waited before.
  func take(_ records: inout [AccessRecord]) -> Bool {
    state.withLock { state in
      guard !state.records.isEmpty else {
        swap(&state.records, &records)
        return true
      }
      let room = max(0, capacity - state.records.count)
      if records.count <= room {
        state.records.append(contentsOf: records)
      } else {
        state.records.append(contentsOf: records.prefix(room))
        state.dropped += records.count - room
      }
      records.removeAll(keepingCapacity: true)
      return false
    }
  }

  /// Exchanges what waits for an empty buffer.
  func give(_ buffer: inout [AccessRecord]) { state.withLock { swap(&$0.records, &buffer) } }

  var pending: Int { state.withLock { $0.records.count } }
  var dropped: Int { state.withLock { $0.dropped } }
}

/// Gathers records and calls the hook with them on its own thread.
final class AccessLog: Sendable {
  /// How long a loop holds its records, so that most of the time the log's thread has taken those before.
  static let handOverMilliseconds = 16
  /// The most that it holds.
  static let heldRecords = 2_048
  /// How long records are gathered before they are handed out: a thread switch for many, not for each.
  private static let gatherMilliseconds = 10
  /// A buffer for more records than this is not kept.
  private static let keptRecords = 4_096

  private let hook: @Sendable ([AccessRecord]) -> Void
  private let queues: [LogQueue]
  private let isStopped = Atomic(false)
  private let isOn = Atomic(true)
  private let wakeUp: WakeUp
  private let finished = Latch(count: 1)

  /// - Parameter capacity: of the records of one loop.
  init(loops: Int, capacity: Int, hook: @escaping @Sendable ([AccessRecord]) -> Void) throws(SocketError) {
    self.hook = hook
    queues = (0..<loops).map { _ in LogQueue(capacity: capacity) }
    wakeUp = try WakeUp(blocks: true)
  }

  func start() throws(SocketError) {
    try LoopThread.start(named: "access-log") { self.run() }
  }

  /// Whether records are taken.
  var takesRecords: Bool { isOn.load(ordering: .relaxed) }

  /// Takes the records of a loop; drops those that are too many with what waits already. Never blocks.
  func take(_ records: inout [AccessRecord], loop: Int) {
    if queues[loop].take(&records) { wakeUp.signal() }
  }

  func turn(on isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

  var pending: Int { queues.reduce(0) { $0 + $1.pending } }

  var dropped: Int { queues.reduce(0) { $0 + $1.dropped } }

  /// Hands out what waits, ends the thread and returns when it has ended, or when the time is over: a hook that never
  /// returns holds nobody up.
  func stop(withinMilliseconds milliseconds: Int) async {
    isStopped.store(true, ordering: .releasing)
    wakeUp.signal()
    let finished = finished
    let limit = Task {
      try await Task.sleep(for: .milliseconds(milliseconds))
      finished.countDown()
    }
    await finished.wait()
    limit.cancel()
  }

  private func run() {
    var buffer: [AccessRecord] = []
    while true {
      wakeUp.wait()
      let isLast = isStopped.load(ordering: .acquiring)
      if !isLast { SystemClock.pause(milliseconds: Self.gatherMilliseconds) }
      for queue in queues {
        queue.give(&buffer)
        if !buffer.isEmpty { hook(buffer) }
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptRecords)
      }
      if isLast { break }
    }
    finished.countDown()
  }
}
