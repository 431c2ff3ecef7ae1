// Reads and writes evaluations and their answers.
import InterviewKits
import SQLDatabase

enum EvaluationRows {
  private static let summaryColumns = """
    evaluation.id, kit_id, kit_revision, candidate_id, candidate.name, interviewer_id, interviewer_name, status,
      recommendation, answered, required, missing, revision, evaluation.created_at, evaluation.updated_at, submitted_at,
      submitted_by, told_revision, told_at, private_answers
    """

  /// The summaries within reach; further conditions may follow.
  /// - Parameter found: a table `found` of the IDs to look at, `evaluation_id`; nil: all.
  static func select(within reach: Reach, from found: String? = nil, _ arguments: inout [SQLValue]) -> String {
    // SQLite keeps to the order of a cross join: what was found comes first.
    let evaluations = found.map { "(\($0)) AS found CROSS JOIN evaluation" } ?? "evaluation"
    return """
      SELECT \(summaryColumns) FROM \(evaluations) JOIN candidate
      ON candidate.account_id = evaluation.account_id AND candidate.id = evaluation.candidate_id
      WHERE \(reach.condition(&arguments))\(found == nil ? "" : " AND evaluation.id = found.evaluation_id")
      """
  }

  static func isVisible(_ id: ItemID, to reach: Reach, in session: Session) throws(StoreError) -> Bool {
    var arguments: [SQLValue] = [.id(id)]
    let condition = reach.condition(&arguments)
    return try session.first(
      "SELECT 1 FROM evaluation WHERE evaluation.id = $1 AND \(condition)", arguments
    ) { (_) throws(StoreError) in true } ?? false
  }

  /// - Parameter row: the columns of `select`.
  static func summary(_ row: Row) throws(StoreError) -> EvaluationSummary {
    EvaluationSummary(
      id: try row.id(0), kitID: try row.id(1), kitRevision: try row.integer(2),
      candidate: Person(id: try row.id(3), name: try row.optionalText(4).map { ExactText($0) }),
      interviewer: Person(id: try row.id(5), name: try row.optionalText(6).map { ExactText($0) }),
      status: try row.word(7, EvaluationStatus.self),
      recommendation: try StoredAnswer.decodeValue(row.optionalText(8)),
      progress: Progress(answered: try row.integer(9), required: try row.integer(10), missing: try row.integer(11)),
      revision: try row.integer(12), createdAt: try row.time(13), updatedAt: try row.time(14),
      submittedAt: try row.optionalTime(15), submittedBy: try row.optionalID(16), toldRevision: try row.integer(17),
      toldAt: try row.time(18), privateAnswers: try row.integer(19))
  }

  /// Nil when there is none within reach.
  static func evaluation(
    _ id: ItemID, within reach: Reach, in session: Session
  ) throws(StoreError) -> Evaluation? {
    var arguments: [SQLValue] = [.id(id)]
    let select = select(within: reach, &arguments)
    let found = try session.first("\(select) AND evaluation.id = $1", arguments) { (row) throws(StoreError) in
      try summary(row)
    }
    guard let found else { return nil }
    var evaluation = Evaluation(summary: found)
    var changedInConfidence: [ItemID] = []
    try session.each(
      "SELECT \(answerColumns) FROM answer WHERE account_id = $1 AND evaluation_id = $2",
      [.id(reach.accountID), .id(id)]
    ) { (row) throws(StoreError) in
      let answer = try answer(row)
      evaluation.answers.update(answer)
      if answer.isPrivate, answer.toldRevision > 0 { changedInConfidence.append(answer.itemID) }
      return true
    }
    let key = RowKey(accountID: reach.accountID, id: id)
    for item in changedInConfidence {
      let told = try HistoryRows.values(of: key, item: item, below: .max, limit: 1, isTold: true, in: session)
      if let last = told.first { evaluation.earlierTold.update(last) }
    }
    return evaluation
  }

  static let answerColumns = "item_id, content, revision, updated_at, updated_by, private, told_revision"

  /// - Parameter row: `answerColumns`.
  static func answer(_ row: Row) throws(StoreError) -> Answer {
    Answer(
      itemID: try row.id(0), content: try StoredAnswer.decode(row.text(1)), revision: try row.integer(2),
      updatedAt: try row.time(3), updatedBy: try row.id(4), isPrivate: try row.integer(5) == 1,
      toldRevision: try row.integer(6))
  }

