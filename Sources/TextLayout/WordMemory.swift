// Keeps the shape of words, for runs that are not put together from characters.
import CHarfBuzz

/// The words known of all kinds of runs. Used by one thread at a time.
final class WordMemory {
  /// What the shape of words depends on.
  private struct Kind: Hashable {
    var face: ObjectIdentifier
    var choice: RuleChoice
    var isRightToLeft: Bool
    var strikeAdvance: Int64?
  }

  /// Words by kind of run; kinds that follow the same rules share theirs.
  private var words: [RunKind: KindOfWords] = [:]
  private var shared: [Kind: KindOfWords] = [:]
  /// What was asked for last, by `RunKind.slot`.
  private var recent = [(kind: RunKind, strikeAdvance: Int64?, words: KindOfWords)?](
    repeating: nil, count: RunKind.slots)
  private var memory = PieceMemory()
  private var starts = WordStarts()

  /// Memory that it takes, in bytes, about.
  var bytes: Int { memory.bytes }

  /// How many words are known.
  var count: Int { shared.values.reduce(0) { $0 + $1.count } }

  /// Where the next word begins, with the space before it; the end of the run when nothing parts it before.
  func nextWord(
    _ text: UnsafeBufferPointer<UInt16>, after start: Int, before end: Int, _ walls: SpaceWalls?
  ) -> Int {
    guard let walls else { return end }
    var unit = start + 1
    while unit < end {
      if unsafe text[unit] == 0x20, unsafe unit + 1 == end || starts.contains(text[unit + 1]),
        unsafe walls.hold(after: text[unit - 1])
      {
        return unit
      }
      unit += 1
    }
    return end
  }

  /// The words of a kind of run.
  /// - Parameters:
  ///   - choice: says what rules runs of the kind follow.
  ///   - walls: where they may be parted.
  func words(
    _ kind: RunKind, _ face: OpenFace, isRightToLeft: Bool, strikeAdvance: Int64?, choice: () -> RuleChoice,
    walls: (RuleChoice) -> SpaceWalls?
  ) -> KindOfWords {
    if let recent = recent[kind.slot], recent.kind == kind, recent.strikeAdvance == strikeAdvance {
      return recent.words
    }
    let found: KindOfWords
    if strikeAdvance == nil, let known = words[kind] {
      found = known
    } else {
      found = make(face, isRightToLeft, strikeAdvance, choice(), walls)
      if words.count >= FontLimits.shapePlans { words = [:] }
      if strikeAdvance == nil { words[kind] = found }
    }
    recent[kind.slot] = (kind, strikeAdvance, found)
    return found
  }

  private func make(
    _ face: OpenFace, _ isRightToLeft: Bool, _ strikeAdvance: Int64?, _ choice: RuleChoice,
    _ walls: (RuleChoice) -> SpaceWalls?
  ) -> KindOfWords {
    let key = Kind(
      face: ObjectIdentifier(face), choice: choice, isRightToLeft: isRightToLeft, strikeAdvance: strikeAdvance)
    if let known = shared[key] { return known }
    if shared.count >= FontLimits.wordKinds { forget() }
    let made = KindOfWords(walls: walls(choice), memory: memory)
    shared[key] = made
    return made
  }

  /// Lets go of all that `bytes` counts.
  func forget() {
    (words, shared, memory) = ([:], [:], PieceMemory())
    for slot in recent.indices { recent[slot] = nil }
  }
}

/// A word that is not known: its units, the spaces around it included, and where the next word begins.
struct FreshWord {
  var units: Range<Int>
  var end: Int
}

/// The words of runs that follow the same rules, each with its glyphs. Used by one thread at a time.
final class KindOfWords {
  private struct Word {
    var hash: UInt64
    var units: Range<Int>
    var glyphs: Range<Int>
  }

  /// Where runs may be parted; nil: a run is one word.
  let walls: SpaceWalls?
  private let memory: PieceMemory
  /// Places among `known`, from 1, by hash: open addressing, at most half full.
  private var slots = [Int32](repeating: 0, count: 64)
  private var known: [Word] = []
  private var units: [UInt16] = []
  private var glyphs: [PieceGlyph] = []
  /// What `memory` counts.
  private var counted = 0

  /// How many words are known.
  var count: Int { known.count }

  init(walls: SpaceWalls?, memory: PieceMemory) {
    (self.walls, self.memory) = (walls, memory)
    countMemory()
  }

  /// Calls `body` with the glyphs of a word, their units from its start; false when it is not known.
  func find(_ word: UnsafeBufferPointer<UInt16>, _ body: (PieceGlyph) -> Void) -> Bool {
    let entry = slots[unsafe slot(word, TextHash.of(UnsafeRawBufferPointer(word)))]
    if entry == 0 { return false }
    for index in known[Int(entry) - 1].glyphs { body(glyphs[index]) }
    return true
  }

  /// Keeps a word.
  func insert(_ word: UnsafeBufferPointer<UInt16>, _ shape: [PieceGlyph]) {
    if known.count >= FontLimits.words { removeAll() }
    if known.count * 2 >= slots.count { grow() }
    let hash = unsafe TextHash.of(UnsafeRawBufferPointer(word))
    let slot = unsafe slot(word, hash)
    // It may be twice among words that are shaped at once.
    if slots[slot] != 0 { return }
    known.append(
      Word(
        hash: hash, units: units.count..<units.count + word.count, glyphs: glyphs.count..<glyphs.count + shape.count))
    slots[slot] = Int32(known.count)
    unsafe units.append(contentsOf: word)
    glyphs += shape
    countMemory()
  }

  private func removeAll() {
    (known, units, glyphs) = ([], [], [])
    slots = [Int32](repeating: 0, count: 64)
  }

  /// Where a word is or would be.
  private func slot(_ word: UnsafeBufferPointer<UInt16>, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0, unsafe !holds(known[Int(slots[slot]) - 1], word, hash) { slot = (slot + 1) & mask }
    return slot
  }

  private func holds(_ entry: Word, _ word: UnsafeBufferPointer<UInt16>, _ hash: UInt64) -> Bool {
    guard entry.hash == hash, entry.units.count == word.count else { return false }
    return word.indices.allSatisfy { unsafe units[entry.units.lowerBound + $0] == word[$0] }
  }

  private func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for index in known.indices {
      var slot = Int(truncatingIfNeeded: known[index].hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(index + 1)
    }
  }

  private func countMemory() {
    let bytes =
      256 + slots.count * 4 + known.capacity * MemoryLayout<Word>.stride + units.capacity * 2
      + glyphs.capacity * MemoryLayout<PieceGlyph>.stride
    memory.bytes += bytes - counted
    counted = bytes
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
