// Reads the lookups of a font's GSUB or GPOS table: which sequences of glyphs each of their rules needs.
import CHarfBuzz

/// A set of glyphs by number.
struct GlyphSet: Sendable {
  private var words = [UInt64](repeating: 0, count: 1_024)

  mutating func insert(_ glyph: Int) { words[glyph >> 6 & 1_023] |= 1 << UInt64(glyph & 63) }

  mutating func insert(_ ranges: [ClosedRange<Int>]) { for range in ranges { for glyph in range { insert(glyph) } } }

  func contains(_ glyph: Int) -> Bool { words[glyph >> 6 & 1_023] >> UInt64(glyph & 63) & 1 == 1 }

  func intersects(_ ranges: [ClosedRange<Int>]) -> Bool { ranges.contains { $0.contains { self.contains($0) } } }
}

/// What one rule needs and does.
struct LayoutRule {
  /// The glyphs that each place may hold: first what is substituted or moved, then the context before, nearest first, and after.
  var places: [[ClosedRange<Int>]]
  /// How many of `places` are the context before, and after.
  var before = 0
  var after = 0
  /// Whether it matches wherever `places` do: a class of glyphs is read as more than it is.
  var isExact = false
  /// Lookups that a context applies, and to which place.
  var nested: [(place: Int, lookup: Int)] = []
}

/// The bytes of a table where its file is mapped.
///
/// `@unchecked Sendable`: the blob is immutable, and lives as long as this.
@safe final class FontTableBytes: @unchecked Sendable {
  private let blob: OpaquePointer?
  private let bytes: UnsafeRawBufferPointer

  init(face: OpaquePointer, tag: UInt32) {
    unsafe blob = hb_face_reference_table(face, tag)
    var length: UInt32 = 0
    let start = unsafe hb_blob_get_data(blob, &length)
    unsafe bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
  }

  deinit { unsafe hb_blob_destroy(blob) }

  /// Big-endian; what lies outside reads as 0.
  func uint16(_ offset: Int) -> Int {
    guard offset >= 0, unsafe offset + 1 < bytes.count else { return 0 }
    return unsafe Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }
}

/// One GSUB or GPOS table (OpenType 1.9, chapter 2 and the tables' own). What lies outside of it reads as 0.
struct LayoutTable {
  /// Subtables by what they do; contexts and chained contexts are numbered alike in both tables here.
  enum Kind {
    /// Looks at one glyph alone: single, multiple and alternate substitution.
    case substitution
    case ligature, context, chainedContext, reverseContext
    case singlePosition, pairPosition, cursive, markPosition
    case unknown
  }

  struct Subtable {
    var kind: Kind
    var offset: Int
  }

  private let bytes: FontTableBytes
  private let isPositioning: Bool

  /// - Parameter tag: `GSUB` or `GPOS`.
  init(face: OpaquePointer, tag: UInt32) {
    unsafe bytes = FontTableBytes(face: face, tag: tag)
    isPositioning = tag == 0x4750_4F53
  }

  func uint16(_ offset: Int) -> Int { bytes.uint16(offset) }

  private func uint32(_ offset: Int) -> Int { uint16(offset) << 16 | uint16(offset + 2) }

  private func lookup(_ index: Int) -> Int {
    let list = uint16(8)
    return list + uint16(list + 2 + 2 * index)
  }

  func flags(ofLookup index: Int) -> Int { uint16(lookup(index) + 2) }

  func subtables(ofLookup index: Int) -> [Subtable] {
    let lookup = lookup(index)
    return (0..<uint16(lookup + 4)).map { place in
      var (type, offset) = (uint16(lookup), lookup + uint16(lookup + 6 + 2 * place))
      if type == (isPositioning ? 9 : 7) { (type, offset) = (uint16(offset + 2), offset + uint32(offset + 4)) }
      return Subtable(kind: kind(type), offset: offset)
    }
  }

  private func kind(_ type: Int) -> Kind {
    if isPositioning {
      switch type {
      case 1: return .singlePosition
      case 2: return .pairPosition
      case 3: return .cursive
      case 4, 5, 6: return .markPosition
      case 7: return .context
      case 8: return .chainedContext
      default: return .unknown
      }
    }
    switch type {
    case 1, 2, 3: return .substitution
    case 4: return .ligature
    case 5: return .context
    case 6: return .chainedContext
    case 8: return .reverseContext
    default: return .unknown
    }
  }

  /// The glyphs that a subtable looks at first, for all kinds but contexts.
  func firstGlyphs(of subtable: Subtable) -> [ClosedRange<Int>] {
    coverage(subtable.offset + uint16(subtable.offset + 2))
  }

  /// Whether a pair subtable moves, or consumes, the second glyph too.
  func movesSecond(_ pairs: Subtable) -> Bool { uint16(pairs.offset + 6) != 0 }

  func coverage(_ offset: Int) -> [ClosedRange<Int>] {
    let count = uint16(offset + 2)
    if uint16(offset) == 1 {
      return (0..<count).map { uint16(offset + 4 + 2 * $0)...uint16(offset + 4 + 2 * $0) }
    }
    return (0..<count).compactMap { range(offset + 4 + 6 * $0) }
  }

  private func range(_ offset: Int) -> ClosedRange<Int>? {
    let (first, last) = (uint16(offset), uint16(offset + 2))
    return first <= last ? first...last : nil
  }

