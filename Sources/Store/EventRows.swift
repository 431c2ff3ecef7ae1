// Reads and writes what happened to an evaluation besides answering.
import InterviewKits
import SQLDatabase

enum EventRows {
  static func insert(
    _ kind: EvaluationEvent.Kind, reason: ExactText? = nil, of summary: EvaluationSummary, by author: Caller,
    in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO evaluation_event (account_id, evaluation_id, revision, kind, reason, status, kit_revision,
        candidate_id, interviewer_id, answered, required, missing, submitted_at, written_at, written_by, told_revision)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
      """,
      [
        .id(author.accountID), .id(summary.id), .integer(summary.revision), .text(kind.rawValue),
        .text(reason?.string), .text(summary.status.rawValue), .integer(summary.kitRevision),
        .id(summary.candidate.id), .id(summary.interviewer.id), .integer(summary.progress.answered),
        .integer(summary.progress.required), .integer(summary.progress.missing), .time(summary.submittedAt),
        .time(summary.updatedAt), .id(author.memberID), .integer(summary.toldRevision),
      ])
  }

  /// An evaluation's events, newest first, below a revision.
  /// - Parameter isTold: whether revisions are those that others are told.
  static func events(
    of key: RowKey, below revision: Int, limit: Int, isTold: Bool = false, in session: Session
  ) throws(StoreError) -> [EvaluationEvent] {
    let column = isTold ? "told_revision" : "revision"
    return try session.rows(
      """
      SELECT kind, \(column), status, kit_revision, reason, written_at, written_by FROM evaluation_event
      WHERE account_id = $1 AND evaluation_id = $2 AND \(column) < $3 ORDER BY \(column) DESC LIMIT $4
      """, [.id(key.accountID), .id(key.id), .integer(revision), .integer(limit)]
    ) { (row) throws(StoreError) in
      EvaluationEvent(
        kind: try row.word(0, EvaluationEvent.Kind.self), revision: try row.integer(1),
        status: try row.word(2, EvaluationStatus.self), kitRevision: try row.integer(3),
        reason: try row.optionalText(4).map { ExactText($0) }, at: try row.time(5), by: try row.id(6))
    }
  }

  /// The evaluation as it was at a revision, without what its kit revision makes of the answers: progress and
  /// recommendation; nil when its events do not reach back so far. Names are those of now: no text is kept in events.
  static func evaluation(
    _ now: Evaluation, revision: Int, in session: Session, accountID: ItemID
  ) throws(StoreError) -> Evaluation? {
    let key: [SQLValue] = [.id(accountID), .id(now.summary.id), .integer(revision)]
    let found = try session.first(
      """
      SELECT status, kit_revision, candidate_id, interviewer_id, submitted_at, written_at, (
        SELECT submission.written_by FROM evaluation_event AS submission WHERE submission.account_id = $1
        AND submission.evaluation_id = $2 AND submission.revision <= $3 AND submission.kind = 'submitted'
        ORDER BY submission.revision DESC LIMIT 1), told_revision, revision FROM evaluation_event
      WHERE account_id = $1 AND evaluation_id = $2 AND revision <= $3 ORDER BY revision DESC LIMIT 1
      """, key
    ) { (row) throws(StoreError) in
      var summary = now.summary
      (summary.status, summary.kitRevision) = (try row.word(0, EvaluationStatus.self), try row.integer(1))
      let (candidate, interviewer) = (try row.id(2), try row.id(3))
      if candidate != summary.candidate.id { summary.candidate = Person(id: candidate) }
      if interviewer != summary.interviewer.id { summary.interviewer = Person(id: interviewer) }
      (summary.submittedAt, summary.updatedAt) = (try row.optionalTime(4), try row.time(5))
      summary.submittedBy = summary.submittedAt == nil ? nil : try row.optionalID(6)
      (summary.revision, summary.toldRevision, summary.toldAt) = (revision, try row.integer(7), summary.updatedAt)
      return (summary, try row.integer(8))
    }
    guard case (var summary, let eventRevision)? = found else { return nil }
    var answers: Answers = [:]
    var told: Set<Int> = []
    for table in ["answer_history", "answer"] {
      try session.each(
        """
        SELECT \(EvaluationRows.answerColumns), evaluation_revision FROM \(table)
        WHERE account_id = $1 AND evaluation_id = $2 AND evaluation_revision <= $3 ORDER BY item_id, revision
        """, key
      ) { (row) throws(StoreError) in
        let answer = try EvaluationRows.answer(row)
        answers.update(answer)
        if let at = answer.updatedAt {
          summary.updatedAt = max(summary.updatedAt, at)
          if !answer.isPrivate { summary.toldAt = max(summary.toldAt, at) }
        }
        if !answer.isPrivate, try row.integer(7) > eventRevision { told.insert(try row.integer(7)) }
        return true
      }
    }
    summary.toldRevision += told.count
    summary.privateAnswers = answers.filter(\.isPrivate).count
    return Evaluation(summary: summary, answers: answers)
  }
}