  static func insert(_ summary: EvaluationSummary, by author: Caller, in session: Session) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO evaluation (account_id, id, kit_id, kit_revision, candidate_id, interviewer_id, interviewer_name,
        status, recommendation, answered, required, missing, revision, created_at, created_by, updated_at, updated_by,
        submitted_at, told_revision, told_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
      """,
      [
        .id(author.accountID), .id(summary.id), .id(summary.kitID), .integer(summary.kitRevision),
        .id(summary.candidate.id), .id(summary.interviewer.id), .text(summary.interviewer.name?.string),
        .text(summary.status.rawValue), StoredAnswer.encode(summary.recommendation),
        .integer(summary.progress.answered), .integer(summary.progress.required), .integer(summary.progress.missing),
        .integer(summary.revision), .time(summary.createdAt), .id(author.memberID), .time(summary.updatedAt),
        .id(author.memberID), .time(summary.submittedAt), .integer(summary.toldRevision), .time(summary.toldAt),
      ])
  }

  /// Writes what an evaluation's own change may change.
  static func update(_ summary: EvaluationSummary, by author: Caller, in session: Session) throws(StoreError) {
    try session.execute(
      """
      UPDATE evaluation SET kit_revision = $3, candidate_id = $4, interviewer_id = $5, interviewer_name = $6,
        status = $7, submitted_at = $8, submitted_by = $9 WHERE account_id = $1 AND id = $2
      """,
      [
        .id(author.accountID), .id(summary.id), .integer(summary.kitRevision), .id(summary.candidate.id),
        .id(summary.interviewer.id), .text(summary.interviewer.name?.string), .text(summary.status.rawValue),
        .time(summary.submittedAt), .id(summary.submittedBy),
      ])
    try updateCounts(summary, by: author, in: session)
  }

  /// Writes what every change changes: revision, time, progress and recommendation; no index is touched.
  static func updateCounts(_ summary: EvaluationSummary, by author: Caller, in session: Session) throws(StoreError) {
    try session.execute(
      """
      UPDATE evaluation SET revision = $3, updated_at = $4, updated_by = $5, recommendation = $6, answered = $7,
        required = $8, missing = $9, told_revision = $10, told_at = $11, private_answers = $12
      WHERE account_id = $1 AND id = $2
      """,
      [
        .id(author.accountID), .id(summary.id), .integer(summary.revision), .time(summary.updatedAt),
        .id(author.memberID), StoredAnswer.encode(summary.recommendation), .integer(summary.progress.answered),
        .integer(summary.progress.required), .integer(summary.progress.missing), .integer(summary.toldRevision),
        .time(summary.toldAt), .integer(summary.privateAnswers),
      ], expecting: 1)
  }

  // MARK: Answers

  /// Writes an answer; the one before it goes to the history.
  /// - Parameters:
  ///   - operationID: the client's name for the write.
  ///   - evaluation: as it was before the write.
  ///   - isOldKept: whether the history keeps the value before for good. It does so, too, when it was submitted.
  static func write(
    _ answer: Answer, replacing old: Answer, operationID: String?, evaluation: EvaluationSummary,
    keepingOld isOldKept: Bool, by author: Caller, in session: Session
  ) throws(StoreError) {
    let key = RowKey(accountID: author.accountID, id: evaluation.id)
    if answer.revision > 1 {
      try HistoryRows.insert(old, replacedBy: answer, keeping: isOldKept, in: key, session)
    }
    try session.execute(
      """
      INSERT INTO answer (account_id, evaluation_id, item_id, revision, content, operation_id, updated_at, updated_by,
        evaluation_revision, private, told_revision)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      ON CONFLICT (account_id, evaluation_id, item_id) DO UPDATE SET revision = excluded.revision,
        content = excluded.content, operation_id = excluded.operation_id, updated_at = excluded.updated_at,
        updated_by = excluded.updated_by, evaluation_revision = excluded.evaluation_revision,
        private = excluded.private, told_revision = excluded.told_revision
      """,
      key.values + [
        .id(answer.itemID), .integer(answer.revision), StoredAnswer.encode(answer.content), .text(operationID),
        .time(answer.updatedAt), .id(answer.updatedBy), .integer(evaluation.revision + 1),
        .integer(answer.isPrivate ? 1 : 0), .integer(answer.toldRevision),
      ])
  }

  // MARK: Candidates

  /// A name is changed by who gave it, or by an admin: it stands in others' evaluations too, and may be hidden from the writer there.
  /// - Returns: the candidate's name as it is now, and whether this has changed it.
  /// - Parameter clears: true when no name means that there is none, false when it means that none is said.
  static func writeCandidate(
    _ candidate: Person, clears: Bool = false, at: Timestamp, by author: Caller, in session: Session
  ) throws(StoreError) -> (name: ExactText?, isRenamed: Bool) {
    let key: [SQLValue] = [.id(author.accountID), .id(candidate.id)]
    let old = try session.first(
      "SELECT name, updated_by FROM candidate WHERE account_id = $1 AND id = $2", key
    ) { (row) throws(StoreError) in (name: try row.optionalText(0).map { ExactText($0) }, givenBy: try row.id(1)) }
    if let old {
      if (candidate.name == nil && !clears) || candidate.name == old.name { return (old.name, false) }
      let isOwn = old.name == nil || old.givenBy == author.memberID || Reach(author).isWhole
      if !isOwn { return (old.name, false) }
    }
    try session.execute(
      """
      INSERT INTO candidate (account_id, id, name, created_at, updated_at, updated_by) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (account_id, id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at,
        updated_by = excluded.updated_by
      """,
      key + [.text(candidate.name?.string), .time(at), .time(at), .id(author.memberID)])
    return (candidate.name, old != nil)
  }

  /// Raises the revision of a renamed candidate's evaluations but one; in the order of their IDs, as the feed tells it.
  static func touch(
    candidate: ItemID, except evaluation: ItemID, at: Timestamp, by author: Caller, in session: Session
  ) throws(StoreError) -> [(id: ItemID, kitID: ItemID, revision: Int, toldRevision: Int)] {
    try session.rows(
      """
      UPDATE evaluation SET revision = revision + 1, updated_at = $4, updated_by = $5,
        told_revision = told_revision + 1, told_at = $4
      WHERE account_id = $1 AND candidate_id = $2 AND id <> $3 RETURNING id, kit_id, revision, told_revision
      """,
      [.id(author.accountID), .id(candidate), .id(evaluation), .time(at), .id(author.memberID)]
    ) { (row) throws(StoreError) in
      (try row.id(0), try row.id(1), try row.integer(2), try row.integer(3))
    }.sorted { $0.0 < $1.0 }
  }
}
