// Puts one SQLite file in the place of another, so that a crash leaves the one or the other.
import Glibc

extension SQLiteDatabase {
  /// Copies a file that is no database in use to this database's place, where nothing of worth is.
  public func take(_ file: String, progress: (_ done: Int, _ total: Int) -> Void) throws(SQLError) {
    guard SQLiteDatabase(path: file).logBytes == 0 else {
      throw SQLError(
        kind: .cannotOpen,
        message: "\(file) has a write-ahead log beside it: it is a database in use; `backup` makes a copy of it")
    }
    remove()
    let source = unsafe Glibc.open(file, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Self.failure(of: "open", file) }
    defer { close(source) }
    let target = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw Self.failure(of: "create", path) }
    defer { close(target) }
    var status = stat()
    guard unsafe fstat(source, &status) == 0 else { throw Self.failure(of: "read", file) }
    var done = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe read(source, &buffer, buffer.count)
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(of: "read", file) }
      var written = 0
      while written < count {
        let step = unsafe buffer.withUnsafeBytes { bytes in
          unsafe write(target, bytes.baseAddress.map { unsafe $0 + written }, count - written)
        }
        guard step > 0 || errno == EINTR else { throw Self.failure(of: "write", path) }
        written += max(0, step)
      }
      done += count
      progress(done, Int(status.st_size))
    }
  }

  /// Removes the file and what belongs to it.
  public func remove() { for file in files { unsafe unlink(file) } }

  /// The file, and those that may be beside it.
  public var files: [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

  /// Takes the place of another database that nobody has open. The old file gets a second name first, and the new one
  /// takes the old one's place in one step.
  /// - Parameter name: of the old database from now on.
  /// - Returns: that name; nil when there was no old database.
  public func replace(_ old: SQLiteDatabase, keepingAs name: String) throws(SQLError) -> String? {
    let kept = SQLiteDatabase(path: name, limits: limits)
    let isThere = unsafe access(old.path, F_OK) == 0
    if isThere {
      guard unsafe access(name, F_OK) != 0 else {
        throw SQLError(kind: .cannotOpen, message: "\(name) is there already")
      }
      // The last connection to close puts the log into the file, where that can still be done.
      try? old.open(.writing).close()
      // A log must never be found beside another file than its own.
      for suffix in ["-wal", "-journal"] where unsafe access(old.path + suffix, F_OK) == 0 {
        guard unsafe rename(old.path + suffix, kept.path + suffix) == 0 else {
          throw Self.failure(of: "rename", old.path)
        }
      }
      guard unsafe link(old.path, kept.path) == 0 else { throw Self.failure(of: "keep", old.path) }
    }
    unsafe unlink(old.path + "-shm")
    for suffix in ["-wal", "-shm"] { unsafe unlink(path + suffix) }
    try Self.synchronise(path)
    guard unsafe rename(path, old.path) == 0 else { throw Self.failure(of: "rename", path) }
    try Self.synchronise(Self.folder(of: old.path))
    return isThere ? name : nil
  }
}
