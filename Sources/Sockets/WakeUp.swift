// Wakes a waiting poller from another thread: eventfd.
internal import CLinux
internal import Glibc

/// A counter that makes its descriptor readable.
public struct WakeUp: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// - Parameter blocks: whether `wait` sleeps until there is a signal; a poller's does not.
  public init(blocks: Bool = false) throws(SocketError) {
    let flags = EFD_CLOEXEC | (blocks ? 0 : EFD_NONBLOCK)
    let number = eventfd(0, Int32(flags))
    guard number >= 0 else { throw .last("eventfd") }
    descriptor = Descriptor(owning: number)
  }

  public var number: Int32 { descriptor.number }

  /// Makes the descriptor readable. May be called from any thread.
  public func signal() {
    var one: UInt64 = 1
    while unsafe write(number, &one, 8) < 0, errno == EINTR {}
  }

  /// Takes all signals given so far.
  public func wait() {
    var value: UInt64 = 0
    while unsafe read(number, &value, 8) < 0, errno == EINTR {}
  }
}
