// The writes of evaluations and answers, each within its group.
import InterviewKits

extension WriteTransaction {
  /// The same evaluation created again is unchanged.
  func createEvaluation(_ draft: EvaluationDraft, precondition: Precondition) throws(StoreError) -> EvaluationWritten {
    let reach = Reach(author)
    guard reach.isWhole || draft.interviewer.id == author.memberID else { throw .forbidden }
    if let existing = try evaluationState(draft.id)?.evaluation {
      // Of another one nothing is told but that the ID can't be had.
      guard reach.isWhole || reach.owns(existing.summary) else { throw .idTaken(draft.id) }
      if existing.summary.isMade(from: draft) { return try written(existing, .unchanged) }
      if precondition == .createOnly { throw .preconditionFailed(current: .evaluation(existing)) }
      throw .idTaken(draft.id)
    }
    if try ErasureRows.isErased(evaluation: key(draft.id), in: session) { throw .gone }
    if try ErasureRows.isErased(candidate: key(draft.candidate.id), in: session) {
      throw .erasedCandidate(draft.candidate.id)
    }
    if precondition.verdict(revision: nil) != .passes { throw .preconditionFailed(current: nil) }
    let kit = try kit(of: draft)
    if kit.kit.status == .archived {
      throw .conflict(code: "kitArchived", detail: "The kit is archived: it takes no new evaluations.")
    }
    let snapshot = try pinned(draft.kitID, revision: draft.kitRevision ?? kit.kit.revision)
    let now = now
    let (name, isRenamed) = try EvaluationRows.writeCandidate(draft.candidate, at: now, by: author, in: session)
    var interviewer = draft.interviewer
    if interviewer.name == nil { interviewer.name = try memberName(interviewer.id) }
    let summary = EvaluationSummary(
      id: draft.id, kitID: draft.kitID, kitRevision: snapshot.kit.revision,
      candidate: Person(id: draft.candidate.id, name: name), interviewer: interviewer,
      progress: snapshot.progress(answers: [:]), createdAt: now, updatedAt: now)
    try EvaluationRows.insert(summary, by: author, in: session)
    try EventRows.insert(.created, of: summary, by: author, in: session)
    append(.evaluationCreated, of: summary)
    if isRenamed { try touchOthers(of: summary.candidate.id, except: summary.id, at: now) }
    let evaluation = Evaluation(summary: summary)
    stage(EvaluationState(evaluation))
    return EvaluationWritten(evaluation: evaluation, snapshot: snapshot, outcome: .created, sequence: 0)
  }

  /// - Parameter edit: the summary as it shall be, or nil to change nothing. Status, revision, times, progress and
  ///   recommendation are set here.
  func changeEvaluation(
    _ id: ItemID, precondition: Precondition,
    edit: (Evaluation, KitSnapshot, Timestamp) throws(StoreError) -> EvaluationSummary?
  ) throws(StoreError) -> EvaluationWritten {
    var state = try ownEvaluation(id)
    let before = state.evaluation
    let oldSnapshot = try snapshot(before.summary.kitID, revision: before.summary.kitRevision)
    let now = now
    let edited: EvaluationSummary?
    do throws(StoreError) { edited = try edit(before, oldSnapshot, now) } catch {
      try check(precondition, before)
      throw error
    }
    guard var summary = edited, summary != before.summary else { return try written(before, .unchanged) }
    guard Reach(author).isWhole || summary.interviewer.id == author.memberID else { throw .forbidden }
    guard before.summary.status == .draft else { throw .frozen(before.summary.status) }
    try check(precondition, before)
    if summary.interviewer.id != before.summary.interviewer.id, summary.interviewer.name == nil {
      summary.interviewer.name = try memberName(summary.interviewer.id)
    }
    (summary.status, summary.submittedAt) = (before.summary.status, before.summary.submittedAt)
    summary.submittedBy = before.summary.submittedBy
    (summary.id, summary.kitID, summary.createdAt) = (before.summary.id, before.summary.kitID, before.summary.createdAt)
    let snapshot = try pinned(summary.kitID, revision: summary.kitRevision)
    if summary.candidate != before.summary.candidate {
      if try ErasureRows.isErased(candidate: key(summary.candidate.id), in: session) {
        throw .erasedCandidate(summary.candidate.id)
      }
      let isSame = summary.candidate.id == before.summary.candidate.id
      let (name, isRenamed) = try EvaluationRows.writeCandidate(
        summary.candidate, clears: isSame, at: now, by: author, in: session)
      if isSame, name != summary.candidate.name {
        throw .conflict(
          code: "candidateNamed", detail: "The candidate was named by somebody else: who did, or an admin, changes it.")
      }
      summary.candidate.name = name
      if isRenamed { try touchOthers(of: summary.candidate.id, except: id, at: now) }
    }
    (summary.revision, summary.toldRevision) = (before.summary.revision, before.summary.toldRevision)
    summary.revise(at: now)
    summary.progress = snapshot.progress(answers: before.answers)
    summary.recommendation = snapshot.recommendation(before.answers)
    try EvaluationRows.update(summary, by: author, in: session)
    let isMoved = summary.kitRevision != before.summary.kitRevision
    try EventRows.insert(isMoved ? .moved : .changed, of: summary, by: author, in: session)
    append(.evaluationChanged, of: summary)
    state.evaluation.summary = summary
    stage(state)
    try followSight(from: before.summary, to: summary)
    return EvaluationWritten(evaluation: state.evaluation, snapshot: snapshot, outcome: .changed, sequence: 0)
  }

