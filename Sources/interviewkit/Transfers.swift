// `export --all` and `import --all`: everything, from one database to another.

import Glibc
import InterviewKits
import Store

enum Transfers {
  static func exportAll(_ arguments: Arguments) throws -> Int32 {
    for flag in ["format", "revision"] where arguments.flags[flag] != nil {
      throw UsageError("--\(flag) does not go with --all")
    }
    guard arguments.operands.isEmpty else { throw UsageError("export --all takes no operands") }
    let settings = try Settings.load(flags: arguments.flags)
    try settings.requireDatabase()
    guard let file = arguments.flags["to"] else {
      return Interruption.leaving(saying: "what was written is not whole") { export(settings, to: STDOUT_FILENO) }
    }
    try Files.requirePlace(for: file, isForced: arguments.flags["force"] != nil)
    let partial = file + ".partial"
    _ = unsafe unlink(partial)
    let descriptor = unsafe open(partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    // The name that was not given is told only where it is what's in the way.
    guard descriptor >= 0 else { throw FileError(errno == EEXIST ? partial : file, errno) }
    var code = Interruption.leaving(no: [partial], saying: "nothing was exported") {
      export(settings, to: descriptor)
    }
    if code == 0 {
      let isWhole = fsync(descriptor) == 0
      let isNamed = unsafe isWhole && rename(partial, file) == 0
      if !isNamed { code = Failure.say("\(FileError(file, errno))") }
    }
    close(descriptor)
    if code != 0 { _ = unsafe unlink(partial) }
    return code
  }

  private static func export(_ settings: Settings, to descriptor: Int32) -> Int32 {
    var bar = ProgressBar("exporting")
    defer { bar.end() }
    do {
      try Store.exportAll(settings.databaseURL, progress: { bar.show($0, of: $1) }) { bytes in
        Files.writeAll(bytes, to: descriptor)
      }
      return 0
    } catch {
      bar.end()
      return Failure.say("nothing was exported: \(Service.reason(error))")
    }
  }

  static func importAll(_ arguments: Arguments) throws -> Int32 {
    for flag in ["id", "format", "dryRun"] where arguments.flags[flag] != nil {
      throw UsageError("\(Settings.flag(for: flag)) does not go with --all")
    }
    guard arguments.operands.count == 1, let file = arguments.operands.first else {
      throw UsageError("import --all takes one FILE")
    }
    try Files.requireFile(file)
    let settings = try Settings.load(flags: arguments.flags)
    let lines = try LineReader(file)
    // Held to the end of the process.
    let traces = try Service.takeFolder(settings)
    var bar = ProgressBar("importing")
    var linesAsked = 0
    do {
      let words = "the same command goes on where this one has come"
      let done = try Interruption.leaving(saying: words) { () throws(StoreError) in
        try Store.importAll(
          into: settings.databaseURL, from: file == "-" ? nil : file, now: Clock.now(),
          next: {
            linesAsked += 1
            return lines.next()
          }, progress: { bar.show($0, of: $1) })
      }
      bar.end()
      switch done.outcome {
      case .unchanged:
        done.erasedAnew.tell(of: "the export", isNewPlace: false)
        return InterviewKitCommand.say("the database held all of this already")
      case .imported(let rows): _ = InterviewKitCommand.say("\(rows) rows are here; checking them")
      }
      done.erasedAnew.tell(of: "the export", isNewPlace: true)
    } catch {
      bar.end()
      // Beyond the first line the same command may go on with what is there.
      traces.remove(database: linesAsked <= 1)
      return Failure.say("\(file): \(lines.failure?.description ?? Service.reason(error))")
    }
    let code = try Verify.verify(settings)
    let create = arguments.sameDatabase("token create --role admin --name NAME")
    _ = Failure.say("tokens don't come along: the service is open, on loopback only, until \(create)")
    return code
  }
}

/// The lines of a file, read as they are asked for; `-` is standard input.
final class LineReader {
  private let descriptor: Int32
  private let path: String
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  private(set) var failure: FileError?

  private static let portion = 1 << 18

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path, errno) }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// The next line without its end; nil at the end, or when reading failed. What follows the last line end is a line that
  /// was cut off: it is none.
  func next() -> [UInt8]? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { (start, searched) = (end + 1, end + 1) }
        return Array(buffer[start..<end])
      }
      buffer.removeSubrange(..<start)
      (start, searched) = (0, buffer.count)
      var more = [UInt8](repeating: 0, count: Self.portion)
      let count = unsafe read(descriptor, &more, more.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { failure = FileError(path, errno) }
      guard count > 0 else { return nil }
      buffer += more[..<count]
    }
  }
}
