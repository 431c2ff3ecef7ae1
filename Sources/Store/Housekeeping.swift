// What goes by itself, some time after nobody needs it any more: steps of typing, outcomes, the trash, old changes.
public import InterviewKits
import SQLDatabase

/// What was removed for good.
public struct Housekept: Hashable, Sendable {
  /// Steps of typing in answers' histories.
  public var steps = 0
  /// Outcomes of named writes.
  public var outcomes = 0
  public var kits = 0
  /// Sections and questions of kits that live on.
  public var items = 0
  public var changes = 0
  var sequence = 0

  public var total: Int { steps + outcomes + kits + items + changes }
}

extension Housekept: SequencedOutput {}

extension Store {
  /// Removes what has had its time. It works in small portions, so that writers wait for none of it long.
  @discardableResult public func housekeep() async throws(StoreError) -> Housekept {
    var all = Housekept()
    while true {
      let portion = try await writer.write(by: Store.service) { (transaction) throws(StoreError) in
        try transaction.housekeep()
      }
      if portion.total == 0 { return all }
      all.steps += portion.steps
      all.outcomes += portion.outcomes
      all.kits += portion.kits
      all.items += portion.items
      all.changes += portion.changes
    }
  }

  /// True when a kit was removed for good.
  public func isPurged(kit id: ItemID, for caller: Caller) throws(StoreError) -> Bool {
    try pool.read { (session) throws(StoreError) in
      try PurgeRows.contains(RowKey(accountID: caller.accountID, id: id), in: session)
    }
  }

  /// True when a section or question was removed for good.
  public func isPurged(_ item: ItemID, ofKit id: ItemID, for caller: Caller) throws(StoreError) -> Bool {
    try pool.read { (session) throws(StoreError) in
      try PurgeRows.contains(item, of: RowKey(accountID: caller.accountID, id: id), in: session)
    }
  }
}

extension WriteTransaction {
  func housekeep() throws(StoreError) -> Housekept {
    let now = now
    var done = Housekept()
    done.steps = try HistoryRows.thin(before: now, limit: PurgeRows.portion, in: session)
    done.outcomes = try PurgeRows.forgetOutcomes(
      before: Timestamp(milliseconds: now.milliseconds - StoreLimits.retryMilliseconds), in: session)
    let trash = Timestamp(milliseconds: now.milliseconds - StoreLimits.trashMilliseconds)
    done.items = try PurgeRows.purgeItems(deletedBefore: trash, at: now, in: session)
    for (kit, revision) in try PurgeRows.kits(deletedBefore: trash, in: session) {
      author = Caller(accountID: kit.accountID, memberID: Store.service.memberID)
      try PurgeRows.purge(kit, at: now, in: session)
      append(.kitPurged, kit: kit.id, revision: revision, deleted: true, at: now)
      stagePurge(of: kit)
      done.kits += 1
    }
    done.changes = try forgetChanges(before: now)
    if done.total > 0 { noteRecord() }
    return done
  }

  private func forgetChanges(before now: Timestamp) throws(StoreError) -> Int {
    let limit = Timestamp(milliseconds: now.milliseconds - StoreLimits.feedMilliseconds)
    let (count, forgotten) = try PurgeRows.forgetChanges(before: limit, through: committedSequence, in: session)
    if let forgotten { stageForgotten(forgotten) }
    return count
  }
}

enum PurgeRows {
  /// Rows that one portion removes at most.
  static let portion = 2_000

