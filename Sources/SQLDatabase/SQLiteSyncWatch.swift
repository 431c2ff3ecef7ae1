// Sees a checkpoint beside the writer synchronise the database file, and whether that failed.
import CSQLite
import Glibc
import Locks

/// Between a commit and what it was made from stands this: a checkpoint's failed `fsync` may take pages out of the file
/// that SQLite believes to be there, so that whoever reads them meanwhile reads older ones. Nothing made from those may be
/// committed. SQLite tells of the failure when the checkpoint returns, which is too late: so the call itself is watched.
///
/// `@unchecked Sendable`: `attached` belongs to the thread of the connection that is watched.
/// `@safe`: what is attached stays allocated until the connection is closed.
@safe final class SQLiteSyncWatch: @unchecked Sendable {
  private struct State {
    var isSynchronising = false
    var hasFailed = false
    var waiting = 0
  }

  private let state = Lock(State())
  private let ended = Signal()
  private var attached: (file: UnsafeMutablePointer<sqlite3_file>, methods: UnsafeMutablePointer<sqlite3_io_methods>)?

  typealias Synchronise = @convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32

  /// Who watches which open file, by its address, and what synchronises it.
  private static let all = unsafe Lock<[UInt: (watch: SQLiteSyncWatch, synchronise: Synchronise)]>([:])

  /// Stands before the `xSync` of a connection's database file (SQLite's documentation, `sqlite3_io_methods`).
  func attach(to handle: OpaquePointer) throws(SQLError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe withUnsafeMutablePointer(to: &file) {
      unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file = unsafe file, let original = unsafe file.pointee.pMethods,
      let synchronise = unsafe original.pointee.xSync
    else { throw SQLError(kind: .cannotOpen, code: Int(code), message: "the database file can't be watched") }
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: original.pointee)
    unsafe methods.pointee.xSync = { unsafe SQLiteSyncWatch.synchronise($0, $1) }
    unsafe Self.all.withLock { unsafe $0[UInt(bitPattern: file)] = (self, synchronise) }
    unsafe file.pointee.pMethods = UnsafePointer(methods)
    unsafe attached = (file, methods)
  }

  /// After the connection was closed.
  func detach() {
    guard let (file, methods) = unsafe attached else { return }
    unsafe Self.all.withLock { _ = unsafe $0.removeValue(forKey: UInt(bitPattern: file)) }
    unsafe methods.deallocate()
    unsafe attached = nil
  }

  private static func synchronise(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
    guard let (watch, synchronise) = unsafe all.withLock({ unsafe $0[UInt(bitPattern: file)] }) else {
      preconditionFailure("a file that nobody watches is not synchronised here")
    }
    watch.state.withLock { $0.isSynchronising = true }
    let code = unsafe synchronise(file, flags)
    let waiting = watch.state.withLock { state in
      state.isSynchronising = false
      state.hasFailed = state.hasFailed || code != SQLITE_OK
      defer { state.waiting = 0 }
      return state.waiting
    }
    for _ in 0..<waiting { watch.ended.send() }
    return code
  }

  /// Waits while the file is being synchronised; nearly always it is not.
  /// - Throws: when that has ever failed: what was read since may not be what was written.
  func check() throws(SQLError) {
    while true {
      let (mustWait, hasFailed) = state.withLock { state in
        if state.isSynchronising { state.waiting += 1 }
        return (state.isSynchronising, state.hasFailed)
      }
      if hasFailed {
        throw SQLError(kind: .inputOutput, message: "a checkpoint could not synchronise the database file")
      }
      if !mustWait { return }
      ended.wait()
    }
  }
}
