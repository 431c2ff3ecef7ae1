// `backup`, `restore` and `verify`: the database's file as a whole.

import Glibc
import InterviewKits
import Store

enum Backup {
  static func run(_ arguments: Arguments) throws -> Int32 {
    if let operand = arguments.operands.first { throw UsageError("backup takes no operands: '\(operand)'") }
    guard let file = arguments.flags["to"] else { throw UsageError("backup needs --to FILE") }
    let settings = try Settings.load(flags: arguments.flags)
    try settings.requireDatabase()
    let isForced = arguments.flags["force"] != nil
    try Files.requirePlace(for: file, isForced: isForced)
    var bar = ProgressBar("copying")
    do {
      let files = Store.unfinishedFiles(ofBackupTo: file)
      try Interruption.leaving(no: files, saying: "no backup was made") { () throws(StoreError) in
        try Store.backup(
          settings.databaseURL, to: file, replacing: isForced, progress: { bar.show($0, of: $1) },
          report: { _ = Failure.say("\($0)") })
      }
    } catch {
      bar.end()
      return Failure.say("no backup was made: \(Service.reason(error))")
    }
    bar.end()
    return InterviewKitCommand.say("\(file) holds the database, and was checked")
  }
}

enum Restore {
  static func run(_ arguments: Arguments) throws -> Int32 {
    if let operand = arguments.operands.first { throw UsageError("restore takes no operands: '\(operand)'") }
    guard let file = arguments.flags["from"] else { throw UsageError("restore needs --from FILE") }
    let settings = try Settings.load(flags: arguments.flags)
    try Files.requireFile(file)
    if let first = Files.start(of: file, count: 16), first != Array("SQLite format 3\0".utf8) {
      let isExport = first.first == UInt8(ascii: "{")
      return Failure.say(
        "nothing was changed; \(file) is no copy of a database"
          + (isExport ? ": if export --all wrote it, use import --all \(file)" : ", as backup makes them"))
    }
    // Held to the end of the process.
    let traces = try Service.takeFolder(settings)
    var bar = ProgressBar("copying")
    let restored: Restored
    do {
      let files = Store.unfinishedFiles(ofRestoreOf: settings.databaseURL)
      let words = "the database is what it was, or, whole, what \(file) holds"
      restored = try Interruption.leaving(no: files, saying: words) { () throws(StoreError) in
        try Store.restore(
          settings.databaseURL, from: file, now: Clock.now(), isForced: arguments.flags["force"] != nil,
          progress: { bar.show($0, of: $1) }, report: { _ = Failure.say("\($0)") })
      }
    } catch {
      bar.end()
      traces.remove(database: false)
      let reason = Service.reason(error)
      return Failure.say("nothing was changed; \(reason.contains(file) ? reason : "\(file): \(reason)")")
    }
    bar.end()
    if restored.schema.from != restored.schema.to {
      _ = InterviewKitCommand.say("brought from schema \(restored.schema.from) to \(restored.schema.to)")
    }
    if let kept = restored.keptAs { _ = InterviewKitCommand.say("the database that was there is kept as \(kept)") }
    restored.erasedAnew.tell(of: file, isNewPlace: restored.keptAs == nil)
    return InterviewKitCommand.say("restored from \(file)")
  }
}

extension ErasedAnew {
  /// Says who was erased anew, or that nothing tells who was erased since.
  /// - Parameters:
  ///   - file: what was put back.
  ///   - isNewPlace: whether no database was there, which would have had a list beside it.
  func tell(of file: String, isNewPlace: Bool) {
    if lists.isEmpty {
      guard isNewPlace else { return }
      _ = Failure.say(
        "no list of erasures lies beside \(file), such as \(Store.usualFile).erasures: whoever was erased since it was "
          + "made is in the database again")
      return
    }
    let people = candidates == 1 ? "1 candidate was" : "\(candidates) candidates were"
    _ = InterviewKitCommand.say("\(people) erased anew, by \(lists.joined(separator: ", "))")
  }
}

enum Verify {
  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty else { throw UsageError("verify takes no operands") }
    let settings = try Settings.load(flags: arguments.flags)
    try settings.requireDatabase()
    return try verify(settings)
  }

  /// Prints what is wrong.
  /// - Returns: the exit code.
  static func verify(_ settings: Settings) throws(SettingsError) -> Int32 {
    var count = 0
    var bar = ProgressBar("checking")
    do {
      try Interruption.leaving(saying: "not everything was checked") { () throws(StoreError) in
        try Store.verify(settings.databaseURL, progress: { bar.show($0, of: $1) }) { fault in
          bar.end()
          count += 1
          _ = InterviewKitCommand.say("\(fault)")
        }
      }
    } catch {
      bar.end()
      throw SettingsError("the database \(settings.databaseURL) can't be read: \(Service.reason(error))")
    }
    bar.end()
    if count == 0 { return InterviewKitCommand.say("the database is clean") }
    return Failure.say(count == 1 ? "1 fault" : "\(count) faults")
  }
}

enum Failure {
  /// One line on standard error.
  /// - Returns: the exit code of what was refused or failed.
  static func say(_ message: String) -> Int32 {
    Files.write(Array("interviewkit: \(message)\n".utf8), to: STDERR_FILENO)
    return 1
  }
}

extension Settings {
  /// What ends the message that a folder holds no database.
  static let dataHint = "; --data, or INTERVIEWKIT_DATA, names the folder that has it"

  /// For commands that make no database: there must be one.
  func requireDatabase() throws(SettingsError) {
    if database.isEmpty, !Files.exists(defaultDatabasePath) {
      throw SettingsError("there is no database in \(data)\(Self.dataHint)")
    }
  }
}
