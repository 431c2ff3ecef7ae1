// Responses as bytes (RFC 9112, section 4), with the fields that the server itself adds.

/// What the encoder needs to know besides the response.
public struct ReplyContext: Sendable {
  /// The date in the form of `HTTPDate.bytes`.
  public var date: [UInt8]
  public var requestID: RequestID
  /// The connection closes after this reply.
  public var closes: Bool
  /// The request was `HEAD`: no body, but the fields of `GET`.
  public var isHead: Bool
  /// `x` of the request's `HTTP/1.x`.
  public var minorVersion: Int

  public init(date: [UInt8], requestID: RequestID, closes: Bool, isHead: Bool = false, minorVersion: Int = 1) {
    self.date = date
    self.requestID = requestID
    self.closes = closes
    self.isHead = isHead
    self.minorVersion = minorVersion
  }
}

public enum ResponseEncoder {
  /// `100 Continue`, whole.
  public static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private static let versionBytes = Array("HTTP/1.1 ".utf8)
  private static let okLine = Array("HTTP/1.1 200 OK".utf8)
  private static let dateName = Array("\r\nDate: ".utf8)
  private static let lengthName = Array("\r\nContent-Length: ".utf8)
  private static let chunkedField = Array("\r\nTransfer-Encoding: chunked".utf8)
  private static let idName = Array("\r\nX-Request-Id: ".utf8)
  private static let endOfHead = Array("\r\n\r\n".utf8)
  private static let closeField = Array("\r\nConnection: close".utf8)
  private static let keepAliveField = Array("\r\nConnection: keep-alive".utf8)

  /// Appends the head to `output` and says whether the body follows it.
  public static func appendHead(of response: Response, to output: inout [UInt8], _ context: ReplyContext) -> Bool {
    let hasBody = appendStart(
      of: response, to: &output, closes: context.closes, isHead: context.isHead, minorVersion: context.minorVersion)
    appendEnd(to: &output, date: context.date, requestID: context.requestID)
    return hasBody
  }

  /// Appends the part of a head that is the same whenever the response is sent: all but the date and the request ID.
  /// Says whether the body follows the head.
  public static func appendStart(
    of response: Response, to output: inout [UInt8], closes: Bool, isHead: Bool, minorVersion: Int
  ) -> Bool {
    if response.status == 200 {
      output.append(contentsOf: okLine)
    } else {
      output.append(contentsOf: versionBytes)
      output.append(decimal: response.status)
      output.append(0x20)
      output.append(text: Status.reason(response.status))
    }
    for field in response.fields where !isServersOwn(field.name) { append(field, to: &output) }
    let hasContent = response.status >= 200 && response.status != 204 && response.status != 304
    if hasContent {
      if let length = response.stream.map(\.length) ?? response.body.count {
        output.append(contentsOf: lengthName)
        output.append(decimal: length)
      } else if minorVersion > 0 {
        output.append(contentsOf: chunkedField)
      }
    }
    if closes {
      output.append(contentsOf: closeField)
    } else if minorVersion == 0 {
      output.append(contentsOf: keepAliveField)
    }
    return hasContent && !isHead && (response.stream != nil || !response.body.isEmpty)
  }

  /// Where the date and the request ID stand in what `appendEnd` appends, when the ID is a made one.
  public static let dateOffset = dateName.count
  public static let idOffset = dateName.count + HTTPDate.byteCount + idName.count

  /// Appends the rest of a head: the date in the form of `HTTPDate.bytes`, the request ID, and the head's end.
  public static func appendEnd(to output: inout [UInt8], date: [UInt8], requestID: RequestID) {
    output.append(contentsOf: dateName)
    output.append(contentsOf: date)
    output.append(contentsOf: idName)
    requestID.append(to: &output)
    output.append(contentsOf: endOfHead)
  }

  private static func append(_ field: Field, to output: inout [UInt8]) {
    output.append(0x0D)
    output.append(0x0A)
    output.append(text: field.name)
    output.append(0x3A)
    output.append(0x20)
    let start = output.count
    output.append(text: field.value)
    // A control character, above all a line end, must not begin a field of its own.
    for index in start..<output.count where !ByteClass.isFieldValue(output[index]) { output[index] = 0x20 }
  }

  /// The fields that only the server sets: their lengths tell almost every other field apart.
  private static func isServersOwn(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name.isASCIICaseInsensitively("Date")
    case 10: name.isASCIICaseInsensitively("Connection")
    case 12: name.isASCIICaseInsensitively("X-Request-Id")
    case 14: name.isASCIICaseInsensitively("Content-Length")
    case 17: name.isASCIICaseInsensitively("Transfer-Encoding")
    default: false
    }
  }
}

extension [UInt8] {
  mutating func append(text: String) {
    append(copying: text.utf8.span)
  }

  mutating func append(decimal number: Int) {
    precondition(number >= 0, "lengths and status codes are not negative")
    guard number >= 10 else {
      append(0x30 + UInt8(number))
      return
    }
    append(decimal: number / 10)
    append(0x30 + UInt8(number % 10))
  }
}
