// The change feed: what a reader gets since its cursor, and when it is told to start afresh.
import InterviewKits
import TestKit
import Testing

@testable import Store

@Suite struct FeedTests {
  static func feed(_ test: TestStore, after cursor: FeedCursor?, kit: ItemID? = nil, limit: Int = 200) throws
    -> FeedPage
  {
    try test.store.feed(after: cursor, filter: FeedFilter(kitID: kit), limit: limit, in: TestStore.account)
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
      try test.store.feed(after: nil, filter: FeedFilter(evaluationID: "e1"), in: TestStore.account).changes.isEmpty)
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

  @Test func `a restored backup is another life of the feed`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample("k1"))
    let path = test.folder.file("backup.db")
    try test.store.backup(to: path)
    try await test.create(.sample("k2"))
    let cursor = test.store.feedCursor
    try await test.reopen()
    #expect(test.store.feedCursor == cursor)
    let copy = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5) }
    let epoch = copy.epoch
    #expect(epoch != cursor.epoch && copy.sequence == 1)
    _ = try await copy.createKit(.sample("k3"), by: TestStore.author)
    let page = try copy.feed(after: cursor, in: TestStore.account)
    #expect(page.isReset && page.changes.isEmpty && page.cursor == FeedCursor(epoch: epoch, sequence: 2))
    #expect(try copy.feed(after: page.cursor, in: TestStore.account).isReset == false)
    await copy.close()
    let again = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5) }
    #expect(again.epoch == epoch)
    await again.close()
    // A number alone is taken for this life's, but not beyond its end.
    #expect(try Self.feed(test, after: FeedCursor("1")).changes.count == 1)
    #expect(try Self.feed(test, after: FeedCursor("3")).isReset)
  }

  @Test(arguments: ["", "-", "a-", "-1", "a-b", "1-2-3", "+1", "１", "a-99999999999999999999"])
  func `what is no cursor is none`(_ text: String) { #expect(FeedCursor(text) == nil) }
}
