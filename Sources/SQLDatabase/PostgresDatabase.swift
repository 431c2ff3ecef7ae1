// The PostgreSQL driver: a database that is named by a connection string, and how connections to it are made.
import CPostgres

/// Limits and times of the PostgreSQL driver.
public struct PostgresLimits: Sendable {
  /// How long one of the named hosts may take to answer, when the connection string does not say.
  public var connectSeconds = 3
  /// How long a statement, or all that were sent before it, may take; then the connection is given up.
  public var statementMilliseconds = 10_000
  /// The same for a script, such as a step of the schema.
  public var scriptMilliseconds = 600_000
  /// How long a statement waits for a lock before it fails as busy.
  public var lockMilliseconds = 5_000
  /// How long a transaction may do nothing before the server ends it: a program that has stopped holds no lock for longer.
  public var idleTransactionMilliseconds = 10_000
  /// Statements that are sent before their results are read.
  public var pipelinedStatements = 256
  /// Prepared statements kept by one connection.
  public var statements = 200

  public init() {}
}

/// A PostgreSQL database.
public struct PostgresDatabase: Database {
  private let connectionString: String
  public let limits: PostgresLimits

  /// - Parameter connectionString: a URI or keywords and values, as libpq takes them (its manual, section 34.1.1).
  public init(_ connectionString: String, limits: PostgresLimits = PostgresLimits()) {
    (self.connectionString, self.limits) = (connectionString, limits)
  }

  /// True when a text names a PostgreSQL database: `postgres://…`, `postgresql://…` or `host=… dbname=…`.
  public static func isNamed(by text: String) -> Bool {
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return true }
    let text = text.utf8.drop { $0 == 0x20 }
    let word = text.prefix { (0x61...0x7A).contains($0) || $0 == 0x5F }
    return !word.isEmpty && text.dropFirst(word.count).drop { $0 == 0x20 }.first == 0x3D
  }

  public var clusteredTableSuffix: String { "" }
  public var isShared: Bool { true }

  public func connect(_ role: ConnectionRole) throws(SQLError) -> any SQLConnection { try open(role) }

  /// Connects to the first named host that takes writes.
  /// - Throws: `cannotOpen` when the database can't be used as it is, `unavailable` when it can't be reached.
  public func open(_ role: ConnectionRole) throws(SQLError) -> PostgresConnection {
    let library = try PostgresLibrary.open()
    let connection = try unsafe PostgresConnection(handle: connect(library), library: library, limits: limits)
    do throws(SQLError) {
      try prepare(connection, for: role)
      if try connection.noteSession(), role == .writing { try checkPooler(of: connection) }
      if role == .writing { try noteHistory(of: connection) }
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  /// What is called PostgreSQL and is not may have no timelines: its history is not known then.
  private func noteHistory(of connection: PostgresConnection) throws(SQLError) {
    do throws(SQLError) {
      let name = try connection.first("SELECT pg_walfile_name(pg_current_wal_lsn())")?.text(0)
      connection.history = name.flatMap { Int($0.prefix(8), radix: 16) }
    } catch { if error.kind == .unavailable { throw error } }
  }

  private func checkPooler(of connection: PostgresConnection) throws(SQLError) {
    let library = connection.library
    let other = try unsafe PostgresConnection(handle: connect(library), library: library, limits: limits)
    defer { other.close() }
    try connection.checkSessionIsKept(beside: other)
  }

  public func listener() throws(SQLError) -> (any SQLListener)? {
    let connection = try open(.reading)
    do throws(SQLError) { try connection.script("LISTEN \(PostgresConnection.channel)") } catch {
      connection.close()
      throw error
    }
    return connection
  }

  private func connect(_ library: PostgresLibrary) throws(SQLError) -> OpaquePointer {
    // What stands after these in the connection string goes before them.
    let parameters = [
      ("application_name", "interviewkit"), ("connect_timeout", "\(limits.connectSeconds)"),
      ("target_session_attrs", "read-write"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "\(limits.statementMilliseconds)"),
      ("dbname", connectionString), ("client_encoding", "UTF8"),
    ]
    let strings = parameters.map { (Array($0.0.utf8CString), Array($0.1.utf8CString)) }
    let handle: OpaquePointer? = unsafe Self.withPointers(strings.map(\.0)) { keywords in
      unsafe Self.withPointers(strings.map(\.1)) { values in unsafe library.connect(keywords, values, 1) }
    }
    guard let handle = unsafe handle else { throw SQLError(kind: .other, message: "out of memory") }
    guard unsafe library.status(handle) == Int32(IK_CONNECTION_OK) else {
      let message = unsafe PostgresConnection.lastMessage(of: handle, library)
      unsafe library.finish(handle)
      throw SQLError(kind: .unavailable, message: message)
    }
    return unsafe handle
  }

  /// Calls `body` with the addresses of C strings, and a null one at the end.
  private static func withPointers<Value>(
    _ strings: [[CChar]], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    let flat = Array(strings.joined())
    return unsafe flat.withUnsafeBufferPointer { buffer in
      var start = 0
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      for string in strings {
        unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + start })
        start += string.count
      }
      unsafe pointers.append(nil)
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
  }

  /// Rows are looked up by an index however few a table has. A plan that reads all of a table takes longer for rows that
  /// whoever asks must not know of, and so does planning anew for what statistics say. What has no index is read all the
  /// same, at a price that would have it compiled.
  private static let readingByIndex = """
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
    SET plan_cache_mode = force_generic_plan
    """

  private func prepare(_ connection: PostgresConnection, for role: ConnectionRole) throws(SQLError) {
    // An acknowledged write is on disk, whatever the server's default is; a stronger default stays.
    try connection.script(
      """
      SET lock_timeout = \(limits.lockMilliseconds);
      SET idle_in_transaction_session_timeout = \(limits.idleTransactionMilliseconds);
      SET default_transaction_isolation = 'read committed';
      SET default_transaction_read_only = \(role == .reading ? "on" : "off");
      SET client_min_messages = warning;
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local');
      """)
    if role == .reading { try connection.script(Self.readingByIndex) }
    let row = try connection.first(
      "SELECT current_setting('server_encoding'), pg_is_in_recovery(), current_schema()")
    guard let row else { throw SQLError(kind: .unexpectedValue, message: "the server says nothing of itself") }
    let encoding = try row.text(0)
    guard encoding == "UTF8" else {
      throw SQLError(kind: .cannotOpen, message: "the database is encoded as \(encoding): one with UTF8 is needed")
    }
    guard try row.integer(1) == 0 else {
      throw SQLError(kind: .unavailable, message: "the server is a standby, which takes no writes")
    }
    guard try row.optionalText(2) != nil else {
      throw SQLError(kind: .cannotOpen, message: "the search_path of the connection names no schema that exists")
    }
  }

  public func backup(
    to path: String, replacing: Bool, preparing script: String, progress: (_ done: Int, _ total: Int) -> Void,
    isApproved: (any Database) -> Bool
  ) throws(SQLError) {
    throw SQLError(
      kind: .cannotOpen,
      message: "a PostgreSQL database is copied with its own tools, pg_basebackup or pg_dump: docs/postgresql.md")
  }

  /// Dead rows are cleared away; the server's own log and its archive are the operator's.
  public func scrub() throws(SQLError) -> Bool {
    let connection = try connect(.maintaining)
    defer { connection.close() }
    try connection.script("VACUUM")
    return true
  }

  /// The server's own tool, pg_amcheck, checks structure; it keeps references itself.
  public func faults() throws(SQLError) -> [String] { [] }
}
