// Measure requests: what each text may set for itself, and all that can be wrong.

import InterviewKits
import JSON
import RowLayout
import Testing
import TextLayout

struct MeasureRequestTests {
  @Test func `each text may set for itself what stands at the top`() throws {
    let response = try Fixture.measure(
      """
      {"profile": "ios", "mode": "label", "width": 343, "font": {"family": "Inter", "size": 17, "weight": 600},
       "scale": 3, "locale": "ko", "options": {"lineStarts": true, "hangul": "word"}, "texts": [
        {"id": "a", "text": "One two three"}, {"id": "b", "text": "One two three", "width": 50},
        {"id": "c", "text": "One two three", "profile": "android", "font": {"size": 20}, "scale": 2},
        {"id": "d", "text": "One two three", "options": {"lineStarts": false}}]}
      """)
    #expect(response.results.map(\.id) == ["a", "b", "c", "d"])
    let settings = response.results.map { response.settings[$0.setting] }
    #expect(settings.map(\.width) == [343, 50, 343, 343])
    #expect(settings.map(\.profile.name) == ["ios", "ios", "android", "ios"])
    #expect(settings.map(\.fontSize) == [17, 17, 20, 17])
    #expect(settings.map(\.weight) == [600, 600, 600, 600])
    #expect(settings.map(\.family) == Array(repeating: "Inter", count: 4))
    #expect(settings.map(\.scale) == [3, 3, 2, 3])
    #expect(settings.map(\.locale) == Array(repeating: "ko", count: 4))
    #expect(settings.allSatisfy { $0.rule.lines.hangul == .word })
    #expect(response.results.map { $0.lineStarts?.count } == [1, response.results[1].lines, 1, nil])
    #expect(response.results[1].lines > 1)
  }

