// Whether a run's words shape alike wherever they stand: what a font's rules do about spaces.
import CHarfBuzz

/// Spaces that no rule of a run looks across.
///
/// Kerning aside, which is between neighbours, no rule that a plan applies matches what is before such a space together with the space, none
/// changes the space or skips it, and what HarfBuzz does by itself – joining, syllables, clusters, marks on their bases – ends at a
/// space before a character that can begin a word. So a word with the spaces around it has the shape that it has in the run.
struct SpaceWalls: Sendable {
  /// No rule matches anything together with a space behind it; else it matters what is before the space.
  private let isBlind: Bool
  /// By character: after it no rule looks across a space, or changes it for what is before it.
  private let after: [Bool]

  /// Nil when rules may look across any space.
  init?(face: OpenFace, plan: OpaquePointer, choice: RuleChoice) {
    guard GlyphDependence.tablesThatRule.allSatisfy({ !face.hasTable($0) }), let space = face.baseGlyph(0x20),
      // Without kerning in GPOS a font may be kerned by its `kern` table, in another way.
      choice.hasKerning(face) || !face.hasTable(GlyphDependence.kerningTable),
      // Chance has a state that goes through the run.
      choice.lookups(face, GlyphDependence.substitution, ["rand"]).isEmpty
    else { return nil }
    var analysis = WallAnalysis(space: space, circle: face.circleGlyph, skippers: Self.skippers(face, space))
    for tag in [GlyphDependence.substitution, GlyphDependence.positioning] {
      let table = unsafe LayoutTable(face: face.face, tag: tag)
      guard analysis.read(table, unsafe GlyphDependence.lookups(plan, tag)) else { return nil }
    }
    // HarfBuzz counts syllables to 15 and leaves out the dotted circle of a broken one when the last broken one had its number: it must
    // be seen in a word's glyphs that there is a circle, and so none may be made of it.
    if analysis.changesCircle, !ShaperTraits.isUnsyllabic(choice.script) { return nil }
    isBlind = analysis.isBlind
    if isBlind {
      after = []
    } else {
      let open = analysis.open
      after = (0..<Self.characters).map { character in
        guard WordStarts.isStart(character), Script.isUndivided(character), let glyph = face.baseGlyph(character)
        else { return false }
        return !open.contains(glyph)
      }
    }
  }

  /// Latin, Greek and Cyrillic.
  private static let characters: UInt32 = 0x530

  /// Whether no rule looks across a space behind a unit.
  func hold(after unit: UInt16) -> Bool { isBlind || (unit < after.count && after[Int(unit)]) }

  /// Flags of lookups that skip a glyph.
  private static func skippers(_ face: OpenFace, _ glyph: Int) -> Int {
    switch unsafe hb_ot_layout_get_glyph_class(face.face, hb_codepoint_t(glyph)) {
    case HB_OT_LAYOUT_GLYPH_CLASS_BASE_GLYPH: 2
    case HB_OT_LAYOUT_GLYPH_CLASS_LIGATURE: 4
    default: 0
    }
  }
}

/// Reads what rules do with a space and before it.
private struct WallAnalysis {
  private let space: Int
  private let circle: Int?
  /// Flags of lookups that skip the space.
  private let skippers: Int
  /// Glyphs that a rule matches together with a space behind them, or changes by what is before them.
  private(set) var open = GlyphSet()
  /// Whether no rule matches anything together with a space behind it.
  private(set) var isBlind = true
  private(set) var changesCircle = false
  /// Whether a rule skips bases or ligatures.
  private var skipsBases = false

  init(space: Int, circle: Int?, skippers: Int) { (self.space, self.circle, self.skippers) = (space, circle, skippers) }

  /// False when a rule may look across any space, or change it.
  mutating func read(_ table: LayoutTable, _ lookups: [Int]) -> Bool {
    var queue = lookups
    let own = Set(lookups)
    var known = own
    while let lookup = queue.popLast() {
      for subtable in table.subtables(ofLookup: lookup) {
        switch subtable.kind {
        case .singlePosition: continue
        case .unknown: return false
        case .substitution:
          // Where another rule applies it, that rule tells.
          guard own.contains(lookup) else { continue }
          let glyphs = table.firstGlyphs(of: subtable)
          if glyphs.has(space) { return false }
          if let circle { changesCircle = changesCircle || glyphs.has(circle) }
          open.insert(glyphs)
          continue
        // What moves the second of a pair keeps it from being the first of the next.
        case .pairPosition: if table.movesSecond(subtable) { return false }
        case .cursive, .markPosition: if table.firstGlyphs(of: subtable).has(space) { return false }
        case .ligature, .reverseContext, .context, .chainedContext:
          let changesAll = subtable.kind == .ligature || subtable.kind == .reverseContext
          var isWall = true
          table.rules(of: subtable) { rule in
            isWall = isWall && add(rule, changesAll)
            for (_, other) in rule.nested where known.insert(other).inserted { queue.append(other) }
          }
          if !isWall { return false }
        }
        let flags = table.flags(ofLookup: lookup)
        if flags & skippers != 0 { return false }
        skipsBases = skipsBases || flags & 6 != 0
      }
    }
    // A rule that skips what is before a space may match what is further away together with it.
    return isBlind || !skipsBases
  }

