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
