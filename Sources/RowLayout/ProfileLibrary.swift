// All profiles of a folder: one file each, `extends` applied, checked whole before the first is used.

internal import Glibc
internal import JSON

/// The profiles of a folder.
public final class ProfileLibrary: Sendable {
  /// Every version of every profile, by name and version.
  public let all: [Profile]
  private let byName: [String: Profile]

  /// Reads all `*.json` of a folder, such as `Config/profiles`.
  /// - Throws: `ProfileError` with everything that is wrong with any of the files.
  public convenience init(directory: String) throws(ProfileError) {
    var documents: [ProfileDocument] = []
    var problems: [ProfileError.Problem] = []
    for name in try ProfileFiles.names(in: directory) {
      do {
        documents.append(try ProfileDocument(file: name, bytes: try ProfileFiles.read("\(directory)/\(name)")))
      } catch { problems += error.problems }
    }
    guard problems.isEmpty else { throw ProfileError(problems: problems) }
    try self.init(documents: documents)
  }

  /// Reads profiles from memory: file name and bytes each.
  public convenience init(files: [(name: String, bytes: [UInt8])]) throws(ProfileError) {
    var documents: [ProfileDocument] = []
    for file in files { documents.append(try ProfileDocument(file: file.name, bytes: file.bytes)) }
    try self.init(documents: documents)
  }

  private init(documents: [ProfileDocument]) throws(ProfileError) {
    var problems: [ProfileError.Problem] = []
    var profiles: [Profile] = []
    var names: Set<String> = []
    for document in documents {
      guard names.insert("\(document.name)@\(document.version)").inserted else {
        problems.append(
          document.problem("/version", "Another file holds \(document.name)@\(document.version) already."))
        continue
      }
      if document.isAbstract { continue }
      do { profiles.append(try document.profile(among: documents)) } catch { problems += error.problems }
    }
    if problems.isEmpty, profiles.isEmpty {
      problems.append(.init(file: "", pointer: "", message: "There is no profile."))
    }
    guard problems.isEmpty else { throw ProfileError(problems: problems) }
    all = profiles.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    var byName: [String: Profile] = [:]
    for profile in all {
      byName[profile.qualifiedName] = profile
      byName[profile.name] = profile
    }
    self.byName = byName
  }

  /// The newest version of a name such as `ios`, or the very version of `ios@3`.
  public func profile(_ name: String) -> Profile? { byName[name] }

  /// The names of the profiles, newest versions only.
  public var names: [String] { Set(all.map(\.name)).sorted() }
}

/// Profiles that could not be read: all that is wrong with all files.
public struct ProfileError: Error, Sendable, Hashable, CustomStringConvertible {
  public struct Problem: Sendable, Hashable {
    public var file: String
    /// A JSON Pointer into the file, `extends` applied.
    public var pointer: String
    public var message: String
  }

  public var problems: [Problem]

  public var description: String {
    problems.map { "\($0.file)\($0.pointer.isEmpty ? "" : " at \($0.pointer)"): \($0.message)" }.joined(separator: "\n")
  }
}

/// One file before `extends` is applied.
struct ProfileDocument {
  let file: String
  let value: JSONValue
  let name: String
  let version: Int
  let isAbstract: Bool
  private let parent: String?

  /// How far profiles may extend each other.
  private static let maximumDepth = 8

  init(file: String, bytes: [UInt8]) throws(ProfileError) {
    func failure(_ pointer: String, _ message: String) -> ProfileError {
      ProfileError(problems: [.init(file: file, pointer: pointer, message: message)])
    }
    do { value = try JSONValue.parse(bytes) } catch {
      throw failure(error.pointer, "\(error.message) (line \(error.line), column \(error.column))")
    }
    guard case .string(let name)? = value["name"], Self.isName(name) else {
      throw failure("/name", "A profile is named with lower-case letters, digits and hyphens.")
    }
    guard case .number(let number)? = value["version"], let version = number.integer, version > 0 else {
      throw failure("/version", "A profile has a version, a whole number above 0.")
    }
    (self.file, self.name, self.version) = (file, name, version)
    isAbstract = value["abstract"] == .bool(true)
    if case .string(let parent)? = value["extends"] { self.parent = parent } else { parent = nil }
  }

  func problem(_ pointer: String, _ message: String) -> ProfileError.Problem {
    .init(file: file, pointer: pointer, message: message)
  }

  /// The profile that this document and those that it extends make.
  func profile(among documents: [ProfileDocument]) throws(ProfileError) -> Profile {
    let merged = try resolved(among: documents, depth: 0)
    let issues = JSONIssueList()
    guard let content = ProfileReader(issues: issues).read(merged) else {
      throw ProfileError(problems: issues.issues.map { problem($0.pointer, $0.message) })
    }
    var writer = JSONWriter(capacity: 8_192)
    writer.value(merged)
    return Profile(content, document: merged, digest: Digest.sha256(writer.bytes))
  }

  /// What this document says, over what it extends (by the rules of RFC 7396: `null` takes a member away).
  private func resolved(among documents: [ProfileDocument], depth: Int) throws(ProfileError) -> JSONValue {
    guard let parent else { return value }
    let candidates = documents.filter { $0.name == parent || "\($0.name)@\($0.version)" == parent }
    guard let base = candidates.max(by: { $0.version < $1.version }) else {
      throw ProfileError(problems: [problem("/extends", "There is no profile \"\(parent)\" to extend.")])
    }
    guard depth < Self.maximumDepth else {
      throw ProfileError(problems: [problem("/extends", "The profile extends itself, or too many others.")])
    }
    var merged = try base.resolved(among: documents, depth: depth + 1)
    let personal = ["abstract", "extends", "description", "notes"].map { JSONMember($0, .null) }
    merged = merged.merged(with: .object(personal)).merged(with: value)
    return merged
  }

  private static func isName(_ name: String) -> Bool {
    guard (1...40).contains(name.utf8.count) else { return false }
    return name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }
}

/// Reading the files of a folder.
enum ProfileFiles {
  /// Profiles are small; anything larger is something else.
  static let maximumBytes = 1 << 20

  static func names(in directory: String) throws(ProfileError) -> [String] {
    guard let folder = unsafe opendir(directory) else {
      throw ProfileError(problems: [
        .init(file: directory, pointer: "", message: "The folder of profiles could not be read (errno \(errno)).")
      ])
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    // The entry is valid until the next call of readdir, and its name ends with NUL.
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasSuffix(".json") { names.append(name) }
    }
    return names.sorted()
  }

  static func read(_ path: String) throws(ProfileError) -> [UInt8] {
    func failure(_ message: String) -> ProfileError {
      ProfileError(problems: [.init(file: path, pointer: "", message: message)])
    }
    guard let file = unsafe fopen(path, "rb") else {
      throw failure("The file could not be opened (errno \(errno)).")
    }
    defer { unsafe fclose(file) }
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 32 << 10))
    while bytes.count <= maximumBytes {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard unsafe ferror(file) == 0 else { throw failure("The file could not be read.") }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
    throw failure("A profile holds at most \(maximumBytes) bytes.")
  }
}
