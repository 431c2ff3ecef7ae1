// Waits for many descriptors at once: epoll.
internal import CLinux
internal import Glibc

/// What a descriptor waits for.
public struct Interest: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let reading = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
  public static let writing = Interest(rawValue: EPOLLOUT.rawValue)
  /// Reports a change once, not a state again and again.
  public static let edgeTriggered = Interest(rawValue: EPOLLET.rawValue)
  /// Wakes one of the pollers that share a descriptor, not all. Cannot be changed later, only removed.
  public static let exclusive = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)
  /// Listening sockets: level-triggered, one poller at a time.
  public static let accepting = Interest(rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
}

/// One report of a poller.
public struct PollEvent: Sendable {
  /// The token given with the descriptor.
  public let token: UInt64
  let flags: UInt32

  public var isReadable: Bool { flags & EPOLLIN.rawValue != 0 }
  public var isWritable: Bool { flags & EPOLLOUT.rawValue != 0 }
  /// The peer has shut its writing side, perhaps with bytes still to be read.
  public var peerShutWriting: Bool { flags & EPOLLRDHUP.rawValue != 0 }
  /// The connection is gone in both directions, or broken.
  public var isBroken: Bool { flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 }
}

/// An epoll instance.
///
/// Safe: the buffer's events hold tokens, never pointers.
@safe public struct Poller: ~Copyable, Sendable {
  private let descriptor: Descriptor
  private var buffer: [epoll_event]
  private var count = 0

  /// - Parameter capacity: how many events one wait reports at most.
  public init(capacity: Int = 256) throws(SocketError) {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard number >= 0 else { throw .last("epoll_create1") }
    descriptor = Descriptor(owning: number)
    unsafe buffer = Array(repeating: epoll_event(), count: capacity)
  }

  /// The number under which a ring knows it: readable while there is something to report.
  public var number: Int32 { descriptor.number }

  public func add(_ number: Int32, _ interest: Interest, token: UInt64) throws(SocketError) {
    try control(EPOLL_CTL_ADD, number, interest, token)
  }

  public func change(_ number: Int32, _ interest: Interest, token: UInt64) throws(SocketError) {
    try control(EPOLL_CTL_MOD, number, interest, token)
  }

  public func remove(_ number: Int32) throws(SocketError) {
    try control(EPOLL_CTL_DEL, number, [], 0)
  }

  private func control(
    _ operation: Int32, _ number: Int32, _ interest: Interest, _ token: UInt64
  ) throws(SocketError) {
    var event = unsafe epoll_event()
    unsafe event.events = interest.rawValue
    unsafe event.data.u64 = token
    guard unsafe epoll_ctl(descriptor.number, operation, number, &event) == 0 else { throw .last("epoll_ctl") }
  }

  /// Waits until something is reported and returns how much. Interrupted, it returns 0.
  ///
  /// - Parameter milliseconds: the longest wait; negative waits for ever.
  public mutating func wait(milliseconds: Int32) throws(SocketError) -> Int {
    let number = descriptor.number
    let result = unsafe buffer.withUnsafeMutableBufferPointer { events in
      unsafe epoll_wait(number, events.baseAddress, Int32(events.count), milliseconds)
    }
    guard result >= 0 || errno == EINTR else { throw .last("epoll_wait") }
    count = max(0, Int(result))
    return count
  }

  /// One of the events of the last wait.
  public subscript(_ index: Int) -> PollEvent {
    precondition(index < count, "the last wait reported fewer events")
    let event = unsafe buffer[index]
    return unsafe PollEvent(token: event.data.u64, flags: event.events)
  }
}
