// A shaped paragraph: all of a text's layout that does not depend on the width.

/// A stretch of one font, script and bidi level.
struct TextRun: Sendable {
  var start: Int32
  var end: Int32
  /// Place of the font in the chain.
  var place: Int32
  /// ISO 15924 code of the script.
  var script: UInt32
  var isRightToLeft: Bool
}

/// A place where a line may end.
struct BreakOpportunity: Sendable {
  /// UTF-16 offset of the first unit of the next line.
  var position: Int32
  /// End of what takes room: `position` without the spaces before it, which hang.
  var visibleEnd: Int32
  /// Index into `cuts`, or −1 when the text may be cut here without shaping it again.
  var cut: Int32
}

/// How advances change where a break cuts a run whose shape depends on both sides.
struct Cut: Sendable {
  /// Units from here to the break have other advances when a line ends at it …
  var changedFrom: Int32
  /// … by this much in sum, the hyphen of a soft hyphen included.
  var endDelta: Int64
  /// Units from the break to here have other advances when a line starts at it …
  var changedTo: Int32
  /// … by this much in sum.
  var startDelta: Int64
}

/// One paragraph of a text, shaped for one chain of fonts. Lengths are in `EmUnits`. Immutable, shared between threads.
final class Paragraph: Sendable {
  /// UTF-16 units, without the hard break.
  let text: [UInt16]
  /// Sum of advances before each unit, and at last of all.
  let offsets: [Int64]
  let flags: [UnitFlags]
  let runs: [TextRun]
  let opportunities: [BreakOpportunity]
  let cuts: [Cut]
  /// Places of tabs, whose advance depends on where they stand.
  let tabs: [Int32]
  let hasMissingGlyphs: Bool
  /// Fonts that stood in for others.
  let substitutions: [FontSubstitution]
  /// How far a width from `offsets` alone may lie above the width with its cuts.
  let largestShrink: Int64
  /// Whether widths from `offsets` rise with their end: no tab, no advance below zero.
  let rises: Bool
  /// The place of the font that all runs have, or −1.
  let solePlace: Int32

  init(
    text: [UInt16], offsets: [Int64], flags: [UnitFlags], runs: [TextRun], opportunities: [BreakOpportunity],
    cuts: [Cut], tabs: [Int32], hasMissingGlyphs: Bool, substitutions: [FontSubstitution]
  ) {
    self.text = text
    self.offsets = offsets
    self.flags = flags
    self.runs = runs
    self.opportunities = opportunities
    self.cuts = cuts
    self.tabs = tabs
    self.hasMissingGlyphs = hasMissingGlyphs
    self.substitutions = substitutions
    rises = tabs.isEmpty && offsets.indices.dropFirst().allSatisfy { offsets[$0] >= offsets[$0 - 1] }
    let place = runs.first?.place ?? -1
    solePlace = runs.allSatisfy { $0.place == place } ? place : -1
    largestShrink = cuts.reduce(0) { max($0, -$1.endDelta) } + cuts.reduce(0) { max($0, -$1.startDelta) }
  }

  /// Memory that the paragraph takes, about.
  var bytes: Int {
    200 + text.count * 2 + offsets.count * 8 + flags.count + runs.count * 20 + opportunities.count * 12
      + cuts.count * 24 + tabs.count * 4
  }
}

extension Paragraph {
  /// Where the grapheme cluster ends that a unit is in.
  func nextCluster(after unit: Int) -> Int {
    var next = unit + 1
    while next < text.count, !flags[next].contains(.graphemeStart) { next += 1 }
    return next
  }

  /// Whether a cluster has no advance wherever it stands, unlike a tab, or part of a ligature that is cut.
  func takesNoRoom(at unit: Int, _ cutter: CutSource) -> Bool {
    let next = nextCluster(after: unit)
    guard offsets[next] == offsets[unit], text[unit] != 0x09 else { return false }
    // Kerning looks past what is not seen, and so makes it unsafe to cut there too.
    return !flags[unit].contains(.unsafeToBreak)
      || cutter { $0.lineDelta(start: unit, visibleEnd: next, end: next) } == 0
  }
}

/// What is known of one UTF-16 unit.
struct UnitFlags: OptionSet, Sendable {
  let rawValue: UInt8
  /// A grapheme cluster begins here.
  static let graphemeStart = UnitFlags(rawValue: 1)
  /// Cutting before this unit changes the shape of what is around (HarfBuzz: unsafe to break, or inside a cluster).
  static let unsafeToBreak = UnitFlags(rawValue: 2)
  /// A space, which takes no room at the end of a line.
  static let hangs = UnitFlags(rawValue: 4)
  /// A grapheme cluster that is too long is cut here.
  static let clusterCut = UnitFlags(rawValue: 8)
}

extension [UnitFlags] {
  /// From where on advances may change when a line ends at a position: the position itself when it is safe to cut there,
  /// else the nearest safe place before it, or one that is far enough away.
  func changedFrom(_ position: Int) -> Int {
    guard position < count - 1, self[position].contains(.unsafeToBreak) else { return position }
    var from = position - 1
    let floor = Swift.max(0, position - FontLimits.reshapeUnits)
    while from > floor, self[from].contains(.unsafeToBreak) { from -= 1 }
    while from > 0, !self[from].contains(.graphemeStart) { from -= 1 }
    return from
  }

  /// Up to where advances may change when a line starts at a position, likewise.
  func changedTo(_ position: Int) -> Int {
    guard position > 0, position < count - 1, self[position].contains(.unsafeToBreak) else { return position }
    var to = position + 1
    let ceiling = Swift.min(count - 1, position + FontLimits.reshapeUnits)
    while to < ceiling, self[to].contains(.unsafeToBreak) { to += 1 }
    while to < count - 1, !self[to].contains(.graphemeStart) { to += 1 }
    return to
  }
}
