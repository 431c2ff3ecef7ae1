// The change feed: what a reader gets since its cursor, and when it is told to start afresh.
import Glibc
import InterviewKits
import TestKit
import Testing

@testable import Store

@Suite(.onBothDatabases) struct FeedTests {
  static func feed(_ test: TestStore, after cursor: FeedCursor?, kit: ItemID? = nil, limit: Int = 200) throws
    -> FeedPage
  {
    try test.store.feed(after: cursor, filter: FeedFilter(kitID: kit), limit: limit, for: TestStore.caller)
  }

  @Test func `after a break come exactly the changes since, once each, in order`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    for number in 1...5 { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    let seen = try Self.feed(test, after: nil).cursor
    #expect(seen.sequence == 7)
    try await test.reopen()
    for number in 6...8 { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    let page = try Self.feed(test, after: FeedCursor(seen.description))
    #expect(page.changes.map(\.sequence) == [8, 9, 10] && page.changes.map(\.revision) == [6, 7, 8])
    #expect(!page.isReset && !page.hasMore && page.cursor.sequence == 10)
    #expect(try Self.feed(test, after: page.cursor).changes.isEmpty)
    // Page by page it is the same.
    var (cursor, all): (FeedCursor?, [Int]) = (nil, [])
    while true {
      let page = try Self.feed(test, after: cursor, limit: 3)
      all += page.changes.map(\.sequence)
      cursor = page.cursor
      if !page.hasMore { break }
    }
    #expect(all == Array(1...10))
  }

  @Test func `a feed of one kit holds no other's changes, and moves on over them`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample("k1"))
    try await test.create(.sample("k2"))
    for number in 0..<6 { try await test.reword("q1", in: number % 3 == 0 ? "k2" : "k1", to: ExactText("\(number)")) }
    let page = try Self.feed(test, after: nil, kit: "k2")
    #expect(page.changes.map(\.sequence) == [2, 3, 6] && page.cursor.sequence == 8 && !page.hasMore)
    let first = try Self.feed(test, after: nil, kit: "k2", limit: 2)
    #expect(first.hasMore && first.cursor.sequence == 3)
    #expect(try Self.feed(test, after: first.cursor, kit: "k2", limit: 2).changes.map(\.sequence) == [6])
    #expect(
      try test.store.feed(after: nil, filter: FeedFilter(evaluationID: "e1"), for: TestStore.caller).changes.isEmpty)
  }

  @Test func `deletions leave tombstones`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.answer("q1", .text("x"))
    try await test.answer("q1", nil, .exists)
    try await test.change("k1", item: "q2") { (kit, now) throws(KitEditError) in try kit.removing("q2", now: now) }
    _ = try await test.store.deleteKit("k1", precondition: .exists, by: TestStore.author)
    let tombstones = try Self.feed(test, after: nil).changes.filter(\.deleted)
    #expect(tombstones.map(\.kind) == [.answerChanged, .questionDeleted, .kitDeleted])
    #expect(tombstones.map(\.itemID) == ["q1", "q2", nil])
  }

  @Test func `a section that goes takes its questions along by name, and so does a replacement of the kit`()
    async throws
  {
    let test = try TestStore.make()
    try await test.create(.sample())
    var cursor = try Self.feed(test, after: nil).cursor
    func news() throws -> [String] {
      let page = try Self.feed(test, after: cursor)
      cursor = page.cursor
      return page.changes.map { "\($0.kind.rawValue) \($0.itemID?.string ?? "-")\($0.deleted ? " †" : "")" }
    }
    try await test.change("k1", item: "s1") { (kit, now) throws(KitEditError) in try kit.removing("s1", now: now) }
    #expect(
      try news() == [
        "question.deleted q1 †", "question.deleted q2 †", "question.deleted q3 †", "section.deleted s1 †",
      ])
    _ = try await test.store.restoreItem("s1", inKit: "k1", by: TestStore.author)
    #expect(
      try news() == [
        "section.restored s1", "question.restored q1", "question.restored q2", "question.restored q3",
      ])
    var smaller = Kit.sample()
    smaller.sections[0].questions.removeLast(2)
    _ = try await test.store.putKit(smaller, precondition: .exists, by: TestStore.author)
    #expect(try news() == ["question.deleted q2 †", "question.deleted q3 †", "kit.changed -"])
    // One question comes back alone; the section with what went with it.
    try await test.change("k1", item: "s1") { (kit, now) throws(KitEditError) in try kit.removing("s1", now: now) }
    #expect(try news() == ["question.deleted q1 †", "section.deleted s1 †"])
    _ = try await test.store.restoreItem("s1", inKit: "k1", by: TestStore.author)
    _ = try await test.store.restoreItem("q3", inKit: "k1", by: TestStore.author)
    #expect(try news() == ["section.restored s1", "question.restored q1", "question.restored q3"])
  }

  @Test(.aboutTheFile) func `a restored backup is another life of the feed`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample("k1"))
    let path = test.folder.file("backup.db")
    try Store.backup(test.name, to: path)
    try await test.create(.sample("k2"))
    let cursor = test.store.feedCursor
    try await test.reopen()
    #expect(test.store.feedCursor == cursor)
    let copy = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5) }
    let epoch = copy.epoch
    #expect(epoch != cursor.epoch && copy.sequence == 1)
    _ = try await copy.createKit(.sample("k3"), by: TestStore.author)
    let page = try copy.feed(after: cursor, for: TestStore.caller)
    #expect(page.isReset && page.changes.isEmpty && page.cursor == FeedCursor(epoch: epoch, sequence: 2))
    #expect(try copy.feed(after: page.cursor, for: TestStore.caller).isReset == false)
    await copy.close()
    let again = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5) }
    #expect(again.epoch == epoch)
    await again.close()
    // A number alone is taken for this life's, but not beyond its end.
    #expect(try Self.feed(test, after: FeedCursor("1")).changes.count == 1)
    #expect(try Self.feed(test, after: FeedCursor("3")).isReset)
  }

  @Test(.aboutTheFile, arguments: [true, false])
  func `a database file that was put back is told from the one that went on, however far it has come since`(
    isStopped: Bool
  ) async throws {
    let test = try TestStore.make()
    for number in 1...3 { try await test.create(.sample(ItemID(stringLiteral: "k\(number)"))) }
    let shared = test.store.feedCursor
    if isStopped { await test.close() }
    // An operator copies the file itself, and later copies it back.
    let kept = try test.bytes()
    if isStopped { try test.open() }
    #expect(test.store.feedCursor == shared)
    for number in 4...6 { try await test.create(.sample(ItemID(stringLiteral: "k\(number)"))) }
    let lost = test.store.feedCursor
    #expect(lost.sequence == 6 && (lost.epoch == shared.epoch) == !isStopped)
    await test.close()
    test.replace(with: kept)
    try test.open()
    #expect(try Self.feed(test, after: lost).isReset)
    // What was seen before the copy was made is as true as it was.
    #expect(try Self.feed(test, after: shared).changes.isEmpty && test.store.sequence == 3)
    for number in 4...9 { try await test.create(.sample(ItemID(stringLiteral: "n\(number)"))) }
    let reset = try Self.feed(test, after: lost)
    #expect(reset.isReset && reset.changes.isEmpty && reset.cursor.sequence == 9)
    #expect(try Self.feed(test, after: FeedCursor(epoch: lost.epoch, sequence: 4)).isReset)
    #expect(try Self.feed(test, after: shared).changes.map(\.sequence) == Array(4...9))
    try await test.reopen()
    #expect(try Self.feed(test, after: lost).isReset && Self.feed(test, after: reset.cursor).isReset == false)
  }

  @Test(arguments: ["", "-", "a-", "-1", "a-b", "1-2-3", "+1", "１", "a-99999999999999999999"])
  func `what is no cursor is none`(_ text: String) { #expect(FeedCursor(text) == nil) }
}

extension TestStore {
  /// The database's files as they are.
  fileprivate func bytes() throws -> [(suffix: String, bytes: [UInt8])] {
    try ["", "-wal"].compactMap { suffix in
      guard let file = unsafe fopen(path + suffix, "rb") else { return nil }
      defer { unsafe fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 8 << 20)
      let count = unsafe fread(&bytes, 1, bytes.count, file)
      try #require(count < bytes.count)
      return (suffix, Array(bytes.prefix(count)))
    }
  }

  /// Puts files back in the database's place, which is closed.
  fileprivate func replace(with files: [(suffix: String, bytes: [UInt8])]) {
    for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
    for file in files { folder.write(file.bytes, to: "store.db" + file.suffix) }
  }
}
