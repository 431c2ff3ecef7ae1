// From text to runs and lines: hard breaks, characters without a glyph, scripts, brackets, directions.
import TestKit
import Testing

@testable import TextLayout

@Suite struct TextToLinesTests {
  /// The text, script and direction of each run.
  private func runs(_ text: String, _ family: String = "Inter", locale: String = "en") -> [(String, String, Bool)] {
    let chain = Fixture.fonts.chain(for: TextStyle(family: family, size: 16, locale: locale), id: 0)
    let units = Array(text.utf16)
    var flags = [UnitFlags](repeating: [], count: units.count + 1)
    var itemizer = Itemizer(chain: chain, unicode: UnicodeText())
    let items = unsafe units.withUnsafeBufferPointer { unsafe itemizer.itemize($0, flags: &flags) }
    return items.runs.map { run in
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: run.script >> UInt32(24 - 8 * $0)) }
      return (
        String(decoding: units[Int(run.start)..<Int(run.end)], as: UTF16.self), String(decoding: bytes, as: UTF8.self),
        run.isRightToLeft
      )
    }
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"])
  func `every hard break ends a line and takes no room`(hardBreak: String) {
    let measured = Fixture.measure("a\(hardBreak)b", rules: .iosLabel)
    #expect(measured.lineStarts == [0, 1 + hardBreak.utf16.count])
    #expect(measured.width == max(Fixture.measure("a").width, Fixture.measure("b").width))
    #expect(measured.exactHeight == 2 * Fixture.measure("a", rules: .iosLabel).exactHeight)
    #expect(!measured.missingGlyphs)
    // At the end, it opens a line in a text view only.
    #expect(Fixture.measure("a\(hardBreak)", rules: .iosLabel).lines == 1)
    #expect(Fixture.measure("a\(hardBreak)", rules: .iosTextView).lines == 2)
  }

  @Test(arguments: ["\n\r", "\r\r", "\r\n\n", "\r\n\r\n", "\u{2028}\u{2029}"])
  func `two breaks leave an empty line between them, and only CRLF is one`(breaks: String) {
    #expect(Fixture.measure("a\(breaks)b").lines == 3)
  }

  @Test(arguments: [
    "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{200E}", "\u{200F}", "\u{1}", "\u{1F}", "\u{7F}",
    "\u{9F}", "\u{FE0F}", "\u{2066}\u{2069}", "\u{E0061}",
  ])
  func `what has no glyph takes no room, is in no font, and is not missing`(invisible: String) {
    let measured = Fixture.measure("o\(invisible)o", rules: .iosLabel)
    #expect(measured.width == Fixture.measure("oo", rules: .iosLabel).width)
    #expect(measured.exactHeight == Fixture.measure("oo", rules: .iosLabel).exactHeight)
    #expect(!measured.missingGlyphs && measured.lines == 1)
  }

  @Test(arguments: ["\u{378}", "\u{E001}", "\u{10FFFD}", "\u{F8FF}"])
  func `unassigned and private characters take the room of the primary font's missing glyph`(character: String) {
    let measured = Fixture.measure("o\(character)", rules: .iosLabel)
    let chain = Fixture.fonts.chain(for: TextStyle(family: "Roboto", size: 16), id: 0)
    let notdef = chain.fonts[0].face?.opened().notdefAdvance ?? 0
    #expect(measured.missingGlyphs)
    #expect(abs(measured.width - Fixture.measure("o").width - TextLayout.length(notdef, size: 16)) < 1e-6)
    #expect(measured.exactHeight == Fixture.measure("o", rules: .iosLabel).exactHeight)
  }

  @Test func `a zero-width space is a place to break that hangs`() {
    let text = "aaaa\u{200B}bbbb"
    let measured = Fixture.measure(text, width: Fixture.measure("bbbb").width)
    #expect(Fixture.lines(of: text, measured) == ["aaaa\u{200B}", "bbbb"])
    #expect(measured.width == Fixture.measure("bbbb").width)
  }

  @Test func `a closing bracket goes with the one it closes`() {
    let latin = runs("a (日本) b", "Inter", locale: "ja")
    #expect(latin.map(\.0) == ["a (", "日本", ") b"])
    #expect(latin.map(\.1) == ["Latn", "Hani", "Latn"])
    #expect(runs("あ「abc」あ", "Noto Sans CJK JP", locale: "ja").map(\.1) == ["Hira", "Latn", "Hira"])
    #expect(runs("あ「abc」あ", "Noto Sans CJK JP", locale: "ja").map(\.0) == ["あ「", "abc", "」あ"])
  }

  @Test func `Hiragana and Katakana are one run`() {
    #expect(runs("ひらがなカタカナーのテスト", "Noto Sans CJK JP", locale: "ja").map(\.1) == ["Hira"])
  }

  @Test func `digits run from left to right inside text from right to left`() {
    let found = runs("שלום 123 עולם", "Noto Sans Hebrew", locale: "he")
    #expect(found.map(\.0) == ["שלום ", "123", " עולם"])
    #expect(found.map(\.2) == [true, false, true])
    #expect(runs("عن ٤٢ كلمة", "Noto Sans Arabic", locale: "ar").map(\.2) == [true, false, true])
  }

  @Test func `text of another bidi level is a run of its own, in the same direction too`() {
    // A European and an Arabic digit, and what follows an embedding.
    #expect(runs("\u{6F3}\u{660} ", "Noto Sans Arabic", locale: "fa").map(\.0) == ["\u{6F3}", "\u{660}", " "])
    #expect(runs("T\u{202A}o\u{202C} א").map(\.2) == [false, false, false, true])
  }

  @Test func `a cut takes all of a ligature's advance away when marks make it wide`() {
    // The lam-alef has the dotted circles' advances, and the letters before its alef fit.
    let text = "\u{643}\u{644}\u{627}\u{102D}\u{102F}\u{102D}\u{102F}"
    #expect(Fixture.measure(text, width: 40).lineStarts == [0, 2])
  }

  @Test(arguments: ["Inter", "Roboto", "SF Pro"])
  func `a character is missing if and only if no face of the chain has it`(_ family: String) {
    let style = TextStyle(family: family, size: 16)
    let faces = Fixture.fonts.chain(for: style, id: 0).fonts.compactMap { $0.face?.opened().coverage }
    let measurer = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0)
    var missing = 0
    for code in stride(from: UInt32(0x21), through: 0x10FFFF, by: 89) {
      guard let scalar = Unicode.Scalar(code), !Cluster.needsNoGlyph(code) else { continue }
      let isMissing = !faces.contains { $0.contains(code) }
      missing += isMissing ? 1 : 0
      let measured = measurer.measure(String(Character(scalar)), style: style, width: 100, rules: .android)
      #expect(measured.missingGlyphs == isMissing, "\(code)")
    }
    #expect(missing > 5_000)
  }

  @Test func `a cluster goes whole to a font that has all of it`() {
    // Inter has the letter and Noto Sans the mark too: a letter with a mark that Inter lacks goes to Noto Sans with it.
    let inter = Fixture.fonts.chain(for: TextStyle(family: "Inter", size: 16), id: 0)
    let coverage = inter.fonts[0].face?.opened().coverage
    let mark = (UInt32(0x300)...0x36F).first { coverage?.contains($0) == false }
    guard let mark, let scalar = Unicode.Scalar(mark) else { return }
    #expect(runs("q\(Character(scalar))").count == 1)
    #expect(runs("aq\(Character(scalar))a").map(\.0) == ["a", "q\(Character(scalar))", "a"])
  }

  @Test func `Arabic letters that a line cuts apart still join`() {
    let style = TextStyle(family: "Noto Sans Arabic", size: 16, locale: "ar")
    let width = { (text: String) in
      Fixture.measurer.measure(text, style: style, width: 1e6, rules: .iosLabel).width
    }
    for word in ["سسسس", "بيتنس"] {
      let cut = Fixture.measurer.measure(word, style: style, width: width(word) - 0.01, rules: .iosLabel)
      let lines = Fixture.lines(of: word, cut)
      #expect(lines.count == 2 && lines.joined() == word)
      // As wide as with a joiner on the other side of the cut, and less wide than alone.
      #expect(cut.width == max(width(lines[0] + "\u{200D}"), width("\u{200D}" + lines[1])))
      #expect(width(lines[0]) > width(lines[0] + "\u{200D}"))
    }
  }

  /// Rows are Chromium's lines of Inter and its fallbacks at 16 px (`overflow-wrap: anywhere`).
  @Test(arguments: [
    ("ومسؤولياتهم", 20.0, [0, 2, 3, 6, 9]), ("فسيكفيكهم", 20, [0, 1, 3, 5, 7]), ("استقبالاتهم", 20, [0, 2, 5, 9]),
    ("والمستشفيات", 20, [0, 3, 4, 6, 7, 10]), ("عليكم", 20, [0, 3]), ("بينهم", 20, [0, 3]),
    ("ومسؤولياتهم", 31, [0, 3, 8]), ("فسيكفيكهم", 31, [0, 3, 7]), ("استقبالاتهم", 31, [0, 4, 9]),
    ("والمستشفيات", 31, [0, 4, 6, 9]), ("عليكم", 31, [0, 4]), ("بينهم", 31, [0, 4]),
  ])
  func `words of letters that join end lines where Chromium ends them`(_ word: String, _ width: Double, _ starts: [Int])
  {
    #expect(Fixture.measure(word, "Inter", locale: "ar", width: width, rules: .iosLabel).lineStarts == starts)
  }

  /// Rows are Chromium's lines of Inter at 16 px, which are the same in all languages.
  @Test(
    arguments: [
      ("Wow!“Next”", 24.0, [0, 2, 5, 7]), ("said—“Hello”—and", 24, [0, 3, 4, 6, 8, 12, 13, 15]),
      ("a!«b»—c", 24, [0, 3, 5, 6]), ("100%“x”", 24, [0, 2, 4]), ("“yes”(no)", 24, [0, 3, 6, 8]),
      ("文!“文”文", 24, [0, 2, 4]), ("Wow!“Next”", 40, [0, 3, 7]), ("said—“Hello”—and", 40, [0, 4, 7, 12, 13]),
      ("a!«b»—c", 40, [0, 4]), ("100%“x”", 40, [0, 3]), ("“yes”(no)", 40, [0, 5]), ("文!“文”文", 40, [0, 3]),
    ], ["en", "fr", "ja"])
  func `lines end around quotation marks as UAX 14 has it, whatever the language`(
    _ row: (text: String, width: Double, starts: [Int]), _ language: String
  ) {
    let measured = Fixture.measure(row.text, "Inter", locale: language, width: row.width, rules: .iosLabel)
    #expect(measured.lineStarts == row.starts)
  }

  @Test func `lines end around the locale's own quotation marks as around brackets when asked`() {
    let rules = TextRules.iosLabel.with { $0.breaking.quotes = .locale }
    let starts = { (text: String, language: String) in
      Fixture.measure(text, "Inter", locale: language, width: 40, rules: rules).lineStarts
    }
    #expect(starts("Wow!“Next”", "en") == starts("Wow!(Next)", "en"))
    #expect(starts("Wow!“Next”", "fr") != starts("Wow!“Next”", "en"))
  }
}
