// Whether a font's rules leave a sequence of glyphs as it is.

/// The rules that a run follows, to be tried on the glyphs of its characters. While none of them changes anything, each lookup
/// sees these glyphs, so that the order of lookups does not matter.
struct RuleScreen: Sendable {
  /// One place of a rule besides the first.
  private struct Place {
    /// From the first place.
    var distance: Int
    var range: ClosedRange<Int>
    /// Of the glyphs in the range those that a place may hold, among `sets`, or −1: all.
    var set: Int
  }

  private struct Rule {
    var lookup: Int
    var places: Range<Int>
    /// The rule applies where its places match, and does nothing but keep its lookup's later rules from applying.
    var isException: Bool
    /// What it looks at, from the first place.
    var reach: Range<Int>
  }

  /// Rules that begin with the same glyphs, in the order in which they are tried.
  private struct Group {
    var first: Place
    var rules: [UInt16]
  }

  /// A glyph and the rules that may begin with it.
  struct Glyph: Sendable {
    var number: Int
    var starts: [UInt16]
  }

  private let sets: [GlyphSet]
  private let places: [Place]
  private let rules: [Rule]
  private let groups: [Group]

  /// The rules that may begin with a glyph, in the order in which they are tried.
  func starts(with glyph: Int) -> [UInt16] {
    let own = groups.filter { contains($0.first, glyph) }
    return own.count < 2 ? own.first?.rules ?? [] : own.flatMap(\.rules).sorted()
  }

  /// The places in a sequence before which it is unsafe to cut because a rule matched there; nil when one changes something.
  func unsafePlaces(in glyphs: [Glyph]) -> [Int]? {
    var found: [Int] = []
    for index in glyphs.indices {
      var matched = -1
      for number in glyphs[index].starts {
        let rule = rules[Int(number)]
        guard rule.lookup != matched, matches(rule, at: index, glyphs) else { continue }
        if !rule.isException { return nil }
        for other in rule.reach.dropFirst() { found.append(index + other) }
        matched = rule.lookup
      }
    }
    return found
  }

  private func matches(_ rule: Rule, at index: Int, _ glyphs: [Glyph]) -> Bool {
    for place in rule.places {
      let other = index + places[place].distance
      guard other >= 0, other < glyphs.count, contains(places[place], glyphs[other].number) else { return false }
    }
    return true
  }

  private func contains(_ place: Place, _ glyph: Int) -> Bool {
    place.range.contains(glyph) && (place.set < 0 || sets[place.set].contains(glyph))
  }
}

extension RuleScreen {
  /// Collects rules: each lookup's in the order in which they are tried.
  struct Builder {
    private var known: [[ClosedRange<Int>]: Int] = [:]
    private var sets: [GlyphSet] = []
    private var places: [Place] = []
    private var rules: [Rule] = []
    private var byFirst: [[ClosedRange<Int>]: [UInt16]] = [:]
    /// More rules than can be numbered.
    private var isFull = false

    mutating func add(_ rule: LayoutRule, ofLookup lookup: Int, changes: Bool) {
      guard rules.count < Int(UInt16.max) else {
        isFull = true
        return
      }
      let own = rule.places.count - rule.before - rule.after
      let start = places.count
      for index in rule.places.indices.dropFirst() {
        let distance =
          index < own ? index : index < own + rule.before ? own - index - 1 : index - rule.before
        places.append(place(rule.places[index], distance))
      }
      byFirst[rule.places[0], default: []].append(UInt16(rules.count))
      rules.append(
        Rule(
          lookup: lookup, places: start..<places.count, isException: !changes && rule.isExact && own == 1,
          reach: -rule.before..<own + rule.after))
    }

    private mutating func place(_ glyphs: [ClosedRange<Int>], _ distance: Int) -> Place {
      let (first, last) = (glyphs.map(\.lowerBound).min() ?? 0, glyphs.map(\.upperBound).max() ?? 0)
      var place = Place(distance: distance, range: first...last, set: -1)
      if glyphs.count == 1 { return place }
      place.set = known[glyphs] ?? sets.count
      if known[glyphs] == nil {
        var set = GlyphSet()
        set.insert(glyphs)
        sets.append(set)
        known[glyphs] = place.set
      }
      return place
    }

    /// Nil when there are too many rules.
    mutating func build() -> RuleScreen? {
      if isFull { return nil }
      let groups = byFirst.map { Group(first: place($0, 0), rules: $1) }
      return RuleScreen(sets: sets, places: places, rules: rules, groups: groups)
    }
  }
}
