// The store on a PostgreSQL that ends connections, refuses transactions, is locked, or is away.
import InterviewKits
import Locks
import SQLDatabase
import Testing

@testable import Store

@Suite(.onPostgres) struct PostgresFaultTests {
  static func make(_ limits: StoreLimits = StoreLimits()) async throws -> TestStore {
    let test = try TestStore.make(limits: limits)
    try await test.create(.sample())
    try await test.evaluate("k1")
    return test
  }

  /// Ends all connections of all servers.
  static func cut(_ test: TestStore) throws {
    let outsider = try test.outsider()
    defer { outsider.close() }
    try outsider.execute(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'interviewkit' AND pid <> pg_backend_pid()
      """)
  }

  @Test func `connections that the database has ended are replaced, and nobody is told`() async throws {
    let test = try await Self.make()
    _ = try test.store.answerHistory("e1", item: "q1", for: TestStore.caller)
    for round in 1...3 {
      try Self.cut(test)
      try await test.answer("q1", .text(ExactText("round \(round)")), .exists)
      try Self.cut(test)
      #expect(try test.store.answerHistory("e1", item: "q1", for: TestStore.caller).items.count == round)
    }
    #expect(try test.changes().map(\.sequence) == Array(1...5))
  }

  @Test func `a batch whose connection is lost in its middle is run again whole, and nobody is told`() async throws {
    let test = try await Self.make()
    let runs = Lock(0)
    let operations = (1...3).map { number in
      AnswerOperation(
        operationID: "o\(number)", digest: "\(number)", itemID: ItemID(stringLiteral: "q\(number)"), precondition: .none
      ) { (_, _) throws(StoreError) in
        if number == 1 {
          let run = runs.withLock { runs in
            runs += 1
            return runs
          }
          do { if run == 1 { try Self.cut(test) } } catch { throw .database("nothing was cut: \(error)") }
        }
        return AnswerContent(value: .text(ExactText("text \(number)")))
      }
    }
    let written = try await test.store.writeAnswers("e1", operations, by: TestStore.author)
    #expect(try written.results.map { try $0.result.get().outcome } == [.created, .created, .created])
    #expect(runs.withLock { $0 } == 2)
    #expect(try test.evaluation("e1").answers.count == 3)
    #expect(try test.changes().map(\.sequence) == Array(1...5))
  }

  @Test func `a look at the database is taken through a new connection when its own is lost`() async throws {
    let test = try await Self.make()
    try test.addServer()
    for number in 1...3 {
      try await test.ask(0)
      try await test.answer("q1", .text(ExactText("\(number)")), .exists)
      try Self.cut(test)
      try await test.ask(1)
      #expect(try test.evaluation("e1").answers["q1"]?.revision == number)
    }
  }

  @Test(arguments: [(2, true), (3, false)])
  func `a group that the database refuses for another's sake is run again, a stated number of times`(
    times: Int, passes: Bool
  ) async throws {
    let test = try await Self.make()
    let outsider = try test.outsider()
    // A sequence is not rolled back: it counts the attempts.
    try outsider.script(
      """
      CREATE SEQUENCE attempts;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('attempts') <= \(times) THEN RAISE EXCEPTION 'could not serialize' USING ERRCODE = '40001'; END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER refusing BEFORE INSERT ON answer FOR EACH ROW EXECUTE FUNCTION refuse();
      """)
    if passes {
      #expect(try await test.answer("q1", .text("kept")).outcome == .created)
    } else {
      await expect(.contended) { try await test.answer("q1", .text("kept")) }
      #expect(try test.evaluation("e1").answers.count == 0)
      #expect(try await test.answer("q1", .text("kept")).outcome == .created)
    }
    #expect(try test.changes().map(\.sequence) == [1, 2, 3])
  }

  @Test func `a write that the database refuses leaves the others of its group alone`() async throws {
    let test = try await Self.make()
    let outsider = try test.outsider()
    try outsider.script("ALTER TABLE answer ADD CHECK (content NOT LIKE '%forbidden%')")
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<12 {
        group.addTask {
          let text = number % 4 == 0 ? "forbidden" : "allowed"
          let item = ItemID(stringLiteral: "q\(number % 3 + 1)")
          return (try? await test.answer(item, .text(ExactText("\(text) \(number)")), .exists)) != nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 }.count == 9)
    #expect(try test.changes().map(\.sequence) == Array(1...11))
    let stored = try outsider.rows("SELECT content FROM answer UNION ALL SELECT content FROM answer_history")
    #expect(stored.count == 9)
  }

  @Test func `another's lock is busy after the stated time`() async throws {
    var limits = StoreLimits()
    limits.busyTimeoutMilliseconds = 60
    let test = try await Self.make(limits)
    let outsider = try test.outsider()
    try outsider.begin(.writing)
    #expect(try outsider.first("SELECT 1") != nil)
    await expect(.busy) { try await test.answer("q1", .text("late")) }
    try await test.store.catchUp()
    #expect(try test.evaluation("e1").answers.count == 0)
    outsider.rollback()
    outsider.close()
    #expect(try await test.answer("q1", .text("in time")).outcome == .created)
  }

  @Test func `a reader waits for a connection for the stated time, and is refused then`() async throws {
    var limits = StoreLimits()
    (limits.lentReadConnections, limits.readWaitMilliseconds) = (1, 20)
    let test = try await Self.make(limits)
    try test.store.pool.read { (session) throws(StoreError) in
      _ = #expect(throws: StoreError.self) { try test.store.answerHistory("e1", item: "q1", for: TestStore.caller) }
    }
    #expect(try test.store.answerHistory("e1", item: "q1", for: TestStore.caller).items.isEmpty)
    #expect(test.store.readConnections.refusals == 1)
  }

  @Test func `steps of the schema are made once, however many servers start at a time`() async throws {
    let test = try TestStore.make()
    let name = TestedDatabase.newSchema()
    let versions = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = try Store.open(name) { Timestamp(milliseconds: 0) }
          await store.close()
          return 1
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(versions == 4)
    await test.close()
    let connection = try PostgresDatabase(name).open(.reading)
    let count = try connection.first("SELECT COUNT(*), MAX(version) FROM schema_migration")
    #expect(count?.values == [.integer(Store.schemaVersion), .integer(Store.schemaVersion)])
  }
}
