// Runs put together from pieces against the same runs shaped as a whole by HarfBuzz: to the bit, for every shipped font.
import TestKit
import Testing

@testable import TextLayout

@Suite struct PieceShapingTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var family: String
    /// ISO 15924 code.
    var script: String
    var letters: [ClosedRange<UInt16>]
    var testDescription: String { "\(family), \(letters[0])" }
  }

  static let latin = Kind(
    family: "", script: "Latn", letters: [0x41...0x5A, 0x61...0x7A, 0x61...0x7A, 0xC0...0x17F])
  static let cyrillic = Kind(family: "", script: "Cyrl", letters: [0x400...0x45F])
  static let greek = Kind(family: "", script: "Grek", letters: [0x386...0x3CE])
  static let kinds: [Kind] =
    ["Inter", "Roboto", "Noto Sans"].flatMap { family in
      [latin, cyrillic, greek].map { Kind(family: family, script: $0.script, letters: $0.letters) }
    }
    + ["KR", "JP", "SC", "TC"].flatMap { region in
      [
        Kind(family: "Noto Sans CJK \(region)", script: "Hang", letters: [0xAC00...0xD7A3]),
        Kind(
          family: "Noto Sans CJK \(region)", script: "Hira", letters: [0x3041...0x30FF, 0xFF66...0xFF9D]),
        Kind(family: "Noto Sans CJK \(region)", script: "Hani", letters: [0x4E00...0x9FA5]),
        Kind(family: "Noto Sans CJK \(region)", script: "Latn", letters: latin.letters),
      ]
    }
    + [
      Kind(family: "Noto Sans Armenian", script: "Armn", letters: [0x531...0x556, 0x559...0x58A]),
      Kind(family: "Noto Sans Georgian", script: "Geor", letters: [0x10A0...0x10C5, 0x10D0...0x10FF]),
      Kind(family: "Noto Sans Ethiopic", script: "Ethi", letters: [0x1200...0x135A, 0x1360...0x137C]),
    ]
  private static let signs = Array(
    " .,:;!?-–—()[]{}<>/\\'\"“”‘’«»0123456789xX%&@#*+=~|_€…\u{A0}、。「」『』（）ー・！？０１−≤≠²₃½→×■".utf16)

  private struct Glyph: Equatable {
    var unit: Int
    var advance: Int64
    var isUnsafe: Bool
  }

  private func glyphs(
    _ text: [UInt16], _ kind: Kind, _ face: OpenFace,
    _ shape: (UnsafeBufferPointer<UInt16>, TextRun, (Int, Int64, Bool) -> Void) -> Void
  ) -> [Glyph] {
    var found: [Glyph] = []
    let run = TextRun(
      start: 0, end: Int32(text.count), place: 0, script: ScriptCode.code(kind.script), isRightToLeft: false)
    unsafe text.withUnsafeBufferPointer { buffer in
      unsafe shape(buffer, run) { found.append(Glyph(unit: $0, advance: $1, isUnsafe: $2)) }
    }
    return found
  }

  @Test(arguments: kinds) func `pieces give what shaping the whole run gives`(kind: Kind) throws {
    var generator = SeededGenerator(seed: 21)
    let chain = Fixture.fonts.chain(for: TextStyle(family: kind.family, size: 16), id: 0)
    let face = try #require(chain.fonts[0].face).opened()
    for locale in ["en", "ko", "ja", "tr", "zh-Hant"] {
      let (shaper, reference) = (Shaper(), Shaper())
      for one in [shaper, reference] { one.setLocale(locale) }
      for round in 0..<400 {
        // A few letters and signs at a time, so that pieces come again.
        let palette = (0..<6).map { index -> UInt16 in
          if index < 2 { return Self.signs[Int(generator.next() % UInt64(Self.signs.count))] }
          let range = kind.letters[Int(generator.next() % UInt64(kind.letters.count))]
          return range.lowerBound
            + UInt16(generator.next() % UInt64(round % 2 == 0 ? range.count : min(range.count, 12)))
        }
        let text = (0..<1 + generator.next() % 30).map { _ in palette[Int(generator.next() % 6)] }
        let shape = { () -> [Glyph] in
          unsafe self.glyphs(text, kind, face) { buffer, run, body in
            unsafe shaper.shape(buffer, 0..<buffer.count, run: run, face: face, strikeAdvance: nil, body)
          }
        }
        let pieces = shape()
        let whole = unsafe glyphs(text, kind, face) { buffer, run, body in
          unsafe reference.shapeAnew(buffer, 0..<buffer.count, run: run, face: face, strikeAdvance: nil, body)
        }
        #expect(pieces.sorted { $0.unit < $1.unit } == shape().sorted { $0.unit < $1.unit })
        #expect(pieces.sorted { $0.unit < $1.unit } == whole, "\(locale): \(String(decoding: text, as: UTF16.self))")
      }
      // Fonts of one script lack most of the signs.
      #expect(
        shaper.assembledRuns > (["Armn", "Geor", "Ethi"].contains(kind.script) ? 30 : 100),
        "\(locale): \(shaper.assembledRuns)")
    }
  }
}

@Suite struct PieceMemoryTests {
  @Test func `pieces take no more memory than they may, and change nothing when they go`() {
    let (roomy, narrow) = (
      TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0),
      TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0, pieceBytes: 20_000)
    )
    let style = TextStyle(family: "Inter", size: 16, locale: "ja")
    for text in PropertyTests.texts(seed: 4, count: 40) {
      let measured = [roomy, narrow].map { $0.measure(text, style: style, width: 150, rules: .android) }
      #expect(measured[0] == measured[1])
      #expect(narrow.pieceBytes <= 20_000)
    }
    #expect(roomy.pieceBytes > 20_000)
  }

  @Test func `nothing is kept of texts that are forgotten`() {
    let measurer = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 100_000)
    let style = TextStyle(family: "Inter", size: 16)
    _ = measurer.measure("a name: ffi 12:30 -> b", style: style, width: 150, rules: .android)
    #expect(measurer.pieceBytes > 0 && measurer.cachedBytes > 0)
    measurer.forgetTexts()
    #expect(measurer.pieceBytes == 0 && measurer.cachedBytes == 0)
  }
}
