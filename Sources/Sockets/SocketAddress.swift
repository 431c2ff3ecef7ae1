// Addresses of sockets: IPv4, IPv6 and Unix.
internal import CLinux
internal import Glibc

/// Where a socket listens or where its peer is.
public enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// A dotted address such as `127.0.0.1`; port 0 lets the system choose.
  case ipv4(String, port: UInt16)
  /// An address such as `::1`, without brackets; port 0 lets the system choose.
  case ipv6(String, port: UInt16)
  /// The path of a Unix socket; empty for an unnamed peer.
  case unix(path: String)

  /// The addresses that a host stands for: a numeric address itself, else what the resolver says, IPv4 first.
  public static func resolve(host: String, port: UInt16) throws(SocketError) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else {
      throw SocketError(call: "getaddrinfo", code: EADDRNOTAVAIL, subject: host)
    }
    defer { unsafe freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var entry = unsafe list
    while let info = unsafe entry {
      if let address = unsafe SocketAddress(info.pointee.ai_addr), let named = address.with(port: port),
        !found.contains(named)
      {
        found.append(named)
      }
      unsafe entry = info.pointee.ai_next
    }
    return found.filter(\.isIPv4) + found.filter { !$0.isIPv4 }
  }

  private var isIPv4: Bool { if case .ipv4 = self { true } else { false } }

  private func with(port: UInt16) -> SocketAddress? {
    switch self {
    case .ipv4(let host, _): .ipv4(host, port: port)
    case .ipv6(let host, _): .ipv6(host, port: port)
    case .unix: nil
    }
  }

  /// The port; nil for a Unix socket.
  public var port: UInt16? {
    switch self {
    case .ipv4(_, let port), .ipv6(_, let port): port
    case .unix: nil
    }
  }

  /// The numeric host; nil for a Unix socket.
  public var host: String? {
    switch self {
    case .ipv4(let host, _), .ipv6(let host, _): host
    case .unix: nil
    }
  }

  /// Whether only this machine can be at the other end.
  public var isLocal: Bool {
    switch self {
    case .ipv4(let host, _): host.hasPrefix("127.")
    case .ipv6(let host, _): host == "::1" || host.hasPrefix("::ffff:127.")
    case .unix: true
    }
  }

  public var description: String {
    switch self {
    case .ipv4(let host, let port): "\(host):\(port)"
    case .ipv6(let host, let port): "[\(host)]:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}

extension SocketAddress {
  var family: Int32 {
    switch self {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .unix: AF_UNIX
    }
  }

  /// Reads a system address; nil for other families.
  @unsafe init?(_ pointer: UnsafePointer<sockaddr>?) {
    guard let pointer = unsafe pointer else { return nil }
    switch unsafe Int32(pointer.pointee.sa_family) {
    case AF_INET:
      let value = unsafe UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self)
      self = .ipv4(Self.text(AF_INET, value.sin_addr), port: UInt16(bigEndian: value.sin_port))
    case AF_INET6:
      let value = unsafe UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in6.self)
      self = .ipv6(Self.text(AF_INET6, value.sin6_addr), port: UInt16(bigEndian: value.sin6_port))
    case AF_UNIX:
      let value = unsafe UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_un.self)
      let path = unsafe withUnsafeBytes(of: value.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
      self = .unix(path: String(decoding: path, as: UTF8.self))
    default: return nil
    }
  }

  private static func text<Address>(_ family: Int32, _ address: Address) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isWritten = unsafe withUnsafePointer(to: address) { pointer in
      unsafe inet_ntop(family, pointer, &text, socklen_t(INET6_ADDRSTRLEN)) != nil
    }
    guard isWritten else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Calls `body` with the system's form of the address.
  func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) throws(SocketError) -> Result {
    switch self {
    case .ipv4(let host, let port):
      var value = sockaddr_in()
      value.sin_family = sa_family_t(AF_INET)
      value.sin_port = port.bigEndian
      guard unsafe inet_pton(AF_INET, host, &value.sin_addr) == 1 else { throw invalid }
      return unsafe Self.pass(value, socklen_t(MemoryLayout<sockaddr_in>.size), body)
    case .ipv6(let host, let port):
      var value = sockaddr_in6()
      value.sin6_family = sa_family_t(AF_INET6)
      value.sin6_port = port.bigEndian
      guard unsafe inet_pton(AF_INET6, host, &value.sin6_addr) == 1 else { throw invalid }
      return unsafe Self.pass(value, socklen_t(MemoryLayout<sockaddr_in6>.size), body)
    case .unix(let path):
      var value = sockaddr_un()
      value.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: value.sun_path), !bytes.contains(0) else {
        throw invalid
      }
      unsafe withUnsafeMutableBytes(of: &value.sun_path) { unsafe $0.copyBytes(from: bytes) }
      return unsafe Self.pass(value, socklen_t(MemoryLayout<sockaddr_un>.size), body)
    }
  }

  private var invalid: SocketError { SocketError(call: "address", code: EINVAL, subject: description) }

  private static func pass<Value, Result>(
    _ value: Value, _ length: socklen_t, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: value) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}
