// Layouts: the rows of a kit with their heights in whole device pixels.

public import InterviewKits
public import TextLayout

/// The rows of a kit in one viewport, from top to bottom, without gaps between them.
public struct Layout: Sendable {
  public let kitID: ItemID
  public let kitRevision: Int
  public let viewport: Viewport
  /// A hash of all that the heights depend on besides the text.
  public let fingerprint: String
  public let rows: [LayoutRow]
  /// The end of the last row, in device pixels.
  public let contentPixels: Int
  /// True when every glyph was measured from the font that the profile names.
  public let isExact: Bool
  /// The fonts that stood in, without repetition, in order of first use.
  public let substitutions: [FontSubstitution]

  /// The height of all rows, in the profile's unit.
  public var contentHeight: Double { Double(contentPixels) / viewport.scale }

  /// A length of this layout, in the profile's unit.
  public func length(pixels: Int) -> Double { Double(pixels) / viewport.scale }
}

public struct LayoutRow: Sendable, Hashable {
  public let id: ItemID
  public let kind: RowKind
  public let sectionID: ItemID
  /// The row's top, in device pixels from the top of the list.
  public let y: Int
  public let geometry: RowGeometry

  /// The row's height in device pixels.
  public var height: Int { geometry.height }
}

/// What one row's content makes of its height; it does not depend on other rows, nor on the row's place.
public final class RowGeometry: Sendable, Hashable {
  /// In device pixels, the separator counted.
  public let height: Int
  public let parts: [PartGeometry]
  /// True when some character is in no font.
  public let missingGlyphs: Bool
  /// True when every glyph was measured from the font that the profile names.
  public let isExact: Bool
  /// The fonts that stood in, each once.
  public let substitutions: [FontSubstitution]

  init(height: Int, parts: [PartGeometry]) {
    (self.height, self.parts) = (height, parts)
    var (missingGlyphs, isExact, substitutions) = (false, true, [FontSubstitution]())
    for part in parts {
      missingGlyphs = missingGlyphs || part.measured.missingGlyphs
      isExact = isExact && part.measured.isExact
      substitutions.addMissing(part.measured.substitutions)
    }
    (self.missingGlyphs, self.isExact, self.substitutions) = (missingGlyphs, isExact, substitutions)
  }

  public static func == (left: RowGeometry, right: RowGeometry) -> Bool {
    left === right || (left.height == right.height && left.parts == right.parts)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(height)
    hasher.combine(parts)
  }
}

public struct PartGeometry: Sendable, Hashable {
  public let entry: RowPart
  /// The part's top, in device pixels from the top of its row.
  public let y: Int
  public let measured: MeasuredPart

  /// What its text is; nil for a slot.
  public var role: PartRole? { if case .text(let role) = entry { role } else { nil } }
  /// The slot's name; nil for a text.
  public var slot: String? { if case .slot(let name) = entry { name } else { nil } }

  /// In device pixels, with the insets of its view.
  public var height: Int { measured.height }
  /// None in a slot.
  public var lines: Int { measured.lines }
}

/// A text measured in the view that shows it.
public struct MeasuredPart: Sendable, Hashable {
  /// In device pixels, with the insets of its view.
  public var height: Int
  public var lines: Int
  public var missingGlyphs: Bool
  public var isExact: Bool
  public var substitutions: [FontSubstitution]

  init(height: Int, lines: Int, missingGlyphs: Bool, isExact: Bool, substitutions: [FontSubstitution]) {
    (self.height, self.lines, self.missingGlyphs) = (height, lines, missingGlyphs)
    (self.isExact, self.substitutions) = (isExact, substitutions)
  }

  /// A slot, which holds no text of ours.
  init(slot height: Int) { self.init(height: height, lines: 0, missingGlyphs: false, isExact: true, substitutions: []) }
}

/// What changed between two layouts of one kit revision in one viewport.
public struct LayoutDelta: Sendable, Hashable {
  public struct Change: Sendable, Hashable {
    public var id: ItemID
    /// What the row is now.
    public var geometry: RowGeometry
    /// In device pixels.
    public var heightDelta: Int

    /// In device pixels.
    public var height: Int { geometry.height }
  }

  public struct Insertion: Sendable, Hashable {
    /// The row that the new one follows, itself perhaps new; nil puts it first.
    public var after: ItemID?
    public var row: LayoutRow
  }

  public var viewport: Viewport
  public var fingerprint: String
  /// The end of the last row, in device pixels.
  public var contentPixels: Int
  /// Rows of another height, in list order.
  public var changed: [Change]
  /// New rows in list order: applied one after the other, each finds its neighbour.
  public var inserted: [Insertion]
  /// Rows that are gone, in the order of the list before.
  public var removed: [ItemID]

  /// False tells the client to do nothing.
  public var heightChanged: Bool { !changed.isEmpty || !inserted.isEmpty || !removed.isEmpty }
}

extension [FontSubstitution] {
  /// Appends those that are not there yet.
  mutating func addMissing(_ others: [FontSubstitution]) {
    if isEmpty { return self = others }
    for other in others where !contains(other) { append(other) }
  }
}
