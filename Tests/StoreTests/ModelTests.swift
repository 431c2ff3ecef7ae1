// Random operations of several clients against the store and a model of it: there is never a difference.
import InterviewKits
import TestKit
import Testing

@testable import Store

@Suite(.onBothDatabases) struct ModelTests {
  /// Some that are the same in every run, and some that nobody has tried; a failure names its seed.
  static let seeds: [UInt64] = (1...5).map { $0 } + (0..<5).map { _ in UInt64.random(in: 100...999_999) }
  static let operations = 1_000

  @Test(arguments: seeds)
  func `clients that edit, answer, retry, lose replies, reconnect, submit and migrate see what a model says`(
    _ seed: UInt64
  ) async throws {
    try await Self.play(seed)
  }

  /// Found by a seed: the move was refused, its reply lost, and its neighbour deleted before it was sent again.
  @Test func `a move sent again after the neighbour it names has gone is refused, in the model too`() async throws {
    try await Self.play(653_161)
  }

  private static func play(_ seed: UInt64) async throws {
    let run = try await ModelRun(seed: seed)
    for step in 1...operations {
      guard try await run.step(step) else { return }
    }
    try await run.compare("at the end")
    #expect(run.counts.values.reduce(0, +) == operations, "seed \(seed)")
  }
}

/// One client: what it has seen, and the requests whose replies it lost.
private struct ModelClient {
  var author: Caller
  var seen: [String: Int] = [:]
  var lost: [(request: ModelRequest, key: String, outcome: String)] = []
  var cursor: FeedCursor?
  var heard = 0
}

