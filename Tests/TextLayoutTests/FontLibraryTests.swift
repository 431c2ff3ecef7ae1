// What the configuration of fonts promises: missing files, pins, digests, order of fallbacks.
import TestKit
import Testing

@testable import TextLayout

@Suite struct FontLibraryTests {
  static let roboto = "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf"
  let folder = TemporaryFolder()

  private func library(_ families: String, fallbacks: String = "", digests: String? = nil) throws -> FontLibrary {
    let document = "{ \"families\": [\(families)], \"fallbacks\": [\(fallbacks)] }"
    let path = folder.write(Array(document.utf8), to: "fonts.json")
    return try FontLibrary(configurationFile: path, digestCacheFile: digests)
  }

  private func family(_ name: String, _ file: String, _ more: String = "") -> String {
    "{ \"name\": \"\(name)\", \"faces\": [{ \"file\": \"\(file)\"\(more) }] }"
  }

  @Test func `the shipped configuration finds all of Debian's files`() {
    #expect(Fixture.fonts.missingFiles.allSatisfy { $0.contains("SF-Pro") })
    #expect(Fixture.fonts.families.contains { $0.name == "Noto Sans CJK KR" })
  }

  @Test func `no font at all stops the start and says what is missing`() throws {
    let error = #expect(throws: FontError.self) { try library(family("A", "a.ttf")) }
    guard case .noFonts(_, let missing) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(missing == ["\(folder.path)/a.ttf"])
    #expect(error?.description.contains("a.ttf") == true)
  }

  @Test func `a file that is no font is missing`() throws {
    folder.write(Array("no font".utf8), to: "b.ttf")
    let library = try library(family("B", "b.ttf") + "," + family("Roboto", Self.roboto))
    #expect(library.missingFiles == ["\(folder.path)/b.ttf"])
    #expect(library.families.map { $0.faces[0].absence } == [.noFont, nil])
  }

  @Test func `a face that a collection lacks is missing`() throws {
    let library = try library(
      family("Roboto", Self.roboto) + "," + family("Other", Self.roboto, ", \"index\": 1"))
    #expect(library.missingFiles == ["\(Self.roboto)#1"])
    #expect(library.families[1].faces[0].absence == .noSuchFace)
  }

  @Test func `a text that a missing font was meant for is approximate, others are exact`() throws {
    let missing = "{ \"name\": \"Thai\", \"scripts\": [\"Thai\"], \"faces\": [{ \"file\": \"thai.ttf\" }] }"
    let library = try library(missing + "," + family("Roboto", Self.roboto), fallbacks: "\"Thai\"")
    let measurer = TextMeasurer(fonts: library, cacheBytes: 0)
    let style = TextStyle(family: "Roboto", size: 16)
    let measure = { measurer.measure($0, style: style, width: 100, rules: TextRules()) }
    #expect(measure("Latin").isExact)
    #expect(measure("กขค").substitutions == [FontSubstitution(requested: "Thai", used: nil)])
    #expect(measure("กขค").missingGlyphs)
    #expect(measure("\u{E000}").missingGlyphs && measure("\u{E000}").isExact)
    let unknown = measurer.measure("a", style: TextStyle(family: "None", size: 16), width: 100, rules: TextRules())
    #expect(unknown.substitutions == [FontSubstitution(requested: "None", used: "Roboto")])
  }

  @Test func `everything wrong with a configuration is listed`() {
    let error = #expect(throws: FontError.self) {
      try library("{ \"name\": \"A\", \"colour\": 1 }, { \"faces\": [] }", fallbacks: "\"B\"")
    }
    guard case .invalidConfiguration(_, let problems) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.count >= 4)
  }

  @Test func `a pinned digest that differs stops the start`() throws {
    let digest = try library(family("Roboto", Self.roboto)).digests()[0].sha256
    #expect(digest.utf8.count == 64)
    _ = try library(family("Roboto", Self.roboto, ", \"sha256\": \"\(digest)\""))
    #expect(throws: FontError.self) {
      try library(family("Roboto", Self.roboto, ", \"sha256\": \"\(String(repeating: "0", count: 64))\""))
    }
  }

  @Test func `digests are kept between runs and follow the file`() throws {
    let cache = folder.file("digests")
    let first = try library(family("Roboto", Self.roboto), digests: cache)
    let fingerprint = first.fingerprint
    #expect(try library(family("Roboto", Self.roboto), digests: cache).fingerprint == fingerprint)
    #expect(try library(family("Roboto", Self.roboto)).fingerprint == fingerprint)
    // The same bytes at another place are the same font.
    let copy = folder.write(try FileReading.bytes(of: Self.roboto), to: "elsewhere.ttf")
    #expect(try library(family("Roboto", copy)).fingerprint == fingerprint)
    // A digest that the cache holds is believed, so a changed cache shows that the file was not read again.
    let kept = try library(family("Roboto", Self.roboto)).digests()[0].sha256
    let line = String(decoding: try FileReading.bytes(of: cache), as: UTF8.self).replacing(
      kept, with: String(repeating: "e", count: 64))
    folder.write(Array(line.utf8), to: "digests")
    #expect(try library(family("Roboto", Self.roboto), digests: cache).digests()[0].sha256.first == "e")
    folder.write(Array("broken".utf8), to: "digests")
    #expect(try library(family("Roboto", Self.roboto), digests: cache).digests()[0].sha256 == kept)
  }

  @Test(arguments: [
    ("ko", "KR"), ("ja", "JP"), ("zh-Hant-HK", "TC"), ("zh_TW", "TC"), ("zh", "SC"), ("zh-Hans", "SC"), ("en", "SC"),
  ])
  func `Han characters take the font of the locale`(locale: String, region: String) {
    // The regions differ in the advance of this mark only; metrics agree. The rule shows in the order of the chain.
    let names = Fixture.fonts.fallbackFamilies(for: locale).filter { $0.hasPrefix("Noto Sans CJK") }
    #expect(names.first == "Noto Sans CJK \(region)")
  }

  @Test(arguments: [(400, 400), (450, 500), (500, 500), (600, 700), (300, 300), (350, 300), (1_000, 900), (1, 100)])
  func `the nearest weight is taken as CSS does`(wanted: Int, taken: Int) {
    let measure = { (weight: Int) in
      Fixture.measurer.measure(
        "Hamburgefonts", style: TextStyle(family: "Roboto", size: 100, weight: weight), width: 10_000,
        rules: TextRules()
      ).width
    }
    #expect(measure(wanted) == measure(taken))
  }
}
