// Profile files: what they must say, what is wrong with them, versions and extending.

import JSON
import RowLayout
import TestKit
import Testing
import TextLayout

struct ProfileTests {
  @Test(arguments: ["ios", "ios-zero-padding", "android", "android-33", "web", "plain"])
  func `a shipped profile describes every kind of row`(name: String) throws {
    let profile = try #require(try Fixture.profiles.get().profile(name))
    #expect(profile.name == name)
    #expect(profile.qualifiedName == "\(name)@\(profile.version)")
    #expect(Set(profile.rows.keys) == Set(RowKind.allCases))
    #expect(Set(profile.parts.keys) == Set(PartRole.allCases))
    #expect(profile.digest.utf8.count == 64)
    #expect(profile.modes[.label] != nil && profile.modes[.textView] != nil)
    for kind in ["shortText", "longText", "date", "criterion"] {
      for locale in ["en", "ko", "ja", "ar", "de"] {
        #expect(profile.string("placeholder.\(kind)", locale: locale)?.isEmpty == false)
      }
    }
  }

  @Test func `the newest version answers to the plain name, each version to its own`() throws {
    let library = try library(old: 1, new: 2)
    #expect(try library.profile("p")?.version == 2)
    #expect(try library.profile("p@1")?.version == 1)
    #expect(try library.profile("p@2")?.version == 2)
    #expect(try library.profile("p@3") == nil)
    #expect(try library.profile("P") == nil)
    #expect(try library.profile("base") == nil)
    #expect(library.names == ["p"])
    #expect(library.all.count == 2)
  }

  @Test func `two files cannot hold the same version`() {
    #expect(throws: ProfileError.self) { _ = try library(old: 2, new: 2) }
  }

  @Test func `a profile says what it extends, but for what it says itself, and null takes away`() throws {
    let child = #"{"name": "c", "version": 4, "extends": "p", "scale": 2, "lines": {"hangul": "word"}}"#
    let library = try ProfileLibrary(files: [("p.json", Self.plain("p", 1)), ("c.json", Array(child.utf8))])
    let (parent, own) = (try #require(try library.profile("p")), try #require(try library.profile("c")))
    #expect(own.qualifiedName == "c@4")
    #expect(own.scale == 2)
    #expect(own.summary.isEmpty)
    #expect(own.modes[.label]?.lines.hangul == .word)
    #expect(own.parts == parent.parts)
    #expect(own.digest != parent.digest)
    let android = try #require(try Fixture.profiles.get().profile("android-33"))
    guard case .fontScale(let rule) = android.textSize else { throw TestFailure("no font scale") }
    #expect(rule.curves.isEmpty)
    #expect(android.modes[.editText]?.insets.leading == 4)
  }

  @Test func `profiles that extend each other in a circle are refused`() {
    let one = #"{"name": "a", "version": 1, "extends": "b"}"#
    let other = #"{"name": "b", "version": 1, "extends": "a"}"#
    #expect(throws: ProfileError.self) {
      _ = try ProfileLibrary(files: [("a.json", Array(one.utf8)), ("b.json", Array(other.utf8))])
    }
  }

