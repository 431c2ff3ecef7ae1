// Layouts of kits: geometry in whole device pixels, rows keyed by item ID, and what must not depend on what.

import InterviewKits
import RowLayout
import TestKit
import Testing
import TextLayout

struct LayoutTests {
  static let queries = [
    "profile=ios&width=375", "profile=ios&width=320.5&contentSize=AX5&scale=2", "profile=ios-zero-padding&width=667",
    "profile=android&width=411.428&fontScale=1.3", "profile=android-33&width=360&scale=1.5&fontScale=2",
    "profile=web&width=801.3&scale=1.25", "profile=plain&width=300&locale=ko",
  ]

  @Test(arguments: queries)
  func `each row begins where the one before ends, in whole device pixels`(query: String) throws {
    let viewport = try Fixture.viewport(query)
    let answers = Fixture.answers(
      Fixture.answer("short", .text("Search")), Fixture.answer("long", .text("First.\nThen more, much more of it.")),
      Fixture.answer("c1", .point(Fixture.id("fivePoint.yes")), comment: "Well prepared"),
      Fixture.answer("yes", nil, notAssessed: true))
    for answers in [[:], answers] {
      let layout = try Fixture.engine.get().layout(of: Fixture.allTypes, answers: answers, viewport: viewport)
      #expect(
        layout.rows.map(\.id.string) == [
          "s1", "short", "long", "yes", "one", "many", "s2", "number", "date", "rating", "card", "c1", "c2", "note",
        ])
      #expect(
        layout.rows.map(\.sectionID.string) == Array(repeating: "s1", count: 6) + Array(repeating: "s2", count: 8))
      var end = 0
      for row in layout.rows {
        #expect(row.y == end)
        #expect(row.height > 0)
        end += row.height
        var below = 0
        for part in row.geometry.parts {
          #expect(part.y >= below)
          #expect(part.lines >= 1 && part.height > 0)
          below = part.y + part.height
        }
        #expect(below <= row.height)
      }
      #expect(layout.contentPixels == end)
      #expect(layout.contentHeight == Double(end) / viewport.scale)
    }
  }

  @Test func `each kind of row shows its own parts`() throws {
    let answers = Fixture.answers(
      Fixture.answer("rating", .point(Fixture.id("fourPoint.yes")), comment: "Sure"),
      Fixture.answer("c2", nil, notAssessed: true))
    let layout = try Fixture.engine.get().layout(
      of: Fixture.allTypes, answers: answers, viewport: try Fixture.viewport("profile=ios&width=375"))
    let roles = Dictionary(uniqueKeysWithValues: layout.rows.map { ($0.id.string, $0.geometry.parts.map(\.role)) })
    #expect(
      roles == [
        "s1": [.title], "s2": [.title], "short": [.text, .help, .field], "long": [.text, .answer],
        "yes": [.text, .option, .option], "one": [.text, .option, .option], "many": [.text, .option, .option],
        "number": [.text, .field], "date": [.text, .field],
        "rating": [.text, .option, .option, .option, .option, .comment], "card": [.text], "c1": [.text, .value],
        "c2": [.text, .value, .notAssessed], "note": [.text, .help],
      ])
    #expect(
      layout.rows.map(\.kind) == [
        .section, .shortText, .longText, .yesNo, .singleSelect, .multiSelect, .section, .number, .date, .rating,
        .scorecard, .criterion, .criterion, .note,
      ])
  }

  /// One row by hand: 11 + 61 px of text, the gap, 8 + 61 px + 8 of the text view, 11, the separator.
  @Test func `a row is the exact sum of its parts, gaps, insets and separator`() throws {
    let kit = Fixture.kit([[Fixture.question("q", "Why?")]])
    let viewport = try Fixture.viewport("profile=ios&width=375")
    let row = try Fixture.engine.get().layout(of: kit, viewport: viewport).rows[1]
    #expect(row.geometry.parts.map(\.y) == [33, 33 + 61 + 24])
    #expect(row.geometry.parts.map(\.height) == [61, 109])
    #expect(row.height == 33 + 61 + 24 + 109 + 33 + 1)
    let zero = try Fixture.engine.get().layout(
      of: kit, viewport: try Fixture.viewport("profile=ios-zero-padding&width=375")
    ).rows[1]
    #expect(zero.height == row.height - 48)
  }

  @Test func `an empty kit has no rows and no height`() throws {
    let layout = try Fixture.engine.get().layout(
      of: Fixture.kit([]), viewport: try Fixture.viewport("profile=ios&width=375"))
    #expect(layout.rows.isEmpty)
    #expect(layout.contentHeight == 0)
    #expect(layout.isExact)
  }

  @Test func `a row's height does not depend on other rows, their order or their answers`() throws {
    let viewport = try Fixture.viewport("profile=ios&width=290")
    var generator = SeededGenerator(seed: 11)
    let questions = (0..<40).map { place in
      Fixture.question("q\(place)", generator.text(scalars: Int(generator.next() % 200) + 1))
    }
    let answers = Fixture.answers(Fixture.answer("q7", .text(ExactText(generator.text(scalars: 500)))))
    let heights = Dictionary(
      uniqueKeysWithValues: try Fixture.newEngine().layout(
        of: Fixture.kit([questions]), answers: answers, viewport: viewport
      ).rows.map { ($0.id, $0.height) })
    for _ in 0..<5 {
      let some = questions.shuffled(using: &generator).prefix(11)
      let layout = try Fixture.newEngine().layout(of: Fixture.kit([Array(some)]), answers: answers, viewport: viewport)
      for row in layout.rows { #expect(row.height == heights[row.id]) }
    }
  }

  /// Fault B014: 200 questions of 1 and 12 lines in turn; the third is deleted.
  @Test func `deleting a row leaves every other height as it was`() throws {
    let long = String(repeating: "word ", count: 90)
    let questions = (0..<200).map { Fixture.question("q\($0)", $0 % 2 == 0 ? "Why?" : "\($0) \(long)") }
    let viewport = try Fixture.viewport("profile=ios&width=375")
    let before = try Fixture.engine.get().layout(of: Fixture.kit([questions]), viewport: viewport)
    let after = try Fixture.engine.get().layout(
      of: Fixture.kit([questions.filter { $0.id.string != "q3" }]), viewport: viewport)
    #expect(before.rows.count == 201 && after.rows.count == 200)
    #expect(before.contentPixels == before.rows.reduce(0) { $0 + $1.height })
    let heights = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.id, $0.height) })
    for row in after.rows { #expect(row.height == heights[row.id]) }
    #expect(before.contentPixels - after.contentPixels == heights[Fixture.id("q3")])
  }

  /// Fault B013: width, text size and an edit.
  @Test func `nothing that a height depends on is missing from what is kept`() throws {
    let engine = try Fixture.newEngine()
    let kit = Fixture.allTypes
    func layout(_ query: String, of kit: KitSnapshot = kit) throws -> Layout {
      engine.layout(of: kit, viewport: try Fixture.viewport(query))
    }
    let first = try layout("profile=ios&width=390")
    let wide = try layout("profile=ios&width=844")
    let large = try layout("profile=ios&width=390&contentSize=AX5")
    let again = try layout("profile=ios&width=390")
    #expect(again.rows == first.rows)
    #expect(again.fingerprint == first.fingerprint)
    #expect(wide.rows != first.rows && large.rows != first.rows)
    #expect(Set([first, wide, large].map(\.fingerprint)).count == 3)
    var edited = kit.kit
    edited.sections[0].questions[1].text = ExactText(String(repeating: "A longer question. ", count: 20))
    let after = try layout("profile=ios&width=390", of: KitSnapshot(edited))
    let changed = zip(first.rows, after.rows).filter { $0.height != $1.height }.map(\.0.id.string)
    #expect(changed == ["long"])
    let fresh = try Fixture.newEngine().layout(of: KitSnapshot(edited), viewport: after.viewport)
    #expect(fresh.rows == after.rows)
  }

  @Test func `each cause of a height has a part in the fingerprint`() throws {
    let engine = try Fixture.engine.get()
    let queries = [
      "profile=ios&width=390", "profile=ios&width=390.5", "profile=ios&width=390&contentSize=small",
      "profile=ios&width=390&scale=2", "profile=ios&width=390&locale=ko", "profile=ios-zero-padding&width=390",
      "profile=android&width=390", "profile=android&width=390&fontScale=1.1", "profile=android-33&width=390",
    ]
    let fingerprints = try queries.map { engine.fingerprint(of: try Fixture.viewport($0)) }
    #expect(Set(fingerprints).count == queries.count)
    #expect(fingerprints.allSatisfy { $0.utf8.count == 32 })
    #expect(try Fixture.newEngine().fingerprint(of: try Fixture.viewport(queries[0])) == fingerprints[0])
  }

  @Test func `small caches give the same layouts as large ones, and stay small`() throws {
    var limits = RowLayoutLimits()
    (limits.partCacheBytes, limits.planCacheBytes, limits.viewportCacheCount) = (2_000, 2_000, 2)
    let small = try Fixture.newEngine(limits: limits)
    for _ in 0..<3 {
      for query in Self.queries {
        let viewport = try Fixture.viewport(query)
        let layout = small.layout(of: Fixture.allTypes, viewport: viewport)
        #expect(layout.rows == (try Fixture.engine.get().layout(of: Fixture.allTypes, viewport: viewport)).rows)
        #expect(small.caches.allSatisfy { $0.bytes <= $0.limitBytes })
      }
    }
  }

  /// As much room as the service has for rows by default.
  @Test func `the texts of a kit of 5,000 rows are shaped once, whatever widths follow`() throws {
    let limits = RowLayoutLimits(cacheBytes: 20 << 20)
    let measurer = TextMeasurer(fonts: try Fixture.engine.get().measurer.fonts, cacheBytes: 0)
    let engine = RowLayoutEngine(measurer: measurer, limits: limits)
    let questions = (0..<4_999).map { number in
      Fixture.question(
        "q\(number)", "How did you go about topic \(number), and what would you do in another way if it came up again?",
        help: number % 3 == 0 ? "Ask for one example, with names and dates." : nil)
    }
    let kit = Fixture.kit([questions])
    let first = engine.layout(of: kit, viewport: try Fixture.viewport("profile=ios&width=375"))
    let asked = measurer.cacheStatistics
    let second = engine.layout(of: kit, viewport: try Fixture.viewport("profile=ios&width=320"))
    // Empty fields are measured in each viewport.
    #expect(measurer.cacheStatistics.misses - asked.misses < 10 && asked.misses > 5_000)
    #expect(first.rows.count == 5_000 && second.contentPixels > first.contentPixels)
    #expect(engine.caches.allSatisfy { $0.bytes <= $0.limitBytes })
    #expect(engine.caches.contains { $0.name == "prepared" && $0.bytes > 1 << 20 })
  }

  @Test func `many threads get the layouts that one gets`() async throws {
    let engine = try Fixture.newEngine()
    let viewports = try Self.queries.map { try Fixture.viewport($0) }
    let expected = try viewports.map { try Fixture.engine.get().layout(of: Fixture.allTypes, viewport: $0).rows }
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<24 {
        group.addTask {
          (0..<viewports.count).allSatisfy { step in
            let place = (task + step) % viewports.count
            return engine.layout(of: Fixture.allTypes, viewport: viewports[place]).rows == expected[place]
          }
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test(arguments: ["ko", "ja", "ar", "de"])
  func `what the client itself shows comes in the locale's language`(locale: String) throws {
    let kit = Fixture.kit([[Fixture.question("q", "?", .rating(scale: Fixture.id("fivePoint")))]])
    let narrow = "profile=web&width=130&fontScale=3"
    let engine = try Fixture.engine.get()
    let own = engine.layout(of: kit, viewport: try Fixture.viewport("\(narrow)&locale=\(locale)"))
    let english = engine.layout(of: kit, viewport: try Fixture.viewport(narrow))
    #expect(own.rows[1].geometry.parts.map(\.role) == english.rows[1].geometry.parts.map(\.role))
    #expect(own.rows[1].geometry != english.rows[1].geometry)
  }

  @Test func `a substituted font and a missing glyph are told`() throws {
    let kit = Fixture.kit([[Fixture.question("a", "Why?"), Fixture.question("b", "\u{10FFFD}")]])
    let ios = try Fixture.engine.get().layout(of: kit, viewport: try Fixture.viewport("profile=ios&width=375"))
    let hasSystemFont = try Fixture.fonts.get().families.contains { family in
      family.name == "SF Pro" && family.faces.contains { $0.isPresent }
    }
    #expect(ios.rows.map(\.geometry.missingGlyphs) == [false, false, true])
    #expect(!ios.isExact)
    #expect(hasSystemFont || ios.substitutions.contains(FontSubstitution(requested: "SF Pro", used: "Inter")))
    let web = try Fixture.engine.get().layout(of: kit, viewport: try Fixture.viewport("profile=web&width=375"))
    #expect(web.rows.map(\.geometry.isExact) == [true, true, false])
  }
}
