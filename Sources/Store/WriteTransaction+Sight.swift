// Who may write an evaluation, and what is written when who sees it changes.
import InterviewKits

extension WriteTransaction {
  /// The evaluation for a write: its interviewer's, or an admin's.
  /// - Throws: `notFound`, also for one that is hidden; `forbidden` for one that may only be read.
  func ownEvaluation(_ id: ItemID) throws(StoreError) -> EvaluationState {
    guard let state = try evaluationState(id) else {
      let isErased = try ErasureRows.isErased(evaluation: key(id), in: session)
      throw Reach(author).isWhole && isErased ? .gone : .notFound
    }
    let reach = Reach(author)
    if reach.isWhole || reach.owns(state.evaluation.summary) { return state }
    throw try EvaluationRows.isVisible(id, to: reach, in: session) ? .forbidden : .notFound
  }

  /// After a change of an evaluation's people or status: opens the interviewer's sight of the candidate, and tells those
  /// who see another evaluation now, or one less. Each of them reads the candidate again.
  func followSight(from before: EvaluationSummary?, to after: EvaluationSummary) throws(StoreError) {
    let isReassigned = before != nil && before?.interviewer.id != after.interviewer.id
    if before?.status != after.status || before?.candidate.id != after.candidate.id || isReassigned {
      let opened = try SightRows.open(
        after.candidate.id, to: after.interviewer.id, of: author.accountID, at: after.updatedAt, in: session)
      if opened { tell([after.interviewer.id], of: after) }
    }
    if let before, isReassigned || before.candidate.id != after.candidate.id {
      // It may have been the last draft that closed his eyes for that candidate.
      let opened = try SightRows.open(
        before.candidate.id, to: before.interviewer.id, of: author.accountID, at: after.updatedAt, in: session)
      if opened { tell([before.interviewer.id], of: before) }
    }
    if let before, isReassigned {
      for person in [before.interviewer.id, after.interviewer.id] where try SightRows.isMember(key(person), in: session)
      {
        tell([person], of: after)
      }
    }
    guard let before, (before.status == .submitted) != (after.status == .submitted) else { return }
    try InSightRows.update(after, of: author.accountID, in: session)
    guard let visibility = try kitState(after.kitID)?.snapshot.kit.visibility else { return }
    tell(
      try SightRows.watchers(of: after, visibility: visibility, account: author.accountID, in: session), of: after)
  }

  private func tell(_ members: [ItemID], of summary: EvaluationSummary) {
    for member in members {
      append(
        .accessChanged, kit: nil, revision: summary.toldRevision, at: summary.updatedAt,
        candidate: summary.candidate.id,
        recipient: member)
    }
  }

  /// A kit's other visibility hides or shows evaluations of any candidate.
  func followVisibility(of kit: ItemID, revision: Int, at: Timestamp) throws(StoreError) {
    try InSightRows.update(kit: key(kit), in: session)
    for member in try SightRows.interviewers(of: author.accountID, in: session) {
      append(.accessChanged, kit: kit, revision: revision, at: at, recipient: member)
    }
  }

  /// A member who becomes an interviewer has sight of whom he has submitted for.
  func openSights(of member: Member) throws(StoreError) {
    guard member.role == .interviewer else { return }
    for candidate in try SightRows.candidates(of: key(member.id), in: session) {
      _ = try SightRows.open(
        candidate, to: member.id, of: author.accountID, at: member.updatedAt, in: session)
    }
  }
}
