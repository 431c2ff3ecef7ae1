// From the fonts on a line to its height, by the platform's rule.

/// How far a font reaches above and below the baseline, in points (dp, CSS pixels), rounded as the rule says.
struct FontExtent: Hashable, Sendable {
  var ascent: Double
  var descent: Double
  var leading: Double
  /// With font padding: the reach of the first line upwards and of the last line downwards.
  var top: Double
  var bottom: Double

  func union(_ other: FontExtent) -> FontExtent {
    FontExtent(
      ascent: max(ascent, other.ascent), descent: max(descent, other.descent), leading: max(leading, other.leading),
      top: max(top, other.top), bottom: max(bottom, other.bottom))
  }

  /// Extent of a font under a rule. Android and web round in device pixels.
  init(_ metrics: VerticalMetrics, rule: LineHeightRule, size: Double, scale: Double) {
    let perUnit = size / Double(metrics.unitsPerEm)
    let (up, down) = (Double(metrics.ascender) * perUnit, -Double(metrics.descender) * perUnit)
    let gap = Double(metrics.lineGap) * perUnit
    (ascent, descent, leading, top, bottom) = (up, down, 0, 0, 0)
    switch rule {
    case .ios(let usesFontLeading): leading = usesFontLeading ? gap : 0
    case .plain: break
    case .android:
      // Paint.FontMetricsInt: SkScalarRoundToInt is floor(x + 0.5), and ascent is negative there.
      ascent = (up * scale - 0.5).rounded(.up) / scale
      descent = (down * scale + 0.5).rounded(.down) / scale
      top = (Double(metrics.top) * perUnit * scale).rounded(.up) / scale
      bottom = (-Double(metrics.bottom) * perUnit * scale).rounded(.up) / scale
    case .web:
      // Blink's SimpleFontData rounds ascent, descent and gap each; half the gap goes above, half below.
      let half = (gap * scale).rounded() / scale / 2
      ascent = (up * scale).rounded() / scale + half
      descent = (down * scale).rounded() / scale + half
    }
  }

  private init(ascent: Double, descent: Double, leading: Double, top: Double, bottom: Double) {
    (self.ascent, self.descent, self.leading, self.top, self.bottom) = (ascent, descent, leading, top, bottom)
  }
}

/// Adds up the heights of the lines of one text, top to bottom.
struct HeightSum {
  private let rules: TextRules
  private let primary: FontExtent
  private let usesPrimaryOnEveryLine: Bool
  private let isDetailed: Bool
  private var pending: FontExtent?
  private(set) var lines = 0
  private(set) var total = 0.0
  private(set) var lineHeights: [Double] = []

  init(rules: TextRules, primary: FontExtent, isDetailed: Bool) {
    self.rules = rules
    self.primary = primary
    self.isDetailed = isDetailed
    if case .ios = rules.lineHeight { usesPrimaryOnEveryLine = false } else { usesPrimaryOnEveryLine = true }
  }

  var isFull: Bool { rules.maximumLines > 0 && lines >= rules.maximumLines }

  /// Adds a line with the extent of the fonts on it, nil when nothing is on it.
  mutating func add(_ extent: FontExtent?) {
    if isFull { return }
    if let pending { put(pending, isFirst: lines == 1, isLast: false) }
    lines += 1
    guard let extent else {
      pending = primary
      return
    }
    pending = usesPrimaryOnEveryLine ? extent.union(primary) : extent
  }

  /// Ends the text.
  mutating func finish() {
    if let pending { put(pending, isFirst: lines == 1, isLast: true) }
    pending = nil
  }

  private mutating func put(_ extent: FontExtent, isFirst: Bool, isLast: Bool) {
    var height: Double
    switch rules.lineHeight {
    case .ios, .plain: height = extent.ascent + extent.descent + extent.leading
    case .web(let fixed): height = fixed ?? (extent.ascent + extent.descent)
    case .android(let padding, let extra, let multiplier):
      // StaticLayout.out: top and bottom come from the base font, and grow with a taller fallback font.
      let above = padding && isFirst ? max(primary.top, extent.ascent) : extent.ascent
      let below = padding && isLast ? max(primary.bottom, extent.descent) : extent.descent
      height = above + below
      if !isLast {
        let added = (height * (multiplier - 1) + extra) * rules.scale
        height += (added < 0 ? -(-added + 0.5).rounded(.down) : (added + 0.5).rounded(.down)) / rules.scale
      }
    }
    if isDetailed { lineHeights.append(height) }
    total += height + (isLast ? 0 : rules.lineSpacing)
  }
}
