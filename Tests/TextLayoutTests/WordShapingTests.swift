// Runs put together from words against the same runs shaped as a whole by HarfBuzz: to the bit, for every shipped font.
import TestKit
import Testing

@testable import TextLayout

@Suite struct WordShapingTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var family: String
    /// ISO 15924 code.
    var script: String
    var isRightToLeft = false
    var characters: [ClosedRange<UInt32>]
    var testDescription: String { "\(family), \(script)" }
  }

  private static let marks: ClosedRange<UInt32> = 0x300...0x338
  static let kinds: [Kind] =
    ["Inter", "Roboto", "Noto Sans", "Noto Sans CJK JP"].flatMap { family in
      [
        Kind(family: family, script: "Latn", characters: [0x61...0x7A, 0x61...0x7A, 0x41...0x5A, 0xC0...0x17F, marks]),
        Kind(family: family, script: "Cyrl", characters: [0x410...0x44F, 0x400...0x52F, marks]),
        Kind(family: family, script: "Grek", characters: [0x391...0x3CE, 0x1F00...0x1FFF, marks]),
      ]
    }
    + [
      Kind(family: "Noto Sans CJK KR", script: "Hang", characters: [0xAC00...0xD7A3, 0x1100...0x11FF]),
      Kind(
        family: "Noto Sans CJK JP", script: "Hira", characters: [0x3041...0x309F, 0x30A0...0x30FF, 0xFF66...0xFF9F]),
      Kind(
        family: "Noto Sans CJK SC", script: "Hani", characters: [0x4E00...0x4FFF, 0x302A...0x302D, 0xFE00...0xFE02]),
      Kind(
        family: "Noto Sans Arabic", script: "Arab", isRightToLeft: true,
        characters: [0x621...0x64A, 0x621...0x64A, 0x671...0x6D3, 0x64B...0x65F, 0x660...0x66D, 0x60C...0x61F]),
      Kind(family: "Noto Sans Arabic", script: "Arab", characters: [0x621...0x64A, 0x660...0x669, 0x6F0...0x6F9]),
      Kind(
        family: "Noto Sans Hebrew", script: "Hebr", isRightToLeft: true,
        characters: [0x5D0...0x5EA, 0x5D0...0x5EA, 0x591...0x5C7]),
      Kind(family: "Noto Sans Thai", script: "Thai", characters: [0xE01...0xE3A, 0xE40...0xE5B, 0xE31...0xE4D]),
      Kind(family: "Noto Sans Lao", script: "Laoo", characters: [0xE81...0xEBD, 0xEC0...0xEDF]),
      Kind(family: "Noto Sans Khmer", script: "Khmr", characters: [0x1780...0x17DD, 0x17E0...0x17E9]),
      Kind(family: "Noto Sans Myanmar", script: "Mymr", characters: [0x1000...0x104F]),
      Kind(family: "Noto Sans Devanagari", script: "Deva", characters: [0x904...0x939, 0x900...0x97F, 0x93E...0x94D]),
      Kind(family: "Noto Sans Bengali", script: "Beng", characters: [0x985...0x9B9, 0x980...0x9FE, 0x9BE...0x9CD]),
      Kind(family: "Noto Sans Gurmukhi", script: "Guru", characters: [0xA05...0xA39, 0xA01...0xA76]),
      Kind(family: "Noto Sans Gujarati", script: "Gujr", characters: [0xA85...0xAB9, 0xA81...0xAFF]),
      Kind(family: "Noto Sans Oriya", script: "Orya", characters: [0xB05...0xB39, 0xB01...0xB77]),
      Kind(family: "Noto Sans Tamil", script: "Taml", characters: [0xB85...0xBB9, 0xB82...0xBFA]),
      Kind(family: "Noto Sans Telugu", script: "Telu", characters: [0xC05...0xC39, 0xC00...0xC7F]),
      Kind(family: "Noto Sans Kannada", script: "Knda", characters: [0xC85...0xCB9, 0xC80...0xCF2]),
      Kind(family: "Noto Sans Malayalam", script: "Mlym", characters: [0xD05...0xD39, 0xD00...0xD7F]),
      Kind(family: "Noto Sans Sinhala", script: "Sinh", characters: [0xD85...0xDC6, 0xD81...0xDF4]),
      Kind(family: "Noto Serif Tibetan", script: "Tibt", characters: [0xF40...0xF6C, 0xF00...0xFDA]),
      Kind(
        family: "Noto Color Emoji", script: "Latn",
        characters: [0x1F600...0x1F64F, 0x1F3FB...0x1F3FF, 0x1F466...0x1F469, 0x1F1E6...0x1F1FF, 0x2600...0x27BF]),
    ]
  /// What is in and between words of any script: much of it takes no room, joins or parts.
  private static let signs = Array(
    "      .,:;!?-()/0123456789aAx\u{A0}\u{AD}\u{34F}\u{200B}\u{200C}\u{200D}\u{200D}\u{200E}\u{2060}\u{FE0F}\u{25CC}\u{301}\t“”"
      .unicodeScalars.map(\.value))

  private struct Glyph: Equatable {
    var unit: Int
    var advance: Int64
    var isUnsafe: Bool
  }

  /// Characters from a few signs and letters, so that words come again, with many spaces.
  private func text(_ kind: Kind, _ generator: inout SeededGenerator) -> [UInt16] {
    func any(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    let palette = (0..<9).map { index -> UInt32 in
      if index < 3 { return Self.signs[any(Self.signs.count)] }
      let range = kind.characters[any(kind.characters.count)]
      return range.lowerBound + UInt32(any(range.count))
    }
    var text = ""
    for _ in 0..<1 + any(40) {
      let character = any(4) == 0 ? 0x20 : palette[any(palette.count)]
      if let scalar = Unicode.Scalar(character) { text.unicodeScalars.append(scalar) }
    }
    return Array(text.utf16)
  }

  private func glyphs(
    _ text: [UInt16], _ part: Range<Int>, _ kind: Kind,
    _ shape: (UnsafeBufferPointer<UInt16>, Range<Int>, TextRun, (Int, Int64, Bool) -> Void) -> Void
  ) -> [Glyph] {
    let run = TextRun(
      start: Int32(part.lowerBound), end: Int32(part.upperBound), place: 0, script: ScriptCode.code(kind.script),
      isRightToLeft: kind.isRightToLeft)
    // As `ParagraphBuilder` takes them: sums by unit.
    var found: [Int: Glyph] = [:]
    unsafe text.withUnsafeBufferPointer { buffer in
      unsafe shape(buffer, part, run) { unit, advance, isUnsafe in
        found[unit, default: Glyph(unit: unit, advance: 0, isUnsafe: false)].advance += advance
        if isUnsafe { found[unit]?.isUnsafe = true }
      }
    }
    return found.values.sorted { $0.unit < $1.unit }
  }

  @Test(arguments: kinds) func `words give what shaping the whole run gives`(kind: Kind) throws {
    var generator = SeededGenerator(seed: 33)
    let chain = Fixture.fonts.chain(for: TextStyle(family: kind.family, size: 16), id: 0)
    let face = try #require(chain.fonts[0].face).opened()
    for (locale, strike) in [("en", nil), ("tr", nil), ("ur", nil), ("hi", 1_234)] as [(String, Int64?)] {
      let (shaper, reference) = (Shaper(), Shaper())
      for one in [shaper, reference] { one.setLocale(locale) }
      for round in 0..<250 {
        let text = text(kind, &generator)
        // Every other time a part of the text, whose neighbours HarfBuzz sees.
        let start = round % 2 == 0 ? 0 : Int(generator.next() % UInt64(text.count))
        let end = round % 2 == 0 ? text.count : start + 1 + Int(generator.next() % UInt64(text.count - start))
        let words = { () -> [Glyph] in
          unsafe self.glyphs(text, start..<end, kind) { buffer, part, run, body in
            unsafe shaper.shape(buffer, part, run: run, face: face, strikeAdvance: strike, body)
          }
        }
        let first = words()
        let whole = unsafe glyphs(text, start..<end, kind) { buffer, part, run, body in
          unsafe reference.shapeAnew(buffer, part, run: run, face: face, strikeAdvance: strike, body)
        }
        let told = text[start..<end].map { String($0, radix: 16) }.joined(separator: " ")
        #expect(first == whole, "\(locale): \(told)")
        #expect(words() == first, "\(locale): \(told)")
      }
      #expect(reference.knownWords == 0)
      #expect(shaper.knownWords > 50, "\(locale): \(shaper.knownWords)")
    }
  }

  @Test(arguments: [
    ("Noto Sans Arabic", "Arab", true, "كيف", "سؤال"), ("Noto Sans Hebrew", "Hebr", true, "שאלה", "מה"),
    ("Noto Sans Thai", "Thai", false, "ทำงาน", "กับทีม"), ("Noto Sans Malayalam", "Mlym", false, "ജോലി", "എന്ത്"),
    ("Noto Sans Tamil", "Taml", false, "வேலை", "ஏன்"), ("Roboto", "Latn", false, "cafe\u{301}", "re\u{AD}do"),
    ("Noto Sans", "Latn", false, "cafe\u{301}", "re\u{AD}do"),
  ])
  func `a word that comes again in another text is not shaped again`(
    family: String, script: String, isRightToLeft: Bool, one: String, other: String
  ) throws {
    let kind = Kind(family: family, script: script, isRightToLeft: isRightToLeft, characters: [])
    let face = try #require(Fixture.fonts.chain(for: TextStyle(family: family, size: 16), id: 0).fonts[0].face).opened()
    let shaper = Shaper()
    for (text, isNew) in [
      ("\(one) \(other) \(one) \(other)", true), ("\(one) \(other) \(other)", false), ("\(one) \(one) \(one)", true),
    ] {
      let units = Array(text.utf16)
      let before = shaper.shapedUnits
      _ = unsafe glyphs(units, 0..<units.count, kind) { buffer, part, run, body in
        unsafe shaper.shape(buffer, part, run: run, face: face, strikeAdvance: nil, body)
      }
      #expect((shaper.shapedUnits > before) == isNew, "\(text)")
    }
  }

  @Test func `what joins beyond the end of a run decides about its last letter`() throws {
    let kind = Kind(family: "Noto Sans Arabic", script: "Arab", isRightToLeft: true, characters: [])
    let face = try #require(Fixture.fonts.chain(for: TextStyle(family: kind.family, size: 16), id: 0).fonts[0].face)
      .opened()
    let (shaper, reference) = (Shaper(), Shaper())
    for text in ["بهب", "به ", "به.", "به\u{200D}", "به\u{AD}ب", "به"] {
      let units = Array(text.utf16)
      let words = unsafe glyphs(units, 0..<2, kind) { buffer, part, run, body in
        unsafe shaper.shape(buffer, part, run: run, face: face, strikeAdvance: nil, body)
      }
      let whole = unsafe glyphs(units, 0..<2, kind) { buffer, part, run, body in
        unsafe reference.shapeAnew(buffer, part, run: run, face: face, strikeAdvance: nil, body)
      }
      #expect(words == whole, "\(text)")
    }
  }
}

