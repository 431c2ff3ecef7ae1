// Puts runs together from pieces that were shaped before, where `GlyphDependence` proves that this gives the same.

/// One glyph of a shaped run.
struct PieceGlyph {
  /// First unit of its cluster, from the start of the run; below zero: no glyph.
  var unit: Int32
  /// Whether cutting before the cluster is unsafe.
  var isUnsafe: Bool
  /// In `EmUnits`.
  var advance: Int64
}

/// Memory that several `PieceShaper`s take together, in bytes, about. Used by one thread at a time.
final class PieceMemory {
  var bytes = 0
}

/// The pieces known of runs of one kind. Used by one thread at a time.
final class PieceShaper {
  private var pieces: Pieces
  private let memory: PieceMemory
  /// What `memory` counts of `pieces`.
  private var counted = 0

  /// - Parameter memory: where it counts what it takes.
  init(face: OpenFace, dependence: GlyphDependence, memory: PieceMemory) {
    pieces = Pieces(face: face, dependence: dependence)
    self.memory = memory
    count()
  }

  /// As `Pieces.assemble`.
  func assemble(
    _ run: UnsafeBufferPointer<UInt16>, into glyphs: inout [PieceGlyph], shape: (Range<Int>) -> [PieceGlyph]
  ) -> Bool {
    defer { count() }
    return unsafe pieces.assemble(run, into: &glyphs, shape: shape)
  }

  private func count() {
    let bytes = pieces.bytes
    memory.bytes += bytes - counted
    counted = bytes
  }
}

/// Pairs of neighbours, and the stretches around what is bound.
private struct Pieces {
  /// What is known of a character.
  private struct Character {
    /// 0: nothing yet.
    var role: UInt8 = 0
    /// Place among `sides`, from 1; 0: not looked up yet, or only shaping tells.
    var side: UInt16 = 0
    var hasSide = false
  }

  private let face: OpenFace
  private let dependence: GlyphDependence
  /// 256 characters at a time.
  private var pages = [[Character]](repeating: [], count: 256)
  private var sides: [GlyphDependence.Side] = []
  private var pairs = PairTable()
  /// Scratch for `isStill`.
  private var screened: [RuleScreen.Glyph] = []
  private var stretches: [StretchKey: [PieceGlyph]] = [:]
  private var pageCount = 0
  private var sideBytes = 0
  private var stretchBytes = 0

  init(face: OpenFace, dependence: GlyphDependence) {
    self.face = face
    self.dependence = dependence
  }

  var bytes: Int { 4_096 + pageCount * 256 * MemoryLayout<Character>.stride + pairs.bytes + sideBytes + stretchBytes }

  private mutating func role(_ unit: UInt16) -> GlyphDependence.Role {
    let (page, place) = (Int(unit >> 8), Int(unit & 255))
    if pages[page].isEmpty {
      pages[page] = [Character](repeating: Character(), count: 256)
      pageCount += 1
    }
    if let known = GlyphDependence.Role(rawValue: pages[page][place].role) { return known }
    let role = dependence.role(of: unit, in: face)
    pages[page][place].role = role.rawValue
    return role
  }

  /// The place of what a character that has a role brings to pairs, below zero when only shaping tells.
  private mutating func side(_ unit: UInt16) -> Int {
    let (page, place) = (Int(unit >> 8), Int(unit & 255))
    let known = pages[page][place]
    if known.hasSide { return Int(known.side) - 1 }
    if sides.count >= FontLimits.pairSides {
      for page in pages.indices where !pages[page].isEmpty {
        for place in pages[page].indices { (pages[page][place].side, pages[page][place].hasSide) = (0, false) }
      }
      sides.removeAll(keepingCapacity: true)
      sideBytes = 0
    }
    if let side = dependence.side(of: unit, in: face) {
      sides.append(side)
      sideBytes += side.bytes
      pages[page][place].side = UInt16(sides.count)
    }
    pages[page][place].hasSide = true
    return Int(pages[page][place].side) - 1
  }

