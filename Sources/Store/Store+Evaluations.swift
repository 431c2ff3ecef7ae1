// Evaluations, answers and the change feed: reads from memory or the database, writes through the writer.
public import InterviewKits
import SQLDatabase

extension Store {
  // MARK: Reading

  public func evaluation(_ id: ItemID, in account: ItemID) throws(StoreError) -> Evaluation {
    try evaluationAtOneMoment(RowKey(accountID: account, id: id)).evaluation
  }

  /// An evaluation with its kit revision and the feed's position, all of one moment.
  public func screen(_ id: ItemID, in account: ItemID) throws(StoreError) -> Screen {
    let (evaluation, sequence) = try evaluationAtOneMoment(RowKey(accountID: account, id: id))
    // The kit revision never changes, so it may be read later.
    let kit = RowKey(accountID: account, id: evaluation.summary.kitID)
    let snapshot = try snapshot(RevisionKey(kit: kit, revision: evaluation.summary.kitRevision))
    return Screen(evaluation: evaluation, snapshot: snapshot, sequence: sequence)
  }

  /// A page of evaluations, newest first.
  public func evaluations(
    _ query: EvaluationQuery, in account: ItemID
  ) throws(StoreError) -> Page<EvaluationSummary> {
    let key = PageKey(accountID: account, query: "evaluations \(query)")
    if case .evaluations(let page) = memory.read({ $0.page(key) }) { return page }
    let sequence = sequence
    let page = try pool.read { (session) throws(StoreError) in
      try ListRows.evaluations(query, accountID: account, in: session)
    }
    memory.read { $0.insert(.evaluations(page), for: key, sequence: sequence) }
    return page
  }

  /// Every value that an item ever had, and those that lost a conflict; empty while it was never written.
  /// - Parameter limit: of either.
  /// - Throws: `notFound` when there is no such evaluation.
  public func answerHistory(
    _ id: ItemID, item: ItemID, limit: Int = StoreLimits.pageItems, cursor: String? = nil, in account: ItemID
  ) throws(StoreError) -> AnswerHistory {
    let limit = try ListRows.checked(limit)
    let below = try HistoryCursor(cursor)
    let key = RowKey(accountID: account, id: id)
    _ = try evaluationAtOneMoment(key)
    let (items, lost) = try pool.read { (session) throws(StoreError) in
      (
        try EvaluationRows.history(key, item: item, below: below.revision, limit: limit + 1, in: session),
        try LostAnswerRows.lost(key, item: item, below: below.number, limit: limit + 1, in: session)
      )
    }
    let next = HistoryCursor(
      revision: items.count > limit ? items[limit - 1].revision : 0,
      number: lost.count > limit ? lost[limit - 1].number : 0)
    return AnswerHistory(
      items: Array(items.prefix(limit)), lostConflicts: lost.prefix(limit).map(\.lost),
      nextCursor: items.count > limit || lost.count > limit ? next.text : nil)
  }

  /// What happened to an evaluation besides answering, newest first.
  /// - Throws: `notFound` when there is no such evaluation.
  public func evaluationEvents(
    _ id: ItemID, limit: Int = StoreLimits.pageItems, cursor: String? = nil, in account: ItemID
  ) throws(StoreError) -> Page<EvaluationEvent> {
    let limit = try ListRows.checked(limit)
    let below = try Cursor.revision(cursor)
    let key = RowKey(accountID: account, id: id)
    _ = try evaluationAtOneMoment(key)
    let found = try pool.read { (session) throws(StoreError) in
      try EventRows.events(of: key, below: below, limit: limit + 1, in: session)
    }
    let items = Array(found.prefix(limit))
    return Page(items: items, nextCursor: found.count > limit ? items.last.map { String($0.revision) } : nil)
  }

  /// The account's changes after a sequence, in order.
  public func changes(
    after sequence: Int, limit: Int = StoreLimits.largestPageItems, in account: ItemID
  ) throws(StoreError) -> [Change] {
    if sequence >= self.sequence { return [] }
    return try pool.read { (session) throws(StoreError) in
      try ChangeRows.changes(after: sequence, limit: limit, accountID: account, in: session)
    }
  }

  private func evaluationAtOneMoment(
    _ key: RowKey
  ) throws(StoreError) -> (evaluation: Evaluation, sequence: Int) {
    let (known, sequence, evictions) = memory.read {
      ($0.evaluations.value(for: key), $0.sequence, $0.evaluations.evictions)
    }
    if let known { return (known.evaluation, sequence) }
    let read = try pool.read { (session) throws(StoreError) -> (EvaluationState, Int)? in
      let sequence = try ChangeRows.lastSequence(in: session)
      return try EvaluationRows.evaluation(key, in: session).map { (EvaluationState($0), sequence) }
    }
    guard let (state, readSequence) = read else { throw .notFound }
    return memory.read { memory in
      // The writer's is at least as new as what was read beside it.
      if let newer = memory.evaluations.value(for: key) { return (newer.evaluation, memory.sequence) }
      let isNew = memory.isUnchanged(since: readSequence) {
        $0.accountID == key.accountID && $0.change.evaluationID == key.id
      }
      if isNew, memory.evaluations.evictions == evictions { memory.insert(state, for: key) }
      return (state.evaluation, readSequence)
    }
  }

  // MARK: Writing

  /// Creates an evaluation, pinned to a kit revision. Creating the same again is unchanged.
  /// - Throws: `notFound` when there is no such kit, `idTaken`, `invalid`, `conflict` with the code `kitArchived`.
  @discardableResult public func createEvaluation(
    _ draft: EvaluationDraft, precondition: Precondition = .none, by author: Author, retry: RetryKey? = nil
  ) async throws(StoreError) -> EvaluationWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.createEvaluation(draft, precondition: precondition)
    }
  }

  /// Changes a draft's own members: people, kit revision.
  ///
  /// - Parameter edit: the summary as it shall be, or nil to change nothing. Status, revision, times, progress and
  ///   recommendation are set by the store. It may run more than once.
  /// - Throws: `conflict` with the code `evaluationNotDraft`, `notFound`, `invalid` or a failed precondition.
  @discardableResult public func changeEvaluation(
    _ id: ItemID, precondition: Precondition, by author: Author, retry: RetryKey? = nil,
    edit: @escaping @Sendable (Evaluation, KitSnapshot, Timestamp) throws(StoreError) -> EvaluationSummary?
  ) async throws(StoreError) -> EvaluationWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.changeEvaluation(id, precondition: precondition, edit: edit)
    }
  }

  /// Submits, reopens or withdraws an evaluation; a step that was taken already is unchanged.
  /// - Throws: `incomplete` with everything that is missing, `conflict` with the code `evaluationNotDraft`.
  @discardableResult public func take(
    _ step: EvaluationStep, on id: ItemID, precondition: Precondition = .none, by author: Author, retry: RetryKey? = nil
  ) async throws(StoreError) -> EvaluationWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.take(step, on: id, precondition: precondition)
    }
  }

  /// Writes answers, each for itself: a stale one fails alone.
  /// - Throws: `notFound`, `conflict` with the code `evaluationNotDraft`, or what the database says; the rest is in
  ///   the results.
  @discardableResult public func writeAnswers(
    _ id: ItemID, _ operations: [AnswerOperation], by author: Author, retry: RetryKey? = nil
  ) async throws(StoreError) -> AnswersWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.writeAnswers(id, operations, name: retry?.key)
    }
  }
}
