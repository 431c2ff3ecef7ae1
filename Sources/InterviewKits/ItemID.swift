// The stable ID that addresses everything: kits, sections, questions, options, evaluations, candidates.

/// An opaque ID, `[A-Za-z0-9][A-Za-z0-9._:-]{0,63}`, compared byte for byte.
public struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The longest ID, in bytes.
  public static let maximumBytes = 64

  public let string: String

  /// Nil when `string` is not of an ID's form.
  public init?(_ string: String) {
    let bytes = string.utf8
    guard let first = bytes.first, bytes.count <= Self.maximumBytes, Self.isAlphanumeric(first) else { return nil }
    for byte in bytes where !Self.isAlphanumeric(byte) && !Self.isPunctuation(byte) { return nil }
    self.string = string
  }

  public var description: String { string }

  public static func < (left: ItemID, right: ItemID) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    byte == 0x2E || byte == 0x5F || byte == 0x3A || byte == 0x2D
  }
}

extension ItemID {
  /// A UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds, then random bits.
  public static func make(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> ItemID {
    let milliseconds = UInt64(bitPattern: Int64(time.milliseconds)) & 0xFFFF_FFFF_FFFF
    let high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for nibble in 0..<32 {
      if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { text.append(0x2D) }
      let word = nibble < 16 ? high : low
      let digit = UInt8(word >> UInt64(60 - 4 * (nibble % 16)) & 0xF)
      text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
    return ItemID(unchecked: String(decoding: text, as: UTF8.self))
  }

  private init(unchecked string: String) { self.string = string }
}
