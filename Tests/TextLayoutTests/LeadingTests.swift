// The leading of fonts that have one: hhea's lineGap, or an override's, where the platform counts it.
import TestKit
import Testing

@testable import TextLayout

@Suite struct LeadingTests {
  private let folder = TemporaryFolder()

  /// The test font with a lineGap of 0.3 em in its hhea table; its ascent and descent make 1.2 em.
  private func fontWithGap() throws -> String {
    var bytes = try FileReading.bytes(of: VariableFontTests.font)
    let tables = Int(bytes[4]) << 8 | Int(bytes[5])
    let entry = try #require(
      (0..<tables).map { 12 + 16 * $0 }.first { Array(bytes[$0..<$0 + 4]) == Array("hhea".utf8) })
    let table = bytes[entry + 8..<entry + 12].reduce(0) { $0 << 8 | Int($1) }
    let face = OpenFace(file: VariableFontTests.font, index: 0)
    let gap = Int(face.unitsPerEm) * 3 / 10
    (bytes[table + 8], bytes[table + 9]) = (UInt8(gap >> 8), UInt8(gap & 255))
    return folder.write(bytes, to: "gap.ttf")
  }

  private func measurer(_ file: String, metrics: String = "") throws -> TextMeasurer {
    let document = """
      { "families": [{ "name": "Gap", "faces": [{ "file": "\(file)" }] \(metrics) }], "fallbacks": [] }
      """
    let path = folder.write(Array(document.utf8), to: "fonts.json")
    return TextMeasurer(fonts: try FontLibrary(configurationFile: path), cacheBytes: 0)
  }

  private func height(_ text: String, _ rule: LineHeightRule, _ measurer: TextMeasurer) -> Double {
    let style = TextStyle(family: "Gap", size: 100)
    return measurer.measure(text, style: style, width: 1e6, rules: TextRules(lineHeight: rule)).exactHeight
  }

  @Test(arguments: [("A", 1.0), ("A\nV", 2), ("A\nV\nA", 3)])
  func `iOS counts the leading of each line with usesFontLeading, and not without`(text: String, lines: Double) throws {
    let measurer = try measurer(fontWithGap())
    #expect(height(text, .ios(usesFontLeading: false), measurer) == 120 * lines)
    #expect(height(text, .ios(usesFontLeading: true), measurer) == 150 * lines)
  }

  @Test func `the web counts a gap in a normal line height only, Android and plain rules never`() throws {
    let measurer = try measurer(fontWithGap())
    #expect(height("A\nV", .web(height: nil), measurer) == 300)
    #expect(height("A\nV", .web(height: 130), measurer) == 260)
    #expect(height("A\nV", .plain, measurer) == 240)
    let android = LineHeightRule.android(includeFontPadding: false, spacingExtra: 0, spacingMultiplier: 1)
    #expect(height("A\nV", android, measurer) == 240)
  }

  @Test func `an override's gap counts instead of the file's`() throws {
    let metrics = #", "metrics": { "ascender": 800, "descender": -200, "lineGap": 50, "unitsPerEm": 1000 }"#
    let measurer = try measurer(fontWithGap(), metrics: metrics)
    #expect(height("A", .ios(usesFontLeading: true), measurer) == 105)
    #expect(height("A", .ios(usesFontLeading: false), measurer) == 100)
  }
}
