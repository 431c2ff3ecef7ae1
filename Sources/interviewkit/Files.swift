// Whole files in and out, and the lock that keeps two processes from one data folder.

import Glibc

struct FileError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(_ path: String, _ code: Int32) {
    description = "\(path): \(unsafe String(cString: strerror(code)))"
  }
}

enum Files {
  /// The bytes of a file; `-` is standard input.
  static func read(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path, errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { throw FileError(path, errno) }
    }
  }

  /// Writes all bytes; a reader that has gone away ends it silently.
  static func write(_ bytes: [UInt8], to descriptor: Int32) { _ = writeAll(bytes, to: descriptor) }

  /// - Returns: false when not all could be written; `errno` says why.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    writeMost(bytes, to: descriptor) == bytes.count
  }

  /// - Returns: how many bytes were written; `errno` says why no more.
  static func writeMost(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { break }
    }
    return bytes.count - rest.count
  }

  /// Writes a file that only its owner reads, new or in place of an old one.
  static func writePrivate(_ bytes: [UInt8], to path: String) throws(FileError) {
    _ = unsafe unlink(path)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path, errno) }
    defer { close(descriptor) }
    write(bytes, to: descriptor)
  }

  /// Makes the folder and those above it.
  static func makeFolder(_ path: String) throws(FileError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw FileError(path, errno)
    }
    try makeFolder(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path, errno) }
  }

  /// - Throws: when there is nothing to read under this name: no file, or a folder. `-` is standard input.
  static func requireFile(_ path: String) throws(FileError) {
    if path == "-" { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw errno == ENOENT ? FileError("there is no \(path)") : FileError(path, errno)
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw FileError("\(path) is a folder, not a file") }
  }

  /// The first bytes of a file, at most `count`; nil when it can't be read.
  static func start(of path: String, count: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe Glibc.read(descriptor, &bytes, count)
    return got < 0 ? nil : Array(bytes[..<got])
  }

  /// - Throws: when a file can't get this name: it is a folder's, its own folder is not there, or it is there already and
  ///   not to be replaced.
  static func requirePlace(for path: String, isForced: Bool) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      if !isThere(folder) { throw FileError("\(path): there is no folder \(folder)") }
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw FileError("\(path) is a folder, not a file") }
    if !isForced { throw FileError("\(path) is there already; --force replaces it") }
  }

  /// Whether anything has this name, to be read or not.
  static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// The path without `.`, `..` and links, as people know it.
  static func plainPath(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Takes a lock for the life of the process; false when another process keeps it that long.
  /// - Parameter folder: made when it is not there, at first or any more: who had the lock may have removed what it had made.
  static func lock(_ path: String, in folder: String? = nil, waitMilliseconds: Int) throws(FileError) -> Bool {
    var waited = 0
    while try !lock(path, in: folder) {
      guard waited < waitMilliseconds else { return false }
      usleep(50_000)
      waited += 50
    }
    return true
  }

  private static func lock(_ path: String, in folder: String?) throws(FileError) -> Bool {
    for _ in 0..<maximumRemovals {
      if let folder { try makeFolder(folder) }
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        if errno == ENOENT, folder != nil { continue }
        throw FileError(path, errno)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        close(descriptor)
        guard code == EWOULDBLOCK else { throw FileError(path, code) }
        return false
      }
      if isNamed(descriptor, path) { return true }
      // Who had it has removed it meanwhile: what is locked has no name any more, and the next one to come wouldn't see it.
      close(descriptor)
    }
    throw FileError(path, ENOENT)
  }

  /// How often a lock may be removed right before it is taken.
  private static let maximumRemovals = 100

  /// Whether a name is that of an open file.
  private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &named) == 0 else { return false }
    return held.st_dev == named.st_dev && held.st_ino == named.st_ino
  }
}

enum Environment {
  /// The environment of the process.
  static var all: [String: String] {
    var result: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return result
  }
}
