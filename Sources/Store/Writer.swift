// The one writer: a thread that commits everything waiting in one transaction, and only then answers.
import InterviewKits
import Locks
import SQLDatabase

/// All writes go through here. Each operation runs in a savepoint of the group's transaction, so that one that is
/// refused leaves nothing behind; nobody is answered, and memory does not change, before the group is on disk.
final class Writer: Sendable {
  private struct Queue {
    var waiting: [PendingWrite] = []
    var isClosed = false
    /// Who waits for the thread's end.
    var closing: [CheckedContinuation<Void, Never>] = []
    var hasEnded = false
  }

  private let session: Session
  private let memory: Memory
  private let limits: StoreLimits
  private let clock: @Sendable () -> Timestamp
  private let queue = Lock(Queue())
  private let signal = Signal()
  /// What the database said of others' commits when the last group began; only the writer's thread uses it.
  private let foreignMark = Lock<Int?>(nil)

  /// - Parameter session: a writing connection; from now on only the writer's thread uses it.
  init(_ session: Session, memory: Memory, limits: StoreLimits, clock: @escaping @Sendable () -> Timestamp) {
    (self.session, self.memory, self.limits, self.clock) = (session, memory, limits, clock)
  }

  var waitingCount: Int { queue.withLock { $0.waiting.count } }

  func start() { DedicatedThread.start { [self] in run() } }

  /// Runs `body` on the writer and answers after its group was committed.
  func write<Output: SequencedOutput>(
    by author: Author, _ body: @escaping @Sendable (WriteTransaction) throws(StoreError) -> Output
  ) async throws(StoreError) -> Output {
    let result: Result<Output, StoreError> = await withCheckedContinuation { continuation in
      enqueue(TypedWrite(author: author, body: body) { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  /// The same once for each key: what came of it before is given again, and nothing is run.
  func write<Output: RetriedOutput>(
    by author: Author, retry: RetryKey?, _ body: @escaping @Sendable (WriteTransaction) throws(StoreError) -> Output
  ) async throws(StoreError) -> Output {
    try await write(by: author) { (transaction) throws(StoreError) in
      try transaction.once(retry) { () throws(StoreError) in try body(transaction) }
    }
  }

  private func enqueue(_ write: PendingWrite) {
    let refusal: StoreError? = queue.withLock { queue in
      if queue.isClosed { return .closed }
      if queue.waiting.count >= limits.waitingOperations { return .busy }
      queue.waiting.append(write)
      return nil
    }
    if let refusal { write.fail(refusal) } else { signal.send() }
  }

  /// Takes no more writes; the thread ends when those waiting are done.
  func stop() {
    queue.withLock { $0.isClosed = true }
    signal.send()
  }

  /// Stops and waits for the end.
  func close() async {
    await withCheckedContinuation { continuation in
      let hasEnded = queue.withLock { queue in
        queue.isClosed = true
        if !queue.hasEnded { queue.closing.append(continuation) }
        return queue.hasEnded
      }
      if hasEnded { continuation.resume() } else { signal.send() }
    }
  }

  private func run() {
    while true {
      let (group, isClosed) = queue.withLock { queue in
        let count = min(queue.waiting.count, limits.groupOperations)
        let group = Array(queue.waiting.prefix(count))
        queue.waiting.removeFirst(count)
        return (group, queue.isClosed)
      }
      if !group.isEmpty {
        commit(group)
        session.connection.maintain()
      } else if isClosed {
        break
      } else {
        signal.wait()
      }
    }
    session.connection.close()
    let closing = queue.withLock { queue in
      queue.hasEnded = true
      defer { queue.closing = [] }
      return queue.closing
    }
    for continuation in closing { continuation.resume() }
  }
}

// MARK: - One group

extension Writer {
  private func commit(_ group: [PendingWrite]) {
    do throws(StoreError) {
      try session.begin(.writing)
    } catch {
      for write in group { write.fail(error) }
      return
    }
    let transaction = WriteTransaction(session, memory: memory, clock: clock)
    do throws(StoreError) {
      try forgetIfOthersWrote()
      try run(group, in: transaction)
      let sequence = try transaction.appendChanges()
      if transaction.hasWritten { try session.commit() } else { session.connection.rollback() }
      memory.apply(transaction.staged, sequence: sequence)
      for write in group { write.finish(sequence: sequence) }
    } catch {
      session.connection.rollback()
      guard case .diskFull = error, group.count > 1 else {
        for write in group { write.fail(error) }
        return
      }
      // A large write may have taken the room that a small one still finds.
      for write in group { commit([write]) }
    }
  }

  private func run(_ writes: [PendingWrite], in transaction: WriteTransaction) throws(StoreError) {
    for write in writes {
      try mapped { () throws(SQLError) in try session.connection.savepoint() }
      let error = write.run(in: transaction)
      // An error such as a full disk may have rolled back the whole group: nothing of it may be answered.
      guard session.connection.isInTransaction else { throw error ?? .database("the transaction is gone") }
      if error == nil, !transaction.isTrial {
        try mapped { () throws(SQLError) in try session.connection.releaseSavepoint() }
        transaction.keep()
      } else {
        try mapped { () throws(SQLError) in try session.connection.rollbackToSavepoint() }
        transaction.discard()
      }
    }
  }

  private func forgetIfOthersWrote() throws(StoreError) {
    let mark = try mapped { () throws(SQLError) in try session.connection.foreignChangeMark() }
    let isNew = foreignMark.withLock { known in
      defer { known = mark }
      return known != nil && known != mark
    }
    if isNew { memory.forget() }
  }
}
