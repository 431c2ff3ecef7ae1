// The numbered steps from an empty database to the one that this program knows.
import InterviewKits
import SQLDatabase

/// One step of the schema, run in a transaction of its own. A step that was released is never changed.
struct Migration: Sendable {
  let version: Int
  let name: String
  /// Statements in the SQL that both databases take; `{clustered}` stands for the driver's table suffix.
  let sql: String

  static let all = [
    Migration(version: 1, name: "first", sql: firstSchema),
    Migration(version: 2, name: "lifecycle", sql: lifecycleSchema),
    Migration(version: 3, name: "retries", sql: retrySchema),
    Migration(version: 4, name: "feed", sql: feedSchema),
    Migration(version: 5, name: "purge", sql: purgeSchema),
    Migration(version: 6, name: "profiles", sql: profileSchema),
    Migration(version: 7, name: "conflicts", sql: conflictSchema),
    Migration(version: 8, name: "access", sql: accessSchema),
    Migration(version: 9, name: "erasure", sql: erasureSchema),
    Migration(version: 10, name: "confidence", sql: confidenceSchema),
    Migration(version: 11, name: "inSight", sql: inSightSchema),
  ]
}

enum Migrations {
  /// Brings the database to the newest version.
  /// - Throws: `newerDatabase` when it is beyond it already, `database` when it is no database of this program; nothing
  ///   is changed then.
  static func run(
    _ migrations: [Migration] = Migration.all, on session: Session, of database: any Database, now: Timestamp
  ) throws(StoreError) {
    for migration in migrations {
      try session.begin(.writing)
      do throws(StoreError) {
        // Read within the transaction: another process may have migrated in the meantime.
        let version = try version(of: session)
        let known = migrations.last?.version ?? 0
        if version > known { throw .newerDatabase(version: version, known: known) }
        if version < migration.version {
          try apply(migration, on: session, suffix: database.clusteredTableSuffix, now: now)
        }
        try session.commit()
      } catch {
        session.connection.rollback()
        throw error
      }
    }
  }

  private static func apply(
    _ migration: Migration, on session: Session, suffix: String, now: Timestamp
  ) throws(StoreError) {
    let sql = migration.sql.split(separator: "{clustered}", omittingEmptySubsequences: false).joined(separator: suffix)
    try mapped { () throws(SQLError) in try session.connection.define(sql) }
    try session.execute(
      "INSERT INTO schema_migration (version, name, applied_at) VALUES ($1, $2, $3)",
      [.integer(migration.version), .text(migration.name), .time(now)])
  }

  /// 0 for an empty database.
  static func version(of session: Session) throws(StoreError) -> Int {
    let tables = try mapped { () throws(SQLError) in try session.connection.tables() }
    if tables.isEmpty { return 0 }
    guard tables.contains("schema_migration") else {
      throw .database("this is a database of another program: it has tables, but no schema_migration")
    }
    return try session.first("SELECT MAX(version) FROM schema_migration") { (row) throws(StoreError) in
      try row.optionalInteger(0)
    }.flatMap { $0 } ?? 0
  }
}
