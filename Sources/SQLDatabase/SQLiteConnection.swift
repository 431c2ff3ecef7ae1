// One SQLite connection with its prepared statements.
import CSQLite

/// A connection to a SQLite file.
///
/// `@unchecked Sendable`: SQLite is opened without its own mutex, so a connection is used by one thread at a time. Its
/// owner (the writer's thread, or the pool that lends a connection to one reader) keeps to that.
/// `@safe`: the handle is private and never used after `close`.
@safe public final class SQLiteConnection: SQLConnection, @unchecked Sendable {
  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]
  private let limits: SQLiteLimits
  /// Of a writing connection.
  private let checkpointer: SQLiteCheckpointer?
  /// Pages in the write-ahead log after the last commit of this connection; counted on a writing connection only.
  public private(set) var logPages = 0

  /// The length of the log at which the next checkpoint is due.
  private var nextCheckpointPages: Int

  init(handle: OpaquePointer, limits: SQLiteLimits, checkpointer: SQLiteCheckpointer?) {
    unsafe (self.handle, self.limits, self.checkpointer) = (handle, limits, checkpointer)
    nextCheckpointPages = limits.checkpointPages
  }

  deinit { close() }

  public func close() {
    guard let handle = unsafe handle else { return }
    checkpointer?.stop()
    statements.removeAll()
    unsafe sqlite3_close_v2(handle)
    unsafe self.handle = nil
  }

  public func abandon() {
    guard unsafe handle != nil else { return }
    keepLogOnClose()
    close()
  }

  /// A reader has no business with the log, and after a failure of the disk nobody has.
  func keepLogOnClose() { unsafe _ = interviewkit_keep_log_on_close(open) }

  private var open: OpaquePointer {
    guard let handle = unsafe handle else { preconditionFailure("a closed connection is not used") }
    return unsafe handle
  }

  public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(open) == 0 }

  public func query(
    _ sql: String, _ values: [SQLValue], each row: (SQLRow) throws(SQLError) -> Bool
  ) throws(SQLError) {
    let statement = try statement(for: sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {
      if try !row(statement.row()) { return }
    }
  }

  @discardableResult public func execute(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
    let statement = try statement(for: sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return unsafe Int(sqlite3_changes64(open))
  }

  public func script(_ sql: String) throws(SQLError) {
    let code = unsafe sqlite3_exec(open, sql, nil, nil, nil)
    if code != SQLITE_OK { throw unsafe SQLError(code: code, handle: open, sql: sql) }
  }

  public func begin(_ role: ConnectionRole) throws(SQLError) {
    try execute(role != .reading ? "BEGIN IMMEDIATE" : "BEGIN", [])
  }

  public func commit() throws(SQLError) {
    try checkpointer?.checkReads()
    try execute("COMMIT")
  }

  /// Lets somebody see how the database file is synchronised by this connection.
  func attach(_ watch: SQLiteSyncWatch) throws(SQLError) { try unsafe watch.attach(to: open) }

  public func rollback() {
    if isInTransaction { _ = try? execute("ROLLBACK") }
  }

  public func send(_ sql: String, _ values: [SQLValue], expecting: Int?) throws(SQLError) {
    let count = try execute(sql, values)
    guard let expecting, count != expecting else { return }
    let message = "\(count) rows were written where \(expecting) were meant"
    throw SQLError(kind: .unexpectedValue, message: message, sql: sql)
  }

  /// Texts compare by their bytes in SQLite unless it is told otherwise.
  public func define(_ sql: String) throws(SQLError) { try script(sql) }

  /// Nobody listens: one program at a time has the file.
  public func announce() throws(SQLError) {}

  public var isAlive: Bool { true }

  public func tables() throws(SQLError) -> [String] {
    try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .map { (row) throws(SQLError) in try row.text(0) }
  }

  public func columns(of table: String) throws(SQLError) -> [String] {
    try rows("SELECT name FROM pragma_table_info($1) ORDER BY cid", [.text(table)])
      .map { (row) throws(SQLError) in try row.text(0) }
  }

  /// How much its statements have looked at since the last call, in steps of SQLite's machine.
  func takeSteps() -> Int { statements.values.reduce(0) { $0 + $1.takeSteps() } }

  public func foreignChangeMark() throws(SQLError) -> Int { try first("PRAGMA data_version")?.integer(0) ?? 0 }

  private func statement(for sql: String) throws(SQLError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    if statements.count >= limits.statements { statements.removeAll() }
    let statement = try unsafe SQLiteStatement(sql: sql, handle: open)
    statements[sql] = statement
    return statement
  }
}

// MARK: - Copies

extension SQLiteConnection {
  /// Copies all pages as this connection sees them. Within a reading transaction that is one state, whoever writes.
  func copyPages(
    to target: OpaquePointer, step: Int32, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(SQLError) {
    guard let backup = unsafe sqlite3_backup_init(target, "main", open, "main") else {
      throw unsafe SQLError(code: sqlite3_extended_errcode(target), handle: target, sql: nil)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      code = unsafe sqlite3_backup_step(backup, step)
      let (rest, total) = unsafe (Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
      progress(total - rest, total)
    }
    let end = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw unsafe SQLError(code: code == SQLITE_DONE ? end : code, handle: target, sql: nil)
    }
  }
}

// MARK: - The write-ahead log

extension SQLiteConnection {
  /// How a checkpoint deals with others.
  public enum Checkpoint: String, Sendable {
    /// Moves what it can without waiting for anybody.
    case passive = "PASSIVE"
    /// Moves everything and cuts the log to nothing; fails as not complete when somebody reads.
    case truncate = "TRUNCATE"
  }

  /// Moves pages from the write-ahead log into the database file.
  /// - Returns: true when the whole log was moved, so that the next write starts it anew.
  public func checkpoint(_ kind: Checkpoint) throws(SQLError) -> Bool {
    guard let row = try first("PRAGMA wal_checkpoint(\(kind.rawValue))") else { return false }
    let (blocked, logged, moved) = (try row.integer(0), try row.integer(1), try row.integer(2))
    return blocked == 0 && logged == moved
  }

  public func consolidate() throws(SQLError) {
    guard try checkpoint(.truncate) else {
      throw SQLError(kind: .busy, message: "somebody reads, so that the log can't be moved into the database file")
    }
  }

  public func maintain() throws(SQLError) {
    if let failure = checkpointer?.failure { throw failure }
    guard logPages >= nextCheckpointPages else {
      // The log has started anew.
      if logPages < limits.checkpointPages { nextCheckpointPages = limits.checkpointPages }
      return
    }
    nextCheckpointPages = logPages + limits.checkpointStepPages
    guard logPages >= limits.writerCheckpointPages else {
      checkpointer?.wake(isOversize: false)
      return
    }
    do throws(SQLError) {
      if try checkpoint(.passive) { return }
    } catch { if error.kind != .busy { throw error } }
    checkpointer?.wake(isOversize: true)
  }

  /// Makes `logPages` follow the commits. This replaces SQLite's automatic checkpoints.
  func countLogPages() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_wal_hook(
      open,
      { context, _, _, pages in
        // The connection unregisters nothing: the hook ends with the handle that it closes itself.
        if let context = unsafe context {
          unsafe Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
        }
        return SQLITE_OK
      }, context)
  }
}
