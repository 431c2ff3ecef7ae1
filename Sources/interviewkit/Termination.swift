// SIGTERM and SIGINT: the first asks the server to drain, any other ends the process at once. SIGHUP: read the settings.

import Glibc
import Locks

final class Termination: Sendable {
  static let shared = Termination()

  private struct Listening {
    var continuation: AsyncStream<Int32>.Continuation?
    var hasBegun = false
  }

  private let listener = Lock(Listening())

  /// Keeps the signals from the threads that are made later; called before there are any.
  static func block() {
    var set = signalSet()
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The signals to come, up to the first that ends; a command that does not ask for them is ended by them.
  func signals() -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    listener.withLock { $0 = Listening(continuation: continuation, hasBegun: true) }
    return stream
  }

  /// Waits for signals for the rest of the process, on the thread that calls it.
  func waitForever() -> Never {
    var set = Self.signalSet()
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&set, &number) == 0 else { continue }
      let isTaken = listener.withLock { listener in
        listener.continuation?.yield(number)
        // Once it drains, nothing is left to be read again.
        if number == SIGHUP { return listener.hasBegun }
        defer { listener.continuation = nil }
        return listener.continuation != nil
      }
      guard !isTaken else { continue }
      Interruption.end()
      // Not `exit`: it would take away the libraries' data while other threads are still at work with it.
      _exit(128 + number)
    }
  }

  private static func signalSet() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTERM)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGHUP)
    return set
  }
}
