// A text that is shaped, ready to be measured at any width.

/// A text in one style under one platform's rules, shaped once. Measuring it at a width takes time with its lines, not with its
/// characters, and looks nothing up. Immutable, safe to use from several threads at once.
public final class PreparedText: Sendable {
  private let setup: TextSetup
  let paragraphs: [PlacedParagraph]
  private let pool: ScratchPool

  init(_ setup: TextSetup, _ paragraphs: [PlacedParagraph], _ pool: ScratchPool) {
    (self.setup, self.paragraphs, self.pool) = (setup, paragraphs, pool)
  }

  /// Memory that the text takes, in bytes, about; the measurer's cache may hold the same.
  public var bytes: Int { paragraphs.reduce(64) { $0 + $1.paragraph.bytes + 16 } }

  /// As `TextMeasurer.measure`. Allocates nothing without `includingLines`, unless a word is longer than a line.
  ///
  /// - Parameters:
  ///   - width: room for a line in the unit of the size; a width that is not above 0 gives one grapheme cluster a line.
  ///   - includingLines: whether `lineStarts` and `lineHeights` are wanted.
  public func measure(width: Double, includingLines: Bool = false) -> TextMeasurement {
    var layout = TextLayout(setup, width: width, includingLines: includingLines, pool: pool)
    for placed in paragraphs where !layout.isComplete { layout.add(placed.paragraph, at: placed.start) }
    return layout.finish()
  }
}

/// A paragraph in its text.
struct PlacedParagraph: Sendable {
  var paragraph: Paragraph
  /// UTF-16 offset of its first unit.
  var start: Int
}
