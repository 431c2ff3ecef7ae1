// Follows a database that several servers write: keeps memory true, and wakes the readers of the change feed.
import Locks
import SQLDatabase

/// A thread with a connection of its own. Whoever is about to read waits for one look at the database that begins after
/// he came; all who wait share it. So a read sees what any server has acknowledged before, and costs at most one
/// round trip.
final class Follower: Sendable {
  private struct State {
    var waiting: [CheckedContinuation<Result<Void, StoreError>, Never>] = []
    /// Why the database can't be asked now.
    var failure: StoreError?
    var isClosed = false
  }

  private let database: any Database
  private let memory: Memory
  private let applying: Lock<Void>
  private let limits: StoreLimits
  private let state = Lock(State())
  private let bell = Bell()

  /// - Parameter applying: held by whoever moves memory on, from before a commit to after it.
  init(_ database: any Database, memory: Memory, applying: Lock<Void>, limits: StoreLimits) {
    (self.database, self.memory, self.applying, self.limits) = (database, memory, applying, limits)
  }

  func start() { DedicatedThread.start { [self] in run() } }

  /// Returns when memory holds everything that was committed before the call.
  /// - Throws: `unavailable` when the database can't be asked; `closed`.
  func catchUp() async throws(StoreError) {
    let result: Result<Void, StoreError> = await withCheckedContinuation { continuation in
      let refusal: StoreError? = state.withLock { state in
        if state.isClosed { return .closed }
        if let failure = state.failure { return failure }
        state.waiting.append(continuation)
        return nil
      }
      if let refusal { continuation.resume(returning: .failure(refusal)) } else { bell.ring() }
    }
    try result.get()
  }

  func stop() {
    state.withLock { $0.isClosed = true }
    bell.ring()
  }

  private func run() {
    var listener: (any SQLListener)?
    while !state.withLock({ $0.isClosed }) {
      let waiting = takeWaiting()
      do throws(StoreError) {
        let open = try look(through: listener)
        listener = open
        answer(waiting, nil)
        if state.withLock({ $0.waiting.isEmpty }) {
          // What is wrong with the connection, the next look finds.
          try? open.wait(bell, milliseconds: limits.lookMilliseconds)
        }
      } catch {
        listener = nil
        answer(waiting, error)
        // Those who came meanwhile would wait for a connection that may never be.
        answer(takeWaiting(), error)
        bell.wait(milliseconds: limits.reconnectMilliseconds)
      }
    }
    listener?.connection.close()
    answer(takeWaiting(), .closed)
  }

  private func takeWaiting() -> [CheckedContinuation<Result<Void, StoreError>, Never>] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  private func answer(_ waiting: [CheckedContinuation<Result<Void, StoreError>, Never>], _ failure: StoreError?) {
    state.withLock { $0.failure = failure }
    for continuation in waiting { continuation.resume(returning: failure.map { .failure($0) } ?? .success(())) }
  }

  private func connect() throws(StoreError) -> any SQLListener {
    let listener = try mapped { () throws(SQLError) in try database.listener() }
    guard let listener else { preconditionFailure("only a shared database is followed") }
    return listener
  }

  /// Looks at the database through a connection; through a new one when that is lost.
  private func look(through listener: (any SQLListener)?) throws(StoreError) -> any SQLListener {
    if let listener {
      do throws(StoreError) {
        try look(Session(connection: listener.connection))
        return listener
      } catch { listener.connection.close() }
    }
    let listener = try connect()
    do throws(StoreError) { try look(Session(connection: listener.connection)) } catch {
      listener.connection.close()
      throw error
    }
    return listener
  }

  private func look(_ session: Session) throws(StoreError) {
    guard let news = try FeedNews.read(after: memory, in: session) else { return }
    try applying.withLock { _ throws(StoreError) in
      guard news.sequence < memory.read({ $0.sequence }) else { return memory.follow(news) }
      // This server may just have committed more. While it can't, the database says whether that is so.
      guard let sure = try FeedNews.read(after: memory, in: session) else { return }
      if sure.sequence < memory.read({ $0.sequence }) { memory.goBack(to: sure) } else { memory.follow(sure) }
    }
  }
}
