// The list of erasures beside a database file: whoever puts an older copy of the database back has them carried out again.
import Glibc
import InterviewKits
import JSON
import Locks
import SQLDatabase

/// What was erased anew from a copy that is put back.
public struct ErasedAnew: Hashable, Sendable {
  /// The lists that were there: the database's own, and those beside the copy.
  public var lists: [String]
  /// How many candidates the copy still had by these lists.
  public var candidates: Int
}

extension Store {
  /// What the file of a database is called unless it is named.
  public static let usualFile = "interviewkit.sqlite"
}

/// Lines of JSON that are only ever added, each on the disk before its erasure is answered.
final class ErasureList: Sendable {
  struct Entry: Hashable, Sendable {
    var accountID: ItemID
    var candidateID: ItemID
  }

  let path: String
  /// Held while the file is written.
  private let writing = Lock(())

  init(path: String) { self.path = path }

  convenience init(beside database: SQLiteDatabase) { self.init(path: database.path + ".erasures") }

  /// The lists that are there beside a copy of a database, or an export of one: called after the copy, or as the list that
  /// was kept of the database.
  static func beside(copy: String, of database: (any Database)? = nil) -> [ErasureList] {
    let folder = copy.utf8.lastIndex(of: 0x2F).map { String(copy[...$0]) } ?? ""
    let target = (database as? SQLiteDatabase)?.path ?? ""
    let name = target.utf8.lastIndex(of: 0x2F).map { String(target[target.utf8.index(after: $0)...]) } ?? target
    var paths: [String] = []
    for named in [copy, folder + Store.usualFile, folder + (name.isEmpty ? Store.usualFile : name)] {
      let path = named + ".erasures"
      if !paths.contains(path), unsafe access(path, F_OK) == 0 { paths.append(path) }
    }
    return paths.map { ErasureList(path: $0) }
  }

  var isThere: Bool { unsafe access(path, F_OK) == 0 }

  /// - Throws: `database` when the list can't be read, or holds something else.
  func read() throws(StoreError) -> [Entry] {
    var entries: [Entry] = []
    for line in try wholeLines().split(separator: 0x0A) {
      do throws(StoreError) {
        let document = try StoredDocument(text: String(decoding: line, as: UTF8.self))
        entries.append(Entry(accountID: try document.id("account"), candidateID: try document.id("candidate")))
      } catch { throw .database("\(path) is no list of erasures: line \(entries.count + 1) is none of its lines") }
    }
    return entries
  }

  /// All lines but one without its end, which a crash has cut before its erasure was answered.
  private func wholeLines() throws(StoreError) -> ArraySlice<UInt8> {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return [] }
      throw failure("can't be read")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes.lastIndex(of: 0x0A).map { bytes[...$0] } ?? [] }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { throw failure("can't be read") }
    }
  }

  /// Adds those that are not there yet.
  func add(_ entries: [Entry]) throws(StoreError) {
    try writing.withLock { (_) throws(StoreError) in
      let known = Set(try read())
      try append(entries.filter { !known.contains($0) })
    }
  }

  private func append(_ entries: [Entry]) throws(StoreError) {
    if entries.isEmpty { return }
    var bytes: [UInt8] = []
    for entry in entries {
      var writer = JSONWriter()
      writer.object { line in
        line.member("account", entry.accountID.string)
        line.member("candidate", entry.candidateID.string)
      }
      bytes += writer.bytes + [0x0A]
    }
    let whole = try wholeLines().count
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw failure("can't be written") }
    defer { close(descriptor) }
    if ftruncate(descriptor, whole) != 0 || lseek(descriptor, 0, SEEK_END) < 0 { throw failure("can't be written") }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw failure("can't be written") }
    }
    if fsync(descriptor) != 0 { throw failure("can't be written") }
    // A new file's name, too.
    let folder = unsafe open(path.utf8.lastIndex(of: 0x2F).map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    if folder < 0 { throw failure("can't be written") }
    defer { close(folder) }
    if fsync(folder) != 0 { throw failure("can't be written") }
  }

  private func failure(_ what: String) -> StoreError {
    let reason = unsafe String(cString: strerror(errno))
    return .database("the list of erasures \(path) \(what): \(reason)")
  }
}
