// The PostgreSQL driver: arguments, rows, errors, transactions, and connections that are lost.
import SQLDatabase
import TestKit
import Testing

/// A schema of a test's own.
struct TestSchema {
  let url: String
  var limits = PostgresLimits()

  init() throws {
    let name = "t\(UInt32.random(in: 0 ... .max))"
    try PostgresDatabase(TestPostgres.url).open(.writing).script("CREATE SCHEMA \(name)")
    url = TestPostgres.url(schema: name)
  }

  func open(_ role: ConnectionRole = .writing) throws -> PostgresConnection {
    try PostgresDatabase(url, limits: limits).open(role)
  }
}

@Suite struct PostgresTests {
  @Test(arguments: TextSample.all)
  func `a text comes back byte for byte`(sample: TextSample) throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a TEXT NOT NULL)")
    try connection.execute("INSERT INTO t (a) VALUES ($1)", [.text(sample.text)])
    #expect(try connection.rows("SELECT a FROM t").map(\.values) == [[.text(sample.text)]])
  }

  @Test func `every kind of value comes back, and a NUL is refused before it is sent`() throws {
    let connection = try TestSchema().open()
    try connection.define(
      "CREATE TABLE t (a TEXT, b BIGINT, c BIGINT, d DOUBLE PRECISION, e BYTEA, f BYTEA, g TEXT)")
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(0.1), .blob([0, 255]), .blob([]), .text(""),
    ]
    try connection.execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6, $7)", values)
    #expect(try connection.first("SELECT * FROM t")?.values == values)
    let error = #expect(throws: SQLError.self) {
      try connection.execute("UPDATE t SET a = $1", [.text("a\u{0}b")])
    }
    #expect(error?.kind == .unexpectedValue)
    #expect(try connection.execute("UPDATE t SET a = $1", [.text("again")]) == 1)
  }

  @Test func `texts are ordered by their bytes, whatever the database's collation is`() throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a TEXT NOT NULL PRIMARY KEY, n BIGINT NOT NULL)")
    try connection.define("ALTER TABLE t ADD COLUMN b TEXT")
    let texts = ["a", "B", "_", "ä", "z", "Z", "a-b", "ab", "a_b", "é", "e\u{301}", "😀", "\u{FFFD}", ""]
    for text in texts {
      try connection.execute("INSERT INTO t (a, b, n) VALUES ($1, $1, $2)", [.text(text), .integer(0)])
    }
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for column in ["a", "b"] {
      let found = try connection.rows("SELECT \(column) FROM t ORDER BY \(column)").map { try $0.text(0) }
      #expect(found == sorted)
    }
    #expect(try connection.rows("SELECT a FROM t WHERE (n, a) < ($1, $2)", [.integer(0), .text("_")]).count == 3)
  }

  @Test func `a reading connection refuses to write`() throws {
    let schema = try TestSchema()
    try schema.open().define("CREATE TABLE t (a BIGINT)")
    let reader = try schema.open(.reading)
    #expect(throws: SQLError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
    try reader.begin(.reading)
    #expect(try reader.first("SELECT COUNT(*) FROM t")?.integer(0) == 0)
    reader.rollback()
  }

  @Test func `an error carries message, state and SQL, and no argument`() throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a TEXT PRIMARY KEY)")
    let insert = "INSERT INTO t (a) VALUES ($1)"
    try connection.execute(insert, [.text("secret")])
    let error = try #require(
      #expect(throws: SQLError.self) { try connection.execute(insert, [.text("secret")]) })
    #expect(error.kind == .constraint && error.sql == insert)
    #expect(error.description.contains("23505") && !error.description.contains("secret"))
    try connection.execute(insert, [.text("other")])
    #expect(throws: SQLError.self) { try connection.execute("SELECT nothing FROM nowhere") }
    #expect(try connection.rows("SELECT a FROM t").count == 2)
  }

  @Test func `a savepoint undoes its own writes only`() throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a BIGINT)")
    try connection.begin(.writing)
    try connection.savepoint()
    try connection.send("INSERT INTO t VALUES (1)")
    try connection.releaseSavepoint()
    try connection.savepoint()
    try connection.send("INSERT INTO t VALUES (2)")
    try connection.rollbackToSavepoint()
    #expect(connection.isInTransaction)
    try connection.commit()
    #expect(try connection.rows("SELECT a FROM t").map(\.values) == [[.integer(1)]])
    #expect(!connection.isInTransaction)
  }

  @Test func `what was sent and failed is told at the commit, and nothing of it stays`() throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a BIGINT PRIMARY KEY)")
    try connection.begin(.writing)
    for number in [1, 2, 2, 3] { try connection.send("INSERT INTO t VALUES ($1)", [.integer(number)], expecting: 1) }
    let error = #expect(throws: SQLError.self) { try connection.commit() }
    #expect(error?.kind == .constraint)
    connection.rollback()
    #expect(try connection.first("SELECT COUNT(*) FROM t")?.integer(0) == 0)
    try connection.begin(.writing)
    try connection.send("UPDATE t SET a = 1", [], expecting: 1)
    #expect(#expect(throws: SQLError.self) { try connection.commit() }?.kind == .unexpectedValue)
  }

  @Test func `a write of another number of rows than was meant is not committed`() throws {
    let schema = try TestSchema()
    let connection = try schema.open()
    try connection.script("CREATE TABLE item (id BIGINT NOT NULL)")
    try connection.begin(.writing)
    try connection.send("INSERT INTO item (id) VALUES (1)")
    try connection.send("UPDATE item SET id = 2 WHERE id = 7", [], expecting: 1)
    #expect(#expect(throws: SQLError.self) { try connection.commit() }?.kind == .unexpectedValue)
    connection.rollback()
    #expect(try connection.first("SELECT COUNT(*) FROM item")?.integer(0) == 0)
  }

  @Test func `a rollback forgets the errors of what was sent before it`() throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a BIGINT PRIMARY KEY)")
    try connection.begin(.writing)
    for _ in 0..<2 { try connection.send("INSERT INTO t VALUES (1)") }
    connection.rollback()
    #expect(try connection.first("SELECT COUNT(*) FROM t")?.integer(0) == 0)
  }

  @Test func `thousands of statements are sent without waiting, and large ones`() throws {
    let connection = try TestSchema().open()
    try connection.define("CREATE TABLE t (a BIGINT, b TEXT)")
    try connection.begin(.writing)
    let text = String(repeating: "x", count: 50_000)
    for number in 0..<2_000 {
      let value: SQLValue = number % 20 == 0 ? .text(text) : .null
      try connection.send("INSERT INTO t VALUES ($1, $2)", [.integer(number), value], expecting: 1)
    }
    try connection.commit()
    let row = try connection.first("SELECT COUNT(*), COUNT(b), MAX(LENGTH(b)) FROM t")
    #expect(row?.values == [.integer(2_000), .integer(100), .integer(50_000)])
  }

  @Test func `more statements than are kept prepared can be run`() throws {
    var schema = try TestSchema()
    schema.limits.statements = 3
    let connection = try schema.open()
    for round in 0..<3 {
      for number in 0..<5 { #expect(try connection.first("SELECT \(number)")?.integer(0) == number, "\(round)") }
    }
  }

  @Test func `writers of one schema come one after the other, those of another do not wait`() throws {
    var schema = try TestSchema()
    schema.limits.lockMilliseconds = 50
    let (first, second) = (try schema.open(), try schema.open())
    try first.begin(.writing)
    #expect(try first.first("SELECT 1") != nil)
    try second.begin(.writing)
    let error = #expect(throws: SQLError.self) { try second.first("SELECT 1") }
    #expect(error?.kind == .busy)
    second.rollback()
    let other = try TestSchema().open()
    try other.begin(.writing)
    #expect(try other.first("SELECT 1") != nil)
    first.rollback()
    try second.begin(.writing)
    #expect(try second.first("SELECT 1") != nil)
  }
}
