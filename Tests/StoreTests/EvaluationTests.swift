// Evaluations: created once, pinned, listed, and their people.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct EvaluationTests {
  @Test func `an evaluation created ten times by its own ID is one`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    let outcomes = try await withThrowingTaskGroup(of: WriteOutcome.self) { group in
      for _ in 0..<9 { group.addTask { try await test.evaluate("k1").outcome } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 == .created }.count == 1)
    #expect(outcomes.filter { $0 == .unchanged }.count == 8)
    try await test.reopen()
    #expect(try await test.evaluate("k1").outcome == .unchanged)
    #expect(try test.store.evaluations(EvaluationQuery(), for: TestStore.caller).items.count == 1)
    await expect(.idTaken) { try await test.evaluate("k1", candidate: Person(id: "c2")) }
    #expect(try test.changes().map(\.kind) == [.kitCreated, .evaluationCreated])
  }

  @Test func `an evaluation needs a kit that takes one, and a revision that is there`() async throws {
    let test = try TestStore.make()
    await expect(.invalid) { try await test.evaluate("k1") }
    try await test.create(.sample())
    await expect(.invalid) { try await test.evaluate("k1", revision: 2) }
    try await test.reword("q1")
    #expect(try await test.evaluate("k1", revision: 1).evaluation.summary.kitRevision == 1)
    try await test.change("k1") { (kit, now) throws(KitEditError) in
      var header = kit
      header.status = .archived
      return try kit.updatingHeader(header, now: now)
    }
    await expect(.conflict) { try await test.evaluate("k1", as: "e2") }
    _ = try await test.store.deleteKit("k1", precondition: .exists, by: TestStore.author)
    await expect(.invalid) { try await test.evaluate("k1", as: "e2") }
    // What was begun goes on, also after a restart.
    try await test.reopen()
    #expect(try test.store.screen("e1", for: TestStore.caller).snapshot.kit.revision == 1)
    try await test.answer("q1", .text("still here"))
  }

  @Test func `progress and recommendation in lists follow the answers`() async throws {
    let test = try TestStore.make()
    try await test.create(.everything())
    try await test.evaluate("all")
    let snapshot = try test.store.screen("e1", for: TestStore.caller).snapshot
    let writes: [(ItemID, AnswerValue?)] = [
      ("q1", .text("x")), ("q3", .bool(true)), ("q2", .text("shown now")), ("q4", .option("o2")),
      ("q8", .point("fourPoint.no")), ("q3", .bool(false)), ("q1", nil), ("q8", nil),
    ]
    for (id, value) in writes {
      try await test.answer(id, value, .exists)
      let listed = try test.store.evaluations(EvaluationQuery(), for: TestStore.caller).items
      let evaluation = try test.evaluation("e1")
      #expect(listed == [evaluation.summary])
      #expect(listed[0].progress == snapshot.progress(answers: evaluation.answers))
      #expect(listed[0].recommendation == evaluation.answers["q8"]?.content.value)
    }
  }

  @Test func `a candidate's new name shows in all evaluations, as a change of each`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1", as: "e1", candidate: Person(id: "c1", name: "Kim"))
    try await test.evaluate("k1", as: "e2", candidate: Person(id: "c1"))
    #expect(try test.evaluation("e2").summary.candidate.name == "Kim")
    try await test.evaluate("k1", as: "e3", candidate: Person(id: "c1", name: "Kim Min"))
    for id in ["e1", "e2", "e3"] as [ItemID] {
      #expect(try test.evaluation(id).summary.candidate.name == "Kim Min")
    }
    #expect(try test.evaluation("e1").summary.revision == 2 && test.evaluation("e3").summary.revision == 1)
    #expect(try test.changes().suffix(2).map(\.evaluationID).sorted { $0!.string < $1!.string } == ["e1", "e2"])
  }

  @Test func `lists are filtered, and pages stay true while evaluations are created`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample("k1"))
    try await test.create(.sample("k2"))
    for number in 0..<10 {
      try await test.evaluate(
        number % 2 == 0 ? "k1" : "k2", as: ItemID(stringLiteral: "e\(number)"),
        candidate: Person(id: ItemID(stringLiteral: "c\(number % 3)")))
    }
    func page(_ query: EvaluationQuery) throws -> Page<EvaluationSummary> {
      try test.store.evaluations(query, for: TestStore.caller)
    }
    let first = try page(EvaluationQuery(kitID: "k1", limit: 2))
    #expect(first.items.map(\.id) == ["e8", "e6"])
    try await test.evaluate("k1", as: "later")
    let second = try page(EvaluationQuery(kitID: "k1", limit: 2, cursor: first.nextCursor))
    #expect(second.items.map(\.id) == ["e4", "e2"])
    let third = try page(EvaluationQuery(kitID: "k1", limit: 2, cursor: second.nextCursor))
    #expect(third.items.map(\.id) == ["e0"] && third.nextCursor == nil)
    #expect(try page(EvaluationQuery(kitID: "k1", candidateID: "c0")).items.map(\.id) == ["e6", "e0"])
    #expect(try page(EvaluationQuery(interviewerID: "i1")).items.count == 11)
    #expect(try page(EvaluationQuery(status: .submitted)).items.isEmpty)
  }

  @Test func `a stale change of an evaluation is refused`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    func rename(_ precondition: Precondition) async throws(StoreError) -> EvaluationWritten {
      try await test.store.changeEvaluation("e1", precondition: precondition, by: TestStore.author) {
        (evaluation, _, _) throws(StoreError) in
        var summary = evaluation.summary
        summary.interviewer.name = "Park"
        return summary
      }
    }
    await expect(.preconditionRequired) { try await rename(.none) }
    await expect(.preconditionFailed) { try await rename(.revisions([2])) }
    #expect(try await rename(.revisions([1])).evaluation.summary.revision == 2)
    #expect(try await rename(.none).outcome == .unchanged)
    try await test.reopen()
    #expect(try test.evaluation("e1").summary.interviewer.name == "Park")
  }
}
