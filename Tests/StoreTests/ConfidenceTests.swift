// What was given in confidence stays so, and others are told of an evaluation as if it had not been given.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct ConfidenceTests {
  static let observer = Caller(accountID: Store.defaultAccount, memberID: "eve", role: .observer)

  /// Kit `k1`: `doubt`, which the private `why` hangs on only by its own word, and `open`. Revisions: 1 `doubt` and
  /// `why` are private, 2 nothing is, 3 `doubt` is gone.
  static func make(evaluating: Bool = true) async throws -> TestStore {
    let test = try TestStore.make()
    let orders = OrderKey.sequence(count: 3)
    let condition = VisibilityCondition(questionID: "doubt", equals: .bool(true))
    let questions = [
      Question(id: "doubt", order: orders[0], text: "A doubt?", isPrivate: true, kind: .yesNo),
      Question(id: "why", order: orders[1], text: "Why?", visibleWhen: condition, kind: .longText(maxLength: 500)),
      Question(id: "open", order: orders[2], text: "Openly?", kind: .longText(maxLength: 500)),
    ]
    var kit = Kit.sample(questions: 0)
    kit.overallQuestionID = "doubt"
    kit.sections[0].questions = questions
    try await test.create(kit)
    try await test.change("k1") { (kit, now) throws(KitEditError) in
      var question = kit.sections[0].questions[0]
      question.isPrivate = false
      return try kit.updating(question, now: now)
    }
    try await test.change("k1") { (kit, now) throws(KitEditError) in
      var draft = kit
      draft.overallQuestionID = nil
      draft.sections[0].questions = [kit.sections[0].questions[1], kit.sections[0].questions[2]]
      draft.sections[0].questions[0].visibleWhen = nil
      return try kit.replacing(with: draft, now: now)
    }
    if evaluating { try await test.evaluate("k1", revision: 1) }
    return test
  }

  static func move(_ test: TestStore, to revision: Int) async throws {
    try await test.store.changeEvaluation("e1", precondition: .exists, by: TestStore.author) {
      (evaluation, _, _) throws(StoreError) in
      var summary = evaluation.summary
      summary.kitRevision = revision
      return summary
    }
  }

  static func submit(_ test: TestStore) async throws {
    try await test.store.take(.submit, on: "e1", by: TestStore.author)
  }

  /// Everything that somebody is told of the evaluation, without sequences and times.
  static func told(_ test: TestStore, _ caller: Caller = observer) throws -> String {
    let evaluation = try test.store.evaluation("e1", for: caller)
    let answers = evaluation.answers.sorted { $0.itemID < $1.itemID }.map { "\($0.itemID) \(words($0))" }
    let summary = evaluation.summary
    var lines = [
      "\(summary.kitRevision) \(summary.status) \(summary.revision) \(summary.progress) "
        + "\(summary.recommendation.map { "\($0)" } ?? "-")", answers.joined(separator: ", "),
    ]
    let listed = try test.store.evaluations(EvaluationQuery(), for: caller).items
    #expect(listed.map(\.revision) == [summary.revision] && listed.map(\.progress) == [summary.progress])
    #expect(listed.map(\.recommendation) == [summary.recommendation] && listed.map(\.updatedAt) == [summary.updatedAt])
    for item in ["doubt", "why", "open"] as [ItemID] {
      let history = try test.store.answerHistory("e1", item: item, for: caller)
      lines.append("\(item): " + (history.items.map(words) + history.lostConflicts.map(words)).joined(separator: ", "))
    }
    lines.append(
      try test.store.evaluationEvents("e1", for: caller).items.map { "\($0.kind) \($0.revision)" }
        .joined(separator: ", "))
    lines.append(
      try test.store.changes(after: 0, for: caller).filter { $0.evaluationID != nil }
        .map { "\($0.kind.rawValue) \($0.itemID?.string ?? "-") \($0.revision)" }.joined(separator: ", "))
    let fed = try test.store.feed(after: nil, limit: 200, for: caller).changes.filter { $0.evaluationID != nil }
    #expect(
      fed.map(\.revision)
        == (try test.store.changes(after: 0, for: caller)).filter { $0.evaluationID != nil }.map(\.revision))
    return lines.joined(separator: "\n")
  }

  private static func words(_ answer: Answer) -> String { "\(answer.revision) \(words(answer.content))" }
  private static func words(_ lost: LostAnswer) -> String {
    "saw \(lost.ifRevision.map(String.init) ?? "-") \(words(lost.content))"
  }
  private static func words(_ content: AnswerContent) -> String {
    switch content.value {
    case .text(let text): text.string
    case .bool(let value): "\(value)"
    default: "-"
    }
  }

  /// What a world does besides giving answers in confidence.
  enum Plan: String, CaseIterable {
    case stays, movesToPublic, movesToNone, movesAndAnswers, reopens
  }

  /// Walks a plan, with or without private answers on the way.
  static func world(_ plan: Plan, confiding: Bool) async throws -> TestStore {
    let test = try await make()
    func confide(_ value: Bool) async throws {
      if !confiding { return }
      try await test.answer("doubt", .bool(value), .exists)
      try await test.answer("why", .text(ExactText("zebra \(value)")), .exists)
      _ = try? await test.answer("why", .text("zebra lost"), .revisions([0]))
    }
    try await confide(true)
    try await test.answer("open", .text("said"))
    try await confide(false)
    _ = try? await test.answer("open", .text("lost"), .revisions([9]))
    try await test.answer("open", .text("said so"), .revisions([1]))
    switch plan {
    case .stays: break
    case .movesToPublic: try await move(test, to: 2)
    case .movesToNone: try await move(test, to: 3)
    case .movesAndAnswers:
      try await move(test, to: 3)
      let seen = try test.evaluation("e1").answers["why"]?.revision ?? 0
      try await test.answer("why", .text("now openly"), .revisions([seen]))
      _ = try? await test.answer("why", .text("late"), .revisions([seen]))
      try await test.answer("why", .text("now openly!"), .exists)
    case .reopens:
      try await submit(test)
      try await test.store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author)
      try await confide(true)
      try await test.answer("open", .text("said again"), .exists)
    }
    try await submit(test)
    return test
  }

  private static func edit(
    _ test: TestStore, _ precondition: Precondition = .exists,
    _ change: @escaping @Sendable (inout AnswerContent) -> Void
  ) async throws {
    let operation = AnswerOperation(itemID: "why", precondition: precondition) { (_, current) throws(StoreError) in
      var content = current.content
      change(&content)
      return content
    }
    _ = try await test.store.writeAnswers("e1", [operation], by: TestStore.author).results[0].result.get()
  }

  @Test(arguments: [true, false])
  func `who changes one part of an answer given in confidence does not tell the other`(valueFirst: Bool) async throws {
    let test = try await Self.make()
    try await test.answer("doubt", .bool(true))
    try await Self.edit(test, .none) { if valueFirst { $0.value = .text("zebra") } else { $0.comment = "zebra" } }
    try await Self.move(test, to: 3)
    try await Self.edit(test) { if valueFirst { $0.comment = "a remark" } else { $0.value = .text("a remark") } }
    // What was refused is kept like what it would have made.
    _ = try? await Self.edit(test, .revisions([7])) { $0.comment = valueFirst ? "another" : $0.comment }
    try await Self.submit(test)
    let told = try test.store.evaluation("e1", for: Self.observer).answers["why"]
    #expect(told == nil)
    let history = try test.store.answerHistory("e1", item: "why", for: Self.observer)
    #expect(history.items.isEmpty && history.lostConflicts.isEmpty)
    try await test.store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author)
    try await Self.edit(test) { $0 = AnswerContent(value: .text("openly"), comment: "so") }
    try await Self.submit(test)
    let openly = try test.store.evaluation("e1", for: Self.observer).answers["why"]
    #expect(openly?.content == AnswerContent(value: .text("openly"), comment: "so") && openly?.revision == 1)
  }

  @Test func `nobody is told that what was given in confidence was taken back`() async throws {
    let test = try await Self.make()
    try await test.answer("doubt", .bool(true))
    try await test.answer("why", .text("zebra"))
    try await Self.move(test, to: 3)
    try await test.answer("why", nil, .exists)
    try await Self.submit(test)
    let history = try test.store.answerHistory("e1", item: "why", for: Self.observer)
    #expect(history.items.isEmpty)
    #expect(try test.store.changes(after: 0, for: Self.observer).allSatisfy { $0.itemID != "why" })
  }

  @Test(arguments: Plan.allCases)
  func `others are told the same as if nothing had been given in confidence`(plan: Plan) async throws {
    let (confiding, silent) = (
      try await Self.world(plan, confiding: true), try await Self.world(plan, confiding: false)
    )
    for _ in 0..<2 {
      let (one, other) = (try Self.told(confiding), try Self.told(silent))
      #expect(one == other && !one.contains("zebra") && one.contains("said"))
      #expect(try Self.told(confiding, TestStore.caller).contains("zebra"))
      // From the database as from memory.
      try await confiding.reopen()
      try await silent.reopen()
    }
    var faults: [DatabaseFault] = []
    try Store.verify(confiding.name) { faults.append($0) }
    #expect(faults.isEmpty)
  }

  @Test func `neither revision nor time of what others are told moves with private answers`() async throws {
    let test = try await Self.make()
    try await test.answer("open", .text("x"))
    let before = try test.evaluation("e1").summary
    try await test.answer("doubt", .bool(true))
    try await test.answer("why", .text("y"))
    let after = try test.evaluation("e1").summary
    #expect(after.revision == before.revision + 2 && after.updatedAt > before.updatedAt)
    #expect(after.toldRevision == before.toldRevision && after.toldAt == before.toldAt)
    // A batch with both is one revision of both.
    let operations = [("doubt", AnswerValue.bool(false)), ("open", .text("z"))].map { item, value in
      AnswerOperation(itemID: ItemID(stringLiteral: item), content: AnswerContent(value: value), precondition: .exists)
    }
    try await test.store.writeAnswers("e1", operations, by: TestStore.author)
    let both = try test.evaluation("e1").summary
    #expect(both.toldRevision == before.toldRevision + 1 && both.toldAt == both.updatedAt)
  }

  @Test func `a value given in confidence stays so, one given openly later is told with a history of its own`()
    async throws
  {
    let test = try await Self.world(.movesAndAnswers, confiding: true)
    let answer = try #require(try test.evaluation("e1").answers["why"])
    #expect(!answer.isPrivate && answer.revision == 4 && answer.toldRevision == 2)
    #expect(try test.evaluation("e1").answers["doubt"]?.isPrivate == true)
    let history = try test.store.answerHistory("e1", item: "why", limit: 1, for: Self.observer)
    #expect(history.items.map(\.revision) == [2])
    let rest = try test.store.answerHistory("e1", item: "why", limit: 1, cursor: history.nextCursor, for: Self.observer)
    #expect(rest.items.map(\.revision) == [1] && rest.nextCursor == nil)
  }

  @Test func `an answer that is private at the revision now is hidden, and one before it is told again`() async throws {
    let test = try await Self.make(evaluating: false)
    try await test.evaluate("k1", revision: 2)
    try await test.answer("doubt", .bool(true))
    try await test.answer("why", .text("public"))
    try await Self.move(test, to: 1)
    try await Self.submit(test)
    #expect(try test.store.evaluation("e1", for: Self.observer).answers.isEmpty)
    #expect(try test.store.answerHistory("e1", item: "doubt", for: Self.observer).items.isEmpty)
    try await test.store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author)
    try await test.answer("doubt", .bool(false), .exists)
    try await Self.move(test, to: 2)
    try await Self.submit(test)
    test.advance(milliseconds: 2 * HousekeepingTests.hour)
    try await test.store.housekeep()
    for _ in 0..<2 {
      let told = try test.store.evaluation("e1", for: Self.observer)
      #expect(told.answers["doubt"]?.content.value == .bool(true) && told.answers["doubt"]?.revision == 1)
      #expect(told.summary.recommendation == .bool(true))
      #expect(try test.evaluation("e1").answers["doubt"]?.content.value == .bool(false))
      try await test.reopen()
    }
  }

  @Test func `an answer that only one given in confidence shows is given in confidence, too`() async throws {
    let test = try await Self.make()
    try await test.answer("doubt", .bool(true))
    try await Self.move(test, to: 2)
    // Nothing is private any more, but the doubt that shows the question was.
    try await test.answer("why", .text("zebra"))
    #expect(try test.evaluation("e1").answers["why"]?.isPrivate == true)
    try await test.answer("doubt", .bool(true), .exists)
    #expect(try test.evaluation("e1").answers["doubt"]?.isPrivate == true, "the same again changes nothing")
    try await test.answer("doubt", .bool(false), .exists)
    try await test.answer("doubt", .bool(true), .exists)
    try await test.answer("why", .text("openly"), .exists)
    try await Self.submit(test)
    let told = try test.store.evaluation("e1", for: Self.observer)
    #expect(told.answers["doubt"]?.revision == 2 && told.answers["why"]?.content.value == .text("openly"))
    #expect(told.answers["why"]?.revision == 1)
  }

  @Test func `a list of kits is kept while evaluations are written, and no longer than its kits stand`() async throws {
    let test = try await Self.make()
    func misses() -> Int { test.store.cacheFigures.first { $0.name == "pages" }?.misses ?? 0 }
    let before = try test.store.kits(KitQuery(), for: Self.observer).items
    let read = misses()
    try await test.answer("doubt", .bool(true))
    try await test.answer("open", .text("x"))
    #expect(try test.store.kits(KitQuery(), for: Self.observer).items == before && misses() == read)
    try await test.change("k1") { (kit, now) throws(KitEditError) in
      var header = kit
      header.title = "Other"
      return try kit.updatingHeader(header, now: now)
    }
    #expect(try test.store.kits(KitQuery(), for: Self.observer).items.map(\.title) == ["Other"])
  }
}
