// Copies a SQLite database while it is used, and checks one.
import Glibc

extension SQLiteDatabase {
  /// The copy is made beside its place, checked, synchronised and only then renamed to `path`.
  public func backup(to path: String, preparing script: String) throws(SQLError) {
    guard unsafe access(path, F_OK) != 0 else {
      throw SQLError(kind: .cannotOpen, message: "\(path) is there already")
    }
    let partial = path + ".partial"
    unsafe unlink(partial)
    do throws(SQLError) {
      let connection = try open(.maintaining)
      defer { connection.close() }
      // Made by us, so that it is readable by its owner only.
      let made = unsafe Glibc.open(partial, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard made >= 0 else { throw Self.failure(of: "create", partial) }
      close(made)
      try connection.execute("VACUUM INTO $1", [.text(partial)])
      let copy = SQLiteDatabase(path: partial, limits: limits)
      if !script.isEmpty {
        let connection = try copy.open(.maintaining)
        defer { connection.close() }
        try connection.script(script)
        try connection.script("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      let faults = try copy.faults()
      if let fault = faults.first { throw SQLError(kind: .corrupt, message: "the copy is damaged: \(fault)") }
      try Self.synchronise(partial)
      guard unsafe rename(partial, path) == 0 else { throw Self.failure(of: "rename", partial) }
      try Self.synchronise(Self.folder(of: path))
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(partial + suffix) }
      throw error
    }
  }

  public func faults() throws(SQLError) -> [String] {
    // Never makes a file: a database that is not there is not clean.
    guard unsafe access(path, F_OK) == 0 else { throw Self.failure(of: "open", path) }
    let connection = try open(.reading)
    defer { connection.close() }
    var faults: [String] = []
    for row in try connection.rows("PRAGMA integrity_check") {
      let text = try row.text(0)
      if text != "ok" { faults.append(text) }
    }
    for row in try connection.rows("PRAGMA foreign_key_check") {
      faults.append("a row of \(try row.text(0)) refers to a missing row of \(try row.text(2))")
    }
    return faults
  }

  private static func synchronise(_ path: String) throws(SQLError) {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(of: "open", path) }
    defer { close(file) }
    if fsync(file) != 0 { throw failure(of: "synchronise", path) }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func failure(of action: String, _ path: String) -> SQLError {
    let code = errno
    let reason = unsafe String(cString: strerror(code))
    return SQLError(
      kind: code == ENOSPC ? .full : .inputOutput, message: "can't \(action) \(path): \(reason)")
  }
}
