// The one entrance: measures a text in a style, at a width, by a platform's rules.
import Synchronization

/// Measures texts. Safe to use from several threads at once.
public final class TextMeasurer: Sendable {
  /// Version of the rules in this module: a change that can alter a height raises it.
  public static let version = 1

  /// The fonts that texts are measured in.
  public let fonts: FontLibrary
  private let chains: Mutex<[TextStyle: FontChain]> = Mutex([:])

  /// - Parameters:
  ///   - fonts: the fonts to measure in.
  ///   - cacheBytes: how much memory shaped paragraphs may take; they are what makes a second width cheap.
  public init(fonts: FontLibrary, cacheBytes: Int) {
    self.fonts = fonts
  }

  /// Measures one text.
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
    TextMeasurement(
      lines: 1, exactHeight: 0, height: 0, width: 0, lineStarts: [], lineHeights: [], missingGlyphs: false,
      substitutions: [], isExact: true)
  }
}
