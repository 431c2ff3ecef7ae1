// The one writer: a thread that commits everything waiting in one transaction, and only then answers.
import InterviewKits
import Locks
import SQLDatabase

/// All writes go through here. Each operation runs in a savepoint of the group's transaction, so that one that is
/// refused leaves nothing behind; nobody is answered, and memory does not change, before the group is on disk.
final class Writer: Sendable {
  private struct Queue {
    var waiting: [PendingWrite] = []
    /// Who waits for a scrubbed database.
    var scrubbing: [CheckedContinuation<Result<Void, StoreError>, Never>] = []
    var isClosed = false
    /// Who waits for the thread's end.
    var closing: [CheckedContinuation<Void, Never>] = []
    var hasEnded = false
  }

  private let database: any Database
  /// Replaced by the writer's thread when its connection is lost; nobody else uses it.
  private let current: Lock<Session>
  private let health: DatabaseHealth
  private let reopen: @Sendable () throws(StoreError) -> Session
  private let memory: Memory
  private let limits: StoreLimits
  private let clock: @Sendable () -> Timestamp
  private let queue = Lock(Queue())
  private let signal = Signal()
  /// What the database said of others' commits when the last group began; only the writer's thread uses it.
  private let foreignMark = Lock<Int?>(nil)
  /// Held from before a commit until memory shows it.
  private let applying: Lock<Void>

  private let counted = Lock(WriteFigures())

  /// - Parameters:
  ///   - session: a writing connection; from now on only the writer's thread uses it.
  ///   - reopen: opens the database anew after a failure of the disk, when all that it holds is safe and sound.
  init(
    _ session: Session, of database: any Database, memory: Memory, applying: Lock<Void>, limits: StoreLimits,
    health: DatabaseHealth, clock: @escaping @Sendable () -> Timestamp,
    reopen: @escaping @Sendable () throws(StoreError) -> Session
  ) {
    (self.database, current, self.memory, self.applying) = (database, Lock(session), memory, applying)
    (self.limits, self.health, self.clock, self.reopen) = (limits, health, clock, reopen)
  }

  private var session: Session { current.withLock { $0 } }

  var waitingCount: Int { queue.withLock { $0.waiting.count } }
  var figures: WriteFigures { counted.withLock { $0 } }

  /// - Parameter afterCheck: the pages are looked at before the first write, which waits for it, or soon.
  func start(afterCheck: Bool) {
    health.onDoubt { [signal] in signal.send() }
    DedicatedThread.start { [self] in
      if afterCheck {
        signal.wait(milliseconds: limits.startCheckDelayMilliseconds)
        if queue.withLock({ !$0.isClosed || !$0.waiting.isEmpty }) { checkPages() }
      }
      run()
    }
  }

