// Threads for event loops, and the latch that tells when they have ended.
internal import Locks
internal import Sockets

enum LoopThread {
  /// Runs `body` on a new detached thread that takes no signals and has that name.
  static func start(named name: String, _ body: @escaping @Sendable () -> Void) throws(SocketError) {
    let code = DedicatedThread.attempt {
      ThreadName.set(name)
      body()
    }
    guard code == 0 else { throw SocketError(call: "pthread_create", code: code, subject: name) }
  }
}

/// Opens once it has been counted down to nothing.
final class Latch: Sendable {
  private struct State {
    var count: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  init(count: Int) { state = Lock(State(count: count)) }

  func countDown() {
    let woken = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in woken { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.count > 0 { state.waiting.append(continuation) }
        return state.count <= 0
      }
      if isOpen { continuation.resume() }
    }
  }
}
