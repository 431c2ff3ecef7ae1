// Candidates: reading one's record, and erasing one for good.
public import InterviewKits
import SQLDatabase

/// What is known of a candidate besides the evaluations.
public struct Candidate: Hashable, Sendable {
  public var id: ItemID
  public var name: ExactText?
  /// Nil for all but admins, as is the next: they could tell of an evaluation that is hidden.
  public var createdAt: Timestamp?
  public var updatedAt: Timestamp?
}

/// A candidate is no more.
public struct CandidateErased: Sendable {
  public var id: ItemID
  /// How many evaluations went with the candidate.
  public var evaluations: Int
  var mustScrub = true
  var sequence = 0
}

extension CandidateErased: SequencedOutput {}

extension Store {
  /// - Throws: `notFound`, also for a candidate of whom the caller sees no evaluation; `gone` for one that was erased.
  public func candidate(_ id: ItemID, for caller: Caller) throws(StoreError) -> Candidate {
    let reach = Reach(caller)
    return try pool.read { (session) throws(StoreError) in
      let found = try session.first(
        "SELECT id, name, created_at, updated_at FROM candidate WHERE account_id = $1 AND id = $2",
        caller.key(id).values
      ) { (row) throws(StoreError) in
        Candidate(
          id: try row.id(0), name: try row.optionalText(1).map { ExactText($0) },
          createdAt: reach.isWhole ? try row.time(2) : nil, updatedAt: reach.isWhole ? try row.time(3) : nil)
      }
      let evaluations = EvaluationQuery(candidateID: id, limit: 1)
      let isSeen =
        reach.isWhole ? true : try !ListRows.evaluations(evaluations, within: reach, in: session).items.isEmpty
      if let found, isSeen { return found }
      let isErased = try ErasureRows.isErased(candidate: caller.key(id), in: session)
      throw reach.isWhole && isErased ? .gone : .notFound
    }
  }

  /// Removes a candidate's evaluations, answers, their history and the names, from the database, its pages and its log.
  /// Writes wait meanwhile: it takes as long as the database is large. Repeated, it does what is left to do.
  /// - Throws: `notFound`; `busy` when a read has held the log for too long: the rows are gone then, and the rest goes when
  ///   it is repeated, or at the next start.
  @discardableResult public func erase(candidate id: ItemID, by author: Caller) async throws(StoreError)
    -> CandidateErased
  {
    let erased = try await writer.write(by: author) { (transaction) throws(StoreError) in
      try transaction.erase(candidate: id)
    }
    let entry = ErasureList.Entry(accountID: author.accountID, candidateID: id)
    try erasures?.add([entry])
    guard erased.mustScrub else { return erased }
    try await writer.scrub()
    return try await writer.write(by: author) { (transaction) throws(StoreError) in
      try transaction.noteScrubbed([entry])
      return erased
    }
  }

  /// Brings a database and the list beside it up to each other: what was erased stays so, whatever copy of the database
  /// was put back. Only this session may be open. It goes before the first read.
  static func carryOut(
    _ list: ErasureList, on session: Session, of database: any Database, memory: Memory,
    clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) {
    try list.add(try ErasureRows.all(in: session))
    try carryOut(try list.read(), on: session, of: database, memory: memory, clock: clock)
  }

  /// The same for a copy that is no database yet, and several lists.
  static func carryOut(
    _ lists: [ErasureList], on session: Session, of database: any Database,
    clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) -> ErasedAnew {
    var listed: [ErasureList.Entry] = []
    for list in lists { listed += try list.read() }
    let distinct = Set(listed)
    let there = lists.filter(\.isThere).map(\.path)
    let mustScrub = try ErasureRows.mustScrub(in: session)
    if listed.isEmpty, !mustScrub { return ErasedAnew(lists: there, candidates: 0) }
    let present = try distinct.count { entry throws(StoreError) in
      try ErasureRows.isCandidate(RowKey(accountID: entry.accountID, id: entry.candidateID), in: session)
    }
    let memory = Memory(StoreLimits())
    try memory.restart(from: session, now: clock())
    try carryOut(listed, on: session, of: database, memory: memory, clock: clock)
    return ErasedAnew(lists: there, candidates: present)
  }

  private static func carryOut(
    _ listed: [ErasureList.Entry], on session: Session, of database: any Database, memory: Memory,
    clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) {
    let done = try ErasureRows.all(in: session)
    // Lists that were put together name some twice.
    var rest = Set(listed).subtracting(done)
    let missing = listed.filter { rest.remove($0) != nil }
    func write(_ body: (WriteTransaction) throws(StoreError) -> Void) throws(StoreError) {
      try session.begin(.writing)
      do throws(StoreError) {
        let transaction = WriteTransaction(session, memory: memory, clock: clock)
        try body(transaction)
        transaction.keep()
        let sequence = try transaction.appendChanges()
        try session.commit()
        memory.apply(transaction.staged, sequence: sequence)
      } catch {
        session.connection.rollback()
        throw error
      }
    }
    if !missing.isEmpty {
      try write { (transaction) throws(StoreError) in try transaction.repeatErasures(missing) }
    }
    guard try ErasureRows.mustScrub(in: session) else { return }
    try database.scrubbed()
    let all = try ErasureRows.all(in: session)
    try write { (transaction) throws(StoreError) in try transaction.noteScrubbed(all) }
  }
}

extension Database {
  /// - Throws: `busy` when a read has held the log for too long.
  func scrubbed() throws(StoreError) {
    if try !mapped({ () throws(SQLError) in try scrub() }) { throw .busy }
  }
}

extension WriteTransaction {
  func erase(candidate id: ItemID) throws(StoreError) -> CandidateErased {
    let key = key(id)
    if try ErasureRows.isErased(candidate: key, in: session) {
      return CandidateErased(id: id, evaluations: 0, mustScrub: try ErasureRows.mustScrub(key, in: session))
    }
    guard try ErasureRows.isCandidate(key, in: session) else { throw .notFound }
    return try eraseAll(of: id)
  }

  /// The same for one who need not be there.
  func eraseAll(of id: ItemID) throws(StoreError) -> CandidateErased {
    let (key, now) = (key(id), now)
    let evaluations = try ErasureRows.evaluations(of: key, in: session)
    let members = try ErasureRows.members(of: key, in: session)
    for evaluation in evaluations {
      try ErasureRows.erase(evaluation: self.key(evaluation.id), of: id, in: session)
      append(
        .evaluationErased, kit: evaluation.kitID, evaluation: evaluation.id, revision: evaluation.revision + 1,
        deleted: true, at: now, candidate: id)
      forgetEvaluation(evaluation.id)
    }
    try ErasureRows.erase(candidate: key, at: now, by: author, in: session)
    append(.candidateErased, kit: nil, revision: 1, deleted: true, at: now, candidate: id)
    stageErasure()
    for member in members { append(.accessChanged, kit: nil, revision: 1, at: now, candidate: id, recipient: member) }
    return CandidateErased(id: id, evaluations: evaluations.count)
  }

  func repeatErasures(_ erasures: [ErasureList.Entry]) throws(StoreError) {
    for entry in erasures {
      author = Store.service.acting(in: entry.accountID)
      _ = try eraseAll(of: entry.candidateID)
    }
  }

  func noteScrubbed(_ erasures: [ErasureList.Entry]) throws(StoreError) {
    try ErasureRows.noteScrubbed(erasures, at: now, in: session)
    noteRecord()
  }
}
