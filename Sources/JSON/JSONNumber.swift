// A JSON number with the digits it was sent with, read exactly or not at all.

/// A number of a JSON text. Equal when written the same.
public struct JSONNumber: Sendable, Hashable {
  /// The number as sent, in the grammar of RFC 8259, section 6.
  public let text: String

  /// A number whose text is known to follow the grammar.
  init(checked text: String) { self.text = text }

  public init(_ value: Int) { text = String(value) }

  /// Nil when `value` is infinite or not a number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = JSONWriter.shortestText(of: value)
  }

  /// The exact whole number: `4`, `4.0` and `0.4e1` are 4. Nil with a fraction, or beyond 64 bits.
  public var integer: Int? {
    if let plain = Int(text) { return plain }
    let decimal = Decimal(text)
    if decimal.digits.isEmpty { return 0 }
    guard (0...19).contains(decimal.exponent), decimal.digits.count + decimal.exponent <= 19 else { return nil }
    let digits = decimal.digits + repeatElement(0x30, count: decimal.exponent)
    return Int((decimal.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }

  /// True when the shortest text of `value` is this very number: nothing is lost by keeping the double.
  public func hasSameDigits(as value: Double) -> Bool {
    value.isFinite && Decimal(text) == Decimal(JSONWriter.shortestText(of: value))
  }

  /// The nearest double; nil when there is no finite one.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// Significant digits and a power of ten: equal for equal numbers.
  private struct Decimal: Equatable {
    var digits: [UInt8] = []
    var exponent = 0
    var isNegative: Bool

    private enum Part { case whole, fraction, exponent }

    /// Any larger exponent gives the same outcome, and stays far from overflow.
    private static let largestExponent = 1 << 40

    init(_ text: String) {
      isNegative = text.utf8.first == UInt8(ascii: "-")
      var part = Part.whole
      var fractionDigits = 0
      var isExponentNegative = false
      for byte in text.utf8 {
        switch (byte, part) {
        case (UInt8(ascii: "."), _): part = .fraction
        case (UInt8(ascii: "e"), _), (UInt8(ascii: "E"), _): part = .exponent
        case (UInt8(ascii: "-"), .exponent): isExponentNegative = true
        case (UInt8(ascii: "-"), _), (UInt8(ascii: "+"), _): break
        case (_, .exponent): exponent = min(exponent * 10 + Int(byte - 0x30), Self.largestExponent)
        case (_, let part):
          if !(digits.isEmpty && byte == 0x30) { digits.append(byte) }
          if part == .fraction { fractionDigits += 1 }
        }
      }
      exponent = (isExponentNegative ? -exponent : exponent) - fractionDigits
      while digits.last == 0x30 {
        digits.removeLast()
        exponent += 1
      }
      if digits.isEmpty { (exponent, isNegative) = (0, false) }
    }
  }
}
