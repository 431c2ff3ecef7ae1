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

  private static let overfull = 1e12
  private static let desperate = 1e10

  private struct Candidate {
    var position: Int
    /// Where the text before the break ends, without spaces.
    var visibleEnd: Int
    var penalty: Double
    /// Index of the opportunity, nil inside a word that is longer than a line.
    var opportunity: Int?
  }

  private struct Best {
    var score: Double
    var previous: Int
  }

  /// Positions of line ends, rising, the end of the text included; nil when lines are to be filled greedily: with tabs, as
  /// Android does, and with more candidates on a line than `FontLimits.optimalCandidates`.
  func ends() -> [Int]? {
    guard paragraph.tabs.isEmpty, limit < Int64.max / 8 else { return nil }
    let total = width(from: 0, to: paragraph.opportunities.last.map { Int($0.visibleEnd) } ?? 0)
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
      let room = pixels(limit - width(from: candidates[start].position, to: candidates[index].visibleEnd))
      var lineScore = 0.0
      if room < 0 {
        lineScore = Self.overfull
        active = start + 1
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

  private func width(from start: Int, to end: Int) -> Int64 {
    end > start ? paragraph.offsets[end] - paragraph.offsets[start] : 0
  }

  /// The start of the text, all opportunities, and each cluster of a word that is longer than a line.
  private func candidates() -> [Candidate] {
    var candidates = [Candidate(position: 0, visibleEnd: 0, penalty: 0, opportunity: nil)]
    for (index, opportunity) in paragraph.opportunities.enumerated() {
      let start = candidates[candidates.count - 1].position
      let (position, visibleEnd) = (Int(opportunity.position), Int(opportunity.visibleEnd))
      if width(from: start, to: visibleEnd) > limit {
        for unit in start + 1..<visibleEnd where paragraph.flags[unit].contains(.graphemeStart) {
          if paragraph.offsets[unit + 1] == paragraph.offsets[unit] { continue }
          candidates.append(
            Candidate(position: unit, visibleEnd: unit, penalty: Self.desperate, opportunity: nil))
        }
      }
      candidates.append(Candidate(position: position, visibleEnd: visibleEnd, penalty: 0, opportunity: index))
    }
    return candidates
  }
}
