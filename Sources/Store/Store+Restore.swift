// Puts a backup in the place of a database, and keeps the one that was there.
public import InterviewKits
import SQLDatabase

/// What a restore did.
public struct Restored: Sendable {
  /// Where the database that was there is kept; nil when there was none.
  public var keptAs: String?
  /// The schema that the backup had, and has now.
  public var schema: (from: Int, to: Int)
  public var erasedAnew: ErasedAnew
}

extension Store {
  /// Copies a backup beside the database, checks the copy, brings it to this program's schema, erases from it whom the lists
  /// beside the database and beside the backup name, and only then lets it take the database's place. Nobody may have the
  /// database open. Readers of the change feed begin afresh.
  /// - Parameters:
  ///   - database: `sqlite:` and the path of the file, which need not be there.
  ///   - file: the backup; it is only read.
  ///   - isForced: takes a backup whose rows break rules of the domain; never one that is damaged.
  ///   - report: told of each rule that the backup breaks.
  /// - Throws: before anything has changed.
  public static func restore(
    _ database: String, from file: String, now: Timestamp, isForced: Bool = false,
    progress: (_ done: Int, _ total: Int) -> Void, report: (DatabaseFault) -> Void
  ) throws(StoreError) -> Restored {
    guard let target = try named(database, limits: StoreLimits()) as? SQLiteDatabase else {
      throw .database("a PostgreSQL database is restored with its own tools")
    }
    let copy = beside(target)
    do throws(StoreError) {
      try mapped { () throws(SQLError) in try copy.take(file, progress: progress) }
      if let fault = try mapped({ () throws(SQLError) in try copy.faults() }).first { throw .databaseDamaged(fault) }
      let own = ErasureList(beside: target)
      let lists = [own] + ErasureList.beside(copy: file, of: target).filter { $0.path != own.path }
      let (version, erased) = try renew(copy, erasures: lists, now: now)
      var count = 0
      try verifyRules(copy) { fault in
        count += 1
        report(fault)
      }
      if count > 0, !isForced { throw .database("its rows break \(count) rules") }
      let stamp = now.rfc3339.filter { $0.isNumber || $0 == "T" }.prefix(15)
      let kept = try mapped { () throws(SQLError) in
        try copy.replace(target, keepingAs: "\(target.path).before-restore-\(stamp)")
      }
      // What was restored knows them by now: where they can't be added here, the next start adds them.
      for list in lists.dropFirst() { try? own.add(list.read()) }
      return Restored(keptAs: kept, schema: (version, schemaVersion), erasedAnew: erased)
    } catch {
      copy.remove()
      throw error
    }
  }

  private static func beside(_ target: SQLiteDatabase) -> SQLiteDatabase {
    SQLiteDatabase(path: target.path + ".restoring", limits: target.limits)
  }

  /// The files that a restore which is stopped leaves beside the database, which is still the old one then.
  public static func unfinishedFiles(ofRestoreOf database: String) -> [String] {
    ((try? named(database, limits: StoreLimits())) as? SQLiteDatabase).map { beside($0).files } ?? []
  }

  /// Brings a copy to this program's schema, and ends the lives of its feed: whoever goes on from it lives another one.
  private static func renew(
    _ copy: SQLiteDatabase, erasures: [ErasureList], now: Timestamp
  ) throws(StoreError) -> (version: Int, erased: ErasedAnew) {
    let session = Session(connection: try mapped { () throws(SQLError) in try copy.connect(.writing) })
    defer { session.connection.close() }
    let version = try Migrations.version(of: session)
    if version == 0 { throw .database("it holds no database of this program") }
    try checkNoImportIsUnderWay(session)
    try Migrations.run(on: session, of: copy, now: now)
    // The list takes over what the copy tells of when the copy is the database: not before.
    let erased = try carryOut(erasures, on: session, of: copy) { now }
    try session.execute("DELETE FROM feed_life")
    try mapped { () throws(SQLError) in try session.connection.consolidate() }
    return (version, erased)
  }
}
