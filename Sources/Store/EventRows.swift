// Reads and writes what happened to an evaluation besides answering.
import InterviewKits
import SQLDatabase

enum EventRows {
  static func insert(
    _ kind: EvaluationEvent.Kind, reason: ExactText? = nil, of summary: EvaluationSummary, by author: Author,
    in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO evaluation_event (account_id, evaluation_id, revision, kind, reason, status, kit_revision,
        candidate_id, interviewer_id, answered, required, missing, submitted_at, written_at, written_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      """,
      [
        .id(author.accountID), .id(summary.id), .integer(summary.revision), .text(kind.rawValue),
        .text(reason?.string), .text(summary.status.rawValue), .integer(summary.kitRevision),
        .id(summary.candidate.id), .id(summary.interviewer.id), .integer(summary.progress.answered),
        .integer(summary.progress.required), .integer(summary.progress.missing), .time(summary.submittedAt),
        .time(summary.updatedAt), .id(author.memberID),
      ])
  }

  /// An evaluation's events, newest first, below a revision.
  static func events(
    of key: RowKey, below revision: Int, limit: Int, in session: Session
  ) throws(StoreError) -> [EvaluationEvent] {
    try session.rows(
      """
      SELECT kind, revision, status, kit_revision, reason, written_at, written_by FROM evaluation_event
      WHERE account_id = $1 AND evaluation_id = $2 AND revision < $3 ORDER BY revision DESC LIMIT $4
      """, [.id(key.accountID), .id(key.id), .integer(revision), .integer(limit)]
    ) { (row) throws(StoreError) in
      EvaluationEvent(
        kind: try row.word(0, EvaluationEvent.Kind.self), revision: try row.integer(1),
        status: try row.word(2, EvaluationStatus.self), kitRevision: try row.integer(3),
        reason: try row.optionalText(4).map { ExactText($0) }, at: try row.time(5), by: try row.id(6))
    }
  }
}
