// Lists look only where the table says, and the table says what the reach does, whatever happens.
import InterviewKits
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite(.onBothDatabases) struct InSightTests {
  /// The same in every run.
  static let known: ClosedRange<UInt64> = 1...3
  /// And some that nobody has tried; a failure names its seed.
  static let seeds: [UInt64] = known.map { $0 } + (0..<2).map { _ in UInt64.random(in: 100...999_999) }

  @Test(arguments: seeds)
  func `in random lives every list shows what is seen, page by page and under every filter`(_ seed: UInt64) async throws
  {
    let world = try await SightWorld(seed: seed)
    for step in 1...200 {
      try await world.step()
      guard try world.isTrue("seed \(seed), step \(step)", filtering: step % 25 == 0) else { return }
    }
    // The lives are worth it; one that nobody has tried may happen not to be.
    if Self.known.contains(seed) {
      #expect(world.shown > 500 && world.hidden > 500, "seed \(seed): \(world.shown) \(world.hidden)")
    }
    await world.test.close()
    var faults: [DatabaseFault] = []
    try Store.verify(world.test.name) { faults.append($0) }
    #expect(faults.isEmpty, "seed \(seed)")
  }

  @Test func `an import and the next start show the same lists`() async throws {
    let world = try await SightWorld(seed: 7)
    for _ in 1...150 { try await world.step() }
    let before = try world.lists()
    try await world.test.reopen()
    #expect(try world.lists() == before && before.contains { !$0.isEmpty })
    await world.test.close()
    let copy = try TransferTests.copy(of: world.test)
    var faults: [DatabaseFault] = []
    try Store.verify(copy) { faults.append($0) }
    #expect(faults.isEmpty)
    let store = try Store.open(copy) { Timestamp(milliseconds: 1_000_000) }
    #expect(try world.lists(in: store) == before)
    await store.close()
  }
}

/// Interviewers, observers, candidates and kits, to which anything happens. One task uses it.
private final class SightWorld {
  let test: TestStore
  private var random: SeededGenerator
  private let kits: [ItemID] = ["k1", "k2", "k3"]
  private var candidates: [ItemID] = ["c1", "c2", "c3", "c4"]
  private var roles: [ItemID: Role] = [
    "ann": .interviewer, "ben": .interviewer, "cas": .interviewer, "dan": .observer,
  ]
  private var made: [ItemID] = []
  private(set) var (shown, hidden) = (0, 0)

  init(seed: UInt64) async throws {
    (test, random) = (try TestStore.make(), SeededGenerator(seed: seed))
    for (kit, visibility) in zip(kits, [KitVisibility.afterOwnSubmission, .always, .never]) {
      var draft = Kit.sample(kit, questions: 1)
      draft.visibility = visibility
      try await test.create(draft)
    }
    for (id, role) in roles.sorted(by: { $0.key < $1.key }) {
      try await test.store.createMember(id, name: nil, role: role, by: TestStore.author)
    }
  }

  private func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

  private func caller(_ id: ItemID) -> Caller {
    Caller(accountID: Store.defaultAccount, memberID: id, role: roles[id] ?? .interviewer)
  }

  private var people: [ItemID] { roles.keys.sorted() }

  // MARK: What happens

  /// One operation; many are refused, which is one of the things that happen.
  func step() async throws {
    do throws(StoreError) { try await operate() } catch {
      switch error {
      case .notFound, .gone, .forbidden, .conflict, .incomplete, .invalid, .erasedCandidate: return
      default: throw error
      }
    }
  }

  private func operate() async throws(StoreError) {
    let person = pick(people)
    guard let id = made.isEmpty ? nil : pick(made), random.next() % 5 > 0 else { return try await create(person) }
    // Mostly the interviewer himself.
    let interviewer = try? test.evaluation(id).summary.interviewer.id
    let author = random.next() % 5 == 0 ? TestStore.author : interviewer.map { caller($0) } ?? caller(person)
    switch random.next() % 24 {
    case 0...5:
      let operation = AnswerOperation(
        itemID: "q1", content: AnswerContent(value: pick([nil, .text("a"), .text("b"), .text("c")])),
        precondition: .none)
      _ = try await test.store.writeAnswers(id, [operation], by: author)
    case 6...12: try await test.store.take(.submit, on: id, by: author)
    case 13...14: try await test.store.take(.reopen(reason: "r"), on: id, by: author)
    case 15: try await test.store.take(.withdraw, on: id, by: author)
    case 16:
      try await change(id, by: TestStore.author) { [candidate = pick(candidates)] in
        $0.candidate = Person(id: candidate)
      }
    case 17: try await change(id, by: TestStore.author) { $0.interviewer = Person(id: person) }
    case 18: try await change(id, by: author) { $0.kitRevision = 1 }
    case 19...20: try await show(pick(kits), to: pick([.afterOwnSubmission, .always, .never]))
    case 21...22: try await give(person, pick([.interviewer, .interviewer, .observer, .author]))
    default:
      if random.next() % 6 == 0 { return try await erase(pick(candidates)) }
      if random.next() % 6 == 0 { do { try await test.reopen() } catch { throw .notFound } }
    }
  }

  private func create(_ person: ItemID) async throws(StoreError) {
    let id = ItemID(stringLiteral: "e\(made.count + 1)")
    let draft = EvaluationDraft(
      id: id, kitID: pick(kits), candidate: Person(id: pick(candidates)), interviewer: Person(id: person))
    try await test.store.createEvaluation(draft, by: TestStore.author)
    made.append(id)
    let operation = AnswerOperation(
      itemID: "q1", content: AnswerContent(value: .text("an opinion")), precondition: .none)
    if random.next() % 4 > 0 { _ = try await test.store.writeAnswers(id, [operation], by: caller(person)) }
  }

