// A connected stream socket that never blocks: receive, send, shut down.
internal import CLinux
internal import Glibc

/// What came of one receive.
public enum Received: Sendable, Hashable {
  /// That many bytes, more than none.
  case bytes(Int)
  /// The peer has shut its writing side.
  case end
  /// Nothing is there now.
  case nothing
  /// The connection is broken.
  case broken
}

/// What came of one send.
public enum Sent: Sendable, Hashable {
  case bytes(Int)
  /// The system takes nothing now.
  case nothing
  case broken
}

/// Bytes that stand before another buffer's byte at `position`.
public struct InsertedBytes: Sendable {
  public let bytes: [UInt8]
  public let position: Int

  public init(_ bytes: [UInt8], at position: Int) { (self.bytes, self.position) = (bytes, position) }
}

/// One end of a connection.
public struct StreamSocket: ~Copyable, Sendable {
  private let descriptor: Descriptor

  public init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// The number under which a poller knows it.
  public var number: Int32 { descriptor.number }

  /// Opens a connection and waits until it stands: for tests and tools.
  public static func connect(to address: SocketAddress) throws(SocketError) -> StreamSocket {
    let number = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .last("socket", "\(address)") }
    let descriptor = Descriptor(owning: number)
    let result = try unsafe address.withSystemAddress { unsafe Glibc.connect(number, $0, $1) }
    guard result == 0 else { throw .last("connect", "\(address)") }
    return StreamSocket(descriptor)
  }

  /// Receives into `buffer` from its start. An interrupted call is made again.
  public func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(number, $0.baseAddress, $0.count, 0) }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .broken
      }
    }
  }

  /// Sends the pieces in one call, as many as one call takes; the first `skip` bytes of the first piece are left out.
  public func send(_ pieces: [[UInt8]], skipping skip: Int = 0) -> Sent {
    guard let first = pieces.first else { return .bytes(0) }
    if pieces.count == 1 { return send(first, from: skip) }
    let capacity = min(pieces.count, Self.piecesPerCall)
    return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: capacity) { vectors in
      unsafe send(pieces, from: 0, skipping: skip, vectors)
    }
  }

  /// Sends `bytes` from `start` on in one call, each of `inserted` before the byte at its position.
  public func send(_ bytes: [UInt8], from start: Int, inserting inserted: [InsertedBytes]) -> Sent {
    if inserted.isEmpty { return send(bytes, from: start) }
    return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2 * inserted.count + 1) { vectors in
      unsafe bytes.withUnsafeBytes { buffer in unsafe send(buffer, from: start, inserted, 0, vectors, count: 0) }
    }
  }

  /// Sends the bytes from `start` on.
  public func send(_ bytes: [UInt8], from start: Int = 0) -> Sent {
    while true {
      let count = unsafe bytes.withUnsafeBytes { buffer -> Int in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
        return unsafe Glibc.send(number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return .bytes(count) }
      if errno != EINTR { return errno == EAGAIN ? .nothing : .broken }
    }
  }

  /// How many pieces one call sends at most.
  public static let piecesPerCall = 32

  /// Enters the pieces from `index` on, one call within the other so that all of them stay where they are, and sends.
  private func send(
    _ pieces: [[UInt8]], from index: Int, skipping skip: Int, _ vectors: UnsafeMutableBufferPointer<iovec>
  ) -> Sent {
    guard index < vectors.count else { return unsafe send(vectors) }
    return unsafe pieces[index].withUnsafeBytes { buffer in
      unsafe vectors.initializeElement(at: index, to: Self.vector(buffer, from: skip))
      return unsafe send(pieces, from: index + 1, skipping: 0, vectors)
    }
  }

  private func send(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ inserted: [InsertedBytes], _ index: Int,
    _ vectors: UnsafeMutableBufferPointer<iovec>, count: Int
  ) -> Sent {
    guard index < inserted.count else {
      unsafe vectors.initializeElement(at: count, to: Self.vector(bytes, from: start))
      return unsafe send(UnsafeMutableBufferPointer(rebasing: vectors[...count]))
    }
    let position = inserted[index].position
    let before = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<position])
    unsafe vectors.initializeElement(at: count, to: Self.vector(before, from: start))
    return unsafe inserted[index].bytes.withUnsafeBytes { buffer in
      unsafe vectors.initializeElement(at: count + 1, to: Self.vector(buffer, from: 0))
      return unsafe send(bytes, from: position, inserted, index + 1, vectors, count: count + 2)
    }
  }

  @inline(__always) private static func vector(_ buffer: UnsafeRawBufferPointer, from start: Int) -> iovec {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
    return unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
  }

  private func send(_ vectors: UnsafeMutableBufferPointer<iovec>) -> Sent {
    var message = unsafe msghdr()
    unsafe message.msg_iov = vectors.baseAddress
    unsafe message.msg_iovlen = vectors.count
    while true {
      let count = unsafe sendmsg(number, &message, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if errno != EINTR { return errno == EAGAIN ? .nothing : .broken }
    }
  }

  /// Shuts the writing side: the peer reads to the end and then sees it.
  public func shutWriting() { shutdown(number, Int32(SHUT_WR)) }

  /// Bytes that the system holds for the peer: sent but not acknowledged, or not sent yet. Of a Unix socket's, what the peer
  /// has not read, in whole pieces and with their overhead. 0 where the system does not tell.
  public var unacknowledgedBytes: Int { max(0, Int(unacknowledged_bytes(number))) }

  /// Makes the closing of this socket a reset that throws unsent bytes away.
  public func resetOnClose() {
    var value = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }

  /// Lets a blocking receive end with `nothing` after that time: for tests and tools.
  public func setReceiveTimeout(milliseconds: Int) {
    var value = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
    unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &value, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sets the size of the system's receive buffer in bytes: for tests and tools.
  public func setReceiveBuffer(bytes: Int) {
    var value = Int32(clamping: bytes)
    unsafe setsockopt(number, SOL_SOCKET, SO_RCVBUF, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
