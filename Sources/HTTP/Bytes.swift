// Classes of bytes in the grammar of HTTP and URIs, and comparisons in ASCII only (no Unicode case mapping).
internal import Glibc

enum ByteClass {
  /// A set of ASCII characters as 128 bits.
  struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
      for byte in characters.utf8 {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
      }
    }

    @inline(__always) func contains(_ byte: UInt8) -> Bool {
      byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }
  }

  static let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  static let unreserved = alphanumeric + "-._~"
  static let subDelimiters = "!$&'()*+,;="

  /// tchar (RFC 9110, section 5.6.2).
  static let token = ASCIISet(alphanumeric + "!#$%&'*+-.^_`|~")
  /// pchar and the slash (RFC 3986, section 3.3); `%` is checked apart.
  static let path = ASCIISet(unreserved + subDelimiters + ":@/%")
  /// What RFC 3986, section 3.4, allows in a query, and what browsers leave as it is there.
  static let query = ASCIISet(unreserved + subDelimiters + ":@/%?" + "[\\]^`{|}")
  /// reg-name (RFC 3986, section 3.2.2).
  static let registeredName = ASCIISet(unreserved + subDelimiters + "%")
  static let alphanumericSet = ASCIISet(alphanumeric)
  /// What a request ID given by a client is made of.
  static let requestID = ASCIISet(alphanumeric + "._:-")
  /// What stands inside the brackets of an IP literal.
  static let addressLiteral = ASCIISet(unreserved + subDelimiters + ":")

  /// field-vchar, space or tab (RFC 9110, section 5.5).
  @inline(__always) static func isFieldValue(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7F : byte == 0x09
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always) static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The value of a hexadecimal digit; nil for any other byte.
  @inline(__always) static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

extension Span where Element == UInt8 {
  /// Byte for byte the same as `text`.
  func isExactly(_ text: String) -> Bool {
    guard count == text.utf8.count else { return false }
    var index = 0
    for byte in text.utf8 {
      if self[index] != byte { return false }
      index += 1
    }
    return true
  }

  /// The same as `text` when ASCII letters are compared without case.
  func isASCIICaseInsensitively(_ text: String) -> Bool {
    guard count == text.utf8.count else { return false }
    var index = 0
    for byte in text.utf8 {
      if ByteClass.lowercased(self[index]) != ByteClass.lowercased(byte) { return false }
      index += 1
    }
    return true
  }

  /// The offset of the first `byte` at or after `start`.
  func firstOffset(of byte: UInt8, from start: Int) -> Int? {
    guard start < count else { return nil }
    return unsafe extracting(start...).withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress, let found = unsafe memchr(base, Int32(byte), buffer.count) else {
        return nil
      }
      return unsafe start + base.distance(to: found)
    }
  }

  /// `range` without the spaces and tabs at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, ByteClass.isWhitespace(self[start]) { start += 1 }
    while start < end, ByteClass.isWhitespace(self[end - 1]) { end -= 1 }
    return start..<end
  }

  /// The bytes as text; what is not UTF-8 becomes U+FFFD.
  func text(_ range: Range<Int>) -> String {
    unsafe extracting(range).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// A copy of the bytes.
  func copied(_ range: Range<Int>) -> [UInt8] {
    unsafe extracting(range).withUnsafeBytes { unsafe Array($0) }
  }
}

extension String {
  /// The same as `other` when ASCII letters are compared without case, and nothing else is folded.
  public func isASCIICaseInsensitively(_ other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { ByteClass.lowercased($0) == ByteClass.lowercased($1) }
  }

  /// The text with the letters A–Z in lower case, and nothing else changed.
  public var asciiLowercased: String {
    String(decoding: utf8.map(ByteClass.lowercased), as: UTF8.self)
  }
}
