// What others are told of an answer's history, of lost values and of what is thinned, where some was given in confidence.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct ConfidenceHistoryTests {
  private static let observer = ConfidenceTests.observer

  /// The answer to `why` was "first" openly, then "zebra" in confidence.
  private static func make() async throws -> TestStore {
    let test = try await ConfidenceTests.make()
    try await ConfidenceTests.move(test, to: 3)
    try await test.answer("why", .text("first"))
    try await ConfidenceTests.move(test, to: 1)
    try await test.answer("why", .text("zebra"), .revisions([1]))
    try await ConfidenceTests.move(test, to: 3)
    return test
  }

  private static func texts(_ answers: [AnswerContent]) -> [String] {
    answers.map { if case .text(let text) = $0.value { text.string } else { "-" } }
  }

  private static func history(
    _ test: TestStore, _ caller: Caller = observer, limit: Int = 200, cursor: String? = nil
  ) throws -> AnswerHistory {
    try test.store.answerHistory("e1", item: "why", limit: limit, cursor: cursor, for: caller)
  }

  @discardableResult private static func refuse(
    _ test: TestStore, _ text: ExactText, seen: Int
  ) async throws -> Result<AnswerWritten, StoreError> {
    let content = AnswerContent(value: .text(text))
    let operation = AnswerOperation(itemID: "why", content: content, precondition: .revisions([seen]))
    return try await test.store.writeAnswers("e1", [operation], by: TestStore.author).results[0].result
  }

  @Test func `what others were told last is no news to them when it comes again after a confidence`() async throws {
    let test = try await Self.make()
    let before = try test.evaluation("e1").summary
    let changes = try test.store.changes(after: 0, for: TestStore.author).filter { !$0.isPrivate }
    try await test.answer("why", .text("first"), .revisions([2]))
    let after = try test.evaluation("e1").summary
    #expect(after.toldRevision == before.toldRevision && after.toldAt == before.toldAt)
    #expect(after.revision == before.revision + 1)
    #expect(try test.store.changes(after: 0, for: TestStore.author).filter { !$0.isPrivate } == changes)
    // More on top of it tells a part of no confidence.
    let operation = AnswerOperation(itemID: "why", precondition: .revisions([3])) { (_, current) throws(StoreError) in
      var content = current.content
      content.comment = "a remark"
      return content
    }
    let written = try await test.store.writeAnswers("e1", [operation], by: TestStore.author).results[0].result.get()
    #expect(!written.answer.isPrivate && written.answer.toldRevision == 2)
    try await ConfidenceTests.submit(test)
    let told = try Self.history(test).items
    #expect(told.map(\.revision) == [2, 1] && told.map(\.content.comment) == ["a remark", nil])
    #expect(try Self.history(test, TestStore.author).items.map(\.revision) == [4, 3, 2, 1])
  }

  @Test func `an answer that others are told anyway leaves what it shows as it is`() async throws {
    let test = try await ConfidenceTests.make()
    try await ConfidenceTests.move(test, to: 2)
    try await test.answer("doubt", .bool(true))
    try await ConfidenceTests.move(test, to: 1)
    try await test.answer("doubt", .bool(false), .exists)
    try await ConfidenceTests.move(test, to: 2)
    try await test.answer("doubt", .bool(true), .exists)
    #expect(try await !test.answer("why", .text("openly")).answer.isPrivate)
  }

  @Test func `cursors and pages of others count nothing that was given or refused in confidence`() async throws {
    let test = try await Self.make()
    try await test.answer("why", .text("second"), .revisions([2]))
    for number in 1...3 {
      try await Self.refuse(test, ExactText("open \(number)"), seen: 1)
      try await ConfidenceTests.move(test, to: 1)
      for count in 1...4 { try await Self.refuse(test, ExactText("zebra \(number) \(count)"), seen: 2) }
      try await ConfidenceTests.move(test, to: 3)
    }
    try await ConfidenceTests.submit(test)
    var (cursor, lost, cursors): (String?, [LostAnswer], [String]) = (nil, [], [])
    repeat {
      let page = try Self.history(test, limit: 1, cursor: cursor)
      #expect(page.lostConflicts.count == 1, "no page is short")
      lost += page.lostConflicts
      cursor = page.nextCursor
      cursors += cursor.map { [$0] } ?? []
    } while cursor != nil
    #expect(Self.texts(lost.map(\.content)) == ["open 3", "open 2", "open 1"] && lost.map(\.ifRevision) == [1, 1, 1])
    // A cursor is made of what is told.
    #expect(cursors == ["2-\(lost[0].at.milliseconds).0", "0-\(lost[1].at.milliseconds).0"])
    #expect(try Self.history(test, TestStore.author).lostConflicts.count == 15)
  }

  @Test func `values that were refused at one time are told once each, page by page`() async throws {
    let test = try await Self.make()
    try await test.answer("why", .text("second"), .revisions([2]))
    let operations = (1...5).map { number in
      AnswerOperation(
        itemID: "why", content: AnswerContent(value: .text(ExactText("batch \(number)"))), precondition: .revisions([1])
      )
    }
    try await test.store.writeAnswers("e1", operations, by: TestStore.author)
    var (lost, cursor): ([String], String?) = ([], nil)
    repeat {
      let page = try Self.history(test, TestStore.author, limit: 2, cursor: cursor)
      lost += Self.texts(page.lostConflicts.map(\.content))
      cursor = page.nextCursor
    } while cursor != nil
    #expect(lost == (1...5).reversed().map { "batch \($0)" })
  }

  @Test func `fifty lost values are kept for others, whatever else was refused`() async throws {
    let test = try await Self.make()
    try await test.answer("why", .text("second"), .revisions([2]))
    let limit = StoreLimits.lostValues
    for number in 1...limit + 2 { try await Self.refuse(test, ExactText("open \(number)"), seen: 1) }
    try await ConfidenceTests.move(test, to: 1)
    for number in 1...limit + 4 { try await Self.refuse(test, ExactText("zebra \(number)"), seen: 2) }
    try await ConfidenceTests.submit(test)
    let open = (3...limit + 2).reversed().map { "open \($0)" }
    try await test.store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author)
    try await ConfidenceTests.move(test, to: 3)
    try await ConfidenceTests.submit(test)
    #expect(try Self.texts(Self.history(test).lostConflicts.map(\.content)) == open)
    let all = try Self.texts(Self.history(test, TestStore.author).lostConflicts.map(\.content))
    #expect(all == (5...limit + 4).reversed().map { "zebra \($0)" } + open)
  }

  @Test func `a value refused in confidence is no repetition to others, and one to its writer`() async throws {
    let test = try await Self.make()
    try await test.answer("why", .text("second"), .revisions([2]))
    try await ConfidenceTests.move(test, to: 1)
    try await Self.refuse(test, "late", seen: 1)
    try await ConfidenceTests.move(test, to: 3)
    try await Self.refuse(test, "late", seen: 1)
    try await ConfidenceTests.submit(test)
    #expect(try Self.history(test).lostConflicts.map(\.ifRevision) == [1])
    #expect(try Self.history(test, TestStore.author).lostConflicts.map(\.ifRevision) == [1])
  }

  @Test func `others are told of no conflict where they see none, and of none twice`() async throws {
    let test = try await Self.make()
    // They were told revision 1 last, and its writer saw just that.
    try await Self.refuse(test, "over the zebra", seen: 1)
    try await test.answer("why", .text("second"), .revisions([2]))
    // Revisions 1 and 2 are one to them.
    for seen in [1, 2] { try await Self.refuse(test, "late", seen: seen) }
    try await ConfidenceTests.submit(test)
    #expect(try Self.history(test).lostConflicts.map(\.ifRevision) == [1])
    #expect(try Self.texts(Self.history(test).lostConflicts.map(\.content)) == ["late"])
    #expect(try Self.history(test, TestStore.author).lostConflicts.map(\.ifRevision) == [2, 1, 1])
  }

  @Test func `what a lost value saw is told right when steps of typing around it are gone`() async throws {
    let test = try await Self.make()
    try await ConfidenceTests.move(test, to: 1)
    try await test.answer("why", .text("zebra s"), .revisions([2]))
    try await test.answer("why", .text("zebra st"), .revisions([3]))
    try await ConfidenceTests.move(test, to: 3)
    try await test.answer("why", .text("second"), .revisions([4]))
    test.advance(milliseconds: 2 * HousekeepingTests.hour)
    #expect(try await test.store.housekeep().steps == 4)
    try await Self.refuse(test, "late", seen: 3)
    try await ConfidenceTests.submit(test)
    #expect(try Self.history(test).lostConflicts.map(\.ifRevision) == [1])
  }

  /// What replaces the confidence, how long after, by whom, and whether others keep the value before it.
  @Test(arguments: [
    ("first and more", 1_000, false, false), ("first and more", 70_000, false, true),
    ("first and more", 1_000, true, true), ("", 1_000, false, false),
  ])
  func `a value under a confidence is thinned for others as if it had been replaced at once`(
    text: String, after: Int, byColleague: Bool, isKept: Bool
  ) async throws {
    for confiding in [true, false] {
      let test = try await ConfidenceTests.make()
      try await ConfidenceTests.move(test, to: 3)
      try await test.answer("why", .text("first"))
      if confiding {
        try await ConfidenceTests.move(test, to: 1)
        // Over whatever stood there: its interviewer keeps what it stood on.
        try await test.answer("why", .text("zebra"), .exists)
        try await ConfidenceTests.move(test, to: 3)
      }
      test.advance(milliseconds: after)
      let operation = AnswerOperation(
        itemID: "why", content: AnswerContent(value: .text(ExactText(text))),
        precondition: .revisions([confiding ? 2 : 1]))
      let author = byColleague ? HousekeepingTests.colleague : TestStore.author
      _ = try await test.store.writeAnswers("e1", [operation], by: author).results[0].result.get()
      try await ConfidenceTests.submit(test)
      #expect(try Self.history(test).items.count == 2)
      test.advance(milliseconds: 2 * HousekeepingTests.hour)
      #expect(try await test.store.housekeep().steps > 0 || isKept)
      #expect(try await test.store.housekeep().steps == 0)
      #expect(try Self.texts(Self.history(test).items.map(\.content)) == [text] + (isKept ? ["first"] : []))
      if confiding {
        let own = try Self.texts(Self.history(test, TestStore.author).items.map(\.content))
        #expect(own.first == text && own.last == "first", "\(own)")
      }
    }
  }

  @Test func `a step of typing under a confidence goes for its interviewer, too, once others are told another`()
    async throws
  {
    for isReplaced in [true, false] {
      let test = try await Self.make()
      if isReplaced { try await test.answer("why", .text("first!"), .revisions([2])) }
      test.advance(milliseconds: 2 * HousekeepingTests.hour)
      #expect(try await test.store.housekeep().steps == (isReplaced ? 2 : 0))
      try await ConfidenceTests.submit(test)
      #expect(try Self.texts(Self.history(test).items.map(\.content)) == [isReplaced ? "first!" : "first"])
      let own = try Self.texts(Self.history(test, TestStore.author).items.map(\.content))
      #expect(own == (isReplaced ? ["first!"] : ["zebra", "first"]))
    }
  }
}
