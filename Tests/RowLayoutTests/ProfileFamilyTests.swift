// Profiles that extend each other: each fault told once, where it stands, and texts by language.

import InterviewKits
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

/// Versions that were sent: texts that are read when they are asked for.
struct SentProfileTests {
  private func sent(_ count: Int) throws -> [SentProfile] {
    let shipped = try Fixture.profiles.get()
    return try (1...count).map { version in
      let body = #"{"extends": "web@1", "description": "no. \#(version)"}"#
      let draft = try shipped.draft(try JSONValue.parse(Array(body.utf8)), name: "own", families: ["Inter"])
      return SentProfile(name: "own", version: version, content: try #require(draft).stored)
    }
  }

  @Test func `however many versions there are, those that are kept read stay within their bound`() throws {
    let memory = ProfileMemory(cacheBytes: 1 << 20)
    let library = try Fixture.profiles.get().adding(sent(60), by: "a", memory: memory)
    #expect(memory.bytes == 0)
    for round in 0..<2 {
      for version in 1...60 {
        let profile = try #require(try library.profile("own@\(version)"))
        #expect(profile.summary == "no. \(version)", "\(round)")
        #expect(memory.bytes > 0 && memory.bytes <= 1 << 20)
      }
    }
    #expect(try library.profile("own")?.summary == "no. 60" && library.names.contains("own"))
    #expect(library.versions.filter { $0.name == "own" }.map(\.version) == Array(1...60))
    #expect(try library.profile("own@61") == nil && library.profile("web")?.qualifiedName == "web@1")
  }

  @Test func `two owners' versions of one name are kept apart`() throws {
    let memory = ProfileMemory(cacheBytes: 1 << 20)
    let texts = try sent(2).map(\.content)
    let libraries = try texts.enumerated().map { place, text in
      try Fixture.profiles.get().adding(
        [SentProfile(name: "own", version: 1, content: text)], by: "owner \(place)", memory: memory)
    }
    for _ in 0..<2 {
      #expect(try libraries.map { try $0.profile("own")?.summary } == ["no. 1", "no. 2"])
    }
  }

  @Test func `a stored version that can't be read says so, and no other one suffers`() throws {
    let memory = ProfileMemory(cacheBytes: 1 << 20)
    let broken = SentProfile(name: "own", version: 2, content: #"{"name": "own", "version": 2}"#)
    let library = try Fixture.profiles.get().adding(sent(1) + [broken], by: "a", memory: memory)
    #expect(throws: ProfileError.self) { try library.profile("own") }
    #expect(try library.profile("own@1")?.version == 1)
    let query = Fixture.pairs("profile=own&width=300")
    let error = #expect(throws: InvalidViewport.self) {
      try ViewportQuery.viewports(in: query, profiles: library, defaultLocale: "en")
    }
    #expect(error?.issues.map(\.code) == ["unreadableProfile"])
  }
}