  /// Puts the glyphs of a run together, in no order of clusters; false when the run has to be shaped as a whole.
  /// - Parameter shape: shapes a part of the run for itself; units count from the start of the part.
  mutating func assemble(
    _ run: UnsafeBufferPointer<UInt16>, into glyphs: inout [PieceGlyph], shape: (Range<Int>) -> [PieceGlyph]
  ) -> Bool {
    glyphs.removeAll(keepingCapacity: true)
    var (hasBound, isUnsafe) = (false, false)
    var own = unsafe role(run[0])
    for index in run.indices {
      if own == .foreign { return false }
      let next = unsafe index + 1 < run.count ? role(run[index + 1]) : .barrier
      var pair: (advance: Int64, isNextUnsafe: Bool) = (0, false)
      if own == .bound {
        hasBound = true
      } else if next != .bound, next != .foreign {
        unsafe pair = self.pair(at: index, own, run, shape)
      }
      glyphs.append(PieceGlyph(unit: Int32(index), isUnsafe: isUnsafe, advance: pair.advance))
      (own, isUnsafe) = (next, pair.isNextUnsafe)
    }
    if hasBound { unsafe addStretches(run, to: &glyphs, shape) }
    return true
  }

  /// A character's advance before the next one, or at the end of the run.
  private mutating func pair(
    at index: Int, _ role: GlyphDependence.Role, _ run: UnsafeBufferPointer<UInt16>,
    _ shape: (Range<Int>) -> [PieceGlyph]
  ) -> (advance: Int64, isNextUnsafe: Bool) {
    let hasNext = role.isPaired && index + 1 < run.count
    let key = unsafe UInt32(run[index]) << 16 | (hasNext ? UInt32(run[index + 1]) : 0)
    if let known = pairs[key] { return known }
    let pair: (advance: Int64, isNextUnsafe: Bool)
    if let read = unsafe readPair(run[index], before: hasNext ? run[index + 1] : nil) {
      pair = read
    } else {
      let glyphs = shape(index..<index + (hasNext ? 2 : 1))
      pair = (glyphs[0].advance, hasNext && glyphs[glyphs.count - 1].isUnsafe)
    }
    if pairs.isFull { pairs = PairTable() }
    pairs.insert(key, pair.advance, pair.isNextUnsafe)
    return pair
  }

  /// What the font's tables say of a pair; nil when only shaping tells.
  private mutating func readPair(_ unit: UInt16, before next: UInt16?) -> (advance: Int64, isNextUnsafe: Bool)? {
    let own = side(unit)
    guard own >= 0 else { return nil }
    guard let next else { return dependence.advance(of: sides[own], before: nil, in: face) }
    let other = side(next)
    // The second look-up may have made room by forgetting the first.
    guard other >= 0, own < sides.count, own == side(unit) else { return nil }
    return dependence.advance(of: sides[own], before: sides[other], in: face)
  }

  // MARK: Stretches

  /// Puts in what is around bound characters.
  private mutating func addStretches(
    _ run: UnsafeBufferPointer<UInt16>, to glyphs: inout [PieceGlyph], _ shape: (Range<Int>) -> [PieceGlyph]
  ) {
    var index = 0
    while index < run.count {
      if unsafe role(run[index]) != .bound {
        index += 1
        continue
      }
      let (end, context) = unsafe stretch(at: index, in: run)
      if unsafe isStill(context, in: run, &glyphs), unsafe putPairs(max(0, index - 1)..<end, of: run, to: &glyphs) {
        index = end
        continue
      }
      for unit in index..<end { glyphs[unit].unit = -1 }
      for glyph in unsafe shaped(context, of: run, shape) {
        let unit = Int(glyph.unit) + context.lowerBound
        if (index..<end).contains(unit) {
          glyphs.append(PieceGlyph(unit: Int32(unit), isUnsafe: glyph.isUnsafe, advance: glyph.advance))
          continue
        }
        if glyph.isUnsafe { glyphs[unit].isUnsafe = true }
        if unit == index - 1 { glyphs[unit].advance = glyph.advance }
      }
      index = end
    }
  }

  /// Whether no rule changes a stretch, so that it is pairs of neighbours too; then marks where rules make it unsafe to cut.
  private mutating func isStill(
    _ context: Range<Int>, in run: UnsafeBufferPointer<UInt16>, _ glyphs: inout [PieceGlyph]
  ) -> Bool {
    guard let screen = dependence.screen else { return false }
    screened.removeAll(keepingCapacity: true)
    for index in context {
      let side = unsafe side(run[index])
      guard side >= 0 else { return false }
      screened.append(sides[side].glyph)
    }
    guard let places = screen.unsafePlaces(in: screened) else { return false }
    for place in places { glyphs[context.lowerBound + place].isUnsafe = true }
    return true
  }

