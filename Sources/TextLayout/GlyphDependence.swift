// Which characters of a font shape without regard to what is around them, their neighbours' kerning aside.
import CHarfBuzz

/// What can be proved about runs of one face, script and language from the rules in its tables.
///
/// Only ordinary base characters are looked at, from left to right, in scripts that HarfBuzz shapes glyph by glyph. A rule
/// that needs a glyph which no such run can have never applies. Of the other rules,
/// - what one may substitute or move is *bound*, so that all that changes is at bound characters;
/// - what no rule looks at is a *barrier*;
/// - a rule looks at no more than `reach` characters to each side of a bound one, and never beyond a barrier.
///
/// Kerning of two neighbours depends on these two. So a run is pairs of neighbours, and around bound characters stretches that end
/// at a barrier or where nothing reaches. All values come from HarfBuzz; `PieceShapingTests` holds the pieces to the whole.
struct GlyphDependence: Sendable {
  /// How a character depends on its neighbours.
  enum Role: UInt8, Sendable {
    /// Not looked at: a run that has it is shaped as a whole.
    case foreign = 1
    /// A rule may change it by what is around.
    case bound
    /// Rules look at it, none changes it, it has kerning against the next character …
    case quietPaired
    /// … or has none.
    case quiet
    case barrierPaired
    case barrier

    var isBarrier: Bool { self == .barrier || self == .barrierPaired }
    var isPaired: Bool { self == .quietPaired || self == .barrierPaired }
  }

  /// How many characters beyond a bound one a rule may look at, and kerning does: 1 at least.
  let reach: Int
  private let ranges: [ClosedRange<UInt16>]
  private let bound: GlyphSet
  private let seen: GlyphSet
  private let kerned: GlyphSet
  /// What may happen at bound characters.
  let screen: RuleScreen?
  /// Nil when something besides GPOS may kern.
  private let kerning: PairKerning?

  /// Nil when the font's rules do not allow it, or the script is not one of those.
  init?(face: OpenFace, plan: OpaquePointer, choice: RuleChoice) {
    guard let letters = Self.letters[choice.script], Self.tablesThatRule.allSatisfy({ !face.hasTable($0) }) else {
      return nil
    }
    ranges = letters + Self.signs
    var own = GlyphSet()
    for range in ranges { for unit in range { if let glyph = face.baseGlyph(UInt32(unit)) { own.insert(glyph) } } }
    var analysis = RuleAnalysis(face: face, own: own)
    for tag in [Self.substitution, Self.positioning] {
      let fractions = choice.fractionLookups(face, tag)
      let lookups = unsafe Self.lookups(plan, tag)
      guard analysis.read(tag, lookups.filter { !fractions.contains($0) })
      else { return nil }
    }
    // Without pairs of its own a font may be kerned by its `kern` table, in another way.
    if !analysis.hasPairs, face.hasTable(Self.kerningTable) { return nil }
    (bound, seen, kerned) = (analysis.bound, analysis.seen, analysis.kerned)
    reach = max(1, analysis.longest - 1)
    screen = analysis.buildScreen()
    let isKernedByTable = face.hasTable(Self.kerningTable)
    kerning =
      isKernedByTable && !choice.hasKerning(face)
      ? nil
      : PairKerning(
        unsafe LayoutTable(face: face.face, tag: Self.positioning), lookups: unsafe Self.lookups(plan, Self.positioning)
      )
  }

  /// What pairs need to know of a character.
  struct Side: Sendable {
    fileprivate(set) var glyph: RuleScreen.Glyph
    fileprivate var advance: Int64
    fileprivate var isUnadjusted: Bool
    fileprivate var row: PairKerning.Row?
    fileprivate var columns: [UInt16]

    /// Memory that it takes, about.
    var bytes: Int { 104 + (row?.bytes ?? 0) + 2 * (columns.count + glyph.starts.count) }
  }

  /// What a character brings to pairs; nil when only shaping tells.
  func side(of unit: UInt16, in face: OpenFace) -> Side? {
    guard let kerning, let glyph = face.nominalGlyph(UInt32(unit)) else { return nil }
    return Side(
      glyph: RuleScreen.Glyph(number: glyph, starts: screen?.starts(with: glyph) ?? []),
      advance: face.advance(ofGlyph: glyph), isUnadjusted: kerning.isUnadjusted(glyph),
      row: kerning.row(of: glyph), columns: kerning.columns(of: glyph))
  }

