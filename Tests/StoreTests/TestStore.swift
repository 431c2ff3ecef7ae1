// A store in a temporary folder, with a clock that a test moves, and the kits that tests are about.
public import InterviewKits
import Locks
import SQLDatabase
import TestKit

@testable import Store

extension ItemID: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    guard let id = ItemID(value) else { preconditionFailure("'\(value)' is no ID") }
    self = id
  }
}

/// Opens and reopens one database: a file, or a schema of PostgreSQL's that several servers may share.
final class TestStore: Sendable {
  let folder: TemporaryFolder
  let limits: StoreLimits
  /// What `Store.open` takes.
  let name: String
  private let time = Lock((now: 1_000, step: 1))
  private let opened: Lock<[Store]>
  /// Which of the open servers is asked.
  private let asked = Lock(0)

  static let caller = Caller(accountID: Store.defaultAccount, memberID: "anonymous")
  static let author = caller

  static func make(limits: StoreLimits = StoreLimits()) throws(StoreError) -> TestStore {
    let test = TestStore(limits: limits, on: TestedDatabase.current)
    try test.open()
    return test
  }

  private init(limits: StoreLimits, on database: TestedDatabase) {
    self.limits = limits
    folder = TemporaryFolder()
    name = database == .sqlite ? "sqlite:" + folder.file("store.db") : TestedDatabase.newSchema()
    opened = Lock([])
  }

  var path: String { folder.file("store.db") }

  var store: Store {
    let (servers, asked) = (servers, asked.withLock { $0 })
    precondition(asked < servers.count, "the store is closed")
    return servers[asked]
  }

  /// All that are open.
  var servers: [Store] { opened.withLock { $0 } }

  func open(servers: Int = 1) throws(StoreError) {
    opened.withLock { $0 = [] }
    for _ in 0..<servers { try addServer() }
  }

  /// One more server on the same database.
  func addServer() throws(StoreError) {
    let store = try Store.open(name, limits: limits) { [time] in Self.now(time) }
    opened.withLock { $0.append(store) }
  }

  func close() async {
    for store in servers { await store.close() }
    opened.withLock { $0 = [] }
    asked.withLock { $0 = 0 }
  }

  func reopen() async throws {
    let count = servers.count
    await close()
    try open(servers: count)
  }

  /// Asks another server from now on, as a client does whose requests are spread over several.
  func ask(_ server: Int) async throws(StoreError) {
    asked.withLock { $0 = server }
    try await store.catchUp()
  }

  /// Every look at the clock is a millisecond later, unless it stands.
  private static func now(_ time: Lock<(now: Int, step: Int)>) -> Timestamp {
    time.withLock { time in
      time.now += time.step
      return Timestamp(milliseconds: time.now)
    }
  }

  /// From now on time goes on only when a test moves it.
  func stopClock(at milliseconds: Int) { time.withLock { $0 = (milliseconds, 0) } }
  func advance(milliseconds: Int) { time.withLock { $0.now += milliseconds } }

  /// A connection of another program.
  func outsider(busyTimeoutMilliseconds: Int = 50) throws -> any SQLConnection {
    if PostgresDatabase.isNamed(by: name) { return try PostgresDatabase(name).open(.writing) }
    var limits = SQLiteLimits()
    limits.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    return try SQLiteDatabase(path: path, limits: limits).open(.writing)
  }

  // MARK: Shortcuts

  func kit(_ id: ItemID) throws(StoreError) -> Kit { try store.kit(id, for: Self.caller).kit }
  func evaluation(_ id: ItemID) throws(StoreError) -> Evaluation { try store.evaluation(id, for: Self.caller) }
  func changes(after sequence: Int = 0) throws(StoreError) -> [Change] {
    try store.changes(after: sequence, for: Self.caller)
  }

  @discardableResult func create(_ kit: Kit) async throws(StoreError) -> KitWritten {
    try await store.createKit(kit, by: Self.author)
  }

  @discardableResult func change(
    _ id: ItemID, item: ItemID? = nil, _ precondition: Precondition = .exists,
    edit: @escaping @Sendable (Kit, Timestamp) throws(KitEditError) -> KitChange?
  ) async throws(StoreError) -> KitWritten {
    try await store.changeKit(id, item: item, precondition: precondition, by: Self.author) {
      (snapshot, now) throws(StoreError) in
      try edited { () throws(KitEditError) in try edit(snapshot.kit, now) }
    }
  }

