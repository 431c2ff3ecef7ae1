// What measuring a text gives back.

/// The lines and the height of one text at one width.
public struct TextMeasurement: Sendable, Hashable {
  /// Number of lines, at most `maximumLines` of the rules.
  public var lines: Int
  /// Height before rounding to pixels.
  public var exactHeight: Double
  /// Height, rounded up to 1/scale.
  public var height: Double
  /// The widest line without its trailing spaces.
  public var width: Double
  /// UTF-16 offset of each line's first unit; empty when lines were not asked for.
  public var lineStarts: [Int]
  /// Height of each line, without spacing between lines; empty when lines were not asked for.
  public var lineHeights: [Double]
  /// Whether some character is in no font: it took the primary font's `.notdef` advance.
  public var missingGlyphs: Bool
  /// Fonts that stood in for the ones named, for the glyphs of this text only.
  public var substitutions: [FontSubstitution]
  /// Whether every glyph was measured from the font that the style names.
  public var isExact: Bool
}

/// One family that stood in for another.
public struct FontSubstitution: Sendable, Hashable {
  /// The family that was asked for.
  public var requested: String
  /// The family that was measured instead, or nil when none had the glyphs.
  public var used: String?

  public init(requested: String, used: String?) {
    self.requested = requested
    self.used = used
  }
}
