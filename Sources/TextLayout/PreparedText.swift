// A text that is shaped, ready to be measured at any width.

/// Room for a line in a size, worked out once for all texts that are measured in it.
public struct LineRoom: Sendable, Hashable {
  /// In `EmUnits`.
  let limit: Int64
  /// In the unit of the size.
  let width: Double

  /// - Parameters:
  ///   - width: in the unit of the size; one that is not above 0 gives one grapheme cluster a line.
  ///   - size: of the font.
  public init(width: Double, size: Double) {
    self.width = width
    limit = TextLayout.units(fitting: width, size: size)
  }
}

/// A text in one style under one platform's rules, shaped once. Measuring it at a width takes time with its lines, not with its
/// characters, and looks nothing up. Immutable, safe to use from several threads at once.
public final class PreparedText: Sendable {
  private enum Content {
    case ends([LineEnds])
    /// What a line changes by its cuts, or by where it begins.
    case paragraphs([PlacedParagraph])
  }

  private let measurer: TextMeasurer
  private let setup: TextSetup
  /// Asked for again where a word is longer than a line.
  private let text: String
  private let content: Content
  /// The only paragraph, where all of it has one font, and the number of its kind.
  private let sole: LineEnds?
  private let kind: Int32

  init(_ measurer: TextMeasurer, _ text: String, _ setup: TextSetup, _ paragraphs: [PlacedParagraph]) {
    (self.measurer, self.text, self.setup) = (measurer, text, setup)
    let ends = setup.rules.strategy == .simple ? paragraphs.compactMap { LineEnds($0.paragraph) } : []
    content = ends.count == paragraphs.count ? .ends(ends) : .paragraphs(paragraphs)
    if ends.count == 1, paragraphs.count == 1, let kind = LineKind.number(of: ends[0]) {
      (sole, self.kind) = (ends[0], kind)
    } else {
      (sole, kind) = (nil, -1)
    }
  }

  /// Memory that the text takes, in bytes, about, its characters aside; the measurer's cache may hold the same.
  public var bytes: Int {
    switch content {
    case .ends(let ends): ends.reduce(96) { $0 + $1.bytes }
    case .paragraphs(let paragraphs): paragraphs.reduce(96) { $0 + $1.paragraph.bytes + 16 }
    }
  }

  /// As `TextMeasurer.measure`, without lines. Allocates nothing, unless a word is longer than a line.
  public func measure(in room: LineRoom) -> TextMeasurement {
    var layout = measurer.layout(setup, room, includingLines: false)
    switch content {
    case .ends(let ends):
      for paragraph in ends where !layout.isComplete {
        guard layout.add(paragraph) else { return measurer.measure(text, setup, room, includingLines: false) }
      }
    case .paragraphs(let paragraphs):
      for placed in paragraphs where !layout.isComplete { layout.add(placed.paragraph, at: placed.start) }
    }
    return layout.finish()
  }

  /// What a measurement in this room follows from: two texts of one style and rules with the same outline measure alike, the
  /// width of their lines aside. Nil when only measuring tells.
  public func outline(in room: LineRoom) -> TextOutline? {
    let most = setup.rules.maximumLines > 0 ? setup.rules.maximumLines : Int.max
    guard let lines = sole?.count(limit: room.limit, atMost: most) else { return nil }
    return TextOutline(kind: kind, lines: Int32(truncatingIfNeeded: lines))
  }

  /// As `TextMeasurer.measure`, without lines.
  /// - Parameter width: room for a line in the unit of the size; a width that is not above 0 gives one grapheme cluster a line.
  public func measure(width: Double) -> TextMeasurement { measure(in: LineRoom(width: width, size: setup.size)) }
}

/// What the height of a text follows from, besides its style and rules.
public struct TextOutline: Sendable, Hashable {
  /// Which font it has, what stands in, and whether glyphs are missing: below 4,096, the same in all of the process.
  public let kind: Int32
  public let lines: Int32
}

/// A paragraph in its text.
struct PlacedParagraph: Sendable {
  var paragraph: Paragraph
  /// UTF-16 offset of its first unit.
  var start: Int
}
