// Splits a paragraph into runs of one font, script and bidi level, and finds its grapheme clusters.

/// What itemising a paragraph gives.
struct Itemized {
  var runs: [TextRun] = []
  var hasMissingGlyphs = false
  var substitutions: [FontSubstitution] = []
}

/// Itemises one paragraph at a time.
struct Itemizer {
  private let chain: FontChain
  private let unicode: UnicodeText
  private let primary: OpenFace?
  /// Faces that this paragraph asked for, by place: a look-up that takes no lock.
  private var faces: [OpenFace?] = []
  private var result = Itemized()
  private var known: CharacterPlaces
  /// Where `known` has the script that the text is in, and the fonts to try there.
  private var inScript = 0
  private var candidates: [Int] = []
  /// What the last character with a font of its own chose, and in which script: what stood in was noted then.
  private var noted: (choice: UInt8, inScript: Int) = (CharacterPlaces.Choice.unknown, -1)

  /// - Parameter known: what is known of the chain.
  init(chain: FontChain, unicode: UnicodeText, known: CharacterPlaces = CharacterPlaces()) {
    self.chain = chain
    self.unicode = unicode
    self.known = known
    primary = chain.fonts[chain.primary].face?.opened()
  }

  /// What is known of the chain now.
  consuming func takeKnown() -> CharacterPlaces { known }

  /// Whether what a character chose can be kept.
  private var keepsChoices: Bool { chain.fonts.count <= CharacterPlaces.maximumFonts }

  /// Itemises a text and marks the first unit of each grapheme cluster in `flags`.
  mutating func itemize(_ text: UnsafeBufferPointer<UInt16>, flags: inout [UnitFlags]) -> Itemized {
    result = Itemized()
    noted = (CharacterPlaces.Choice.unknown, -1)
    let traits = unsafe TextTraits(text)
    unsafe markGraphemes(text, isSimple: traits.isSimple, &flags)
    let levels = traits.hasRightToLeft ? unsafe unicode.levelRuns(text) : [LevelRun(end: text.count, level: 0)]
    var script = unsafe firstScript(text)
    enter(script)
    var brackets = BracketScripts()
    let keepsChoices = keepsChoices
    var levelIndex = 0
    var run = TextRun(start: 0, end: 0, place: -1, script: script, isRightToLeft: false)
    var runLevel: UInt8 = 0
    var start = 0
    while start < text.count {
      var end = start + 1
      if !traits.isSimple { while end < text.count, !flags[end].contains(.graphemeStart) { end += 1 } }
      while levels[levelIndex].end <= start { levelIndex += 1 }
      let first = unsafe text[start]
      var own: UInt32
      if first & 0xF800 == 0xD800 {
        own = unsafe Script.of(text.scalar(at: start).character)
      } else {
        own = known.script(of: first)
        if own == Script.common, BracketScripts.mayHave(first) {
          own = brackets.resolve(UInt32(first), own, current: script)
        }
      }
      if own != script, !Script.isWeak(own) {
        script = own
        enter(script)
      }
      let place =
        keepsChoices && end == start + 1 && first & 0xF800 != 0xD800
        ? unsafe self.place(of: first, text, start, after: Int(run.place))
        : unsafe self.place(of: Cluster(text, start..<end), after: Int(run.place))
      let level = levels[levelIndex].level
      let goesOn =
        place == Int(run.place) && script == run.script && level == runLevel && !flags[start].contains(.clusterCut)
      if start > 0, unsafe !goesOn || mustEnd(run, before: start, text) {
        result.runs.append(run)
        run.start = Int32(start)
      }
      (run.place, run.script, run.isRightToLeft, run.end) = (Int32(place), script, level & 1 == 1, Int32(end))
      runLevel = level
      start = end
    }
    if !text.isEmpty { result.runs.append(run) }
    return result
  }

  private mutating func enter(_ script: UInt32) {
    inScript = known.index(of: script, in: chain)
    candidates = known.candidates(inScript)
  }

  private func mustEnd(_ run: TextRun, before position: Int, _ text: UnsafeBufferPointer<UInt16>) -> Bool {
    let count = position - Int(run.start)
    if count < FontLimits.runUnits { return false }
    return unsafe text[position - 1] == 0x20 || count >= 2 * FontLimits.runUnits
  }

