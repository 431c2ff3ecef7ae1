// A numeric address by its bytes: however it is spelt, it is one address.
internal import Glibc

/// An IPv4 or IPv6 address. IPv4 in IPv6 (`::ffff:192.0.2.7`, RFC 4291, section 2.5.5.2) is IPv4.
public struct NumericAddress: Hashable, Sendable {
  /// In network order, 4 or 16.
  private let bytes: [UInt8]

  /// Reads what `inet_pton` reads; nil for anything else. The zone of a link-local address is no part of it.
  public init?(_ text: String) {
    let plain = text.utf8.contains(0x25) ? String(text.prefix { $0 != "%" }) : text
    if let bytes = Self.parsed(plain, AF_INET, count: 4) {
      self.bytes = bytes
    } else if let bytes = Self.parsed(plain, AF_INET6, count: 16) {
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      self.bytes = isMapped ? Array(bytes[12...]) : bytes
    } else {
      return nil
    }
  }

  private static func parsed(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  /// The one spelling that RFC 5952 recommends.
  public var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard unsafe inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else {
      preconditionFailure("the buffer has room for any address")
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether it is this machine's own.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whom it stands for: an IPv4 address for itself, an IPv6 address for its network of 64 bits, which one subscriber has
  /// to himself (RFC 6177).
  public var subscriber: String {
    if bytes.count == 4 { return text }
    let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/64"
  }
}
