// The interface that drivers give: a database that opens connections, and a connection that runs SQL.

/// A database that connections can be opened to.
public protocol Database: Sendable {
  /// Opens a connection, with every setting that it needs.
  func connect(_ role: ConnectionRole) throws(SQLError) -> any SQLConnection
  /// What to write after the closing parenthesis of a `CREATE TABLE` whose rows are to lie in the order of the key.
  var clusteredTableSuffix: String { get }
  /// True when other programs may write, too: what one has in memory must be compared with the database before it is used.
  var isShared: Bool { get }
  /// Something that hears of others' commits; nil when the database is not shared.
  func listener() throws(SQLError) -> (any SQLListener)?
  /// Copies the database as it stands at the start, however much is written meanwhile. What has the name is whole: a copy
  /// that was stopped or is damaged never gets it.
  /// - Parameters:
  ///   - path: of the copy.
  ///   - replacing: false: nothing may be there yet.
  ///   - script: statements that the copy gets before its name.
  ///   - progress: told how many of how many portions are copied.
  ///   - isApproved: looks at the whole copy before it gets its name; one that is not approved gets `path` and `.faulty`.
  func backup(
    to path: String, replacing: Bool, preparing script: String, progress: (_ done: Int, _ total: Int) -> Void,
    isApproved: (any Database) -> Bool
  ) throws(SQLError)
  /// Removes what was deleted from wherever it may still stand besides the tables: free room in pages, and the log.
  /// Nobody can write meanwhile; it takes as long as the database is large.
  /// - Returns: false when somebody's reading keeps the log; to be called again.
  func scrub() throws(SQLError) -> Bool
  /// What is wrong with the database, by its own check of structure and references; empty when all is well.
  func faults() throws(SQLError) -> [String]
  /// What is wrong with its pages, without the references and the order of indexes, which take far longer.
  func pageFaults() throws(SQLError) -> [String]
  /// About how much a check has to read; 0 when the database checks its own pages as it reads them.
  var bytesToCheck: Int { get }
  /// The length of its write-ahead log; 0 when that is not ours to keep.
  var logBytes: Int { get }
}

extension Database {
  public func pageFaults() throws(SQLError) -> [String] { [] }
  public var bytesToCheck: Int { 0 }
  public var logBytes: Int { 0 }
}

/// A connection that hears what writers announce.
public protocol SQLListener: AnyObject, Sendable {
  /// For queries between two waits; it refuses to write.
  var connection: any SQLConnection { get }
  /// Returns when something was announced since the last call, when the bell is rung, or when the time is over.
  func wait(_ bell: Bell, milliseconds: Int) throws(SQLError)
}

/// What a connection is for.
public enum ConnectionRole: Sendable {
  case writing
  /// Refuses every write.
  case reading
  /// Runs beside a writer for the driver's own housekeeping; never waits for a lock.
  case maintaining
}

/// One connection. It is used by one thread at a time; a transaction belongs to the connection.
///
/// SQL takes `$1` placeholders, `ON CONFLICT` and `RETURNING`, as both SQLite and PostgreSQL do.
public protocol SQLConnection: AnyObject, Sendable {
  /// Runs one statement and calls `row` for each row of its result, until it returns false.
  func query(
    _ sql: String, _ values: [SQLValue], each row: (SQLRow) throws(SQLError) -> Bool
  ) throws(SQLError)
  /// Runs one statement.
  /// - Returns: how many rows it inserted, updated or deleted.
  @discardableResult func execute(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int
  /// Runs one statement whose result nobody reads, in its order, but perhaps later: its error may come with any statement
  /// after it, at last with the commit.
  /// - Parameter expecting: how many rows it must insert, update or delete; nil: any number. Another is `unexpectedValue`.
  func send(_ sql: String, _ values: [SQLValue], expecting: Int?) throws(SQLError)
  /// Runs several statements that take no arguments.
  func script(_ sql: String) throws(SQLError)
  /// Runs statements that make or change tables, whose texts are compared byte for byte.
  func define(_ sql: String) throws(SQLError)
  /// Begins a transaction: a writing one takes the write lock at once, so that it never fails half-way for a lock;
  /// a reading one sees one state of the database until its end.
  func begin(_ role: ConnectionRole) throws(SQLError)
  func commit() throws(SQLError)
  /// Undoes what is open; nothing when nothing is.
  func rollback()
  /// Within a transaction: those who listen hear of it when it is committed.
  func announce() throws(SQLError)
  /// False when the connection is lost, as far as can be told without asking the database.
  var isAlive: Bool { get }
  /// Which of its histories the database lives, as it was when the connection was made: another one after a failover, or
  /// when it was put back to an earlier time. Nil: it can't be told.
  var history: Int? { get }
  /// False after an error that made the database roll the transaction back by itself.
  var isInTransaction: Bool { get }
  /// The names of all tables.
  func tables() throws(SQLError) -> [String]
  /// The names of a table's columns, in its order.
  func columns(of table: String) throws(SQLError) -> [String]
  /// A number that changes when another connection has committed a change.
  func foreignChangeMark() throws(SQLError) -> Int
  /// Housekeeping after a commit, outside of a transaction; a writing connection only.
  /// - Throws: when the database's files can't be trusted to be on disk; what was committed is.
  func maintain() throws(SQLError)
  /// Puts everything that was committed to its place on disk, and fails when that is not certain.
  func consolidate() throws(SQLError)
  /// Closes after a failure of the disk: what is on disk is left for the next connection to recover.
  func abandon()
  /// Closes; the connection must not be used afterwards.
  func close()
}

extension SQLConnection {
  /// The first row of a result, or nil.
  public func first(_ sql: String, _ values: [SQLValue] = []) throws(SQLError) -> SQLRow? {
    var found: SQLRow?
    try query(sql, values) { (row) throws(SQLError) in
      found = row
      return false
    }
    return found
  }

  /// All rows of a result.
  public func rows(_ sql: String, _ values: [SQLValue] = []) throws(SQLError) -> [SQLRow] {
    var found: [SQLRow] = []
    try query(sql, values) { (row) throws(SQLError) in
      found.append(row)
      return true
    }
    return found
  }

  @discardableResult public func execute(_ sql: String) throws(SQLError) -> Int { try execute(sql, []) }

  public func send(_ sql: String) throws(SQLError) { try send(sql, [], expecting: nil) }

  public func columns(of table: String) throws(SQLError) -> [String] {
    try rows(
      """
      SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1
      ORDER BY ordinal_position
      """, [.text(table)]
    ).map { (row) throws(SQLError) in try row.text(0) }
  }

  public var history: Int? { 0 }
  public func consolidate() throws(SQLError) {}
  public func abandon() { close() }

  public func savepoint() throws(SQLError) { try send("SAVEPOINT operation") }
  public func releaseSavepoint() throws(SQLError) { try send("RELEASE SAVEPOINT operation") }

  /// Undoes everything since `savepoint()`.
  public func rollbackToSavepoint() throws(SQLError) {
    try send("ROLLBACK TO SAVEPOINT operation")
    try send("RELEASE SAVEPOINT operation")
  }
}
