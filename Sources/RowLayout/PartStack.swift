// Parts of a row one under the other, and rows that come out alike.

internal import TextLayout

/// The parts of a row in the making.
struct PartStack {
  private(set) var parts: [PartGeometry] = []
  private var y = 0

  mutating func begin(_ rule: ResolvedRow, parts count: Int) {
    parts.removeAll(keepingCapacity: true)
    parts.reserveCapacity(count)
    y = rule.top
  }

  mutating func add(slot name: String, height: Int, gapAbove: Int) {
    if !parts.isEmpty { y += gapAbove }
    parts.append(PartGeometry(entry: .slot(name), y: y, measured: MeasuredPart(slot: height)))
    y += height
  }

  /// - Parameter isFirst: whether no other text of the part is above.
  mutating func add(_ measured: MeasuredPart, in part: ResolvedPart, isFirst: Bool) {
    if !parts.isEmpty { y += isFirst ? part.gapAbove : part.gapBetween }
    y += part.above
    parts.append(PartGeometry(entry: .text(part.role), y: y, measured: measured))
    y += measured.height + part.below
  }

  /// Of the row, in device pixels.
  func height(_ rule: ResolvedRow) -> Int { max(rule.minimum, y + rule.bottom) + rule.separator }
}

/// Puts the rows of one viewport together while they are unanswered: those that come out alike are one object.
struct AlikeRows {
  /// A row, and what its height follows from; empty when only measuring tells.
  private struct Known {
    var outlines: [UInt64]
    var row: RowGeometry
  }

  private var stack = PartStack()
  /// By kind; the ones met last.
  private var known: [[Known]]
  /// Of the texts of the row in the making; empty when only measuring tells.
  private var outlines: [UInt64] = []
  /// By part, and whether the row takes an answer: parts that show one while there is none.
  private var empty: [MeasuredPart??] = []
  /// How many rows were like no other that was known.
  private(set) var made = 0

  /// How many are compared with.
  private static let maximumKnown = 16

  init() { known = [[Known]](repeating: [], count: RowKind.allCases.count) }

  /// The row of a kind with these texts, if one came out that has as many lines of the same font in each part. Its empty fields
  /// and slots are those of all of its kind.
  mutating func known(_ rule: ResolvedRow, _ texts: inout PreparedKit.Reader) -> RowGeometry? {
    outlines.removeAll(keepingCapacity: true)
    var isKnown = true
    for part in rule.itemParts {
      texts.next { text in
        guard isKnown, let outline = text.outline(in: part.room) else { return isKnown = false }
        outlines.append(
          UInt64(part.number) << 48 | UInt64(UInt32(bitPattern: outline.kind)) << 32
            | UInt64(UInt32(bitPattern: outline.lines)))
      }
    }
    guard isKnown, !outlines.isEmpty else {
      outlines.removeAll(keepingCapacity: true)
      return nil
    }
    for other in known[rule.place] where other.outlines == outlines { return other.row }
    return nil
  }

  mutating func begin(_ rule: ResolvedRow) { stack.begin(rule, parts: 0) }

  mutating func add(slot name: String, height: Int, gapAbove: Int) {
    stack.add(slot: name, height: height, gapAbove: gapAbove)
  }

  mutating func add(_ measured: MeasuredPart, in part: ResolvedPart, isFirst: Bool) {
    stack.add(measured, in: part, isFirst: isFirst)
  }

  /// A part that shows an answer, while there is none: alike in all rows of a kind.
  mutating func empty(_ part: ResolvedPart, of row: PlannedRow, _ measure: () -> MeasuredPart?) -> MeasuredPart? {
    let place = part.number * 2 + (row.takesAnswer ? 1 : 0)
    while empty.count <= place { empty.append(nil) }
    if let measured = empty[place] { return measured }
    let measured = measure()
    empty[place] = .some(measured)
    return measured
  }

  mutating func finish(_ rule: ResolvedRow) -> RowGeometry {
    let height = stack.height(rule)
    let same = known[rule.place].first { $0.row.height == height && $0.row.parts == stack.parts }?.row
    let row = same ?? RowGeometry(height: height, parts: stack.parts)
    if same == nil { made += 1 }
    if same == nil || !outlines.isEmpty {
      if known[rule.place].count == Self.maximumKnown { known[rule.place].removeFirst() }
      known[rule.place].append(Known(outlines: outlines, row: row))
    }
    return row
  }
}
