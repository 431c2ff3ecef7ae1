// Submitting, reopening and withdrawing evaluations, and their history.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct LifecycleTests {
  /// Two required questions, a scorecard, and a required question that is shown on a condition.
  static func kit() -> Kit {
    let orders = OrderKey.sequence(count: 4)
    let questions = [
      Question(id: "q1", order: orders[0], text: "Why?", required: true, kind: .longText(maxLength: 100)),
      Question(id: "q2", order: orders[1], text: "Sure?", kind: .yesNo),
      Question(
        id: "q3", order: orders[2], text: "Really?", required: true,
        visibleWhen: VisibilityCondition(questionID: "q2", equals: .bool(true)), kind: .yesNo),
      Question(
        id: "q4", order: orders[3], text: "How?", required: true,
        kind: .scorecard(
          scale: "fourPoint", criteria: [Criterion(id: "c1", text: "Depth"), Criterion(id: "c2", text: "Breadth")])),
    ]
    let section = Section(id: "s1", order: .between(nil, nil), title: "S", questions: questions)
    return Kit(
      id: "k1", title: "K", sections: [section], createdAt: Timestamp(milliseconds: 0),
      updatedAt: Timestamp(milliseconds: 0))
  }

  static func make() async throws -> TestStore {
    let test = try TestStore.make()
    try await test.create(kit())
    try await test.evaluate("k1")
    return test
  }

  static func missing(_ test: TestStore) async -> [String] {
    do {
      _ = try await test.take(.submit)
      return []
    } catch StoreError.incomplete(let issues) {
      return issues.compactMap { $0.itemID?.string }
    } catch {
      Testing.Issue.record(error)
      return []
    }
  }

  @Test func `submitting lists every required question and criterion that is shown and not answered`() async throws {
    let test = try await Self.make()
    #expect(await Self.missing(test) == ["q1", "c1", "c2"])
    try await test.answer("q2", .bool(true))
    #expect(await Self.missing(test) == ["q1", "q3", "c1", "c2"])
    #expect(try test.evaluation("e1").summary.progress.missing == 4)
    try await test.answer("q1", .text(" \u{200B}\n"))
    try await test.answer("c1", .point("fourPoint.yes"))
    _ = try await test.store.writeAnswers(
      "e1", [AnswerOperation(itemID: "c2", content: AnswerContent(notAssessed: true))], by: TestStore.author)
    #expect(await Self.missing(test) == ["q1", "q3"])
    #expect(try test.evaluation("e1").summary.progress == Progress(answered: 3, required: 4, missing: 2))
    try await test.answer("q2", .bool(false), .exists)
    try await test.answer("q1", .text("Because."), .exists)
    #expect(await Self.missing(test) == [])
    #expect(try test.evaluation("e1").summary.status == .submitted)
    #expect(try test.evaluation("e1").summary.progress.missing == 0)
  }

  @Test func `a submitted evaluation is frozen until it is reopened, and each step is taken once`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.answer("q1", .text("said"))
    await expect(.preconditionFailed) { try await test.take(.submit, .revisions([1])) }
    let submitted = try await test.take(.submit, .revisions([2]))
    #expect(submitted.outcome == .changed && submitted.evaluation.summary.revision == 3)
    #expect(submitted.evaluation.summary.submittedAt == submitted.evaluation.summary.updatedAt)
    let again = try await test.take(.submit, .revisions([1]))
    #expect(again.outcome == .unchanged && again.evaluation == submitted.evaluation)
    await expect(.conflict) { try await test.answer("q2", .text("late")) }
    await expect(.conflict) {
      try await test.store.changeEvaluation("e1", precondition: .exists, by: TestStore.author) {
        (evaluation, _, _) throws(StoreError) in
        var summary = evaluation.summary
        summary.interviewer.name = "Other"
        return summary
      }
    }
    try await test.reopen()
    #expect(try test.evaluation("e1") == submitted.evaluation)
    let reopened = try await test.take(.reopen(reason: "A slip"))
    #expect(reopened.evaluation.summary.status == .draft && reopened.evaluation.summary.submittedAt == nil)
    #expect(try await test.take(.reopen(reason: "Again")).outcome == .unchanged)
    try await test.answer("q1", .text("said better"), .exists)
    #expect(try await test.take(.withdraw).evaluation.summary.status == .withdrawn)
    #expect(try await test.take(.withdraw).outcome == .unchanged)
    await expect(.conflict) { try await test.take(.submit) }
    await expect(.conflict) { try await test.answer("q2", .text("late")) }
    try await test.reopen()
    let events = try test.store.evaluationEvents("e1", for: TestStore.caller).items
    #expect(events.map(\.kind) == [.withdrawn, .reopened, .submitted, .created])
    #expect(events.map(\.revision) == [6, 4, 3, 1])
    #expect(events.map(\.reason) == [nil, "A slip", nil, nil])
    let page = try test.store.evaluationEvents("e1", limit: 2, cursor: "4", for: TestStore.caller)
    #expect(page.items.map(\.revision) == [3, 1] && page.nextCursor == nil)
    #expect(
      try test.changes().map(\.kind) == [
        .kitCreated, .evaluationCreated, .answerChanged, .evaluationSubmitted, .evaluationReopened, .answerChanged,
        .evaluationWithdrawn,
      ])
  }

  @Test func `of ten that submit at once, one does`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    let outcomes = try await withThrowingTaskGroup(of: WriteOutcome.self) { group in
      for _ in 0..<10 { group.addTask { try await test.take(.submit).outcome } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 == .changed }.count == 1 && outcomes.filter { $0 == .unchanged }.count == 9)
    #expect(try test.evaluation("e1").summary.revision == 2)
  }
}

extension TestStore {
  @discardableResult func take(
    _ step: EvaluationStep, _ precondition: Precondition = .none, on id: ItemID = "e1"
  ) async throws(StoreError) -> EvaluationWritten {
    try await store.take(step, on: id, precondition: precondition, by: Self.author)
  }
}
