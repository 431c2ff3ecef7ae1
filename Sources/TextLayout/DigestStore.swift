// SHA-256 of font files, kept in a file so that a restart need not read the fonts.
import Digests
import Glibc
import Locks

/// Digests by file identity. The cache file is a help only: any fault with it costs time, never an answer.
final class DigestStore: Sendable {
  private let cacheFile: String?
  private let known: Lock<[FileIdentity: String]?> = Lock(nil)

  init(cacheFile: String?) { self.cacheFile = cacheFile }

  /// Digests of the files, in their order; a file that cannot be read has the digest `unreadable`.
  func digests(of files: [FileIdentity]) -> [String] {
    known.withLock { known in
      var table = known ?? load()
      var isNew = false
      let digests = files.map { file in
        if let digest = table[file] { return digest }
        guard let digest = Self.digest(file.path) else { return "unreadable" }
        table[file] = digest
        isNew = true
        return digest
      }
      if isNew { save(table, files: files) }
      known = table
      return digests
    }
  }

  private static func digest(_ path: String) -> String? {
    var digest = SHA256()
    let isRead: Void? = unsafe try? FileReading.chunks(of: path) { unsafe digest.update($0.bytes) }
    let text = digest.finish()
    return isRead == nil ? nil : text
  }

  private func load() -> [FileIdentity: String] {
    guard let cacheFile, let bytes = try? FileReading.bytes(of: cacheFile) else { return [:] }
    var table: [FileIdentity: String] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 4, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 5, fields[0].utf8.count == 64, var file = FileIdentity(path: fields[4]),
        let size = Int(fields[1]), let modified = Int(fields[2]), let inode = UInt64(fields[3])
      else { continue }
      (file.size, file.modifiedNanoseconds, file.inode) = (size, modified, inode)
      table[file] = fields[0]
    }
    return table
  }

  private func save(_ table: [FileIdentity: String], files: [FileIdentity]) {
    guard let cacheFile else { return }
    let lines = files.compactMap { file in
      table[file].map { "\($0)\t\(file.size)\t\(file.modifiedNanoseconds)\t\(file.inode)\t\(file.path)\n" }
    }
    let bytes = Array(lines.joined().utf8)
    let temporary = cacheFile + ".\(getpid())"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let written = unsafe write(descriptor, bytes, bytes.count)
    close(descriptor)
    if unsafe written != bytes.count || rename(temporary, cacheFile) != 0 { unsafe _ = unlink(temporary) }
  }
}