  /// Puts in what pairs of a still stretch say; false when the font's tables do not tell one of them.
  private mutating func putPairs(
    _ units: Range<Int>, of run: UnsafeBufferPointer<UInt16>, to glyphs: inout [PieceGlyph]
  ) -> Bool {
    for unit in units {
      let next = unsafe unit + 1 < run.count ? run[unit + 1] : nil
      let key = unsafe UInt32(run[unit]) << 16 | UInt32(next ?? 0)
      guard let pair = unsafe pairs[key] ?? readPair(run[unit], before: next) else { return false }
      if pairs.isFull { pairs = PairTable() }
      pairs.insert(key, pair.advance, pair.isNextUnsafe)
      glyphs[unit].advance = pair.advance
      if pair.isNextUnsafe { glyphs[unit + 1].isUnsafe = true }
    }
    return true
  }

  /// Bound characters that may see each other, from the first one on, and all that they may see.
  private mutating func stretch(at start: Int, in run: UnsafeBufferPointer<UInt16>) -> (end: Int, context: Range<Int>) {
    var lower = start
    while lower > 0, start - lower < dependence.reach {
      lower -= 1
      if unsafe role(run[lower]).isBarrier { break }
    }
    var end = start + 1
    var upper = end
    while upper < run.count, upper - end < dependence.reach {
      let role = unsafe role(run[upper])
      upper += 1
      if role == .bound { end = upper }
      if role.isBarrier { break }
    }
    return (end, lower..<upper)
  }

  private mutating func shaped(
    _ context: Range<Int>, of run: UnsafeBufferPointer<UInt16>, _ shape: (Range<Int>) -> [PieceGlyph]
  ) -> [PieceGlyph] {
    guard let key = unsafe StretchKey(UnsafeBufferPointer(rebasing: run[context])) else { return shape(context) }
    if let known = stretches[key] { return known }
    let glyphs = shape(context)
    if stretches.count >= FontLimits.stretches {
      stretches.removeAll(keepingCapacity: true)
      stretchBytes = 0
    }
    stretches[key] = glyphs
    stretchBytes += 120 + glyphs.count * MemoryLayout<PieceGlyph>.stride
    return glyphs
  }
}

/// The units of a stretch, four to a word.
private struct StretchKey: Hashable {
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

  /// Nil when the stretch is too long to be kept.
  init?(_ units: UnsafeBufferPointer<UInt16>) {
    if units.count > 20 { return nil }
    for index in units.indices {
      let unit = unsafe UInt64(units[index])
      switch index >> 2 {
      case 0: words.0 = words.0 << 16 | unit
      case 1: words.1 = words.1 << 16 | unit
      case 2: words.2 = words.2 << 16 | unit
      case 3: words.3 = words.3 << 16 | unit
      default: words.4 = words.4 << 16 | unit
      }
    }
  }

  static func == (left: StretchKey, right: StretchKey) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
    hasher.combine(words.4)
  }
}

/// Advances of barriers by the character after them: open addressing, at most half full.
private struct PairTable {
  private var keys = [UInt32](repeating: 0, count: 256)
  /// The advance, doubled, and one when cutting before the next character is unsafe.
  private var values = [Int64](repeating: 0, count: 256)
  private var count = 0

  var bytes: Int { keys.count * 12 }
  var isFull: Bool { count >= FontLimits.pairs }

  private func slot(_ key: UInt32) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 12) & mask
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  subscript(_ key: UInt32) -> (advance: Int64, isNextUnsafe: Bool)? {
    let slot = slot(key)
    return keys[slot] == key ? (values[slot] >> 1, values[slot] & 1 == 1) : nil
  }

  mutating func insert(_ key: UInt32, _ advance: Int64, _ isNextUnsafe: Bool) {
    if count * 2 >= keys.count { grow() }
    let slot = slot(key)
    if keys[slot] == 0 { count += 1 }
    keys[slot] = key
    values[slot] = advance << 1 | (isNextUnsafe ? 1 : 0)
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = [UInt32](repeating: 0, count: oldKeys.count * 2)
    values = [Int64](repeating: 0, count: oldKeys.count * 2)
    for index in oldKeys.indices where oldKeys[index] != 0 {
      let slot = slot(oldKeys[index])
      (keys[slot], values[slot]) = (oldKeys[index], oldValues[index])
    }
  }
}
