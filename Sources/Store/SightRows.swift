// Reads and writes who has sight of which candidate, and who has to be told when it changes.
import InterviewKits
import SQLDatabase

enum SightRows {
  /// Opens the member's sight of a candidate when he has submitted for that candidate himself, with an answer at least,
  /// and has no draft left.
  /// - Returns: true when it was closed before.
  static func open(
    _ candidate: ItemID, to member: ItemID, of account: ItemID, at: Timestamp, in session: Session
  ) throws(StoreError) -> Bool {
    let ofCandidate = InSightRows.evaluations(of: "candidate_id")
    let opened = try session.count(
      """
      INSERT INTO sight (account_id, candidate_id, member_id, opened_at)
      SELECT member.account_id, $2, member.id, $4 FROM member
      WHERE member.account_id = $1 AND member.id = $3 AND member.built_in = 0 AND member.role = 'interviewer'
      AND EXISTS (
        SELECT 1 FROM evaluation WHERE evaluation.account_id = $1 AND evaluation.id IN (\(ofCandidate))
        AND evaluation.interviewer_id = $3 AND evaluation.status = 'submitted' AND evaluation.submitted_by = $3
        AND evaluation.answered > 0)
      AND NOT EXISTS (
        SELECT 1 FROM evaluation WHERE evaluation.account_id = $1 AND evaluation.id IN (\(ofCandidate))
        AND evaluation.interviewer_id = $3 AND evaluation.status = 'draft')
      ON CONFLICT (account_id, candidate_id, member_id) DO NOTHING
      """, [.id(account), .id(candidate), .id(member), .time(at)])
    if opened > 0 { try InSightRows.open(candidate, to: member, of: account, in: session) }
    return opened > 0
  }

  /// The members who see, or would see, an evaluation because it is submitted. Its interviewer sees it anyway, unless he is
  /// an observer by now: to them what is theirs is as all others'.
  static func watchers(
    of summary: EvaluationSummary, visibility: KitVisibility, account: ItemID, in session: Session
  ) throws(StoreError) -> [ItemID] {
    let interviewers =
      switch visibility {
      case .always: "role = 'interviewer' AND id <> $2"
      case .never: "1 = 0"
      case .afterOwnSubmission:
        """
        role = 'interviewer' AND id <> $2 AND EXISTS (SELECT 1 FROM sight WHERE sight.account_id = member.account_id
          AND sight.candidate_id = $3 AND sight.member_id = member.id)
        """
      }
    var arguments: [SQLValue] = [.id(account)]
    if visibility != .never { arguments.append(.id(summary.interviewer.id)) }
    if visibility == .afterOwnSubmission { arguments.append(.id(summary.candidate.id)) }
    return try session.rows(
      """
      SELECT id FROM member WHERE account_id = $1 AND built_in = 0
      AND (role = 'observer' OR \(interviewers)) ORDER BY id
      """, arguments
    ) { (row) throws(StoreError) in try row.id(0) }
  }

  static func interviewers(of account: ItemID, in session: Session) throws(StoreError) -> [ItemID] {
    try session.rows(
      "SELECT id FROM member WHERE account_id = $1 AND built_in = 0 AND role = 'interviewer' ORDER BY id",
      [.id(account)]
    ) { (row) throws(StoreError) in try row.id(0) }
  }

  static func isMember(_ key: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM member WHERE account_id = $1 AND id = $2 AND built_in = 0", [.id(key.accountID), .id(key.id)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  /// The candidates that an interviewer has evaluations of.
  static func candidates(of member: RowKey, in session: Session) throws(StoreError) -> [ItemID] {
    try session.rows(
      "SELECT DISTINCT candidate_id FROM evaluation WHERE account_id = $1 AND interviewer_id = $2 ORDER BY candidate_id",
      [.id(member.accountID), .id(member.id)]
    ) { (row) throws(StoreError) in try row.id(0) }
  }
}
