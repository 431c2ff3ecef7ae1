// Instances of a variable font by weight. `Tests/Fonts/make-weights` made the font: at weight 900 its letters are 0.2 em wider and
// its lines 0.15 em higher than at 400, at 100 they are 0.1 em narrower.
import TestKit
import Testing

@testable import TextLayout

@Suite struct VariableFontTests {
  static let font = Fixture.repository + "/Tests/Fonts/weights.ttf"
  let folder = TemporaryFolder()

  private func library(_ face: String, more: String = "") throws -> FontLibrary {
    let document = """
      { "families": [{ "name": "Weights", "faces": [{ "file": "\(Self.font)", \(face) }] \(more) }], "fallbacks": [] }
      """
    return try FontLibrary(configurationFile: folder.write(Array(document.utf8), to: "fonts.json"))
  }

  private func measure(_ text: String, weight: Int, _ measurer: TextMeasurer) -> TextMeasurement {
    let style = TextStyle(family: "Weights", size: 1_000, weight: weight)
    return measurer.measure(text, style: style, width: 1e6, rules: TextRules(lineHeight: .plain))
  }

  @Test(arguments: [
    (100, 1_000.0, 1_200.0), (250, 1_100, 1_200), (400, 1_200, 1_200), (650, 1_400, 1_275), (900, 1_600, 1_350),
    (1_000, 1_600, 1_350), (1, 1_000, 1_200),
  ])
  func `the weight asked picks the instance, in advances and in metrics`(weight: Int, width: Double, height: Double)
    throws
  {
    let measurer = TextMeasurer(fonts: try library("\"weights\": [100, 900]"), cacheBytes: 1 << 20)
    // Other weights before and after: each instance keeps its own shapes.
    for other in [400, weight, 900, weight] {
      let measured = measure("AV", weight: other, measurer)
      if other == weight {
        #expect(abs(measured.width - width) < 1.01 && measured.exactHeight == height)
        #expect(measured.isExact && !measured.missingGlyphs)
      }
    }
  }

  @Test func `a variable font with one weight is its default instance`() throws {
    let measurer = TextMeasurer(fonts: try library("\"weight\": 900"), cacheBytes: 1 << 20)
    #expect(measure("AV", weight: 900, measurer).width == 1_200)
  }

  @Test func `a range narrower than the axis bounds the instances`() throws {
    let library = try library("\"weights\": [400, 400]")
    #expect(library.families[0].faces[0].weights == 400...400)
    #expect(measure("AV", weight: 900, TextMeasurer(fonts: library, cacheBytes: 0)).width == 1_200)
  }

  @Test func `metrics that are overridden are so at every weight`() throws {
    let override = ", \"metrics\": { \"ascender\": 800, \"descender\": -200, \"unitsPerEm\": 1000 }"
    let measurer = TextMeasurer(fonts: try library("\"weights\": [100, 900]", more: override), cacheBytes: 0)
    #expect(measure("A", weight: 900, measurer).exactHeight == 1_000)
  }

  @Test func `the range of weights is part of the fingerprint`() throws {
    #expect(try library("\"weights\": [100, 900]").fingerprint != library("\"weights\": [100, 800]").fingerprint)
  }

  @Test(arguments: [
    ("\"weights\": [100, 950]", "has the weights 100 to 900"), ("\"weights\": [900, 100]", "within 1–1000"),
    ("\"weights\": [400]", "within 1–1000"), ("\"weights\": [100, 900], \"weight\": 400", "a range of weights"),
  ])
  func `a range that the font or the format does not have stops the start`(face: String, problem: String) {
    let error = #expect(throws: FontError.self) { try library(face) }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }

  @Test func `a font without a weight axis has no range of weights`() {
    let document = """
      { "families": [{ "name": "R", "faces": [{ "file": "\(FontLibraryTests.roboto)", "weights": [100, 900] }] }],
        "fallbacks": [] }
      """
    let path = folder.write(Array(document.utf8), to: "fonts.json")
    let error = #expect(throws: FontError.self) { try FontLibrary(configurationFile: path) }
    #expect(error?.description.contains("no weight axis") == true)
  }
}
