// Checks a database: its structure, and every rule of the domain that its rows must keep.
import InterviewKits
import SQLDatabase

/// Something that is wrong in a database. It holds IDs and numbers, no text of people.
public struct DatabaseFault: Hashable, Sendable, CustomStringConvertible {
  /// Such as `kit default/backend`.
  public var place: String
  public var message: String

  public var description: String { "\(place): \(message)" }
}

extension Store {
  /// Checks a database as it stands, whether or not a server has it open. It writes nothing, and leaves no file.
  /// - Parameters:
  ///   - database: `sqlite:` and the path of the file.
  ///   - progress: told how many of how many kits and evaluations are checked; the pages are checked before.
  ///   - report: called with each fault as it is found.
  /// - Throws: when the database can't be opened at all.
  public static func verify(
    _ database: String, progress: (_ done: Int, _ total: Int) -> Void = { (_, _) in }, report: (DatabaseFault) -> Void
  ) throws(StoreError) {
    let database = try named(database, limits: StoreLimits())
    guard let file = database as? SQLiteDatabase else {
      return try verify(database, progress: progress, report: report)
    }
    try file.leavingNoLog { () throws(StoreError) in try verify(file, progress: progress, report: report) }
  }

  static func verify(
    _ database: any Database, progress: (_ done: Int, _ total: Int) -> Void = { (_, _) in },
    report: (DatabaseFault) -> Void
  ) throws(StoreError) {
    progress(0, 1)
    let faults = try mapped { () throws(SQLError) in try database.faults() }
    for fault in faults { report(DatabaseFault(place: "database", message: fault)) }
    do throws(StoreError) { try verifyRules(database, progress: progress, report: report) } catch {
      // A file that is too damaged to be opened has no rows to check.
      guard case .databaseDamaged = error, !faults.isEmpty else { throw error }
    }
  }

  /// The rules of the domain alone.
  static func verifyRules(
    _ database: any Database, progress: (_ done: Int, _ total: Int) -> Void = { (_, _) in },
    report: (DatabaseFault) -> Void
  ) throws(StoreError) {
    let connection = try mapped { () throws(SQLError) in try database.connect(.reading) }
    defer { connection.close() }
    try Session(connection: connection).reading { (session) throws(StoreError) in
      try Verification(session: session).run(progress, report)
    }
  }
}

/// One run over one state of the database.
struct Verification {
  let session: Session

  /// Rows that are read at a time.
  static let portion = 500

  func run(
    _ progress: (_ done: Int, _ total: Int) -> Void, _ report: (DatabaseFault) -> Void
  ) throws(StoreError) {
    let version = try Migrations.version(of: session)
    guard version == Store.schemaVersion else {
      return report(
        DatabaseFault(
          place: "database",
          message: "its schema has version \(version), and this program checks version \(Store.schemaVersion)"))
    }
    collect("feed", report) { (found) throws(StoreError) in try verifyFeed(&found) }
    let total = try number("SELECT (SELECT COUNT(*) FROM kit) + (SELECT COUNT(*) FROM evaluation)")
    var done = 0
    func step() {
      done += 1
      progress(done, total)
    }
    try each(of: "kit") { key in
      defer { step() }
      collect("kit \(key)", report) { (found) throws(StoreError) in try verifyKit(key, &found) }
    }
    try each(of: "evaluation") { key in
      defer { step() }
      collect("evaluation \(key)", report) { (found) throws(StoreError) in try verifyEvaluation(key, &found) }
    }
    collect("lists", report) { (_) throws(StoreError) in
      for key in try InSightRows.faults(in: session) {
        report(DatabaseFault(place: "evaluation \(key)", message: "lists show it to others than those who see it"))
      }
    }
    collect("profiles", report) { (found) throws(StoreError) in try verifyProfiles(&found) }
  }