  static func contains(_ kit: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM purged_kit WHERE account_id = $1 AND id = $2", [.id(kit.accountID), .id(kit.id)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func contains(_ item: ItemID, of kit: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM item WHERE account_id = $1 AND kit_id = $2 AND id = $3 AND purged_at IS NOT NULL",
      [.id(kit.accountID), .id(kit.id), .id(item)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func forgetOutcomes(before limit: Timestamp, in session: Session) throws(StoreError) -> Int {
    try session.count(
      """
      DELETE FROM retry WHERE (account_id, member_id, key) IN (
        SELECT account_id, member_id, key FROM retry WHERE recorded_at <= $1 ORDER BY recorded_at LIMIT $2)
      """, [.time(limit), .integer(portion)])
  }

  /// A deleted question of a kit with evaluations may still have answers, so it stays.
  static func purgeItems(deletedBefore limit: Timestamp, at: Timestamp, in session: Session) throws(StoreError) -> Int {
    try session.count(
      """
      UPDATE item SET purged_at = $1 WHERE deleted_at IS NOT NULL AND deleted_at <= $2 AND purged_at IS NULL
      AND kind IN ('section', 'question') AND NOT EXISTS (
        SELECT 1 FROM evaluation WHERE evaluation.account_id = item.account_id AND evaluation.kit_id = item.kit_id)
      """, [.time(at), .time(limit)])
  }

  /// Kits whose time in the trash is over and that have no evaluations: a few, as each may be large.
  static func kits(
    deletedBefore limit: Timestamp, in session: Session
  ) throws(StoreError) -> [(key: RowKey, revision: Int)] {
    try session.rows(
      """
      SELECT account_id, id, revision FROM kit WHERE deleted_at IS NOT NULL AND deleted_at <= $1 AND NOT EXISTS (
        SELECT 1 FROM evaluation WHERE evaluation.account_id = kit.account_id AND evaluation.kit_id = kit.id)
      ORDER BY deleted_at, account_id, id LIMIT 4
      """, [.time(limit)]
    ) { (row) throws(StoreError) in
      (RowKey(accountID: try row.id(0), id: try row.id(1)), try row.integer(2))
    }
  }

  static func purge(_ kit: RowKey, at: Timestamp, in session: Session) throws(StoreError) {
    let key: [SQLValue] = [.id(kit.accountID), .id(kit.id)]
    for table in ["question", "section", "kit_header", "kit_revision", "item"] {
      try session.execute("DELETE FROM \(table) WHERE account_id = $1 AND kit_id = $2", key)
    }
    try session.execute("DELETE FROM kit WHERE account_id = $1 AND id = $2", key)
    try session.execute(
      "INSERT INTO purged_kit (account_id, id, purged_at) VALUES ($1, $2, $3)", key + [.time(at)])
  }

  /// Removes the oldest stretch of the feed as far as it is old enough.
  /// - Returns: the last change that is no longer kept, when that is a new one.
  static func forgetChanges(
    before limit: Timestamp, through last: Int, in session: Session
  ) throws(StoreError) -> (count: Int, forgotten: Int?) {
    let known =
      try session.first("SELECT forgotten FROM feed WHERE id = 1") { (row) throws(StoreError) in
        try row.integer(0)
      } ?? 0
    let accounts = try session.rows("SELECT id FROM account") { (row) throws(StoreError) in try row.text(0) }
    var end = min(known + portion, last)
    for account in accounts {
      let young = try session.first(
        """
        SELECT sequence FROM change WHERE account_id = $1 AND sequence > $2 AND sequence <= $3 AND written_at > $4
        ORDER BY sequence LIMIT 1
        """, [.text(account), .integer(known), .integer(end), .time(limit)]
      ) { (row) throws(StoreError) in try row.integer(0) }
      if let young { end = min(end, young - 1) }
    }
    guard end > known else { return (0, nil) }
    var count = 0
    for account in accounts {
      try AuditRows.keep(through: end, of: account, in: session)
      try AuditRows.forget(
        before: Timestamp(
          milliseconds: limit.milliseconds + StoreLimits.feedMilliseconds - StoreLimits.auditMilliseconds),
        of: account, in: session)
      count += try session.count(
        "DELETE FROM change WHERE account_id = $1 AND sequence <= $2", [.text(account), .integer(end)])
    }
    try session.execute("UPDATE feed SET forgotten = $1 WHERE id = 1", [.integer(end)])
    return (max(count, 1), end)
  }
}
