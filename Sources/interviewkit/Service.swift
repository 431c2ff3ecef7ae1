// The service of one data folder in this process: the folder's lock, the store, the engine and the API.

import API
import InterviewKits
import JSON
import Store

struct Service {
  let api: InterviewKitAPI
  let store: Store
  let engine: Engine
  /// What the command line of whoever may read the data folder proves itself with.
  let key: String
  /// What was made for this in the data folder.
  let traces: FolderTraces

  /// Takes the data folder for this process, to its end; refuses when another one has it.
  /// - Parameter waitMilliseconds: how long another process may keep it, as short commands do.
  /// - Returns: what was made, for whoever is refused later.
  @discardableResult
  static func takeFolder(_ settings: Settings, waitMilliseconds: Int = 0) throws(SettingsError) -> FolderTraces {
    var traces = FolderTraces(settings)
    do throws(SettingsError) {
      do { try Files.makeFolder(settings.data) } catch { throw SettingsError("the data folder \(error)") }
      let folder = Files.plainPath(settings.data)
      try take(settings.lockPath, in: settings.data, "the data folder \(folder)", waitMilliseconds, &traces)
      // The same file may be named with another folder.
      if let path = settings.databasePath {
        try take(path + ".lock", "the database \(path)", waitMilliseconds, &traces)
      }
    } catch {
      traces.remove(database: false)
      throw error
    }
    traces.took(settings)
    return traces
  }

  private static func take(
    _ lock: String, in folder: String? = nil, _ what: String, _ waitMilliseconds: Int, _ traces: inout FolderTraces
  ) throws(SettingsError) {
    let isNew = !Files.isThere(lock)
    let isTaken: Bool
    do { isTaken = try Files.lock(lock, in: folder, waitMilliseconds: waitMilliseconds) } catch {
      throw SettingsError("\(what) can't be used: \(error)")
    }
    guard isTaken else {
      throw SettingsError("\(what) is in use by another process; stop it, or give another --data")
    }
    traces.took(lock: lock, isNew: isNew)
  }

  static func open(_ settings: Settings, log: Log, waitMilliseconds: Int = 0) throws -> Service {
    let traces = try takeFolder(settings, waitMilliseconds: waitMilliseconds)
    let (engine, store): (Engine, Store)
    do throws(SettingsError) { (engine, store) = try parts(settings) } catch {
      traces.remove(database: false)
      throw error
    }
    store.observeDatabase { tell($0, log) }
    let api = InterviewKitAPI(
      store: store, layouts: engine.layouts, profiles: engine.profiles, version: InterviewKitCommand.version,
      clock: { Clock.now() }, limits: settings.apiLimits,
      report: { requestID, error, isExpected in
        log(isExpected ? .warning : .error, isExpected ? "request.unavailable" : "request.failed") { line in
          line.member("requestId", requestID)
          line.member("error", error)
        }
      })
    let key = InterviewKitAPI.makeToken()
    let caller = api.takeOperatorToken(key)
    do {
      for name in try api.shadowedProfiles(for: caller) {
        log(.warning, "profile.shadowed") { $0.member("profile", name) }
      }
    } catch { throw SettingsError("the profiles in the database \(settings.databaseName): \(reason(error))") }
    return Service(api: api, store: store, engine: engine, key: key, traces: traces)
  }

  private static func parts(_ settings: Settings) throws(SettingsError) -> (Engine, Store) {
    let engine = try Engine(settings, digestFile: settings.digestPath)
    var limits = StoreLimits()
    limits.groupOperations = settings.groupWrites
    do { return (engine, try Store.open(settings.databaseURL, limits: limits, clock: { Clock.now() })) } catch {
      throw SettingsError("the database \(settings.databaseName) can't be opened: \(reason(error))")
    }
  }

  /// Ends a service that was refused what it was opened for: of a folder that was new, nothing is left.
  func undo() async {
    await store.close()
    traces.remove(database: true)
  }

  /// Until the task is cancelled: tells the readers of the change feed that the service is alive, and removes what has had
  /// its time.
  func keepTime(_ log: Log, heartbeatSeconds: Int) async {
    var seconds = Self.housekeepingSeconds
    while (try? await Task.sleep(for: .seconds(heartbeatSeconds))) != nil {
      store.feedSignal.tick()
      do throws(StoreError) { try await store.writeTokenUses() } catch {
        log(.error, "store.tokenUses") { $0.member("error", "\(error)") }
      }
      seconds += heartbeatSeconds
      guard seconds >= Self.housekeepingSeconds, store.databaseState == .sound else { continue }
      seconds = 0
      tellOfAccountsWithoutAdmin(log)
      do throws(StoreError) {
        let done = try await store.housekeep()
        if done.total > 0 { log(.info, "store.housekept") { $0.member("rows", done.total) } }
      } catch { log(.error, "store.housekeeping") { $0.member("error", "\(error)") } }
    }
  }

  /// Nobody is locked out without a word: where no admin's token is taken any more, the command line makes one.
  func tellOfAccountsWithoutAdmin(_ log: Log) {
    guard let accounts = try? store.accountsWithoutAdmin(now: Clock.now()) else { return }
    for account in accounts { log(.warning, "access.noAdmin") { $0.member("account", account.string) } }
  }

  /// How often what has had its time is removed; the first time with the first beat.
  private static let housekeepingSeconds = 600

  private static func tell(_ state: DatabaseState, _ log: Log) {
    switch state {
    case .sound: log(.info, "database.sound")
    case .full: log(.warning, "database.full")
    case .failing(let cause): log(.error, "database.failing") { $0.member("error", cause) }
    case .damaged(let places):
      for place in places { log(.error, "database.damaged") { $0.member("where", place) } }
    }
  }

  static func reason(_ error: StoreError) -> String {
    switch error {
    case .newerDatabase(let version, let known):
      "its version is \(version), and this program knows only up to \(known); run a newer program"
    case .diskFull: "the disk is full"
    case .busy: "another process has it locked"
    case .databaseDamaged(let place): "it is damaged: \(place); restore a backup"
    case .database(let cause), .unavailable(let cause), .databaseFailing(let cause): cause
    default: "\(error)"
    }
  }
}
