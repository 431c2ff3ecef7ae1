// What lies between the producer of a streamed body and the loop that sends it: a bounded store of pieces.
internal import HTTP
internal import Locks

final class StreamPipe: Sendable {
  enum End: Sendable {
    case whole
    /// The producer failed.
    case broken
  }

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes that the producer has given and the system has not taken.
    var heldBytes = 0
    var end: End?
    /// The connection is gone.
    var isClosed = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let capacityBytes: Int
  /// Tells the loop that there is something to take.
  private let signal: @Sendable () -> Void
  private let state = Lock(State())

  init(capacityBytes: Int, signal: @escaping @Sendable () -> Void) {
    self.capacityBytes = capacityBytes
    self.signal = signal
  }

  // MARK: The producer's side

  /// Gives a piece and waits until there is room for more.
  func write(_ bytes: [UInt8]) async throws(StreamEnded) {
    let (isFirst, hasRoom) = state.withLock { state in
      guard !state.isClosed, !bytes.isEmpty else { return (false, true) }
      state.pieces.append(bytes)
      state.heldBytes += bytes.count
      return (state.pieces.count == 1, state.heldBytes < capacityBytes)
    }
    if isFirst { signal() }
    let isOpen = hasRoom ? state.withLock { !$0.isClosed } : await waitForRoom()
    if !isOpen { throw StreamEnded() }
  }

  private func waitForRoom() async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if state.isClosed { return false }
        if state.heldBytes < capacityBytes { return true }
        precondition(state.waiting == nil, "one task writes a body")
        state.waiting = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func finish(_ end: End) {
    state.withLock { $0.end = end }
    signal()
  }

  // MARK: The loop's side

  /// Takes what is there; the end comes with the last pieces.
  func take() -> (pieces: [[UInt8]], end: End?) {
    state.withLock { state in
      defer { state.pieces = [] }
      return (state.pieces, state.end)
    }
  }

  /// Notes how much of what was taken is still unsent, and lets the producer go on when there is room.
  func noteUnsent(_ bytes: Int) {
    let woken = state.withLock { state in
      state.heldBytes = bytes + state.pieces.reduce(0) { $0 + $1.count }
      guard state.heldBytes < capacityBytes else { return CheckedContinuation<Bool, Never>?.none }
      return state.waiting.take()
    }
    woken?.resume(returning: true)
  }

  /// The connection has ended: every write from now on fails.
  func close() {
    let woken = state.withLock { state in
      state.isClosed = true
      state.pieces = []
      return state.waiting.take()
    }
    woken?.resume(returning: false)
  }
}
