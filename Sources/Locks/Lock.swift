// The one lock of the package: mutual exclusion around the state that it protects.

import Glibc

/// Mutual exclusion around `State`, which is reached inside `withLock` only.
///
/// It is a pthread mutex, since the thread sanitizer follows those. The standard library's `Mutex` waits in the kernel, where the
/// sanitizer sees no order between two holders, and reports correct programs.
@safe public final class Lock<State: ~Copyable>: @unchecked Sendable {
  // Sendable: `mutex` is made for many threads, and `state` is touched by its holder alone.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let state: UnsafeMutablePointer<State>

  public init(_ state: consuming sending State) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
    let failure = unsafe pthread_mutex_init(mutex, nil)
    precondition(failure == 0, "no mutex: error \(failure)")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Runs `body` with the state, alone. Not to be called again from inside `body`.
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&state.pointee)
  }
}
