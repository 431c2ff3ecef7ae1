// Strings of a JSON text: escapes, surrogate pairs, and the check that bytes are UTF-8.

extension JSONParser {
  mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw failure("A control character in a string must be escaped.")
      default: position += 1
      }
    }
    throw failure("The text ends inside a string.")
  }

  private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw failure("A control character in a string must be escaped.", at: position - 1)
      default: text.append(byte)
      }
    }
    throw failure("The text ends inside a string.")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let byte = peek() else { throw failure("The text ends inside a string.") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: Array(String(Character(try unicodeEscape())).utf8))
    default: throw failure("There is no such escape in a JSON string.", at: position - 2)
    }
  }

  /// RFC 8259, section 7: code points beyond U+FFFF are two escapes, a high and a low surrogate.
  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = position - 2
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let second = try fourHexDigits()
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw failure("A surrogate stands alone; it is half of a character.", code: "loneSurrogate", at: start)
  }

  private mutating func fourHexDigits() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Self.hexDigit(byte) else {
        throw failure("\\u needs four hexadecimal digits.")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
  }
}

/// Well-formed UTF-8 by Unicode table 3-7: no overlong form, no surrogate, nothing beyond U+10FFFF.
public enum UTF8Check {
  /// The offset of the first byte that belongs to no well-formed sequence; nil when all do.
  public static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
    var place = 0
    while place < bytes.count {
      let lead = bytes[place]
      if lead < 0x80 {
        place += 1
        continue
      }
      let (length, second): (Int, ClosedRange<UInt8>)
      switch lead {
      case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
      default: return place
      }
      guard place + length <= bytes.count, second.contains(bytes[place + 1]) else { return place }
      for tail in place + 2..<place + length where bytes[tail] & 0xC0 != 0x80 { return place }
      place += length
    }
    return nil
  }
}
