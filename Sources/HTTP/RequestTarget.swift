// The request target (RFC 9112, section 3.2) and its authority: where the parts stand, and what is refused.

/// Where the parts of a valid target stand in the bytes of its head.
struct TargetRanges: Sendable {
  var whole: Range<Int>
  var path: Range<Int>
  var query: Range<Int>?
  var authority: Range<Int>?
  var isAsterisk = false
  var hasEscapes = false
}

extension TargetRanges {
  /// Reads the target that stands in `range`.
  static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>, method: HTTPMethod) throws(Refusal) -> TargetRanges {
    var target = TargetRanges(whole: range, path: range.upperBound..<range.upperBound)
    let first = bytes[range.lowerBound]
    if first == 0x2A, range.count == 1 {
      guard method == .options else { throw .badRequest("invalidTarget", "Only OPTIONS takes the target *.") }
      target.isAsterisk = true
      return target
    }
    var start = range.lowerBound
    if first != 0x2F {
      let authority = try Self.authority(bytes, range)
      target.authority = authority
      start = authority.upperBound
    }
    try target.readPathAndQuery(bytes, start..<range.upperBound)
    if target.authority != nil, method == .options, target.path.isEmpty, target.query == nil {
      target.isAsterisk = true
    }
    return target
  }

  private static func authority(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> Range<Int> {
    let span = bytes.extracting(range)
    let length: Int
    if span.count > 7, span.extracting(0..<7).isASCIICaseInsensitively("http://") {
      length = 7
    } else if span.count > 8, span.extracting(0..<8).isASCIICaseInsensitively("https://") {
      length = 8
    } else {
      throw .badRequest("invalidTarget", "The request target is neither a path nor an http URI.")
    }
    let start = range.lowerBound + length
    var end = start
    while end < range.upperBound, bytes[end] != 0x2F, bytes[end] != 0x3F { end += 1 }
    guard Authority.isValid(bytes, start..<end) else {
      throw .badRequest("invalidTarget", "The authority of the request target is not valid.")
    }
    return start..<end
  }

  private mutating func readPathAndQuery(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Refusal) {
    var index = range.lowerBound
    while index < range.upperBound, bytes[index] != 0x3F {
      guard ByteClass.path.contains(bytes[index]) else { throw Self.refused(bytes[index]) }
      if bytes[index] == 0x25 { hasEscapes = true }
      index += 1
    }
    path = range.lowerBound..<index
    if hasEscapes, !PercentEncoding.isValid(bytes, path) { throw Self.badEscape }
    guard index < range.upperBound else { return }
    let query = index + 1..<range.upperBound
    var queryHasEscapes = false
    for index in query {
      guard ByteClass.query.contains(bytes[index]) else { throw Self.refused(bytes[index]) }
      if bytes[index] == 0x25 { queryHasEscapes = true }
    }
    if queryHasEscapes, !PercentEncoding.isValid(bytes, query) { throw Self.badEscape }
    self.query = query
  }

  private static var badEscape: Refusal {
    .badRequest("invalidTarget", "An escape in the request target is broken, is %00 or is not UTF-8.")
  }

  private static func refused(_ byte: UInt8) -> Refusal {
    byte == 0x23
      ? .badRequest("invalidTarget", "A request target has no fragment.")
      : .badRequest("invalidTarget", "The request target holds a character that must be escaped.")
  }
}

/// `host [ ":" port ]` (RFC 3986, section 3.2), without user information.
enum Authority {
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let host = host(in: bytes, range)
    guard !host.isEmpty else { return false }
    if bytes[host.lowerBound] == 0x5B {
      guard host.count > 2, bytes[host.upperBound - 1] == 0x5D else { return false }
      for index in host.dropFirst().dropLast() where !ByteClass.addressLiteral.contains(bytes[index]) { return false }
    } else {
      var hasEscapes = false
      for index in host {
        guard ByteClass.registeredName.contains(bytes[index]) else { return false }
        if bytes[index] == 0x25 { hasEscapes = true }
      }
      if hasEscapes, !PercentEncoding.isValid(bytes, host) { return false }
    }
    guard host.upperBound < range.upperBound else { return true }
    guard bytes[host.upperBound] == 0x3A else { return false }
    var port = 0
    for index in host.upperBound + 1..<range.upperBound {
      guard ByteClass.isDigit(bytes[index]) else { return false }
      port = port * 10 + Int(bytes[index] - 0x30)
      guard port <= 65_535 else { return false }
    }
    return true
  }

  /// The host part: up to the closing bracket of an IP literal, else up to the first colon.
  static func host(in bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    guard let first = range.first else { return range }
    if bytes[first] == 0x5B {
      for index in range where bytes[index] == 0x5D { return range.lowerBound..<index + 1 }
      return range
    }
    for index in range where bytes[index] == 0x3A { return range.lowerBound..<index }
    return range
  }
}
