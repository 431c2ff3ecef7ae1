// Shapes stretches of text with HarfBuzz and adds up the advances by UTF-16 unit.
import CHarfBuzz

/// One HarfBuzz buffer and what is needed to shape with it. Used by one thread at a time.
///
/// `@unchecked Sendable`: a shaper is either in the pool or with the one caller that took it out.
@safe final class Shaper: @unchecked Sendable {
  private let buffer: OpaquePointer
  private var language: hb_language_t?
  private var locale = ""
  /// HarfBuzz keeps plans in a list that it searches for each run; here one look-up finds them.
  private var plans: [RunKind: ShapePlan] = [:]
  private var latest: (kind: RunKind, plan: ShapePlan)?
  private var shortRuns: [ShortRun: [ShortRun.Glyph]] = [:]
  /// Pieces by kind of run, nil where runs cannot be taken apart; kinds that follow the same rules share theirs.
  private var pieces: [RunKind: PieceShaper?] = [:]
  private var sharedPieces: [PieceKind: PieceShaper] = [:]
  private var pieceMemory = PieceMemory()
  /// What was asked for last, by `RunKind.slot`.
  private var recentPieces = [(kind: RunKind, pieces: PieceShaper?)?](repeating: nil, count: RunKind.slots)
  private var glyphs: [PieceGlyph] = []
  /// What is known of characters in chains, by their ID, and the chain that was asked for last.
  private var places: [Int: CharacterPlaces] = [:]
  private var latestPlaces: (chain: Int, places: CharacterPlaces)?
  private var placeBytes = 0
  /// Largest stretch shaped so far, for the pool to tell when a buffer has grown too big to keep.
  private(set) var largestUnits = 0
  /// How many stretches HarfBuzz shaped, their units, and how many runs were put together without it.
  private(set) var shapedStretches = 0
  private(set) var shapedUnits = 0
  private(set) var assembledRuns = 0

  /// Memory that what it knows takes, in bytes, about.
  var bytes: Int { shortRuns.capacity * 80 + placeBytes + pieceMemory.bytes }

  /// Lets go of all that `bytes` counts.
  func forgetPieces() {
    sharedPieces = [:]
    pieceMemory = PieceMemory()
    pieces = [:]
    forgetRecentPieces()
    shortRuns = [:]
    (places, latestPlaces, placeBytes) = ([:], nil, 0)
  }

  /// Hands out what is known of characters in a chain, which `keep` takes back.
  func takePlaces(of chain: Int) -> CharacterPlaces {
    if let latest = latestPlaces {
      latestPlaces = nil
      if latest.chain == chain {
        placeBytes -= latest.places.bytes
        return latest.places
      }
      if places.count >= FontLimits.placedChains {
        (places, placeBytes) = ([:], 0)
      } else {
        places[latest.chain] = latest.places
      }
    }
    guard let known = places.removeValue(forKey: chain) else { return CharacterPlaces() }
    placeBytes -= known.bytes
    return known
  }

  func keep(_ known: consuming CharacterPlaces, of chain: Int) {
    placeBytes += known.bytes
    latestPlaces = (chain, known)
  }

  init() { unsafe buffer = hb_buffer_create() }

  deinit { unsafe hb_buffer_destroy(buffer) }

  /// Sets the language of what is shaped next. HarfBuzz keeps every language for ever that it was given once, so it gets
  /// one of a bounded number.
  func setLocale(_ locale: String) {
    if locale.utf8.elementsEqual(self.locale.utf8), unsafe language != nil { return }
    self.locale = locale
    unsafe language = hb_language_from_string(LocaleTag.shapingLanguage(of: locale), -1)
  }

  /// Shapes part of one run.
  ///
  /// - Parameters:
  ///   - text: the text around: letters join what they stand beside there.
  ///   - range: what is shaped, in units of `text`.
  ///   - strikeAdvance: the advance that every glyph takes instead of its own, or nil.
  ///   - body: called for each glyph with its cluster's first unit, its advance, and whether cutting there is unsafe.
  func shape(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, run: TextRun, face: OpenFace, strikeAdvance: Int64?,
    _ body: (Int, Int64, Bool) -> Void
  ) {
    if strikeAdvance == nil, !run.isRightToLeft, unsafe shapeInPieces(text, range, run: run, face: face, body) {
      return
    }
    guard strikeAdvance == nil, let key = unsafe ShortRun(text, range, run, face, language) else {
      return unsafe shapeAnew(text, range, run: run, face: face, strikeAdvance: strikeAdvance, body)
    }
    if let glyphs = shortRuns[key] {
      for glyph in glyphs { body(range.lowerBound + glyph.unit, glyph.advance, glyph.isUnsafe) }
      return
    }
    var glyphs: [ShortRun.Glyph] = []
    unsafe shapeAnew(text, range, run: run, face: face, strikeAdvance: nil) { unit, advance, isUnsafe in
      glyphs.append(ShortRun.Glyph(unit: unit - range.lowerBound, advance: advance, isUnsafe: isUnsafe))
      body(unit, advance, isUnsafe)
    }
    if shortRuns.count >= FontLimits.shortRuns { shortRuns.removeAll() }
    shortRuns[key] = glyphs
  }

