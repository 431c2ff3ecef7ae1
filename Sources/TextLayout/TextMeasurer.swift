// The one entrance: measures a text in a style, at a width, by a platform's rules.
import Locks

/// Measures texts. Safe to use from several threads at once.
public final class TextMeasurer: Sendable {
  /// Version of the rules in this module: a change that can alter a height raises it.
  public static let version = 2

  /// Versions of all code that a height depends on.
  public static let engineVersion = "\(version), HarfBuzz \(HarfBuzz.version), ICU \(UnicodeText.version)"

  /// The fonts that texts are measured in.
  public let fonts: FontLibrary
  private let cache: ParagraphCache
  private let unicode = UnicodeText()
  private let chains: Lock<ChainTable> = Lock(ChainTable())
  private let shapers: Lock<[Shaper]> = Lock([])

  /// - Parameters:
  ///   - fonts: the fonts to measure in.
  ///   - cacheBytes: how much memory shaped paragraphs may take; they are what makes a second width cheap.
  public init(fonts: FontLibrary, cacheBytes: Int) {
    self.fonts = fonts
    cache = ParagraphCache(capacityBytes: cacheBytes)
  }

  /// Keeps no text any more that was measured until now.
  public func forgetTexts() { cache.removeAll() }

  /// Memory that kept paragraphs take, in bytes, about.
  public var cachedBytes: Int { cache.statistics.bytes }

  /// The cache of paragraphs: what it holds and how often it helped.
  public var cacheStatistics: ParagraphCacheStatistics { cache.statistics }

  /// UTF-16 units that HarfBuzz was given, as far as scratch memory remembers.
  var shapedUnits: Int { shapers.withLock { $0.reduce(0) { $0 + $1.shapedUnits } } }

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
    let chain = chain(for: style)
    let settings = ParagraphSettings(
      chain: chain.id, breaking: rules.breaking, bitmapAdvance: rules.bitmapAdvance,
      size: chain.hasTracking ? style.size : 0)
    var layout = TextLayout(
      chain: chain, style: style, width: width, rules: rules, includingLines: includingLines)
    let units = UTF16Units.of(text)
    HardBreaks.split(units) { range in
      if layout.isComplete { return }
      // A break at the end of the text opens a line only where the view shows one; empty text always has one.
      if range.isEmpty, range.lowerBound == units.count, !units.isEmpty, !rules.countsTrailingBreak { return }
      let part = range.count == units.count ? units : Array(units[range])
      let paragraph = paragraph(part, settings, chain)
      layout.add(paragraph, at: range.lowerBound) { body in
        self.withShaper { shaper in
          shaper.setLocale(chain.locale)
          let shaping = RunShaping(
            chain: chain, shaper: shaper, size: settings.size, bitmapAdvance: settings.bitmapAdvance)
          return unsafe paragraph.text.withUnsafeBufferPointer { text in
            body(
              unsafe CutShaper(
                text: text, runs: paragraph.runs, shaping: shaping, offsets: paragraph.offsets,
                flags: paragraph.flags, hyphenates: rules.breaking.softHyphen == .breaks))
          }
        }
      }
    }
    return layout.finish()
  }

  private func paragraph(_ text: [UInt16], _ settings: ParagraphSettings, _ chain: FontChain) -> Paragraph {
    let key = ParagraphKey(settings: settings, text: text)
    if let paragraph = cache.paragraph(key) { return paragraph }
    let paragraph = withShaper { shaper in
      ParagraphBuilder(chain: chain, settings: settings, unicode: unicode, shaper: shaper).build(text)
    }
    cache.insert(paragraph, key)
    return paragraph
  }

  private func withShaper<Result>(_ body: (Shaper) -> Result) -> Result {
    let shaper = shapers.withLock { $0.popLast() } ?? Shaper()
    let result = body(shaper)
    if shaper.largestUnits <= FontLimits.keptScratchUnits {
      shapers.withLock { if $0.count < FontLimits.scratchSets { $0.append(shaper) } }
    }
    return result
  }

  private func chain(for style: TextStyle) -> FontChain {
    var key = style
    key.size = 0
    return chains.withLock { table in
      if let latest = table.latest, latest.key == key { return latest.chain }
      if let chain = table.chains[key] {
        table.latest = (key, chain)
        return chain
      }
      table.lastID += 1
      let chain = fonts.chain(for: style, id: table.lastID)
      if table.chains.count >= FontLimits.chains { table.chains.removeAll() }
      table.chains[key] = chain
      return chain
    }
  }
}

/// Chains by style, the size aside. An ID is given once, so that a chain made anew never meets another's paragraphs.
private struct ChainTable {
  var chains: [TextStyle: FontChain] = [:]
  var lastID = 0
  /// What was asked for last, mostly asked for next.
  var latest: (key: TextStyle, chain: FontChain)?
}
