// Seeded random files against the readers: each ends with a sound kit that can be exported again, or with placed issues.

import InterviewKits
import KitDocuments
import TestKit
import Testing

@Suite struct ImportFuzzTests {
  private static let pieces = [
    "- ", "* ", "1. ", "  - ", "    ", "\t", "# ", "## ", "> ", "  > ", "```", "~~~", "---", "===", "\n", "\n", "\r\n",
    "\r", "\n\n",
    "<!-- id: a -->", "<!--", "-->", "<!-- type: singleSelect -->", "<!-- scale; id: s -->", "interviewkit: 1",
    "title: T",
    "text", "Why?", "[a](#b)", "[", "](", ")", "`", "``", "\\", "&#10;", "&", "|", "<b>", "\"", "\"\"", ",", ";",
    "question", "item",
    "id", "kit", "section", "option", "required", "true", "e\u{301}", "가", "👩‍💻", "\u{0}", "\u{FEFF}", "sep=;",
  ]

  private typealias Decoded = (kit: Kit, report: ImportReport)

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `pieces put together at random are read or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var taken = 0
    for _ in 0..<250 {
      var text = Bool.random(using: &generator) ? "---\ninterviewkit: 1\n---\n" : ""
      if Int.random(in: 0..<3, using: &generator) == 0 { text = "item,id,type,text,required,maxLength\n" }
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        text += Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
      }
      taken += try check(Array(text.utf8))
    }
    #expect(taken > 25)
  }

  @Test(arguments: 0..<3 as Range<UInt64>)
  func `exports with a few bytes changed are read or refused`(seed: UInt64) throws {
    var kits = RandomKits(seed: 500 + seed)
    let kit = kits.kit()
    var taken = 0
    for export in [KitMarkdown.encode(kit), KitCSV.encode(kit)] {
      for _ in 0..<40 {
        var bytes = export
        for _ in 0..<Int.random(in: 1...2, using: &kits.generator) {
          let place = Int.random(in: 0..<bytes.count, using: &kits.generator)
          switch Int.random(in: 0..<3, using: &kits.generator) {
          case 0: bytes[place] = UInt8.random(in: 0...127, using: &kits.generator)
          case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &kits.generator)))
          default:
            let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &kits.generator)]
            bytes.insert(contentsOf: piece.utf8, at: place)
          }
          if bytes.isEmpty { break }
        }
        taken += try check(bytes)
      }
    }
    #expect(taken > 5)
  }

  @Test func `random bytes are read or refused`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 { _ = try check(generator.bytes(Int.random(in: 0...60, using: &generator))) }
  }

  private static let long: [TextSample] = [
    TextSample("brackets", "en", "- " + String(repeating: "[", count: 100_000)),
    TextSample("tags", "en", "- " + String(repeating: "(<a ", count: 30_000)),
    TextSample("backticks", "en", "- " + (1...300).map { String(repeating: "`", count: $0) }.joined(separator: " ")),
    TextSample("empty items", "en", String(repeating: "- \n", count: 30_000)),
    TextSample("wrapped text", "en", "- a\n" + String(repeating: "wrapped\n", count: 30_000)),
    TextSample("nested points", "en", "- a\n" + String(repeating: "  - b\n", count: 30_000)),
    TextSample("quotes", "en", String(repeating: "> \n", count: 30_000)),
    TextSample("comments", "en", String(repeating: "<!--\n", count: 30_000)),
    TextSample("open fence", "en", "```\n" + String(repeating: "~\n", count: 30_000)),
    TextSample("blank lines", "en", "- a\n" + String(repeating: "\n", count: 30_000) + "  b"),
    TextSample("quotation marks", "en", String(repeating: "\"", count: 100_001)),
    TextSample("odd quotation marks", "en", "question\n" + String(repeating: "\"\n", count: 30_000)),
    TextSample("columns", "en", "question" + String(repeating: ",", count: 30_000)),
    TextSample("lines", "en", String(repeating: "\n", count: 600_000)),
    TextSample("records", "en", "x\n" + String(repeating: "a\n", count: 220_000)),
  ]

  @Test(arguments: long)
  func `long files of one kind end soon`(sample: TextSample) throws {
    let time = try ContinuousClock().measure { _ = try check(Array(sample.text.utf8)) }
    #expect(time < .seconds(30))
  }

  /// How many of the two readers took the file.
  private func check(_ bytes: [UInt8]) throws -> Int {
    var taken = 0
    let lineCount = bytes.count + 1
    let readers: [() throws -> Decoded] = [
      { try KitMarkdown.decode(bytes, id: nil, now: now, ids: countingIDs()) },
      { try KitCSV.decode(bytes, id: nil, now: now, ids: countingIDs()) },
    ]
    for read in readers {
      do {
        let (kit, report) = try read()
        #expect(kit.issues() == [])
        #expect(report.questions == kit.questionCount)
        let markdown = try KitMarkdown.decode(KitMarkdown.encode(kit), id: nil, now: now, ids: countingIDs())
        #expect(markdown.kit == kit)
        let defaults = ImportDefaults(current: kit)
        let csv = try KitCSV.decode(KitCSV.encode(kit), id: kit.id, now: now, ids: countingIDs(), defaults: defaults)
        #expect(csv.kit == kit)
        taken += 1
      } catch let error as InvalidDocument {
        #expect(!error.issues.isEmpty)
        for issue in error.issues where issue.code != "invalidUTF16" {
          #expect((1...lineCount).contains(issue.line ?? 0), "\(issue)")
        }
      }
    }
    return taken
  }
}
