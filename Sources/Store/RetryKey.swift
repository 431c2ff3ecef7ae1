// The one rule for retries: a write that its client named has its effect once, and answers the same again.
import InterviewKits
import SQLDatabase

/// The client's name for a write, and a digest of the request that it named.
public struct RetryKey: Hashable, Sendable {
  public var key: String
  public var digest: String

  public init(key: String, digest: String) { (self.key, self.digest) = (key, digest) }
}

/// What came of a named write: no text.
struct RetryRecord {
  var outcome: WriteOutcome
  var kitID: ItemID?
  var evaluationID: ItemID?
  /// The section, question or answer; of a copied kit, the original.
  var itemID: ItemID?
  /// Of the kit, the evaluation or the answer.
  var revision: Int
  /// The revision of the kit that was copied.
  var sourceRevision: Int?
  /// Where the feed stood before the write: what is read of it goes on from there.
  var sequence = 0
}

/// An output that can be given again from its record.
protocol RetriedOutput: SequencedOutput {
  /// Nil when nothing came of the write.
  var record: RetryRecord? { get }
  /// The output as it was; nil to run the write again, because its parts have names of their own.
  static func replay(_ record: RetryRecord, in transaction: WriteTransaction) throws(StoreError) -> Self?
}

extension WriteTransaction {
  /// Runs the write, or gives what came of it when it was run before.
  /// - Throws: `keyReused` when the key named another request.
  func once<Output: RetriedOutput>(
    _ retry: RetryKey?, _ body: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard let retry else { return try body() }
    let now = now
    if let (record, digest) = try RetryRows.record(retry.key, of: author, now: now, in: session) {
      guard digest == retry.digest else { throw .keyReused }
      if let output = try Output.replay(record, in: self) { return output }
      return try body()
    }
    let output = try body()
    if var record = output.record {
      record.sequence = committedSequence
      try RetryRows.insert(record, for: retry, of: author, now: now, in: session)
      noteRecord()
    }
    return output
  }
}

enum RetryRows {
  static func record(
    _ key: String, of author: Caller, now: Timestamp, in session: Session
  ) throws(StoreError) -> (record: RetryRecord, digest: String)? {
    try session.first(
      """
      SELECT outcome, kit_id, evaluation_id, item_id, revision, source_revision, sequence, digest FROM retry
      WHERE account_id = $1 AND member_id = $2 AND key = $3 AND recorded_at > $4
      """,
      [
        .id(author.accountID), .id(author.memberID), .text(key),
        .integer(now.milliseconds - StoreLimits.retryMilliseconds),
      ]
    ) { (row) throws(StoreError) in
      let record = RetryRecord(
        outcome: try row.word(0, WriteOutcome.self), kitID: try row.optionalID(1), evaluationID: try row.optionalID(2),
        itemID: try row.optionalID(3), revision: try row.integer(4), sourceRevision: try row.optionalInteger(5),
        sequence: try row.integer(6))
      return (record, try row.text(7))
    }
  }