  /// Shapes a run from pieces; false when it is not such a run.
  private func shapeInPieces(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, run: TextRun, face: OpenFace,
    _ body: (Int, Int64, Bool) -> Void
  ) -> Bool {
    guard let pieces = pieces(run, face) else { return false }
    let own = unsafe UnsafeBufferPointer(rebasing: text[range])
    let before = shapedStretches
    let isAssembled = unsafe pieces.assemble(own, into: &glyphs) { part in unsafe shape(own, part, run, face) }
    guard isAssembled else { return false }
    if shapedStretches == before { assembledRuns += 1 }
    for glyph in glyphs where glyph.unit >= 0 {
      body(range.lowerBound + Int(glyph.unit), glyph.advance, glyph.isUnsafe)
    }
    return true
  }

  /// The glyphs of a part shaped for itself, their units from its start.
  private func shape(
    _ text: UnsafeBufferPointer<UInt16>, _ part: Range<Int>, _ run: TextRun, _ face: OpenFace
  ) -> [PieceGlyph] {
    var glyphs: [PieceGlyph] = []
    glyphs.reserveCapacity(part.count)
    let own = unsafe UnsafeBufferPointer(rebasing: text[part])
    unsafe shapeAnew(own, 0..<own.count, run: run, face: face, strikeAdvance: nil) { unit, advance, isUnsafe in
      glyphs.append(PieceGlyph(unit: Int32(unit), isUnsafe: isUnsafe, advance: advance))
    }
    return glyphs
  }

  private func pieces(_ run: TextRun, _ face: OpenFace) -> PieceShaper? {
    let kind = unsafe RunKind(run, face, language)
    if let recent = recentPieces[kind.slot], recent.kind == kind { return recent.pieces }
    if pieces.count >= FontLimits.shapePlans { pieces.removeAll() }
    let found = pieces[kind] ?? makePieces(run, face)
    pieces[kind] = .some(found)
    recentPieces[kind.slot] = (kind, found)
    return found
  }

  private func forgetRecentPieces() { for slot in recentPieces.indices { recentPieces[slot] = nil } }

  private func makePieces(_ run: TextRun, _ face: OpenFace) -> PieceShaper? {
    let choice = unsafe RuleChoice(face: face, script: run.script, language: language)
    let kind = PieceKind(face: ObjectIdentifier(face), choice: choice)
    if let shared = sharedPieces[kind] { return shared }
    let dependence = face.dependence(choice) {
      unsafe hb_buffer_clear_contents(buffer)
      setProperties(of: run)
      guard let plan = unsafe plan(RunKind(run, face, language), face).pointer else { return nil }
      return unsafe GlyphDependence(face: face, plan: plan, choice: choice)
    }
    guard let dependence else { return nil }
    if sharedPieces.count >= FontLimits.pieceKinds {
      forgetPieces()
    }
    let made = PieceShaper(face: face, dependence: dependence, memory: pieceMemory)
    sharedPieces[kind] = made
    return made
  }

  private func setProperties(of run: TextRun) {
    unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, hb_script_t(rawValue: run.script))
    unsafe hb_buffer_set_language(buffer, language)
  }

  func shapeAnew(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, run: TextRun, face: OpenFace, strikeAdvance: Int64?,
    _ body: (Int, Int64, Bool) -> Void
  ) {
    largestUnits = max(largestUnits, range.count)
    shapedStretches += 1
    shapedUnits += range.count
    unsafe hb_buffer_clear_contents(buffer)
    unsafe hb_buffer_add_utf16(
      buffer, text.baseAddress, Int32(text.count), UInt32(range.lowerBound), Int32(range.count))
    setProperties(of: run)
    let plan = plan(unsafe RunKind(run, face, language), face)
    _ = unsafe hb_shape_plan_execute(plan.pointer, face.font, buffer, nil, 0)
    var count: UInt32 = 0
    let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count)
    let positions = unsafe hb_buffer_get_glyph_positions(buffer, &count)
    guard let infos = unsafe infos, let positions = unsafe positions else { return }
    let unsafeMask = HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue
    for index in 0..<Int(count) {
      let info = unsafe infos[index]
      let own = unsafe positions[index].x_advance
      let advance = if let strikeAdvance, own > 0, info.codepoint != 0 { strikeAdvance } else { face.emUnits(own) }
      body(Int(info.cluster), advance, info.mask & unsafeMask != 0)
    }
  }
}

