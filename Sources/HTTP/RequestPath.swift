// The path of a request target (RFC 3986, section 3.3): split at slashes first, each segment decoded once.

/// A valid path, in the bytes of its request.
public struct RequestPath: Sendable {
  let bytes: [UInt8]
  let range: Range<Int>
  let hasEscapes: Bool

  init(bytes: [UInt8], range: Range<Int>, hasEscapes: Bool) {
    self.bytes = bytes
    self.range = range
    self.hasEscapes = hasEscapes
  }

  /// A path of its own, for tests; nil when it does not begin with a slash or is not valid.
  public init?(_ path: String) {
    let bytes = Array(path.utf8)
    guard bytes.first == 0x2F, bytes.allSatisfy(ByteClass.path.contains) else { return nil }
    guard PercentEncoding.isValid(bytes.span, bytes.indices) else { return nil }
    self.init(bytes: bytes, range: bytes.indices, hasEscapes: bytes.contains(0x25))
  }

  /// The path as it was sent.
  public var raw: String { bytes.span.text(range) }

  /// The decoded segments.
  public var segments: [String] {
    segmentRanges.map { PercentEncoding.decoded(bytes.span, $0, plusIsSpace: false) }
  }

  /// Where the segments stand, without their slashes. None for `/` and for an empty path.
  var segmentRanges: [Range<Int>] {
    guard range.count > 1 else { return [] }
    var result: [Range<Int>] = []
    result.reserveCapacity(8)
    let span = bytes.span
    var start = range.lowerBound + 1
    for index in start..<range.upperBound where span[index] == 0x2F {
      result.append(start..<index)
      start = index + 1
    }
    result.append(start..<range.upperBound)
    return result
  }
}
