// Keeps which of others' evaluations lists show to whom: the rows of `in_sight`.
import InterviewKits
import SQLDatabase

/// Who sees an evaluation by a row of `in_sight`.
enum Viewer: Hashable {
  case member(ItemID)
  /// A word that is no ID.
  case role(String)

  /// What was submitted.
  static let observers = role("*observers")
  /// What was submitted of kits that hide nothing from them.
  static let interviewers = role("*interviewers")

  var text: String {
    switch self {
    case .member(let id): id.string
    case .role(let word): word
    }
  }
}

/// The rows follow from an evaluation's status and candidate, its kit's visibility and who has sight of the candidate.
/// Whatever changes one of these brings the rows up to date, within its transaction. As long as an evaluation is submitted,
/// its kit, interviewer and candidate stay what they are. Members' own evaluations may be among theirs.
enum InSightRows {
  private static let columns =
    "account_id, viewer, created_at, evaluation_id, kit_id, candidate_id, interviewer_id"

  /// After an evaluation was submitted, or is so no more.
  static func update(_ summary: EvaluationSummary, of account: ItemID, in session: Session) throws(StoreError) {
    let values: [SQLValue] = [.id(account), .id(summary.candidate.id), .id(summary.id)]
    try session.execute(
      "DELETE FROM in_sight WHERE account_id = $1 AND candidate_id = $2 AND evaluation_id = $3", values)
    guard summary.status == .submitted else { return }
    try insert(
      "evaluation.account_id = $1 AND evaluation.candidate_id = $2 AND evaluation.id = $3", values, in: session)
  }

  /// After a kit's visibility has changed.
  static func update(kit: RowKey, in session: Session) throws(StoreError) {
    try session.execute("DELETE FROM in_sight WHERE account_id = $1 AND kit_id = $2", kit.values)
    try insert(
      "evaluation.account_id = $1 AND evaluation.id IN (\(evaluations(of: "kit_id")))", kit.values, in: session)
  }

  /// After a member, who had no sight of a candidate, has got it.
  static func open(
    _ candidate: ItemID, to member: ItemID, of account: ItemID, in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO in_sight (\(columns)) \(seenByMembers) AND sight.member_id = $3
      AND evaluation.account_id = $1 AND evaluation.id IN (\(evaluations(of: "candidate_id")))
      """, [.id(account), .id(candidate), .id(member)])
  }

  static func erase(candidate: RowKey, in session: Session) throws(StoreError) {
    try session.execute("DELETE FROM in_sight WHERE account_id = $1 AND candidate_id = $2", candidate.values)
  }

  /// All rows anew.
  static func fill(in session: Session) throws(StoreError) {
    try session.execute("DELETE FROM in_sight")
    try insert("1 = 1", [], in: session)
  }

  /// - Parameter condition: on rows of `evaluation`.
  private static func insert(_ condition: String, _ values: [SQLValue], in session: Session) throws(StoreError) {
    for rows in [seenByObservers, seenByInterviewers, seenByMembers] {
      try session.execute("INSERT INTO in_sight (\(columns)) \(rows) AND \(condition)", values)
    }
  }

  /// The IDs of the evaluations of the account `$1` that have a column `$2`. An index holds all that is asked for: without
  /// that SQLite reads the whole account instead.
  static func evaluations(of column: String) -> String {
    "SELECT id FROM evaluation WHERE account_id = $1 AND \(column) = $2"
  }

  private static let seenByObservers = select(.observers, "WHERE evaluation.status = 'submitted'")
  private static let seenByInterviewers = select(
    .interviewers,
    """
    JOIN kit ON kit.account_id = evaluation.account_id AND kit.id = evaluation.kit_id
    WHERE evaluation.status = 'submitted' AND kit.visibility = 'always'
    """)
  private static let seenByMembers = select(
    nil,
    """
    JOIN kit ON kit.account_id = evaluation.account_id AND kit.id = evaluation.kit_id
    JOIN sight ON sight.account_id = evaluation.account_id AND sight.candidate_id = evaluation.candidate_id
    WHERE evaluation.status = 'submitted' AND kit.visibility = 'afterOwnSubmission'
    """)

  /// - Parameter viewer: nil for the member of `sight`.
  private static func select(_ viewer: Viewer?, _ condition: String) -> String {
    """
    SELECT evaluation.account_id, \(viewer.map { "'\($0.text)'" } ?? "sight.member_id") AS viewer, evaluation.created_at,
      evaluation.id AS evaluation_id, evaluation.kit_id, evaluation.candidate_id, evaluation.interviewer_id
    FROM evaluation \(condition)
    """
  }

  /// The evaluations whose rows are not those that there should be.
  static func faults(in session: Session) throws(StoreError) -> [RowKey] {
    let wanted =
      "SELECT * FROM (\(seenByObservers) UNION ALL \(seenByInterviewers) UNION ALL \(seenByMembers)) AS wanted"
    let present = "SELECT \(columns) FROM in_sight"
    return try session.rows(
      """
      SELECT account_id, evaluation_id FROM (\(wanted) EXCEPT \(present)) AS missing
      UNION SELECT account_id, evaluation_id FROM (\(present) EXCEPT \(wanted)) AS stray
      ORDER BY account_id, evaluation_id
      """
    ) { (row) throws(StoreError) in RowKey(accountID: try row.id(0), id: try row.id(1)) }
  }
}
