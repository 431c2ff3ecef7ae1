// Threads for event loops, and the latch that tells when they have ended.
internal import Glibc
internal import Locks
internal import Sockets

enum LoopThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

    func run() {
      ThreadName.set(name)
      body()
    }
  }

  /// Runs `body` on a new detached thread that takes no signals.
  static func start(named name: String, _ body: @escaping @Sendable () -> Void) throws(SocketError) {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    // The new thread inherits the mask: signals are for the threads of the program.
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let start = unsafe Unmanaged.passRetained(Start(name, body))
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard result == 0 else {
      unsafe start.release()
      throw SocketError(call: "pthread_create", code: result, subject: name)
    }
    pthread_detach(thread)
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
