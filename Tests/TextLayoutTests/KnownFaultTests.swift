// Faults that users of such software reported, as inputs and right outcomes.
import Testing
import TextLayout

@Suite struct KnownFaultTests {
  @Test func `a text view wraps inside its padding`() {
    let wide = Fixture.measure("Hello world", "Inter", size: 17, width: 98, rules: .iosLabel)
    let narrow = Fixture.measure("Hello world", "Inter", size: 17, width: 88, rules: .iosTextView)
    #expect(wide.lines == 1)
    #expect(narrow.lines == 2)
    #expect(abs(wide.width - 90.02) < 0.005)
  }

  @Test func `line spacing counts between lines only`() {
    let rules = TextRules.iosLabel.with { $0.lineSpacing = 100 }
    #expect(Fixture.measure("Summary", "SF Pro", size: 17, width: 1_000, rules: rules).exactHeight == 20.287109375)
    #expect(
      Fixture.measure("Summary\nDetails", "SF Pro", size: 17, width: 1_000, rules: rules).exactHeight == 140.57421875)
  }

  @Test(arguments: [("Good\n", 2), ("Good\n\n", 3), ("\n", 2), ("", 1), ("Good", 1), ("a\r\nb\r\n", 3)])
  func `a break at the end opens a line of its own`(text: String, lines: Int) {
    let android = Fixture.measure(text)
    #expect(android.lines == lines)
    #expect(android.height == Double(19 * lines))
    #expect(Fixture.measure(text, rules: .iosTextView).lines == lines)
  }

  @Test(arguments: [("Good\n", 1), ("Good\n\n", 2), ("\n", 1), ("", 1), ("a\n\nb", 3)])
  func `a bounding rectangle does not count the line after the last break`(text: String, lines: Int) {
    #expect(Fixture.measure(text, rules: .iosLabel).lines == lines)
  }

  @Test(arguments: ["Strong answer", "Strong answer 🙂", "🙂🙂"])
  func `an emoji does not make the row jump`(text: String) {
    #expect(Fixture.measure(text, width: 300).height == 19)
    let ios = Fixture.measure(text, "Inter", width: 300, rules: .iosLabel)
    let inter = 3_408.0 / 2_816 * 16
    let emoji = 2_400.0 / 2_048 * 16
    let mixed = max(2_728.0 / 2_816, 1_900.0 / 2_048) * 16 + max(680.0 / 2_816, 500.0 / 2_048) * 16
    let expected = text == "🙂🙂" ? emoji : text.contains("🙂") ? mixed : inter
    #expect(abs(ios.exactHeight - expected) < 1e-9)
  }

  @Test(arguments: [(LineBreakRules.Hangul.word, 100.0, 6), (.word, 120, 5), (.syllable, 100, 5), (.syllable, 120, 4)])
  func `Korean breaks as the rule says`(hangul: LineBreakRules.Hangul, width: Double, lines: Int) {
    let text = "최근에 해결한 어려운 기술 문제를 설명하고 배운 점을 말해 주세요."
    for pairs in LineBreakRules.Pairs.allCases {
      let rules = TextRules.android.with { ($0.breaking.hangul, $0.breaking.pairs) = (hangul, pairs) }
      let measured = Fixture.measure(text, "Noto Sans CJK KR", locale: "ko", width: width, rules: rules)
      #expect(measured.lines == lines, "with the pairs of \(pairs)")
    }
  }

  @Test func `Thai breaks between words by dictionary`() {
    let text = "ช่วยเล่าประสบการณ์การทำงานร่วมกับทีมข้ามแผนกให้ฟังหน่อย"
    #expect(abs(Fixture.measure(text, "Noto Sans Thai", locale: "th").width - 391.2) < 0.05)
    let wrapped = Fixture.measure(text, "Noto Sans Thai", locale: "th", width: 200)
    #expect(wrapped.lines >= 2)
    #expect(wrapped.width <= 200)
    let lines = Fixture.lines(of: text, wrapped)
    #expect(lines.joined() == text)
    for line in lines.dropFirst() {
      #expect(line.unicodeScalars.first.map { $0.properties.generalCategory != .nonspacingMark } ?? false)
    }
    let spaced = text.replacing("การทำงาน", with: "\u{200B}การทำงาน")
    #expect(
      Fixture.measure(spaced, "Noto Sans Thai", locale: "th").width == Fixture.measure(text, "Noto Sans Thai").width)
  }

  @Test func `a taller fallback font makes the line taller`() {
    let myanmar = Fixture.measure("ကိုယ့်အကြောင်း ပြောပြပါ။", fallbacks: ["Noto Sans Myanmar"], locale: "my")
    #expect((myanmar.lines, myanmar.height) == (1, 35))
    #expect(Fixture.measure("ช่วยเล่า", fallbacks: ["Noto Sans Thai"], locale: "th").height == 24)
  }

  @Test func `widths are compared unrounded and trailing spaces hang`() {
    let width = Fixture.measure("Hello world").width
    #expect(abs(width - 80.258) < 0.0005)
    #expect(Fixture.measure("Hello world", width: 80.26).lines == 1)
    #expect(Fixture.measure("Hello world", width: 80.25).lines == 2)
    #expect(Fixture.measure("Hello world   ", width: 81).lines == 1)
    #expect(Fixture.measure("Hello world", width: width).lines == 1)
    #expect(Fixture.measure("Hello world", width: width.nextDown).lines == 2)
    #expect(Fixture.measure("Hello world   ", width: width).lines == 1)
    #expect(Fixture.measure("Hello world   ").width == width)
  }

  @Test func `ligatures count as they are drawn`() {
    let measured = Fixture.measure("office fi", width: 53)
    #expect(measured.lines == 1)
    #expect(abs(measured.width - 52.48) < 0.005)
  }

  @Test func `font padding is on or off as asked`() {
    let padded = TextRules.android.with {
      $0.lineHeight = .android(includeFontPadding: true, spacingExtra: 0, spacingMultiplier: 1)
    }
    #expect(Fixture.measure("Label", size: 82, rules: padded).height == 110)
    #expect(Fixture.measure("Label", size: 82).height == 96)
  }

  @Test func `first fit fills each line as far as it goes`() {
    let text = "Describe the internationalization of the onboarding questionnaire"
    let measured = Fixture.measure(text, width: 120)
    #expect(Fixture.lines(of: text, measured).joined() == text)
    #expect(measured == Fixture.measure(text, width: 120))
  }

  @Test func `a long word breaks between letters`() {
    let word = String(repeating: "a", count: 200)
    let measured = Fixture.measure(word, width: 100)
    #expect((measured.lines, measured.height) == (19, 361))
  }

  @Test(arguments: [0, -10, Double.nan, 1, 1e308, .infinity, -.infinity, Double.leastNonzeroMagnitude])
  func `no width hangs or crashes`(width: Double) {
    let word = String(repeating: "m", count: 5_000)
    let measured = Fixture.measure(word, width: width, rules: .iosLabel)
    #expect(measured.lines == (width > 1 ? 1 : 5_000))
  }

  /// Private use, of which Inter has some, and unassigned characters; what needs no glyph is not missing.
  @Test(arguments: [
    ("Roboto", "\u{E000}", true), ("Inter", "\u{E000}", false), ("Inter", "\u{F8FE}", true),
    ("Inter", "\u{F0000}", true), ("Roboto", "\u{10FFFD}", true), ("Inter", "\u{378}", true),
    ("Inter", "in\u{F0000} a word", true), ("Inter", "a\u{F0000}\u{301}", true), ("Roboto", "가나다 abc ก א", false),
    ("Inter", "\u{200D}\u{2060}\u{E0FFF}\u{1}\u{AD}", false),
  ])
  func `what no font has takes the notdef advance and is told`(_ family: String, _ text: String, _ isMissing: Bool) {
    let measured = Fixture.measure(text, family)
    #expect(measured.missingGlyphs == isMissing)
    #expect(measured.width > 0 || !isMissing)
  }
}