  /// The name of a member that can be named; nil for everybody else.
  private func memberName(_ id: ItemID) throws(StoreError) -> ExactText? {
    if try AccessRows.isBuiltIn(key(id), in: session) { return nil }
    return try AccessRows.member(key(id), in: session)?.name
  }

  /// Tells of what has become of an evaluation.
  func append(_ kind: ChangeKind, of summary: EvaluationSummary) {
    append(
      kind, kit: summary.kitID, evaluation: summary.id, revision: summary.revision, at: summary.updatedAt,
      told: summary.toldRevision)
  }

  func check(_ precondition: Precondition, _ evaluation: Evaluation) throws(StoreError) {
    switch precondition.verdict(revision: evaluation.summary.revision) {
    case .passes: return
    case .required: throw .preconditionRequired(current: .evaluation(evaluation))
    case .failed: throw .preconditionFailed(current: .evaluation(evaluation))
    }
  }

  func written(_ evaluation: Evaluation, _ outcome: WriteOutcome) throws(StoreError) -> EvaluationWritten {
    let snapshot = try snapshot(evaluation.summary.kitID, revision: evaluation.summary.kitRevision)
    return EvaluationWritten(evaluation: evaluation, snapshot: snapshot, outcome: outcome, sequence: 0)
  }

  /// - Throws: `invalid` with the code `unknownKit`.
  private func kit(of draft: EvaluationDraft) throws(StoreError) -> KitSnapshot {
    do throws(StoreError) { return try liveKit(draft.kitID).snapshot } catch {
      guard case .notFound = error else { throw error }
      throw .unknownKit(draft.kitID)
    }
  }

  /// The kit revision that an evaluation is to stay on; it stays in memory for its screens.
  private func pinned(_ kitID: ItemID, revision: Int) throws(StoreError) -> KitSnapshot {
    do throws(StoreError) {
      let snapshot = try snapshot(kitID, revision: revision)
      stage(snapshot)
      return snapshot
    } catch {
      guard case .notFound = error else { throw error }
      throw .unknownRevision(revision, of: kitID)
    }
  }

  /// A candidate's new name shows in all evaluations: they change too, so that no cached copy keeps the old one.
  private func touchOthers(of candidate: ItemID, except id: ItemID, at: Timestamp) throws(StoreError) {
    for other in try EvaluationRows.touch(candidate: candidate, except: id, at: at, by: author, in: session) {
      append(
        .evaluationChanged, kit: other.kitID, evaluation: other.id, revision: other.revision, at: at,
        told: other.toldRevision)
      forgetEvaluation(other.id)
    }
  }
}

// MARK: - Answers

extension WriteTransaction {
  /// Each operation succeeds or fails for itself; all that succeed are one group. One that was named and written before
  /// gives its outcome again, also when the answers are frozen by now.
  /// - Parameter name: the client's name for the whole write.
  func writeAnswers(
    _ id: ItemID, _ operations: [AnswerOperation], name: String?
  ) throws(StoreError) -> AnswersWritten {
    var state = try ownEvaluation(id)
    var before = state.evaluation
    let isFrozen = before.summary.status != .draft
    if isFrozen, operations.allSatisfy({ $0.operationID == nil }) { throw .frozen(before.summary.status) }
    let snapshot = try snapshot(before.summary.kitID, revision: before.summary.kitRevision)
    let now = now
    var (hasChanged, isTold) = (false, false)
    var results: [AnswerResult] = []
    results.reserveCapacity(operations.count)
    for operation in operations {
      let result: Result<AnswerWritten, StoreError>
      do throws(StoreError) {
        if let (written, previous) = try outcome(of: operation, in: state.evaluation) {
          before.answers[operation.itemID] = previous
          result = .success(written)
        } else {
          if isFrozen { throw .frozen(before.summary.status) }
          let written = try write(operation, to: &state, snapshot: snapshot, name: name, at: now)
          hasChanged = hasChanged || written.outcome != .unchanged
          isTold = isTold || written.outcome != .unchanged && !written.answer.isPrivate
          result = .success(written)
        }
      } catch {
        // A failure of the database is not the operation's: the whole write fails with it.
        if error.isOfDatabase { throw error }
        result = .failure(error)
      }
      results.append(AnswerResult(itemID: operation.itemID, operationID: operation.operationID, result: result))
    }
    if isFrozen, results.allSatisfy({ if case .failure = $0.result { true } else { false } }) {
      throw .frozen(before.summary.status)
    }
    if hasChanged {
      state.evaluation.summary.revise(at: now, isTold: isTold)
      state.evaluation.summary.recommendation = snapshot.recommendation(state.evaluation.answers)
      try EvaluationRows.updateCounts(state.evaluation.summary, by: author, in: session)
      stage(state)
    }
    return AnswersWritten(results: results, before: before, after: state.evaluation, snapshot: snapshot, sequence: 0)
  }

