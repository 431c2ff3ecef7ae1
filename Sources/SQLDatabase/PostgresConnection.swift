// One PostgreSQL connection with its prepared statements.
import CPostgres
import Glibc

/// A connection to a PostgreSQL server, always in pipeline mode: statements are sent without waiting, and their results
/// are read when one of them is needed.
///
/// `@unchecked Sendable`: like every connection it is used by one thread at a time, as its owner sees to.
/// `@safe`: the handle is private and never used after `close`.
@safe public final class PostgresConnection: SQLConnection, SQLListener, @unchecked Sendable {
  /// Whom the writers of one schema wake.
  static let channel = "interviewkit"

  let library: PostgresLibrary
  let limits: PostgresLimits
  private var handle: OpaquePointer?
  /// Why the connection is of no use any more.
  private(set) var failure: SQLError?
  public private(set) var isInTransaction = false
  /// The timeline (PostgreSQL's manual, section 26.3.5), known of a writing connection.
  public internal(set) var history: Int?
  /// What the server has still to answer, in order.
  var awaited: [Awaited] = []
  /// The names of the prepared statements, and the types that their placeholders were declared as.
  var statements: [String: Prepared] = [:]
  var preparedCount = 0
  /// The server's process that the connection was prepared on, and is to stay with; 0 until that is known.
  var session = 0
  /// Begins the names of prepared statements, which are no other connection's, also where sessions change hands.
  let prefix = "s" + String(UInt64.random(in: 0 ... .max), radix: 36) + "_"

  /// An answer that the server owes.
  struct Awaited {
    enum Kind { case preparation, statement, synchronisation }

    var kind: Kind
    var sql: String
    /// How many rows the statement must touch; nil: any number.
    var expecting: Int?
    /// Its transaction was rolled back, so its error is of no interest.
    var isAbandoned = false
    /// What another count of rows means; nil: a fault of the statement.
    var otherwise: SQLError?
  }

  struct Prepared {
    let name: String
    let types: [Oid]
  }

  init(handle: OpaquePointer, library: PostgresLibrary, limits: PostgresLimits) throws(SQLError) {
    unsafe (self.handle, self.library, self.limits) = (handle, library, limits)
    // Warnings of the server are in its own log.
    _ = unsafe library.setNoticeProcessor(handle, { _, _ in }, nil)
    guard unsafe library.setNonblocking(handle, 1) == 0, unsafe library.enterPipelineMode(handle) == 1 else {
      throw broken()
    }
  }

  deinit { close() }

  public func close() {
    guard let handle = unsafe handle else { return }
    unsafe library.finish(handle)
    unsafe self.handle = nil
  }

  var open: OpaquePointer {
    guard let handle = unsafe handle else { preconditionFailure("a closed connection is not used") }
    return unsafe handle
  }

  /// Gives the connection up: whatever was under way, the server undoes it or has done it.
  func broken(_ kind: SQLError.Kind = .unavailable, _ message: String? = nil) -> SQLError {
    if let failure { return failure }
    let error = unsafe SQLError(kind: kind, message: message ?? Self.lastMessage(of: open, library))
    failure = error
    isInTransaction = false
    awaited = []
    return error
  }

  /// libpq's own words, on one line.
  static func lastMessage(of handle: OpaquePointer, _ library: PostgresLibrary) -> String {
    let text = unsafe library.errorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    let line = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" } }.joined(separator: "; ")
    return line.isEmpty ? "the connection is lost" : line
  }

  public var isAlive: Bool {
    guard failure == nil, let handle = unsafe handle else { return false }
    var event = unsafe pollfd(fd: library.socket(handle), events: Int16(POLLIN), revents: 0)
    // A server that goes says why, and then closes: one look each.
    for _ in 0..<3 where unsafe poll(&event, 1, 0) > 0 {
      if unsafe library.consumeInput(handle) == 0 { return false }
    }
    return unsafe library.status(handle) == Int32(IK_CONNECTION_OK)
  }

  // MARK: Statements

