// Text size settings: Dynamic Type of iOS, and the font scale of Android and browsers.

/// What a platform's text size setting does to font sizes.
public enum TextSizeRule: Sendable, Hashable {
  case dynamicType(DynamicType)
  case fontScale(FontScaling)

  /// The weight of a text style; nil when there is no such style.
  public func weight(ofStyle name: String) -> Int? {
    switch self {
    case .dynamicType(let rule): rule.styles[name]?.weight
    case .fontScale(let rule): rule.styles[name]?.weight
    }
  }

  public var styleNames: [String] {
    switch self {
    case .dynamicType(let rule): rule.styles.keys.sorted()
    case .fontScale(let rule): rule.styles.keys.sorted()
    }
  }

  /// The setting that a viewport has when it names none.
  public var standard: TextSize {
    switch self {
    case .dynamicType(let rule): .contentSize(rule.categories[rule.standard].name)
    case .fontScale(let rule): .fontScale(rule.standard)
    }
  }

  /// The size that text is drawn at. Traps on a style that the rule lacks: profiles are checked when read.
  /// - Parameter scale: device pixels in a point.
  public func size(of font: FontSize, at setting: TextSize, scale: Double) -> Double {
    switch (self, setting) {
    case (.dynamicType(let rule), .contentSize(let name)):
      guard let category = rule.category(name) else { preconditionFailure("no text size \(name)") }
      return rule.size(of: font, category: category, scale: scale)
    case (.fontScale(let rule), .fontScale(let factor)): return rule.size(of: font, factor: factor)
    default: preconditionFailure("\(setting) is no setting of this profile")
    }
  }
}

/// A text size setting.
public enum TextSize: Sendable, Hashable {
  /// iOS: a content size category by its short name, such as `large`.
  case contentSize(String)
  /// Android and web.
  case fontScale(Double)
}

/// Dynamic Type: point sizes per text style and content size category.
public struct DynamicType: Sendable, Hashable {
  public struct Category: Sendable, Hashable {
    public var name: String
    /// Other names, such as `UICTContentSizeCategoryL`; compared without case.
    public var aliases: [String]
  }

  public struct Style: Sendable, Hashable {
    public var weight: Int
    /// Point size per category.
    public var sizes: [Double]
    /// The distance between baselines that the guidelines print, per category.
    public var leading: [Double]
  }

  public var categories: [Category]
  /// The place of the default category.
  public var standard: Int
  public var styles: [String: Style]
  /// The style by whose leading other sizes scale (`UIFontMetrics`).
  public var otherSizesStyle: String

  /// The place of a category named in any case, in short or in full.
  public func category(_ name: String) -> Int? {
    let name = name.lowercased()
    return categories.firstIndex { category in
      category.name.lowercased() == name || category.aliases.contains { $0.lowercased() == name }
    }
  }

  func size(of font: FontSize, category: Int, scale: Double) -> Double {
    switch font {
    case .style(let name):
      guard let style = styles[name] else { preconditionFailure("no text style \(name)") }
      return style.sizes[category]
    case .fixed(let size):
      guard category != standard, let style = styles[otherSizesStyle] else { return size }
      // UIFontMetrics follows the leading, not the size, and rounds to whole device pixels: at the largest setting
      // 17 points of body become 48, where the text style itself has 53.
      let scaled = size * style.leading[category] / style.leading[standard]
      return (scaled * scale).rounded() / scale
    }
  }
}

/// A font scale, linear or by curves.
public struct FontScaling: Sendable, Hashable {
  public struct Style: Sendable, Hashable {
    public var weight: Int
    public var size: Double
  }

  /// Sizes at one scale.
  public struct Curve: Sendable, Hashable {
    public var factor: Double
    public var sizes: [Double]
  }

  public var standard: Double
  public var range: ClosedRange<Double>
  public var styles: [String: Style]
  /// The sizes before scaling that curves have an entry for, rising.
  public var curveSizes: [Double]
  /// Rising by factor; none: linear. Between two curves sizes are interpolated; outside of all it is linear.
  public var curves: [Curve]
  /// Below this factor scaling is linear.
  public var curvesFrom: Double

  func size(of font: FontSize, factor: Double) -> Double {
    let size: Double
    switch font {
    case .style(let name):
      guard let style = styles[name] else { preconditionFailure("no text style \(name)") }
      size = style.size
    case .fixed(let fixed): size = fixed
    }
    guard factor >= curvesFrom, let above = curves.firstIndex(where: { $0.factor >= factor }) else {
      return Self.product(size, factor)
    }
    let upper = value(of: size, on: curves[above])
    if curves[above].factor == factor { return upper }
    guard above > 0 else { return Self.product(size, factor) }
    let lower = value(of: size, on: curves[above - 1])
    let span = curves[above].factor - curves[above - 1].factor
    return lower + (upper - lower) * (factor - curves[above - 1].factor) / span
  }

  /// 24 × 1.3 is 31.2: both are decimals that binary fractions only come close to.
  private static func product(_ size: Double, _ factor: Double) -> Double { (size * factor * 1e9).rounded() / 1e9 }

  /// Interpolates between the entries; below the first and above the last the ratio stays.
  private func value(of size: Double, on curve: Curve) -> Double {
    guard let above = curveSizes.firstIndex(where: { $0 >= size }) else {
      return size * curve.sizes[curve.sizes.count - 1] / curveSizes[curveSizes.count - 1]
    }
    if curveSizes[above] == size { return curve.sizes[above] }
    guard above > 0 else { return size * curve.sizes[0] / curveSizes[0] }
    let (low, high) = (curveSizes[above - 1], curveSizes[above])
    let (from, to) = (curve.sizes[above - 1], curve.sizes[above])
    return from + (to - from) * (size - low) / (high - low)
  }
}
