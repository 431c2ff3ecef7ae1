// The rules that an evaluation's rows must keep: its kit revision, its counts, its answers and their histories.
import InterviewKits
import SQLDatabase

extension Verification {
  func verifyEvaluation(_ key: RowKey, _ found: inout [String]) throws(StoreError) {
    guard let evaluation = try EvaluationRows.evaluation(key.id, within: .everything(of: key.accountID), in: session)
    else {
      return found.append("its candidate is missing")
    }
    let summary = evaluation.summary
    let kit = RowKey(accountID: key.accountID, id: summary.kitID)
    if let snapshot = try KitRows.snapshot(of: kit, revision: summary.kitRevision, in: session) {
      let progress = snapshot.progress(answers: evaluation.answers)
      if progress != summary.progress {
        found.append(
          "it says \(words(summary.progress)), and its answers say \(words(progress))")
      }
      if snapshot.recommendation(evaluation.answers) != summary.recommendation {
        found.append("its recommendation is not its answer to the overall question")
      }
    } else {
      found.append("the kit \(summary.kitID) has no revision \(summary.kitRevision)")
    }
    switch summary.status {
    case .draft: if summary.submittedAt != nil { found.append("it is a draft and has a time of submission") }
    case .submitted: if summary.submittedAt == nil { found.append("it is submitted and has no time of submission") }
    case .withdrawn: break
    }
    if !(1...max(summary.revision, 1)).contains(summary.toldRevision) {
      found.append("others are told the revision \(summary.toldRevision), and it is at \(summary.revision)")
    }
    if evaluation.answers.filter(\.isPrivate).count != summary.privateAnswers {
      found.append("it counts \(summary.privateAnswers) answers that were given in confidence, and has others")
    }
    for answer in evaluation.answers where !(0...max(answer.revision, 0)).contains(answer.toldRevision) {
      found.append("others are told the revision \(answer.toldRevision) of \(answer.itemID)")
    }
    for answer in evaluation.answers where answer.isPrivate && answer.toldRevision > 0 {
      if evaluation.earlierTold[answer.itemID]?.toldRevision != answer.toldRevision {
        found.append("what others are told of \(answer.itemID), its revision \(answer.toldRevision), is not there")
      }
    }
    try verifyEvents(key, summary, &found)
    try verifyAnswers(key, summary, &found)
  }

  private func words(_ progress: Progress) -> String {
    "\(progress.answered) answered, \(progress.required) required, \(progress.missing) missing"
  }

  /// The last event says how the evaluation stands. Evaluations from before events were kept may have none.
  private func verifyEvents(_ key: RowKey, _ summary: EvaluationSummary, _ found: inout [String]) throws(StoreError) {
    var last: EvaluationEvent?
    for event in try EventRows.events(of: key, below: .max, limit: .max, in: session) {
      if event.revision < 1 || event.revision > summary.revision {
        found.append("an event has the revision \(event.revision), and it is at \(summary.revision)")
      }
      last = last ?? event
    }
    guard let last else { return }
    if last.status != summary.status || last.kitRevision != summary.kitRevision {
      found.append("it is not as its last event, of revision \(last.revision), left it")
    }
  }

  /// Each answer stands at an item that the kit has or had, is newer than its history, and is no newer than the evaluation.
  private func verifyAnswers(_ key: RowKey, _ summary: EvaluationSummary, _ found: inout [String]) throws(StoreError) {
    let answers = try rows("answer", of: key)
    for (item, answer) in answers.sorted(by: { $0.key < $1.key }) {
      guard let newest = answer.last else { continue }
      if newest.revision < 1 { found.append("the answer to \(item) has the revision \(newest.revision)") }
      if newest.evaluationRevision > summary.revision {
        found.append("the answer to \(item) is of a revision that the evaluation does not have")
      }
      let kind = try session.first(
        "SELECT kind FROM item WHERE account_id = $1 AND kit_id = $2 AND id = $3",
        [.id(key.accountID), .id(summary.kitID), .id(item)]
      ) { (row) throws(StoreError) in try row.word(0, KitItem.Kind.self) }
      if kind != .question, kind != .criterion {
        found.append("the kit never had anything to answer with the ID \(item)")
      }
    }
    for (item, history) in try rows("answer_history", of: key).sorted(by: { $0.key < $1.key }) {
      guard let newest = answers[item]?.last else {
        found.append("the answer to \(item) has a history and is not there")
        continue
      }
      for old in history where old.revision < 1 || old.revision >= newest.revision {
        found.append("the history of \(item) has the revision \(old.revision), and the answer \(newest.revision)")
      }
    }
    try verifyRecords(key, answers.mapValues { $0.last?.revision ?? 0 }, &found)
  }

  /// The rows of an item in order, each readable.
  private func rows(
    _ table: String, of key: RowKey
  ) throws(StoreError) -> [ItemID: [(revision: Int, evaluationRevision: Int)]] {
    var rows: [ItemID: [(revision: Int, evaluationRevision: Int)]] = [:]
    try session.each(
      """
      SELECT \(EvaluationRows.answerColumns), evaluation_revision FROM \(table)
      WHERE account_id = $1 AND evaluation_id = $2 ORDER BY item_id, revision
      """, key.values
    ) { (row) throws(StoreError) in
      let answer = try EvaluationRows.answer(row)
      rows[answer.itemID, default: []].append((answer.revision, try row.integer(7)))
      return true
    }
    return rows
  }

  /// Values that lost a conflict are readable, and no named write tells of an answer that is not there.
  private func verifyRecords(
    _ key: RowKey, _ revisions: [ItemID: Int], _ found: inout [String]
  ) throws(StoreError) {
    try session.each(
      "SELECT item_id, content FROM lost_answer WHERE account_id = $1 AND evaluation_id = $2", key.values
    ) { (row) throws(StoreError) in
      _ = (try row.id(0), try StoredAnswer.decode(row.text(1)))
      return true
    }
    try session.each(
      """
      SELECT item_id, MAX(revision) FROM operation WHERE account_id = $1 AND evaluation_id = $2
      GROUP BY item_id ORDER BY item_id
      """, key.values
    ) { (row) throws(StoreError) in
      let (item, revision) = (try row.id(0), try row.integer(1))
      if revision > revisions[item] ?? 0 {
        found.append("a named write made revision \(revision) of \(item), which is at \(revisions[item] ?? 0)")
      }
      return true
    }
  }
}