  /// The advance of a character that is not bound before another one, or before nothing, and whether cutting between them is
  /// unsafe, in `EmUnits`; nil when only shaping tells.
  func advance(of side: Side, before next: Side?, in face: OpenFace) -> (advance: Int64, isNextUnsafe: Bool)? {
    guard let next else { return side.isUnadjusted ? (side.advance, false) : nil }
    guard let kerning, let row = side.row, let (value, isUnsafe) = kerning.kerning(row, next.glyph.number, next.columns)
    else { return nil }
    return (value == 0 ? side.advance : side.advance + face.emUnits(Int32(value)), isUnsafe)
  }

  func role(of unit: UInt16, in face: OpenFace) -> Role {
    guard ranges.contains(where: { $0.contains(unit) }), let glyph = face.baseGlyph(UInt32(unit)) else {
      return .foreign
    }
    if bound.contains(glyph) { return .bound }
    if seen.contains(glyph) { return kerned.contains(glyph) ? .quietPaired : .quiet }
    return kerned.contains(glyph) ? .barrierPaired : .barrier
  }

  static let substitution: UInt32 = 0x4753_5542
  static let positioning: UInt32 = 0x4750_4F53
  /// `kern`.
  static let kerningTable: UInt32 = 0x6B65_726E
  /// `morx`, `kerx`, `trak`: Apple's tables, which HarfBuzz may follow instead.
  static let tablesThatRule: [UInt32] = [0x6D6F_7278, 0x6B65_7278, 0x7472_616B]

  /// Letters, syllables and ideographs of the scripts that are looked at: no marks, no controls, nothing that is
  /// ignorable, joins, or is composed with a neighbour.
  private static let letters: [UInt32: [ClosedRange<UInt16>]] = [
    HB_SCRIPT_LATIN.rawValue: [0x41...0x5A, 0x61...0x7A, 0xAA...0xAA, 0xBA...0x24F, 0x1E00...0x1EFF],
    HB_SCRIPT_CYRILLIC.rawValue: [0x400...0x482, 0x48A...0x52F],
    HB_SCRIPT_GREEK.rawValue: [0x370...0x3FF, 0x1F00...0x1FFF],
    HB_SCRIPT_HAN.rawValue: [0x4E00...0x9FFF],
    HB_SCRIPT_HIRAGANA.rawValue: [0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FF, 0xFF66...0xFF9D],
    HB_SCRIPT_HANGUL.rawValue: [0xAC00...0xD7A3],
    HB_SCRIPT_ARMENIAN.rawValue: [0x531...0x556, 0x559...0x58A],
    HB_SCRIPT_GEORGIAN.rawValue: [0x10A0...0x10C5, 0x10D0...0x10FF],
    HB_SCRIPT_ETHIOPIC.rawValue: [0x1200...0x135A, 0x1360...0x137C],
  ]

  /// Digits, punctuation and signs, which any script's runs have. U+2044 is left out: it makes fractions.
  private static let signs: [ClosedRange<UInt16>] = [
    0x20...0x40, 0x5B...0x60, 0x7B...0x7E, 0xA0...0xA9, 0xAB...0xAC, 0xAE...0xB9, 0xBB...0xBF, 0xD7...0xD7, 0xF7...0xF7,
    0x2010...0x2027, 0x2030...0x2043, 0x2045...0x205E, 0x2070...0x209C, 0x20A0...0x20BF, 0x2100...0x214F,
    0x2190...0x22FF, 0x2500...0x25FF,
    0x3000...0x3029, 0x3030...0x303F, 0x309B...0x309C, 0x30A0...0x30A0, 0xFF01...0xFF20, 0xFF3B...0xFF40,
    0xFF5B...0xFF65,
  ]

  /// The lookups of a table that a plan applies.
  static func lookups(_ plan: OpaquePointer, _ tag: UInt32) -> [Int] {
    let set = unsafe hb_set_create()
    defer { unsafe hb_set_destroy(set) }
    unsafe hb_ot_shape_plan_collect_lookups(plan, tag, set)
    return unsafe elements(set)
  }