  @Test func `a request that names a profile and a width has defaults for the rest`() throws {
    let response = try Fixture.measure(#"{"profile": "ios", "width": 343, "texts": [{"id": "a", "text": "x"}]}"#)
    let setting = response.settings[0]
    #expect(setting.mode == .label)
    #expect(setting.fontSize == 17)
    #expect(setting.weight == 400)
    #expect(setting.scale == 3)
    #expect(setting.textSize == .contentSize("large"))
    #expect(response.results[0].lineStarts == nil)
    let large = try Fixture.measure(
      """
      {"profile": "ios", "width": 343, "contentSize": "AX5", "font": {"style": "headline"},
       "texts": [{"id": "a", "text": "x"}]}
      """)
    #expect(large.settings[0].fontSize == 53)
    #expect(large.settings[0].weight == 600)
    #expect(try Fixture.measure(#"{"profile": "ios", "width": 9, "texts": []}"#).results.isEmpty)
  }

  @Test func `a fingerprint is the settings' own`() throws {
    func fingerprint(_ change: String) throws -> String {
      let request = #"{"profile": "ios", "width": 343, "texts": [{"id": "a", "text": "x"}]}"#
      let value = try JSONValue.parse(Array(request.utf8)).merged(with: try JSONValue.parse(Array(change.utf8)))
      let engine = try Fixture.engine.get()
      return engine.measure(try engine.measureRequest(value)).fingerprint
    }
    let changes = [
      "{}", #"{"width": 344}"#, #"{"scale": 2}"#, #"{"locale": "ko"}"#, #"{"mode": "textView"}"#,
      #"{"font": {"size": 18}}"#, #"{"font": {"weight": 700}}"#, #"{"font": {"family": "Inter"}}"#,
      #"{"font": {"fallbacks": ["Inter"]}}"#, #"{"options": {"hangul": "syllable"}}"#, #"{"options": {"insets": 1}}"#,
      #"{"profile": "ios-zero-padding"}"#, #"{"options": {"maximumLines": 2}}"#, #"{"contentSize": "AX1"}"#,
    ]
    #expect(Set(try changes.map(fingerprint)).count == changes.count)
    #expect(try fingerprint(#"{"texts": [{"id": "b", "text": "another"}]}"#) == fingerprint("{}"))
  }

  /// A change of a right request, and the pointers and codes of what is wrong then.
  @Test(arguments: [
    (#"{"profile": null}"#, ["/profile missingMember"]), (#"{"width": null}"#, ["/width missingMember"]),
    (#"{"texts": null}"#, ["/texts missingMember"]), (#"{"width": "343"}"#, ["/width wrongType"]),
    (#"{"width": 1e999}"#, ["/width invalidWidth"]), (#"{"profile": "vms"}"#, ["/profile unknownProfile"]),
    (#"{"mode": "canvas"}"#, ["/mode unknownMode"]), (#"{"mode": "editText"}"#, ["/mode unknownMode"]),
    (#"{"colour": 1}"#, ["/colour unknownMember"]), (#"{"scale": 0}"#, ["/scale invalidScale"]),
    (#"{"locale": "?"}"#, ["/locale invalidLocale"]), (#"{"fontScale": 2}"#, ["/fontScale inapplicableMember"]),
    (#"{"contentSize": "big"}"#, ["/contentSize unknownContentSize"]), (#"{"font": 17}"#, ["/font wrongType"]),
    (#"{"font": {"family": "Comic Sans MS"}}"#, ["/font/family unknownFamily"]),
    (#"{"font": {"fallbacks": ["Inter", "Wingdings"]}}"#, ["/font/fallbacks/1 unknownFamily"]),
    (#"{"font": {"size": -1}}"#, ["/font/size invalidFontSize"]),
    (#"{"font": {"size": 1e9}}"#, ["/font/size invalidFontSize"]),
    (#"{"font": {"weight": 0}}"#, ["/font/weight invalidFontWeight"]),
    (#"{"font": {"slant": 1}}"#, ["/font/slant unknownMember"]),
    (#"{"font": {"style": "body", "size": 3}}"#, ["/font/size styleAndSize"]),
    (#"{"font": {"style": "tiny"}}"#, ["/font/style unknownStyle"]),
    (#"{"options": {"hangul": 1}}"#, ["/options/hangul wrongType"]),
    (#"{"options": {"hangul": "never"}}"#, ["/options/hangul unknownWord"]),
    (#"{"options": {"includeFontPadding": false}}"#, ["/options/includeFontPadding inapplicableOption"]),
    (#"{"options": {"hyphenation": "full"}}"#, ["/options/hyphenation unsupportedOption"]),
    (#"{"options": {"breakStrategy": "best"}}"#, ["/options/breakStrategy unknownWord"]),
    (#"{"options": {"blink": true}}"#, ["/options/blink unknownMember"]), (#"{"options": []}"#, ["/options wrongType"]),
    (#"{"options": {"lineSpacing": -1}}"#, ["/options/lineSpacing outOfRange"]),
    (#"{"texts": [1]}"#, ["/texts/0 wrongType"]), (#"{"texts": [{"id": "a"}]}"#, ["/texts/0/text missingMember"]),
    (#"{"texts": [{"text": "a"}]}"#, ["/texts/0/id missingMember"]),
    (#"{"texts": [{"id": "", "text": "a"}]}"#, ["/texts/0/id invalidID"]),
    (#"{"texts": [{"id": "a", "text": "x\u0000"}]}"#, ["/texts/0/text containsNUL"]),
    (#"{"texts": [{"id": "a", "text": "1"}, {"id": "a", "text": "2"}]}"#, ["/texts/1/id doubledID"]),
    (#"{"texts": [{"id": "a", "text": "1", "width": 0}]}"#, ["/texts/0/width invalidWidth"]),
    (#"{"texts": [{"id": "a", "text": "1", "mode": "textView", "width": 10}]}"#, ["/texts/0/width invalidWidth"]),
    (#"{"texts": [{"id": "a", "text": "1", "texts": []}]}"#, ["/texts/0/texts unknownMember"]),
    (
      #"{"width": 0, "scale": 99, "font": {"family": 1}, "texts": [{"id": "a", "text": 7}, {"id": "b", "mode": "x"}]}"#,
      [
        "/width invalidWidth", "/scale invalidScale", "/font/family wrongType", "/texts/0/text wrongType",
        "/texts/1/text missingMember", "/texts/1/mode unknownMode",
      ]
    ),
  ])
  func `all that is wrong with a request is told at once`(change: String, expected: [String]) throws {
    let request = #"{"profile": "ios", "width": 343, "texts": [{"id": "a", "text": "x"}]}"#
    let value = try JSONValue.parse(Array(request.utf8)).merged(with: try JSONValue.parse(Array(change.utf8)))
    do {
      _ = try Fixture.engine.get().measureRequest(value)
      Testing.Issue.record("\(change) was taken")
    } catch let error as InvalidMeasureRequest {
      #expect(error.issues.map { "\($0.pointer) \($0.code)" } == expected)
    }
  }

  @Test func `a request holds a thousand texts and no more, and each has its limit`() throws {
    func request(_ count: Int, scalars: Int = 1) throws -> MeasureRequest {
      let text = String(repeating: "é", count: scalars)
      let texts = (0..<count).map { #"{"id": "\#($0)", "text": "\#(text)"}"# }.joined(separator: ",")
      let value = try JSONValue.parse(Array(#"{"profile": "web", "width": 9, "texts": [\#(texts)]}"#.utf8))
      return try Fixture.engine.get().measureRequest(value)
    }
    #expect(try request(1_000).items.count == 1_000)
    #expect(throws: InvalidMeasureRequest.self) { try request(1_001) }
    #expect(try request(1, scalars: 100_000).items.count == 1)
    #expect(throws: InvalidMeasureRequest.self) { try request(1, scalars: 100_001) }
  }

  @Test func `a body that is no object is refused`() throws {
    for body in [JSONValue.null, .array([]), .string("x")] {
      #expect(throws: InvalidMeasureRequest.self) { try Fixture.engine.get().measureRequest(body) }
    }
  }

  @Test func `the answer says by which rules each text was measured`() throws {
    let response = try Fixture.measure(
      """
      {"profile": "ios", "mode": "textView", "width": 343, "texts": [
        {"id": "a", "text": "One"}, {"id": "b", "text": "Two", "width": 50}]}
      """)
    let json = try Fixture.json { LayoutJSON.write(response, to: &$0) }
    #expect(json["applied"]?["profile"] == .string("ios@1"))
    #expect(json["applied"]?["insets"]?["top"] == .number(JSONNumber(8)))
    #expect(json["applied"]?["lineFragmentPadding"] == .number(JSONNumber(5)))
    guard case .array(let results)? = json["results"] else { throw TestFailure("no results") }
    #expect(results[0]["applied"] == nil)
    #expect(results[1]["applied"]?["width"] == .number(JSONNumber(50)))
    #expect(json["fidelity"] != nil && json["fingerprint"] != nil)
  }
}
