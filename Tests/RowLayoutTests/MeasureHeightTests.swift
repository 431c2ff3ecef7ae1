// Heights of given texts through the profiles: what users of such software found wrong, to the digit.

import InterviewKits
import JSON
import RowLayout
import TestKit
import Testing

struct MeasureHeightTests {
  /// Fault B001: a text view wraps inside its own padding.
  @Test func `a text view's width is its own less its padding`() throws {
    let font = #""font": {"family": "Inter", "size": 17}, "width": 98, "profile": "ios""#
    let view = try one(#"{\#(font), "mode": "textView", "texts": [{"id": "a", "text": "Hello world"}]}"#)
    let label = try one(#"{\#(font), "mode": "label", "texts": [{"id": "a", "text": "Hello world"}]}"#)
    let zero = try one(#"{\#(font), "mode": "zeroPaddingTextView", "texts": [{"id": "a", "text": "Hello world"}]}"#)
    let line = 17.0 * (2728 + 680) / 2816
    #expect(view.lines == 2)
    #expect(abs(view.exactHeight - (2 * line + 16)) < 1e-9)
    #expect(label.lines == 1)
    #expect(abs(label.exactHeight - line) < 1e-9)
    #expect(zero.lines == 1)
    #expect(zero.height == label.height)
    #expect(abs(label.width - 90.02) < 0.01)
    #expect(view.height == ((2 * line + 16) * 3).rounded(.up) / 3)
  }

  /// Fault B002: line spacing counts between lines only.
  @Test(arguments: [("Summary", 20.287109375, 1), (#"Summary\nDetails"#, 140.57421875, 2)])
  func `line spacing counts between lines only`(text: String, height: Double, lines: Int) throws {
    let result = try one(
      """
      {"profile": "ios", "width": 1000, "font": {"size": 17}, "options": {"lineSpacing": 100},
       "texts": [{"id": "a", "text": "\(text)"}]}
      """)
    #expect(result.exactHeight == height)
    #expect(result.height == (height * 3).rounded(.up) / 3)
    #expect(result.lines == lines)
  }

  /// Fault B003: a break at the end and an empty text have a line of their own.
  @Test(arguments: [
    (#"Good\n"#, 2), (#"Good\n\n"#, 3), (#"\n"#, 2), ("", 1), (#"Good\r\n"#, 2), (#"Good\u2028"#, 2),
  ])
  func `the last line counts`(text: String, lines: Int) throws {
    let size = #""width": 300, "scale": 1, "font": {"size": 16}, "texts": [{"id": "a", "text": "\#(text)"}]"#
    let android = try one(
      """
      {"profile": "android", "mode": "editText", "options": {"includeFontPadding": false, "insets": 0}, \(size)}
      """)
    #expect(android.lines == lines)
    #expect(android.height == 19 * Double(lines))
    let ios = try one(#"{"profile": "ios", "mode": "textView", \#(size)}"#)
    #expect(ios.lines == lines)
    #expect(ios.exactHeight == 16 + Double(lines) * 16 * 1.193359375)
  }

  /// Fault B010: font padding on and off.
  @Test(arguments: [(true, 110.0), (false, 96.0)])
  func `font padding is counted when it is on`(isOn: Bool, height: Double) throws {
    let result = try one(
      """
      {"profile": "android", "mode": "textView", "width": 2000, "scale": 1, "font": {"family": "Roboto", "size": 82},
       "options": {"includeFontPadding": \(isOn)}, "texts": [{"id": "a", "text": "One line of Latin"}]}
      """)
    #expect(result.height == height)
  }

  /// Fault B012, and the system font's line height at every size of a text style.
  @Test(arguments: [
    ("android", 14.0, 18.8), ("android", 24, 26.4), ("android", 30, 30), ("android-33", 14, 18.2),
    ("android-33", 24, 31.2), ("android-33", 30, 39),
  ])
  func `a measured text says the size that it was set in`(profile: String, size: Double, scaled: Double) throws {
    let response = try Fixture.measure(
      """
      {"profile": "\(profile)", "width": 300, "fontScale": 1.3, "font": {"size": \(size)},
       "texts": [{"id": "a", "text": "x"}]}
      """)
    #expect(abs(response.settings[0].fontSize - scaled) < 1e-9)
  }

  @Test(arguments: [(14.0, 16.70703125), (15, 17.900390625), (16, 19.09375), (17, 20.287109375), (18, 21.48046875)])
  func `a line of the system font is 1.193359375 times its size`(size: Double, height: Double) throws {
    let result = try one(
      #"{"profile": "ios", "width": 300, "font": {"size": \#(size)}, "texts": [{"id": "a", "text": "Why?"}]}"#)
    #expect(result.exactHeight == height)
  }

  /// Fault B005: the rule for Hangul is the profile's, a request may choose, and the response names it.
  @Test(arguments: [("word", 100.0, 6), ("word", 120, 5), ("syllable", 100, 5), ("syllable", 120, 4)])
  func `Hangul breaks by the rule that is named`(rule: String, width: Double, lines: Int) throws {
    let response = try Fixture.measure(
      """
      {"profile": "plain", "width": \(width), "font": {"family": "Noto Sans CJK KR", "size": 16}, "locale": "ko",
       "options": {"hangul": "\(rule)"}, "texts": [{"id": "a",
       "text": "최근에 해결한 어려운 기술 문제를 설명하고 배운 점을 말해 주세요."}]}
      """)
    #expect(response.results[0].lines == lines)
    let applied = try Fixture.json { LayoutJSON.write(response, to: &$0) }["applied"]
    #expect(applied?["lines"]?["hangul"] == .string(rule))
  }

  /// Fault B011: a TextView and an EditText break by strategies of their own, and the response names them.
  @Test(arguments: [
    ("textView", "highQuality", nil), ("editText", "simple", nil), ("editText", "balanced", "balanced"),
  ])
  func `Android's views break by their strategies`(mode: String, strategy: String, asked: String?) throws {
    let options = asked.map { #"{"insets": 0, "lineStarts": true, "breakStrategy": "\#($0)"}"# }
    let text = "Describe the internationalization of the onboarding questionnaire"
    let response = try Fixture.measure(
      """
      {"profile": "android", "mode": "\(mode)", "width": 120, "scale": 1, "font": {"size": 16},
       "options": \(options ?? #"{"insets": 0, "lineStarts": true}"#), "texts": [{"id": "a", "text": "\(text)"}]}
      """)
    let applied = try Fixture.json { LayoutJSON.write(response, to: &$0) }["applied"]?["lines"]
    #expect(applied?["breakStrategy"] == .string(strategy))
    #expect(applied?["hyphenation"] == .string("none"))
    #expect(applied?["breakPairs"] == .string("android") && applied?["hyphens"] == .string("unbroken"))
    #expect(response.results[0].lines == 5)
    if strategy == "simple" { #expect(response.results[0].lineStarts == [0, 13, 31, 41, 52]) }
  }

  @Test(arguments: [
    ("none", "syllable"), ("pushOut", "syllable"), ("hangulWordPriority", "word"), ("standard", "word"),
  ])
  func `UIKit's lineBreakStrategy decides about Hangul`(strategy: String, rule: String) throws {
    let response = try Fixture.measure(
      #"""
      {"profile": "ios", "width": 100, "options": {"lineBreakStrategy": "\#(strategy)"},
       "texts": [{"id": "a", "text": "최근에 해결한"}]}
      """#)
    let applied = try Fixture.json { LayoutJSON.write(response, to: &$0) }["applied"]?["lines"]
    #expect(applied?["lineBreakStrategy"] == .string(strategy))
    #expect(applied?["hangul"] == .string(rule))
    #expect(throws: InvalidMeasureRequest.self) {
      try Fixture.measure(
        #"{"profile": "web", "width": 9, "options": {"lineBreakStrategy": "none"}, "texts": [{"id": "a", "text": "x"}]}"#
      )
    }
  }

  /// Fault B015: odd widths end.
  @Test func `one letter a line, and words longer than a line`() throws {
    let letters = String(repeating: "abcde", count: 1_000)
    let narrow = try one(#"{"profile": "ios", "width": 1, "texts": [{"id": "a", "text": "\#(letters)"}]}"#)
    #expect(narrow.lines == 5_000)
    let word = try one(
      """
      {"profile": "android", "mode": "textView", "width": 100, "scale": 1, "font": {"size": 16},
       "options": {"includeFontPadding": false, "insets": 0},
       "texts": [{"id": "a", "text": "\(String(repeating: "a", count: 200))"}]}
      """)
    #expect(word.lines == 19)
    #expect(word.height == 361)
  }

  @Test(arguments: ["0", "-10", "1e308", "8", "\"NaN\""])
  func `an odd width is refused with a code that names it`(width: String) throws {
    let body = #"{"profile": "ios", "mode": "textView", "width": \#(width), "texts": [{"id": "a", "text": "x"}]}"#
    do {
      _ = try Fixture.measure(body)
      Testing.Issue.record("\(width) was taken")
    } catch let error as InvalidMeasureRequest {
      #expect(error.issues.map(\.pointer) == ["/width"])
      #expect(error.issues[0].code == (width == "\"NaN\"" ? "wrongType" : "invalidWidth"))
    }
  }

  /// Fault B016: private use, an unassigned character.
  @Test(arguments: ["ios", "android", "web", "plain"])
  func `a text in no font says so in every profile`(profile: String) throws {
    let response = try Fixture.measure(
      """
      {"profile": "\(profile)", "width": 300, "texts": [
        {"id": "a", "text": "plain"}, {"id": "b", "text": "\\uDB80\\uDC00"}, {"id": "c", "text": "한국어 \\u0378"}]}
      """)
    #expect(response.results.map(\.missingGlyphs) == [false, true, true])
    #expect(!response.isExact)
  }

  /// Fault B016: what no font has is told.
  @Test func `a text in no font says so, and substitutes are named`() throws {
    let response = try Fixture.measure(
      """
      {"profile": "android", "width": 300, "texts": [{"id": "a", "text": "plain"}, {"id": "b", "text": "\\uE000"}]}
      """)
    #expect(response.results.map(\.missingGlyphs) == [false, true])
    #expect(!response.isExact)
    let exact = try Fixture.measure(#"{"profile": "android", "width": 300, "texts": [{"id": "a", "text": "plain"}]}"#)
    #expect(exact.isExact && exact.substitutions.isEmpty)
  }

  @Test func `a text field is one line, whatever its text`() throws {
    let response = try Fixture.measure(
      """
      {"profile": "ios", "mode": "textField", "width": 100, "texts": [
        {"id": "a", "text": ""}, {"id": "b", "text": "one\\ntwo"},
        {"id": "c", "text": "\(String(repeating: "long ", count: 100))"}]}
      """)
    #expect(response.results.map(\.lines) == [1, 1, 1])
    #expect(Set(response.results.map(\.height)).count == 1)
  }

  @Test(arguments: TextSample.languages)
  func `wider never means more lines nor a greater height`(sample: TextSample) throws {
    let engine = try Fixture.engine.get()
    for profile in ["ios", "android", "web", "plain"] {
      var last = Int.max
      for width in stride(from: 20, through: 700, by: 17) {
        var writer = JSONWriter()
        writer.object { writer in
          writer.member("profile", profile)
          writer.member("width", width)
          writer.member("locale", sample.locale)
          writer.member("texts") { writer in
            writer.array { writer in
              writer.object { writer in
                writer.member("id", "a")
                writer.member("text", sample.text)
              }
            }
          }
        }
        let result = engine.measure(try engine.measureRequest(try JSONValue.parse(writer.bytes))).results[0]
        #expect(result.lines <= last)
        #expect(result.height >= result.exactHeight - 1e-6)
        last = result.lines
      }
    }
  }

  private func one(_ json: String) throws -> MeasureResponse.Result { try Fixture.measure(json).results[0] }
}
