// Reads structured field values: tokens, quoted strings, parameters, list elements (RFC 9110, section 5.6).

struct ValueScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ value: String) {
    bytes = Array(value.utf8)
    skipWhitespace()
  }

  var isAtEnd: Bool { index == bytes.count }

  /// At the end or at the comma after an element.
  var isAtElementEnd: Bool { isAtEnd || bytes[index] == 0x2C }

  private mutating func skipWhitespace() {
    while index < bytes.count, ByteClass.isWhitespace(bytes[index]) { index += 1 }
  }

  /// Goes to the next element of a list, past empty ones; false at the end.
  mutating func skipToElement() -> Bool {
    while index < bytes.count, bytes[index] == 0x2C || ByteClass.isWhitespace(bytes[index]) { index += 1 }
    return index < bytes.count
  }

  /// Goes past the rest of a broken element, quoted commas included.
  mutating func skipElement() {
    while index < bytes.count, bytes[index] != 0x2C {
      if bytes[index] == 0x22 { if quotedString() == nil { index = bytes.count } } else { index += 1 }
    }
  }

  mutating func token() -> String? {
    let start = index
    while index < bytes.count, ByteClass.token.contains(bytes[index]) { index += 1 }
    guard index > start else { return nil }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  mutating func quotedString() -> String? {
    guard index < bytes.count, bytes[index] == 0x22 else { return nil }
    var text: [UInt8] = []
    var position = index + 1
    while position < bytes.count, bytes[position] != 0x22 {
      if bytes[position] == 0x5C { position += 1 }
      guard position < bytes.count, ByteClass.isFieldValue(bytes[position]) else { return nil }
      text.append(bytes[position])
      position += 1
    }
    guard position < bytes.count else { return nil }
    index = position + 1
    return String(decoding: text, as: UTF8.self)
  }

  mutating func mediaType() -> MediaType? {
    guard let type = token(), index < bytes.count, bytes[index] == 0x2F else { return nil }
    index += 1
    guard let subtype = token() else { return nil }
    return MediaType(type.asciiLowercased, subtype.asciiLowercased, parameters: parameters())
  }

  /// `name "=" value *( ";" [ name "=" value ] )` (RFC 7239, section 4); stops before what is none.
  mutating func pairs() -> [Field] {
    guard let name = token(), index < bytes.count, bytes[index] == 0x3D else { return [] }
    index += 1
    guard let value = index < bytes.count && bytes[index] == 0x22 ? quotedString() : token() else { return [] }
    return [Field(name.asciiLowercased, value)] + parameters()
  }

  /// `*( OWS ";" OWS [ name "=" value ] )`; stops before what is none.
  mutating func parameters() -> [Field] {
    var result: [Field] = []
    skipWhitespace()
    while index < bytes.count, bytes[index] == 0x3B {
      index += 1
      skipWhitespace()
      let start = index
      if let name = token() {
        guard index < bytes.count, bytes[index] == 0x3D else {
          index = start
          return result
        }
        index += 1
        guard let value = index < bytes.count && bytes[index] == 0x22 ? quotedString() : token() else {
          index = start
          return result
        }
        result.append(Field(name.asciiLowercased, value))
      }
      skipWhitespace()
    }
    return result
  }
}
