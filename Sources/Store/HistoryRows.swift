// Reads and writes the values that an answer had before, and when they go.
import InterviewKits
import SQLDatabase

/// What `private` says of a value in the history: 0 others are told it, 1 it was given in confidence, 2 others are told
/// it until `thin_at`, when it goes for them and stays for its interviewer and admins.
///
/// What others are told goes as if nothing had been given in confidence. A value that they are told still, as only such
/// ones came after it, waits for the next that they are told: `thin_at` is nil or, for a step of typing, `undecided`.
enum HistoryRows {
  /// In `thin_at`: goes some time after others are told another value, and not before.
  private static let undecided = Int.max

  /// Moves the value that is replaced from `answer` to the history.
  /// - Parameter isKept: for good; it is, too, when it was submitted.
  static func insert(
    _ old: Answer, replacedBy new: Answer, keeping isKept: Bool, in evaluation: RowKey, _ session: Session
  ) throws(StoreError) {
    let staysTold = new.isPrivate && !old.isPrivate
    try session.execute(
      """
      INSERT INTO answer_history (account_id, evaluation_id, item_id, revision, content, operation_id, updated_at,
        updated_by, evaluation_revision, private, told_revision, thin_at)
      SELECT account_id, evaluation_id, item_id, revision, content, operation_id, updated_at, updated_by,
        evaluation_revision, private, told_revision, CASE WHEN $4 = 1 OR \(wasSubmitted("answer")) THEN NULL
          \(goesAt) END
      FROM answer WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3
      """, evaluation.values + [.id(new.itemID)] + thinning(isKept, staysTold ? undecided : end(after: new)))
  }

  /// Says what becomes of the value that others were told until now, as if `new` had replaced it at once.
  static func replace(
    told old: Answer, by new: Answer, keeping isKept: Bool, in evaluation: RowKey, _ session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      UPDATE answer_history SET
        private = CASE WHEN thin_at IS NULL AND $4 = 0 AND NOT \(wasSubmitted("answer_history")) THEN 2 ELSE 0 END,
        thin_at = CASE WHEN $4 = 1 OR \(wasSubmitted("answer_history")) THEN NULL \(goesAt) END
      WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND revision = $7 AND private = 0
      """, evaluation.values + [.id(new.itemID)] + thinning(isKept, end(after: new)) + [.integer(old.revision)])
  }

  private static func wasSubmitted(_ table: String) -> String {
    """
    EXISTS (SELECT 1 FROM evaluation_event AS event WHERE event.account_id = $1 AND event.evaluation_id = $2
      AND event.revision >= \(table).evaluation_revision AND event.kind = 'submitted')
    """
  }

  /// Cases of when a step of typing goes; a named one after the time in which its name may come again.
  private static let goesAt = "WHEN operation_id IS NOT NULL AND updated_at + $5 > $6 THEN updated_at + $5 ELSE $6"

  /// $4 to $6.
  private static func thinning(_ isKept: Bool, _ end: Int) -> [SQLValue] {
    [.integer(isKept ? 1 : 0), .integer(StoreLimits.retryMilliseconds), .integer(end)]
  }

  private static func end(after new: Answer) -> Int {
    (new.updatedAt?.milliseconds ?? 0) + StoreLimits.thinningMilliseconds
  }

  /// Removes steps of typing whose time has come; those that were kept for the interviewer go for others only.
  /// - Parameter limit: of either.
  static func thin(before now: Timestamp, limit: Int, in session: Session) throws(StoreError) -> Int {
    func due(_ condition: String) -> String {
      """
      (account_id, evaluation_id, item_id, revision) IN (
        SELECT account_id, evaluation_id, item_id, revision FROM answer_history
        WHERE thin_at IS NOT NULL AND thin_at <= $1 AND \(condition) ORDER BY thin_at LIMIT $2)
      """
    }
    let arguments: [SQLValue] = [.time(now), .integer(limit)]
    let gone = try session.count("DELETE FROM answer_history WHERE \(due("private <> 2"))", arguments)
    return try gone
      + session.count("UPDATE answer_history SET private = 1, thin_at = NULL WHERE \(due("private = 2"))", arguments)
  }

  /// Every value the item ever had, newest first, below a revision.
  /// - Parameter isTold: without those that were given in confidence; `revision` is one that others are told.
  static func values(
    of key: RowKey, item: ItemID, below revision: Int, limit: Int, isTold: Bool = false, in session: Session
  ) throws(StoreError) -> [Answer] {
    let columns = EvaluationRows.answerColumns
    let below = isTold ? "private <> 1 AND told_revision < $4" : "revision < $4"
    let which = "account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND \(below)"
    return try session.rows(
      """
      SELECT \(columns) FROM answer WHERE \(which) UNION ALL SELECT \(columns) FROM answer_history WHERE \(which)
      ORDER BY revision DESC LIMIT $5
      """, key.values + [.id(item), .integer(revision), .integer(limit)]
    ) { (row) throws(StoreError) in try EvaluationRows.answer(row) }
  }
}