extension Shaper {
  /// The plan for runs of a kind; the buffer's properties are those of such a run.
  private func plan(_ kind: RunKind, _ face: OpenFace) -> ShapePlan {
    if let latest, latest.kind == kind { return latest.plan }
    if plans.count >= FontLimits.shapePlans { plans.removeAll() }
    let plan = unsafe plans[kind] ?? ShapePlan(face, buffer)
    plans[kind] = plan
    latest = (kind, plan)
    return plan
  }
}

/// What the pieces of runs depend on.
private struct PieceKind: Hashable {
  var face: ObjectIdentifier
  var choice: RuleChoice
}

/// One of HarfBuzz's plans, which are immutable.
@safe final class ShapePlan {
  let pointer: OpaquePointer?

  /// The plan for runs with the properties of a buffer.
  init(_ face: OpenFace, _ buffer: OpaquePointer) {
    var properties = unsafe hb_segment_properties_t()
    unsafe hb_buffer_get_segment_properties(buffer, &properties)
    var count: UInt32 = 0
    let coordinates = unsafe hb_font_get_var_coords_normalized(face.font, &count)
    unsafe pointer = hb_shape_plan_create_cached2(face.face, &properties, nil, 0, coordinates, count, nil)
  }

  deinit { unsafe hb_shape_plan_destroy(pointer) }
}

/// What a shape plan depends on. A face lives as long as the chains that a shaper works for.
struct RunKind: Hashable {
  private var face: ObjectIdentifier
  private var language: UInt
  private var script: UInt32
  private var isRightToLeft: Bool

  init(_ run: TextRun, _ face: OpenFace, _ language: hb_language_t?) {
    self.face = ObjectIdentifier(face)
    self.language = UInt(bitPattern: language)
    (script, isRightToLeft) = (run.script, run.isRightToLeft)
  }

  /// How many places `slot` tells apart.
  static let slots = 64
  /// A place in a table of recent kinds.
  var slot: Int {
    let mixed = UInt(bitPattern: face) >> 4 ^ UInt(script) &* 0x9E37_79B9 ^ language >> 4
    return Int(truncatingIfNeeded: mixed ^ mixed >> 16) & (Self.slots - 1)
  }
}

/// A run of a few spaces, digits and ASCII signs, such as stands between words whose font is another: its shape depends on
/// nothing around it, so it is shaped once.
struct ShortRun: Hashable {
  struct Glyph {
    var unit: Int
    var advance: Int64
    var isUnsafe: Bool
  }

  private var kind: RunKind
  /// The units, eight bits each.
  private var units: UInt32 = 0

  /// Nil when the run is longer than four units or has letters.
  init?(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, _ run: TextRun, _ face: OpenFace,
    _ language: hb_language_t?
  ) {
    if range.count > 4 { return nil }
    for unit in range {
      let character = unsafe text[unit]
      guard (0x20...0x40).contains(character) else { return nil }
      units = units << 8 | UInt32(character)
    }
    kind = unsafe RunKind(run, face, language)
  }
}

/// What HarfBuzz is, for the version of the engine.
enum HarfBuzz {
  static var version: String { unsafe String(cString: hb_version_string()) }
}

/// Scripts of characters, as HarfBuzz knows them.
enum Script {
  static let common = HB_SCRIPT_COMMON.rawValue
  static let inherited = HB_SCRIPT_INHERITED.rawValue
  static let latin = HB_SCRIPT_LATIN.rawValue
  static let unknown = HB_SCRIPT_UNKNOWN.rawValue

  static func of(_ character: UInt32) -> UInt32 {
    switch character {
    case 0x41...0x5A, 0x61...0x7A: return latin
    case 0..<0xAA: return common
    case 0xAC00...0xD7A3: return HB_SCRIPT_HANGUL.rawValue
    case 0x4E00...0x9FFF: return HB_SCRIPT_HAN.rawValue
    default: return merged(unsafe hb_unicode_script(hb_unicode_funcs_get_default(), character).rawValue)
    }
  }

  /// Hiragana and Katakana are one script to OpenType (`kana`), and words mix them: they shape as one run.
  static func merged(_ script: UInt32) -> UInt32 {
    script == HB_SCRIPT_KATAKANA.rawValue ? HB_SCRIPT_HIRAGANA.rawValue : script
  }

  /// The one character that a base and what follows it compose to, or nil.
  static func composed(_ base: UInt32, _ others: [UInt32]) -> UInt32? {
    var character = base
    for other in others {
      guard unsafe hb_unicode_compose(hb_unicode_funcs_get_default(), character, other, &character) != 0 else {
        return nil
      }
    }
    return character
  }

  /// Whether a character takes its script from its neighbours.
  static func isWeak(_ script: UInt32) -> Bool { script == common || script == inherited || script == unknown }
}
