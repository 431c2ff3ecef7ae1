// Kerning of two glyphs read from a font's GPOS table, without shaping them.

/// The pair adjustments that runs of one kind follow, as HarfBuzz applies them: each lookup adds what the first of its
/// subtables says that has the pair (OpenType 1.9, GPOS, lookup type 2).
struct PairKerning: Sendable {
  private struct Subtable {
    var offset: Int
    var coverage: Int
    /// Where the second glyph's class stands in its columns; nil: the subtable lists glyphs.
    var column: Int?
    /// Whether it moves the first glyph's advance and nothing else.
    var isSimple: Bool
  }

  /// A subtable that has a glyph as the first of pairs.
  fileprivate struct Step: Sendable {
    var lookup: Int
    /// Of the glyph's pairs, or of its class's values.
    var offset: Int
    /// Where the second glyph's class stands in its columns; below zero: the subtable lists glyphs.
    var column: Int
    /// Classes that the second glyph may have.
    var classes: Int
    var isSimple: Bool
    /// Whether no subtable of the lookup comes after it.
    var isLast: Bool
  }

  /// What a glyph brings to all pairs that it is the first of.
  struct Row: Sendable {
    fileprivate var steps: [Step] = []

    /// Memory that it takes, about.
    var bytes: Int { 32 + steps.count * MemoryLayout<Step>.stride }
  }

  private let table: LayoutTable
  private let lookups: [[Subtable]]
  /// Class definitions of second glyphs, each once.
  private let classes: [Int]
  /// Glyphs that single adjustments may move as well.
  private let adjusted: GlyphSet

  /// - Parameter lookups: those that a plan applies, by rising number.
  init(_ table: LayoutTable, lookups: [Int]) {
    var adjusted = GlyphSet()
    var pairs: [[Subtable]] = []
    var classes: [Int] = []
    for lookup in lookups {
      var own: [Subtable] = []
      for subtable in table.subtables(ofLookup: lookup) {
        switch subtable.kind {
        case .singlePosition: adjusted.insert(table.firstGlyphs(of: subtable))
        case .pairPosition:
          let offset = subtable.offset
          let isSimple =
            (1...2).contains(table.uint16(offset)) && table.uint16(offset + 4) == Self.advanceAlone
            && table.uint16(offset + 6) == 0
          var column: Int?
          if table.uint16(offset) == 2 {
            let definition = offset + table.uint16(offset + 10)
            if !classes.contains(definition) { classes.append(definition) }
            column = classes.firstIndex(of: definition)
          }
          own.append(
            Subtable(
              offset: offset, coverage: offset + table.uint16(offset + 2), column: column, isSimple: isSimple))
        default: break
        }
      }
      if !own.isEmpty { pairs.append(own) }
    }
    (self.table, self.lookups, self.classes, self.adjusted) = (table, pairs, classes, adjusted)
  }

  /// `ValueFormat` with `X_ADVANCE` only.
  private static let advanceAlone = 4

  /// What a glyph brings to pairs as their first one; nil when only shaping tells.
  func row(of glyph: Int) -> Row? {
    if adjusted.contains(glyph) { return nil }
    var row = Row()
    for (lookup, subtables) in lookups.enumerated() {
      for subtable in subtables {
        guard let index = table.coverageIndex(glyph, subtable.coverage) else { continue }
        var step = Step(
          lookup: lookup, offset: 0, column: -1, classes: 0, isSimple: subtable.isSimple, isLast: true)
        if let column = subtable.column {
          let own = table.glyphClass(glyph, subtable.offset + table.uint16(subtable.offset + 8))
          let (owns, nexts) = (table.uint16(subtable.offset + 12), table.uint16(subtable.offset + 14))
          (step.column, step.classes) = (column, own < owns ? nexts : 0)
          step.offset = subtable.offset + 16 + 2 * own * nexts
        } else {
          step.offset = subtable.offset + table.uint16(subtable.offset + 10 + 2 * index)
        }
        if let last = row.steps.last, last.lookup == lookup { row.steps[row.steps.count - 1].isLast = false }
        row.steps.append(step)
      }
    }
    return row
  }

  /// What a glyph brings to pairs as their second one: its class in each definition.
  func columns(of glyph: Int) -> [UInt16] {
    classes.map { UInt16(truncatingIfNeeded: table.glyphClass(glyph, $0)) }
  }

  /// What the first glyph's advance gains before the second one, in font units, and whether that makes it unsafe to cut between
  /// them; nil when only shaping tells.
  func kerning(_ row: Row, _ second: Int, _ columns: [UInt16]) -> (value: Int, isUnsafe: Bool)? {
    var (sum, isUnsafe, done) = (0, false, -1)
    for step in row.steps where step.lookup != done {
      guard step.isSimple else { return nil }
      var value = 0
      if step.column >= 0 {
        let column = Int(columns[step.column])
        if column > 0, column < step.classes {
          value = table.int16(step.offset + 2 * column)
        } else if !step.isLast {
          // Whether a pair with a class of nothing ends the search has not always been the same in HarfBuzz.
          return nil
        }
      } else {
        guard let listed = byGlyph(step.offset, second) else { continue }
        value = listed
      }
      done = step.lookup
      if value != 0 { (sum, isUnsafe) = (sum + value, true) }
    }
    return (sum, isUnsafe)
  }

  /// Whether nothing but its own width makes a glyph's advance.
  func isUnadjusted(_ glyph: Int) -> Bool { !adjusted.contains(glyph) }

  private func byGlyph(_ set: Int, _ second: Int) -> Int? {
    var (low, high) = (0, table.uint16(set))
    while low < high {
      let middle = (low + high) / 2
      let glyph = table.uint16(set + 2 + 4 * middle)
      if glyph == second { return table.int16(set + 4 + 4 * middle) }
      if glyph < second { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

extension LayoutTable {
  func int16(_ offset: Int) -> Int { Int(Int16(truncatingIfNeeded: uint16(offset))) }

  /// The place of a glyph in a coverage; nil: it is not covered.
  func coverageIndex(_ glyph: Int, _ offset: Int) -> Int? {
    let isList = uint16(offset) == 1
    var (low, high) = (0, uint16(offset + 2))
    while low < high {
      let middle = (low + high) / 2
      let record = offset + 4 + (isList ? 2 : 6) * middle
      let start = uint16(record)
      if glyph < start {
        high = middle
      } else if glyph > (isList ? start : uint16(record + 2)) {
        low = middle + 1
      } else {
        return isList ? middle : uint16(record + 4) + glyph - start
      }
    }
    return nil
  }

  /// The class of a glyph, 0 when it is not named.
  func glyphClass(_ glyph: Int, _ offset: Int) -> Int {
    if uint16(offset) == 1 {
      let place = glyph - uint16(offset + 2)
      return place >= 0 && place < uint16(offset + 4) ? uint16(offset + 6 + 2 * place) : 0
    }
    var (low, high) = (0, uint16(offset + 2))
    while low < high {
      let middle = (low + high) / 2
      let record = offset + 4 + 6 * middle
      if glyph < uint16(record) {
        high = middle
      } else if glyph > uint16(record + 2) {
        low = middle + 1
      } else {
        return uint16(record + 4)
      }
    }
    return 0
  }
}
