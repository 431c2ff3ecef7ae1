// A thread of its own for work that blocks, and the signal that it waits for.
import Glibc

/// Work that blocks has a thread of its own: Swift's pool has one a core.
public enum DedicatedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread that takes no Unix signals.
  public static func start(_ run: @escaping @Sendable () -> Void) {
    let code = attempt(run)
    precondition(code == 0, "no thread: error \(code)")
  }

  /// The same where the caller can go without.
  /// - Returns: 0, or the error's number.
  public static func attempt(_ run: @escaping @Sendable () -> Void) -> Int32 {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    // The new thread inherits the mask: signals are for the threads of the program.
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let body = unsafe Unmanaged.passRetained(Body(run))
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    if code == 0 { pthread_detach(thread) } else { unsafe body.release() }
    return code
  }
}

/// A counting semaphore.
///
/// `@unchecked Sendable`: the system's semaphore is made for many threads, and its address never changes.
/// `@safe`: it is made in `init` and destroyed in `deinit`.
@safe public final class Signal: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  public init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  public func send() { unsafe sem_post(semaphore) }

  public func wait() {
    while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
  }

  /// - Returns: false when the time was over first.
  @discardableResult public func wait(milliseconds: Int) -> Bool {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = deadline.tv_nsec + milliseconds % 1_000 * 1_000_000
    deadline.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    while unsafe sem_timedwait(semaphore, &deadline) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}