  @discardableResult func evaluate(
    _ kit: ItemID, as id: ItemID = "e1", candidate: Person = Person(id: "c1", name: "Kim"), revision: Int? = nil
  ) async throws(StoreError) -> EvaluationWritten {
    let draft = EvaluationDraft(
      id: id, kitID: kit, kitRevision: revision, candidate: candidate, interviewer: Person(id: "i1", name: "Lee"))
    return try await store.createEvaluation(draft, by: Self.author)
  }

  /// Writes one answer and gives its result.
  @discardableResult func answer(
    _ item: ItemID, _ value: AnswerValue?, _ precondition: Precondition = .none, in evaluation: ItemID = "e1"
  ) async throws(StoreError) -> AnswerWritten {
    let operation = AnswerOperation(
      itemID: item, content: AnswerContent(value: value), precondition: precondition)
    let written = try await store.writeAnswers(evaluation, [operation], by: Self.author)
    return try written.results[0].result.get()
  }
}

extension Kit {
  /// One section `s1` of long text questions `q1`, `q2` ….
  static func sample(_ id: ItemID = "k1", questions: Int = 3, title: ExactText = "Backend", letters: Int = 10) -> Kit {
    let orders = OrderKey.sequence(count: questions)
    let filler = String(repeating: "x", count: letters)
    let made = (0..<questions).map { number in
      Question(
        id: ItemID(stringLiteral: "q\(number + 1)"), order: orders[number], text: ExactText("Why \(number)? \(filler)"),
        kind: .longText(maxLength: 20_000))
    }
    let section = Section(id: "s1", order: .between(nil, nil), title: "Start", questions: made)
    return Kit(
      id: id, title: title, sections: [section], createdAt: Timestamp(milliseconds: 0),
      updatedAt: Timestamp(milliseconds: 0))
  }

  /// Every type of question, with scales, a condition and an overall question.
  static func everything(_ id: ItemID = "all") -> Kit {
    let kinds: [Question.Kind] = [
      .shortText(maxLength: 80), .longText(maxLength: 500), .yesNo,
      .singleSelect([Option(id: "o1", text: "Café"), Option(id: "o2", text: "Cafe\u{301}")]),
      .multiSelect([Option(id: "o3", text: "한국어"), Option(id: "o4", text: "a\r\nb")]), .number, .date,
      .rating(scale: "fourPoint"),
      .scorecard(scale: "own", criteria: [Criterion(id: "c1", text: "Depth"), Criterion(id: "c2", text: "👩‍💻")]), .note,
    ]
    let orders = OrderKey.sequence(count: kinds.count)
    var questions = zip(kinds, orders).enumerated().map { number, pair in
      Question(
        id: ItemID(stringLiteral: "q\(number + 1)"), order: pair.1, text: ExactText("Question \(number)"),
        help: number % 2 == 0 ? "Help" : nil, required: number < 3, isPrivate: number == 4, kind: pair.0)
    }
    questions[1].visibleWhen = VisibilityCondition(questionID: "q3", equals: .bool(true))
    questions[6].visibleWhen = VisibilityCondition(questionID: "q6", equals: .number(.decimal(2.5)))
    questions[7].visibleWhen = VisibilityCondition(questionID: "q4", equals: .string("o2"))
    let points = [ScalePoint(id: "p1", label: "Low"), ScalePoint(id: "p2", label: "High")]
    return Kit(
      id: id, title: "All \u{1F469}\u{200D}\u{1F4BB}", instructions: "Read\nthis", language: "ko", status: .draft,
      visibility: .never, overallQuestionID: "q8", scales: [Scale(id: "own", title: "Own", points: points)],
      sections: [
        Section(id: "s1", order: OrderKey.sequence(count: 2)[0], title: "One", questions: questions),
        Section(id: "s2", order: OrderKey.sequence(count: 2)[1], title: "Empty"),
      ], createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0))
  }

  /// The kit without what differs between two writes of the same content.
  var withoutTimes: Kit {
    var kit = self
    (kit.createdAt, kit.updatedAt) = (Timestamp(milliseconds: 0), Timestamp(milliseconds: 0))
    return kit
  }

  var questionIDs: [String] { sections.flatMap { $0.questions.map(\.id.string) } }
}