  /// Glyphs by class. Class 0 is what no other class has: any glyph, for all that is asked here.
  private func classes(_ offset: Int) -> [Int: [ClosedRange<Int>]] {
    var classes = [0: [0...0xFFFF]]
    if uint16(offset) == 1 {
      let first = uint16(offset + 2)
      for place in 0..<uint16(offset + 4) {
        let number = uint16(offset + 6 + 2 * place)
        if number > 0 { classes[number, default: []].append(first + place...first + place) }
      }
    } else {
      for place in 0..<uint16(offset + 2) {
        let (record, number) = (offset + 4 + 6 * place, uint16(offset + 8 + 6 * place))
        if number > 0, let range = range(record) { classes[number, default: []].append(range) }
      }
    }
    return classes
  }
}

// MARK: - Rules

extension LayoutTable {
  /// Calls `body` with each rule of a ligature or context subtable.
  func rules(of subtable: Subtable, _ body: (LayoutRule) -> Void) {
    let offset = subtable.offset
    switch (subtable.kind, uint16(offset)) {
    case (.ligature, _): ligatures(offset, body)
    case (.reverseContext, _):
      var cursor = offset + 4
      let (before, after) = (coverages(&cursor, offset), coverages(&cursor, offset))
      let places = [coverage(offset + uint16(offset + 2))] + before + after
      body(LayoutRule(places: places, before: before.count, after: after.count))
    case (.context, 3), (.chainedContext, 3): byCoverage(offset, isChained: subtable.kind == .chainedContext, body)
    case (.context, let format): ruleSets(offset, format: format, isChained: false, body)
    case (.chainedContext, let format): ruleSets(offset, format: format, isChained: true, body)
    default: break
    }
  }

  private func ligatures(_ offset: Int, _ body: (LayoutRule) -> Void) {
    for (index, first) in coverage(offset + uint16(offset + 2)).joined().enumerated() {
      let set = offset + uint16(offset + 6 + 2 * index)
      for place in 0..<uint16(set) {
        let ligature = set + uint16(set + 2 + 2 * place)
        let rest = (0..<max(0, uint16(ligature + 2) - 1)).map { uint16(ligature + 4 + 2 * $0) }
        body(LayoutRule(places: ([first] + rest).map { [$0...$0] }))
      }
    }
  }

  /// A counted list of coverages; moves the cursor behind it.
  private func coverages(_ cursor: inout Int, _ base: Int) -> [[ClosedRange<Int>]] {
    let count = uint16(cursor)
    defer { cursor += 2 + 2 * count }
    return (0..<count).map { coverage(base + uint16(cursor + 2 + 2 * $0)) }
  }

  private func byCoverage(_ offset: Int, isChained: Bool, _ body: (LayoutRule) -> Void) {
    var cursor = offset + 2
    if isChained {
      let before = coverages(&cursor, offset)
      let (own, after) = (coverages(&cursor, offset), coverages(&cursor, offset))
      let records = nested(cursor + 2, count: uint16(cursor))
      return body(
        LayoutRule(
          places: own + before + after, before: before.count, after: after.count, isExact: true, nested: records))
    }
    let count = uint16(cursor)
    let places = (0..<count).map { coverage(offset + uint16(cursor + 4 + 2 * $0)) }
    body(LayoutRule(places: places, nested: nested(cursor + 4 + 2 * count, count: uint16(cursor + 2))))
  }

  private func nested(_ offset: Int, count: Int) -> [(place: Int, lookup: Int)] {
    (0..<count).map { (uint16(offset + 4 * $0), uint16(offset + 4 * $0 + 2)) }
  }

  /// Formats 1 and 2: rules by their first glyph, or by its class.
  private func ruleSets(_ offset: Int, format: Int, isChained: Bool, _ body: (LayoutRule) -> Void) {
    guard format == 1 || format == 2 else { return }
    let isByClass = format == 2
    let definitions = isByClass ? (0..<(isChained ? 3 : 1)).map { classes(offset + uint16(offset + 4 + 2 * $0)) } : []
    let input = isByClass ? definitions[isChained ? 1 : 0] : [:]
    let firsts = isByClass ? [] : coverage(offset + uint16(offset + 2)).joined().map { [$0...$0] }
    let list = offset + (isByClass ? (isChained ? 10 : 6) : 4)
    for index in 0..<uint16(list) where uint16(list + 2 + 2 * index) != 0 {
      let set = offset + uint16(list + 2 + 2 * index)
      let first = isByClass ? input[index] ?? [] : index < firsts.count ? firsts[index] : []
      for number in 0..<uint16(set) {
        var reader = RuleReader(table: self, cursor: set + uint16(set + 2 + 2 * number), isByClass: isByClass)
        if isChained {
          let before = reader.places(reader.count(), isByClass ? definitions[0] : [:])
          let own = [first] + reader.places(reader.count() - 1, input)
          let after = reader.places(reader.count(), isByClass ? definitions[2] : [:])
          let records = reader.count()
          body(
            LayoutRule(
              places: own + before + after, before: before.count, after: after.count,
              nested: nested(reader.cursor, count: records)))
        } else {
          let (glyphs, records) = (reader.count(), reader.count())
          let own = [first] + reader.places(glyphs - 1, input)
          body(LayoutRule(places: own, nested: nested(reader.cursor, count: records)))
        }
      }
    }
  }
}

/// Reads the arrays of one rule.
private struct RuleReader {
  let table: LayoutTable
  var cursor: Int
  let isByClass: Bool

  mutating func count() -> Int {
    cursor += 2
    return table.uint16(cursor - 2)
  }

  mutating func places(_ count: Int, _ classes: [Int: [ClosedRange<Int>]]) -> [[ClosedRange<Int>]] {
    (0..<max(0, count)).map { _ in
      let value = self.count()
      return isByClass ? classes[value] ?? [] : [value...value]
    }
  }
}