@Suite struct WordMemoryTests {
  @Test func `words take no more memory than they may, and change nothing when they go`() {
    let (roomy, narrow) = (
      TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0),
      TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0, pieceBytes: 20_000)
    )
    let style = TextStyle(family: "Inter", size: 16, locale: "ar")
    for number in 0..<300 {
      let text = "كيف تعاملت مع \(number) السؤال \(String(number).replacing("1", with: "ب").replacing("2", with: "ت"))"
      let measured = [roomy, narrow].map { $0.measure(text, style: style, width: 150, rules: .android) }
      #expect(measured[0] == measured[1])
      #expect(narrow.pieceBytes <= 20_000)
    }
    #expect(roomy.pieceBytes > 20_000)
    roomy.forgetTexts()
    #expect(roomy.pieceBytes == 0)
  }

  @Test func `a word that comes again is not shaped again, and only so many are kept`() {
    let shared = PieceMemory()
    let words = KindOfWords(walls: nil, memory: shared)
    let glyph = PieceGlyph(unit: 0, isUnsafe: true, advance: 7)
    for number in 0..<UInt16(FontLimits.words) + 10 {
      unsafe [number, 1].withUnsafeBufferPointer { word in
        #expect(unsafe !words.find(word) { _ in })
        unsafe words.insert(word, [glyph])
        var found: [Int64] = []
        #expect(unsafe words.find(word) { found.append($0.advance) })
        #expect(found == [7])
      }
    }
    #expect(words.count == 10)
    #expect(shared.bytes < 200 * FontLimits.words)
  }
}
