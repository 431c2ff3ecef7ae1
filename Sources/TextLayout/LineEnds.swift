// A shaped paragraph reduced to what its lines need, where no line changes a shape.

import Locks

/// The places where lines of a paragraph may end, with the widths up to them. Small: a few numbers for each word.
struct LineEnds: Sendable {
  /// A place where a line may end; widths from the paragraph's start, in `EmUnits`.
  struct End: Sendable {
    /// Up to what takes room before the place.
    var visible: Int64
    /// Up to what follows it.
    var next: Int64
  }

  let ends: [End]
  /// Places of the fonts in the chain; one alone where all of the paragraph has it.
  let fonts: [Int32]
  /// For each end, as bits, which of several fonts are between the end before and it.
  let fontsBefore: [UInt8]
  let hasMissingGlyphs: Bool
  let substitutions: [FontSubstitution]

  /// Nil where a cut changes advances, advances depend on where they stand, or there are too many fonts.
  init?(_ paragraph: Paragraph) {
    guard paragraph.rises, paragraph.cuts.isEmpty else { return nil }
    var fonts: [Int32] = []
    for run in paragraph.runs where !fonts.contains(run.place) { fonts.append(run.place) }
    guard fonts.count <= 8 else { return nil }
    ends = paragraph.opportunities.map {
      End(visible: paragraph.offsets[Int($0.visibleEnd)], next: paragraph.offsets[Int($0.position)])
    }
    var fontsBefore: [UInt8] = []
    if fonts.count > 1 {
      var run = 0
      fontsBefore.reserveCapacity(ends.count)
      for end in paragraph.opportunities {
        var bits: UInt8 = 0
        while run < paragraph.runs.count, paragraph.runs[run].start < end.position {
          if let font = fonts.firstIndex(of: paragraph.runs[run].place) { bits |= 1 << UInt8(font) }
          // A run that goes on is on the next line too.
          if paragraph.runs[run].end > end.position { break }
          run += 1
        }
        fontsBefore.append(bits)
      }
    }
    (self.fonts, self.fontsBefore) = (fonts, fontsBefore)
    (hasMissingGlyphs, substitutions) = (paragraph.hasMissingGlyphs, paragraph.substitutions)
  }

  /// Memory that it takes, about.
  var bytes: Int { 120 + ends.count * 16 + fonts.count * 4 + fontsBefore.count + substitutions.count * 32 }

  /// How many lines there are, up to a number; nil when a word is longer than a line.
  func count(limit: Int64, atMost most: Int) -> Int? {
    if ends.isEmpty { return 1 }
    return unsafe ends.withUnsafeBufferPointer { ends in
      var (start, next, lines): (Int64, Int, Int) = (0, 0, 0)
      while next < ends.count, lines < most {
        guard let last = unsafe Self.last(within: max(start, start + limit), from: next, ends) else { return nil }
        (start, next, lines) = unsafe (ends[last].next, last + 1, lines + 1)
      }
      return lines
    }
  }

  /// Calls `body` with the width of each line and the ends on it, as `LineWalker` finds them; false, after some lines perhaps,
  /// when a word is longer than a line. An empty paragraph is one empty line.
  func walk(limit: Int64, _ body: (Int64, Range<Int>) -> Void) -> Bool {
    if ends.isEmpty {
      body(0, 0..<0)
      return true
    }
    return unsafe ends.withUnsafeBufferPointer { ends in
      var (start, next): (Int64, Int) = (0, 0)
      while next < ends.count {
        guard let last = unsafe Self.last(within: max(start, start + limit), from: next, ends) else { return false }
        body(unsafe max(0, ends[last].visible - start), next..<last + 1)
        (start, next) = unsafe (ends[last].next, last + 1)
      }
      return true
    }
  }

  /// The last end within a width: the last of all where that is so, else doubles its steps, then halves.
  private static func last(within width: Int64, from next: Int, _ ends: UnsafeBufferPointer<End>) -> Int? {
    if unsafe ends[ends.count - 1].visible <= width { return ends.count - 1 }
    guard unsafe ends[next].visible <= width else { return nil }
    var (low, step) = (next, 4)
    while low + step < ends.count, unsafe ends[low + step].visible <= width { (low, step) = (low + step, step * 2) }
    var high = min(low + step, ends.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if unsafe ends[middle].visible <= width { low = middle } else { high = middle }
    }
    return low
  }
}

/// What else than its width decides about the height of a text in one style under given rules, as a number: the same for the same.
enum LineKind {
  private struct Key: Hashable {
    var font: Int32
    var hasMissingGlyphs: Bool
    var substitutions: [FontSubstitution]
  }

  private static let known = Lock<[Key: Int32]>([:])
  private static let maximum = 4_096

  /// Nil when lines are not all of one font, or there are too many kinds.
  static func number(of ends: LineEnds) -> Int32? {
    guard ends.fonts.count == 1 else { return nil }
    let key = Key(font: ends.fonts[0], hasMissingGlyphs: ends.hasMissingGlyphs, substitutions: ends.substitutions)
    return known.withLock { known in
      if let number = known[key] { return number }
      guard known.count < maximum else { return nil }
      known[key] = Int32(known.count)
      return known[key]
    }
  }
}
