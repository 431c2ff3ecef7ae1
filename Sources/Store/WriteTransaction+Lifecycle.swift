// The steps of an evaluation's lifecycle, each within its group.
import InterviewKits

extension WriteTransaction {
  /// A step that was taken already is unchanged, whatever the precondition.
  /// - Parameter precondition: none passes: the step is what the writer wants, whatever was answered meanwhile.
  func take(
    _ step: EvaluationStep, on id: ItemID, precondition: Precondition
  ) throws(StoreError) -> EvaluationWritten {
    var state = try ownEvaluation(id)
    let before = state.evaluation
    if before.summary.status == step.status { return try written(before, .unchanged) }
    if precondition != .none { try check(precondition, before) }
    let snapshot = try snapshot(before.summary.kitID, revision: before.summary.kitRevision)
    var summary = before.summary
    summary.status = step.status
    summary.revise(at: now)
    let event: (event: EvaluationEvent.Kind, change: ChangeKind, reason: ExactText?)
    switch step {
    case .submit:
      guard before.summary.status == .draft else { throw .frozen(before.summary.status) }
      if before.summary.progress.missing > 0 { throw .incomplete(snapshot.missing(answers: before.answers)) }
      (summary.submittedAt, summary.submittedBy) = (summary.updatedAt, author.memberID)
      event = (.submitted, .evaluationSubmitted, nil)
    case .reopen(let reason):
      (summary.submittedAt, summary.submittedBy) = (nil, nil)
      event = (.reopened, .evaluationReopened, reason)
    case .withdraw: event = (.withdrawn, .evaluationWithdrawn, nil)
    }
    try EvaluationRows.update(summary, by: author, in: session)
    try EventRows.insert(event.event, reason: event.reason, of: summary, by: author, in: session)
    append(event.change, of: summary)
    state.evaluation.summary = summary
    stage(state)
    try followSight(from: before.summary, to: summary)
    return EvaluationWritten(evaluation: state.evaluation, snapshot: snapshot, outcome: .changed, sequence: 0)
  }
}
