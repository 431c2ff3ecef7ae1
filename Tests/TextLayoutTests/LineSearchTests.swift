// Lines found by halving against lines found by trying every place to break, and handles against texts.
import TestKit
import Testing

@testable import TextLayout

@Suite struct LineSearchTests {
  static let rules: [(String, TextRules)] = [
    ("Inter", .iosTextView), ("Roboto", .android.with { $0.breaking.pairs = .android }),
    ("Noto Sans CJK JP", TextRules(lineHeight: .web(height: nil), breaking: LineBreakRules(pairs: .web))),
    ("SF Pro", .iosLabel.with { $0.breaking.hangul = .word }),
  ]

  private func boxes(_ paragraph: Paragraph, _ setup: TextSetup, width: Int64, searches: Bool) -> [[Int]] {
    let cutter = CutSource(paragraph: paragraph, setup: setup, pool: ScratchPool(pieceBytes: 1 << 20))
    var walker = LineWalker(paragraph: paragraph, limit: width, tabs: setup.tabs, cutter: cutter)
    walker.searches = searches
    var found: [[Int]] = []
    walker.walk { found.append([$0.start, $0.end, Int($0.width)]) }
    return found
  }

  private func check(_ text: String, locale: String, _ generator: inout SeededGenerator) -> Int {
    var searched = 0
    for (family, rules) in Self.rules {
      let style = TextStyle(family: family, size: 16, locale: locale)
      let setup = Fixture.measurer.setup(style, rules)
      for placed in Fixture.measurer.paragraphs(of: text, setup) {
        if placed.paragraph.rises { searched += 1 }
        for _ in 0..<8 {
          // From a hair to beyond the whole.
          let whole = max(1, placed.paragraph.offsets.last ?? 1)
          let width = Int64(generator.next() % UInt64(whole + whole / 4)) >> Int64(generator.next() % 6)
          let (fast, slow) = (true, false)
          #expect(
            boxes(placed.paragraph, setup, width: width, searches: fast)
              == boxes(placed.paragraph, setup, width: width, searches: slow), "\(family) \(width): \(text)")
        }
      }
    }
    return searched
  }

  @Test func `halving finds the lines that trying every place finds`() {
    var generator = SeededGenerator(seed: 5)
    var searched = 0
    for sample in TextSample.all { searched += check(sample.text, locale: sample.locale, &generator) }
    for text in PropertyTests.texts(seed: 11, count: 60) { searched += check(text, locale: "ja", &generator) }
    for _ in 0..<40 {
      // Where cuts change advances: kerning across spaces, soft hyphens, Arabic joins, long words.
      let pieces = [
        "AV", "To ", "co\u{AD}op ", "ffi", "سلام", "ـكتب ", "한글", "かな", "—", "/", "W. ", "🙂", "a\u{301}", " ",
      ]
      let text = (0..<30).map { _ in pieces[Int(generator.next() % UInt64(pieces.count))] }.joined()
      searched += check(text, locale: "en", &generator)
    }
    #expect(searched > 500)
  }

  @Test(arguments: TextSample.all) func `a prepared text measures as the text does`(sample: TextSample) {
    for (family, rules) in Self.rules {
      for maximumLines in [0, 2] {
        let rules = rules.with { $0.maximumLines = maximumLines }
        let style = TextStyle(family: family, size: 17, locale: sample.locale)
        for text in [sample.text, sample.text + "\n", "\(sample.text)\r\n\u{2028}\u{85}\(sample.text)", ""] {
          let prepared = Fixture.measurer.prepare(text, style: style, rules: rules)
          for width in [0.0, 60, 200, 333.3, 10_000] {
            #expect(
              prepared.measure(width: width)
                == Fixture.measurer.measure(text, style: style, width: width, rules: rules, includingLines: false))
          }
        }
      }
    }
  }

  /// Widths at which lines are full to the brim, and a hair less, are the ones where a line could end elsewhere.
  @Test func `a text reduced to its line ends measures as the text does, at every width where lines change`() {
    var reduced = 0
    var texts = TextSample.all.map(\.text) + PropertyTests.texts(seed: 17, count: 60)
    texts += texts.map { $0 + " " + $0 + "\n" + $0 }
    for (family, rules) in Self.rules {
      for text in texts {
        let style = TextStyle(family: family, size: 16, locale: "ko")
        let setup = Fixture.measurer.setup(style, rules)
        let prepared = Fixture.measurer.prepare(text, style: style, rules: rules)
        for placed in Fixture.measurer.paragraphs(of: text, setup) {
          guard let ends = LineEnds(placed.paragraph) else { continue }
          reduced += 1
          for end in ends.ends.prefix(12) {
            let exact = Double(end.visible) * 16 / Double(EmUnits.perEm)
            for width in [exact, exact.nextDown, exact / 2] {
              #expect(
                prepared.measure(width: width)
                  == Fixture.measurer.measure(text, style: style, width: width, rules: rules, includingLines: false),
                "\(family) \(width): \(text)")
            }
          }
        }
      }
    }
    #expect(reduced > 300)
  }

  @Test(arguments: [
    ("", [0]), ("a", [0]), ("\n", [0, 1]), ("a\r\nb", [0, 3]), ("é\u{85}b", [0, 2]),
    ("한\u{2029}🙂\u{2028}c", [0, 2, 5]),
    ("\r\r\n\n", [0, 1, 3, 4]), ("a\u{B}\u{C}", [0, 2, 3]),
  ])
  func `paragraphs begin behind hard breaks, in UTF-16 units`(text: String, starts: [Int]) {
    let measured = Fixture.measure(text, "Inter", rules: .iosTextView)
    #expect(measured.lineStarts == starts)
  }
}
