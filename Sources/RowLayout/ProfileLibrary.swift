// All profiles of a folder: one file each, `extends` applied, checked whole before the first is used.

internal import Glibc
internal import JSON

/// The profiles of a folder, and versions that were sent, which are read when they are asked for.
public final class ProfileLibrary: Sendable {
  /// Those of the folder: every version of every profile, by name and version.
  public let all: [Profile]
  /// All versions that there are, by name and version.
  public let versions: [ProfileVersion]
  private let shipped: [String: Profile]
  private let sent: SentProfiles?
  private let newest: [String: ProfileVersion]

  /// Reads all `*.json` of a folder, such as `Config/profiles`.
  /// - Throws: `ProfileError` with everything that is wrong with any of the files.
  public convenience init(directory: String) throws(ProfileError) {
    var documents: [ProfileDocument] = []
    var problems: [ProfileError.Problem] = []
    for name in try ProfileFiles.names(in: directory) {
      let path = "\(directory)/\(name)"
      do {
        documents.append(try ProfileDocument(file: path, bytes: try ProfileFiles.read(path)))
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

  private convenience init(documents: [ProfileDocument]) throws(ProfileError) {
    let family = ProfileFamily(documents)
    var problems: [ProfileError.Problem] = []
    var profiles: [Profile] = []
    var names: Set<String> = []
    for document in documents {
      guard names.insert(document.qualifiedName).inserted else {
        problems.append(document.problem("/version", "Another file holds \(document.qualifiedName) already."))
        continue
      }
      if document.isAbstract { continue }
      do { profiles.append(try family.profile(document)) } catch {
        // A fault that several inherit is one fault.
        for problem in error.problems where !problems.contains(problem) { problems.append(problem) }
      }
    }
    if problems.isEmpty, profiles.isEmpty {
      problems.append(.init(file: "", pointer: "", message: "There is no profile."))
    }
    guard problems.isEmpty else { throw ProfileError(problems: problems) }
    self.init(profiles)
  }

  /// - Parameter profiles: those of the folder.
  init(_ profiles: [Profile], sent: SentProfiles? = nil) {
    all = profiles.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    shipped = Dictionary(all.map { ($0.qualifiedName, $0) }) { $1 }
    self.sent = sent
    var versions = Set(all.map { ProfileVersion(name: $0.name, version: $0.version) })
    if let sent { versions.formUnion(sent.versions) }
    self.versions = versions.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    newest = Dictionary(self.versions.map { ($0.name, $0) }) { $1 }
  }

  /// This library and versions that were sent; one that it has already gives way to the one sent.
  /// - Parameters:
  ///   - owner: who has sent them; a version of an owner's never changes.
  ///   - memory: keeps those that were read, with those of other owners.
  public func adding(_ sent: [SentProfile], by owner: String, memory: ProfileMemory) -> ProfileLibrary {
    sent.isEmpty ? self : ProfileLibrary(all, sent: SentProfiles(sent, by: owner, memory: memory))
  }

  /// The newest version of a name such as `ios`, or the very version of `ios@3`.
  /// - Throws: when the version was sent and can't be read any more.
  public func profile(_ name: String) throws(ProfileError) -> Profile? {
    let qualified = newest[name]?.qualifiedName ?? name
    if let profile = try sent?.profile(qualified) { return profile }
    return shipped[qualified]
  }

  /// What is said of a name that is none of a profile or of a version: what there is.
  public func unknownProfile(_ name: String) -> String {
    let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let own = versions.filter { $0.name == parts[0] }.suffix(Self.versionsNamed).reversed()
    if parts.count == 2, !own.isEmpty {
      let known = own.map(\.qualifiedName).joined(separator: ", ")
      let verb = own.count == 1 ? "is" : "are"
      return "The profile \"\(parts[0])\" has no version \"\(parts[1])\"; its newest \(verb) \(known)."
    }
    let ending = Suggestion.ending(for: String(parts[0]), among: names)
    return "There is no profile \"\(name)\"; there are \(names.joined(separator: ", "))\(ending)"
  }

  /// How many versions of a profile such a sentence names.
  private static let versionsNamed = 10

  static func unknownFamily(_ family: String, among families: Set<String>) -> String {
    let ending = Suggestion.ending(for: family, among: families.sorted())
    return "There is no font family \"\(family)\"; /v1/fonts lists them\(ending)"
  }

  /// The names of the profiles.
  public var names: [String] { newest.keys.sorted() }
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
