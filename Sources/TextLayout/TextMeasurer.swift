// The one entrance: measures a text in a style, at a width, by a platform's rules.

/// Measures texts. Safe to use from several threads at once.
public final class TextMeasurer: Sendable {
  /// Version of the rules in this module: a change that can alter a height raises it.
  public static let version = 4

  /// Versions of all code that a height depends on.
  public static let engineVersion = "\(version), HarfBuzz \(HarfBuzz.version), ICU \(UnicodeText.version)"

  /// The fonts that texts are measured in.
  public let fonts: FontLibrary
  private let cache: ParagraphCache
  private let unicode = UnicodeText()
  private let setups: TextSetups
  private let pool: ScratchPool

  /// - Parameters:
  ///   - fonts: the fonts to measure in.
  ///   - cacheBytes: how much memory shaped paragraphs may take; they are what makes a second width cheap.
  ///   - pieceBytes: how much memory pieces of runs may take; they are what makes a new text cheap.
  public init(fonts: FontLibrary, cacheBytes: Int, pieceBytes: Int = 8 << 20) {
    self.fonts = fonts
    pool = ScratchPool(pieceBytes: pieceBytes)
    cache = ParagraphCache(capacityBytes: cacheBytes)
    setups = TextSetups(fonts: fonts)
  }

  /// Keeps no text any more that was measured until now.
  public func forgetTexts() {
    cache.removeAll()
    pool.removeAll()
  }

  /// Memory that kept paragraphs take, in bytes, about.
  public var cachedBytes: Int { cache.statistics.bytes }

  /// The cache of paragraphs: what it holds and how often it helped.
  public var cacheStatistics: ParagraphCacheStatistics { cache.statistics }

  /// Memory that known pieces of runs take, in bytes, about.
  public var pieceBytes: Int { pool.bytes }

  /// UTF-16 units that HarfBuzz was given, as far as scratch memory remembers.
  var shapedUnits: Int { pool.shapedUnits }

  /// Measures one text, in time that grows linearly with its length.
  ///
  /// - Parameters:
  ///   - text: any string; hard breaks are LF, CR, CRLF, VT, FF, U+0085, U+2028, U+2029.
  ///   - style: family, size, weight, locale.
  ///   - width: room for a line in the unit of the size; a width that is not above 0 gives one grapheme cluster a line.
  ///   - rules: the platform's rules.
  ///   - includingLines: whether `lineStarts` and `lineHeights` are wanted.
  public func measure(
    _ text: String, style: TextStyle, width: Double, rules: TextRules, includingLines: Bool = true
  ) -> TextMeasurement {
    let setup = setups.setup(style, rules)
    return measure(text, setup, LineRoom(width: width, size: setup.size), includingLines: includingLines)
  }

  func measure(_ text: String, _ setup: TextSetup, _ room: LineRoom, includingLines: Bool) -> TextMeasurement {
    var layout = layout(setup, room, includingLines: includingLines)
    forEachParagraph(of: text, setup) { paragraph, start in
      layout.add(paragraph, at: start)
      return !layout.isComplete
    }
    return layout.finish()
  }

  func setup(_ style: TextStyle, _ rules: TextRules) -> TextSetup { setups.setup(style, rules) }

  func layout(_ setup: TextSetup, _ room: LineRoom, includingLines: Bool) -> TextLayout {
    TextLayout(setup, room, includingLines: includingLines, pool: pool)
  }

  /// Shapes a text, to be measured at several widths without a look at any cache.
  public func prepare(_ text: String, style: TextStyle, rules: TextRules) -> PreparedText {
    let setup = setups.setup(style, rules)
    return PreparedText(self, text, setup, paragraphs(of: text, setup))
  }

  /// The text's paragraphs, shaped; no more than can be shown.
  func paragraphs(of text: String, _ setup: TextSetup) -> [PlacedParagraph] {
    var paragraphs: [PlacedParagraph] = []
    forEachParagraph(of: text, setup) { paragraph, start in
      paragraphs.append(PlacedParagraph(paragraph: paragraph, start: start))
      // Each paragraph is one line at least.
      return setup.rules.maximumLines <= 0 || paragraphs.count < setup.rules.maximumLines
    }
    return paragraphs
  }

  /// Calls `body` with each paragraph and its first UTF-16 unit until it returns false.
  private func forEachParagraph(of text: String, _ setup: TextSetup, _ body: (Paragraph, Int) -> Bool) {
    var text = text
    text.withUTF8 { bytes in
      // What is found as a whole has no hard break in it.
      if let known = unsafe cache.peek(ParagraphText(bytes, setup.packed)) {
        _ = body(known, 0)
        return
      }
      var (start, units) = (0, 0)
      while true {
        let hardBreak = unsafe HardBreaks.next(in: bytes, from: start)
        let end = hardBreak?.lowerBound ?? bytes.count
        // A break at the end of the text opens a line only where the view shows one; empty text always has one.
        if hardBreak == nil, start == end, end > 0, !setup.rules.countsTrailingBreak { return }
        let own = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
        let paragraph = unsafe paragraph(ParagraphText(own, setup.packed), setup)
        guard body(paragraph, units), let hardBreak else { return }
        units += paragraph.text.count + (unsafe HardBreaks.units(hardBreak, in: bytes))
        start = hardBreak.upperBound
      }
    }
  }

  private func paragraph(_ text: ParagraphText, _ setup: TextSetup) -> Paragraph {
    if let paragraph = cache.paragraph(text) { return paragraph }
    let units = unsafe UTF16Units.of(text.bytes)
    let paragraph = pool.withShaper { shaper in
      ParagraphBuilder(chain: setup.chain, settings: setup.paragraphs, unicode: unicode, shaper: shaper).build(units)
    }
    cache.insert(paragraph, text)
    return paragraph
  }
}
