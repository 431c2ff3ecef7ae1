// The writer of JSON texts: compact, members in the order written, straight to bytes.

/// Appends JSON to a byte buffer. The caller writes values and members in a sensible order; commas are put by itself.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// - Parameter capacity: The bytes to expect.
  public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  // MARK: Containers

  public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    beginValue()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    try body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    beginValue()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    try body(&self)
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  // MARK: Members

  /// A member's name, given at run time; its value is written next.
  public mutating func name(_ name: String) {
    beginValue()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member's name from the source; it holds nothing that needs an escape.
  private mutating func plainName(_ name: StaticString) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    // The buffer of a static string lives as long as the program.
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func member(_ name: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
    plainName(name)
    try body(&self)
  }

  public mutating func member(_ name: StaticString, _ value: String) {
    plainName(name)
    string(value)
  }

  /// Nil is written as `null`.
  public mutating func member(_ name: StaticString, _ value: String?) {
    plainName(name)
    if let value { string(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ value: Int) {
    plainName(name)
    int(value)
  }

  /// Nil is written as `null`.
  public mutating func member(_ name: StaticString, _ value: Int?) {
    plainName(name)
    if let value { int(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ value: Double) {
    plainName(name)
    double(value)
  }

  public mutating func member(_ name: StaticString, _ value: Bool) {
    plainName(name)
    bool(value)
  }

  public mutating func member(_ name: StaticString, _ value: JSONValue) {
    plainName(name)
    self.value(value)
  }

  // MARK: Values

  public mutating func string(_ value: String) {
    beginValue()
    quote(value)
    needsComma = true
  }

  public mutating func int(_ value: Int) {
    beginValue()
    append(String(value))
    needsComma = true
  }

  /// The shortest digits that read back as the same number; whole numbers without `.0`. Traps unless it is finite.
  public mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no word for \(value)")
    beginValue()
    append(Self.shortestText(of: value))
    needsComma = true
  }

  public mutating func bool(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
    needsComma = true
  }

  public mutating func null() {
    beginValue()
    append("null")
    needsComma = true
  }

  /// Bytes that are a JSON value already.
  public mutating func raw(_ encoded: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: encoded)
    needsComma = true
  }

  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .string(let value): string(value)
    case .number(let number):
      beginValue()
      append(number.text)
      needsComma = true
    case .array(let elements):
      array { writer in for element in elements { writer.value(element) } }
    case .object(let members):
      object { writer in
        for member in members {
          writer.name(member.name)
          writer.value(member.value)
        }
      }
    }
  }

  // MARK: Bytes

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(_ ascii: String) { bytes.append(contentsOf: ascii.utf8) }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    // The buffer is read inside the closure only.
    text.withUTF8 { utf8 in
      var start = 0
      for place in 0..<utf8.count where unsafe Self.needsEscape(utf8[place]) {
        unsafe bytes.append(contentsOf: utf8[start..<place])
        unsafe appendEscape(of: utf8[place])
        start = place + 1
      }
      unsafe bytes.append(contentsOf: utf8[start..<utf8.count])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscape(of byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      append(byte < 0x10 ? "u000" : "u001")
      let digit = byte & 0xF
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    default: bytes.append(byte)
    }
  }

  static func shortestText(of value: Double) -> String {
    if value.magnitude < 0x1p53, Double(Int(value)) == value { return String(Int(value)) }
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
