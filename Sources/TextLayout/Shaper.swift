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
  private let words = WordMemory()
  /// Scratch for `shapeInWords`: glyphs, whether it is unsafe to cut before a space, words that are not known, what HarfBuzz made of them.
  private var parted: [PieceGlyph] = []
  private var unsafeWalls: [Bool] = []
  private var fresh: [FreshWord] = []
  private var shaped: [PieceGlyph] = []
  /// Whether the last stretch that HarfBuzz shaped has a dotted circle.
  private var hasCircle = false
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

  /// How many words are known.
  var knownWords: Int { words.count }

  /// Memory that what it knows takes, in bytes, about.
  var bytes: Int { shortRuns.capacity * 80 + placeBytes + pieceMemory.bytes + words.bytes }

  /// Lets go of all that `bytes` counts.
  func forgetPieces() {
    sharedPieces = [:]
    pieceMemory = PieceMemory()
    pieces = [:]
    forgetRecentPieces()
    words.forget()
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
      return unsafe shapeInWords(text, range, run: run, face: face, strikeAdvance: strikeAdvance, body)
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

  // MARK: Words

  /// Shapes a run word by word, where it may be, from words that were shaped before.
  private func shapeInWords(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, run: TextRun, face: OpenFace, strikeAdvance: Int64?,
    _ body: (Int, Int64, Bool) -> Void
  ) {
    let known = unsafe words.words(
      RunKind(run, face, language), face, isRightToLeft: run.isRightToLeft, strikeAdvance: strikeAdvance
    ) {
      unsafe RuleChoice(face: face, script: run.script, language: language)
    } walls: { choice in
      walls(run, face, choice)
    }
    parted.removeAll(keepingCapacity: true)
    unsafeWalls.removeAll(keepingCapacity: true)
    fresh.removeAll(keepingCapacity: true)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = unsafe words.nextWord(text, after: start, before: range.upperBound, known.walls)
      // The space behind a word belongs to it, and then again to the next word, which its advance depends on.
      let word = start..<min(end + 1, range.upperBound)
      if unsafe addKnown(text, word, end, of: range, run, known) {
        guard unsafe addFresh(text, start, of: range, run, face, strikeAdvance, known) else { break }
      } else {
        fresh.append(FreshWord(units: word, end: end))
      }
      start = end
    }
    let isParted = unsafe start == range.upperBound && addFresh(text, start, of: range, run, face, strikeAdvance, known)
    guard isParted else {
      return unsafe shapeAnew(text, range, run: run, face: face, strikeAdvance: strikeAdvance, body)
    }
    for glyph in parted {
      let isUnsafe = glyph.isUnsafe || (!unsafeWalls.isEmpty && unsafeWalls[Int(glyph.unit) - range.lowerBound])
      body(Int(glyph.unit), glyph.advance, isUnsafe)
    }
  }

  /// Adds the glyphs of a word up to `end` to `parted`; false when it is not known.
  private func addKnown(
    _ text: UnsafeBufferPointer<UInt16>, _ word: Range<Int>, _ end: Int, of range: Range<Int>, _ run: TextRun,
    _ known: KindOfWords
  ) -> Bool {
    guard unsafe isKept(word, of: range, in: text, run) else { return false }
    return unsafe known.find(UnsafeBufferPointer(rebasing: text[word])) { glyph in
      let unit = Int32(word.lowerBound) + glyph.unit
      if unit < end {
        parted.append(PieceGlyph(unit: unit, isUnsafe: glyph.isUnsafe, advance: glyph.advance))
      } else if glyph.isUnsafe {
        noteUnsafe(Int(unit), of: range)
      }
    }
  }

  /// Shapes the words in `fresh`, which end before a unit, in one go, adds their glyphs and keeps each; false when the run has to be
  /// shaped as a whole, since there is a dotted circle: see `SpaceWalls`.
  private func addFresh(
    _ text: UnsafeBufferPointer<UInt16>, _ end: Int, of range: Range<Int>, _ run: TextRun, _ face: OpenFace,
    _ strikeAdvance: Int64?, _ known: KindOfWords
  ) -> Bool {
    guard let first = fresh.first, let last = fresh.last else { return true }
    defer { fresh.removeAll(keepingCapacity: true) }
    let stretch = first.units.lowerBound..<last.units.upperBound
    shaped.removeAll(keepingCapacity: true)
    unsafe shapeAnew(text, stretch, run: run, face: face, strikeAdvance: strikeAdvance) {
      shaped.append(PieceGlyph(unit: Int32($0), isUnsafe: $2, advance: $1))
    }
    if hasCircle, stretch != range { return false }
    if run.isRightToLeft { shaped.reverse() }
    let keeps = known.walls == nil || !hasCircle
    var index = 0
    for word in fresh {
      let begin = index
      while index < shaped.count, shaped[index].unit < word.end { index += 1 }
      parted += shaped[begin..<index]
      let isNextUnsafe = index < shaped.count && shaped[index].isUnsafe
      if word.end == end, isNextUnsafe { noteUnsafe(end, of: range) }
      guard keeps, unsafe isKept(word.units, of: range, in: text, run) else { continue }
      let start = Int32(word.units.lowerBound)
      var own = shaped[begin..<index].map {
        PieceGlyph(unit: $0.unit - start, isUnsafe: $0.isUnsafe && $0.unit > start, advance: $0.advance)
      }
      if isNextUnsafe { own.append(PieceGlyph(unit: Int32(word.end) - start, isUnsafe: true, advance: 0)) }
      unsafe known.insert(UnsafeBufferPointer(rebasing: text[word.units]), own)
    }
    return true
  }

  private func noteUnsafe(_ wall: Int, of range: Range<Int>) {
    if unsafeWalls.isEmpty { unsafeWalls = [Bool](repeating: false, count: range.count) }
    unsafeWalls[wall - range.lowerBound] = true
  }

  private func isKept(
    _ word: Range<Int>, of range: Range<Int>, in text: UnsafeBufferPointer<UInt16>, _ run: TextRun
  ) -> Bool {
    unsafe word.count <= FontLimits.wordUnits && !ShaperTraits.mayJoinBeyond(word, of: range, in: text, run.script)
  }

  private func walls(_ run: TextRun, _ face: OpenFace, _ choice: RuleChoice) -> SpaceWalls? {
    guard ShaperTraits.isNative(run) else { return nil }
    return face.walls(choice, isRightToLeft: run.isRightToLeft) {
      unsafe hb_buffer_clear_contents(buffer)
      setProperties(of: run)
      guard let plan = unsafe plan(RunKind(run, face, language), face).pointer else { return nil }
      return unsafe SpaceWalls(face: face, plan: plan, choice: choice)
    }
  }

  // MARK: Pieces

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
    let circle = face.circleGlyph.map(UInt32.init) ?? .max
    hasCircle = false
    for index in 0..<Int(count) {
      let info = unsafe infos[index]
      if info.codepoint == circle { hasCircle = true }
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
