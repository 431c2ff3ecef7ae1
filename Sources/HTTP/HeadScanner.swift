// Reads a request's head line by line (RFC 9112, sections 2 to 5), whatever the pieces in which it arrives.

/// The state between two pieces of one head. Offsets count from the head's first byte.
struct HeadScanner: Sendable {
  enum Progress {
    case incomplete
    /// The head ends before that offset.
    case complete(end: Int)
  }

  let limits: HTTPLimits
  private var lineStart = 0
  private var searched = 0
  private var emptyLines = 0
  private var fieldsStart = 0
  private(set) var method: HTTPMethod?
  private(set) var minorVersion = 1
  private(set) var target: TargetRanges?
  private(set) var spans: [FieldSpan] = []
  private(set) var framing = FramingFields()

  init(limits: HTTPLimits) { self.limits = limits }

  /// Whether a byte of the request line has been seen.
  var hasBegun: Bool { method != nil || searched > lineStart }

  /// Reads on in `bytes`, which hold the head from its first byte as far as it has arrived.
  mutating func advance(_ bytes: Span<UInt8>) throws(Refusal) -> Progress {
    while true {
      guard let lineFeed = bytes.firstOffset(of: 0x0A, from: searched) else {
        searched = bytes.count
        let mayEnd = bytes.count > lineStart && bytes[bytes.count - 1] == 0x0D
        try checkLength(lineStart..<bytes.count - (mayEnd ? 1 : 0), bytes)
        return .incomplete
      }
      let line = lineStart..<lineFeed
      let endsInReturn = !line.isEmpty && bytes[lineFeed - 1] == 0x0D
      try checkLength(lineStart..<lineFeed - (endsInReturn ? 1 : 0), bytes)
      guard endsInReturn else {
        throw .badRequest("invalidLineEnd", "A line of the head does not end in CRLF.")
      }
      lineStart = lineFeed + 1
      searched = lineStart
      if try readLine(bytes, line.lowerBound..<lineFeed - 1) { return .complete(end: lineStart) }
    }
  }

  /// True after the empty line that ends the head.
  private mutating func readLine(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) -> Bool {
    if method == nil {
      if line.isEmpty {
        emptyLines += 1
        guard emptyLines <= limits.leadingEmptyLines else {
          throw .badRequest("invalidRequestLine", "Too many empty lines stand before the request line.")
        }
        return false
      }
      try readRequestLine(bytes, line)
      fieldsStart = lineStart
      return false
    }
    if line.isEmpty { return true }
    guard spans.count < limits.fieldCount else {
      throw Self.tooLarge("The head has more than \(limits.fieldCount) fields.")
    }
    let span = try FieldLine.parse(bytes, line)
    try framing.note(bytes, span)
    spans.append(span)
    return false
  }

  private func checkLength(_ line: Range<Int>, _ bytes: Span<UInt8>) throws(Refusal) {
    if method == nil {
      if let first = line.first, bytes[first] != 0x0D, !ByteClass.token.contains(bytes[first]) {
        throw .badRequest("invalidRequestLine", "The request line does not begin with a method.")
      }
      guard line.count <= limits.requestLineBytes else {
        throw Refusal(
          status: 414, code: "targetTooLong",
          detail: "The request line is longer than \(limits.requestLineBytes) bytes.")
      }
    } else {
      guard line.count <= limits.fieldLineBytes else {
        throw Self.tooLarge("A field is longer than \(limits.fieldLineBytes) bytes.")
      }
      guard line.upperBound - fieldsStart <= limits.fieldSectionBytes else {
        throw Self.tooLarge("The fields are longer than \(limits.fieldSectionBytes) bytes.")
      }
    }
  }

  private static func tooLarge(_ detail: String) -> Refusal {
    Refusal(status: 431, code: "fieldsTooLarge", detail: detail)
  }

  private mutating func readRequestLine(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) {
    var index = line.lowerBound
    while index < line.upperBound, ByteClass.token.contains(bytes[index]) { index += 1 }
    let name = line.lowerBound..<index
    guard !name.isEmpty, index < line.upperBound, bytes[index] == 0x20 else { throw Self.invalidRequestLine }
    let targetStart = index + 1
    index = targetStart
    while index < line.upperBound, bytes[index] != 0x20 { index += 1 }
    let targetRange = targetStart..<index
    guard !targetRange.isEmpty, index < line.upperBound else { throw Self.invalidRequestLine }
    minorVersion = try Self.minorVersion(bytes, index + 1..<line.upperBound)
    guard let method = HTTPMethod(bytes.extracting(name)) else {
      throw Refusal(status: 501, code: "unknownMethod", detail: "The request method is not known here.")
    }
    if method == .connect {
      throw Refusal(status: 501, code: "unknownMethod", detail: "This server opens no tunnels.")
    }
    target = try TargetRanges.parse(bytes, targetRange, method: method)
    self.method = method
    spans.reserveCapacity(8)
  }

  private static var invalidRequestLine: Refusal {
    .badRequest(
      "invalidRequestLine", "The request line is not a method, a target and a version, one space between them.")
  }

  private static func minorVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> Int {
    guard range.count == 8, bytes.extracting(range.lowerBound..<range.lowerBound + 5).isExactly("HTTP/"),
      ByteClass.isDigit(bytes[range.lowerBound + 5]), bytes[range.lowerBound + 6] == 0x2E,
      ByteClass.isDigit(bytes[range.lowerBound + 7])
    else { throw invalidRequestLine }
    guard bytes[range.lowerBound + 5] == 0x31 else {
      throw Refusal(status: 505, code: "unsupportedVersion", detail: "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
    }
    return Int(bytes[range.lowerBound + 7] - 0x30)
  }
}

/// One field line (RFC 9112, section 5): also the form of a trailer.
enum FieldLine {
  static func parse(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) -> FieldSpan {
    var index = line.lowerBound
    while index < line.upperBound, ByteClass.token.contains(bytes[index]) { index += 1 }
    guard index > line.lowerBound, index < line.upperBound, bytes[index] == 0x3A else {
      let isFolded = ByteClass.isWhitespace(bytes[line.lowerBound])
      throw isFolded
        ? .badRequest("invalidField", "A field continues on a second line, which is obsolete.")
        : .badRequest("invalidField", "A field name is empty, is not a token, or has a space before its colon.")
    }
    for position in index + 1..<line.upperBound where !ByteClass.isFieldValue(bytes[position]) {
      throw .badRequest("invalidField", "A field value holds a control character.")
    }
    let value = bytes.trimmed(index + 1..<line.upperBound)
    return FieldSpan(
      nameStart: Int32(line.lowerBound), nameEnd: Int32(index), valueStart: Int32(value.lowerBound),
      valueEnd: Int32(value.upperBound))
  }
}
