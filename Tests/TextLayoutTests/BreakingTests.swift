// Where lines end: spaces, tabs, hyphens, kana, characters that look the same.
import Testing
import TextLayout

@Suite struct BreakingTests {
  private func lines(
    _ text: String, _ family: String = "Roboto", locale: String = "en", width: Double, _ rules: TextRules = .android
  ) -> [String] {
    Fixture.lines(of: text, Fixture.measure(text, family, locale: locale, width: width, rules: rules))
  }

  @Test func `small kana and the long vowel mark start a line only under normal rules`() {
    let strict = TextRules.android.with { $0.breaking.strictness = .strict }
    let normal = TextRules.android.with { $0.breaking.strictness = .normal }
    for locale in ["ja", "en"] {
      #expect(lines("アデータ", "Noto Sans CJK JP", locale: locale, width: 33, strict) == ["ア", "デー", "タ"])
      #expect(lines("アデータ", "Noto Sans CJK JP", locale: locale, width: 33, normal) == ["アデ", "ータ"])
    }
  }

  @Test func `a piece longer than a line takes one cluster at least, and its clusters stay whole`() {
    #expect(lines("ab", width: 1) == ["a", "b"])
    #expect(lines("e\u{301}e\u{301}", width: 1) == ["e\u{301}", "e\u{301}"])
    #expect(lines("👍🏽👨‍👩‍👧‍👦🇰🇷", width: 1) == ["👍🏽", "👨‍👩‍👧‍👦", "🇰🇷"])
    #expect(lines("\u{1112}\u{1161}\u{11AB}글", locale: "ko", width: 1) == ["\u{1112}\u{1161}\u{11AB}", "글"])
  }

  @Test func `no-break spaces hold together and take room`() {
    #expect(lines("aa\u{A0}bb cc", width: 40) == ["aa\u{A0}bb ", "cc"])
    #expect(Fixture.measure("aa\u{A0}").width > Fixture.measure("aa").width)
  }

  @Test func `an ideographic space hangs or not, as asked`() {
    let hanging = TextRules.android
    let standing = TextRules.android.with { $0.breaking.ideographicSpaceHangs = false }
    let text = "漢字\u{3000}"
    #expect(Fixture.measure(text, "Noto Sans CJK JP", width: 33, rules: hanging).width == 32)
    #expect(Fixture.measure(text, "Noto Sans CJK JP", rules: standing).width == 48)
  }

  @Test func `a soft hyphen breaks with a hyphen, or not at all`() {
    let text = "Personal\u{AD}auswahl"
    let plain = Fixture.measure("Personal").width
    let hyphenated = Fixture.measure("Personal\u{2010}").width
    let shown = Fixture.measure(text, width: hyphenated)
    #expect(Fixture.lines(of: text, shown) == ["Personal\u{AD}", "auswahl"])
    #expect(abs(shown.width - hyphenated) < 1e-9)
    #expect(lines(text, width: (plain + hyphenated) / 2).first != "Personal\u{AD}")
    let ignored = TextRules.android.with { $0.breaking.softHyphen = .ignored }
    #expect(lines("aa \(text)", width: hyphenated + 30, ignored).first == "aa ")
    #expect(Fixture.measure(text).width == Fixture.measure("Personalauswahl").width)
  }

  @Test func `tabs go to the next stop of the rule`() {
    let android = TextRules.android.with { $0.tabs = .stops(every: 20, count: 0) }
    let letter = Fixture.measure("a").width
    #expect(abs(Fixture.measure("\ta", rules: android).width - (20 + letter)) < 1e-6)
    #expect(abs(Fixture.measure("a\ta\ta", rules: android).width - (40 + letter)) < 1e-6)
    let web = TextRules.android.with { $0.tabs = .spaces(8) }
    let space = Fixture.measure("a a").width - Fixture.measure("aa").width
    #expect(abs(Fixture.measure("\ta", rules: web).width - (8 * space + letter)) < 0.1)
    let ios = TextRules.android.with { $0.tabs = .stops(every: 28, count: 12) }
    #expect(abs(Fixture.measure("\t\t\ta", rules: ios).width - (84 + letter)) < 1e-6)
    #expect(Fixture.measure("a\t", rules: ios).width == letter)
    #expect(lines("a\tb", width: 25, android) == ["a\t", "b"])
  }

  @Test func `texts that look the same are kept apart`() {
    let composed = Fixture.measure("\u{AC00}\u{E9} x", width: 1)
    let decomposed = Fixture.measure("\u{1100}\u{1161}e\u{301} x", width: 1)
    #expect(composed.lineStarts == [0, 1, 3])
    #expect(decomposed.lineStarts == [0, 2, 5])
  }

  @Test func `a font with the composed letter has the decomposed one`() {
    for (composed, decomposed) in [("ế", "e\u{302}\u{301}"), ("각", "\u{1100}\u{1161}\u{11A8}")] {
      let measure = { Fixture.measure($0, locale: "ko", rules: .iosLabel) }
      #expect(measure(composed).exactHeight == measure(decomposed).exactHeight)
      #expect(measure(composed).width == measure(decomposed).width)
    }
  }

  @Test func `a line limit counts no further lines`() {
    let limited = TextRules.android.with { $0.maximumLines = 2 }
    let measured = Fixture.measure("one two three four five", width: 40, rules: limited)
    #expect((measured.lines, measured.height, measured.lineStarts.count) == (2, 38, 2))
  }

  @Test func `text from right to left wraps as text from left to right does`() {
    let text = "שלום עולם טוב"
    let first = Fixture.measure("שלום עולם", "Inter", locale: "he").width
    #expect(lines(text, "Inter", locale: "he", width: first) == ["שלום עולם ", "טוב"])
    #expect(lines(text, "Inter", locale: "he", width: first.nextDown).first == "שלום ")
  }
}
