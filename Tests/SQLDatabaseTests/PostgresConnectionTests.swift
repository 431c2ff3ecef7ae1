// Connections to PostgreSQL: which are made, how one that is lost is told, and who hears of a commit.
import TestKit
import Testing

@testable import SQLDatabase

@Suite struct PostgresConnectionTests {
  @Test(arguments: [
    ("postgres://localhost/a", true), ("postgresql:///a?host=/tmp", true), ("host=/tmp dbname=a", true),
    ("dbname = a", true), ("service=a", true), ("sqlite:a=b", false), ("a", false), ("/tmp/a=b", false), ("", false),
  ])
  func `a text is a connection string or none`(text: String, isOne: Bool) {
    #expect(PostgresDatabase.isNamed(by: text) == isOne)
  }

  @Test(arguments: [
    ("postgres://127.0.0.1:1/none", "refused"), ("host=/nowhere dbname=none", "/nowhere"),
    ("nonsense=1", "nonsense"), ("postgres://127.0.0.1:99999999/x", "port"),
  ])
  func `a database that can't be reached is told in one line`(url: String, word: String) throws {
    let error = #expect(throws: SQLError.self) { try PostgresDatabase(url).open(.writing) }
    #expect(error?.kind == .unavailable)
    #expect(error?.message.contains(word) == true && error?.message.contains("\n") == false, "\(error?.message ?? "")")
  }

  @Test func `the first of several hosts that takes writes is used`() throws {
    let schema = try TestSchema()
    let url = schema.url.replacing("host=/", with: "host=/nowhere,/")
      .replacing("&port=", with: "&target_session_attrs=read-write&port=1,")
    let connection = try PostgresDatabase(url).open(.writing)
    #expect(try connection.first("SELECT 1")?.integer(0) == 1)
  }

  @Test func `a commit is durable whatever the server's default, and a stronger default stays`() throws {
    let schema = try TestSchema()
    for (given, wanted) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply"), ("on", "on")] {
      let url = schema.url + "%20-csynchronous_commit%3D\(given)"
      let connection = try PostgresDatabase(url).open(.writing)
      #expect(try connection.first("SELECT current_setting('synchronous_commit')")?.text(0) == wanted)
    }
  }

  @Test func `a schema that does not exist is refused at once`() {
    let database = PostgresDatabase(TestPostgres.url(schema: "nowhere"))
    #expect(#expect(throws: SQLError.self) { try database.open(.writing) }?.kind == .cannotOpen)
  }

  @Test func `a connection that the server has ended is known as lost, and told as such`() throws {
    let schema = try TestSchema()
    let (connection, other) = (try schema.open(), try schema.open())
    let process = try #require(try connection.first("SELECT pg_backend_pid()")?.integer(0))
    #expect(connection.isAlive)
    try connection.begin(.writing)
    #expect(try connection.first("SELECT 1") != nil)
    try other.execute("SELECT pg_terminate_backend($1::int, 5000)", [.integer(process)])
    let error = #expect(throws: SQLError.self) { try connection.commit() }
    #expect(error?.kind == .unavailable && !connection.isAlive && !connection.isInTransaction)
    #expect(#expect(throws: SQLError.self) { try connection.execute("SELECT 1") }?.kind == .unavailable)
    connection.rollback()
    let idle = try schema.open()
    let idleProcess = try #require(try idle.first("SELECT pg_backend_pid()")?.integer(0))
    try other.execute("SELECT pg_terminate_backend($1::int, 5000)", [.integer(idleProcess)])
    #expect(!idle.isAlive)
  }

  @Test func `a connection that is given another session commits nothing, and says what is wrong`() throws {
    let schema = try TestSchema()
    let connection = try schema.open()
    try connection.script("CREATE TABLE item (id BIGINT NOT NULL)")
    #expect(connection.session > 0)
    // As under a pooler that lends sessions: another process answers than the one that was prepared.
    connection.session += 1
    try connection.begin(.writing)
    try connection.send("INSERT INTO item (id) VALUES (1)")
    let error = #expect(throws: SQLError.self) { try connection.commit() }
    #expect(error?.kind == .unavailable && error?.message == PostgresConnection.exchanged.message)
    #expect(!connection.isAlive)
    #expect(try schema.open().first("SELECT COUNT(*) FROM item")?.integer(0) == 0)
  }

  @Test func `what was prepared is never taken for another connection's`() throws {
    let schema = try TestSchema()
    let connection = try schema.open()
    #expect(try connection.first("SELECT 1")?.integer(0) == 1)
    // The session of another, which has prepared nothing of this connection's.
    try connection.script("DEALLOCATE ALL")
    let error = #expect(throws: SQLError.self) { try connection.first("SELECT 1") }
    #expect(error?.message == PostgresConnection.exchanged.message && !connection.isAlive)
    let (one, other) = (try schema.open(), try schema.open())
    #expect(one.prefix != other.prefix)
  }

  @Test func `a writing connection knows which history the database lives`() throws {
    let schema = try TestSchema()
    #expect(try schema.open().history == 1)
  }

  @Test func `a server that does not answer is given up in time`() throws {
    var schema = try TestSchema()
    schema.limits.statementMilliseconds = 100
    let connection = try schema.open()
    let error = #expect(throws: SQLError.self) { try connection.execute("SELECT pg_sleep(30)") }
    #expect(error?.kind == .unavailable && !connection.isAlive)
  }

  @Test func `a transaction that does nothing is ended by the server, and its lock is free`() throws {
    var schema = try TestSchema()
    schema.limits.idleTransactionMilliseconds = 50
    let (first, second) = (try schema.open(), try schema.open())
    try first.begin(.writing)
    #expect(try first.first("SELECT 1") != nil)
    try second.begin(.writing)
    #expect(try second.first("SELECT 1") != nil)
    #expect(#expect(throws: SQLError.self) { try first.commit() }?.kind == .unavailable)
  }

  @Test func `what is announced is heard once it is committed, and the bell wakes, too`() throws {
    let schema = try TestSchema()
    let listener = try #require(try PostgresDatabase(schema.url).listener())
    let bell = Bell()
    bell.ring()
    try listener.wait(bell, milliseconds: 60_000)
    let writer = try schema.open()
    try writer.begin(.writing)
    try writer.announce()
    try writer.commit()
    try listener.wait(bell, milliseconds: 60_000)
    #expect(try listener.connection.first("SELECT 1")?.integer(0) == 1)
  }
}
