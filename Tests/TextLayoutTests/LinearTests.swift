// Long paragraphs in every script: work counted, not timed, and lines that are right.
import TestKit
import Testing

@testable import TextLayout

@Suite struct LinearTests {
  static let pieces = [
    "Tell me more. ", "Расскажите о случае. ", "Πότε ζητήσατε; ", "최근에 고친 습관이 ", "チームの意見が割れた。", "请讲一次你承认错误的经历，",
    "حدّثني عن مشروع ", "ספר לי על פעם ", "ช่วยเล่าเหตุการณ์ที่คุณ ", "किसी ऐसे काम के बारे में ", "👩‍👩‍👧‍👦🇰🇷👍🏽 ", "abc שלום (x) عن 12 ",
    "e\u{301}", "inter\u{AD}nation\u{AD}al ",
  ]

  private static func text(_ piece: String, units: Int) -> String {
    String(repeating: piece, count: max(1, units / piece.utf16.count))
  }

  /// Units that HarfBuzz was given to measure a text, the cuts that lines need included.
  private func shapedUnits(_ text: String, width: Double) -> Int {
    let measurer = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0)
    _ = measurer.measure(text, style: TextStyle(family: "Inter", size: 16), width: width, rules: .iosTextView)
    return measurer.shapedUnits
  }

  @Test(arguments: pieces, [1.0, 320]) func `ten times the text is at most ten times the shaping`(
    piece: String, width: Double
  ) {
    let (short, long) = (
      shapedUnits(Self.text(piece, units: 2_000), width: width),
      shapedUnits(Self.text(piece, units: 20_000), width: width)
    )
    // No script is shaped again more than a few times over.
    #expect(long <= 20_000 * 70)
    #expect(long <= short * 12 + 1_000, "\(short) \(long)")
  }

  @Test(arguments: pieces) func `a paragraph of 100,000 characters keeps its text, and wider is never more lines`(
    piece: String
  ) {
    let text = Self.text(piece, units: 100_000)
    var fewest = Int.max
    for width in [60.0, 5_000] {
      let measured = Fixture.measure(text, "Inter", width: width, rules: .iosTextView)
      #expect(measured.lines <= fewest && measured.lines == measured.lineStarts.count)
      fewest = measured.lines
      #expect(Fixture.lines(of: text, measured).joined().utf16.elementsEqual(text.utf16))
      #expect(zip(measured.lineStarts, measured.lineStarts.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func `10,000 marks on one letter take one line, and linear shaping`() {
    for mark in ["\u{301}", "\u{0E48}", "\u{064B}", "\u{05B0}", "\u{093C}"] {
      let text = "e" + String(repeating: mark, count: 10_000)
      let measured = Fixture.measure(text, "Inter", width: 320, rules: .iosTextView)
      #expect(Fixture.lines(of: text, measured).joined().utf16.elementsEqual(text.utf16))
      #expect(measured.missingGlyphs == false)
      #expect(shapedUnits(text, width: 320) <= 10_001 * 70)
    }
    #expect(Fixture.measure("e" + String(repeating: "\u{301}", count: 10_000), "Inter", width: 320).lines == 1)
  }
}
