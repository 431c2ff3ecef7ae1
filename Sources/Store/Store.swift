// The store: what the API may ask of storage. Opens and closes it; reads and writes are in `Store+…`.
public import InterviewKits
import Locks
import SQLDatabase

/// Kits, evaluations, answers and the change feed, kept in a database and, as long as they do not change, in memory.
///
/// Reads are synchronous and may touch the disk. Writes are answered when they are on disk.
public final class Store: Sendable {
  /// The version of the schema that this program makes and knows.
  public static var schemaVersion: Int { Migration.all.last?.version ?? 0 }
  /// The account that the first migration creates.
  public static let defaultAccount = knownID("default")
  /// Who writes until access is built: the anonymous member of the default account.
  public static let anonymous = Author(accountID: defaultAccount, memberID: knownID("anonymous"))

  let memory: Memory
  let pool: ReadPool
  let writer: Writer
  private let database: any Database

  private init(_ database: any Database, memory: Memory, pool: ReadPool, writer: Writer) {
    (self.database, self.memory, self.pool, self.writer) = (database, memory, pool, writer)
  }

  /// Opens a database, creating or migrating it as needed.
  ///
  /// - Parameters:
  ///   - database: `sqlite:` and the path of the file.
  ///   - clock: the time that is written into rows.
  /// - Throws: `newerDatabase` when a newer program has written it, `busy` when another process holds its lock,
  ///   `diskFull`, or `database`.
  public static func open(
    _ database: String, limits: StoreLimits = StoreLimits(), clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) -> Store {
    try open(named(database, limits: limits), limits: limits, clock: clock)
  }

  /// What is wrong with a database, by its own check; empty when it is clean.
  public static func faults(in database: String) throws(StoreError) -> [String] {
    let database = try named(database, limits: StoreLimits())
    return try mapped { () throws(SQLError) in try database.faults() }
  }

  private static func named(_ name: String, limits: StoreLimits) throws(StoreError) -> any Database {
    let scheme = "sqlite:"
    guard name.hasPrefix(scheme), name.utf8.count > scheme.utf8.count else {
      throw .database("a database is named 'sqlite:PATH'")
    }
    var driverLimits = SQLiteLimits()
    // A write may come while another waits, and then waits for itself: two halves are the whole that is stated.
    driverLimits.busyTimeoutMilliseconds = limits.busyTimeoutMilliseconds / 2
    return SQLiteDatabase(path: String(name.dropFirst(scheme.count)), limits: driverLimits)
  }

  static func open(
    _ database: any Database, limits: StoreLimits, clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) -> Store {
    let session = Session(connection: try mapped { () throws(SQLError) in try database.connect(.writing) })
    let memory = Memory(limits)
    do throws(StoreError) {
      try Migrations.run(on: session, of: database, now: clock())
      let sequence = try ChangeRows.lastSequence(in: session)
      let (lives, forgotten) = try FeedRows.open(session, at: sequence, now: clock())
      memory.apply(StagedState(lives: lives), sequence: sequence, forgotten: forgotten)
    } catch {
      session.connection.close()
      throw error
    }
    let writer = Writer(session, memory: memory, limits: limits, clock: clock)
    let pool = ReadPool(database, kept: limits.readConnections)
    let store = Store(database, memory: memory, pool: pool, writer: writer)
    writer.start()
    return store
  }

  deinit {
    writer.stop()
    pool.close()
  }

  /// Takes no more writes, finishes those that wait, and closes the database. Nothing may be asked afterwards.
  public func close() async {
    await writer.close()
    pool.close()
  }

  /// Copies the database while it is used: everything acknowledged before is in the copy, which gets its name only when it
  /// is whole and was checked. Takes as long as the database is large.
  /// - Parameter path: of the new file; nothing may be there yet.
  public func backup(to path: String) throws(StoreError) {
    // Whoever goes on from the copy lives another life of the feed than whoever goes on here.
    let script = "DELETE FROM feed_life"
    try mapped { () throws(SQLError) in try database.backup(to: path, preparing: script) }
  }

  /// How many writes wait for the writer now.
  public var waitingWrites: Int { writer.waitingCount }

  /// Which life of the feed this is: another one after an older database was put back.
  public var epoch: String { memory.read { $0.lives.epoch } }

  /// The last change that is on disk.
  public var sequence: Int { memory.read { $0.sequence } }

  /// The last change that is not kept any more.
  var forgotten: Int { memory.read { $0.forgotten } }

  private static func knownID(_ string: String) -> ItemID {
    guard let id = ItemID(string) else { preconditionFailure("\(string) is an ID") }
    return id
  }
}
