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

  init(_ profiles: [Profile]) {
    all = profiles.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    var byName: [String: Profile] = [:]
    for profile in all {
      byName[profile.qualifiedName] = profile
      byName[profile.name] = profile
    }
    self.byName = byName
  }

  /// This library and more versions; one that it has already gives way to the one added.
  public func adding(_ profiles: [Profile]) -> ProfileLibrary {
    if profiles.isEmpty { return self }
    let added = Set(profiles.map(\.qualifiedName))
    return ProfileLibrary(all.filter { !added.contains($0.qualifiedName) } + profiles)
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
