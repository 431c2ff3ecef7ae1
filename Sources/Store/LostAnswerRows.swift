// Keeps and reads values of answers that lost a conflict: no revision, no change of the feed, and no value twice.
import InterviewKits
import SQLDatabase

enum LostAnswerRows {
  /// Keeps a value, once for its writer and the revision that he saw; of too many the oldest goes.
  /// - Returns: false when it was kept before.
  static func insert(
    _ lost: LostAnswer, isPrivate: Bool, item: ItemID, evaluation: ItemID, of account: ItemID, in session: Session
  ) throws(StoreError) -> Bool {
    let content = StoredAnswer.encode(lost.content)
    let key: [SQLValue] = [.id(account), .id(evaluation), .id(item)]
    let value: [SQLValue] = [.id(lost.by), .integer(lost.ifRevision ?? -1), .integer(digest(of: content)), content]
    let isKnown = try session.first(
      """
      SELECT 1 FROM lost_answer WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND refused_by = $4
      AND if_revision = $5 AND digest = $6 AND content = $7
      """, key + value
    ) { (_) throws(StoreError) in true }
    if isKnown != nil { return false }
    try session.execute(
      """
      INSERT INTO lost_answer (account_id, evaluation_id, item_id, refused_by, if_revision, digest, content, refused_at,
        private, told_if_revision, number)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, COALESCE(MAX(number), 0) + 1 FROM lost_answer
      WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3
      """,
      key + value + [
        .time(lost.at), .integer(isPrivate ? 1 : 0),
        .integer(try lost.ifRevision.map { seen throws(StoreError) in try told(seen, key, in: session) } ?? -1),
      ])
    // Numbers have no gaps: from each answer one value goes for one that comes.
    try session.execute(
      """
      DELETE FROM lost_answer WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND number <= (
        SELECT MAX(newest.number) FROM lost_answer AS newest
        WHERE newest.account_id = $1 AND newest.evaluation_id = $2 AND newest.item_id = $3) - $4
      """, key + [.integer(StoreLimits.lostValues)])
    return true
  }

  /// The revision of an answer as others are told it.
  private static func told(_ revision: Int, _ key: [SQLValue], in session: Session) throws(StoreError) -> Int {
    let which = "account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND revision <= $4"
    let known = try session.first(
      """
      SELECT revision, told_revision FROM answer WHERE \(which)
      UNION ALL SELECT revision, told_revision FROM answer_history WHERE \(which) ORDER BY revision DESC LIMIT 1
      """, key + [.integer(revision)]
    ) { (row) throws(StoreError) in try row.integer(0) - row.integer(1) }
    return revision - (known ?? 0)
  }

  /// An item's lost values, newest first, below a number.
  /// - Parameter isTold: without those that were given in confidence, as others are told.
  static func lost(
    _ key: RowKey, item: ItemID, below number: Int, limit: Int, isTold: Bool, in session: Session
  ) throws(StoreError) -> [(number: Int, lost: LostAnswer)] {
    let (seen, told) = isTold ? ("told_if_revision", "AND private = 0") : ("if_revision", "")
    return try session.rows(
      """
      SELECT number, content, \(seen), refused_at, refused_by FROM lost_answer
      WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND number < $4 \(told)
      ORDER BY number DESC LIMIT $5
      """, [.id(key.accountID), .id(key.id), .id(item), .integer(number), .integer(limit)]
    ) { (row) throws(StoreError) in
      let seen = try row.integer(2)
      let lost = LostAnswer(
        content: try StoredAnswer.decode(row.text(1)), ifRevision: seen < 0 ? nil : seen, at: try row.time(3),
        by: try row.id(4))
      return (try row.integer(0), lost)
    }
  }

  /// FNV-1a, 64 bits: it finds candidates, and the values themselves are compared.
  private static func digest(of content: SQLValue) -> Int {
    guard case .text(let text) = content else { return 0 }
    return Int(
      bitPattern: UInt(text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }))
  }
}

extension Precondition {
  /// The revision that the writer says it saw; nil where he names none that there is.
  var seenRevision: Int? {
    switch self {
    case .revisions(let seen): seen.max()
    case .createOnly: 0
    case .none, .exists: nil
    }
  }
}

extension WriteTransaction {
  /// Keeps a value that is refused because the answer is not what its writer saw. An empty one says nothing to keep.
  func keepLost(
    _ content: AnswerContent, of operation: AnswerOperation, in evaluation: ItemID, at: Timestamp, isPrivate: Bool
  ) throws(StoreError) {
    if content.isEmpty { return }
    let lost = LostAnswer(
      content: content, ifRevision: operation.precondition.seenRevision, at: at, by: author.memberID)
    let isNew = try LostAnswerRows.insert(
      lost, isPrivate: isPrivate, item: operation.itemID, evaluation: evaluation, of: author.accountID, in: session)
    if isNew { noteRecord() }
  }
}