/// A store and its model, and the clients that use both. One task uses it.
private final class ModelRun {
  private let test: TestStore
  private let seed: UInt64
  private var random: SeededGenerator
  private var model = Model()
  private var clients: [ModelClient]
  private var made = 0
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64) async throws {
    test = try TestStore.make()
    // Whose clients' requests go to either of two servers.
    if test.store.isShared { try test.addServer() }
    (self.seed, random) = (seed, SeededGenerator(seed: seed))
    clients = (0..<4).map { number in
      // Two devices of one member, and two other members.
      let member = ItemID(stringLiteral: "m\(max(1, number))")
      return ModelClient(author: Caller(accountID: Store.defaultAccount, memberID: member))
    }
    for kit in ["k1", "k2"] {
      let written = try await test.create(.sample(ItemID(stringLiteral: kit), questions: 4)).snapshot.kit
      model.kits[kit] = ModelKit(
        written.sections[0].questions.map {
          ModelQuestion(id: $0.id.string, text: $0.text.string, isRequired: $0.required, revision: 1)
        })
      model.changes.append("kit.created \(kit) - 1")
    }
  }

  private func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  /// - Returns: false when a difference was found.
  func step(_ step: Int) async throws -> Bool {
    let number = Int.random(in: 0..<clients.count, using: &random)
    if chance(1) { try await test.reopen() }
    try await test.ask(Int.random(in: 0..<test.servers.count, using: &random))
    if chance(5) { try await reconnect(number) }
    if step % 250 == 0 { try await compare("at step \(step)") }
    let (request, key): (ModelRequest, String?)
    if chance(20), let index = clients[number].lost.indices.randomElement(using: &random) {
      let lost = clients[number].lost[index]
      (request, key) = (lost.request, lost.key)
      if chance(50) { clients[number].lost.remove(at: index) }
    } else {
      made += 1
      (request, key) = (randomRequest(clients[number]), chance(40) ? "key-\(number)-\(made)" : nil)
    }
    counts[String(String(describing: request).prefix { $0 != "(" }), default: 0] += 1
    let client = clients[number]
    let found = await perform(request, by: client.author, key: key)
    let wanted = model.apply(request, by: client.author.memberID.string, key: key)
    guard found == wanted else {
      Testing.Issue.record("seed \(seed), step \(step): \(request) gave '\(found)', the model '\(wanted)'")
      return false
    }
    if case .restore(let kit, let question) = request, found.hasPrefix("changed"),
      model.changes.last?.hasPrefix("question.restored \(kit) \(question) ") == true
    {
      let order = try test.kit(ItemID(stringLiteral: kit)).questionIDs
      let isPlaced = model.adopt(order, of: question, in: kit)
      #expect(isPlaced, "seed \(seed), step \(step): a restored question moved others")
    }
    // A reply that is lost teaches nothing; the request is sent again some time.
    if let key, chance(50) {
      clients[number].lost.append((request, key, found))
    } else {
      learn(number, request)
    }
    return true
  }

  // MARK: Clients

  private func randomRequest(_ client: ModelClient) -> ModelRequest {
    let kit = pick(["k1", "k2"]) ?? "k1"
    let evaluations = model.evaluations.keys.sorted()
    guard let id = pick(evaluations), !chance(evaluations.count < 12 ? 5 : 1) else {
      return .create(evaluation: "e\(Int.random(in: 1...12, using: &random))", kit: kit)
    }
    let items = (model.kits[model.evaluations[id]?.kit ?? ""]?.revisions.values.flatMap { $0.map(\.id) } ?? []).sorted()
    let item = pick(items) ?? "q1"
    let seen = client.seen["\(id)/\(item)"] ?? 0
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: return .answer(evaluation: id, item: item, value: randomValue(), seen: seen)
    case 45..<58:
      let operations = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        let item = pick(items) ?? "q1"
        made += 1
        return ModelRequest.Operation(
          id: "o\(made)", item: item, value: randomValue(), seen: client.seen["\(id)/\(item)"] ?? 0)
      }
      return .batch(evaluation: id, operations: operations)
    case 58..<63: return .submit(evaluation: id)
    case 63..<68: return .reopen(evaluation: id)
    case 68..<70: return .withdraw(evaluation: id)
    case 70..<76:
      let newest = model.kits[model.evaluations[id]?.kit ?? ""]?.revision ?? 1
      return .migrate(evaluation: id, revision: Int.random(in: 1...newest, using: &random), seen: client.seen[id] ?? 0)
    default: return randomEdit(of: kit, client)
    }
  }

  private func randomEdit(of kit: String, _ client: ModelClient) -> ModelRequest {
    let present = model.kits[kit]?.questions.map(\.id) ?? []
    let trash = (model.kits[kit]?.trash.keys.sorted() ?? [])
    let after = chance(30) ? nil : pick(present)
    guard let question = pick(chance(10) ? trash + present : present), present.count > 2 else {
      made += 1
      return .insert(kit: kit, question: "n\(made)", after: after)
    }
    let seen = client.seen["\(kit)/\(question)"] ?? 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2:
      made += 1
      return .insert(kit: kit, question: "n\(made)", after: after)
    case 2..<5: return .reword(kit: kit, question: question, text: "\(randomValue() ?? "again")?", seen: seen)
    case 5..<7: return .move(kit: kit, question: question, after: after == question ? nil : after, seen: seen)
    case 7: return .remove(kit: kit, question: question, seen: seen)
    default: return .restore(kit: kit, question: pick(trash) ?? question)
    }
  }

  private func randomValue() -> String? {
    chance(10)
      ? nil
      : pick(["yes", "no", "한국어", "Cafe\u{301}", "👩‍💻", "x"]).map { "\($0) \(Int.random(in: 0..<4, using: &random))" }
  }

  /// The reply of a write tells what there is now.
  private func learn(_ number: Int, _ request: ModelRequest) {
    switch request {
    case .answer(let id, let item, _, _):
      clients[number].seen["\(id)/\(item)"] = model.evaluations[id]?.revision(of: item)
    case .batch(let id, let operations):
      for operation in operations {
        clients[number].seen["\(id)/\(operation.item)"] = model.evaluations[id]?.revision(of: operation.item)
      }
    case .create(let id, _), .submit(let id), .reopen(let id), .withdraw(let id), .migrate(let id, _, _):
      clients[number].seen[id] = model.evaluations[id]?.revision
    case .insert(let kit, let question, _), .reword(let kit, let question, _, _), .move(let kit, let question, _, _),
      .remove(let kit, let question, _), .restore(let kit, let question):
      let place = model.kits[kit]?.place(of: question)
      clients[number].seen["\(kit)/\(question)"] = place.flatMap { model.kits[kit]?.questions[$0].revision }
    }
  }

  /// Reads everything afresh, after the changes since the last time.
  private func reconnect(_ number: Int) async throws {
    while true {
      let page = try test.store.feed(after: clients[number].cursor, limit: 100, for: TestStore.caller)
      let told = page.changes.map(\.words)
      let wanted = model.changes.dropFirst(clients[number].heard).prefix(told.count)
      #expect(told == Array(wanted) && !page.isReset, "seed \(seed)")
      clients[number].heard += told.count
      clients[number].cursor = page.cursor
      if !page.hasMore { break }
    }
    #expect(clients[number].heard == model.changes.count, "seed \(seed)")
    for (id, evaluation) in model.evaluations {
      clients[number].seen[id] = try test.evaluation(ItemID(stringLiteral: id)).summary.revision
      for item in evaluation.values.keys { clients[number].seen["\(id)/\(item)"] = evaluation.revision(of: item) }
    }
    for (id, kit) in model.kits {
      for question in kit.questions { clients[number].seen["\(id)/\(question.id)"] = question.revision }
    }
  }
}

