// What goes by itself, and when: seen with a clock that the test moves.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct HousekeepingTests {
  static let hour = 3_600_000
  static let day = 24 * hour
  static let colleague = Caller(accountID: Store.defaultAccount, memberID: "colleague")

  static func history(_ test: TestStore, _ item: ItemID = "q1") throws -> [String] {
    try test.store.answerHistory("e1", item: item, limit: 200, for: TestStore.caller).items.map { answer in
      if case .text(let text) = answer.content.value { text.string } else { "-" }
    }
  }

  static func write(
    _ test: TestStore, _ text: ExactText, by author: Caller = TestStore.author, blindly: Bool = false,
    operationID: String? = nil
  ) async throws {
    let revision = try test.evaluation("e1").answers["q1"]?.revision ?? 0
    let operation = AnswerOperation(
      operationID: operationID, itemID: "q1", content: AnswerContent(value: .text(text)),
      precondition: blindly ? .exists : .revisions([revision]))
    _ = try await test.store.writeAnswers("e1", [operation], by: author).results[0].result.get()
    test.advance(milliseconds: 1_000)
  }

  static func make() async throws -> TestStore {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    return test
  }

  @Test func `a long session of typing is thinned an hour later to what it came to`() async throws {
    let test = try await Self.make()
    for count in 1...1_000 { try await Self.write(test, ExactText(String(repeating: "x", count: count))) }
    #expect(try test.store.answerHistory("e1", item: "q1", limit: 200, for: TestStore.caller).nextCursor != nil)
    #expect(try await test.store.housekeep().steps == 0)
    test.advance(milliseconds: Self.hour)
    #expect(try await test.store.housekeep().steps == 999)
    #expect(try Self.history(test) == [String(repeating: "x", count: 1_000)])
    #expect(try test.evaluation("e1").answers["q1"]?.revision == 1_000)
    #expect(try await test.store.housekeep() == Housekept())
  }

  @Test func `what somebody else overwrote, lost a conflict, stood, was cut or submitted is kept for good`()
    async throws
  {
    let test = try await Self.make()
    try await Self.write(test, "step")
    try await Self.write(test, "overwritten by a colleague")
    try await Self.write(test, "overwritten by a colleague, who types", by: Self.colleague)
    try await Self.write(test, "overwritten by a colleague, who types on", by: Self.colleague)
    try await Self.write(test, "lost a conflict: overwritten by a colleague, who types on", by: Self.colleague)
    try await Self.write(
      test, "lost a conflict: overwritten by a colleague, who types on.", by: Self.colleague, blindly: true)
    test.advance(milliseconds: 60_000)
    try await Self.write(
      test, "stood a minute. lost a conflict: overwritten by a colleague, who types on.", by: Self.colleague)
    try await Self.write(test, "cut", by: Self.colleague)
    try await Self.write(test, "cut and submitted", by: Self.colleague)
    _ = try await test.take(.submit)
    _ = try await test.take(.reopen(reason: "r"))
    try await Self.write(test, "cut and submitted, then more", by: Self.colleague)
    test.advance(milliseconds: 2 * Self.hour)
    try await test.reopen()
    #expect(try await test.store.housekeep().steps == 4)
    #expect(
      try Self.history(test) == [
        "cut and submitted, then more", "cut and submitted",
        "stood a minute. lost a conflict: overwritten by a colleague, who types on.",
        "lost a conflict: overwritten by a colleague, who types on.",
        "lost a conflict: overwritten by a colleague, who types on", "overwritten by a colleague",
      ])
  }

  /// How many characters go, and whether the value before is kept.
  @Test(arguments: [
    ("a", "b", false), (String(repeating: "a", count: 21), "", true), (String(repeating: "a", count: 20), "", false),
    (String(repeating: "가", count: 20), "나", false), (String(repeating: "가", count: 21), "나", true),
    ("start \(String(repeating: "m", count: 21)) end", "start  end", true),
    ("start \(String(repeating: "m", count: 20)) end", "start  end", false),
  ])
  func `a value is kept from which more than 20 characters were removed`(_ old: String, _ new: String, _ isKept: Bool) {
    func answer(_ text: String) -> Answer {
      Answer(
        itemID: "q1", content: AnswerContent(value: .text(ExactText(text))), revision: 1,
        updatedAt: Timestamp(milliseconds: 0), updatedBy: "a")
    }
    #expect(answer(old).isKept(whenReplacedBy: answer(new), blindly: false) == isKept)
  }

  @Test func `a named write is given again with its value as long as its outcome is kept`() async throws {
    let test = try await Self.make()
    try await Self.write(test, "a", operationID: "o1")
    try await Self.write(test, "ab")
    try await Self.write(test, "abc")
    test.advance(milliseconds: 2 * Self.hour)
    #expect(try await test.store.housekeep().steps == 1)
    let operation = AnswerOperation(operationID: "o1", itemID: "q1", content: AnswerContent(value: .text("a")))
    func again() async throws -> Answer {
      try await test.store.writeAnswers("e1", [operation], by: TestStore.author).results[0].result.get().answer
    }
    #expect(try await again().content.value == .text("a"))
    test.advance(milliseconds: Self.day)
    #expect(try await test.store.housekeep().steps == 1)
    // The name is known for good; of its value only what came after it is left.
    #expect(try await again().content.value == .text("abc"))
    #expect(try test.evaluation("e1").answers["q1"]?.revision == 3)
  }

  @Test func `a kit is purged after 30 days in the trash, unless it has evaluations, and its ID stays gone`()
    async throws
  {
    let test = try await Self.make()
    try await test.create(.sample("k2"))
    _ = try await test.store.deleteKit("k1", precondition: .exists, by: TestStore.author)
    _ = try await test.store.deleteKit("k2", precondition: .exists, by: TestStore.author)
    test.advance(milliseconds: 30 * Self.day - Self.hour)
    #expect(try await test.store.housekeep().kits == 0)
    test.advance(milliseconds: 2 * Self.hour)
    #expect(try await test.store.housekeep().kits == 1)
    for _ in 0..<2 {
      await expect(.gone) { try await test.create(.sample("k2")) }
      await expect(.gone) { try test.kit("k2") }
      await expect(.gone) { try await test.store.restoreKit("k2", by: TestStore.author) }
      await expect(.gone) { try await test.store.putKit(.sample("k2"), precondition: .exists, by: TestStore.author) }
      #expect(try test.store.kits(KitQuery(deleted: true), for: TestStore.caller).items.map(\.id) == ["k1"])
      try await test.reopen()
    }
    #expect(try await test.store.restoreKit("k1", by: TestStore.author).outcome == .changed)
    #expect(try test.changes(after: 5).map(\.kind) == [.kitPurged, .kitRestored])
    // The service has a name of its own for what it does by itself.
    #expect(try test.changes(after: 5).map(\.by) == ["service", "anonymous"])
    let audit = try test.store.audit(member: "service", for: TestStore.caller).items
    #expect(audit.map(\.change.kind) == [.kitPurged] && audit.allSatisfy { $0.tokenID == nil && $0.address == nil })
    await expect(.notFound) { try test.kit("never") }
  }

  @Test func `a deleted question can't be restored after 30 days, unless its kit has evaluations`() async throws {
    let test = try await Self.make()
    try await test.create(.sample("k2"))
    for kit in ["k1", "k2"] as [ItemID] {
      try await test.change(kit, item: "q1") { (kit, now) throws(KitEditError) in try kit.removing("q1", now: now) }
    }
    try await test.answer("q2", .text("x"))
    test.advance(milliseconds: 31 * Self.day)
    #expect(try await test.store.housekeep().items == 1)
    await expect(.gone) { try await test.store.restoreItem("q1", inKit: "k2", by: TestStore.author) }
    await expect(.gone) {
      try await test.change("k2", item: "q1", .none) { (kit, now) throws(KitEditError) in
        try kit.inserting(.yesNo("q1"), in: "s1", at: .last, now: now)
      }
    }
    #expect(try test.store.deletedItems(of: "k2", for: TestStore.caller).isEmpty)
    #expect(try test.store.kit("k2", revision: 1, for: TestStore.caller).question("q1") != nil)
    #expect(try await test.store.restoreItem("q1", inKit: "k1", by: TestStore.author).outcome == .changed)
  }

  @Test func `changes older than the feed is kept are forgotten, and a reader from before is told`() async throws {
    let test = try await Self.make()
    let old = test.store.feedCursor
    try await test.answer("q1", .text("x"))
    test.advance(milliseconds: StoreLimits.feedMilliseconds + Self.hour)
    try await test.answer("q1", .text("y"), .exists)
    #expect(try await test.store.housekeep().changes == 3)
    for _ in 0..<2 {
      #expect(try FeedTests.feed(test, after: old).isReset)
      #expect(try FeedTests.feed(test, after: nil).changes.map(\.sequence) == [4])
      #expect(try FeedTests.feed(test, after: FeedCursor(epoch: old.epoch, sequence: 3)).changes.count == 1)
      try await test.reopen()
    }
  }
}
