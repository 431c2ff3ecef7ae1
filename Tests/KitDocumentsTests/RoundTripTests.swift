// Export, then import under the same ID: nothing changes, whatever the texts hold.

import InterviewKits
import KitDocuments
import Testing

@Suite struct RoundTripTests {
  private static let seeds: Range<UInt64> = 1000..<1150

  @Test(arguments: seeds)
  func `a Markdown export comes back as the same kit`(seed: UInt64) throws {
    var kits = RandomKits(seed: seed)
    let kit = kits.kit()
    let bytes = KitMarkdown.encode(kit)
    let read = try KitMarkdown.decode(bytes, id: kit.id, now: now, ids: countingIDs())
    #expect(try kit.replacing(with: read.kit, now: now) == nil)
    #expect(KitMarkdown.encode(read.kit) == bytes)
    #expect(read.report.leftOut == [])
    #expect(read.report.questions == kit.questionCount)
    let elsewhere = try KitMarkdown.decode(bytes, id: nil, now: now, ids: countingIDs())
    #expect(elsewhere.kit.id == kit.id)
    // Another platform's line ends, and an editor that drops white space at line ends.
    let carried = Array(String(decoding: bytes, as: UTF8.self).utf8).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    #expect(try KitMarkdown.decode(carried, id: kit.id, now: now, ids: countingIDs()).kit == read.kit)
    #expect(!bytes.indices.contains { bytes[$0] == 0x0A && $0 > 0 && [0x20, 0x09].contains(bytes[$0 - 1]) })
  }
}

extension RoundTripTests {
  @Test(arguments: seeds)
  func `a CSV export comes back as the same kit`(seed: UInt64) throws {
    var kits = RandomKits(seed: seed)
    let kit = kits.kit()
    let bytes = KitCSV.encode(kit)
    let defaults = ImportDefaults(current: kit)
    let read = try KitCSV.decode(bytes, id: kit.id, now: now, ids: countingIDs(), defaults: defaults)
    #expect(try kit.replacing(with: read.kit, now: now) == nil)
    #expect(read.report.leftOut == [])
    if !kit.sections.isEmpty {
      let elsewhere = try KitCSV.decode([0xEF, 0xBB, 0xBF] + bytes, id: nil, now: now, ids: countingIDs())
      #expect(elsewhere.kit == read.kit)
    }
  }

  @Test(arguments: [
    "=1+2", "+49 30", "-5", "@SUM(A1)", "\tx", "\rx", "\nx", "\r\n=1", "＝1", "＋1", "－1", "＠a", "'=1", "''", "''=1",
    "'@",
  ])
  func `a text that a spreadsheet would take for a formula is guarded, and comes back as it was`(text: String) throws {
    let kind = Question.Kind.singleSelect([Option(id: id("o"), text: ExactText(text))])
    var question = Question(id: id("q"), order: OrderKey.sequence(count: 1)[0], text: ExactText(text), kind: kind)
    question.help = ExactText(text)
    let section = Section(
      id: id("s"), order: OrderKey.sequence(count: 1)[0], title: ExactText(text), questions: [question])
    let kit = Kit(
      id: id("k"), title: ExactText(text), instructions: ExactText(text), sections: [section], createdAt: now,
      updatedAt: now)
    let bytes = KitCSV.encode(kit)
    let cells = CSVCells.all(of: String(decoding: bytes, as: UTF8.self))
    #expect(cells.count { $0 == "'" + text } == 6)
    #expect(!cells.contains { $0.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false })
    #expect(try KitCSV.decode(bytes, id: nil, now: now, ids: countingIDs()).kit == kit)
  }

  @Test func `an export from before the guard, and an apostrophe that guards nothing, are read as they stand`() throws {
    let file = "item,id,type,text,help\r\nsection,s,,=Part,\r\nquestion,q,longText,'tis so?,-\r\n"
    let kit = try KitCSV.decode(Array(file.utf8), id: nil, now: now, ids: countingIDs()).kit
    #expect(kit.sections[0].title == "=Part")
    #expect(kit.sections[0].questions[0].text == "'tis so?" && kit.sections[0].questions[0].help == "-")
  }

  @Test func `a kit with nothing in it is a header line, and keeps its settings when it is put back`() throws {
    let kit = Kit(id: id("k"), title: "T", instructions: "I", language: "ko", createdAt: now, updatedAt: now)
    let bytes = KitCSV.encode(kit)
    #expect(bytes.filter { $0 == 0x0A }.count == 1)
    let put = try KitCSV.decode(bytes, id: kit.id, now: now, ids: countingIDs(), defaults: ImportDefaults(current: kit))
    #expect(put.kit == kit)
    let new = try KitCSV.decode(bytes, id: nil, now: now, ids: countingIDs(), defaults: ImportDefaults(title: "New"))
    #expect(new.kit.title == "New")
    #expect(try KitMarkdown.decode(KitMarkdown.encode(kit), id: nil, now: now, ids: countingIDs()).kit == kit)
  }
}

/// The cells of a CSV table, read by the standard's rules alone.
private enum CSVCells {
  static func all(of text: String) -> [String] {
    var (cells, cell, isQuoted) = ([String](), String.UnicodeScalarView(), false)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": isQuoted.toggle()
      case ",", "\r", "\n":
        if isQuoted {
          cell.append(scalar)
        } else {
          cells.append(String(cell))
          cell = String.UnicodeScalarView()
        }
      default: cell.append(scalar)
      }
    }
    return cells
  }
}
