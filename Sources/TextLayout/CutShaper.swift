// Shapes again what a line break cuts apart.

/// Knows how the advances near a break change when a line ends or starts there. For one paragraph and one thread.
@safe struct CutShaper {
  let text: UnsafeBufferPointer<UInt16>
  let runs: [TextRun]
  let shaping: RunShaping
  let offsets: [Int64]
  let flags: [UnitFlags]
  /// Whether a soft hyphen shows a hyphen at the end of a line.
  let hyphenates: Bool

  /// Change of the advances of `start..<visibleEnd` when the line consists of `start..<end` alone.
  func lineDelta(start: Int, visibleEnd: Int, end: Int) -> Int64 {
    sum(start..<end, upTo: visibleEnd) - (offsets[visibleEnd] - offsets[start])
  }

  /// As `lineDelta`, with the hyphen of a soft hyphen at the end.
  func wholeLineDelta(start: Int, visibleEnd: Int, end: Int) -> Int64 {
    let delta = lineDelta(start: start, visibleEnd: visibleEnd, end: end)
    let isHyphenated = unsafe hyphenates && end < text.count && text[end - 1] == 0xAD
    return isHyphenated ? delta + hyphenAdvance(at: end) : delta
  }

  /// From where on advances change when a line ends at a position, and by how much in sum.
  func endChange(at position: Int, visibleEnd: Int) -> (from: Int, delta: Int64) {
    let from = flags.changedFrom(position)
    if visibleEnd <= from { return (from, 0) }
    let shaped = sum(from..<position, upTo: visibleEnd)
    return (from, shaped - (offsets[visibleEnd] - offsets[from]))
  }

  /// Up to where advances change when a line starts at a position, and by how much in sum.
  func startChange(at position: Int) -> (to: Int, delta: Int64) {
    let to = flags.changedTo(position)
    if to == position { return (position, 0) }
    let shaped = sum(position..<to, upTo: to)
    return (to, shaped - (offsets[to] - offsets[position]))
  }

  /// Advance of the hyphen that a soft hyphen before a position shows, in the font there.
  func hyphenAdvance(at position: Int) -> Int64 {
    let run = runs[runIndex(at: position - 1)]
    return (shaping.chain.fonts[Int(run.place)].face?.opened().hyphenAdvance ?? 0) + shaping.tracking(of: run)
  }

  /// Advances of `range` up to a unit, shaped apart from what is around. Letters still join what stands on the other side
  /// of a cut, as all platforms draw them (CSS Text 3, Shaping Across Intra-word Breaks): HarfBuzz sees the text there as context.
  private func sum(_ range: Range<Int>, upTo limit: Int) -> Int64 {
    var total: Int64 = 0
    var index = runIndex(at: range.lowerBound)
    while index < runs.count, Int(runs[index].start) < range.upperBound {
      let part = range.clamped(to: Int(runs[index].start)..<Int(runs[index].end))
      unsafe shaping.shape(text, part, run: runs[index]) { unit, advance, _ in
        if unit < limit { total += advance }
      }
      index += 1
    }
    return total
  }

  private func runIndex(at unit: Int) -> Int {
    var low = 0
    var high = runs.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if Int(runs[middle].start) <= unit { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// Shapes runs of one chain with what the rules and the size add to the advances.
struct RunShaping {
  let chain: FontChain
  let shaper: Shaper
  let size: Double
  let bitmapAdvance: BitmapAdvance

  /// Tracking of a run's font at the size, in `EmUnits`.
  func tracking(of run: TextRun) -> Int64 {
    guard chain.hasTracking, let table = chain.fonts[Int(run.place)].tracking, size > 0 else { return 0 }
    return Int64((table.tracking(at: size) / size * Double(EmUnits.perEm)).rounded())
  }

  /// As `Shaper.shape`, with tracking on every glyph that has an advance, and none for tabs and controls.
  func shape(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, run: TextRun, _ body: (Int, Int64, Bool) -> Void
  ) {
    guard let face = chain.fonts[Int(run.place)].face?.opened() else { return }
    let tracking = tracking(of: run)
    var strike: Int64?
    if bitmapAdvance == .strike, let advance = chain.fonts[Int(run.place)].strikeAdvance {
      strike = Int64((advance * Double(EmUnits.perEm)).rounded())
    }
    unsafe shaper.shape(text, range, run: run, face: face, strikeAdvance: strike) { unit, advance, isUnsafe in
      let first = unsafe text[unit]
      if first < 0x20 || (first >= 0x7F && first < 0xA0) { return body(unit, 0, isUnsafe) }
      body(unit, advance > 0 ? advance + tracking : advance, isUnsafe)
    }
  }
}