  private func markGraphemes(_ text: UnsafeBufferPointer<UInt16>, isSimple: Bool, _ flags: inout [UnitFlags]) {
    if isSimple {
      for index in flags.indices { flags[index].insert(.graphemeStart) }
      return
    }
    flags[0].insert(.graphemeStart)
    unsafe unicode.graphemeEnds(text) { flags[$0].insert(.graphemeStart) }
    var start = 0
    for unit in text.indices {
      if flags[unit].contains(.graphemeStart) {
        start = unit
      } else if unit - start >= FontLimits.clusterUnits, unsafe text[unit] & 0xFC00 != 0xDC00 {
        flags[unit].formUnion([.graphemeStart, .clusterCut])
        start = unit
      }
    }
  }

  /// Weak characters at the start take the script of the first character that has one.
  private func firstScript(_ text: UnsafeBufferPointer<UInt16>) -> UInt32 {
    var index = 0
    while index < text.count {
      let (character, length) = unsafe text.scalar(at: index)
      let script = Script.of(character)
      if !Script.isWeak(script) { return script }
      index += length
    }
    return Script.latin
  }

  /// The font of a character that is a cluster of its own.
  private mutating func place(
    of unit: UInt16, _ text: UnsafeBufferPointer<UInt16>, _ position: Int, after last: Int
  ) -> Int {
    var choice = known.choice(unit, inScript)
    if choice == CharacterPlaces.Choice.unknown {
      let cluster = unsafe Cluster(text, position..<position + 1)
      if cluster.isIgnorable {
        choice = CharacterPlaces.Choice.none
      } else if let place = find(cluster) {
        choice = CharacterPlaces.Choice.font(place)
      } else {
        choice = CharacterPlaces.Choice.missing
      }
      known.set(unit, inScript, to: choice)
    }
    if choice == CharacterPlaces.Choice.none {
      return last >= 0 ? last : unsafe place(of: Cluster(text, position..<position + 1), after: last)
    }
    let place = choice == CharacterPlaces.Choice.missing ? nil : Int(choice) - 1
    if choice != noted.choice || inScript != noted.inScript {
      noted = (choice, inScript)
      if place == nil { result.hasMissingGlyphs = true }
      note(place)
    }
    return place ?? chain.primary
  }

  /// The font of any cluster.
  private mutating func place(of cluster: Cluster, after last: Int) -> Int {
    if cluster.isIgnorable, last >= 0 { return last }
    noted = (CharacterPlaces.Choice.unknown, -1)
    if let place = find(cluster) {
      note(place)
      return place
    }
    if !cluster.isIgnorable {
      result.hasMissingGlyphs = true
      note(nil)
    }
    return chain.primary
  }

  /// The first font that has all of a cluster, else the first that has its base.
  private mutating func find(_ cluster: Cluster) -> Int? {
    if cluster.isPlain, let primary, primary.coverage.contains(cluster.base) { return chain.primary }
    return search(cluster, candidates)
  }

  private mutating func search(_ cluster: Cluster, _ candidates: [Int]) -> Int? {
    if !cluster.wantsEmoji, cluster.isSingle, !cluster.isIgnorable {
      for place in candidates where covers(place, cluster.base) { return place }
    }
    let places = cluster.wantsEmoji ? chain.emojiPlaces + candidates : candidates
    if let place = places.first(where: { chain.covers($0, cluster, baseOnly: false) }) { return place }
    let all = chain.fonts.indices
    if let place = all.first(where: { chain.covers($0, cluster, baseOnly: false) }) { return place }
    if cluster.isSingle { return nil }
    if let place = places.first(where: { chain.covers($0, cluster, baseOnly: true) }) { return place }
    return all.first { chain.covers($0, cluster, baseOnly: true) }
  }

  private mutating func covers(_ place: Int, _ character: UInt32) -> Bool {
    if faces.isEmpty { faces = [OpenFace?](repeating: nil, count: chain.fonts.count) }
    if let face = faces[place] { return face.coverage.contains(character) }
    guard let face = chain.fonts[place].face?.opened() else { return false }
    faces[place] = face
    return face.coverage.contains(character)
  }

  /// Keeps which fonts stood in: the one used, and those missing before it that might have had the cluster.
  private mutating func note(_ place: Int?) {
    if let place, !chain.fonts[place].isExact {
      add(FontSubstitution(requested: chain.fonts[place].requested, used: chain.fonts[place].family))
    }
    if !chain.hasMissing { return }
    for candidate in candidates {
      if let place, candidate >= place { break }
      if chain.fonts[candidate].face != nil { continue }
      add(
        FontSubstitution(requested: chain.fonts[candidate].requested, used: place.map { chain.fonts[$0].family }))
    }
  }

