// Copies of a database that are made while it is used, and are whole and sound when they have their name.
import InterviewKits
import SQLDatabase

extension Store {
  /// The files that a backup which is stopped leaves.
  public static func unfinishedFiles(ofBackupTo path: String) -> [String] {
    SQLiteDatabase(path: SQLiteDatabase.partial(of: path)).files
  }

  /// Copies a database as it stands: everything acknowledged before is in the copy, which gets its name only when it is
  /// whole, and was checked as `verify` does. Takes as long as the database is large.
  /// - Parameters:
  ///   - database: `sqlite:` and the path of the file; a server may have it open, or not.
  ///   - path: of the copy.
  ///   - replacing: whether a file that is there may be replaced.
  ///   - progress: told how many of how many portions are copied.
  ///   - report: told of each rule of the domain that the database breaks; then the copy is called `path` and `.faulty`.
  public static func backup(
    _ database: String, to path: String, replacing: Bool = false,
    progress: (_ done: Int, _ total: Int) -> Void = { (_, _) in }, report: (DatabaseFault) -> Void = { (_) in }
  ) throws(StoreError) {
    // Whoever goes on from the copy lives another life of the feed than whoever goes on here.
    let script = "DELETE FROM feed_life"
    let database = try named(database, limits: StoreLimits())
    try mapped { () throws(SQLError) in
      try database.backup(to: path, replacing: replacing, preparing: script, progress: progress) { copy in
        var isClean = true
        do throws(StoreError) {
          try verifyRules(copy) { fault in
            isClean = false
            report(fault)
          }
        } catch {
          report(DatabaseFault(place: "copy", message: "\(error)"))
          return false
        }
        return isClean
      }
    }
  }
}