  /// Runs `body` on the writer and answers after its group was committed.
  func write<Output: SequencedOutput>(
    by author: Caller, _ body: @escaping @Sendable (WriteTransaction) throws(StoreError) -> Output
  ) async throws(StoreError) -> Output {
    let result: Result<Output, StoreError> = await withCheckedContinuation { continuation in
      enqueue(TypedWrite(author: author, body: body) { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  /// The same once for each key: what came of it before is given again, and nothing is run.
  func write<Output: RetriedOutput>(
    by author: Caller, retry: RetryKey?, _ body: @escaping @Sendable (WriteTransaction) throws(StoreError) -> Output
  ) async throws(StoreError) -> Output {
    try await write(by: author) { (transaction) throws(StoreError) in
      try transaction.once(retry) { () throws(StoreError) in try body(transaction) }
    }
  }

  private func enqueue(_ write: PendingWrite) {
    if let refusal = health.state.refusal { return write.fail(refusal) }
    let refusal: StoreError? = queue.withLock { queue in
      if queue.isClosed { return .closed }
      if queue.waiting.count >= limits.waitingOperations { return .busy }
      queue.waiting.append(write)
      return nil
    }
    if let refusal { write.fail(refusal) } else { signal.send() }
  }

  /// Scrubs the database between two groups, so that no write meets its lock. Those who ask meanwhile share one pass.
  /// - Throws: `busy` when a read has held the log for too long.
  func scrub() async throws(StoreError) {
    let result: Result<Void, StoreError> = await withCheckedContinuation { continuation in
      let isClosed = queue.withLock { queue in
        if !queue.isClosed { queue.scrubbing.append(continuation) }
        return queue.isClosed
      }
      if isClosed { continuation.resume(returning: .failure(.closed)) } else { signal.send() }
    }
    try result.get()
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
      let (group, scrubbing, isClosed) = queue.withLock { queue in
        let count = min(queue.waiting.count, limits.groupOperations)
        let group = Array(queue.waiting.prefix(count))
        queue.waiting.removeFirst(count)
        defer { queue.scrubbing = [] }
        return (group, queue.scrubbing, queue.isClosed)
      }
      let refusal = health.state.refusal
      if let refusal {
        for write in group { write.fail(refusal) }
      } else if !group.isEmpty {
        commit(group)
        maintain()
      }
      if !scrubbing.isEmpty {
        let result = scrubNow()
        for continuation in scrubbing { continuation.resume(returning: result) }
      }
      if !group.isEmpty || !scrubbing.isEmpty { continue }
      if isClosed { break }
      if refusal == nil { signal.wait() } else if !recover() { waitForRecovery() }
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

// MARK: - Health

extension Writer {
  private func scrubNow() -> Result<Void, StoreError> {
    if let refusal = health.state.refusal { return .failure(refusal) }
    let result = Result { () throws(StoreError) in try database.scrubbed() }
    if case .failure(let error) = result { note(error) }
    return result
  }

  private func checkPages() {
    do throws(StoreError) { try health.check(database) } catch { note(error) }
  }

  private func maintain() {
    do throws(StoreError) {
      try mapped { () throws(SQLError) in try session.connection.maintain() }
    } catch { note(error) }
  }

  /// What a failed group says of the database.
  private func note(_ error: StoreError) {
    switch error {
    case .diskFull: health.set(.full)
    case .databaseFailing(let cause): health.set(.failing(cause))
    default: health.note(error)
    }
  }

  /// A failing database is tried again after a while; a damaged one is not, so that only the end is waited for.
  private func waitForRecovery() {
    if case .failing = health.state { signal.wait(milliseconds: limits.reopenMilliseconds) } else { signal.wait() }
  }

  /// After a failure of the disk: the kernel may have let go of what it could not write, so that what is read is not what
  /// is on disk. Everything is closed, and the database opened from its files alone.
  /// - Returns: true when writes are taken again.
  private func recover() -> Bool {
    guard case .failing = health.state else { return false }
    session.connection.abandon()
    do throws(StoreError) {
      let session = try reopen()
      current.withLock { $0 = session }
      foreignMark.withLock { $0 = nil }
      health.set(.sound)
      return true
    } catch {
      // Nothing stands now between the program and its files.
      if case .databaseDamaged(let place) = error { health.set(.damaged([place])) }
      return false
    }
  }
}

// MARK: - One group

extension Writer {
  private func commit(_ group: [PendingWrite]) {
    var attempts = 0
    while true {
      attempts += 1
      var stage = Stage.connecting
      do throws(StoreError) {
        return try commit(group, &stage)
      } catch {
        session.connection.rollback()
        note(error)
        if attempts < limits.groupAttempts, error.mayPass(at: stage) { continue }
        guard error.mayBeOfOneWrite, group.count > 1 else {
          counted.withLock { $0.failedGroups += 1 }
          for write in group { write.fail(error) }
          return
        }
        // A large write may have taken the room that a small one still finds.
        for write in group { commit([write]) }
        return
      }
    }
  }

  private func commit(_ group: [PendingWrite], _ stage: inout Stage) throws(StoreError) {
    if !session.connection.isAlive { try reconnect() }
    stage = .running
    try session.begin(.writing)
    try catchUp()
    let transaction = WriteTransaction(session, memory: memory, clock: clock)
    try run(group, in: transaction)
    let sequence = try transaction.appendChanges()
    try applying.withLock { _ throws(StoreError) in
      if transaction.hasWritten {
        stage = .committing
        try commitCounted(group.count)
      } else {
        session.connection.rollback()
      }
      memory.apply(transaction.staged, sequence: sequence)
    }
    for write in group { write.finish(sequence: sequence) }
  }

  private func commitCounted(_ count: Int) throws(StoreError) {
    let clock = ContinuousClock()
    let start = clock.now
    try session.commit()
    let took = clock.now - start
    counted.withLock { figures in
      figures.groupSizes.add(count)
      figures.commitMicroseconds.add(took.wholeMicroseconds)
    }
    if case .full = health.state { health.set(.sound) }
  }

  private func run(_ writes: [PendingWrite], in transaction: WriteTransaction) throws(StoreError) {
    for write in writes {
      try mapped { () throws(SQLError) in try session.connection.savepoint() }
      let error = write.run(in: transaction)
      // An error such as a full disk may have rolled back the whole group, and may be that of a statement sent by a write
      // before this one: nothing of the group may be answered.
      if let error, error.isOfDatabase { throw error }
      guard session.connection.isInTransaction else { throw .database("the transaction is gone") }
      if error == nil, !transaction.isTrial {
        try mapped { () throws(SQLError) in try session.connection.releaseSavepoint() }
        transaction.keep()
      } else {
        try mapped { () throws(SQLError) in try session.connection.rollbackToSavepoint() }
        transaction.discard()
      }
    }
  }

  private func reconnect() throws(StoreError) {
    let history = session.connection.history
    session.connection.close()
    let connection = try mapped { () throws(SQLError) in try database.connect(.writing) }
    // Changes that this server never saw may be lost, and somebody may have their numbers.
    if history == nil || connection.history != history { memory.read { $0.lives.leave() } }
    current.withLock { $0 = Session(connection: connection) }
  }

  /// Nobody else writes until the transaction's end: what memory says then is what the database says.
  private func catchUp() throws(StoreError) {
    let mark = try mapped { () throws(SQLError) in try session.connection.foreignChangeMark() }
    let isNew = foreignMark.withLock { known in
      defer { known = mark }
      return known != nil && known != mark
    }
    if isNew {
      memory.forget()
      memory.access.replace(try AccessRows.tokens(in: session))
    }
    guard database.isShared, let news = try FeedNews.read(after: memory, in: session) else { return }
    if news.sequence < memory.read({ $0.sequence }) { memory.goBack(to: news) } else { memory.follow(news) }
  }
}

/// How far a group has come.
private enum Stage { case connecting, running, committing }

extension StoreError {
  /// True when running the group again may do: another transaction was in the way, or a connection was lost on which
  /// nothing can have been committed.
  fileprivate func mayPass(at stage: Stage) -> Bool {
    switch self {
    case .contended: true
    case .unavailable: stage == .running
    default: false
    }
  }

  /// True when one write of a group may be the reason, so that the others would succeed without it.
  fileprivate var mayBeOfOneWrite: Bool {
    switch self {
    case .diskFull, .database: true
    default: false
    }
  }

  /// True when it says something of the database and nothing of the write.
  var isOfDatabase: Bool {
    switch self {
    case .busy, .contended, .unavailable, .diskFull, .databaseFailing, .databaseDamaged, .database: true
    default: false
    }
  }
}
