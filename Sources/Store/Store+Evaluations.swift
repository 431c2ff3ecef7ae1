// Evaluations, answers and the change feed: reads from memory or the database, writes through the writer.
public import InterviewKits
import SQLDatabase

extension Store {
  // MARK: Reading

  public func evaluation(_ id: ItemID, for caller: Caller) throws(StoreError) -> Evaluation {
    try screen(id, for: caller).evaluation
  }

  /// An evaluation with its kit revision and the feed's position, all of one moment, as the caller sees it.
  /// - Throws: `notFound`, also for one that is hidden.
  public func screen(_ id: ItemID, for caller: Caller) throws(StoreError) -> Screen {
    let (evaluation, sequence) = try evaluationAtOneMoment(id, for: caller)
    // The kit revision never changes, so it may be read later.
    let snapshot = try snapshot(
      RevisionKey(kit: caller.key(evaluation.summary.kitID), revision: evaluation.summary.kitRevision))
    let reach = Reach(caller)
    return Screen(
      evaluation: reach.redacted(evaluation, snapshot: snapshot), snapshot: snapshot, sequence: sequence,
      isRedacted: !reach.seesPrivateAnswers(of: evaluation.summary))
  }

  /// A page of evaluations, newest first.
  public func evaluations(
    _ query: EvaluationQuery, for caller: Caller
  ) throws(StoreError) -> Page<EvaluationSummary> {
    let reach = Reach(caller)
    guard reach.isWhole else {
      // Not kept: how long it takes must not tell of writes that are hidden.
      let page = try pool.read { (session) throws(StoreError) in
        try ListRows.evaluations(query, within: reach, in: session)
      }
      var told = Page<EvaluationSummary>(items: [], nextCursor: page.nextCursor)
      for summary in page.items {
        if let summary = try self.told(summary, to: caller) { told.items.append(summary) }
      }
      return told
    }
    let key = PageKey(accountID: caller.accountID, list: .evaluations, query: "\(query)")
    let (known, stamp) = memory.read { ($0.page(key), $0.stamp(of: key)) }
    if case .evaluations(let page) = known { return page }
    let page = try pool.read { (session) throws(StoreError) in
      try ListRows.evaluations(query, within: reach, in: session)
    }
    memory.read { $0.insert(.evaluations(page), for: key, stamp: stamp) }
    return page
  }

  /// The summary without what private answers make of it; nil when it was hidden meanwhile.
  private func told(_ summary: EvaluationSummary, to caller: Caller) throws(StoreError) -> EvaluationSummary? {
    if Reach(caller).owns(summary) { return summary }
    let revision = RevisionKey(kit: caller.key(summary.kitID), revision: summary.kitRevision)
    let snapshot = try snapshot(revision)
    // Without answers, told as it stands.
    if summary.privateAnswers == 0, snapshot.privateItems.isEmpty {
      return snapshot.told(Evaluation(summary: summary)).summary
    }
    do throws(StoreError) { return try evaluation(summary.id, for: caller).summary } catch {
      guard case .notFound = error else { throw error }
      return nil
    }
  }

  /// Every value that an item ever had, and those that lost a conflict; empty while it was never written.
  /// - Parameter limit: of either.
  /// - Throws: `notFound` when there is no such evaluation.
  public func answerHistory(
    _ id: ItemID, item: ItemID, limit: Int = StoreLimits.pageItems, cursor: String? = nil, for caller: Caller
  ) throws(StoreError) -> AnswerHistory {
    let limit = try ListRows.checked(limit)
    let below = try HistoryCursor(cursor)
    let key = caller.key(id)
    let screen = try screen(id, for: caller)
    let isTold = screen.isRedacted
    if isTold, screen.snapshot.privateItems.contains(item) {
      return AnswerHistory(items: [], lostConflicts: [], nextCursor: nil)
    }
    let (found, lost) = try pool.read { (session) throws(StoreError) in
      (
        try HistoryRows.values(
          of: key, item: item, below: below.revision, limit: limit + 1, isTold: isTold, in: session),
        try LostAnswerRows.values(of: key, item: item, isTold: isTold, in: session)
      )
    }
    let items = isTold ? found.map(\.told) : found
    let (page, rest) = below.page(of: lost, limit: limit)
    let next = HistoryCursor(revision: items.count > limit ? items[limit - 1].revision : 0, lost: rest)
    return AnswerHistory(
      items: Array(items.prefix(limit)), lostConflicts: page,
      nextCursor: items.count > limit || rest != .end ? next.text : nil)
  }

