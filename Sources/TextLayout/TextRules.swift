// How a platform turns shaped text into lines and lines into heights.

/// The rules of one platform for one kind of view.
public struct TextRules: Hashable, Sendable {
  /// How the height of a line follows from the fonts on it.
  public var lineHeight: LineHeightRule
  /// Where a line may end.
  public var breaking: LineBreakRules
  /// Which of those places are taken.
  public var strategy: BreakStrategy
  /// How wide a tab is.
  public var tabs: TabRule
  /// Advance of colour bitmap glyphs.
  public var bitmapAdvance: BitmapAdvance
  /// Extra space between two lines, never under the last one; points.
  public var lineSpacing: Double
  /// Lines beyond this count add no height; 0 is no limit.
  public var maximumLines: Int
  /// Whether a break at the very end of the text opens one more, empty line (`UITextView`, `EditText`, `textarea`: yes;
  /// `boundingRect`: no). Empty text is one line high either way.
  public var countsTrailingBreak: Bool
  /// Device pixels in a point: heights are rounded up to 1/scale.
  public var scale: Double

  public init(
    lineHeight: LineHeightRule = .plain, breaking: LineBreakRules = LineBreakRules(),
    strategy: BreakStrategy = .simple, tabs: TabRule = .spaces(8), bitmapAdvance: BitmapAdvance = .font,
    lineSpacing: Double = 0, maximumLines: Int = 0,
    countsTrailingBreak: Bool = false, scale: Double = 1
  ) {
    self.lineHeight = lineHeight
    self.breaking = breaking
    self.strategy = strategy
    self.tabs = tabs
    self.bitmapAdvance = bitmapAdvance
    self.lineSpacing = lineSpacing
    self.maximumLines = maximumLines
    self.countsTrailingBreak = countsTrailingBreak
    self.scale = scale
  }
}

/// How the height of a line follows from the fonts on it.
public enum LineHeightRule: Hashable, Sendable {
  /// TextKit: ascender − descender of the fonts really on the line, unrounded; hhea's lineGap only with `usesFontLeading`.
  /// The primary font does not hold a line of fallback glyphs open.
  case ios(usesFontLeading: Bool)
  /// `StaticLayout` with fallback line spacing: ascent and descent rounded to whole device pixels; with
  /// `includeFontPadding` the first line takes `top` and the last `bottom`. `spacingExtra` is in dp.
  case android(includeFontPadding: Bool, spacingExtra: Double, spacingMultiplier: Double)
  /// CSS 2 §10.8: `line-height: normal` when `height` is nil, else every line is `height` CSS pixels.
  case web(height: Double?)
  /// Ascender − descender from hhea, unrounded; the primary font and the fonts used both count on every line.
  case plain
}

/// Where a line may end, on top of UAX #14 for the style's locale.
public struct LineBreakRules: Hashable, Sendable {
  /// Line breaking strictness, as in CSS Text 3 `line-break`: decides about small kana and ー.
  public enum Strictness: String, Hashable, Sendable, CaseIterable { case loose, normal, strict }
  /// Whether Hangul breaks between syllables or, treated like letters (UAX #14 §8), at spaces only.
  public enum Hangul: String, Hashable, Sendable, CaseIterable { case syllable, word }
  /// Whether U+00AD is a place to break, with a hyphen drawn there.
  public enum SoftHyphen: String, Hashable, Sendable, CaseIterable { case breaks, ignored }
  /// Whose places to break: UAX #14 alone, with the browser's pair table for ASCII, or with Android's rules for web and
  /// mail addresses and for hyphens.
  public enum Pairs: String, Hashable, Sendable, CaseIterable { case unicode, web, android }
  /// Whether a line may end after a hyphen. Android leaves that to hyphenation: with hyphenation off it may not.
  public enum Hyphens: String, Hashable, Sendable, CaseIterable { case broken, unbroken }
  /// Whether quotation marks break as UAX #14 has it, or as brackets where the locale opens and closes with them (ICU as
  /// Apple has it, and no other).
  public enum Quotes: String, Hashable, Sendable, CaseIterable { case unicode, locale }

  public var strictness: Strictness
  public var hangul: Hangul
  public var softHyphen: SoftHyphen
  /// Whether U+3000 at the end of a line takes no room, like other spaces (web: yes).
  public var ideographicSpaceHangs: Bool
  public var pairs: Pairs
  /// With `pairs` of `android` only.
  public var hyphens: Hyphens
  public var quotes: Quotes

  public init(
    strictness: Strictness = .strict, hangul: Hangul = .syllable, softHyphen: SoftHyphen = .breaks,
    ideographicSpaceHangs: Bool = true, pairs: Pairs = .unicode, hyphens: Hyphens = .broken,
    quotes: Quotes = .unicode
  ) {
    self.pairs = pairs
    self.hyphens = hyphens
    self.quotes = quotes
    self.strictness = strictness
    self.hangul = hangul
    self.softHyphen = softHyphen
    self.ideographicSpaceHangs = ideographicSpaceHangs
  }
}

/// Which of the places to break are taken (`android.graphics.text.LineBreaker`).
public enum BreakStrategy: String, Hashable, Sendable, CaseIterable {
  /// Each line takes what fits. Wider never means more lines.
  case simple
  /// The lines of a paragraph are weighed together; the last may be short.
  case highQuality
  /// As `highQuality`, with all lines about equally long.
  case balanced
}

/// Where the text after a tab goes on.
public enum TabRule: Hashable, Sendable {
  /// A stop every so many points. Beyond the last of `count` stops (0: no last one) a tab is as wide as a space.
  case stops(every: Double, count: Int)
  /// A stop every so many spaces of the primary font (CSS `tab-size`).
  case spaces(Int)
}

/// Which advance a colour bitmap glyph takes.
public enum BitmapAdvance: String, Hashable, Sendable, CaseIterable {
  /// The advance of the font's `hmtx` table.
  case font
  /// The advance of the bitmap strike, as the font configuration states it (Skia with FreeType, hence Chromium).
  case strike
}
