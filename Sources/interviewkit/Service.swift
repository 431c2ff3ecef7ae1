// The service of one data folder in this process: the folder's lock, the store, the engine and the API.

import API
import InterviewKits
import JSON
import Store

struct Service {
  let api: InterviewKitAPI
  let store: Store
  let engine: Engine

  /// Takes the data folder for this process; refuses when another one has it.
  static func open(_ settings: Settings, log: Log) throws -> Service {
    do { try Files.makeFolder(settings.data) } catch { throw SettingsError("the data folder \(error)") }
    do {
      guard try Files.lock(settings.lockPath) else {
        throw SettingsError("the data folder \(settings.data) is in use by another process")
      }
    } catch let error as FileError { throw SettingsError("the data folder's lock \(error)") }
    let engine = try Engine(settings, digestFile: settings.data + "/font-digests.json")
    let store: Store
    do { store = try Store.open(settings.databaseURL, clock: { Clock.now() }) } catch {
      throw SettingsError("database \(settings.databaseURL): \(error)")
    }
    let api = InterviewKitAPI(
      store: store, layouts: engine.layouts, profiles: engine.profiles, version: InterviewKitCommand.version,
      clock: { Clock.now() },
      report: { requestID, error in
        log(.error, "request.failed") { line in
          line.member("requestId", requestID)
          line.member("error", error)
        }
      })
    return Service(api: api, store: store, engine: engine)
  }
}
