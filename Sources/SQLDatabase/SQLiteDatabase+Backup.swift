// Copies a SQLite database while it is used, and checks one.
import CSQLite
import Glibc

extension SQLiteDatabase {
  /// Pages that are copied between two reports of progress: 4 MiB.
  private static let backupStepPages: Int32 = 1_024

  /// What a copy is called that is not whole yet.
  public static func partial(of path: String) -> String { path + ".partial" }

  /// The copy is made beside its place, checked, synchronised and only then renamed to `path`.
  public func backup(
    to path: String, replacing: Bool, preparing script: String, progress: (_ done: Int, _ total: Int) -> Void,
    isApproved: (any Database) -> Bool
  ) throws(SQLError) {
    let isThere = unsafe access(path, F_OK) == 0
    guard replacing || !isThere else {
      throw SQLError(kind: .cannotOpen, message: "\(path) is there already")
    }
    guard unsafe access(self.path, F_OK) == 0 else { throw Self.failure(of: "open", self.path) }
    let partial = Self.partial(of: path)
    func removePartial() { SQLiteDatabase(path: partial).remove() }
    removePartial()
    do throws(SQLError) {
      try copy(to: partial, progress: progress)
      let copy = SQLiteDatabase(path: partial, limits: limits)
      // Its last connection, and a writing one: it leaves no log behind.
      let connection = try copy.open(.writing)
      do throws(SQLError) {
        try connection.script(script)
        try connection.consolidate()
      } catch {
        connection.close()
        throw error
      }
      connection.close()
      let faults = try copy.faults()
      if let fault = faults.first { throw SQLError(kind: .corrupt, message: "the copy is damaged: \(fault)") }
      let isApproved = isApproved(copy)
      for suffix in ["-wal", "-shm"] { unsafe unlink(partial + suffix) }
      try Self.synchronise(partial)
      let name = isApproved ? path : path + ".faulty"
      guard unsafe rename(partial, name) == 0 else { throw Self.failure(of: "rename", partial) }
      try Self.synchronise(Self.folder(of: path))
      if !isApproved {
        throw SQLError(kind: .unexpectedValue, message: "what was copied is faulty; it is kept as \(name)")
      }
    } catch {
      removePartial()
      throw error
    }
  }

  /// Copies one state of the database, page by page, into a new file that its owner alone can read.
  private func copy(to path: String, progress: (_ done: Int, _ total: Int) -> Void) throws(SQLError) {
    let made = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard made >= 0 else { throw Self.failure(of: "create", path) }
    close(made)
    let source = try open(.reading)
    defer { source.close() }
    // Held until the end, so that no write makes the copy begin again.
    try source.begin(.reading)
    _ = try source.first("SELECT COUNT(*) FROM sqlite_schema")
    var target: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard let target = unsafe target else { throw SQLError(kind: .other, message: "out of memory") }
    defer { unsafe sqlite3_close_v2(target) }
    guard code == SQLITE_OK else { throw unsafe SQLError(code: code, handle: target, sql: nil) }
    // Nobody needs half a copy, which has no name yet; the whole one is synchronised before it gets it.
    let set = unsafe sqlite3_exec(target, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", nil, nil, nil)
    guard set == SQLITE_OK else { throw unsafe SQLError(code: set, handle: target, sql: nil) }
    try unsafe source.copyPages(to: target, step: Self.backupStepPages, progress: progress)
  }

  /// Deleted rows and freed pages are overwritten with zeros, but a page that was split keeps copies of rows that moved on:
  /// only a file that is written anew has none. The log holds older pages until it is cut.
  public func scrub() throws(SQLError) -> Bool {
    let connection = try open(.maintaining)
    defer { connection.close() }
    // The new file is made in a temporary one, which may be larger than memory.
    try connection.script(
      "PRAGMA busy_timeout = \(limits.busyTimeoutMilliseconds); PRAGMA temp_store = FILE; VACUUM")
    return try connection.checkpoint(.truncate)
  }

  public func faults() throws(SQLError) -> [String] {
    try check("integrity_check") { (connection) throws(SQLError) in
      try connection.rows("PRAGMA foreign_key_check").map { (row) throws(SQLError) in
        "a row of \(try row.text(0)) refers to a missing row of \(try row.text(2))"
      }
    }
  }

  /// Calls `body`, which reads, and leaves no empty log behind, as the last connection to close does; the files of whoever
  /// has the database open stay, and so does a log that holds something.
  public func leavingNoLog<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    defer {
      let hasLog = unsafe access(path, F_OK) == 0 && access(path + "-wal", F_OK) == 0
      // Where it can't be opened, the files can't be told to be nobody's.
      if hasLog, logBytes == 0 { try? open(.maintaining).close() }
    }
    return try body()
  }

  public func pageFaults() throws(SQLError) -> [String] { try check("quick_check") { _ in [] } }

  public var bytesToCheck: Int { Self.bytes(of: path) }
  public var logBytes: Int { Self.bytes(of: path + "-wal") }

  private static func bytes(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Never makes a file: a database that is not there is not clean. One that can't even be read is damaged, too.
  private func check(
    _ pragma: String, _ more: (SQLiteConnection) throws(SQLError) -> [String]
  ) throws(SQLError) -> [String] {
    guard unsafe access(path, F_OK) == 0 else { throw Self.failure(of: "open", path) }
    var found: [String] = []
    do throws(SQLError) {
      let connection = try open(.reading)
      defer { connection.close() }
      try connection.query("PRAGMA \(pragma)", []) { (row) throws(SQLError) in
        let text = try row.text(0)
        if text != "ok" { found += text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("***") } }
        return true
      }
      return try found + more(connection)
    } catch {
      guard error.kind == .corrupt else { throw error }
      // What was found before the check itself met the damage says where it is.
      return found.isEmpty ? [error.message] : found
    }
  }

  static func synchronise(_ path: String) throws(SQLError) {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(of: "open", path) }
    defer { close(file) }
    if fsync(file) != 0 { throw failure(of: "synchronise", path) }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func failure(of action: String, _ path: String) -> SQLError {
    let code = errno
    let reason = unsafe String(cString: strerror(code))
    let kind: SQLError.Kind =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: .full
      case EIO: .inputOutput
      default: .cannotOpen
      }
    return SQLError(kind: kind, message: "can't \(action) \(path): \(reason)")
  }
}
