// Reads pages of kits and evaluations, newest first.
import InterviewKits
import SQLDatabase

enum ListRows {
  static func kits(_ query: KitQuery, accountID: ItemID, in session: Session) throws(StoreError) -> Page<KitSummary> {
    var cursor = try Cursor(query.cursor)
    let limit = try checked(query.limit)
    var found: [KitSummary] = []
    while true {
      let (stretch, end) = try stretch(of: query, after: cursor, limit: limit + 1, accountID: accountID, in: session)
      found += stretch
      guard found.count <= limit, let end else { break }
      cursor = end
    }
    return page(found, limit: limit) { Cursor(createdAt: $0.createdAt, id: $0.id.string) }
  }

  /// Kits of a stretch of the list that the query asks for, and the stretch's end; nil: the list's.
  private static func stretch(
    of query: KitQuery, after cursor: Cursor, limit: Int, accountID: ItemID, in session: Session
  ) throws(StoreError) -> (found: [KitSummary], end: Cursor?) {
    let wanted = query.text.map(folded)
    // A driver may read all rows before it gives the first.
    let rows = wanted == nil ? limit : searchedRows
    var arguments: [SQLValue] = [.id(accountID), .time(cursor.createdAt), .text(cursor.id), .integer(rows)]
    var filter = query.deleted ? "deleted_at IS NOT NULL" : "deleted_at IS NULL"
    if let status = query.status {
      arguments.append(.text(status.rawValue))
      filter += " AND status = $5"
    }
    var found: [KitSummary] = []
    var (seen, end) = (0, cursor)
    try session.each(
      """
      SELECT id, revision, title, language, status, section_count, question_count, created_at, updated_at, deleted_at
      FROM kit WHERE account_id = $1 AND (created_at, id) < ($2, $3) AND \(filter) ORDER BY created_at DESC, id DESC LIMIT $4
      """, arguments
    ) { (row) throws(StoreError) in
      seen += 1
      end = Cursor(createdAt: try row.time(7), id: try row.text(0))
      // Compared here, not in SQL: neither database folds case and composition of all scripts alike.
      let title = try row.text(2)
      if let wanted, !folded(title).contains(wanted) { return true }
      found.append(
        KitSummary(
          id: try row.id(0), revision: try row.integer(1), title: ExactText(title), language: try row.optionalText(3),
          status: try row.word(4, KitStatus.self), sectionCount: try row.integer(5), questionCount: try row.integer(6),
          createdAt: try row.time(7), updatedAt: try row.time(8), deletedAt: try row.optionalTime(9)))
      return found.count < limit
    }
    return (found, seen < rows ? nil : end)
  }

  /// Kits whose titles are compared at a time.
  private static let searchedRows = 500

  static func evaluations(
    _ query: EvaluationQuery, within reach: Reach, in session: Session
  ) throws(StoreError) -> Page<EvaluationSummary> {
    let cursor = try Cursor(query.cursor)
    let limit = try checked(query.limit)
    guard let statement = EvaluationListSQL(query, before: cursor, limit: limit + 1, within: reach) else {
      return Page(items: [])
    }
    let found = try session.rows(statement.text, statement.arguments) { (row) throws(StoreError) in
      try EvaluationRows.summary(row)
    }
    return page(found, limit: limit) { Cursor(createdAt: $0.createdAt, id: $0.id.string) }
  }

  private static func page<Item>(_ found: [Item], limit: Int, cursor: (Item) -> Cursor) -> Page<Item> {
    guard found.count > limit else { return Page(items: found) }
    let items = Array(found.prefix(limit))
    return Page(items: items, nextCursor: items.last.map { cursor($0).text })
  }

  /// Lower case, with the letters that are one in another language's upper case made one: dotted and dotless i, and
  /// both small sigmas. Strings are compared by Characters then, so that composition does not matter.
  private static func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x131: folded.append("i")
      case 0x3C2: folded.append("σ")
      case 0x307 where folded.last == "i": break
      default: folded.append(scalar)
      }
    }
    return String(folded)
  }

  static func checked(_ limit: Int) throws(StoreError) -> Int {
    guard (1...StoreLimits.largestPageItems).contains(limit) else {
      let message = "A page has 1 to \(StoreLimits.largestPageItems) items."
      throw .invalid([Issue(pointer: "/limit", code: "outOfRange", message: message)])
    }
    return limit
  }
}
