// Answers: who may write what over what, history, batches, and staying with their question.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct AnswerTests {
  /// A precondition, and what comes of it on an answer at the given revision.
  struct Case: Sendable, CustomStringConvertible {
    var revision: Int
    var precondition: Precondition
    var refusal: Refusal?
    var description: String { "\(precondition) on revision \(revision)" }
  }

  static let cases: [Case] = [
    Case(revision: 0, precondition: .none), Case(revision: 0, precondition: .exists),
    Case(revision: 0, precondition: .createOnly), Case(revision: 0, precondition: .revisions([0])),
    Case(revision: 0, precondition: .revisions([1]), refusal: .preconditionFailed),
    Case(revision: 2, precondition: .none, refusal: .preconditionRequired), Case(revision: 2, precondition: .exists),
    Case(revision: 2, precondition: .createOnly, refusal: .preconditionFailed),
    Case(revision: 2, precondition: .revisions([2])), Case(revision: 2, precondition: .revisions([9, 2])),
    Case(revision: 2, precondition: .revisions([1]), refusal: .preconditionFailed),
    Case(revision: 2, precondition: .revisions([0]), refusal: .preconditionFailed),
  ]

  @Test(arguments: cases) func `a write says what it saw`(_ example: Case) async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    for number in 0..<example.revision { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    if let refusal = example.refusal {
      await expect(refusal) { try await test.answer("q1", .text("new"), example.precondition) }
      #expect(try test.evaluation("e1").answers["q1"]?.revision ?? 0 == example.revision)
    } else {
      let written = try await test.answer("q1", .text("new"), example.precondition)
      #expect(written.answer.revision == example.revision + 1)
      #expect(written.outcome == (example.revision == 0 ? .created : .changed))
    }
    // What changes nothing passes whatever its precondition, and makes no revision.
    let current = try test.evaluation("e1").answers["q1"]
    let again = try await test.answer("q1", current?.content.value, .revisions([77]))
    #expect(again.outcome == .unchanged && again.answer.revision == current?.revision ?? 0)
  }

  @Test func `a stale writer is told what is there`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.answer("q1", .text("first"))
    do {
      try await test.answer("q1", .text("second"), .revisions([5]))
      Testing.Issue.record("nothing was refused")
    } catch StoreError.preconditionFailed(.some(.answer(let answer))) {
      #expect(answer.content.value == .text("first") && answer.revision == 1)
    }
  }

  @Test func `each value of an answer is read from its history, newest first`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    for number in 1...5 { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    try await test.answer("q1", nil, .revisions([5]))
    try await test.reopen()
    func page(_ cursor: String?) throws -> AnswerHistory {
      try test.store.answerHistory("e1", item: "q1", limit: 4, cursor: cursor, for: TestStore.caller)
    }
    let first = try page(nil)
    #expect(first.items.map(\.revision) == [6, 5, 4, 3])
    #expect(first.items.map(\.content.value) == [nil, .text("5"), .text("4"), .text("3")])
    let second = try page(first.nextCursor)
    #expect(second.items.map(\.revision) == [2, 1] && second.nextCursor == nil)
    #expect(second.items.allSatisfy { $0.updatedBy == "anonymous" })
    #expect(try test.store.answerHistory("e1", item: "q2", for: TestStore.caller).items.isEmpty)
    let cleared = try test.evaluation("e1")
    #expect(cleared.answers["q1"]?.revision == 6 && cleared.answers["q1"]?.content.isEmpty == true)
    #expect(cleared.summary.progress.answered == 0)
  }

  @Test func `an answer stays with its question when rows are inserted, removed and moved`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 2))
    try await test.evaluate("k1")
    try await test.answer("q1", .text("one"))
    try await test.answer("q2", .text("two"))
    try await test.change("k1") { (kit, now) throws(KitEditError) in
      try kit.inserting(.yesNo("q0"), in: nil, at: .first, now: now)
    }
    let moved = try await test.store.changeEvaluation("e1", precondition: .exists, by: TestStore.author) {
      (evaluation, _, _) throws(StoreError) in
      var summary = evaluation.summary
      summary.kitRevision = 2
      return summary
    }
    #expect(moved.snapshot.kit.questionIDs == ["q0", "q1", "q2"])
    try await test.reopen()
    let answers = try test.evaluation("e1").answers
    #expect(answers["q0"] == nil)
    #expect(answers["q1"]?.content.value == .text("one") && answers["q2"]?.content.value == .text("two"))
  }

  @Test func `an evaluation stays on its revision, with the old wording, when the kit changes`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    for id in ["q1", "q2", "q3"] as [ItemID] { try await test.answer(id, .text(ExactText(id.string))) }
    try await test.reword("q1")
    try await test.change("k1") { (kit, now) throws(KitEditError) in try kit.removing("q2", now: now) }
    try await test.evaluate("k1", as: "e2")
    for restarted in [false, true] {
      if restarted { try await test.reopen() }
      let old = try test.store.screen("e1", for: TestStore.caller)
      #expect(old.snapshot.kit.revision == 1 && old.snapshot.kit.questionIDs == ["q1", "q2", "q3"])
      #expect(old.snapshot.question("q1")?.question.text != "Reworded")
      #expect(old.evaluation.answers.count == 3 && old.evaluation.answers["q2"]?.content.value == .text("q2"))
      let new = try test.store.screen("e2", for: TestStore.caller)
      #expect(new.snapshot.kit.revision == 3 && new.snapshot.kit.questionIDs == ["q1", "q3"])
    }
  }

  @Test func `one stale operation of a batch fails alone`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 4))
    try await test.evaluate("k1")
    try await test.answer("q2", .text("old"))
    let operations = [
      AnswerOperation(operationID: "a", itemID: "q1", content: AnswerContent(value: .text("1"))),
      AnswerOperation(operationID: "b", itemID: "q2", content: AnswerContent(value: .text("2"))),
      AnswerOperation(
        operationID: "c", itemID: "q2", content: AnswerContent(value: .text("3")), precondition: .revisions([1])),
      AnswerOperation(operationID: "d", itemID: "q3", content: AnswerContent(value: .bool(true))),
      AnswerOperation(operationID: "e", itemID: "q9", content: AnswerContent(value: .text("5"))),
    ]
    let written = try await test.store.writeAnswers("e1", operations, by: TestStore.author)
    let refusals = written.results.map { result -> Refusal? in
      if case .failure(let error) = result.result { Refusal(error) } else { nil }
    }
    #expect(refusals == [nil, .preconditionRequired, nil, .invalid, .notFound])
    #expect(written.results.map(\.operationID) == ["a", "b", "c", "d", "e"])
    #expect(written.before.answers.count == 1 && written.after.answers.count == 2)
    #expect(written.after.summary.revision == written.before.summary.revision + 1)
    try await test.reopen()
    #expect(try test.evaluation("e1") == written.after)
    #expect(try test.changes().suffix(2).map(\.itemID) == ["q1", "q2"])
  }

  @Test func `answers of every type come back, also after a restart`() async throws {
    let test = try TestStore.make()
    try await test.create(.everything())
    try await test.evaluate("all")
    let day = try #require(CalendarDate(iso8601: "2026-02-28"))
    let values: [(ItemID, AnswerValue)] = [
      ("q1", .text(" Cafe\u{301} ")), ("q2", .text("two\r\nlines\u{2028}")), ("q3", .bool(true)), ("q4", .option("o2")),
      ("q5", .options(["o4", "o3"])), ("q6", .number(.decimal(2.5))), ("q7", .date(day)),
      ("q8", .point("fourPoint.yes")), ("c1", .point("p2")),
    ]
    for (id, value) in values { try await test.answer(id, value) }
    let assessed = AnswerOperation(itemID: "c2", content: AnswerContent(comment: "No time", notAssessed: true))
    try await test.store.writeAnswers("e1", [assessed], by: TestStore.author)
    try await test.answer("q6", .number(.integer(1_000_000_000_000_000_001)), .revisions([1]))
    for restarted in [false, true] {
      if restarted { try await test.reopen() }
      let evaluation = try test.evaluation("e1")
      for (id, value) in values where id != "q6" { #expect(evaluation.answers[id]?.content.value == value) }
      #expect(evaluation.answers["q6"]?.content.value == .number(.integer(1_000_000_000_000_000_001)))
      #expect(evaluation.answers["c2"]?.content == AnswerContent(comment: "No time", notAssessed: true))
      #expect(evaluation.summary.recommendation == .point("fourPoint.yes"))
      let snapshot = try test.store.screen("e1", for: TestStore.caller).snapshot
      #expect(evaluation.summary.progress == snapshot.progress(answers: evaluation.answers))
    }
    // From composed to decomposed is a change.
    try await test.answer("q1", .text(" Caf\u{E9} "), .revisions([1]))
    #expect(try test.evaluation("e1").answers["q1"]?.revision == 2)
  }

  @Test func `an edit of an answer sees what is there`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.answer("q1", .text("typed"))
    let merge = AnswerOperation(itemID: "q1", precondition: .revisions([1])) { (_, current) throws(StoreError) in
      var content = current.content
      content.comment = "added"
      return content
    }
    try await test.store.writeAnswers("e1", [merge], by: TestStore.author)
    #expect(try test.evaluation("e1").answers["q1"]?.content == AnswerContent(value: .text("typed"), comment: "added"))
  }

  @Test func `saving one box while another is saved keeps both`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    async let first = test.answer("q1", .text("abc"))
    async let second = test.answer("q2", .text("xyz"))
    #expect(try await [first.answer.revision, second.answer.revision] == [1, 1])
    let answers = try test.evaluation("e1").answers
    #expect(answers["q1"]?.content.value == .text("abc") && answers["q2"]?.content.value == .text("xyz"))
    #expect(try test.evaluation("e1").summary.revision == 3)
  }
}
