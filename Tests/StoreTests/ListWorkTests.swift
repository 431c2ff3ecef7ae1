// How much a page of evaluations looks at: nothing that is hidden.
import InterviewKits
import TestKit
import Testing

@testable import SQLDatabase
@testable import Store

@Suite struct ListWorkTests {
  private static let callers = [
    Caller(accountID: Store.defaultAccount, memberID: "lee", role: .interviewer),
    Caller(accountID: Store.defaultAccount, memberID: "new", role: .interviewer),
    Caller(accountID: Store.defaultAccount, memberID: "eve", role: .observer),
    Caller(accountID: Store.defaultAccount, memberID: "art", role: .author),
  ]

  /// Every set of filters, and pages from the beginning and from between.
  private static var queries: [EvaluationQuery] {
    let between = Cursor(createdAt: Timestamp(milliseconds: 300_000), id: "m").text
    var queries: [EvaluationQuery] = []
    for kit in [nil, "after"] as [ItemID?] {
      for candidate in [nil, "c1"] as [ItemID?] {
        for interviewer in [nil, "lee", "kim"] as [ItemID?] {
          for status in [nil, .draft, .submitted, .withdrawn] as [EvaluationStatus?] {
            for cursor in [nil, between] {
              queries.append(
                EvaluationQuery(
                  kitID: kit, candidateID: candidate, interviewerID: interviewer, status: status, limit: 10,
                  cursor: cursor))
            }
          }
        }
      }
    }
    return queries
  }

  /// Sixty evaluations that lee and an observer see, and between each two of them hidden ones of the same kits, candidates
  /// and interviewers: others' drafts for both, and for lee what a kit or no sight keeps from him.
  private static func world(hiding count: Int) async throws -> TestStore {
    let test = try TestStore.make()
    for (id, visibility) in [("after", KitVisibility.afterOwnSubmission), ("always", .always), ("never", .never)] {
      var kit = Kit.sample(ItemID(stringLiteral: id), questions: 1)
      kit.visibility = visibility
      try await test.create(kit)
    }
    await test.close()
    let connection = try test.outsider()
    defer { connection.close() }
    try connection.begin(.writing)
    try connection.execute(
      "INSERT INTO candidate VALUES ('default', 'c1', NULL, 1, 1, 'a'), ('default', 'c2', NULL, 1, 1, 'a')")
    try connection.execute("INSERT INTO sight VALUES ('default', 'c1', 'lee', 1)")
    func insert(_ id: String, _ kit: String, _ candidate: String, _ interviewer: String, _ status: String, _ at: Int)
      throws
    {
      try connection.execute(
        """
        INSERT INTO evaluation (account_id, id, kit_id, kit_revision, candidate_id, interviewer_id, status, answered,
          required, missing, revision, created_at, created_by, updated_at, updated_by, submitted_at, submitted_by)
        VALUES ('default', $1, $2, 1, $3, $4, $5, 1, 0, 0, 1, $6, $4, $6, $4, $6, $4)
        """,
        [.text(id), .text(kit), .text(candidate), .text(interviewer), .text(status), .integer(at)])
    }
    for number in 0..<60 {
      let at = number * 10_000
      switch number % 3 {
      case 0: try insert("own\(number)", "after", "c1", "lee", ["draft", "submitted", "withdrawn"][number / 3 % 3], at)
      case 1: try insert("shown\(number)", "always", "c2", "kim", "submitted", at)
      default: try insert("sight\(number)", "after", "c1", "kim", "submitted", at)
      }
    }
    for number in 0..<count {
      let at = number * 600_000 / count + 1
      let status = number % 2 == 0 ? "draft" : "withdrawn"
      try insert("hidden\(number)", number % 3 == 0 ? "after" : "always", "c\(number % 2 + 1)", "kim", status, at)
    }
    try connection.commit()
    try InSightRows.fill(in: Session(connection: connection))
    if TestedDatabase.current == .postgres { try connection.script("ANALYZE") }
    return test
  }

  /// What a page of each list shows, and how much was looked at for it: steps of SQLite's machine, or rows of PostgreSQL's
  /// tables.
  private static func looks(at test: TestStore) throws -> [(list: String, shows: [String], work: Int)] {
    let connection: any SQLConnection =
      TestedDatabase.current == .postgres
      ? try PostgresDatabase(test.name).open(.reading) : try SQLiteDatabase(path: test.path).open(.reading)
    defer { connection.close() }
    let session = Session(connection: connection)
    var looks: [(list: String, shows: [String], work: Int)] = []
    for caller in callers {
      for query in queries {
        let reach = Reach(caller)
        _ = (connection as? SQLiteConnection)?.takeSteps()
        let page = try ListRows.evaluations(query, within: reach, in: session)
        var work = (connection as? SQLiteConnection)?.takeSteps() ?? 0
        if TestedDatabase.current == .postgres,
          let statement = EvaluationListSQL(
            query, before: try Cursor(query.cursor), limit: query.limit + 1, within: reach)
        {
          work = try rows(statement, on: connection)
        }
        looks.append(("\(caller.memberID) \(query)", page.items.map(\.id.string) + [page.nextCursor ?? "end"], work))
      }
    }
    return looks
  }

  /// The rows that PostgreSQL's plan gave, and those that its filters took away.
  private static func rows(_ statement: EvaluationListSQL, on connection: any SQLConnection) throws -> Int {
    let plan = try connection.rows(
      "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(statement.text)", statement.arguments
    ).map { (row) throws(SQLError) in try row.text(0) }
    var count = 0
    for line in plan {
      if let match = line.firstMatch(of: /rows=([0-9]+)\S* loops=([0-9]+)/) {
        count += (Int(match.1) ?? 0) * (Int(match.2) ?? 0)
      }
      if let match = line.firstMatch(of: /Rows Removed by [^:]*: ([0-9]+)/) { count += Int(match.1) ?? 0 }
    }
    #expect(plan.contains { $0.contains("actual rows=") }, "\(plan)")
    return count
  }

  @Test(arguments: TestedDatabase.allCases)
  func `a page looks at as much whatever is hidden between its rows`(database: TestedDatabase) async throws {
    try await TestedDatabase.$current.withValue(database) {
      let (bare, full) = (
        try await Self.looks(at: Self.world(hiding: 0)), try await Self.looks(at: Self.world(hiding: 5_000))
      )
      #expect(bare.count == full.count && bare.contains { $0.shows.count == 11 })
      for (one, other) in zip(bare, full) {
        #expect(one.shows == other.shows, "\(one.list)")
        #expect(other.work <= one.work * 3 / 2 + 100, "\(other.work) for \(one.work): \(one.list)")
      }
      // What a list without them costs is not what hides them.
      #expect(bare.allSatisfy { $0.work < 5_000 }, "\(bare.map(\.work).max() ?? 0)")
    }
  }
}
