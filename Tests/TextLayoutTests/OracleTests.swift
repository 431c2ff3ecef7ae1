// The engine against a slow one that shapes every candidate line from scratch.
import TestKit
import Testing

@testable import TextLayout

/// Greedy line filling by measuring each candidate line as a text of its own.
struct SlowBreaker {
  let measurer: TextMeasurer
  let style: TextStyle
  let rules: TextRules
  private let unicode = UnicodeText()

  init(measurer: TextMeasurer, style: TextStyle, rules: TextRules) {
    (self.measurer, self.style, self.rules) = (measurer, style, rules)
  }

  /// First units of the lines of a paragraph without hard breaks, tabs or soft hyphens.
  func lineStarts(_ text: String, width: Double) -> [Int] {
    let units = Array(text.utf16)
    var breaks: [Int] = []
    var clusters: [Int] = []
    unsafe units.withUnsafeBufferPointer { buffer in
      let language = LocaleTag.language(of: style.locale)
      unsafe unicode.lineBreaks(buffer, language: language, strictness: "strict") { breaks.append($0) }
      unsafe unicode.graphemeEnds(buffer) { clusters.append($0) }
    }
    var starts: [Int] = []
    var start = 0
    repeat {
      starts.append(start)
      let limit = breaks.first { $0 > start } ?? units.count
      let next =
        last(of: breaks, from: start, in: units, width: width)
        ?? last(of: clusters.filter { $0 < limit }, from: start, in: units, width: width)
      start = next ?? clusters.first { $0 > start } ?? units.count
      // What takes no room after a cluster that is wider than the line stays with it.
      if next == nil {
        let end = (clusters + breaks).filter { $0 > start && self.width(units[start..<$0]) == 0 }.max()
        start = end ?? start
      }
    } while start < units.count
    return starts
  }

  private func last(of ends: [Int], from start: Int, in units: [UInt16], width: Double) -> Int? {
    var best: Int?
    for end in ends where end > start {
      let candidate = self.width(units[start..<end])
      if candidate <= width { best = end }
      if candidate > width + style.size { break }
    }
    return best
  }

  private func width(_ units: ArraySlice<UInt16>) -> Double {
    measurer.measure(String(decoding: units, as: UTF16.self), style: style, width: .infinity, rules: rules).width
  }
}

@Suite struct OracleTests {
  static let samples = TextSample.all.filter { sample in
    !sample.text.isEmpty && sample.text.utf16.count < 200
      && !sample.text.unicodeScalars.contains { [0x09, 0x0A, 0x0D, 0xAD, 0x2028, 0x2029].contains($0.value) }
  }

  @Test(arguments: samples) func `lines are those of shaping every candidate from scratch`(sample: TextSample) {
    for (family, widths) in [("Inter", [1, 50, 200]), ("Roboto", [23, 120])] {
      let style = TextStyle(family: family, size: 17, locale: sample.locale)
      let slow = SlowBreaker(measurer: Fixture.measurer, style: style, rules: .iosLabel)
      for width in widths.map(Double.init) {
        let fast = Fixture.measurer.measure(sample.text, style: style, width: width, rules: .iosLabel)
        #expect(fast.lineStarts == slow.lineStarts(sample.text, width: width), "\(family) \(width) \(sample.text)")
      }
    }
  }
}
