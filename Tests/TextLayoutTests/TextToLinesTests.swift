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

  @Test func `a cluster goes whole to a font that has all of it`() {
    // Inter has the letter and Noto Sans the mark too: a letter with a mark that Inter lacks goes to Noto Sans with it.
    let inter = Fixture.fonts.chain(for: TextStyle(family: "Inter", size: 16), id: 0)
    let coverage = inter.fonts[0].face?.opened().coverage
    let mark = (UInt32(0x300)...0x36F).first { coverage?.contains($0) == false }
    guard let mark, let scalar = Unicode.Scalar(mark) else { return }
    #expect(runs("q\(Character(scalar))").count == 1)
    #expect(runs("aq\(Character(scalar))a").map(\.0) == ["a", "q\(Character(scalar))", "a"])
  }

  @Test func `Arabic letters that a line cuts apart take the forms that the lines have`() {
    let style = TextStyle(family: "Noto Sans Arabic", size: 16, locale: "ar")
    for word in ["سسسس", "بيتنس"] {
      let whole = Fixture.measurer.measure(word, style: style, width: 1e6, rules: .iosLabel)
      let cut = Fixture.measurer.measure(word, style: style, width: whole.width - 0.01, rules: .iosLabel)
      let lines = Fixture.lines(of: word, cut)
      #expect(lines.count == 2 && lines.joined() == word)
      let widths = lines.map { Fixture.measurer.measure($0, style: style, width: 1e6, rules: .iosLabel).width }
      #expect(widths.max() == cut.width)
      // The last letter of the first line is wider than it was between two others.
      #expect(widths.reduce(0, +) > whole.width)
    }
  }
}
