// The line rules of a mode as a profile or a measure request writes them.

public import TextLayout

/// How text is broken into lines and how high they are. See `Config/profiles` for the words.
public struct LineRules: Sendable, Hashable {
  public enum Height: String, Sendable, CaseIterable { case ios, android, web, plain }
  public enum TrailingBreak: String, Sendable, CaseIterable {
    /// A break at the end opens an empty line.
    case line
    case ignored
  }
  public enum Tabs: Sendable, Hashable {
    /// A stop every so many units.
    case stops(every: Double, count: Int)
    /// A stop every so many device pixels, at any scale (Android's `TAB_INCREMENT`).
    case pixelStops(every: Double)
    case spaces(Int)
  }
  /// UIKit's `NSParagraphStyle.lineBreakStrategy`. `pushOut` moves words to the last line where they fit, so it changes no
  /// height.
  public enum LineBreakStrategy: String, Sendable, CaseIterable {
    case none, pushOut, hangulWordPriority, standard

    var keepsHangulWords: Bool { self == .hangulWordPriority || self == .standard }
  }
  public enum Hyphenation: String, Sendable, CaseIterable { case none }

  public var height = Height.plain
  /// `ios`: hhea's lineGap counts.
  public var usesFontLeading = false
  /// `android`: room for the tallest glyphs above the first line and under the last.
  public var includeFontPadding = false
  /// `android`: added to each line but the last.
  public var lineSpacingExtra = 0.0
  /// `android`: stretches each line but the last.
  public var lineSpacingMultiplier = 1.0
  /// `web`: every line's height; nil is CSS `normal`.
  public var lineHeight: Double?
  /// `ios` and `plain`: space between two lines.
  public var lineSpacing = 0.0
  public var strictness = LineBreakRules.Strictness.strict
  public var hangul = LineBreakRules.Hangul.syllable
  public var softHyphen = LineBreakRules.SoftHyphen.breaks
  public var ideographicSpaceHangs = true
  public var breakPairs = LineBreakRules.Pairs.unicode
  /// `breakPairs` of `android`: whether a line may end after a hyphen.
  public var hyphens = LineBreakRules.Hyphens.broken
  public var quotes = LineBreakRules.Quotes.unicode
  public var bitmapAdvance = BitmapAdvance.font
  public var tabs = Tabs.spaces(8)
  public var trailingBreak = TrailingBreak.ignored
  /// Lines beyond add no height; 0 is no limit.
  public var maximumLines = 0
  public var breakStrategy = BreakStrategy.simple
  /// `ios`: nil leaves `hangul` to decide alone.
  public var lineBreakStrategy: LineBreakStrategy?
  public var hyphenation = Hyphenation.none

  public init() {}

  /// - Parameter scale: device pixels in a unit.
  func textRules(scale: Double) -> TextRules {
    TextRules(
      lineHeight: lineHeightRule,
      breaking: LineBreakRules(
        strictness: strictness, hangul: hangul, softHyphen: softHyphen, ideographicSpaceHangs: ideographicSpaceHangs,
        pairs: breakPairs, hyphens: hyphens, quotes: quotes),
      strategy: breakStrategy, tabs: tabRule(scale: scale), bitmapAdvance: bitmapAdvance, lineSpacing: lineSpacing,
      maximumLines: maximumLines,
      countsTrailingBreak: trailingBreak == .line, scale: scale)
  }

  private var lineHeightRule: LineHeightRule {
    switch height {
    case .ios: .ios(usesFontLeading: usesFontLeading)
    case .android:
      .android(
        includeFontPadding: includeFontPadding, spacingExtra: lineSpacingExtra,
        spacingMultiplier: lineSpacingMultiplier)
    case .web: .web(height: lineHeight)
    case .plain: .plain
    }
  }

  private func tabRule(scale: Double) -> TabRule {
    switch tabs {
    case .stops(let every, let count): .stops(every: every, count: count)
    case .pixelStops(let every): .stops(every: every / scale, count: 0)
    case .spaces(let count): .spaces(count)
    }
  }
}
