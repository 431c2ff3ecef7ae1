// What a text is set in: family, fallbacks, size, weight and language.

/// The type of a text: everything that shaping depends on besides the text and the font files.
public struct TextStyle: Hashable, Sendable {
  /// The family that is tried first, a name in the font configuration.
  public var family: String
  /// Families tried next, in this order, before the configuration's own fallbacks.
  public var fallbacks: [String]
  /// Whether the configuration's fallbacks follow `family` and `fallbacks`.
  public var usesDefaultFallbacks: Bool
  /// Size of one em, in points, dp or CSS pixels.
  public var size: Double
  /// CSS weight, 1–1000; the nearest face of a family is taken as CSS Fonts 4 §5.2 says.
  public var weight: Int
  /// BCP 47 tag: decides the order of CJK fonts, localised forms and line breaking rules.
  public var locale: String

  public init(
    family: String, fallbacks: [String] = [], usesDefaultFallbacks: Bool = true, size: Double, weight: Int = 400,
    locale: String = "en"
  ) {
    self.family = family
    self.fallbacks = fallbacks
    self.usesDefaultFallbacks = usesDefaultFallbacks
    self.size = size
    self.weight = weight
    self.locale = locale
  }
}
