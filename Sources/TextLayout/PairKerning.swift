// Kerning of two glyphs read from a font's GPOS table, without shaping them.

/// The pair adjustments that runs of one kind follow, as HarfBuzz applies them: each lookup adds what the first of its
/// subtables says that has the pair (OpenType 1.9, GPOS, lookup type 2).
struct PairKerning: Sendable {
  private struct Subtable {
    var offset: Int
    var coverage: Int
    var isByClass: Bool
    /// Whether it moves the first glyph's advance and nothing else.
    var isSimple: Bool
  }

  private let table: LayoutTable
  private let lookups: [[Subtable]]
  /// Glyphs that single adjustments may move as well.
  private let adjusted: GlyphSet

  /// - Parameter lookups: those that a plan applies, by rising number.
  init(_ table: LayoutTable, lookups: [Int]) {
    var adjusted = GlyphSet()
    var pairs: [[Subtable]] = []
    for lookup in lookups {
      var own: [Subtable] = []
      for subtable in table.subtables(ofLookup: lookup) {
        switch subtable.kind {
        case .singlePosition: adjusted.insert(table.firstGlyphs(of: subtable))
        case .pairPosition:
          let offset = subtable.offset
          own.append(
            Subtable(
              offset: offset, coverage: offset + table.uint16(offset + 2), isByClass: table.uint16(offset) == 2,
              isSimple: (1...2).contains(table.uint16(offset)) && table.uint16(offset + 4) == Self.advanceAlone
                && table.uint16(offset + 6) == 0))
        default: break
        }
      }
      if !own.isEmpty { pairs.append(own) }
    }
    (self.table, self.lookups, self.adjusted) = (table, pairs, adjusted)
  }

  /// `ValueFormat` with `X_ADVANCE` only.
  private static let advanceAlone = 4

  /// What the first glyph's advance gains before the second one, in font units, and whether that makes it unsafe to cut between
  /// them; nil when only shaping tells.
  func kerning(_ first: Int, _ second: Int) -> (value: Int, isUnsafe: Bool)? {
    if adjusted.contains(first) { return nil }
    var (sum, isUnsafe) = (0, false)
    for subtables in lookups {
      var found: Int?
      for (place, subtable) in subtables.enumerated() {
        guard let index = table.coverageIndex(first, subtable.coverage) else { continue }
        guard subtable.isSimple else { return nil }
        if subtable.isByClass {
          let (value, isListed) = byClass(subtable.offset, first, second)
          // Whether a pair with a class of nothing ends the search has not always been the same in HarfBuzz.
          if !isListed {
            let rest = subtables[(place + 1)...]
            if rest.contains(where: { table.coverageIndex(first, $0.coverage) != nil }) { return nil }
          }
          found = value
          break
        }
        if let value = byGlyph(subtable.offset, index, second) {
          found = value
          break
        }
      }
      if let found, found != 0 { (sum, isUnsafe) = (sum + found, true) }
    }
    return (sum, isUnsafe)
  }

  /// Whether nothing but its own width makes a glyph's advance.
  func isUnadjusted(_ glyph: Int) -> Bool { !adjusted.contains(glyph) }

  private func byGlyph(_ offset: Int, _ index: Int, _ second: Int) -> Int? {
    let set = offset + table.uint16(offset + 10 + 2 * index)
    var (low, high) = (0, table.uint16(set))
    while low < high {
      let middle = (low + high) / 2
      let glyph = table.uint16(set + 2 + 4 * middle)
      if glyph == second { return table.int16(set + 4 + 4 * middle) }
      if glyph < second { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func byClass(_ offset: Int, _ first: Int, _ second: Int) -> (value: Int, isListed: Bool) {
    let own = table.glyphClass(first, offset + table.uint16(offset + 8))
    let next = table.glyphClass(second, offset + table.uint16(offset + 10))
    let (owns, nexts) = (table.uint16(offset + 12), table.uint16(offset + 14))
    guard own < owns, next < nexts, next > 0 else { return (0, false) }
    return (table.int16(offset + 16 + 2 * (own * nexts + next)), true)
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
