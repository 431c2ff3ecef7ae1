// A thread of its own for work that blocks, and the signal that it waits for.
import Glibc

/// Work that blocks on the disk has a thread of its own: Swift's pool has one a core.
public enum DedicatedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread that takes no Unix signals.
  public static func start(_ run: @escaping @Sendable () -> Void) {
    let body = Body {
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      run()
    }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(body).toOpaque())
    precondition(code == 0, "no thread: error \(code)")
    pthread_detach(thread)
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

/// Wakes a thread that waits for a connection.
///
/// `@safe`: the two descriptors of the pipe are private but for waiting, and closed in `deinit`.
@safe public final class Bell: Sendable {
  /// Readable while the bell rings.
  let descriptor: Int32
  private let hammer: Int32

  public init() {
    var ends: [Int32] = [0, 0]
    let failure = unsafe pipe(&ends)
    precondition(failure == 0, "no pipe: error \(errno)")
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, hammer) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(hammer)
  }

  /// Any number of rings before it is heard are one.
  public func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(hammer, &byte, 1)
  }

  /// Waits until it rings, or the time is over.
  public func wait(milliseconds: Int) {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&event, 1, Int32(milliseconds)) > 0 { silence() }
  }

  func silence() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
