// Ranges of numeric addresses, such as those of the proxies that are trusted.
internal import CLinux
internal import Glibc

/// An address with all those that share its first bits: `10.0.0.0/8`, `::1`, or `unix` for peers at a Unix socket.
public struct AddressRange: Sendable, Hashable {
  private enum Form: Sendable, Hashable {
    case unix
    /// The address in network order, 4 or 16 bytes, and how many of its bits count.
    case numeric([UInt8], bits: Int)
  }

  private let form: Form

  /// Reads `ADDRESS` or `ADDRESS/BITS`; nil when it is neither, or when bits beyond the range are set.
  public init?(_ text: String) {
    if text == "unix" {
      form = .unix
      return
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = Self.bytes(String(parts[0])) else { return nil }
    var bits = bytes.count * 8
    if parts.count == 2 {
      let isPlain = (1...3).contains(parts[1].utf8.count) && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard isPlain, let number = Int(parts[1]), number <= bits else { return nil }
      bits = number
    }
    guard Self.masked(bytes, bits: bits) == bytes else { return nil }
    form = .numeric(bytes, bits: bits)
  }

  /// Whether a numeric host is in the range; nil is a peer at a Unix socket. IPv4 in IPv6 (`::ffff:10.0.0.1`) is IPv4.
  public func contains(_ host: String?) -> Bool {
    switch form {
    case .unix: return host == nil
    case .numeric(let network, let bits):
      guard let host, let bytes = Self.bytes(host), bytes.count == network.count else { return false }
      return Self.masked(bytes, bits: bits) == network
    }
  }

  private static func masked(_ bytes: [UInt8], bits: Int) -> [UInt8] {
    bytes.enumerated().map { place, byte in
      let kept = min(8, max(0, bits - place * 8))
      return kept == 8 ? byte : byte & ~(0xFF >> UInt8(kept))
    }
  }

  private static func bytes(_ host: String) -> [UInt8]? {
    // The zone of a link-local address is no part of it.
    let plain = String(host.prefix { $0 != "%" })
    if let bytes = parsed(plain, AF_INET, count: 4) { return bytes }
    guard let bytes = parsed(plain, AF_INET6, count: 16) else { return nil }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? Array(bytes[12...]) : bytes
  }

  private static func parsed(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}

extension [AddressRange] {
  /// Whether one of the ranges holds the host.
  public func contain(_ host: String?) -> Bool { contains { $0.contains(host) } }
}