// MARK: - The whole state

extension ModelRun {
  func compare(_ moment: String) async throws {
    for (id, wanted) in model.kits {
      for (revision, questions) in [(wanted.revision, wanted.questions)] + wanted.revisions.shuffled().prefix(5) {
        let kit = try test.store.kit(ItemID(stringLiteral: id), revision: revision, for: TestStore.caller).kit
        let found = kit.sections[0].questions.map {
          ModelQuestion(id: $0.id.string, text: $0.text.string, isRequired: $0.required, revision: $0.revision)
        }
        #expect(found == questions, "seed \(seed) \(moment): \(id) at revision \(revision)")
      }
    }
    for (id, wanted) in model.evaluations {
      let found = try test.evaluation(ItemID(stringLiteral: id))
      let summary = found.summary
      #expect(
        summary.revision == wanted.revision && summary.status.rawValue == wanted.status, "seed \(seed) \(moment): \(id)"
      )
      #expect(
        summary.kitRevision == wanted.kitRevision && summary.progress.missing == model.missing(wanted),
        "seed \(seed) \(moment)")
      #expect(Set(found.answers.map(\.itemID.string)) == Set(wanted.values.keys), "seed \(seed) \(moment): \(id)")
      for (item, values) in wanted.values {
        let answer = found.answers[ItemID(stringLiteral: item)]
        #expect(
          answer?.revision == values.count && answer?.words == values.last, "seed \(seed) \(moment): \(id) \(item)")
        let history = try test.store.answerHistory(
          ItemID(stringLiteral: id), item: ItemID(stringLiteral: item), limit: 200, for: TestStore.caller)
        #expect(history.items.map(\.words) == values.suffix(200).reversed(), "seed \(seed) \(moment): \(id) \(item)")
        let lost = history.lostConflicts.map(\.words)
        #expect(lost == (wanted.lost[item] ?? []).suffix(200).reversed(), "seed \(seed) \(moment): \(id) \(item)")
      }
    }
  }
}

extension Answer {
  fileprivate var words: String? { if case .text(let text) = content.value { text.string } else { nil } }
}

extension LostAnswer {
  fileprivate var words: String {
    if case .text(let text) = content.value { "\(by) \(ifRevision ?? -1) \(text.string)" } else { "?" }
  }
}

extension Change {
  fileprivate var words: String {
    "\(kind.rawValue) \((evaluationID ?? kitID)?.string ?? "-") \(itemID?.string ?? "-") \(revision)"
  }
}

// MARK: - The store

extension ModelRun {
  private func perform(_ request: ModelRequest, by author: Caller, key: String?) async -> String {
    let retry = key.map { RetryKey(key: $0, digest: "\(request)") }
    do throws(StoreError) { return try await write(request, by: author, retry: retry) } catch {
      return "refused \(Refusal(error))"
    }
  }

