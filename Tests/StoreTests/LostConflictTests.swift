// What becomes of a value that lost a conflict: it is kept for good, once, and changes nothing else.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct LostConflictTests {
  private static func write(
    _ test: TestStore, _ text: ExactText?, seen: Precondition, by author: Caller = TestStore.author,
    retry: RetryKey? = nil, operationID: String? = nil
  ) async throws(StoreError) -> Result<AnswerWritten, StoreError> {
    let content = AnswerContent(value: text.map { .text($0) })
    let operation = AnswerOperation(operationID: operationID, itemID: "q1", content: content, precondition: seen)
    return try await test.store.writeAnswers("e1", [operation], by: author, retry: retry).results[0].result
  }

  private static func history(_ test: TestStore, limit: Int = 50, cursor: String? = nil) throws -> AnswerHistory {
    try test.store.answerHistory("e1", item: "q1", limit: limit, cursor: cursor, for: TestStore.caller)
  }

  private static func words(_ lost: LostAnswer) -> String {
    guard case .text(let text) = lost.content.value else { return "?" }
    return "\(lost.by) saw \(lost.ifRevision.map(String.init) ?? "-"): \(text.string)"
  }

  @Test func `a stale value is kept, and makes no revision, no change and no other tag`() async throws {
    let test = try await HousekeepingTests.make()
    try await test.answer("q1", .text("first"))
    try await test.answer("q1", .text("second"), .revisions([1]))
    let (before, sequence) = (try test.evaluation("e1"), test.store.sequence)
    test.advance(milliseconds: 5_000)
    await expect(.preconditionFailed) { try await Self.write(test, "stale", seen: .revisions([1])).get() }
    #expect(try test.evaluation("e1") == before && test.store.sequence == sequence)
    try await test.reopen()
    #expect(try test.evaluation("e1") == before && test.store.sequence == sequence)
    let history = try Self.history(test)
    #expect(history.items.map(\.revision) == [2, 1] && history.nextCursor == nil)
    #expect(history.lostConflicts.map(Self.words) == ["anonymous saw 1: stale"])
    let lost = try #require(history.lostConflicts.first)
    #expect(lost.at.milliseconds > (before.answers["q1"]?.updatedAt?.milliseconds ?? 0) + 4_000)
    test.advance(milliseconds: 400 * HousekeepingTests.day)
    try await test.store.housekeep()
    #expect(try Self.history(test).lostConflicts == [lost])
  }

  @Test func `sent again, with or without a name, it is kept once for its writer and what he saw`() async throws {
    let test = try await HousekeepingTests.make()
    for number in 1...3 { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    let name = RetryKey(key: "k", digest: "d")
    for _ in 0..<5 {
      for retry in [nil, name] { _ = try await Self.write(test, "mine", seen: .revisions([1]), retry: retry) }
      _ = try await Self.write(test, "mine", seen: .revisions([1]), operationID: "o")
      _ = try await Self.write(test, "mine", seen: .revisions([2]))
      _ = try await Self.write(test, "mine", seen: .revisions([1]), by: HousekeepingTests.colleague)
      _ = try await Self.write(test, "other", seen: .revisions([1]))
    }
    #expect(
      try Self.history(test).lostConflicts.map(Self.words) == [
        "anonymous saw 1: other", "colleague saw 1: mine", "anonymous saw 2: mine", "anonymous saw 1: mine",
      ])
    // The name of a refused write is free: with what is there now in sight, it is written.
    let written = try await Self.write(
      test, "mine", seen: .revisions([3]), retry: RetryKey(key: "k", digest: "other")
    ).get()
    #expect(written.answer.revision == 4)
  }

  @Test func `what lost nothing is not kept: the same value, an empty one, a wrong one, one that saw nothing`()
    async throws
  {
    let test = try await HousekeepingTests.make()
    try await test.answer("q1", .text("here"))
    #expect(try await Self.write(test, "here", seen: .revisions([7])).get().outcome == .unchanged)
    await expect(.preconditionFailed) { try await Self.write(test, nil, seen: .revisions([7])).get() }
    let long = ExactText(String(repeating: "x", count: 20_001))
    await expect(.preconditionFailed) { try await Self.write(test, long, seen: .revisions([7])).get() }
    await expect(.preconditionRequired) { try await Self.write(test, "x", seen: .none).get() }
    try await test.store.take(.submit, on: "e1", by: TestStore.author)
    await expect(.conflict) { try await Self.write(test, "late", seen: .revisions([7])).get() }
    #expect(try Self.history(test).lostConflicts.isEmpty)
  }

  @Test func `a batch keeps what it loses and writes the rest`() async throws {
    let test = try await HousekeepingTests.make()
    try await test.answer("q1", .text("here"))
    func operation(_ item: ItemID, _ text: ExactText, _ seen: Precondition) -> AnswerOperation {
      AnswerOperation(
        operationID: "o-\(item)-\(text.string)", itemID: item, content: AnswerContent(value: .text(text)),
        precondition: seen)
    }
    for _ in 0..<2 {
      let batch = [
        operation("q1", "lost", .revisions([0])), operation("q2", "new", .none), operation("q1", "create", .createOnly),
        operation("q1", "won", .revisions([1])),
      ]
      let written = try await test.store.writeAnswers("e1", batch, by: TestStore.author)
      #expect(written.after.answers["q1"]?.revision == 2 && written.after.answers["q2"]?.revision == 1)
    }
    #expect(
      try Self.history(test).lostConflicts.map(Self.words) == [
        "anonymous saw 0: create", "anonymous saw 0: lost",
      ])
  }

  @Test func `of too many the oldest go, for each answer by itself`() async throws {
    let test = try await HousekeepingTests.make()
    for item in ["q1", "q2"] as [ItemID] {
      try await test.answer(item, .text("one"))
      try await test.answer(item, .text("two"), .exists)
    }
    let limit = StoreLimits.lostValues
    let stale = AnswerOperation(
      itemID: "q2", content: AnswerContent(value: .text("other")), precondition: .revisions([1]))
    _ = try await test.store.writeAnswers("e1", [stale], by: TestStore.author)
    for number in 1...limit + 20 {
      _ = try await Self.write(test, ExactText("l\(number)"), seen: .revisions([1]))
    }
    var (lost, cursor): ([String], String?) = ([], nil)
    repeat {
      let page = try Self.history(test, limit: 20, cursor: cursor)
      lost += page.lostConflicts.map(Self.words)
      cursor = page.nextCursor
    } while cursor != nil && lost.count < 2 * limit
    #expect(lost == (21...limit + 20).reversed().map { "anonymous saw 1: l\($0)" })
    #expect(try test.store.answerHistory("e1", item: "q2", limit: 9, for: TestStore.caller).lostConflicts.count == 1)
    // One that is kept is not kept twice, and pushes nothing out.
    _ = try await Self.write(test, ExactText("l\(limit + 20)"), seen: .revisions([1]))
    #expect(try Self.history(test, limit: 200).lostConflicts.count == limit)
    var faults: [DatabaseFault] = []
    try Store.verify(test.name) { faults.append($0) }
    #expect(faults.isEmpty)
  }

  @Test func `pages of a history go through both of its lists`() async throws {
    let test = try await HousekeepingTests.make()
    for number in 1...3 { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    for number in 1...7 { _ = try await Self.write(test, ExactText("l\(number)"), seen: .revisions([1])) }
    var (revisions, lost, cursor): ([Int], [String], String?) = ([], [], nil)
    var pages = 0
    repeat {
      let page = try Self.history(test, limit: 2, cursor: cursor)
      #expect(page.items.count <= 2 && page.lostConflicts.count <= 2)
      revisions += page.items.map(\.revision)
      lost += page.lostConflicts.map(Self.words)
      cursor = page.nextCursor
      pages += 1
    } while cursor != nil && pages < 10
    #expect(pages == 4 && revisions == [3, 2, 1])
    #expect(lost == (1...7).reversed().map { "anonymous saw 1: l\($0)" })
    for cursor in ["x", "1", "1-", "-1", "1-2-3", "1-x"] {
      await expect(.invalid) { try Self.history(test, cursor: cursor) }
    }
  }

  @Test func `what is written over on purpose is kept for good, also on a second device of its author`() async throws {
    let test = try await HousekeepingTests.make()
    try await test.answer("q1", .text("on the phone"))
    try await test.answer("q1", .text("on the phone."), .revisions([1]))
    // The tablet has not seen it, and writes over it.
    try await test.answer("q1", .text("on the phone!"), .exists)
    test.advance(milliseconds: 2 * HousekeepingTests.day)
    #expect(try await test.store.housekeep().steps == 1)
    #expect(try HousekeepingTests.history(test) == ["on the phone!", "on the phone."])
  }
}
