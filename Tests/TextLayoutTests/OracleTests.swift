// The engine against a slow one that shapes every candidate line from scratch.
import TestKit
import Testing

@testable import TextLayout

/// Greedy line filling by shaping each candidate line as a whole, beside what stands around it.
struct SlowBreaker {
  private let paragraph: Paragraph
  private let setup: TextSetup
  private let shaping: RunShaping
  private let unicode = UnicodeText()

  /// - Parameter text: without hard breaks, tabs or soft hyphens.
  init(_ text: String, measurer: TextMeasurer, style: TextStyle, rules: TextRules) throws {
    setup = measurer.setup(style, rules)
    paragraph = try #require(measurer.paragraphs(of: text, setup).first).paragraph
    let shaper = Shaper()
    shaper.setLocale(style.locale)
    shaping = RunShaping(
      chain: setup.chain, shaper: shaper, size: setup.size, bitmapAdvance: setup.rules.bitmapAdvance)
  }

  /// First units of the lines.
  func lineStarts(width: Double) -> [Int] {
    let limit = LineRoom(width: width, size: setup.size).limit
    let units = paragraph.text
    var breaks: [Int] = []
    var clusters: [Int] = []
    unsafe units.withUnsafeBufferPointer { buffer in
      let finder = BreakFinder(rules: setup.rules.breaking, language: setup.chain.language, unicode: unicode)
      unsafe finder.find(in: buffer) { breaks.append($0) }
      unsafe unicode.graphemeEnds(buffer) { clusters.append($0) }
    }
    var starts: [Int] = []
    var start = 0
    repeat {
      starts.append(start)
      let word = breaks.first { $0 > start } ?? units.count
      let next =
        last(of: breaks, from: start, within: limit)
        ?? last(of: clusters.filter { $0 < word }, from: start, within: limit)
      start = next ?? clusters.first { $0 > start } ?? units.count
      // What takes no room after a cluster that is wider than the line stays with it.
      if next == nil {
        start = (clusters + breaks).filter { $0 > start && self.width(start..<$0) == 0 }.max() ?? start
      }
    } while start < units.count
    return starts
  }

  private func last(of ends: [Int], from start: Int, within limit: Int64) -> Int? {
    var best: Int?
    for end in ends where end > start {
      let candidate = width(start..<end)
      if candidate <= limit { best = end }
      if candidate > limit + EmUnits.perEm { break }
    }
    return best
  }

  private func width(_ line: Range<Int>) -> Int64 {
    var visibleEnd = line.upperBound
    while visibleEnd > line.lowerBound, paragraph.flags[visibleEnd - 1].contains(.hangs) { visibleEnd -= 1 }
    var total: Int64 = 0
    unsafe paragraph.text.withUnsafeBufferPointer { text in
      for run in paragraph.runs {
        let part = line.clamped(to: Int(run.start)..<Int(run.end))
        if part.isEmpty { continue }
        unsafe shaping.shape(text, part, run: run) { unit, advance, _ in if unit < visibleEnd { total += advance } }
      }
    }
    return total
  }
}

@Suite struct OracleTests {
  static let samples = TextSample.all.filter { sample in
    !sample.text.isEmpty && sample.text.utf16.count < 200
      && !sample.text.unicodeScalars.contains { [0x09, 0x0A, 0x0D, 0xAD, 0x2028, 0x2029].contains($0.value) }
  }

  @Test(arguments: samples) func `lines are those of shaping every candidate from scratch`(sample: TextSample) throws {
    for (family, widths) in [("Inter", [1, 50, 200]), ("Roboto", [23, 120])] {
      let style = TextStyle(family: family, size: 17, locale: sample.locale)
      let slow = try SlowBreaker(sample.text, measurer: Fixture.measurer, style: style, rules: .iosLabel)
      for width in widths.map(Double.init) {
        let fast = Fixture.measurer.measure(sample.text, style: style, width: width, rules: .iosLabel)
        #expect(fast.lineStarts == slow.lineStarts(width: width), "\(family) \(width) \(sample.text)")
      }
    }
  }
}