  private func write(_ request: ModelRequest, by author: Caller, retry: RetryKey?) async throws(StoreError) -> String {
    let store = test.store
    func id(_ text: String) -> ItemID { ItemID(stringLiteral: text) }
    switch request {
    case .create(let evaluation, let kit):
      let draft = EvaluationDraft(
        id: id(evaluation), kitID: id(kit), candidate: Person(id: "c"), interviewer: Person(id: "i"))
      return words(try await store.createEvaluation(draft, by: author, retry: retry))
    case .answer(let evaluation, let item, let value, let seen):
      let operation = operation(nil, item, value, seen)
      let written = try await store.writeAnswers(id(evaluation), [operation], by: author, retry: retry)
      return words(written.results[0])
    case .batch(let evaluation, let operations):
      let written = try await store.writeAnswers(
        id(evaluation), operations.map { operation($0.id, $0.item, $0.value, $0.seen) }, by: author, retry: retry)
      return written.results.map(words).joined(separator: ", ")
    case .submit(let evaluation):
      return words(try await store.take(.submit, on: id(evaluation), by: author, retry: retry))
    case .reopen(let evaluation):
      return words(try await store.take(.reopen(reason: "r"), on: id(evaluation), by: author, retry: retry))
    case .withdraw(let evaluation):
      return words(try await store.take(.withdraw, on: id(evaluation), by: author, retry: retry))
    case .migrate(let evaluation, let revision, let seen):
      return words(
        try await store.changeEvaluation(id(evaluation), precondition: .revisions([seen]), by: author, retry: retry) {
          (evaluation, _, _) throws(StoreError) in
          var summary = evaluation.summary
          summary.kitRevision = revision
          return summary
        })
    case .restore(let kit, let question):
      return words(try await store.restoreItem(id(question), inKit: id(kit), by: author, retry: retry))
    default: return try await edit(request, by: author, retry: retry)
    }
  }

  private func edit(_ request: ModelRequest, by author: Caller, retry: RetryKey?) async throws(StoreError) -> String {
    func id(_ text: String) -> ItemID { ItemID(stringLiteral: text) }
    func place(_ after: String?) -> Place { after.map { .after(id($0)) } ?? .first }
    let edit: @Sendable (Kit, Timestamp) throws(KitEditError) -> KitChange?
    let (kit, question, seen): (String, String, Int?)
    switch request {
    case .insert(let kitID, let questionID, let after):
      (kit, question, seen) = (kitID, questionID, nil)
      let (new, place) = (
        Question(
          id: id(questionID), order: .between(nil, nil), text: ExactText("\(questionID)?"),
          required: questionID.hasSuffix("0"), kind: .longText(maxLength: 100)), place(after)
      )
      edit = { (kit, now) throws(KitEditError) in try kit.inserting(new, in: "s1", at: place, now: now) }
    case .reword(let kitID, let questionID, let text, let revision):
      (kit, question, seen) = (kitID, questionID, revision)
      edit = { (kit, now) throws(KitEditError) in
        guard var question = KitSnapshot(kit).question(ItemID(stringLiteral: questionID))?.question else {
          throw .notFound(ItemID(stringLiteral: questionID))
        }
        question.text = ExactText(text)
        return try kit.updating(question, now: now)
      }
    case .move(let kitID, let questionID, let after, let revision):
      (kit, question, seen) = (kitID, questionID, revision)
      let (moved, place) = (id(questionID), place(after))
      edit = { (kit, now) throws(KitEditError) in try kit.movingQuestion(moved, to: nil, at: place, now: now) }
    case .remove(let kitID, let questionID, let revision):
      (kit, question, seen) = (kitID, questionID, revision)
      let removed = id(questionID)
      edit = { (kit, now) throws(KitEditError) in try kit.removing(removed, now: now) }
    default: return "refused unknown"
    }
    return words(
      try await test.store.changeKit(
        id(kit), item: id(question), precondition: seen.map { .revisions([$0]) } ?? .none, by: author, retry: retry
      ) { (snapshot, now) throws(StoreError) in
        try edited { () throws(KitEditError) in try edit(snapshot.kit, now) }
      })
  }

  private func operation(_ name: String?, _ item: String, _ value: String?, _ seen: Int) -> AnswerOperation {
    let content = AnswerContent(value: value.map { .text(ExactText($0)) })
    return AnswerOperation(
      operationID: name, digest: "\(item) \(value ?? "-") \(seen)", itemID: ItemID(stringLiteral: item),
      precondition: .revisions([seen])
    ) { (_, _) throws(StoreError) in content }
  }

  private func words(_ written: KitWritten) -> String { "\(written.outcome) \(written.snapshot.kit.revision)" }
  private func words(_ written: EvaluationWritten) -> String {
    "\(written.outcome) \(written.evaluation.summary.revision)"
  }

  private func words(_ result: AnswerResult) -> String {
    switch result.result {
    case .success(let written): "\(written.outcome) \(written.answer.revision) \(written.answer.words ?? "-")"
    case .failure(let error): "refused \(Refusal(error))"
    }
  }
}