  /// Replaces a record that has expired.
  static func insert(
    _ record: RetryRecord, for retry: RetryKey, of author: Caller, now: Timestamp, in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO retry (account_id, member_id, key, digest, outcome, kit_id, evaluation_id, item_id, revision,
        source_revision, sequence, recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (account_id, member_id, key) DO UPDATE SET digest = excluded.digest, outcome = excluded.outcome,
        kit_id = excluded.kit_id, evaluation_id = excluded.evaluation_id, item_id = excluded.item_id,
        revision = excluded.revision, source_revision = excluded.source_revision,
        sequence = excluded.sequence, recorded_at = excluded.recorded_at
      """,
      [
        .id(author.accountID), .id(author.memberID), .text(retry.key), .text(retry.digest),
        .text(record.outcome.rawValue), .id(record.kitID), .id(record.evaluationID), .id(record.itemID),
        .integer(record.revision), .integer(record.sourceRevision), .integer(record.sequence), .time(now),
      ])
  }

  // MARK: Operations of batches

  /// What came of an operation that was named before.
  static func operation(
    _ operationID: String, evaluation: ItemID, of author: Caller, in session: Session
  ) throws(StoreError) -> (record: RetryRecord, digest: String)? {
    try session.first(
      """
      SELECT outcome, item_id, revision, digest FROM operation
      WHERE account_id = $1 AND evaluation_id = $2 AND member_id = $3 AND operation_id = $4
      """, [.id(author.accountID), .id(evaluation), .id(author.memberID), .text(operationID)]
    ) { (row) throws(StoreError) in
      let record = RetryRecord(
        outcome: try row.word(0, WriteOutcome.self), evaluationID: evaluation, itemID: try row.id(1),
        revision: try row.integer(2))
      return (record, try row.text(3))
    }
  }

  static func insert(
    _ written: AnswerWritten, operation: RetryKey, evaluation: ItemID, of author: Caller, in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO operation (account_id, evaluation_id, member_id, operation_id, digest, item_id, revision, outcome)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      [
        .id(author.accountID), .id(evaluation), .id(author.memberID), .text(operation.key), .text(operation.digest),
        .id(written.answer.itemID), .integer(written.answer.revision), .text(written.outcome.rawValue),
      ])
  }
}

// MARK: - Outputs

extension KitWritten: RetriedOutput {
  var record: RetryRecord? {
    RetryRecord(
      outcome: outcome, kitID: snapshot.kit.id, itemID: source?.kit.id ?? itemID, revision: snapshot.kit.revision,
      sourceRevision: source?.kit.revision)
  }

  static func replay(_ record: RetryRecord, in transaction: WriteTransaction) throws(StoreError) -> KitWritten? {
    guard let kitID = record.kitID else { throw .keyReused }
    let snapshot = try transaction.snapshot(kitID, revision: record.revision)
    guard let sourceID = record.itemID, let revision = record.sourceRevision else {
      return KitWritten(snapshot: snapshot, outcome: record.outcome, itemID: record.itemID)
    }
    let source = try transaction.snapshot(sourceID, revision: revision)
    return KitWritten(snapshot: snapshot, outcome: record.outcome, source: source)
  }
}

extension EvaluationWritten: RetriedOutput {
  var record: RetryRecord? {
    RetryRecord(outcome: outcome, evaluationID: evaluation.summary.id, revision: evaluation.summary.revision)
  }

  static func replay(
    _ record: RetryRecord, in transaction: WriteTransaction
  ) throws(StoreError) -> EvaluationWritten? {
    guard let id = record.evaluationID else { throw .keyReused }
    let evaluation = try transaction.evaluation(id, revision: record.revision)
    let snapshot = try transaction.snapshot(evaluation.summary.kitID, revision: evaluation.summary.kitRevision)
    return EvaluationWritten(
      evaluation: evaluation, snapshot: snapshot, outcome: record.outcome, sequence: 0,
      replayedSequence: record.sequence)
  }
}

extension AnswersWritten: RetriedOutput {
  /// Of a batch only that it was written: its operations have records of their own.
  var record: RetryRecord? {
    let id = after.summary.id
    guard let result = results.first, result.operationID == nil else {
      let isAnyWritten = results.contains { if case .success = $0.result { true } else { false } }
      return isAnyWritten
        ? RetryRecord(outcome: .changed, evaluationID: id, revision: after.summary.revision) : nil
    }
    guard case .success(let written) = result.result else { return nil }
    return RetryRecord(
      outcome: written.outcome, evaluationID: id, itemID: result.itemID, revision: written.answer.revision)
  }

  static func replay(
    _ record: RetryRecord, in transaction: WriteTransaction
  ) throws(StoreError) -> AnswersWritten? {
    guard let id = record.evaluationID else { throw .keyReused }
    guard record.itemID != nil else { return nil }
    let evaluation = try transaction.ownEvaluation(id).evaluation
    let snapshot = try transaction.snapshot(evaluation.summary.kitID, revision: evaluation.summary.kitRevision)
    let (written, previous) = try transaction.written(record, in: evaluation)
    var before = evaluation
    before.answers[written.answer.itemID] = previous
    let result = AnswerResult(itemID: written.answer.itemID, operationID: nil, result: .success(written))
    return AnswersWritten(results: [result], before: before, after: evaluation, snapshot: snapshot, sequence: 0)
  }
}

extension WriteTransaction {
  /// The answer that a record tells of, and the one before it, whose row's height the client may still know. Where that
  /// step has been thinned since, the answer as it stands.
  func written(
    _ record: RetryRecord, in evaluation: Evaluation
  ) throws(StoreError) -> (written: AnswerWritten, previous: Answer?) {
    guard let item = record.itemID else { throw .damaged("an operation has no item") }
    if record.revision == 0 {
      let unanswered = Answer(itemID: item)
      return (AnswerWritten(answer: unanswered, outcome: record.outcome), unanswered)
    }
    let rows = try HistoryRows.values(
      of: key(evaluation.summary.id), item: item, below: record.revision + 1, limit: 2, in: session)
    let answer = rows.first { $0.revision == record.revision } ?? evaluation.answers[item] ?? Answer(itemID: item)
    let previous = record.outcome == .unchanged ? answer : rows.first { $0.revision < record.revision }
    return (AnswerWritten(answer: answer, outcome: record.outcome), previous)
  }

  /// An evaluation as it was at a revision; as it is, where its events do not reach back so far.
  func evaluation(_ id: ItemID, revision: Int) throws(StoreError) -> Evaluation {
    let now = try ownEvaluation(id).evaluation
    if now.summary.revision == revision { return now }
    guard var old = try EventRows.evaluation(now, revision: revision, in: session, accountID: author.accountID) else {
      return now
    }
    let snapshot = try snapshot(old.summary.kitID, revision: old.summary.kitRevision)
    old.summary.progress = snapshot.progress(answers: old.answers)
    old.summary.recommendation = snapshot.recommendation(old.answers)
    return old
  }
}
