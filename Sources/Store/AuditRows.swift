// Who did what from where: told by the feed's own rows, and kept after the feed has forgotten them.
public import InterviewKits
import SQLDatabase

/// One entry of the audit. It holds no text but names of things and an address.
public struct AuditEntry: Hashable, Sendable {
  /// The change that it was.
  public var change: Change
  /// Nil for the built-in member.
  public var tokenID: ItemID?
  /// Nil for a Unix socket, the command line, and what the service does by itself.
  public var address: String?
}

extension Store {
  /// What was done in the account, the last first.
  /// - Parameter member: who did it; nil: anybody.
  public func audit(
    member: ItemID? = nil, limit: Int = StoreLimits.pageItems, cursor: String? = nil, for caller: Caller
  ) throws(StoreError) -> Page<AuditEntry> {
    let limit = try ListRows.checked(limit)
    let below = try Cursor.revision(cursor)
    let found = try pool.read { (session) throws(StoreError) in
      try AuditRows.entries(of: caller.accountID, by: member, below: below, limit: limit + 1, in: session)
    }
    let items = Array(found.prefix(limit))
    return Page(items: items, nextCursor: found.count > limit ? items.last.map { String($0.change.sequence) } : nil)
  }
}

enum AuditRows {
  private static let columns = """
    sequence, kind, kit_id, evaluation_id, item_id, candidate_id, revision, written_at, written_by, token_id, address
    """

  static func entries(
    of account: ItemID, by member: ItemID?, below sequence: Int, limit: Int, in session: Session
  ) throws(StoreError) -> [AuditEntry] {
    var arguments: [SQLValue] = [.id(account), .integer(sequence), .integer(limit)]
    if let member { arguments.append(.id(member)) }
    func part(_ table: String, _ condition: String) -> String {
      """
      SELECT \(columns) FROM \(table) WHERE account_id = $1 AND sequence < $2\(condition)
      \(member == nil ? "" : " AND written_by = $4")
      """
    }
    return try session.rows(
      """
      SELECT \(columns) FROM (
        \(part("change", " AND kind <> 'access.changed'")) UNION ALL \(part("audit", ""))
      ) AS entry ORDER BY sequence DESC LIMIT $3
      """, arguments
    ) { (row) throws(StoreError) in
      let change = Change(
        sequence: try row.integer(0), kind: try row.word(1, ChangeKind.self), kitID: try row.optionalID(2),
        evaluationID: try row.optionalID(3), itemID: try row.optionalID(4), revision: try row.integer(6),
        at: try row.time(7), by: try row.id(8), candidateID: try row.optionalID(5))
      return AuditEntry(change: change, tokenID: try row.optionalID(9), address: try row.optionalText(10))
    }
  }

  /// Takes over what the feed is about to forget.
  static func keep(through sequence: Int, of account: String, in session: Session) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO audit (account_id, \(columns)) SELECT account_id, \(columns) FROM change
      WHERE account_id = $1 AND sequence <= $2 AND kind <> 'access.changed'
      """, [.text(account), .integer(sequence)])
  }

  static func forget(before limit: Timestamp, of account: String, in session: Session) throws(StoreError) {
    try session.execute(
      "DELETE FROM audit WHERE account_id = $1 AND written_at <= $2", [.text(account), .time(limit)])
  }
}
