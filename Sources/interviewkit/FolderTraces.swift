// What a command makes in a data folder before it is refused: nothing is left that was not there.

import Glibc

struct FolderTraces {
  /// The folders that were not there, the deepest first.
  private let folders: [String]
  private var files: [String] = []
  private var databaseFiles: [String] = []

  /// Before anything is made.
  init(_ settings: Settings) {
    var folders: [String] = []
    var folder = settings.data
    while !folder.isEmpty, !Files.isThere(folder) {
      folders.append(folder)
      folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
    }
    self.folders = folders
  }

  /// True when the database's file was not there.
  var isNewDatabase: Bool { !databaseFiles.isEmpty }

  /// A lock that this process has taken and keeps.
  /// - Parameter isNew: whether its file was not there before.
  mutating func took(lock: String, isNew: Bool) { if isNew { files.append(lock) } }

  /// With the folder and the database taken: whatever is made from here on was made by this process.
  mutating func took(_ settings: Settings) {
    if !Files.isThere(settings.digestPath) { files.append(settings.digestPath) }
    guard let path = settings.databasePath, !Files.isThere(path) else { return }
    databaseFiles = ["", "-wal", "-shm", "-journal"].map { path + $0 }.filter { !Files.isThere($0) }
  }

  /// Removes it; the locks must still be held, and the database closed. Folders that hold something else stay.
  /// - Parameter database: whether the database that was made goes too.
  func remove(database: Bool) {
    // The locks go last: until then nobody else comes in.
    let first = database ? databaseFiles : []
    for file in first + files.reversed() { _ = unsafe unlink(file) }
    for folder in folders { _ = unsafe rmdir(folder) }
  }
}
