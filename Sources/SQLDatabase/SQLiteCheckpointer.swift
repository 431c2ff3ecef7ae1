// Keeps the write-ahead log of a SQLite file bounded without delaying the writer.
import Locks

/// A thread that moves the log's pages into the database file while the writer goes on.
///
/// Under constant writing a background pass never meets a log that stands still, so the log would never start anew:
/// the writer itself moves the little that is left once the log is long (`SQLiteLimits.writerCheckpointPages`). After a
/// long read that held the log, the thread cuts it when the read has ended, whether or not anybody writes.
final class SQLiteCheckpointer: Sendable {
  private let database: SQLiteDatabase
  private let signal = Signal()
  private let ended = Signal()
  private let watch = SQLiteSyncWatch()
  private let state = Lock(State())

  private struct State {
    var isStarted = false
    var isStopped = false
    var isOversize = false
    var failure: SQLError?
  }

  /// Why it has stopped. A checkpoint whose `fsync` failed may have lost pages that the next one would take for written,
  /// so there is no next one before the log was recovered from its file.
  var failure: SQLError? { state.withLock { $0.failure } }

  init(_ database: SQLiteDatabase) { self.database = database }

  /// To be asked between what a transaction reads and its commit.
  /// - Throws: when what it has read may not be what was written.
  func checkReads() throws(SQLError) { try watch.check() }

  /// - Parameter isOversize: the log is longer than it should ever be.
  func wake(isOversize: Bool) {
    let mustStart = state.withLock { state in
      state.isOversize = state.isOversize || isOversize
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if mustStart { DedicatedThread.start { [self] in run() } }
    signal.send()
  }

  /// Returns when its connection is closed.
  func stop() {
    let isRunning = state.withLock { state in
      state.isStopped = true
      return state.isStarted
    }
    if !isRunning { return }
    signal.send()
    ended.wait()
    // Whoever asks again finds it ended.
    ended.send()
  }

  private func open() throws(SQLError) -> SQLiteConnection {
    let connection = try database.open(.maintaining)
    do throws(SQLError) { try connection.attach(watch) } catch {
      connection.close()
      throw error
    }
    return connection
  }

  private func run() {
    guard let connection = try? open() else {
      // The writer's own checkpoints still bound the log; the next call tries again.
      let isAwaited = state.withLock { state in
        state.isStarted = false
        return state.isStopped
      }
      if isAwaited { ended.send() }
      return
    }
    defer { ended.send() }
    defer {
      connection.close()
      watch.detach()
    }
    while true {
      let (isStopped, isOversize) = state.withLock { ($0.isStopped, $0.isOversize) }
      if isStopped { return }
      do throws(SQLError) {
        if try connection.checkpoint(isOversize ? .truncate : .passive), isOversize {
          state.withLock { $0.isOversize = false }
        }
      } catch {
        guard error.kind == .busy || error.kind == .full else { return state.withLock { $0.failure = error } }
      }
      if state.withLock({ $0.isOversize }) {
        signal.wait(milliseconds: database.limits.oversizeRetryMilliseconds)
      } else {
        signal.wait()
      }
    }
  }
}
