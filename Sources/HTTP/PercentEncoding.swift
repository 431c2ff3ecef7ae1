// Percent-encoding (RFC 3986, section 2.1): validity, and decoding once.

enum PercentEncoding {
  /// Whether every escape in `range` is whole, none is `%00`, and what they decode to is UTF-8.
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == 0x25 else {
        decoded.append(bytes[index])
        index += 1
        continue
      }
      guard index + 2 < range.upperBound, let high = ByteClass.hexadecimal(bytes[index + 1]),
        let low = ByteClass.hexadecimal(bytes[index + 2]), high | low != 0
      else { return false }
      decoded.append(high << 4 | low)
      index += 3
    }
    return String(validating: decoded, as: UTF8.self) != nil
  }

  /// The decoded text of a range that is valid.
  static func decoded(_ bytes: Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      if byte == 0x25, index + 2 < range.upperBound, let high = ByteClass.hexadecimal(bytes[index + 1]),
        let low = ByteClass.hexadecimal(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(plusIsSpace && byte == 0x2B ? 0x20 : byte)
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The `name=value` pairs of a query, as forms send them.
struct QueryPairs {
  let bytes: [UInt8]
  let range: Range<Int>

  var all: [(name: String, value: String)] {
    let span = bytes.span
    return ranges.map {
      (
        PercentEncoding.decoded(span, $0.name, plusIsSpace: true),
        PercentEncoding.decoded(span, $0.value, plusIsSpace: true)
      )
    }
  }

  func first(_ name: String) -> String? {
    let span = bytes.span
    for pair in ranges {
      let decodedName = PercentEncoding.decoded(span, pair.name, plusIsSpace: true)
      guard decodedName.utf8.elementsEqual(name.utf8) else { continue }
      return PercentEncoding.decoded(span, pair.value, plusIsSpace: true)
    }
    return nil
  }

  private var ranges: [(name: Range<Int>, value: Range<Int>)] {
    var result: [(name: Range<Int>, value: Range<Int>)] = []
    let span = bytes.span
    var start = range.lowerBound
    while start < range.upperBound {
      let end = span.extracting(0..<range.upperBound).firstOffset(of: 0x26, from: start) ?? range.upperBound
      if end > start {
        let equals = span.extracting(0..<end).firstOffset(of: 0x3D, from: start)
        result.append((start..<(equals ?? end), (equals.map { $0 + 1 } ?? end)..<end))
      }
      start = end + 1
    }
    return result
  }
}