  private mutating func add(_ substitution: FontSubstitution) {
    if !result.substitutions.contains(substitution) { result.substitutions.append(substitution) }
  }
}

/// A grapheme cluster, as far as the choice of its font needs it.
struct Cluster {
  var base: UInt32 = 0
  /// The characters after the base that a font must have.
  var others: [UInt32] = []
  var isSingle = true
  /// The one character that base and others make together (NFC), if they do: a font with it has the cluster too.
  var composed: UInt32?
  /// Nothing in it needs a glyph.
  var isIgnorable = true
  var wantsEmoji = false
  /// One character below the first one with emoji presentation: no question of emoji arises.
  var isPlain = false

  init(_ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>) {
    let first = unsafe text[range.lowerBound]
    if range.count == 1, first < 0x231A {
      base = UInt32(first)
      isIgnorable = Self.lowNeedNoGlyph[Int(first)]
      isPlain = !isIgnorable
      return
    }
    if range.count == 1, Self.isOrdinary(first) {
      base = UInt32(first)
      isIgnorable = false
      return
    }
    var index = range.lowerBound
    var isText = false
    var isJoined = false
    while index < range.upperBound {
      let (character, length) = unsafe text.scalar(at: index)
      index += length
      switch character {
      case 0xFE0E: isText = true
      case 0xFE0F: wantsEmoji = true
      case 0x200D: isJoined = true
      case 0x1F3FB...0x1F3FF where index - length > range.lowerBound: isJoined = true
      default: break
      }
      if Self.needsNoGlyph(character) { continue }
      if isIgnorable {
        base = character
        isIgnorable = false
      } else {
        others.append(character)
        isSingle = false
      }
    }
    if isIgnorable { return }
    if !isSingle { composed = Script.composed(base, others) }
    if base >= 0x231A, UnicodeText.isEmojiPresentation(base) || (isJoined && UnicodeText.isEmoji(base)) {
      wantsEmoji = true
    }
    if isText || !(wantsEmoji && UnicodeText.isEmoji(base)) { wantsEmoji = false }
  }

  /// `needsNoGlyph` of the characters below the first one with emoji presentation.
  private static let lowNeedNoGlyph: [Bool] = (0..<0x231A).map { needsNoGlyph($0) }

  /// Kana, ideographs and syllables: they have a glyph and are no emoji.
  private static func isOrdinary(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x3041...0x3096, 0x30A1...0x30FC, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    default: false
    }
  }

  /// Default ignorables and control characters take no room and need no glyph.
  static func needsNoGlyph(_ character: UInt32) -> Bool {
    if character < 0x20 || (0x7F..<0xA0).contains(character) { return true }
    return UnicodeText.isIgnorable(character)
  }
}

/// What a quick look at a text tells.
struct TextTraits {
  /// Every unit is a grapheme cluster of its own.
  var isSimple = true
  var hasRightToLeft = false

  init(_ text: UnsafeBufferPointer<UInt16>) {
    for index in text.indices {
      let unit = unsafe text[index]
      if unit < 0x300 { continue }
      switch unit {
      case 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x3000...0x3029, 0x3041...0x3096, 0x309B...0x30FF,
        0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D:
        continue
      // Letters of Armenian, Georgian and Ethiopic; spaces; signs, arrows and symbols.
      case 0x531...0x58F, 0x10A0...0x10FF, 0x1200...0x135A, 0x1E00...0x200B, 0x202F...0x205F, 0x2070...0x20CF,
        0x2100...0x2BFF:
        continue
      case 0x590...0x8FF, 0x200F, 0x202B, 0x202E, 0x2067, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0xD802, 0xD803, 0xD83A,
        0xD83B:
        hasRightToLeft = true
        isSimple = false
      default: isSimple = false
      }
    }
  }
}

extension UnsafeBufferPointer<UInt16> {
  /// The character at a unit, and its length in units. The text is well-formed; at a lone surrogate it is the unit.
  func scalar(at index: Int) -> (character: UInt32, length: Int) {
    let first = unsafe self[index]
    if first & 0xFC00 == 0xD800, index + 1 < count {
      let second = unsafe self[index + 1]
      if second & 0xFC00 == 0xDC00 {
        return (0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)), 2)
      }
    }
    return (UInt32(first), 1)
  }
}
