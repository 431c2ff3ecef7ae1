// The change feed's rows.
import InterviewKits
import SQLDatabase

enum ChangeRows {
  /// With who wrote it from where, which only the audit tells.
  static func insert(_ change: Change, sequence: Int, by author: Caller, in session: Session) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO change (account_id, sequence, kind, kit_id, evaluation_id, item_id, revision, deleted, written_at,
        written_by, token_id, address, recipient_id, candidate_id, private, told_revision)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
      """,
      [
        .id(author.accountID), .integer(sequence), .text(change.kind.rawValue), .id(change.kitID),
        .id(change.evaluationID),
        .id(change.itemID), .integer(change.revision), .integer(change.deleted ? 1 : 0), .time(change.at),
        .id(change.by), .id(author.tokenID), .text(author.address), .id(change.recipientID), .id(change.candidateID),
        .integer(change.isPrivate ? 1 : 0), .integer(change.toldRevision),
      ])
  }

  /// The account's changes of a stretch of the feed, in order.
  static func changes(
    after sequence: Int, through last: Int = .max, filter: FeedFilter = FeedFilter(), limit: Int, within reach: Reach,
    in session: Session
  ) throws(StoreError) -> [Change] {
    var arguments: [SQLValue] = [.integer(sequence), .integer(last), .integer(limit)]
    var conditions = reach.changeCondition(&arguments)
    for case (let column, let id?) in [("kit_id", filter.kitID), ("evaluation_id", filter.evaluationID)] {
      arguments.append(.id(id))
      conditions += " AND change.\(column) = $\(arguments.count)"
    }
    let revision = reach.changeRevision(&arguments)
    return try session.rows(
      """
      SELECT sequence, kind, kit_id, evaluation_id, item_id, \(revision), deleted, written_at, written_by, recipient_id,
        candidate_id, private, COALESCE(told_revision, revision) FROM change
      WHERE sequence > $1 AND sequence <= $2 AND \(conditions) ORDER BY sequence LIMIT $3
      """, arguments
    ) { (row) throws(StoreError) in try change(row) }
  }

  /// - Parameter row: sequence, kind, kit_id, evaluation_id, item_id, revision, deleted, written_at, written_by, recipient_id,
  ///   candidate_id, private, told_revision.
  private static func change(_ row: Row) throws(StoreError) -> Change {
    Change(
      sequence: try row.integer(0), kind: try row.word(1, ChangeKind.self), kitID: try row.optionalID(2),
      evaluationID: try row.optionalID(3), itemID: try row.optionalID(4), revision: try row.integer(5),
      deleted: try row.integer(6) != 0, at: try row.time(7), by: try row.id(8),
      recipientID: try row.optionalID(9), candidateID: try row.optionalID(10), isPrivate: try row.integer(11) != 0,
      toldRevision: try row.integer(12))
  }

  /// All accounts' changes of a stretch of the feed, in order.
  static func entries(after sequence: Int, through last: Int, in session: Session) throws(StoreError) -> [FeedEntry] {
    try session.rows(
      """
      SELECT sequence, kind, kit_id, evaluation_id, item_id, revision, deleted, written_at, written_by, recipient_id,
        candidate_id, private, COALESCE(told_revision, revision), account_id
      FROM account JOIN change ON change.account_id = account.id
      WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence
      """, [.integer(sequence), .integer(last)]
    ) { (row) throws(StoreError) in FeedEntry(accountID: try row.id(13), change: try change(row)) }
  }

  static func lastSequence(in session: Session) throws(StoreError) -> Int {
    try session.first("SELECT sequence FROM change_counter WHERE id = 1") { (row) throws(StoreError) in
      try row.integer(0)
    } ?? 0
  }
}
