// Scratch memory for shaping, lent to one caller at a time.
import Locks

/// Shapers that are not in use, with the pieces that they know.
final class ScratchPool: Sendable {
  private struct State {
    var shapers: [Shaper] = []
    /// Raised when everything is forgotten: what was lent before is not taken back.
    var generation = 0
  }

  private let state: Lock<State> = Lock(State())
  private let pieceBytes: Int

  /// - Parameter pieceBytes: memory that the pieces of all kept shapers may take.
  init(pieceBytes: Int) { self.pieceBytes = pieceBytes }

  /// Runs `body` with a shaper that nobody else has.
  func withShaper<Result>(_ body: (Shaper) -> Result) -> Result {
    let (known, generation) = state.withLock { ($0.shapers.popLast(), $0.generation) }
    let shaper = known ?? Shaper()
    let result = body(shaper)
    if shaper.largestUnits <= FontLimits.keptScratchUnits {
      state.withLock { state in
        if state.shapers.count >= FontLimits.scratchSets || state.generation != generation { return }
        if state.shapers.reduce(shaper.bytes, { $0 + $1.bytes }) > pieceBytes { shaper.forgetPieces() }
        state.shapers.append(shaper)
      }
    }
    return result
  }

  /// Keeps nothing any more of what was shaped until now.
  func removeAll() {
    state.withLock { state in
      state.shapers = []
      state.generation += 1
    }
  }

  /// UTF-16 units that HarfBuzz was given, as far as scratch memory remembers.
  var shapedUnits: Int { state.withLock { $0.shapers.reduce(0) { $0 + $1.shapedUnits } } }

  /// Memory that known pieces take, in bytes, about.
  var bytes: Int { state.withLock { $0.shapers.reduce(0) { $0 + $1.bytes } } }
}

/// Shapes what a line break cuts in one paragraph; mostly nothing asks for it.
struct CutSource {
  let paragraph: Paragraph
  let setup: TextSetup
  let pool: ScratchPool

  func callAsFunction(_ body: (CutShaper) -> Int64) -> Int64 {
    pool.withShaper { shaper in
      shaper.setLocale(setup.chain.locale)
      let shaping = RunShaping(
        chain: setup.chain, shaper: shaper, size: setup.paragraphs.size, bitmapAdvance: setup.rules.bitmapAdvance)
      return unsafe paragraph.text.withUnsafeBufferPointer { text in
        body(
          unsafe CutShaper(
            text: text, runs: paragraph.runs, shaping: shaping, offsets: paragraph.offsets, flags: paragraph.flags,
            hyphenates: setup.rules.breaking.softHyphen == .breaks))
      }
    }
  }
}
