// Lays out the paragraphs of one text one under the other.

/// The layout of one text in the making.
struct TextLayout {
  private let setup: TextSetup
  private let pool: ScratchPool
  private let includingLines: Bool
  /// Room for a line, in `EmUnits`.
  private let limit: Int64
  private var heights: HeightSum
  private var widest: Int64 = 0
  private var lineStarts: [Int] = []
  private var hasMissingGlyphs = false
  private var substitutions: [FontSubstitution] = []

  init(_ setup: TextSetup, _ room: LineRoom, includingLines: Bool, pool: ScratchPool) {
    self.setup = setup
    self.pool = pool
    self.includingLines = includingLines
    limit = room.limit
    heights = HeightSum(rules: setup.rules, primary: setup.primaryExtent, isDetailed: includingLines)
  }

  /// Whether nothing that follows can change the result.
  var isComplete: Bool { heights.isFull }

  /// - Parameter start: the paragraph's first UTF-16 unit in the text.
  mutating func add(_ paragraph: Paragraph, at start: Int) {
    note(paragraph.hasMissingGlyphs, paragraph.substitutions)
    let cutter = CutSource(paragraph: paragraph, setup: setup, pool: pool)
    var walker = LineWalker(paragraph: paragraph, limit: limit, tabs: setup.tabs, cutter: cutter)
    var run = 0
    if let ends = ends(of: paragraph, cutter) {
      walker.walk(ends: ends) { add($0, of: paragraph, at: start, from: &run) }
    } else {
      walker.walk { add($0, of: paragraph, at: start, from: &run) }
    }
  }

  /// Adds a paragraph, without lines; false, and nothing is right any more, when a word is longer than a line.
  mutating func add(_ paragraph: LineEnds) -> Bool {
    note(paragraph.hasMissingGlyphs, paragraph.substitutions)
    let setup = setup
    let first = paragraph.fonts.first.map { setup.extent(ofPlace: Int($0)) }
    return paragraph.walk(limit: limit) { width, ends in
      if heights.isFull { return }
      var extent = first
      if paragraph.fonts.count > 1 {
        let bits = paragraph.fontsBefore[ends].reduce(0) { $0 | $1 }
        if bits & 1 == 0 { extent = nil }
        for font in 1..<paragraph.fonts.count where bits >> UInt8(font) & 1 == 1 {
          let own = setup.extent(ofPlace: Int(paragraph.fonts[font]))
          extent = extent?.union(own) ?? own
        }
      }
      heights.add(extent)
      widest = max(widest, width)
    }
  }

  private mutating func note(_ isMissingGlyphs: Bool, _ others: [FontSubstitution]) {
    hasMissingGlyphs = hasMissingGlyphs || isMissingGlyphs
    if substitutions.isEmpty { return substitutions = others }
    for substitution in others where !substitutions.contains(substitution) { substitutions.append(substitution) }
  }

  private mutating func add(_ line: LineBox, of paragraph: Paragraph, at start: Int, from run: inout Int) {
    if heights.isFull { return }
    heights.add(extent(of: line, in: paragraph, from: &run))
    widest = max(widest, line.width)
    if includingLines { lineStarts.append(start + line.start) }
  }

  /// The ends that a break strategy chooses; nil: each line takes what fits.
  private func ends(of paragraph: Paragraph, _ cutter: CutSource) -> [Int]? {
    if setup.rules.strategy == .simple || paragraph.text.isEmpty { return nil }
    let breaker = OptimalBreaker(
      paragraph: paragraph, limit: limit, strategy: setup.rules.strategy,
      emPixels: setup.size * setup.rules.scale, cutter: cutter)
    return breaker.ends()
  }

  mutating func finish() -> TextMeasurement {
    heights.finish()
    // Sums of doubles may lie a hair above a whole pixel: that is no further pixel.
    let pixels = (heights.total * setup.rules.scale - 1e-6).rounded(.up)
    return TextMeasurement(
      lines: heights.lines, exactHeight: heights.total, height: pixels / setup.rules.scale,
      width: Self.length(widest, size: setup.size),
      lineStarts: lineStarts, lineHeights: heights.lineHeights, missingGlyphs: hasMissingGlyphs,
      substitutions: substitutions, isExact: substitutions.isEmpty)
  }

  /// Largest extent of the fonts on a line; runs before `run` end before it.
  private func extent(of line: LineBox, in paragraph: Paragraph, from run: inout Int) -> FontExtent? {
    if paragraph.solePlace >= 0 { return setup.extent(ofPlace: Int(paragraph.solePlace)) }
    var union: FontExtent?
    var index = run
    while index < paragraph.runs.count, Int(paragraph.runs[index].start) < line.end {
      let extent = setup.extent(ofPlace: Int(paragraph.runs[index].place))
      union = union?.union(extent) ?? extent
      if Int(paragraph.runs[index].end) <= line.end { run = index + 1 }
      index += 1
    }
    return union
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
}

extension VerticalMetrics {
  /// Of a font that is not there.
  static let none = VerticalMetrics(ascender: 0, descender: 0, lineGap: 0, top: 0, bottom: 0, unitsPerEm: 1)
}
