// The SQLite driver: arguments, rows, errors, transactions.
import SQLDatabase
import TestKit
import Testing

/// A database file of a test's own.
struct TestDatabase {
  let folder = TemporaryFolder()
  var limits = SQLiteLimits()

  func open(_ role: ConnectionRole = .writing) throws -> SQLiteConnection {
    try SQLiteDatabase(path: folder.file("test.db"), limits: limits).open(role)
  }
}

@Suite struct SQLiteTests {
  @Test(arguments: TextSample.all + [TextSample("with NUL", "en", "a\u{0}b")])
  func `a text comes back byte for byte`(sample: TextSample) throws {
    let database = TestDatabase()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a TEXT NOT NULL)")
    try connection.execute("INSERT INTO t (a) VALUES ($1)", [.text(sample.text)])
    #expect(try connection.rows("SELECT a FROM t").map(\.values) == [[.text(sample.text)]])
  }

  @Test func `every kind of value comes back`() throws {
    let database = TestDatabase()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a, b, c, d, e, f, g)")
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(0.1), .blob([0, 255]), .blob([]), .text(""),
    ]
    try connection.execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6, $7)", values)
    #expect(try connection.first("SELECT * FROM t")?.values == values)
  }

  @Test func `arguments are bound by number, not by first appearance`() throws {
    let database = TestDatabase()
    let connection = try database.open()
    let row = try connection.first("SELECT $2, $1, $2", [.text("one"), .text("two")])
    #expect(row?.values == [.text("two"), .text("one"), .text("two")])
  }

  @Test func `the settings of a connection are those that are meant`() throws {
    let database = TestDatabase()
    let connection = try database.open()
    func pragma(_ name: String) throws -> SQLValue? { try connection.first("PRAGMA \(name)")?.values.first }
    #expect(try pragma("journal_mode") == .text("wal"))
    #expect(try pragma("synchronous") == .integer(2))
    #expect(try pragma("foreign_keys") == .integer(1))
    #expect(try pragma("busy_timeout") == .integer(5_000))
    #expect(try pragma("wal_autocheckpoint") == .integer(0))
    #expect(try pragma("journal_size_limit") == .integer(64 << 20))
  }

  @Test func `a reading connection refuses to write`() throws {
    let database = TestDatabase()
    try database.open().script("CREATE TABLE t (a)")
    let reader = try database.open(.reading)
    let error = #expect(throws: SQLError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
    #expect(error?.kind == .readOnly)
  }

  @Test func `an error carries code, message and SQL, and no argument`() throws {
    let database = TestDatabase()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a TEXT PRIMARY KEY)")
    let insert = "INSERT INTO t (a) VALUES ($1)"
    try connection.execute(insert, [.text("secret")])
    let error = try #require(
      #expect(throws: SQLError.self) { try connection.execute(insert, [.text("secret")]) })
    #expect(error.kind == .constraint && error.code == 1555 && error.sql == insert)
    #expect(error.description.contains("t.a") && !error.description.contains("secret"))
    // The statement can be used again.
    try connection.execute(insert, [.text("other")])
  }

  @Test func `a savepoint undoes its own writes only`() throws {
    let database = TestDatabase()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a)")
    try connection.begin(.writing)
    try connection.savepoint()
    try connection.execute("INSERT INTO t VALUES (1)")
    try connection.releaseSavepoint()
    try connection.savepoint()
    try connection.execute("INSERT INTO t VALUES (2)")
    try connection.rollbackToSavepoint()
    try connection.commit()
    #expect(try connection.rows("SELECT a FROM t").map(\.values) == [[.integer(1)]])
    #expect(!connection.isInTransaction)
  }

  @Test func `a lock that another holds is busy after the stated time`() throws {
    var database = TestDatabase()
    database.limits.busyTimeoutMilliseconds = 20
    let first = try database.open()
    let second = try database.open()
    try first.begin(.writing)
    let error = #expect(throws: SQLError.self) { try second.begin(.writing) }
    #expect(error?.kind == .busy)
    first.rollback()
    try second.begin(.writing)
    second.rollback()
  }

  @Test func `a full database says so and keeps what it has`() throws {
    let database = TestDatabase()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a TEXT)")
    try connection.execute("INSERT INTO t VALUES ('kept')")
    try connection.script("PRAGMA max_page_count = 10")
    let error = #expect(throws: SQLError.self) {
      try connection.execute("INSERT INTO t VALUES ($1)", [.text(String(repeating: "x", count: 100_000))])
    }
    #expect(error?.kind == .full)
    try connection.script("PRAGMA max_page_count = 100000")
    #expect(try connection.rows("SELECT a FROM t").count == 1)
  }

  @Test func `a file that is no database is refused`() throws {
    let folder = TemporaryFolder()
    let path = folder.write(String(repeating: "This is no database. ", count: 100), to: "notes.txt")
    let error = #expect(throws: SQLError.self) { try SQLiteDatabase(path: path).open(.writing) }
    #expect(error?.kind == .corrupt)
    let missing = SQLiteDatabase(path: folder.file("missing/test.db"))
    #expect(#expect(throws: SQLError.self) { try missing.open(.writing) }?.kind == .cannotOpen)
  }

  @Test func `others' commits are noticed, one's own are not`() throws {
    let database = TestDatabase()
    let first = try database.open()
    let second = try database.open()
    try first.script("CREATE TABLE t (a)")
    let mark = try first.foreignChangeMark()
    try first.execute("INSERT INTO t VALUES (1)")
    #expect(try first.foreignChangeMark() == mark)
    try second.execute("INSERT INTO t VALUES (2)")
    #expect(try first.foreignChangeMark() != mark)
  }
}
