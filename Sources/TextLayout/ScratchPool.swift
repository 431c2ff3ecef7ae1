// Scratch memory for shaping, lent to one caller at a time.
import Locks

/// Shapers that are not in use, with the pieces that they know.
final class ScratchPool: Sendable {
  private let shapers: Lock<[Shaper]> = Lock([])
  private let pieceBytes: Int

  /// - Parameter pieceBytes: memory that the pieces of all kept shapers may take.
  init(pieceBytes: Int) { self.pieceBytes = pieceBytes }

  /// Runs `body` with a shaper that nobody else has.
  func withShaper<Result>(_ body: (Shaper) -> Result) -> Result {
    let shaper = shapers.withLock { $0.popLast() } ?? Shaper()
    let result = body(shaper)
    if shaper.largestUnits <= FontLimits.keptScratchUnits {
      shapers.withLock { shapers in
        if shapers.count >= FontLimits.scratchSets { return }
        if shapers.reduce(shaper.bytes, { $0 + $1.bytes }) > pieceBytes { shaper.forgetPieces() }
        shapers.append(shaper)
      }
    }
    return result
  }

  /// UTF-16 units that HarfBuzz was given, as far as scratch memory remembers.
  var shapedUnits: Int { shapers.withLock { $0.reduce(0) { $0 + $1.shapedUnits } } }

  /// Memory that known pieces take, in bytes, about.
  var bytes: Int { shapers.withLock { $0.reduce(0) { $0 + $1.bytes } } }
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