  fileprivate static func elements(_ set: OpaquePointer?) -> [Int] {
    var elements: [Int] = []
    var element = hb_codepoint_t.max
    while unsafe hb_set_next(set, &element) != 0 { elements.append(Int(element)) }
    return elements
  }
}

/// What decides which rules a run's shape follows: two languages with the same are shaped alike.
struct RuleChoice: Hashable, Sendable {
  let script: UInt32
  private var chosen: [UInt32] = []
  private var scriptTags: [hb_tag_t] = []

  init(face: OpenFace, script: UInt32, language: hb_language_t?) {
    self.script = script
    // As `hb_ot_map_builder_t` chooses them.
    var scripts = [hb_tag_t](repeating: 0, count: Int(HB_OT_MAX_TAGS_PER_SCRIPT))
    var languages = [hb_tag_t](repeating: 0, count: Int(HB_OT_MAX_TAGS_PER_LANGUAGE))
    var (scriptCount, languageCount) = (UInt32(scripts.count), UInt32(languages.count))
    unsafe hb_ot_tags_from_script_and_language(
      hb_script_t(rawValue: script), language, &scriptCount, &scripts, &languageCount, &languages)
    for tag in [GlyphDependence.substitution, GlyphDependence.positioning] {
      var (scriptIndex, scriptTag, languageIndex): (UInt32, hb_tag_t, UInt32) = (0, 0, 0)
      unsafe hb_ot_layout_table_select_script(face.face, tag, scriptCount, scripts, &scriptIndex, &scriptTag)
      unsafe hb_ot_layout_script_select_language(
        face.face, tag, scriptIndex, languageCount, languages, &languageIndex)
      chosen += [scriptIndex, languageIndex]
      scriptTags.append(scriptTag)
    }
  }

  /// Lookups of fractions alone, which only apply beside U+2044.
  func fractionLookups(_ face: OpenFace, _ tag: UInt32) -> Set<Int> {
    lookups(face, tag, ["frac", "numr", "dnom"]).subtracting(lookups(face, tag, Self.commonFeatures))
  }

  /// Whether GPOS has kerning for the script, so that HarfBuzz does not look for another table's.
  func hasKerning(_ face: OpenFace) -> Bool { !lookups(face, GlyphDependence.positioning, ["kern"]).isEmpty }

  /// Lookups of some features.
  func lookups(_ face: OpenFace, _ tag: UInt32, _ features: [String]) -> Set<Int> {
    let set = unsafe hb_set_create()
    defer { unsafe hb_set_destroy(set) }
    let scripts = [scriptTags[tag == GlyphDependence.substitution ? 0 : 1], 0]
    unsafe hb_ot_layout_collect_lookups(face.face, tag, scripts, nil, features.map(ScriptCode.code) + [0], set)
    return Set(unsafe GlyphDependence.elements(set))
  }

  /// What HarfBuzz applies to all of a run.
  private static let commonFeatures = [
    "rvrn", "ltra", "ltrm", "rand", "abvm", "blwm", "ccmp", "locl", "mark", "mkmk", "rlig", "calt", "clig", "curs",
    "dist",
    "kern", "liga", "rclt", "ljmo", "vjmo", "tjmo",
  ]
}

/// Reads the rules of the lookups that a plan applies.
private struct RuleAnalysis {
  let face: OpenFace
  /// Glyphs that a run can have, to begin with or by substitution.
  private var possible: GlyphSet
  private(set) var bound = GlyphSet()
  private(set) var seen = GlyphSet()
  private(set) var kerned = GlyphSet()
  private(set) var hasPairs = false
  private(set) var screen = RuleScreen.Builder()
  /// Places of the longest rule.
  private(set) var longest = 1

  init(face: OpenFace, own: GlyphSet) {
    self.face = face
    possible = own
  }

  mutating func buildScreen() -> RuleScreen? { screen.build() }

