// Lines and heights of our own texts against those that Chromium gave them: see `scripts/compare-chromium --record`.
import JSON
import TestKit
import Testing

@testable import TextLayout

@Suite struct BrowserTests {
  struct Recorded {
    var text: String
    var style: TextStyle
    var width: Double
    /// UTF-16 offsets of line starts.
    var web: [Int]
    /// Nil where a rule that only browsers have decides.
    var plain: [Int]?
    var height: Double
  }

  /// Scripts whose dictionary the browser has in another version: the recorded lines are its own.
  static let otherDictionaries = ["lo", "km"]

  static func recorded() throws -> [Recorded] {
    let bytes = try FileReading.bytes(of: Fixture.repository + "/Tests/Browser/recorded.jsonl")
    return try bytes.split(separator: 0x0A).map { line in
      let row = try JSONValue.parse(Array(line))
      func number(_ name: String) throws -> Double {
        guard case .number(let number) = row[name] else { throw RecordingError.missing(name) }
        return try #require(number.double)
      }
      func text(_ name: String) throws -> String {
        guard case .string(let text) = row[name] else { throw RecordingError.missing(name) }
        return text
      }
      func offsets(_ name: String) -> [Int]? {
        guard case .array(let values) = row[name] else { return nil }
        return values.compactMap { if case .number(let number) = $0 { number.integer } else { nil } }
      }
      let locale = try text("locale")
      let style = TextStyle(
        family: try text("family"), fallbacks: Fixture.fonts.fallbackFamilies(for: locale), size: try number("size"),
        locale: locale)
      return Recorded(
        text: try text("text"), style: style, width: try number("width"), web: try #require(offsets("web")),
        plain: offsets("plain"), height: try number("height"))
    }
  }

  enum RecordingError: Error { case missing(String) }

  @Test func `lines by browser rules start where Chromium starts them, and are as high`() throws {
    let rules = TextRules(
      lineHeight: .web(height: nil), breaking: LineBreakRules(strictness: .normal, pairs: .web), scale: 1)
    let all = try Self.recorded()
    #expect(all.count > 200)
    for recorded in all where !Self.otherDictionaries.contains(recorded.style.locale) {
      let found = Fixture.measurer.measure(recorded.text, style: recorded.style, width: recorded.width, rules: rules)
      #expect(found.lineStarts == recorded.web, "\(recorded.style.family): \(recorded.text)")
      // A control character makes the browser look through all fonts, and the line as high as those.
      if recorded.text.unicodeScalars.contains(where: { $0.value < 9 }) { continue }
      // Where fonts mix, the browser may round an ascent the other way: a pixel, at 64 times the size.
      #expect(abs(found.exactHeight - recorded.height) <= Double(found.lines), "\(recorded.text)")
    }
  }

  @Test func `plain lines start where Chromium starts them when no rule of its own decides`() throws {
    let rules = TextRules(breaking: LineBreakRules(strictness: .strict, ideographicSpaceHangs: false))
    let all = try Self.recorded().filter { $0.plain != nil }
    #expect(all.count > 100)
    for recorded in all {
      let found = Fixture.measurer.measure(recorded.text, style: recorded.style, width: recorded.width, rules: rules)
      #expect(found.lineStarts == recorded.plain, "\(recorded.style.family): \(recorded.text)")
      // 0.05 px a line at one 64th of the size, as the browser rounds ascents to whole pixels.
      #expect(abs(found.exactHeight - recorded.height) / 64 < 0.05 * Double(found.lines), "\(recorded.text)")
    }
  }
}
