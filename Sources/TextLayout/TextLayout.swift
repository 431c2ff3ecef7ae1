// Lays out the paragraphs of one text one under the other.

/// The layout of one text in the making.
struct TextLayout {
  private let chain: FontChain
  private let style: TextStyle
  private let rules: TextRules
  private let includingLines: Bool
  private let limit: Int64
  private let tabs: TabStops
  private let primaryExtent: FontExtent
  /// Extents of the other fonts on the lines so far: a few.
  private var extents: [(place: Int, extent: FontExtent)] = []
  private var heights: HeightSum
  private var widest: Int64 = 0
  private var lineStarts: [Int] = []
  private var hasMissingGlyphs = false
  private var substitutions: [FontSubstitution] = []

  init(chain: FontChain, style: TextStyle, width: Double, rules: TextRules, includingLines: Bool) {
    self.chain = chain
    self.style = style
    self.rules = rules
    self.includingLines = includingLines
    limit = Self.units(fitting: width, size: style.size)
    tabs = Self.tabStops(rules.tabs, chain: chain, unit: style.size / Double(EmUnits.perEm))
    primaryExtent = FontExtent(
      chain.metrics(of: chain.primary) ?? .none, rule: rules.lineHeight, size: style.size, scale: rules.scale)
    heights = HeightSum(rules: rules, primary: primaryExtent, isDetailed: includingLines)
  }

  /// Whether nothing that follows can change the result.
  var isComplete: Bool { heights.isFull }

  mutating func add(
    _ paragraph: Paragraph, at start: Int, cutter: @escaping ((CutShaper) -> Int64) -> Int64
  ) {
    hasMissingGlyphs = hasMissingGlyphs || paragraph.hasMissingGlyphs
    for substitution in paragraph.substitutions where !substitutions.contains(substitution) {
      substitutions.append(substitution)
    }
    var walker = LineWalker(paragraph: paragraph, limit: limit, tabs: tabs, cutter: cutter)
    var run = 0
    if let ends = ends(of: paragraph) {
      walker.walk(ends: ends) { add($0, of: paragraph, at: start, from: &run) }
    } else {
      walker.walk { add($0, of: paragraph, at: start, from: &run) }
    }
  }

  private mutating func add(_ line: LineBox, of paragraph: Paragraph, at start: Int, from run: inout Int) {
    if heights.isFull { return }
    heights.add(extent(of: line, in: paragraph, from: &run))
    widest = max(widest, line.width)
    if includingLines { lineStarts.append(start + line.start) }
  }

  /// The ends that a break strategy chooses; nil: each line takes what fits.
  private func ends(of paragraph: Paragraph) -> [Int]? {
    if rules.strategy == .simple || paragraph.text.isEmpty { return nil }
    let breaker = OptimalBreaker(
      paragraph: paragraph, limit: limit, strategy: rules.strategy, emPixels: style.size * rules.scale)
    return breaker.ends()
  }

  mutating func finish() -> TextMeasurement {
    heights.finish()
    // Sums of doubles may lie a hair above a whole pixel: that is no further pixel.
    let pixels = (heights.total * rules.scale - 1e-6).rounded(.up)
    return TextMeasurement(
      lines: heights.lines, exactHeight: heights.total, height: pixels / rules.scale,
      width: Self.length(widest, size: style.size),
      lineStarts: lineStarts, lineHeights: heights.lineHeights, missingGlyphs: hasMissingGlyphs,
      substitutions: substitutions, isExact: substitutions.isEmpty)
  }

  /// Largest extent of the fonts on a line; runs before `run` end before it.
  private mutating func extent(of line: LineBox, in paragraph: Paragraph, from run: inout Int) -> FontExtent? {
    var union: FontExtent?
    var index = run
    while index < paragraph.runs.count, Int(paragraph.runs[index].start) < line.end {
      let extent = extent(ofPlace: Int(paragraph.runs[index].place))
      union = union?.union(extent) ?? extent
      if Int(paragraph.runs[index].end) <= line.end { run = index + 1 }
      index += 1
    }
    return union
  }

  private mutating func extent(ofPlace place: Int) -> FontExtent {
    if place == chain.primary { return primaryExtent }
    for known in extents where known.place == place { return known.extent }
    let extent = FontExtent(
      chain.metrics(of: place) ?? .none, rule: rules.lineHeight, size: style.size, scale: rules.scale)
    extents.append((place, extent))
    return extent
  }

  /// The largest whole number of parts of an em whose length, computed as widths are, does not exceed a width.
  static func units(fitting width: Double, size: Double) -> Int64 {
    guard width > 0 else { return 0 }
    let exact = width * Double(EmUnits.perEm) / size
    guard size > 0, exact < 0x1p52 else { return Int64.max / 4 }
    var units = Int64(exact)
    while units > 0, length(units, size: size) > width { units -= 1 }
    while length(units + 1, size: size) <= width { units += 1 }
    return units
  }

  /// Length of parts of an em. The product comes first: it is exact, so that what fills a line to the brim fits.
  static func length(_ units: Int64, size: Double) -> Double { Double(units) * size / Double(EmUnits.perEm) }

  private static func tabStops(_ rule: TabRule, chain: FontChain, unit: Double) -> TabStops {
    let space = chain.fonts[chain.primary].face?.opened().spaceAdvance ?? 0
    switch rule {
    case .spaces(let count):
      // CSS Text 3 §4.2: a stop nearer than half a digit's width is passed over.
      let nearest = (chain.fonts[chain.primary].face?.opened().zeroAdvance ?? 0) / 2
      return TabStops(
        interval: space * Int64(max(0, min(count, 1_000))), last: .max, beyond: space, nearest: nearest)
    case .stops(let every, let count):
      guard every > 0, unit > 0, every / unit < 0x1p40 else { return TabStops(interval: 0, last: 0, beyond: 0) }
      let interval = Int64((every / unit).rounded())
      let last = count > 0 ? interval * Int64(min(count, 10_000)) : .max
      return TabStops(interval: interval, last: last, beyond: space)
    }
  }
}

extension VerticalMetrics {
  /// Of a font that is not there.
  static let none = VerticalMetrics(ascender: 0, descender: 0, lineGap: 0, top: 0, bottom: 0, unitsPerEm: 1)
}