  /// What came of an operation that was named and written before.
  private func outcome(
    of operation: AnswerOperation, in evaluation: Evaluation
  ) throws(StoreError) -> (written: AnswerWritten, previous: Answer?)? {
    guard let name = operation.operationID,
      let (record, digest) = try RetryRows.operation(
        name, evaluation: evaluation.summary.id, of: author, in: session)
    else { return nil }
    guard digest == operation.digest, record.itemID == operation.itemID else { throw .keyReused }
    return try written(record, in: evaluation)
  }

  private func write(
    _ operation: AnswerOperation, to state: inout EvaluationState, snapshot: KitSnapshot, name: String?,
    at now: Timestamp
  ) throws(StoreError) -> AnswerWritten {
    let written = try answer(operation, in: &state, snapshot: snapshot, name: name, at: now)
    if let id = operation.operationID {
      let key = RetryKey(key: id, digest: operation.digest)
      try RetryRows.insert(written, operation: key, evaluation: state.evaluation.summary.id, of: author, in: session)
      noteRecord()
    }
    return written
  }

  private func answer(
    _ operation: AnswerOperation, in state: inout EvaluationState, snapshot: KitSnapshot, name: String?,
    at now: Timestamp
  ) throws(StoreError) -> AnswerWritten {
    guard let target = snapshot.answerTarget(operation.itemID) else { throw .notFound }
    let current = state.evaluation.answers[operation.itemID] ?? Answer(itemID: operation.itemID)
    let content: AnswerContent
    do throws(StoreError) {
      content = try operation.edit(target, current)
      let issues = content == current.content ? [] : target.issues(of: content)
      guard issues.isEmpty else { throw .invalid(issues) }
    } catch {
      // What is wrong over any answer is told first; what is wrong over this one may be so as it is another than was seen.
      _ = try operation.edit(target, Answer(itemID: operation.itemID))
      try check(operation.precondition, current)
      throw error
    }
    if content == current.content { return AnswerWritten(answer: current, outcome: .unchanged) }
    let isPrivate = snapshot.isConfidential(
      content, to: operation.itemID, of: target.question, in: state.evaluation)
    do throws(StoreError) { try check(operation.precondition, current) } catch {
      if case .preconditionFailed = error {
        try keepLost(
          content, of: operation, against: current, in: state.evaluation.summary.id, at: now, isPrivate: isPrivate)
      }
      throw error
    }
    let answer = Answer(
      itemID: operation.itemID, content: content, revision: current.revision + 1, updatedAt: now,
      updatedBy: author.memberID, isPrivate: isPrivate, toldRevision: current.toldRevision + (isPrivate ? 0 : 1))
    let summary = state.evaluation.summary
    let isBlind = operation.precondition == .exists
    try EvaluationRows.write(
      answer, replacing: current, operationID: operation.operationID ?? name, evaluation: summary,
      keepingOld: current.isKept(whenReplacedBy: answer, blindly: isBlind), by: author, in: session)
    if current.isPrivate, !isPrivate, let told = state.evaluation.earlierTold[answer.itemID] {
      try HistoryRows.replace(
        told: told, by: answer, keeping: told.isKept(whenReplacedBy: answer, blindly: isBlind), in: key(summary.id),
        session)
    }
    append(
      .answerChanged, kit: summary.kitID, evaluation: summary.id, item: answer.itemID, revision: answer.revision,
      deleted: content.isEmpty, at: now, isPrivate: isPrivate, told: answer.toldRevision)
    let before = state.evaluation.answers
    state.set(answer)
    state.evaluation.summary.progress = snapshot.progress(
      summary.progress, of: answer.itemID, before: before, after: state.evaluation.answers)
    return AnswerWritten(answer: answer, outcome: current.revision == 0 ? .created : .changed)
  }

  private func check(_ precondition: Precondition, _ answer: Answer) throws(StoreError) {
    switch precondition.verdict(answerRevision: answer.revision) {
    case .passes: return
    case .required: throw .preconditionRequired(current: .answer(answer))
    case .failed: throw .preconditionFailed(current: .answer(answer))
    }
  }
}

extension EvaluationSummary {
  /// True when creating from the draft again would make the same evaluation.
  fileprivate func isMade(from draft: EvaluationDraft) -> Bool {
    kitID == draft.kitID && (draft.kitRevision ?? kitRevision) == kitRevision
      && candidate.isMade(from: draft.candidate) && interviewer.isMade(from: draft.interviewer)
  }
}

extension Person {
  /// True when the draft says nothing else; a name that it leaves out says nothing.
  fileprivate func isMade(from draft: Person) -> Bool {
    id == draft.id && (draft.name == nil || draft.name == name)
  }
}
