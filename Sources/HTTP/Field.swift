// Header fields (RFC 9110, section 5): the pair that a response holds, and the lookup in a request's bytes.

/// One header field of a response.
public struct Field: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Where one field line stands in the bytes of its head.
struct FieldSpan: Sendable {
  var nameStart: Int32
  var nameEnd: Int32
  var valueStart: Int32
  var valueEnd: Int32

  var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}

/// The fields of a request. Names are compared in ASCII without case; text is made only of what is asked for.
public struct FieldLookup: Sendable {
  let bytes: [UInt8]
  let spans: [FieldSpan]

  /// How many field lines there are.
  public var count: Int { spans.count }

  /// The value of the field, its lines joined with `, ` (RFC 9110, section 5.3); nil when it is absent.
  public subscript(_ name: String) -> String? {
    let bytes = bytes.span
    var result: String?
    for span in spans where bytes.extracting(span.name).isASCIICaseInsensitively(name) {
      let value = bytes.text(span.value)
      result = result.map { "\($0), \(value)" } ?? value
    }
    return result
  }

  /// The value of each line of that field, in the order received.
  public func values(of name: String) -> [String] {
    let bytes = bytes.span
    var result: [String] = []
    for span in spans where bytes.extracting(span.name).isASCIICaseInsensitively(name) {
      result.append(bytes.text(span.value))
    }
    return result
  }

  /// Whether there is a field line of that name.
  public func contains(_ name: String) -> Bool {
    let bytes = bytes.span
    for span in spans where bytes.extracting(span.name).isASCIICaseInsensitively(name) { return true }
    return false
  }

  /// Every field line as text, in the order received.
  public var all: [Field] {
    let bytes = bytes.span
    return spans.map { Field(bytes.text($0.name), bytes.text($0.value)) }
  }
}
