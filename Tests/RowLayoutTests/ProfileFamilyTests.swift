// Profiles that extend each other: each fault told once, where it stands, and texts by language.

import JSON
import RowLayout
import TestKit
import Testing

struct ProfileFamilyTests {
  /// Changes of three files that extend each other in a row, the first of them abstract, and each fault that is told.
  @Test(arguments: [
    (#"{"lines": {"hangul": "x"}}"#, "{}", "{}", ["base.json/lines/hangul"]),
    ("{}", #"{"scale": 0}"#, "{}", ["p.json/scale"]),
    ("{}", "{}", #"{"rows": {"note": {"insets": -1}}}"#, ["c.json/rows/note/insets"]),
    ("{}", #"{"rows": {"default": {"insets": -1}}}"#, "{}", ["p.json/rows/default/insets"]),
    (#"{"scale": 0}"#, #"{"extra": 1}"#, #"{"more": 1}"#, ["base.json/scale", "p.json/extra", "c.json/more"]),
    ("{}", #"{"extends": "none"}"#, "{}", ["p.json/extends"]),
  ])
  func `a fault that profiles inherit is told once, in its own file`(
    _ base: String, _ parent: String, _ child: String, _ faults: [String]
  ) throws {
    let plain = try JSONValue.parse(ProfileTests.plain("base", 1))
    let files: [(name: String, bytes: [UInt8])] = [
      ("base.json", try bytes(plain, #"{"abstract": true}"#, base)),
      ("p.json", try bytes(.object([]), #"{"name": "p", "version": 1, "extends": "base"}"#, parent)),
      ("c.json", try bytes(.object([]), #"{"name": "c", "version": 1, "extends": "p"}"#, child)),
    ]
    do {
      _ = try ProfileLibrary(files: files)
      Issue.record("\(faults) were taken")
    } catch { #expect(error.problems.map { $0.file + $0.pointer } == faults, "\(error)") }
  }

  @Test func `texts come in the nearest language, whatever the case of its tag`() throws {
    let strings =
      #"{"strings": {"en": {"yes": "Yes", "no": "No"}, "pt": {"yes": "Sim", "no": "Não"}, "pt-BR": {"yes": "É"}, "zh-Hant": {"yes": "是"}}}"#
    let plain = try JSONValue.parse(ProfileTests.plain("p", 1))
    let profile = try #require(
      try ProfileLibrary(files: [("p.json", try bytes(plain, "{}", strings))]).profile("p"))
    let expected = [
      "pt-BR": ["É", "Não"], "PT-br": ["É", "Não"], "pt-PT": ["Sim", "Não"], "pt": ["Sim", "Não"],
      "zh-Hant-TW": ["是", "No"], "zh-Hant-x-private": ["是", "No"], "zh": ["Yes", "No"], "fi-FI": ["Yes", "No"],
    ]
    for (locale, texts) in expected {
      #expect(["yes", "no"].map { profile.string($0, locale: locale) } == texts, "\(locale)")
    }
    let wrong = #"{"strings": {"en": {}, "EN": {}, "english!": {}}}"#
    let file = try bytes(plain, "{}", wrong)
    do {
      _ = try ProfileLibrary(files: [("p.json", file)])
      Issue.record("tags that are none were taken")
    } catch { #expect(error.problems.map(\.pointer) == ["/strings/EN", "/strings/english!"]) }
  }

  private func bytes(_ base: JSONValue, _ changes: String...) throws -> [UInt8] {
    let value = try changes.reduce(base) { try $0.merged(with: JSONValue.parse(Array($1.utf8))) }
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
  }
}
