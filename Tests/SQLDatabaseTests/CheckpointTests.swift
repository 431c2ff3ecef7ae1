// The write-ahead log stays bounded while much is written, and after a long read.
import Glibc
import SQLDatabase
import TestKit
import Testing

@Suite struct CheckpointTests {
  /// Small numbers, so that a test writes little: the log is to stay below 300 pages.
  private func database() -> TestDatabase {
    var database = TestDatabase()
    database.limits.checkpointPages = 50
    database.limits.checkpointStepPages = 20
    database.limits.writerCheckpointPages = 200
    database.limits.oversizeRetryMilliseconds = 2
    database.limits.walBytes = 300 * 4_096
    return database
  }

  private func logBytes(_ database: TestDatabase) -> Int {
    var status = stat()
    return unsafe stat(database.folder.file("test.db-wal"), &status) == 0 ? Int(status.st_size) : 0
  }

  private func write(_ connection: SQLiteConnection, times: Int) throws {
    for number in 0..<times {
      try connection.begin(.writing)
      try connection.execute(
        "INSERT INTO t (a) VALUES ($1)", [.text(String(repeating: "\(number % 10)", count: 9_000))])
      try connection.commit()
      try connection.maintain()
    }
  }

  @Test func `the log does not grow with what is written`() throws {
    let database = database()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a TEXT)")
    try write(connection, times: 600)
    #expect(logBytes(database) <= 300 * 4_120)
    #expect(try connection.first("SELECT COUNT(*) FROM t")?.integer(0) == 600)
  }

  @Test(.timeLimit(.minutes(1))) func `a log that a long read has held is cut when the read ends`() throws {
    let database = database()
    let connection = try database.open()
    try connection.script("CREATE TABLE t (a TEXT)")
    let reader = try database.open(.reading)
    try reader.begin(.reading)
    _ = try reader.first("SELECT COUNT(*) FROM t")
    try write(connection, times: 400)
    #expect(logBytes(database) > 400 * 4_096)
    reader.rollback()
    // Nobody writes any more: the checkpointer's own thread does it.
    while logBytes(database) > 0 { sched_yield() }
    #expect(try connection.first("SELECT COUNT(*) FROM t")?.integer(0) == 400)
  }
}
