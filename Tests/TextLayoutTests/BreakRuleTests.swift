// Where a line may end by the rules of each platform, and which of those places a break strategy takes.
import TestKit
import Testing

@testable import TextLayout

@Suite struct BreakRuleTests {
  private func pieces(_ text: String, _ rules: LineBreakRules, language: String = "en") -> [String] {
    let units = Array(text.utf16)
    var ends: [Int] = []
    let finder = BreakFinder(rules: rules, language: language, unicode: UnicodeText())
    unsafe units.withUnsafeBufferPointer { units in unsafe finder.find(in: units) { ends.append($0) } }
    return zip([0] + ends, ends).map { String(decoding: units[$0..<$1], as: UTF16.self) }
  }

  @Test(arguments: [
    // Unicode 15.1 and 16: quotation marks between East Asian and other letters (LB15a, LB15b, LB19, LB19a).
    ("日“本”日", ["日", "“本”", "日"]), ("a “b” c", ["a ", "“b” ", "c"]),
    // A Hebrew letter with a hyphen stays with what follows unless that is Hebrew (LB21a).
    ("ב-NoSQL", ["ב-NoSQL"]), ("אב-גד", ["אב-", "גד"]),
    // Aksaras stay whole (LB28a).
    ("ᬅ᭄ᬅ", ["ᬅ᭄ᬅ"]),
    ("a ? b", ["a ? ", "b"]), ("http://a.b/c", ["http://", "a.b/", "c"]),
  ])
  func `UAX 14 decides when nothing else is asked for`(text: String, expected: [String]) {
    #expect(pieces(text, LineBreakRules()) == expected)
  }

  @Test(arguments: [
    ("a/b", ["a/b"]), ("a/é", ["a/", "é"]), ("a-b", ["a-", "b"]), ("a-1", ["a-", "1"]), ("x -1", ["x ", "-1"]),
    ("2026-11-30", ["2026-", "11-", "30"]), ("é-1", ["é-1"]), ("a?b", ["a?", "b"]), ("a?.b", ["a?.b"]),
    ("f(x)", ["f(x)"]), ("f.(x)", ["f.", "(x)"]), ("a ? b", ["a ", "? ", "b"]), ("( a", ["( ", "a"]),
    ("a\u{A0}b", ["a\u{A0}b"]), ("a\u{A0} b", ["a\u{A0} ", "b"]), ("ב-NoSQL", ["ב-", "NoSQL"]),
    ("日（本）", ["日", "（本）"]), ("a\tb", ["a\t", "b"]), ("http://a.b/c", ["http://a.b/c"]),
  ])
  func `browsers break ASCII by a table, and after every space`(text: String, expected: [String]) {
    #expect(pieces(text, LineBreakRules(pairs: .web)) == expected)
  }

  @Test(arguments: [
    ("see http://a.b/c?d=e&f now", ["see ", "http:", "//", "a", ".b", "/c", "?d", "=", "e", "&", "f ", "now"]),
    ("me@a.org ok", ["me@a", ".org ", "ok"]), ("a/b c", ["a/", "b ", "c"]),
    ("well-known fact", ["well-known ", "fact"]), ("日本—語", ["日", "本", "—", "語"]), ("a: //b", ["a: //", "b"]),
    ("soft\u{AD}ly", ["soft\u{AD}ly"]), ("", []), ("@", ["@"]), ("x@\u{301}y z", ["x@\u{301}y ", "z"]),
  ])
  func `Android breaks addresses in its own way and never after hyphens while hyphenation is off`(
    text: String, expected: [String]
  ) {
    #expect(pieces(text, LineBreakRules(pairs: .android, hyphens: .unbroken)) == expected)
  }

  @Test func `Android's words break after hyphens when asked`() {
    #expect(pieces("well-known", LineBreakRules(pairs: .android)) == ["well-", "known"])
  }

  @Test func `Hangul by word keeps letters and digits together, and Thai goes by dictionary all the same`() {
    let word = LineBreakRules(hangul: .word)
    #expect(pieces("한국어 텍스트", word) == ["한국어 ", "텍스트"])
    #expect(pieces("제3회 A급", word) == ["제3회 ", "A급"])
    #expect(pieces("한글(괄호)", word) == ["한글(괄호)"])
    #expect(pieces("ทำงานร่วมกับทีม", word).count > 2)
    #expect(pieces("한국", LineBreakRules()) == ["한", "국"])
  }

  // MARK: - Strategies

  private func lines(_ text: String, _ strategy: BreakStrategy, width: Double) -> [String] {
    let rules = TextRules.android.with { $0.strategy = strategy }
    return Fixture.lines(of: text, Fixture.measure(text, width: width, rules: rules))
  }

  @Test func `a last line may be short with highQuality, and is as long as the others with balanced`() {
    let text = "aaaa bbbb cccc dddd eeee"
    let width = Fixture.measure("aaaa bbbb cccc dddd").width
    #expect(lines(text, .simple, width: width) == ["aaaa bbbb cccc dddd ", "eeee"])
    #expect(lines(text, .highQuality, width: width) == ["aaaa bbbb cccc dddd ", "eeee"])
    #expect(lines(text, .balanced, width: width) == ["aaaa bbbb ", "cccc dddd eeee"])
  }

  @Test func `highQuality breaks earlier where the lines get more even`() {
    // First fit leaves a word alone between two long ones.
    let text = "aa bb cccccccc dd ee"
    let width = Fixture.measure("aa bb cccccccc").width - 1
    #expect(lines(text, .simple, width: width) == ["aa bb ", "cccccccc dd ", "ee"])
    for strategy in BreakStrategy.allCases {
      #expect(lines(text, strategy, width: width).joined() == text)
      #expect(lines("one", strategy, width: 1_000) == ["one"])
      #expect(lines("", strategy, width: 10) == [""])
    }
  }

  @Test func `every strategy gives back the text, and no line is too wide`() {
    var generator = SeededGenerator(seed: 11)
    let random = (0..<30).map { _ in generator.text(scalars: Int(generator.next() % 60)) }
    for text in random + TextSample.all.map(\.text) {
      for strategy in [BreakStrategy.highQuality, .balanced] {
        for width in [1.0, 60, 200, 100_000] {
          let rules = TextRules.android.with { $0.strategy = strategy }
          let measured = Fixture.measure(text, width: width, rules: rules)
          #expect(Fixture.lines(of: text, measured).joined().utf16.elementsEqual(text.utf16), "\(strategy) \(width)")
          #expect(measured.lines == measured.lineHeights.count)
        }
      }
    }
  }

  @Test func `a TextView and an EditText break as their strategies say`() {
    let text = "Describe the internationalization of the onboarding questionnaire"
    let greedy = lines(text, .simple, width: 120)
    #expect(greedy == ["Describe the ", "internationalizati", "on of the ", "onboarding ", "questionnaire"])
    #expect(lines(text, .highQuality, width: 120).joined() == text)
    #expect(lines(text, .highQuality, width: 120) == lines(text, .highQuality, width: 120))
  }
}
