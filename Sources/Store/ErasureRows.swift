// Removes all text about a candidate; what stays are IDs, so that nothing takes their place.
import InterviewKits
import SQLDatabase

enum ErasureRows {
  static func isErased(candidate key: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM erased_candidate WHERE account_id = $1 AND id = $2", [.id(key.accountID), .id(key.id)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func isErased(evaluation key: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM erased_evaluation WHERE account_id = $1 AND id = $2", [.id(key.accountID), .id(key.id)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func isCandidate(_ key: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM candidate WHERE account_id = $1 AND id = $2", [.id(key.accountID), .id(key.id)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func all(in session: Session) throws(StoreError) -> [ErasureList.Entry] {
    try session.rows("SELECT account_id, id FROM erased_candidate ORDER BY erased_at, account_id, id") {
      (row) throws(StoreError) in ErasureList.Entry(accountID: try row.id(0), candidateID: try row.id(1))
    }
  }

  /// Whether the text of some erasure may still stand in pages or in the log.
  /// - Parameter key: nil: of any.
  static func mustScrub(_ key: RowKey? = nil, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM erased_candidate WHERE scrubbed_at IS NULL\(key == nil ? "" : " AND account_id = $1 AND id = $2")",
      key.map { [.id($0.accountID), .id($0.id)] } ?? []
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func noteScrubbed(_ entries: [ErasureList.Entry], at: Timestamp, in session: Session) throws(StoreError) {
    for entry in entries {
      try session.execute(
        "UPDATE erased_candidate SET scrubbed_at = $3 WHERE account_id = $1 AND id = $2 AND scrubbed_at IS NULL",
        [.id(entry.accountID), .id(entry.candidateID), .time(at)])
    }
  }

  static func evaluations(
    of candidate: RowKey, in session: Session
  ) throws(StoreError) -> [(id: ItemID, kitID: ItemID, revision: Int)] {
    try session.rows(
      "SELECT id, kit_id, revision FROM evaluation WHERE account_id = $1 AND candidate_id = $2 ORDER BY id",
      [.id(candidate.accountID), .id(candidate.id)]
    ) { (row) throws(StoreError) in (try row.id(0), try row.id(1), try row.integer(2)) }
  }

  /// Members who see an evaluation of the candidate: those who are told to look again. Admins are told what happened.
  static func members(of candidate: RowKey, in session: Session) throws(StoreError) -> [ItemID] {
    try session.rows(
      """
      SELECT id FROM member WHERE account_id = $1 AND built_in = 0 AND EXISTS (
        SELECT 1 FROM evaluation JOIN kit ON kit.account_id = evaluation.account_id AND kit.id = evaluation.kit_id
        WHERE evaluation.account_id = $1 AND evaluation.candidate_id = $2 AND (
          member.role = 'observer' AND evaluation.status = 'submitted'
          OR member.role = 'interviewer' AND (evaluation.interviewer_id = member.id
            OR evaluation.status = 'submitted' AND (kit.visibility = 'always' OR kit.visibility = 'afterOwnSubmission'
              AND EXISTS (SELECT 1 FROM sight WHERE sight.account_id = $1 AND sight.candidate_id = $2
                AND sight.member_id = member.id)))))
      ORDER BY id
      """, [.id(candidate.accountID), .id(candidate.id)]
    ) { (row) throws(StoreError) in try row.id(0) }
  }

  static func erase(evaluation key: RowKey, of candidate: ItemID, in session: Session) throws(StoreError) {
    let values: [SQLValue] = [.id(key.accountID), .id(key.id)]
    // Digests of what was sent go too: they would tell whoever guesses.
    for table in ["lost_answer", "answer_history", "answer", "operation", "evaluation_event", "retry"] {
      try session.execute("DELETE FROM \(table) WHERE account_id = $1 AND evaluation_id = $2", values)
    }
    try session.execute("DELETE FROM evaluation WHERE account_id = $1 AND id = $2", values)
    try session.execute(
      "INSERT INTO erased_evaluation (account_id, id, candidate_id) VALUES ($1, $2, $3)", values + [.id(candidate)])
  }

  static func erase(
    candidate key: RowKey, at: Timestamp, by author: Caller, in session: Session
  ) throws(StoreError) {
    let values: [SQLValue] = [.id(key.accountID), .id(key.id)]
    try InSightRows.erase(candidate: key, in: session)
    try session.execute("DELETE FROM sight WHERE account_id = $1 AND candidate_id = $2", values)
    try session.execute("DELETE FROM candidate WHERE account_id = $1 AND id = $2", values)
    try session.execute(
      "INSERT INTO erased_candidate (account_id, id, erased_at, erased_by) VALUES ($1, $2, $3, $4)",
      values + [.time(at), .id(author.memberID)])
  }
}
