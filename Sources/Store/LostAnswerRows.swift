// Keeps and reads values of answers that lost a conflict: no revision, no change of the feed, and no value twice.
import InterviewKits
import SQLDatabase

enum LostAnswerRows {
  /// Keeps a value, once for its writer and the revision that he saw; of too many the oldest goes. Those given in
  /// confidence and the others know nothing of each other: none is the other's repetition, none pushes the other out.
  /// - Parameters:
  ///   - isPrivate: whether it was given in confidence.
  ///   - current: what stood in its way. What others were told last and what its writer saw of that may be one: then
  ///     they see no conflict, and are told of none.
  /// - Returns: false when it was kept before.
  static func insert(
    _ lost: LostAnswer, isPrivate: Bool, against current: Answer, evaluation: RowKey, in session: Session
  ) throws(StoreError) -> Bool {
    let content = StoredAnswer.encode(lost.content)
    let key = evaluation.values + [.id(current.itemID)]
    let saw = lost.ifRevision ?? unseen
    let told = try lost.ifRevision.map { seen throws(StoreError) in try toldRevision(seen, key, in: session) } ?? unseen
    func isKnown(seeing column: String, _ revision: Int, isPrivate: Bool) throws(StoreError) -> Bool {
      try session.first(
        """
        SELECT 1 FROM lost_answer WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND refused_by = $4
        AND \(column) = $5 AND digest = $6 AND content = $7 AND private = $8
        """,
        key + [
          .id(lost.by), .integer(revision), .integer(digest(of: content)), content, .integer(isPrivate ? 1 : 0),
        ]
      ) { (_) throws(StoreError) in true } ?? false
    }
    var isPrivate = isPrivate || lost.ifRevision != nil && told == current.toldRevision
    if try isKnown(seeing: "if_revision", saw, isPrivate: isPrivate) { return false }
    if !isPrivate, try isKnown(seeing: "told_if_revision", told, isPrivate: false) {
      // Others are told of it already; to its writer it is another.
      isPrivate = true
      if try isKnown(seeing: "if_revision", saw, isPrivate: true) { return false }
    }
    try session.execute(
      """
      INSERT INTO lost_answer (account_id, evaluation_id, item_id, refused_by, if_revision, digest, content, refused_at,
        private, told_if_revision, number)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, COALESCE(MAX(number), 0) + 1 FROM lost_answer
      WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3
      """,
      key + [
        .id(lost.by), .integer(saw), .integer(digest(of: content)), content, .time(lost.at),
        .integer(isPrivate ? 1 : 0), .integer(told),
      ])
    try session.execute(
      """
      DELETE FROM lost_answer WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND private = $4
      AND number <= (
        SELECT other.number FROM lost_answer AS other WHERE other.account_id = $1 AND other.evaluation_id = $2
        AND other.item_id = $3 AND other.private = $4 ORDER BY other.number DESC LIMIT 1 OFFSET $5)
      """, key + [.integer(isPrivate ? 1 : 0), .integer(StoreLimits.lostValues)])
    return true
  }

  /// Of a writer who named no revision that he saw.
  private static let unseen = -1

  /// The revision of an answer as others are told it. Where steps of typing are gone, it lies between those around it.
  private static func toldRevision(_ revision: Int, _ key: [SQLValue], in session: Session) throws(StoreError) -> Int {
    func known(_ condition: String) throws(StoreError) -> (revision: Int, told: Int, isTold: Bool)? {
      let which = "account_id = $1 AND evaluation_id = $2 AND item_id = $3 AND revision \(condition)"
      let order = condition.hasPrefix("<") ? "DESC" : "ASC"
      return try session.first(
        """
        SELECT revision, told_revision, private FROM answer WHERE \(which)
        UNION ALL SELECT revision, told_revision, private FROM answer_history WHERE \(which)
        ORDER BY revision \(order) LIMIT 1
        """, key + [.integer(revision)]
      ) { (row) throws(StoreError) in
        (revision: try row.integer(0), told: try row.integer(1), isTold: try row.integer(2) != 1)
      }
    }
    let below = try known("<= $4")
    let told = revision - (below?.revision ?? 0) + (below?.told ?? 0)
    guard let above = try known("> $4") else { return told }
    return min(told, above.told - (above.isTold ? 1 : 0))
  }

  /// An item's lost values, newest first, of those that were refused at a time the last first.
  /// - Parameter isTold: without those that were given in confidence, as others are told. All others are told of one
  ///   once, also when it is kept as either.
  static func values(
    of key: RowKey, item: ItemID, isTold: Bool, in session: Session
  ) throws(StoreError) -> [LostAnswer] {
    let (seen, which) = isTold ? ("told_if_revision", "AND private = 0") : ("if_revision", "")
    let found = try session.rows(
      """
      SELECT content, \(seen), refused_at, refused_by FROM lost_answer
      WHERE account_id = $1 AND evaluation_id = $2 AND item_id = $3 \(which)
      ORDER BY refused_at DESC, number DESC
      """, key.values + [.id(item)]
    ) { (row) throws(StoreError) in
      let seen = try row.integer(1)
      return LostAnswer(
        content: try StoredAnswer.decode(row.text(0)), ifRevision: seen == unseen ? nil : seen, at: try row.time(2),
        by: try row.id(3))
    }
    if isTold { return found }
    var known: Set<LostAnswer> = []
    return found.filter { lost in
      var same = lost
      same.at = Timestamp(milliseconds: 0)
      return known.insert(same).inserted
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
    _ content: AnswerContent, of operation: AnswerOperation, against current: Answer, in evaluation: ItemID,
    at: Timestamp, isPrivate: Bool
  ) throws(StoreError) {
    if content.isEmpty { return }
    let lost = LostAnswer(
      content: content, ifRevision: operation.precondition.seenRevision, at: at, by: author.memberID)
    let isNew = try LostAnswerRows.insert(
      lost, isPrivate: isPrivate, against: current, evaluation: key(evaluation), in: session)
    if isNew { noteRecord() }
  }
}