  /// Adds a rule; false when it may change a space.
  private mutating func add(_ rule: LayoutRule, _ changesAll: Bool) -> Bool {
    let own = rule.places.count - rule.before - rule.after
    let changed = changesAll ? Array(0..<own) : rule.nested.map(\.place).filter { $0 < own }
    if changed.contains(where: { rule.places[$0].has(space) }) { return false }
    if let circle { changesCircle = changesCircle || changed.contains { rule.places[$0].has(circle) } }
    // As in the text.
    let places =
      rule.places[own..<own + rule.before].reversed() + rule.places[..<own] + rule.places[(own + rule.before)...]
    for index in places.indices.dropFirst() where places[index].has(space) {
      isBlind = false
      open.insert(places[index - 1])
    }
    // What has another place behind it has to match that first.
    if rule.after == 0, changed.contains(own - 1) { open.insert(rule.places[own - 1]) }
    return true
  }
}

extension [ClosedRange<Int>] {
  fileprivate func has(_ glyph: Int) -> Bool { contains { $0.contains(glyph) } }
}

/// Characters that begin a grapheme cluster and a word whatever is before them. Used by one thread at a time.
struct WordStarts {
  /// 0: not looked up yet, 1: no, 2: yes; 256 characters at a time.
  private var pages = [[UInt8]](repeating: [], count: 256)

  /// Whether a unit is a letter, digit or sign of its own: no mark, no control, nothing ignorable, no half of a character.
  mutating func contains(_ unit: UInt16) -> Bool {
    let (page, place) = (Int(unit >> 8), Int(unit & 255))
    if pages[page].isEmpty { pages[page] = [UInt8](repeating: 0, count: 256) }
    if pages[page][place] == 0 { pages[page][place] = Self.isStart(UInt32(unit)) ? 2 : 1 }
    return pages[page][place] == 2
  }

  static func isStart(_ character: UInt32) -> Bool {
    // Letters that go with what is before them: vowels AM of Thai and Lao, halfwidth voiced sound marks.
    if [0xE33, 0xEB3, 0xFF9E, 0xFF9F].contains(character) || Cluster.needsNoGlyph(character) { return false }
    switch unsafe hb_unicode_general_category(hb_unicode_funcs_get_default(), character) {
    case HB_UNICODE_GENERAL_CATEGORY_LOWERCASE_LETTER, HB_UNICODE_GENERAL_CATEGORY_UPPERCASE_LETTER,
      HB_UNICODE_GENERAL_CATEGORY_TITLECASE_LETTER, HB_UNICODE_GENERAL_CATEGORY_OTHER_LETTER,
      HB_UNICODE_GENERAL_CATEGORY_MODIFIER_LETTER, HB_UNICODE_GENERAL_CATEGORY_DECIMAL_NUMBER,
      HB_UNICODE_GENERAL_CATEGORY_LETTER_NUMBER, HB_UNICODE_GENERAL_CATEGORY_OTHER_NUMBER,
      HB_UNICODE_GENERAL_CATEGORY_CONNECT_PUNCTUATION, HB_UNICODE_GENERAL_CATEGORY_DASH_PUNCTUATION,
      HB_UNICODE_GENERAL_CATEGORY_CLOSE_PUNCTUATION, HB_UNICODE_GENERAL_CATEGORY_OPEN_PUNCTUATION,
      HB_UNICODE_GENERAL_CATEGORY_INITIAL_PUNCTUATION, HB_UNICODE_GENERAL_CATEGORY_FINAL_PUNCTUATION,
      HB_UNICODE_GENERAL_CATEGORY_OTHER_PUNCTUATION, HB_UNICODE_GENERAL_CATEGORY_CURRENCY_SYMBOL,
      HB_UNICODE_GENERAL_CATEGORY_MATH_SYMBOL, HB_UNICODE_GENERAL_CATEGORY_OTHER_SYMBOL,
      HB_UNICODE_GENERAL_CATEGORY_SPACE_SEPARATOR:
      return true
    default: return false
    }
  }
}

/// What HarfBuzz does by itself in a script.
enum ShaperTraits {
  /// Scripts that it shapes glyph by glyph, with no more state than accents, vowels and syllables of one block have.
  private static let simple = scripts([
    "Latn", "Cyrl", "Grek", "Armn", "Geor", "Ethi", "Hani", "Hira", "Hang", "Hebr", "Thai", "Laoo",
  ])
  /// Scripts of syllables that do not join.
  private static let unjoined = scripts([
    "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr",
  ])
  private static let arabic = ScriptCode.code("Arab")

  private static func scripts(_ codes: [String]) -> Set<UInt32> { Set(codes.map(ScriptCode.code)) }

  /// Whether it knows no syllables in the script, which can be broken.
  static func isUnsyllabic(_ script: UInt32) -> Bool { simple.contains(script) || script == arabic }

  /// Whether a word at the edge of a range may have another shape for what is beyond it in the text.
  static func mayJoinBeyond(
    _ word: Range<Int>, of range: Range<Int>, in text: UnsafeBufferPointer<UInt16>, _ script: UInt32
  ) -> Bool {
    if simple.contains(script) || unjoined.contains(script) { return false }
    let isOpenBefore = word.lowerBound == range.lowerBound && range.lowerBound > 0
    let isOpenAfter = word.upperBound == range.upperBound && range.upperBound < text.count
    return unsafe (isOpenBefore && mayJoin(text[word.lowerBound - 1]))
      || (isOpenAfter && mayJoin(text[word.upperBound]))
  }

  /// False for ASCII and common punctuation, which join nothing and are not seen through.
  private static func mayJoin(_ unit: UInt16) -> Bool { unit >= 0x80 && !(0x2010...0x2027).contains(unit) }

  /// Whether a run goes the way of its script: if not, HarfBuzz looks through all of it for what decides about its direction.
  static func isNative(_ run: TextRun) -> Bool {
    let isRightToLeft = hb_script_get_horizontal_direction(hb_script_t(rawValue: run.script)) == HB_DIRECTION_RTL
    return isRightToLeft == run.isRightToLeft
  }
}
