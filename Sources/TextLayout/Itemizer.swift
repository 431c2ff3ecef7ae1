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
  private var faces: [OpenFace?]
  private var result = Itemized()

  init(chain: FontChain, unicode: UnicodeText) {
    self.chain = chain
    self.unicode = unicode
    primary = chain.fonts[chain.primary].face?.opened()
    faces = [OpenFace?](repeating: nil, count: chain.fonts.count)
  }

  /// Itemises a text and marks the first unit of each grapheme cluster in `flags`.
  mutating func itemize(_ text: UnsafeBufferPointer<UInt16>, flags: inout [UnitFlags]) -> Itemized {
    result = Itemized()
    let traits = unsafe TextTraits(text)
    unsafe markGraphemes(text, isSimple: traits.isSimple, &flags)
    let levels = traits.hasRightToLeft ? unsafe unicode.levelRuns(text) : [LevelRun(end: text.count, level: 0)]
    var script = unsafe firstScript(text)
    var candidates = chain.candidates(for: script)
    var brackets = BracketScripts()
    var levelIndex = 0
    var place = -1
    var start = 0
    while start < text.count {
      var end = start + 1
      while end < text.count, !flags[end].contains(.graphemeStart) { end += 1 }
      while levels[levelIndex].end <= start { levelIndex += 1 }
      let character = unsafe text.scalar(at: start).character
      let own = brackets.resolve(character, Script.of(character), current: script)
      if own != script, !Script.isWeak(own) {
        script = own
        candidates = chain.candidates(for: script)
      }
      let cluster = unsafe Cluster(text, start..<end)
      if !cluster.isIgnorable || place < 0 { place = self.place(of: cluster, candidates) }
      let run = TextRun(
        start: Int32(start), end: Int32(end), place: Int32(place), script: script,
        isRightToLeft: levels[levelIndex].level & 1 == 1)
      append(run, isCut: unsafe flags[start].contains(.clusterCut) || mustEndRun(before: start, text))
      start = end
    }
    return result
  }

  /// Adds a cluster, to the last run where it goes on with it.
  private mutating func append(_ run: TextRun, isCut: Bool) {
    if !isCut, let last = result.runs.last, last.place == run.place, last.script == run.script,
      last.isRightToLeft == run.isRightToLeft
    {
      result.runs[result.runs.count - 1].end = run.end
    } else {
      result.runs.append(run)
    }
  }

  private func mustEndRun(before position: Int, _ text: UnsafeBufferPointer<UInt16>) -> Bool {
    guard let last = result.runs.last else { return false }
    let count = position - Int(last.start)
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

  /// The font of a cluster: the first that has all of it, else the first that has its base.
  private mutating func place(of cluster: Cluster, _ candidates: [Int]) -> Int {
    if cluster.isPlain, let primary, primary.coverage.contains(cluster.base) {
      if !chain.fonts[chain.primary].isExact || chain.primary > 0 {
        note(chain.primary, candidates)
      }
      return chain.primary
    }
    if let place = search(cluster, candidates) {
      note(place, candidates)
      return place
    }
    if !cluster.isIgnorable {
      result.hasMissingGlyphs = true
      note(nil, candidates)
    }
    return chain.primary
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
    if let face = faces[place] { return face.coverage.contains(character) }
    guard let face = chain.fonts[place].face?.opened() else { return false }
    faces[place] = face
    return face.coverage.contains(character)
  }

  /// Keeps which fonts stood in: the one used, and those missing before it that might have had the cluster.
  private mutating func note(_ place: Int?, _ candidates: [Int]) {
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
