// SIGTERM and SIGINT: the first asks the server to drain, any other ends the process at once.

import Glibc
import Synchronization

final class Termination: Sendable {
  static let shared = Termination()

  private let listener = Mutex<AsyncStream<Int32>.Continuation?>(nil)

  /// Keeps the signals from the threads that are made later; called before there are any.
  static func block() {
    var set = signalSet()
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The first signal to come; a command that does not ask for it is ended by it.
  func signals() -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    listener.withLock { $0 = continuation }
    return stream
  }

  /// Waits for signals for the rest of the process, on the thread that calls it.
  func waitForever() -> Never {
    var set = Self.signalSet()
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&set, &number) == 0 else { continue }
      let taken = listener.withLock { listener in
        defer { listener = nil }
        return listener
      }
      guard let taken else { exit(128 + number) }
      taken.yield(number)
    }
  }

  private static func signalSet() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTERM)
    unsafe sigaddset(&set, SIGINT)
    return set
  }
}