  /// Reports what `check` finds; what can't even be read is one more fault.
  private func collect(
    _ place: String, _ report: (DatabaseFault) -> Void, _ check: (inout [String]) throws(StoreError) -> Void
  ) {
    var found: [String] = []
    do throws(StoreError) { try check(&found) } catch {
      switch error {
      case .database(let cause), .databaseDamaged(let cause), .databaseFailing(let cause): found.append(cause)
      default: found.append("it can't be read: \(error)")
      }
    }
    for message in found { report(DatabaseFault(place: place, message: message)) }
  }

  /// Calls `body` with the key of each row of a table whose key is account and ID.
  private func each(of table: String, _ body: (RowKey) -> Void) throws(StoreError) {
    var last: RowKey?
    while true {
      let page = try session.rows(
        """
        SELECT account_id, id FROM \(table) WHERE account_id > $1 OR (account_id = $1 AND id > $2)
        ORDER BY account_id, id LIMIT $3
        """, [.text(last?.accountID.string ?? ""), .text(last?.id.string ?? ""), .integer(Self.portion)]
      ) { (row) throws(StoreError) in RowKey(accountID: try row.id(0), id: try row.id(1)) }
      for key in page { body(key) }
      if page.count < Self.portion { return }
      last = page.last
    }
  }

  /// The first column of the first row.
  func number(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
    try session.first(sql, values) { (row) throws(StoreError) in try row.optionalInteger(0) ?? 0 } ?? 0
  }
}

extension RowKey: CustomStringConvertible {
  var description: String { "\(accountID)/\(id)" }
  var values: [SQLValue] { [.id(accountID), .id(id)] }
}

// MARK: - The feed and profiles

extension Verification {
  /// Numbers rise by one over all accounts, from the first that is kept to the counter; each life begins after the one
  /// before it.
  private func verifyFeed(_ found: inout [String]) throws(StoreError) {
    let counter = try ChangeRows.lastSequence(in: session)
    let forgotten = try number("SELECT forgotten FROM feed WHERE id = 1")
    if forgotten > counter { found.append("changes up to \(forgotten) are forgotten, and only \(counter) were made") }
    var expected = forgotten + 1
    try session.each("SELECT sequence FROM change WHERE sequence > $1 ORDER BY sequence", [.integer(forgotten)]) {
      (row) throws(StoreError) in
      let sequence = try row.integer(0)
      if sequence != expected { found.append("change \(expected) is missing before change \(sequence)") }
      expected = sequence + 1
      return found.count < Self.portion
    }
    if expected != counter + 1, found.count < Self.portion {
      found.append("the last change is \(expected - 1), and the counter stands at \(counter)")
    }
    var life = (number: 0, first: 0)
    try session.each("SELECT number, first, epoch FROM feed_life ORDER BY number", []) { (row) throws(StoreError) in
      let next = (number: try row.integer(0), first: try row.integer(1))
      if life.number > 0, next.number != life.number + 1 { found.append("life \(life.number + 1) is missing") }
      if next.first < life.first || next.first > counter + 1 {
        found.append("life \(next.number) begins with change \(next.first)")
      }
      if try row.text(2).isEmpty { found.append("life \(next.number) has no epoch") }
      life = next
      return true
    }
    let strangers = try number(
      """
      SELECT COUNT(*) FROM change WHERE kit_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM kit WHERE kit.account_id = change.account_id AND kit.id = change.kit_id)
      AND NOT EXISTS (
        SELECT 1 FROM purged_kit WHERE purged_kit.account_id = change.account_id AND purged_kit.id = change.kit_id)
      """)
    if strangers > 0 { found.append("\(strangers) changes tell of kits that were never here") }
  }

  /// A profile's versions rise by one.
  private func verifyProfiles(_ found: inout [String]) throws(StoreError) {
    try session.each(
      """
      SELECT account_id, name, COUNT(*), MIN(version), MAX(version) FROM profile GROUP BY account_id, name
      HAVING MIN(version) < 1 OR COUNT(*) <> MAX(version) - MIN(version) + 1 ORDER BY account_id, name
      """, []
    ) { (row) throws(StoreError) in
      found.append("the versions of \(try row.text(0))/\(try row.text(1)) have a gap")
      return true
    }
  }
}
