// The SQLite driver: a database file, and the one function that opens it with every setting.
import CSQLite
import Glibc

/// Limits and times of the SQLite driver.
public struct SQLiteLimits: Sendable {
  /// How long a statement waits for a lock before it fails as busy.
  public var busyTimeoutMilliseconds = 5_000
  /// A write-ahead log that starts anew is cut to this size.
  public var walBytes = 64 << 20
  /// Pages in the log at which the background checkpoint runs: with 4 KiB a page, 16 MiB.
  public var checkpointPages = 4_000
  /// How many further pages make the next one due.
  public var checkpointStepPages = 1_000
  /// Pages in the log at which the writer moves the rest itself: 40 MiB.
  public var writerCheckpointPages = 10_000
  /// How often a log that a long read has held is looked at again.
  public var oversizeRetryMilliseconds = 1_000
  /// Page cache of one connection.
  public var cacheKibibytes = 4_096
  /// Prepared statements kept by one connection.
  public var statements = 200

  public init() {}
}

/// A SQLite database file.
public struct SQLiteDatabase: Database {
  public let path: String
  public let limits: SQLiteLimits

  public init(path: String, limits: SQLiteLimits = SQLiteLimits()) { (self.path, self.limits) = (path, limits) }

  public var clusteredTableSuffix: String { " WITHOUT ROWID" }

  public var isShared: Bool { false }

  public func listener() throws(SQLError) -> (any SQLListener)? { nil }

  public func connect(_ role: ConnectionRole) throws(SQLError) -> any SQLConnection { try open(role) }

  /// Opens a connection. A new file is readable by its owner only, since it holds text about people.
  public func open(_ role: ConnectionRole) throws(SQLError) -> SQLiteConnection {
    // Only a file that is not there yet: closing another descriptor of an open database would drop its locks.
    let made = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if made >= 0 { _ = Glibc.close(made) }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard let handle = unsafe handle else { throw SQLError(kind: .other, message: "out of memory") }
    guard code == SQLITE_OK else {
      let error = unsafe SQLError(code: sqlite3_extended_errcode(handle), handle: handle, sql: nil)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe sqlite3_extended_result_codes(handle, 1)
    let checkpointer = role == .writing ? SQLiteCheckpointer(self) : nil
    let connection = unsafe SQLiteConnection(handle: handle, limits: limits, checkpointer: checkpointer)
    do throws(SQLError) {
      // First of all, so that the next statements wait instead of failing.
      try connection.script("PRAGMA busy_timeout = \(limits.busyTimeoutMilliseconds)")
      // A new file has nothing to roll back to: without a journal its first page costs one synchronisation, not three.
      if made >= 0 { try connection.script("PRAGMA journal_mode = MEMORY") }
      let mode = try connection.first("PRAGMA journal_mode = WAL")?.text(0)
      guard mode == "wal" else {
        throw SQLError(kind: .cannotOpen, message: "\(path) can't be kept with a write-ahead log")
      }
      try connection.script(
        """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA secure_delete = ON;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -\(limits.cacheKibibytes);
        PRAGMA journal_size_limit = \(limits.walBytes);
        PRAGMA wal_autocheckpoint = 0;
        """)
      if role == .maintaining { try connection.script("PRAGMA busy_timeout = 0") }
      if role == .reading { try connection.script("PRAGMA query_only = ON") }
    } catch {
      connection.close()
      throw error
    }
    if role == .writing { connection.countLogPages() }
    if role == .reading { connection.keepLogOnClose() }
    return connection
  }
}

extension SQLError {
  /// `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_DIR_FSYNC`, which are expressions that Swift does not import.
  private static let failedSync = SQLITE_IOERR | 4 << 8
  private static let failedFolderSync = SQLITE_IOERR | 5 << 8

  /// The error that a connection has just met.
  init(code: Int32, handle: OpaquePointer, sql: String?) {
    let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "unknown error"
    var kind = Kind(sqlite: code)
    // A full disk shows itself in other calls than a write, too; after a failed `fsync` nothing is certain, whatever the
    // cause was.
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(unsafe sqlite3_system_errno(handle))
    if kind == .inputOutput, isFull, ![Self.failedSync, Self.failedFolderSync].contains(code) { kind = .full }
    self.init(kind: kind, code: Int(code), message: message, sql: sql)
  }
}

extension SQLError.Kind {
  fileprivate init(sqlite code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_IOERR: .inputOutput
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_READONLY: .readOnly
      default: .other
      }
  }
}
