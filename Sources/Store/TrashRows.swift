// Reads what was removed from a kit: its rows end with the revision that removed it.
import InterviewKits
import SQLDatabase

enum TrashRows {
  /// Sections and questions in the trash, the last removed first; a section holds the questions that went with it.
  static func items(of key: RowKey, in session: Session) throws(StoreError) -> [DeletedItem] {
    try read(key, only: nil, in: session).sorted { ($1.deletedRevision, $0.id) < ($0.deletedRevision, $1.id) }
  }

  /// Nil when no section or question with this ID is in the trash.
  static func item(_ id: ItemID, of key: RowKey, in session: Session) throws(StoreError) -> DeletedItem? {
    let kit: [SQLValue] = [.id(key.accountID), .id(key.id)]
    let revision = try session.first(
      "SELECT deleted_revision FROM item WHERE account_id = $1 AND kit_id = $2 AND id = $3", kit + [.id(id)]
    ) { (row) throws(StoreError) in try row.optionalInteger(0) }
    guard case .some(.some(let revision)) = revision else { return nil }
    let items = try read(key, only: revision, in: session)
    if let item = items.first(where: { $0.id == id }) { return item }
    // A question that went with its section can come back alone.
    for item in items {
      guard case .section(let section) = item.kind else { continue }
      if let question = section.questions.first(where: { $0.id == id }) {
        return DeletedItem(
          kind: .question(question, sectionID: section.id), deletedRevision: revision, deletedAt: item.deletedAt)
      }
    }
    return nil
  }

  /// - Parameter only: the revision that removed them; nil: any.
  private static func read(_ key: RowKey, only revision: Int?, in session: Session) throws(StoreError) -> [DeletedItem]
  {
    let arguments: [SQLValue] = [.id(key.accountID), .id(key.id)] + (revision.map { [.integer($0)] } ?? [])
    let filter = revision == nil ? "item.deleted_revision IS NOT NULL" : "item.deleted_revision = $3"
    func select(_ table: String, _ columns: String) -> String {
      """
      SELECT t.id, t.revision, t.order_key, \(columns), t.ended, item.deleted_at FROM item JOIN \(table) AS t
      ON t.account_id = item.account_id AND t.kit_id = item.kit_id AND t.ended = item.deleted_revision
      AND t.id = item.id WHERE item.account_id = $1 AND item.kit_id = $2 AND item.purged_at IS NULL
      AND \(filter)
      """
    }
    var sections: [Removal: (section: Section, at: Timestamp)] = [:]
    try session.each(select("section", "t.title"), arguments) { (row) throws(StoreError) in
      let section = try KitRows.section(row)
      sections[Removal(id: section.id, revision: try row.integer(4))] = (section, try row.time(5))
      return true
    }
    var items: [DeletedItem] = []
    try session.each(select("question", "t.content, t.section_id"), arguments) { (row) throws(StoreError) in
      let question = try KitRows.question(row)
      let removal = Removal(id: try row.id(4), revision: try row.integer(5))
      if sections[removal] != nil {
        sections[removal]?.section.questions.append(question)
      } else {
        items.append(
          DeletedItem(
            kind: .question(question, sectionID: removal.id), deletedRevision: removal.revision,
            deletedAt: try row.time(6)))
      }
      return true
    }
    for (removal, var entry) in sections {
      entry.section.questions.sort { $0.order < $1.order }
      items.append(
        DeletedItem(kind: .section(entry.section), deletedRevision: removal.revision, deletedAt: entry.at))
    }
    return items
  }

  /// A section, and the revision that removed it.
  private struct Removal: Hashable {
    var id: ItemID
    var revision: Int
  }
}