  /// What happened to an evaluation besides answering, newest first.
  /// - Throws: `notFound` when there is no such evaluation.
  public func evaluationEvents(
    _ id: ItemID, limit: Int = StoreLimits.pageItems, cursor: String? = nil, for caller: Caller
  ) throws(StoreError) -> Page<EvaluationEvent> {
    let limit = try ListRows.checked(limit)
    let below = try Cursor.revision(cursor)
    let key = caller.key(id)
    let isTold = !Reach(caller).seesPrivateAnswers(of: try evaluationAtOneMoment(id, for: caller).evaluation.summary)
    let found = try pool.read { (session) throws(StoreError) in
      try EventRows.events(of: key, below: below, limit: limit + 1, isTold: isTold, in: session)
    }
    let items = Array(found.prefix(limit))
    return Page(items: items, nextCursor: found.count > limit ? items.last.map { String($0.revision) } : nil)
  }

  /// The account's changes after a sequence, in order.
  public func changes(
    after sequence: Int, limit: Int = StoreLimits.largestPageItems, for caller: Caller
  ) throws(StoreError) -> [Change] {
    if sequence >= self.sequence { return [] }
    return try pool.read { (session) throws(StoreError) in
      try ChangeRows.changes(after: sequence, limit: limit, within: Reach(caller), in: session)
    }
  }

  private func isErased(_ evaluation: RowKey) throws(StoreError) -> Bool {
    try pool.read { (session) throws(StoreError) in try ErasureRows.isErased(evaluation: evaluation, in: session) }
  }

  private func evaluationAtOneMoment(
    _ id: ItemID, for caller: Caller
  ) throws(StoreError) -> (evaluation: Evaluation, sequence: Int) {
    let (key, reach) = (caller.key(id), Reach(caller))
    let (known, sequence, evictions) = memory.read {
      ($0.evaluations.value(for: key), $0.sequence, $0.evaluations.evictions)
    }
    if let known, reach.sees(known.evaluation.summary) == true { return (known.evaluation, sequence) }
    // What is hidden is looked for like what is not there, so that it takes no other time.
    let read = try pool.read { (session) throws(StoreError) -> (EvaluationState, Int)? in
      let sequence = try ChangeRows.lastSequence(in: session)
      return try EvaluationRows.evaluation(id, within: reach, in: session).map { (EvaluationState($0), sequence) }
    }
    guard let (state, readSequence) = read else {
      let isErased = reach.isWhole ? try isErased(key) : false
      throw isErased ? .gone : .notFound
    }
    let newest: (Evaluation, Int)? = memory.read { memory in
      // The writer's is at least as new as what was read beside it.
      if let newer = memory.evaluations.value(for: key) {
        return reach.sees(newer.evaluation.summary) == false ? nil : (newer.evaluation, memory.sequence)
      }
      let isNew = memory.isUnchanged(since: readSequence) {
        $0.accountID == key.accountID && $0.change.evaluationID == key.id
      }
      if isNew, memory.evaluations.evictions == evictions { memory.insert(state, for: key) }
      return (state.evaluation, readSequence)
    }
    guard let newest else { throw .notFound }
    return newest
  }

  // MARK: Writing

  /// Creates an evaluation, pinned to a kit revision. Creating the same again is unchanged.
  /// - Throws: `notFound` when there is no such kit, `idTaken`, `invalid`, `conflict` with the code `kitArchived`.
  @discardableResult public func createEvaluation(
    _ draft: EvaluationDraft, precondition: Precondition = .none, by author: Caller, retry: RetryKey? = nil
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
    _ id: ItemID, precondition: Precondition, by author: Caller, retry: RetryKey? = nil,
    edit: @escaping @Sendable (Evaluation, KitSnapshot, Timestamp) throws(StoreError) -> EvaluationSummary?
  ) async throws(StoreError) -> EvaluationWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.changeEvaluation(id, precondition: precondition, edit: edit)
    }
  }

  /// Submits, reopens or withdraws an evaluation; a step that was taken already is unchanged.
  /// - Throws: `incomplete` with everything that is missing, `conflict` with the code `evaluationNotDraft`.
  @discardableResult public func take(
    _ step: EvaluationStep, on id: ItemID, precondition: Precondition = .none, by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> EvaluationWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.take(step, on: id, precondition: precondition)
    }
  }

  /// Writes answers, each for itself: a stale one fails alone.
  /// - Throws: `notFound`, `conflict` with the code `evaluationNotDraft`, or what the database says; the rest is in
  ///   the results.
  @discardableResult public func writeAnswers(
    _ id: ItemID, _ operations: [AnswerOperation], by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> AnswersWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.writeAnswers(id, operations, name: retry?.key)
    }
  }
}