  public func query(
    _ sql: String, _ values: [SQLValue], each row: (SQLRow) throws(SQLError) -> Bool
  ) throws(SQLError) {
    try submit(sql, values)
    guard let result = try unsafe synchronise() else { return }
    defer { unsafe library.clear(result) }
    let (rows, columns) = unsafe (library.rowCount(result), library.columnCount(result))
    for number in 0..<rows {
      var values: [SQLValue] = []
      values.reserveCapacity(Int(columns))
      for column in 0..<columns { values.append(try unsafe value(of: result, number, column)) }
      if try !row(SQLRow(values)) { return }
    }
  }

  private func value(of result: OpaquePointer, _ row: Int32, _ column: Int32) throws(SQLError) -> SQLValue {
    if unsafe library.isNull(result, row, column) != 0 { return .null }
    let length = Int(unsafe library.length(result, row, column))
    let bytes = unsafe UnsafeRawBufferPointer(start: library.value(result, row, column), count: length)
    return try unsafe SQLValue(postgres: bytes, type: library.columnType(result, column))
  }

  @discardableResult public func execute(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
    try submit(sql, values)
    guard let result = try unsafe synchronise() else { return 0 }
    defer { unsafe library.clear(result) }
    return unsafe affectedRows(of: result)
  }

  public func send(_ sql: String, _ values: [SQLValue], expecting: Int?) throws(SQLError) {
    try submit(sql, values, expecting: expecting)
    if awaited.count >= limits.pipelinedStatements { try settle() }
  }

  /// Waits for all that was sent.
  func settle() throws(SQLError) {
    if let result = try unsafe synchronise() { unsafe library.clear(result) }
  }

  // MARK: Transactions

  /// A writing transaction holds the schema's write lock: writers of all programs come one after the other, in the order
  /// in which they commit.
  public func begin(_ role: ConnectionRole) throws(SQLError) {
    if role == .reading {
      try send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      isInTransaction = true
    } else {
      try send("BEGIN")
      isInTransaction = true
      try lock()
    }
  }

  /// Takes the write lock, unless a pooler has put another session in the place of this one, which may not have its settings.
  private func lock() throws(SQLError) {
    let lock = "SELECT pg_advisory_xact_lock(\(Self.writeLock), hashtext(current_schema()))"
    try submit("\(lock) WHERE pg_backend_pid() = $1", [.integer(session)], expecting: 1, otherwise: Self.exchanged)
  }

  /// The first half of the write lock's key: of no meaning, and no other program's.
  private static let writeLock = 0x496E_7476

  public func commit() throws(SQLError) {
    // The server does not know how many rows were meant.
    if awaited.contains(where: { $0.expecting != nil }) { try settle() }
    try submit("COMMIT", [])
    try settle()
    isInTransaction = false
  }

  public func rollback() {
    guard isInTransaction, failure == nil else { return }
    isInTransaction = false
    do throws(SQLError) {
      try abandonAwaited()
      // Its answer is read with the next statement's.
      try submit("ROLLBACK", [])
      try sendSynchronisation()
      if unsafe library.flush(open) < 0 { throw broken() }
    } catch { _ = broken(error.kind, error.message) }
  }

  public func announce() throws(SQLError) {
    try send("SELECT pg_notify('\(Self.channel)', current_schema())")
  }

  // MARK: Schema

  public func tables() throws(SQLError) -> [String] {
    try rows(
      "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY 1"
    ).map { (row) throws(SQLError) in try row.text(0) }
  }

  public func define(_ sql: String) throws(SQLError) {
    try script(sql)
    try script(Self.comparingBytes)
  }

  /// Gives every text column the collation that compares bytes, whatever the database's default is.
  private static let comparingBytes = """
    DO $$
    DECLARE change record;
    BEGIN
      FOR change IN
        SELECT format('ALTER TABLE %I %s', relname, string_agg(
          format('ALTER COLUMN %I TYPE text COLLATE "C"', attname), ', ' ORDER BY attnum)) AS statement
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
          AND atttypid = 'text'::regtype AND attcollation <> '"C"'::regcollation
        GROUP BY relname
      LOOP EXECUTE change.statement; END LOOP;
    END $$
    """

  /// Nobody writes past the write lock, which the store's own counter follows.
  public func foreignChangeMark() throws(SQLError) -> Int { 0 }

  public func maintain() {}
}
