// Text as it was typed, equal only when every code point is.

/// A string that is compared code point for code point: Swift's own `==` takes a composed and a decomposed letter for
/// the same, and would drop the edit from one to the other as no change.
public struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public var string: String

  public init(_ string: String) { self.string = string }
  public init(stringLiteral value: String) { string = value }

  public var description: String { string }

  /// The length in Unicode scalars, the unit of every text limit.
  public var scalarCount: Int { string.unicodeScalars.count }

  /// True when nothing would be seen: white space, controls, zero-width and other default-ignorable code points, marks without
  /// anything to stand on.
  public var isBlank: Bool { string.unicodeScalars.allSatisfy(Self.isUnseen) }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return true
    // The empty pattern of Braille, a symbol without a dot.
    default: return scalar == "\u{2800}"
    }
  }

  public static func == (left: ExactText, right: ExactText) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in string.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}