  private func change(
    _ id: ItemID, by author: Caller, _ edit: @escaping @Sendable (inout EvaluationSummary) -> Void
  ) async throws(StoreError) {
    try await test.store.changeEvaluation(id, precondition: .exists, by: author) {
      (evaluation, _, _) throws(StoreError) in
      var summary = evaluation.summary
      edit(&summary)
      return summary
    }
  }

  private func show(_ kit: ItemID, to visibility: KitVisibility) async throws(StoreError) {
    try await test.change(kit) { (kit, now) throws(KitEditError) in
      var draft = kit
      draft.visibility = visibility
      return try kit.replacing(with: draft, now: now)
    }
  }

  private func give(_ person: ItemID, _ role: Role) async throws(StoreError) {
    try await test.store.changeMember(person, precondition: .exists, by: TestStore.author) {
      (member) throws(StoreError) in
      var member = member
      member.role = role
      return member
    }
    roles[person] = role
  }

  private func erase(_ candidate: ItemID) async throws(StoreError) {
    try await test.store.erase(candidate: candidate, by: TestStore.author)
    candidates = candidates.map { $0 == candidate ? ItemID(stringLiteral: "\(candidate)x") : $0 }
  }

  // MARK: What is seen

  private var callers: [Caller] {
    people.map(caller) + [Caller(accountID: Store.defaultAccount, memberID: "eve", role: .observer)]
  }

  /// What each is shown, with the cursors.
  func lists(in store: Store? = nil) throws -> [[String]] {
    try callers.map { caller in
      var lines: [String] = []
      var query = EvaluationQuery(limit: 3)
      repeat {
        let page = try (store ?? test.store).evaluations(query, for: caller)
        query.cursor = page.nextCursor
        lines += page.items.map(\.id.string) + [query.cursor ?? "end"]
      } while query.cursor != nil
      return lines
    }
  }

  private struct Seen: Hashable {
    var id, kit, candidate, interviewer: String
    var status: EvaluationStatus
  }

  /// Compares with the reach's condition on every row: the table, and all lists.
  func isTrue(_ place: String, filtering: Bool) throws -> Bool {
    let outsider = try test.outsider()
    defer { outsider.close() }
    let session = Session(connection: outsider)
    let all = try session.first("SELECT COUNT(*) FROM evaluation") { (row) throws(StoreError) in try row.integer(0) }
    for caller in callers {
      let reach = Reach(caller)
      var arguments: [SQLValue] = []
      let condition = reach.condition(&arguments)
      let seen = try session.rows(
        """
        SELECT id, kit_id, candidate_id, interviewer_id, status FROM evaluation WHERE \(condition)
        ORDER BY created_at DESC, id DESC
        """, arguments
      ) { (row) throws(StoreError) in
        Seen(
          id: try row.text(0), kit: try row.text(1), candidate: try row.text(2), interviewer: try row.text(3),
          status: try row.word(4, EvaluationStatus.self))
      }
      (shown, hidden) = (shown + seen.count, hidden + (all ?? 0) - seen.count)
      var found: Set<String> = []
      for viewer in reach.viewers {
        found.formUnion(
          try session.rows("SELECT evaluation_id FROM in_sight WHERE viewer = $1", [.text(viewer.text)]) {
            (row) throws(StoreError) in try row.text(0)
          })
      }
      if let writer = reach.writer { found.formUnion(seen.filter { $0.interviewer == writer.string }.map(\.id)) }
      guard found == Set(seen.map(\.id)) else {
        Testing.Issue.record("\(place): \(caller.memberID) sees \(seen), and the table says \(found.sorted())")
        return false
      }
      for query in filtering ? queries : [EvaluationQuery(limit: 200)] {
        guard try isTrue(query, seen, for: caller, place) else { return false }
      }
    }
    return true
  }

  /// Every set of filters, with pages of any size.
  private var queries: [EvaluationQuery] {
    (0..<16).map { set in
      EvaluationQuery(
        kitID: set & 1 == 0 ? nil : pick(kits), candidateID: set & 2 == 0 ? nil : pick(candidates),
        interviewerID: set & 4 == 0 ? nil : pick(people),
        status: set & 8 == 0 ? nil : pick([.draft, .submitted, .submitted, .withdrawn]), limit: pick([1, 2, 5, 200]))
    }
  }

  private func isTrue(
    _ query: EvaluationQuery, _ seen: [Seen], for caller: Caller, _ place: String
  ) throws -> Bool {
    let wanted = seen.filter { row in
      (query.kitID?.string ?? row.kit) == row.kit && (query.candidateID?.string ?? row.candidate) == row.candidate
        && (query.interviewerID?.string ?? row.interviewer) == row.interviewer
        && (query.status ?? row.status) == row.status
    }
    var query = query
    var found: [String] = []
    var pages = 0
    repeat {
      let page = try test.store.evaluations(query, for: caller)
      found += page.items.map(\.id.string)
      query.cursor = page.nextCursor
      pages += 1
    } while query.cursor != nil
    if found == wanted.map(\.id), pages == max(1, (wanted.count + query.limit - 1) / query.limit) { return true }
    Testing.Issue.record("\(place): \(caller.memberID) finds \(found) in \(pages) pages of \(query), not \(wanted)")
    return false
  }
}
