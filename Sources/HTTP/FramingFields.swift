// The fields that decide how a request is read: Host, Content-Length, Transfer-Encoding, Connection, Expect.

/// What has been seen of them so far, and what follows from it once the head is whole.
struct FramingFields: Sendable {
  private(set) var host: Range<Int>?
  private var length: Int?
  private var codings: [String] = []
  private var hasTransferEncoding = false
  private var closes = false
  private var keepsAlive = false
  private var expectsContinue = false
  private var hasOtherExpectation = false

  /// Looks at one field line.
  mutating func note(_ bytes: Span<UInt8>, _ field: FieldSpan) throws(Refusal) {
    let name = bytes.extracting(field.name)
    switch name.count {
    case 4 where name.isASCIICaseInsensitively("Host"):
      guard host == nil else { throw .badRequest("invalidHost", "The request has more than one Host.") }
      guard Authority.isValid(bytes, field.value) else {
        throw .badRequest("invalidHost", "The value of Host is not a host and port.")
      }
      host = field.value
    case 6 where name.isASCIICaseInsensitively("Expect"):
      noteExpectations(bytes.text(field.value))
    case 10 where name.isASCIICaseInsensitively("Connection"):
      noteConnection(bytes, field.value)
    case 14 where name.isASCIICaseInsensitively("Content-Length"):
      guard length == nil else {
        throw .badRequest("invalidContentLength", "The request has more than one Content-Length.")
      }
      length = try Self.contentLength(bytes, field.value)
    case 17 where name.isASCIICaseInsensitively("Transfer-Encoding"):
      hasTransferEncoding = true
      for element in bytes.text(field.value).split(separator: ",", omittingEmptySubsequences: false) {
        codings.append(Self.trimmed(element).asciiLowercased)
      }
    default: break
    }
  }

  /// Whether the client lets the connection live on.
  func keepsConnection(minorVersion: Int) -> Bool { !closes && (minorVersion > 0 || keepsAlive) }

  /// How the body ends (RFC 9112, section 6.3), or why that is not certain.
  func bodyFraming(minorVersion: Int) throws(Refusal) -> BodyFraming {
    guard hasTransferEncoding else {
      guard let length, length > 0 else { return .none }
      return .length(length)
    }
    guard length == nil else {
      throw .badRequest("invalidTransferEncoding", "Content-Length and Transfer-Encoding stand together.")
    }
    guard minorVersion > 0 else {
      throw .badRequest("invalidTransferEncoding", "HTTP/1.0 has no Transfer-Encoding.")
    }
    for coding in codings where !Self.isToken(coding) {
      throw .badRequest("invalidTransferEncoding", "Transfer-Encoding is not a list of codings.")
    }
    if codings == ["chunked"] { return .chunked }
    if codings.dropLast().contains("chunked") {
      throw .badRequest("invalidTransferEncoding", "The coding chunked stands once, and last.")
    }
    throw Refusal(
      status: 501, code: "unknownTransferCoding", detail: "The only transfer coding understood here is chunked.")
  }

  /// Whether `100 Continue` is waited for; 417 for any other expectation. HTTP/1.0 has none.
  func continueExpected(minorVersion: Int) throws(Refusal) -> Bool {
    guard minorVersion > 0 else { return false }
    guard !hasOtherExpectation else {
      throw Refusal(status: 417, code: "unknownExpectation", detail: "The only expectation met here is 100-continue.")
    }
    return expectsContinue
  }

  private static func contentLength(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> Int {
    var value = 0
    for index in range {
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      guard ByteClass.isDigit(bytes[index]), !overflow else { throw invalidLength }
      let (sum, sumOverflow) = scaled.addingReportingOverflow(Int(bytes[index] - 0x30))
      guard !sumOverflow else { throw invalidLength }
      value = sum
    }
    guard !range.isEmpty else { throw invalidLength }
    return value
  }

  private static var invalidLength: Refusal {
    .badRequest("invalidContentLength", "Content-Length is not a whole number within 63 bits, in digits alone.")
  }

  private mutating func noteConnection(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    let value = bytes.extracting(range)
    if value.isASCIICaseInsensitively("keep-alive") { keepsAlive = true }
    if value.isASCIICaseInsensitively("close") { closes = true }
    guard value.firstOffset(of: 0x2C, from: 0) != nil else { return }
    for element in bytes.text(range).split(separator: ",") {
      let token = Self.trimmed(element)
      if token.isASCIICaseInsensitively("close") { closes = true }
      if token.isASCIICaseInsensitively("keep-alive") { keepsAlive = true }
    }
  }

  private mutating func noteExpectations(_ value: String) {
    for element in value.split(separator: ",", omittingEmptySubsequences: false) {
      if Self.trimmed(element).isASCIICaseInsensitively("100-continue") {
        expectsContinue = true
      } else {
        hasOtherExpectation = true
      }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    return bytes.span.text(bytes.span.trimmed(bytes.indices))
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(ByteClass.token.contains)
  }
}
