// Reads kits from their temporal rows.
import InterviewKits
import SQLDatabase

enum KitRows {
  /// The `ended` of a row that is current.
  static let current = Int.max

  /// The kit as it stands, also one in the trash; nil when there is none.
  static func state(of key: RowKey, in session: Session) throws(StoreError) -> KitState? {
    let found = try session.first(
      "SELECT revision, deleted_at FROM kit WHERE account_id = $1 AND id = $2", [.id(key.accountID), .id(key.id)]
    ) { (row) throws(StoreError) in (revision: try row.integer(0), deletedAt: try row.optionalTime(1)) }
    guard let found, let snapshot = try snapshot(of: key, revision: found.revision, in: session) else { return nil }
    return KitState(snapshot, deletedAt: found.deletedAt)
  }

  /// The kit at a revision, whether or not it is in the trash; nil when there is no such revision.
  static func snapshot(of key: RowKey, revision: Int, in session: Session) throws(StoreError) -> KitSnapshot? {
    let at: [SQLValue] = [.id(key.accountID), .id(key.id), .integer(revision)]
    let times = try session.first(
      """
      SELECT kit.created_at, kit_revision.written_at FROM kit_revision
      JOIN kit ON kit.account_id = kit_revision.account_id AND kit.id = kit_revision.kit_id
      WHERE kit_revision.account_id = $1 AND kit_revision.kit_id = $2 AND kit_revision.revision = $3
      """, at
    ) { (row) throws(StoreError) in (created: try row.time(0), updated: try row.time(1)) }
    guard let times else { return nil }
    let header = try session.first(
      """
      SELECT content FROM kit_header WHERE account_id = $1 AND kit_id = $2 AND appeared <= $3
      ORDER BY appeared DESC LIMIT 1
      """, at
    ) { (row) throws(StoreError) in try row.text(0) }
    guard let header else { throw .damaged("a kit has no header") }
    var kit = try StoredHeader.decode(header, id: key.id)
    (kit.revision, kit.createdAt, kit.updatedAt) = (revision, times.created, times.updated)
    kit.sections = try sections(at, in: session)
    return KitSnapshot(kit)
  }

  /// - Parameter at: account, kit, revision.
  private static func sections(_ at: [SQLValue], in session: Session) throws(StoreError) -> [Section] {
    var sections = try session.rows(
      """
      SELECT id, revision, order_key, title FROM section
      WHERE account_id = $1 AND kit_id = $2 AND ended > $3 AND appeared <= $3 ORDER BY id
      """, at
    ) { (row) throws(StoreError) in try section(row) }
    sections.sort { $0.order < $1.order }
    var places: [ItemID: Int] = [:]
    for (place, section) in sections.enumerated() { places[section.id] = place }
    try session.each(
      """
      SELECT id, revision, order_key, content, section_id FROM question
      WHERE account_id = $1 AND kit_id = $2 AND ended > $3 AND appeared <= $3 ORDER BY id
      """, at
    ) { (row) throws(StoreError) in
      guard let place = places[try row.id(4)] else { throw .damaged("a question's section is missing") }
      sections[place].questions.append(try question(row))
      return true
    }
    for place in sections.indices { sections[place].questions.sort { $0.order < $1.order } }
    return sections
  }

  /// - Parameter row: id, revision, order_key, title.
  static func section(_ row: Row) throws(StoreError) -> Section {
    Section(
      id: try row.id(0), revision: try row.integer(1), order: try order(row.text(2)), title: ExactText(try row.text(3)))
  }

  /// - Parameter row: id, revision, order_key, content.
  static func question(_ row: Row) throws(StoreError) -> Question {
    try StoredQuestion.decode(row.text(3), id: row.id(0), revision: row.integer(1), order: order(row.text(2)))
  }

  private static func order(_ text: String) throws(StoreError) -> OrderKey {
    guard let key = OrderKey(text) else { throw .damaged("a stored order key is none") }
    return key
  }

  /// An item that takes answers, as the newest row that had it said it.
  static func formerItem(
    _ id: ItemID, of key: RowKey, in session: Session
  ) throws(StoreError) -> (question: Question, criterion: Criterion?)? {
    let kit: [SQLValue] = [.id(key.accountID), .id(key.id)]
    let owner = try session.first(
      "SELECT owner_id FROM item WHERE account_id = $1 AND kit_id = $2 AND id = $3 AND kind = 'criterion'",
      kit + [.id(id)]
    ) { (row) throws(StoreError) in try row.optionalID(0) }
    let rows = try session.rows(
      """
      SELECT id, revision, order_key, content FROM question WHERE account_id = $1 AND kit_id = $2 AND id = $3
      ORDER BY appeared DESC
      """, kit + [.id(owner.flatMap { $0 } ?? id)]
    ) { (row) throws(StoreError) in try question(row) }
    guard owner != nil else { return rows.first.map { ($0, nil) } }
    for question in rows {
      if let criterion = question.criteria.first(where: { $0.id == id }) { return (question, criterion) }
    }
    return nil
  }
}