  /// A change of the plain profile, and the place that its error must name.
  @Test(arguments: [
    (#"{"version": 0}"#, "/version"), (#"{"name": "Not A Name"}"#, "/name"), (#"{"scale": 0}"#, "/scale"),
    (#"{"scale": null}"#, "/scale"), (#"{"extra": 1}"#, "/extra"), (#"{"extends": "nothing"}"#, "/extends"),
    (#"{"font": {"style": "body"}}"#, "/font/size"), (#"{"font": {"family": null}}"#, "/font/family"),
    (#"{"font": {"weight": 0}}"#, "/font/weight"), (#"{"textSize": {"kind": "other"}}"#, "/textSize/kind"),
    (#"{"textSize": {"default": 9}}"#, "/textSize/default"),
    (#"{"textSize": {"curves": {"sizes": [2, 1], "scales": {}}}}"#, "/textSize/curves/sizes"),
    (#"{"textSize": {"curves": {"sizes": [1, 2], "scales": {"1.5": [1]}}}}"#, "/textSize/curves/scales/1.5"),
    (#"{"textSize": {"curves": {"sizes": [1], "scales": {"x": [1]}}}}"#, "/textSize/curves/scales/x"),
    (#"{"lines": {"hangul": "sometimes"}}"#, "/lines/hangul"),
    (#"{"lines": {"usesFontLeading": true}}"#, "/lines/usesFontLeading"),
    (#"{"lines": {"hyphenation": "full"}}"#, "/lines/hyphenation"),
    (#"{"lines": {"tabs": {"every": 8, "spaces": 4}}}"#, "/lines/tabs"),
    (#"{"modes": {"label": {"insets": -1}}}"#, "/modes/label/insets"),
    (#"{"modes": {"label": {"insets": {"left": 1}}}}"#, "/modes/label/insets/left"),
    (#"{"modes": {"canvas": {}}}"#, "/modes/canvas"),
    (#"{"parts": {"text": {"mode": "editText"}}}"#, "/parts/text/mode"),
    (#"{"parts": {"picture": {}}}"#, "/parts/picture"), (#"{"rows": {"note": {"parts": []}}}"#, "/rows/note/parts"),
    (#"{"rows": {"note": {"parts": ["text", "text"]}}}"#, "/rows/note/parts/1"),
    (#"{"rows": {"gap": {}}}"#, "/rows/gap"), (#"{"strings": {"en": {"yes": 1}}}"#, "/strings/en/yes"),
    (#"{"strings": 7}"#, "/strings"),
  ])
  func `what is wrong with a profile is named with its place`(change: String, pointer: String) throws {
    let changed = try JSONValue.parse(Self.plain("p", 1)).merged(with: try JSONValue.parse(Array(change.utf8)))
    var writer = JSONWriter()
    writer.value(changed)
    do {
      _ = try ProfileLibrary(files: [("p.json", writer.bytes)])
      Issue.record("\(change) was taken")
    } catch {
      #expect(error.problems.map(\.file) == Array(repeating: "p.json", count: error.problems.count))
      #expect(error.problems.contains { $0.pointer == pointer }, "\(error)")
    }
  }

  @Test func `all that is wrong with all files of a folder is told at once`() {
    let folder = TemporaryFolder()
    folder.write(#"{"name": "a", "version": 1"#, to: "a.json")
    folder.write(#"{"name": "b", "version": 1, "unit": 3, "scale": "x"}"#, to: "b.json")
    folder.write("no profile", to: "readme.txt")
    do {
      _ = try ProfileLibrary(directory: folder.path)
      Issue.record("broken profiles were taken")
    } catch { #expect(Set(error.problems.map(\.file)) == [folder.path + "/a.json"]) }
    folder.write(#"{"name": "a", "version": 1}"#, to: "a.json")
    do {
      _ = try ProfileLibrary(directory: folder.path)
      Issue.record("broken profiles were taken")
    } catch {
      let (one, other) = (folder.path + "/a.json", folder.path + "/b.json")
      #expect(Set(error.problems.map(\.file)) == [one, other])
      #expect(error.problems.contains { $0.file == other && $0.pointer == "/unit" })
      #expect(error.problems.contains { $0.file == other && $0.pointer == "/scale" })
      #expect(error.description.contains("\(other) at /unit: "))
    }
    #expect(throws: ProfileError.self) { _ = try ProfileLibrary(directory: folder.path + "/none") }
  }

  @Test func `strings come in the locale's language, else in its base, else in English`() throws {
    let profile = try #require(try Fixture.profiles.get().profile("ios"))
    #expect(profile.string("yes", locale: "ko-KR") == "예")
    #expect(profile.string("yes", locale: "de") == "Ja")
    #expect(profile.string("yes", locale: "fi") == "Yes")
    #expect(profile.string("placeholder.number", locale: "ko") == "0")
    #expect(profile.string("nothing", locale: "en") == nil)
  }

  static func plain(_ name: String, _ version: Int) -> [UInt8] {
    let text = """
      {"name": "\(name)", "version": \(version), "description": "For tests", "unit": "px", "scale": 1,
       "font": {"family": "Inter", "size": 16}, "textSize": {"kind": "fontScale"}, "lines": {"height": "plain"},
       "modes": {"label": {}}, "parts": {"text": {}, "title": {}}, "rows": {"default": {"parts": ["text"]}},
       "strings": {"en": {"yes": "Yes"}}}
      """
    return Array(text.utf8)
  }

  private func library(old: Int, new: Int) throws -> ProfileLibrary {
    let base = String(decoding: Self.plain("base", 1), as: UTF8.self).dropFirst()
    return try ProfileLibrary(files: [
      ("base.json", Array((#"{"abstract": true, "# + base).utf8)), ("p@1.json", Self.plain("p", old)),
      ("p.json", Self.plain("p", new)),
    ])
  }
}

struct TestFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
