// A listening socket, shared by the loops that accept from it.
internal import CLinux
internal import Glibc

/// What came of one accept.
public enum Accepted: ~Copyable, Sendable {
  case connection(StreamSocket, peer: SocketAddress)
  /// Nobody is waiting.
  case nothing
  /// That one is gone again; try the next.
  case aborted
  /// There are no descriptors or no memory left (EMFILE, ENFILE, ENOBUFS, ENOMEM).
  case exhausted
}

/// Listens at one address until it is released.
public final class Listener: Sendable {
  private let descriptor: Descriptor
  /// The address as bound, with the port that the system chose.
  public let address: SocketAddress
  /// Device and inode of a Unix socket's path, so that only its own path is removed.
  private let path: (name: String, device: UInt, inode: UInt)?

  /// Binds and listens. A Unix socket that nobody answers at any more is replaced, and is for its owner alone.
  ///
  /// - Throws: the call that failed; `EADDRINUSE` when somebody listens there.
  public init(_ address: SocketAddress, backlog: Int32 = 1_024) throws(SocketError) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = socket(address.family, type, 0)
    guard number >= 0 else { throw .last("socket", "\(address)") }
    let descriptor = Descriptor(owning: number)
    if case .unix(let path) = address {
      try Self.removeStale(path)
    } else {
      var on: Int32 = 1
      unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    guard try unsafe address.withSystemAddress({ unsafe bind(number, $0, $1) }) == 0 else {
      throw .last("bind", "\(address)")
    }
    if case .unix(let path) = address {
      // Nobody can connect before `listen`, so the mode is right from the start.
      guard unsafe chmod(path, 0o600) == 0 else { throw .last("chmod", path) }
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { throw .last("stat", path) }
      self.path = (path, UInt(status.st_dev), UInt(status.st_ino))
    } else {
      path = nil
    }
    guard listen(number, backlog) == 0 else { throw .last("listen", "\(address)") }
    self.address = try Self.boundAddress(number) ?? address
    self.descriptor = descriptor
  }

  /// Takes over a socket that already listens, such as one that the system's supervisor opened for us.
  ///
  /// - Throws: `EINVAL` when it is no listening stream socket of a known family.
  public init(adopting descriptor: consuming Descriptor) throws(SocketError) {
    let number = descriptor.number
    func option(_ name: Int32) -> Int32 {
      var value: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      return unsafe getsockopt(number, SOL_SOCKET, name, &value, &length) == 0 ? value : -1
    }
    guard option(SO_TYPE) == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN) == 1,
      let address = try Self.boundAddress(number)
    else { throw SocketError(call: "getsockopt", code: EINVAL, subject: "descriptor \(number)") }
    guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    else { throw .last("fcntl", "descriptor \(number)") }
    self.descriptor = descriptor
    self.address = address
    // The path of a Unix socket belongs to whoever opened it.
    path = nil
  }

  deinit {
    guard let path else { return }
    var status = stat()
    if unsafe stat(path.name, &status) == 0, UInt(status.st_dev) == path.device, UInt(status.st_ino) == path.inode {
      unsafe unlink(path.name)
    }
  }

  /// The number under which a poller knows it.
  public var number: Int32 { descriptor.number }

  /// Takes the next waiting connection, non-blocking and without Nagle's delay.
  public func accept() -> Accepted {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let peer = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemAddress -> (Int32, SocketAddress?) in
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = unsafe accept4(descriptor.number, systemAddress, &length, flags)
        return unsafe (number, number >= 0 ? SocketAddress(systemAddress) : nil)
      }
    }
    guard peer.0 >= 0 else {
      switch errno {
      case EAGAIN: return .nothing
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .aborted
      }
    }
    if path == nil {
      var on: Int32 = 1
      unsafe setsockopt(peer.0, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    return .connection(StreamSocket(Descriptor(owning: peer.0)), peer: peer.1 ?? .unix(path: ""))
  }

  private static func boundAddress(_ number: Int32) throws(SocketError) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemAddress -> SocketAddress? in
        unsafe getsockname(number, systemAddress, &length) == 0 ? SocketAddress(systemAddress) : nil
      }
    }
    return bound
  }

  private static func removeStale(_ path: String) throws(SocketError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketError(call: "bind", code: EEXIST, subject: path)
    }
    do throws(SocketError) {
      _ = try StreamSocket.connect(to: .unix(path: path))
    } catch {
      if error.code == ECONNREFUSED { unsafe unlink(path) }
      return
    }
    throw SocketError(call: "bind", code: EADDRINUSE, subject: path)
  }
}
