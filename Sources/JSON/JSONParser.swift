// The strict reader of JSON texts (RFC 8259): what it takes is unambiguous, and all else is refused with its place.

extension JSONValue {
  /// Reads one JSON text. No byte order mark, no doubled member, no lone surrogate, nothing after the value.
  ///
  /// - Parameters:
  ///   - bytes: The whole text in UTF-8. U+0000 in a string is read; whoever cannot keep it refuses it.
  ///   - limits: The deepest nesting.
  public static func parse(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONSyntaxError) -> JSONValue {
    if let offset = UTF8Check.firstInvalidByte(in: bytes) {
      throw JSONSyntaxError(
        code: "invalidUTF8", offset: offset, in: bytes, message: "The text is not valid UTF-8 at byte \(offset).")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONSyntaxError(
        code: "invalidJSON", offset: 0, in: bytes, message: "A JSON text does not begin with a byte order mark.")
    }
    var parser = JSONParser(bytes: bytes, limits: limits)
    return try parser.document()
  }
}

/// Recursion is safe: each level is entered only below the depth limit.
struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  var position = 0

  init(bytes: [UInt8], limits: JSONLimits) { (self.bytes, self.limits) = (bytes, limits) }

  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    if position == bytes.count { throw failure("The text is empty; a JSON value is needed.") }
    let value = try value(depth: 0)
    skipSpace()
    if position < bytes.count { throw failure("Nothing may follow the JSON value.") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard let byte = peek() else { throw failure("The text ends where a value is needed.") }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw failure("A value is needed here.")
    }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    try enter(depth)
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array([]) }
    while true {
      do { elements.append(try value(depth: depth)) } catch { throw error.inside(String(elements.count)) }
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw failure("A comma or ] is needed after an element.") }
      skipSpace()
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    try enter(depth)
    var members: [JSONMember] = []
    var names = MemberNames()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      let start = position
      guard peek() == UInt8(ascii: "\"") else { throw failure("A member's name in quotation marks is needed.") }
      let name = try string()
      if !names.insert(name, after: members) {
        throw failure("The member \"\(name)\" is there twice.", code: "doubledMember", at: start).inside(name)
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("A colon is needed after a member's name.") }
      skipSpace()
      do { members.append(JSONMember(name, try value(depth: depth))) } catch { throw error.inside(name) }
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw failure("A comma or } is needed after a member.") }
      skipSpace()
    }
  }

  private mutating func enter(_ depth: Int) throws(JSONSyntaxError) {
    if depth > limits.depth {
      throw failure("Arrays and objects are nested deeper than \(limits.depth) levels.", code: "tooDeep")
    }
    position += 1
    skipSpace()
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes[position..<end].elementsEqual(String(describing: word).utf8) else {
      let letters = bytes[position...].prefix { (0x61...0x7A).contains($0) }
      let sent = String(decoding: letters, as: UTF8.self)
      let near = Suggestion.nearest(to: sent, among: ["true", "false", "null"])
      throw failure("A value is needed here\(near.map { "; did you mean \($0)?" } ?? ".")")
    }
    position = end
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if let byte = peek(), Self.isDigit(byte) { throw failure("A number does not begin with 0.") }
    } else {
      try digits()
    }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return JSONNumber(checked: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(JSONSyntaxError) {
    guard let first = peek(), Self.isDigit(first) else { throw failure("A digit is needed here.") }
    while let byte = peek(), Self.isDigit(byte) { position += 1 }
  }

  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  func failure(_ message: String, code: String = "invalidJSON", at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(code: code, offset: offset ?? position, in: bytes, message: message)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

/// The names of one object, to notice a doubled one: compared one by one while few, hashed when many.
private struct MemberNames {
  private static let fewNames = 12
  private var hashed: Set<[UInt8]> = []

  /// False when one of `members` has this name already.
  mutating func insert(_ name: String, after members: [JSONMember]) -> Bool {
    if members.count < Self.fewNames { return !members.contains { $0.name.hasSameBytes(as: name) } }
    if hashed.isEmpty { for member in members { hashed.insert(Array(member.name.utf8)) } }
    return hashed.insert(Array(name.utf8)).inserted
  }
}
