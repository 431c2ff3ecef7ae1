// Android's break strategies `highQuality` and `balanced`: all lines of a paragraph are chosen together.

/// Chooses the ends of a paragraph's lines so that the sum of their scores is smallest, as Minikin's optimal line breaker
/// does without hyphenation: a line scores the square of the room it leaves, every line a penalty, and the last line
/// nothing but with `balanced`.
struct OptimalBreaker {
  let paragraph: Paragraph
  /// Room for a line, in `EmUnits`.
  let limit: Int64
  let strategy: BreakStrategy
  /// Size of one em in device pixels: the penalty of a line is its product with the room for a line.
  let emPixels: Double
  /// Shapes what a cut changes; only asked inside words that are longer than a line, and where two cuts are near each other.
  let cutter: CutSource

  private static let overfull = 1e12
  private static let desperate = 1e10

  private struct Candidate {
    var position: Int
    /// Where the text before the break ends, without spaces.
    var visibleEnd: Int
    var penalty: Double
    /// Whether it is a break opportunity, and not inside a word that is longer than a line.
    var isOpportunity = true
    /// From where on advances change when a line ends here, by how much in sum, and whether they may.
    var changedFrom: Int
    var endDelta: Int64 = 0
    var changesBefore = false
    /// Up to where they change when a line starts here, likewise.
    var changedTo: Int
    var startDelta: Int64 = 0
    var changesAfter = false

    /// A place where a cut changes no advance.
    init(position: Int, visibleEnd: Int, penalty: Double = 0) {
      (self.position, self.visibleEnd, self.penalty) = (position, visibleEnd, penalty)
      (changedFrom, changedTo) = (position, position)
    }
  }

  private struct Best {
    var score: Double
    var previous: Int
  }

  /// Positions of line ends, rising, the end of the text included; nil when lines are to be filled greedily: with tabs, as
  /// Android does, and with more candidates on a line than `FontLimits.optimalCandidates`.
  func ends() -> [Int]? {
    guard paragraph.tabs.isEmpty, limit < Int64.max / 8 else { return nil }
    let total = paragraph.opportunities.last.map { paragraph.offsets[Int($0.visibleEnd)] } ?? 0
    if total <= limit, strategy == .highQuality || paragraph.opportunities.count == 1 { return [paragraph.text.count] }
    let candidates = candidates()
    var best = [Best(score: 0, previous: 0)]
    best.reserveCapacity(candidates.count)
    var active = 0
    for index in 1..<candidates.count {
      if index - active > FontLimits.optimalCandidates { return nil }
      best.append(choose(index, in: candidates, best, &active))
    }
    var ends: [Int] = []
    var index = candidates.count - 1
    while index > 0 {
      ends.append(candidates[index].position)
      index = best[index].previous
    }
    return ends.reversed()
  }

  /// The best start of a line that ends at a candidate.
  private func choose(_ index: Int, in candidates: [Candidate], _ best: [Best], _ active: inout Int) -> Best {
    let isLast = index == candidates.count - 1
    var (score, previous, hope) = (Double.greatestFiniteMagnitude, 0, 0.0)
    for start in active..<index where best[start].score + hope < score {
      let room = pixels(limit - width(from: candidates[start], to: candidates[index]))
      var lineScore = 0.0
      if room < 0 {
        active = start + 1
        // Only what cannot be cut is wider than the room.
        if active < index { continue }
        lineScore = Self.overfull
      } else {
        if !isLast || strategy == .balanced { lineScore = room * room }
        hope = lineScore
      }
      let own = isLast && strategy != .balanced && room >= 0 ? 4 * candidates[start].penalty : 0
      if best[start].score + lineScore + own <= score {
        (score, previous) = (best[start].score + lineScore + own, start)
      }
    }
    return Best(score: score + candidates[index].penalty + linePenalty, previous: previous)
  }

  private var linePenalty: Double { emPixels * pixels(limit) }

  private func pixels(_ units: Int64) -> Double { Double(units) / Double(EmUnits.perEm) * emPixels }

  /// Width of a line with what its cuts change, as `LineWalker` has it.
  private func width(from start: Candidate, to end: Candidate) -> Int64 {
    if end.visibleEnd <= start.position { return 0 }
    let plain = paragraph.offsets[end.visibleEnd] - paragraph.offsets[start.position]
    if !start.changesAfter, !end.changesBefore { return plain }
    if start.changedTo <= min(end.visibleEnd, end.changedFrom) { return plain + start.startDelta + end.endDelta }
    // Two cuts change no more than this.
    if plain > limit + EmUnits.perEm { return plain }
    return plain
      + cutter { shaper in
        end.isOpportunity
          ? shaper.wholeLineDelta(start: start.position, visibleEnd: end.visibleEnd, end: end.position)
          : shaper.lineDelta(start: start.position, visibleEnd: end.visibleEnd, end: end.position)
      }
  }

  /// The start of the text, all opportunities, and each cluster of a word that is longer than a line.
  private func candidates() -> [Candidate] {
    var candidates = [Candidate(position: 0, visibleEnd: 0)]
    candidates.reserveCapacity(paragraph.opportunities.count + 1)
    for opportunity in paragraph.opportunities {
      let whole = candidate(opportunity)
      let start = candidates[candidates.count - 1]
      if width(from: start, to: whole) > limit {
        var unit = paragraph.nextCluster(after: start.position)
        while unit < whole.visibleEnd {
          if !paragraph.takesNoRoom(at: unit, cutter) { candidates.append(candidate(insideWord: unit)) }
          unit = paragraph.nextCluster(after: unit)
        }
      }
      candidates.append(whole)
    }
    return candidates
  }

  private func candidate(_ opportunity: BreakOpportunity) -> Candidate {
    var candidate = Candidate(position: Int(opportunity.position), visibleEnd: Int(opportunity.visibleEnd))
    guard opportunity.cut >= 0 else { return candidate }
    let cut = paragraph.cuts[Int(opportunity.cut)]
    (candidate.changedFrom, candidate.endDelta) = (Int(cut.changedFrom), cut.endDelta)
    (candidate.changedTo, candidate.startDelta) = (Int(cut.changedTo), cut.startDelta)
    (candidate.changesBefore, candidate.changesAfter) = (cut.endDelta != 0, cut.startDelta != 0)
    return candidate
  }

  private func candidate(insideWord unit: Int) -> Candidate {
    var candidate = Candidate(position: unit, visibleEnd: unit, penalty: Self.desperate)
    candidate.isOpportunity = false
    guard paragraph.flags[unit].contains(.unsafeToBreak) else { return candidate }
    candidate.endDelta = cutter { shaper in
      let (before, after) = (shaper.endChange(at: unit, visibleEnd: unit), shaper.startChange(at: unit))
      (candidate.changedFrom, candidate.changedTo) = (before.from, after.to)
      candidate.startDelta = after.delta
      return before.delta
    }
    (candidate.changesBefore, candidate.changesAfter) = (candidate.changedFrom < unit, candidate.changedTo > unit)
    return candidate
  }
}
