// Wakes a thread that waits for a connection and for others at once.
import Glibc

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