  /// False when a rule may reach across any glyph.
  mutating func read(_ tag: UInt32, _ lookups: [Int]) -> Bool {
    let table = unsafe LayoutTable(face: face.face, tag: tag)
    if tag == GlyphDependence.substitution { addOutputs(of: lookups, table) }
    var queue = lookups
    let own = Set(lookups)
    var known = own
    while let lookup = queue.popLast() {
      for subtable in table.subtables(ofLookup: lookup) {
        var applies = false
        switch subtable.kind {
        case .singlePosition: continue
        case .unknown: return false
        case .pairPosition:
          let first = table.firstGlyphs(of: subtable)
          hasPairs = true
          kerned.insert(first)
          applies = possible.intersects(first)
          if applies, table.movesSecond(subtable) { return false }
        case .substitution, .cursive, .markPosition:
          let rule = LayoutRule(places: [table.firstGlyphs(of: subtable)])
          applies = add(rule, of: own.contains(lookup) ? lookup : nil, bindsAll: true)
        case .ligature, .reverseContext, .context, .chainedContext:
          table.rules(of: subtable) { rule in
            let bindsAll = subtable.kind == .ligature || subtable.kind == .reverseContext
            guard add(rule, of: own.contains(lookup) ? lookup : nil, bindsAll: bindsAll) else { return }
            applies = true
            for (_, other) in rule.nested where known.insert(other).inserted { queue.append(other) }
          }
        }
        // Bases or ligatures that are skipped would be neither seen nor counted.
        if applies, table.flags(ofLookup: lookup) & 6 != 0 { return false }
      }
    }
    return true
  }

  /// Adds a rule, if a run can have all that it needs.
  /// - Parameter lookup: nil when its lookup applies only where another rule says so.
  private mutating func add(_ rule: LayoutRule, of lookup: Int?, bindsAll: Bool) -> Bool {
    guard canApply(rule) else { return false }
    if let lookup { screen.add(rule, ofLookup: lookup, changes: bindsAll || !rule.nested.isEmpty) }
    longest = max(longest, rule.places.count)
    for place in rule.places { seen.insert(place) }
    if bindsAll { for place in rule.places { bound.insert(place) } }
    for (place, _) in rule.nested where place < rule.places.count { bound.insert(rule.places[place]) }
    // A rule that does nothing keeps others from applying, and makes it unsafe to cut where it matched.
    if !bindsAll, rule.nested.isEmpty { bound.insert(rule.places[0]) }
    return true
  }

  private func canApply(_ rule: LayoutRule) -> Bool { rule.places.allSatisfy { possible.intersects($0) } }

  /// Adds what substitutions can bring in, until no other one can apply.
  private mutating func addOutputs(of lookups: [Int], _ table: LayoutTable) {
    var waiting = lookups
    while true {
      let ready = waiting.filter { canApply($0, table) }
      if ready.isEmpty { return }
      waiting.removeAll(where: ready.contains)
      let set = unsafe hb_set_create()
      defer { unsafe hb_set_destroy(set) }
      for lookup in ready {
        unsafe hb_ot_layout_lookup_collect_glyphs(
          face.face, GlyphDependence.substitution, UInt32(lookup), nil, nil, nil, set)
      }
      for glyph in unsafe GlyphDependence.elements(set) { possible.insert(glyph) }
    }
  }

  private func canApply(_ lookup: Int, _ table: LayoutTable) -> Bool {
    table.subtables(ofLookup: lookup).contains { subtable in
      if case .substitution = subtable.kind { return possible.intersects(table.firstGlyphs(of: subtable)) }
      var isPossible = false
      table.rules(of: subtable) { isPossible = isPossible || canApply($0) }
      return isPossible
    }
  }
}

extension OpenFace {
  func hasTable(_ tag: UInt32) -> Bool {
    let blob = unsafe hb_face_reference_table(face, tag)
    defer { unsafe hb_blob_destroy(blob) }
    return unsafe hb_blob_get_length(blob) > 0
  }

  /// The glyph of a character, if the font has it and does not call it a mark.
  func baseGlyph(_ character: UInt32) -> Int? {
    guard coverage.contains(character), let glyph = nominalGlyph(character) else { return nil }
    return unsafe hb_ot_layout_get_glyph_class(face, hb_codepoint_t(glyph)) == HB_OT_LAYOUT_GLYPH_CLASS_MARK
      ? nil : glyph
  }

  fileprivate func nominalGlyph(_ character: UInt32) -> Int? {
    var glyph: hb_codepoint_t = 0
    return unsafe hb_font_get_nominal_glyph(font, character, &glyph) != 0 ? Int(glyph) : nil
  }

  fileprivate func advance(ofGlyph glyph: Int) -> Int64 {
    emUnits(unsafe hb_font_get_glyph_h_advance(font, hb_codepoint_t(glyph)))
  }
}
