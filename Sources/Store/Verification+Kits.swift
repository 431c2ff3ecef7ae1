// The rules that a kit's rows must keep: its revisions, its temporal rows, and the IDs that were ever used in it.
import InterviewKits
import SQLDatabase

/// A temporal row: an item from the revision that wrote it up to the one that ended it.
private struct Stretch {
  var id: ItemID
  var appeared: Int
  var ended: Int
  var revision: Int
  /// Of a question.
  var sectionID: ItemID?
}

extension Verification {
  func verifyKit(_ key: RowKey, _ found: inout [String]) throws(StoreError) {
    guard let state = try KitRows.state(of: key, in: session) else {
      return found.append("its revision is not among its revisions")
    }
    let kit = state.snapshot.kit
    try verifyRevisions(key, kit.revision, &found)
    try verifySummary(key, kit, &found)
    let sections = try stretches("section", of: key)
    let questions = try stretches("question", of: key)
    for (kind, rows) in [("section", sections), ("question", questions)] {
      verify(rows, kind, upTo: kit.revision, &found)
    }
    verify(questions, standIn: sections, &found)
    for issue in kit.issues() { found.append("\(issue.pointer): \(issue.message)") }
    try verifyItems(key, kit, &found)
    if try PurgeRows.contains(key, in: session) { found.append("it is both here and gone for good") }
  }

  private func verifyRevisions(_ key: RowKey, _ revision: Int, _ found: inout [String]) throws(StoreError) {
    var expected = 1
    try session.each(
      "SELECT revision FROM kit_revision WHERE account_id = $1 AND kit_id = $2 ORDER BY revision", key.values
    ) { (row) throws(StoreError) in
      let next = try row.integer(0)
      if next != expected { found.append("revision \(expected) is missing before revision \(next)") }
      expected = next + 1
      return true
    }
    if expected != revision + 1 { found.append("it is at revision \(revision), and its last one is \(expected - 1)") }
    var first: Int?
    try session.each(
      "SELECT appeared, content FROM kit_header WHERE account_id = $1 AND kit_id = $2 ORDER BY appeared", key.values
    ) { (row) throws(StoreError) in
      let appeared = try row.integer(0)
      first = first ?? appeared
      _ = try StoredHeader.decode(row.text(1), id: key.id)
      if appeared > revision { found.append("its header of revision \(appeared) is beyond its revision") }
      return true
    }
    if first != 1 { found.append("its header begins with revision \(first ?? 0)") }
  }

  /// What lists show is what the kit says.
  private func verifySummary(_ key: RowKey, _ kit: Kit, _ found: inout [String]) throws(StoreError) {
    let row = try session.first(
      """
      SELECT title, language, status, section_count, question_count, visibility FROM kit WHERE account_id = $1 AND id = $2
      """, key.values
    ) { (row) throws(StoreError) in
      (
        title: ExactText(try row.text(0)), language: try row.optionalText(1), status: try row.text(2),
        sections: try row.integer(3), questions: try row.integer(4), visibility: try row.text(5)
      )
    }
    guard let row else { return }
    let isSame =
      row.title == kit.title && row.language == kit.language && row.status == kit.status.rawValue
      && row.visibility == kit.visibility.rawValue && row.sections == kit.sections.count
      && row.questions == kit.questionCount
    if !isSame { found.append("its row in the list is not what it says") }
  }

  private func stretches(_ table: String, of key: RowKey) throws(StoreError) -> [Stretch] {
    let isQuestion = table == "question"
    let more = isQuestion ? "section_id, content" : "NULL, title"
    return try session.rows(
      """
      SELECT id, appeared, ended, revision, order_key, \(more) FROM \(table) WHERE account_id = $1 AND kit_id = $2
      ORDER BY id, appeared
      """, key.values
    ) { (row) throws(StoreError) in
      let id = try row.id(0)
      guard let order = OrderKey(try row.text(4)) else { throw .damaged("the order key of \(id) is none") }
      if isQuestion {
        _ = try StoredQuestion.decode(row.text(6), id: id, revision: row.integer(3), order: order)
      }
      return Stretch(
        id: id, appeared: try row.integer(1), ended: try row.integer(2), revision: try row.integer(3),
        sectionID: try row.optionalID(5))
    }
  }

  private func verify(_ rows: [Stretch], _ kind: String, upTo revision: Int, _ found: inout [String]) {
    var last: Stretch?
    for row in rows {
      let end = row.ended == KitRows.current ? "now" : "revision \(row.ended)"
      let name = "\(kind) \(row.id), revision \(row.appeared) to \(end)"
      if row.appeared < 1 || row.appeared > revision || row.ended <= row.appeared
        || (row.ended != KitRows.current && row.ended > revision)
      {
        found.append("\(name), is no stretch of revisions 1 to \(revision)")
      }
      if row.revision < 1 || row.revision > row.appeared { found.append("\(name), has the revision \(row.revision)") }
      if let last, last.id == row.id, last.ended > row.appeared { found.append("\(name), overlaps the one before") }
      last = row
    }
  }

  /// Each question stands in a section that is there as long as it is.
  private func verify(_ questions: [Stretch], standIn sections: [Stretch], _ found: inout [String]) {
    let byID = Dictionary(grouping: sections) { $0.id }
    for question in questions {
      var reached = question.appeared
      for section in question.sectionID.flatMap({ byID[$0] }) ?? [] where section.appeared <= reached {
        reached = max(reached, section.ended)
      }
      if reached < question.ended { found.append("question \(question.id) has no section at revision \(reached)") }
    }
  }

  /// Every ID that the kit uses is known as what it is, and is not deleted; every other one is.
  private func verifyItems(_ key: RowKey, _ kit: Kit, _ found: inout [String]) throws(StoreError) {
    var used: [ItemID: KitItem] = [:]
    let standing =
      kit.sections.flatMap { section in
        [KitItem(id: section.id, kind: .section)] + section.questions.flatMap { KitItem.items(of: $0) }
      } + KitItem.items(of: kit.scales)
    for item in standing { used[item.id] = item }
    try session.each(
      """
      SELECT id, kind, owner_id, deleted_revision FROM item WHERE account_id = $1 AND kit_id = $2 ORDER BY id
      """, key.values
    ) { (row) throws(StoreError) in
      let item = KitItem(
        id: try row.id(0), kind: try row.word(1, KitItem.Kind.self), ownerID: try row.optionalID(2))
      let deleted = try row.optionalInteger(3)
      if let standing = used.removeValue(forKey: item.id) {
        if standing != item { found.append("item \(item.id) is not the \(item.kind.rawValue) that it was") }
        if deleted != nil { found.append("item \(item.id) stands in the kit and is deleted") }
      } else if deleted == nil {
        found.append("item \(item.id) is neither in the kit nor deleted")
      } else if let deleted, deleted > kit.revision {
        found.append("item \(item.id) was deleted in revision \(deleted), which is none")
      }
      return true
    }
    for id in used.keys.sorted() { found.append("item \(id) is not among the kit's IDs") }
  }
}
