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
  /// What the service does by itself.
  static let service = Caller(accountID: defaultAccount, memberID: knownID("service"))
  /// Whoever can connect while no token exists.
  static let anybody = Caller(accountID: defaultAccount, memberID: knownID("anonymous"), isOpen: true)
  /// The command line of whoever may read the data folder, and who sets the service up.
  static let commandLine = Caller(accountID: defaultAccount, memberID: knownID("commandLine"))

  let memory: Memory
  let pool: ReadPool
  let writer: Writer
  /// Who is who.
  public var access: AccessTable { memory.access }
  private let health: DatabaseHealth
  private let database: any Database
  /// Nil where no file is beside the database.
  let erasures: ErasureList?
  /// Of a database that other servers may write, too.
  private let follower: Follower?
  /// The threads on which to read from such a database; nil: reads never wait for a network.
  public let workers: WorkerThreads?

  private init(
    _ database: any Database, memory: Memory, pool: ReadPool, writer: Writer, health: DatabaseHealth,
    follower: Follower?, workers: WorkerThreads?, erasures: ErasureList?
  ) {
    self.erasures = erasures
    (self.database, self.memory, self.pool, self.writer, self.health) = (database, memory, pool, writer, health)
    (self.follower, self.workers) = (follower, workers)
  }

  /// Opens a database, creating or migrating it as needed.
  ///
  /// - Parameters:
  ///   - database: `sqlite:` and the path of the file, or a connection string of PostgreSQL.
  ///   - clock: the time that is written into rows.
  /// - Throws: `newerDatabase` when a newer program has written it, `busy` when another process holds its lock,
  ///   `diskFull`, or `database`.
  public static func open(
    _ database: String, limits: StoreLimits = StoreLimits(), clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) -> Store {
    let named = try named(database, limits: limits)
    let list = (named as? SQLiteDatabase).map { ErasureList(beside: $0) }
    return try open(named, limits: limits, erasures: list, clock: clock)
  }

  /// What is wrong with a database, by its own check; empty when it is clean.
  public static func faults(in database: String) throws(StoreError) -> [String] {
    let database = try named(database, limits: StoreLimits())
    return try mapped { () throws(SQLError) in try database.faults() }
  }

  /// True when a text names a database in a way that is known here; it may still not be there.
  public static func isDatabase(named name: String) -> Bool {
    PostgresDatabase.isNamed(by: name) || (name.hasPrefix("sqlite:") && name != "sqlite:")
  }

  static func named(_ name: String, limits: StoreLimits) throws(StoreError) -> any Database {
    if PostgresDatabase.isNamed(by: name) {
      var driverLimits = PostgresLimits()
      driverLimits.lockMilliseconds = limits.busyTimeoutMilliseconds / 2
      return PostgresDatabase(name, limits: driverLimits)
    }
    let scheme = "sqlite:"
    guard name.hasPrefix(scheme), name.utf8.count > scheme.utf8.count else {
      throw .database("a database is named sqlite:PATH, postgres://… or by libpq's keywords and values")
    }
    var driverLimits = SQLiteLimits()
    // A write may come while another waits, and then waits for itself: two halves are the whole that is stated.
    driverLimits.busyTimeoutMilliseconds = limits.busyTimeoutMilliseconds / 2
    return SQLiteDatabase(path: String(name.dropFirst(scheme.count)), limits: driverLimits)
  }

  static func open(
    _ database: any Database, limits: StoreLimits, erasures: ErasureList? = nil,
    clock: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) -> Store {
    let session = Session(connection: try mapped { () throws(SQLError) in try database.connect(.writing) })
    let health = DatabaseHealth(doubts: database.isShared ? 0 : limits.damageDoubts)
    let (memory, applying) = (Memory(limits), Lock(()))
    let isLarge = database.bytesToCheck > limits.startCheckBytes
    let checksFirst: Bool
    do throws(StoreError) {
      // What the start itself writes goes to pages that were looked at. Otherwise reads begin at once.
      checksFirst = isLarge ? false : try writesAtStart(session, erasures)
      if checksFirst { try health.check(database) }
      try prepare(session, of: database, health, now: clock())
      try memory.restart(from: session, now: clock())
      if let erasures {
        try carryOut(erasures, on: session, of: database, memory: memory, clock: clock)
      }
    } catch {
      session.connection.close()
      throw error
    }
    let pool = ReadPool(database, limits: limits, health: health)
    let writer = Writer(
      session, of: database, memory: memory, applying: applying, limits: limits, health: health, clock: clock
    ) { () throws(StoreError) in
      let session = try applying.withLock { _ throws(StoreError) in
        try reopened(database, pool, memory, now: clock())
      }
      do throws(StoreError) {
        // Reads go on while the pages are looked at.
        try health.check(database)
        if case .damaged(let places) = health.state { throw .databaseDamaged(places.first ?? "") }
        return session
      } catch {
        session.connection.abandon()
        throw error
      }
    }
    let isShared = database.isShared
    let follower = isShared ? Follower(database, memory: memory, applying: applying, limits: limits) : nil
    let workers = isShared ? WorkerThreads(count: limits.workerThreads) : nil
    let store = Store(
      database, memory: memory, pool: pool, writer: writer, health: health, follower: follower, workers: workers,
      erasures: erasures)
    writer.start(afterCheck: !isLarge && !checksFirst)
    follower?.start()
    if isLarge {
      DedicatedThread.start {
        Signal().wait(milliseconds: limits.startCheckDelayMilliseconds)
        _ = try? health.check(database)
      }
    }
    return store
  }

  /// True when the schema is of another version, or something is to be erased anew.
  private static func writesAtStart(_ session: Session, _ erasures: ErasureList?) throws(StoreError) -> Bool {
    guard try Migrations.version(of: session) == schemaVersion else { return true }
    guard let erasures else { return false }
    if try ErasureRows.mustScrub(in: session) { return true }
    let listed = try erasures.read()
    let done = try ErasureRows.all(in: session)
    return !Set(listed).isSubset(of: done)
  }

  /// Brings the schema to this program's version.
  private static func prepare(
    _ session: Session, of database: any Database, _ health: DatabaseHealth, now: Timestamp
  ) throws(StoreError) {
    if case .damaged(let places) = health.state {
      // What of its pages can be read may be read; a step of the schema would write to what is damaged.
      guard try Migrations.version(of: session) == schemaVersion else {
        throw .databaseDamaged(places.joined(separator: "; "))
      }
    }
    try checkNoImportIsUnderWay(session)
    try Migrations.run(on: session, of: database, now: now)
  }

  /// Opens a database whose disk has failed: everything in its log is put to its place and synchronised. A write that nobody
  /// was told of may be there, whole.
  private static func reopened(
    _ database: any Database, _ pool: ReadPool, _ memory: Memory, now: Timestamp
  ) throws(StoreError) -> Session {
    try pool.suspend()
    defer { pool.resume() }
    let session = Session(connection: try mapped { () throws(SQLError) in try database.connect(.writing) })
    do throws(StoreError) {
      try mapped { () throws(SQLError) in try session.connection.consolidate() }
      try memory.restart(from: session, now: now)
      return session
    } catch {
      session.connection.abandon()
      throw error
    }
  }

  // The writer's connection is the last to close: it leaves the whole of a SQLite database in one file.
  deinit {
    stopReading()
    writer.stop()
  }

  private func stopReading() {
    follower?.stop()
    workers?.close()
    pool.close()
  }

  /// True when other servers may write to the same database: then `catchUp()` goes before what is read from memory.
  public var isShared: Bool { follower != nil }

  /// Returns when memory holds everything that any server acknowledged before the call. Nothing to do where no other
  /// server writes.
  /// - Throws: `unavailable` when the database can't be asked; `closed`.
  public func catchUp() async throws(StoreError) { try await follower?.catchUp() }

  /// Takes no more writes, finishes those that wait, and closes the database. Nothing may be asked afterwards.
  public func close() async {
    stopReading()
    await writer.close()
  }

  /// Whether the database can be trusted with writes.
  public var databaseState: DatabaseState { health.state }

  /// Calls `observer` with every change of the state, and with the state as it is unless that is sound.
  public func observeDatabase(_ observer: @escaping @Sendable (DatabaseState) -> Void) { health.observe(observer) }

  public var writeFigures: WriteFigures { writer.figures }
  public var cacheFigures: [CacheFigures] { memory.figures }
  /// The length of the write-ahead log, where there is one.
  public var logBytes: Int { database.logBytes }

  /// Returns when the database answers.
  public func check() throws(StoreError) {
    _ = try pool.read { (session) throws(StoreError) in try ChangeRows.lastSequence(in: session) }
  }

  /// How many writes wait for the writer now.
  public var waitingWrites: Int { writer.waitingCount }

  /// Which life of the feed this is: another one after an older database was put back.
  public var epoch: String { memory.read { $0.lives.epoch } }

  /// Read connections that are open, how often a reader waited for one, and how often in vain.
  public var readConnections: (open: Int, waits: Int, refusals: Int) { pool.figures }

  /// The last change that is on disk.
  public var sequence: Int { memory.read { $0.sequence } }

  /// The last change that is not kept any more.
  var forgotten: Int { memory.read { $0.forgotten } }

  private static func knownID(_ string: String) -> ItemID {
    guard let id = ItemID(string) else { preconditionFailure("\(string) is an ID") }
    return id
  }
}
