// One profile file before `extends` is applied, and what it becomes with those that it extends.

internal import Digests
internal import JSON

/// One file before `extends` is applied.
struct ProfileDocument {
  let file: String
  let value: JSONValue
  let name: String
  let version: Int
  let isAbstract: Bool
  let parent: String?

  init(file: String, bytes: [UInt8]) throws(ProfileError) {
    func failure(_ pointer: String, _ message: String) -> ProfileError {
      ProfileError(problems: [.init(file: file, pointer: pointer, message: message)])
    }
    do { value = try JSONValue.parse(bytes) } catch {
      throw failure(error.pointer, "\(error.message) (line \(error.line), column \(error.column))")
    }
    guard case .string(let name)? = value["name"], ProfileName.isValid(name) else {
      throw failure("/name", ProfileName.rule)
    }
    guard case .number(let number)? = value["version"], let version = number.integer, version > 0 else {
      throw failure("/version", "A profile has a version, a whole number above 0.")
    }
    (self.file, self.name, self.version) = (file, name, version)
    isAbstract = value["abstract"] == .bool(true)
    if case .string(let parent)? = value["extends"] { self.parent = parent } else { parent = nil }
  }

  var qualifiedName: String { "\(name)@\(version)" }

  func problem(_ pointer: String, _ message: String) -> ProfileError.Problem {
    .init(file: file, pointer: pointer, message: message)
  }
}

/// The files of a folder, which may extend each other.
struct ProfileFamily {
  private let documents: [ProfileDocument]

  /// How far profiles may extend each other.
  private static let maximumDepth = 8

  init(_ documents: [ProfileDocument]) { self.documents = documents }

  /// The profile that a document and those that it extends make.
  /// - Throws: each fault with the file that it stands in.
  func profile(_ document: ProfileDocument) throws(ProfileError) -> Profile {
    let chain = try chain(of: document)
    let merged = Self.merged(chain)
    let issues = JSONIssueList()
    if let content = ProfileReader(issues: issues).read(merged) { return Profile(content, document: merged) }
    // What an ancestor that can be asked for has wrong too is its own fault.
    var inherited: Set<JSONIssue> = []
    for (place, ancestor) in chain.enumerated().dropFirst() where !ancestor.isAbstract {
      let list = JSONIssueList()
      _ = ProfileReader(issues: list).read(Self.merged(Array(chain[place...])))
      inherited.formUnion(list.issues)
    }
    let own = issues.issues.filter { !inherited.contains($0) }.map { issue in
      (chain.first { $0.value.value(at: issue.pointer) != nil } ?? document).problem(issue.pointer, issue.message)
    }
    throw ProfileError(problems: own)
  }

  /// The document, what it extends, what that extends, and so on.
  private func chain(of document: ProfileDocument) throws(ProfileError) -> [ProfileDocument] {
    var chain = [document]
    while let last = chain.last, let parent = last.parent {
      let candidates = documents.filter { $0.name == parent || $0.qualifiedName == parent }
      guard let base = candidates.max(by: { $0.version < $1.version }) else {
        throw ProfileError(problems: [last.problem("/extends", "There is no profile \"\(parent)\" to extend.")])
      }
      guard chain.count <= Self.maximumDepth else {
        throw ProfileError(problems: [
          document.problem("/extends", "The profile extends itself, or too many others.")
        ])
      }
      chain.append(base)
    }
    return chain
  }

  /// What each document says over what it extends.
  private static func merged(_ chain: [ProfileDocument]) -> JSONValue {
    chain.dropLast().reversed().reduce(chain[chain.count - 1].value) { base, child in
      base.extended(by: child.value)
    }
  }
}

extension Profile {
  /// A profile with the digest of its document.
  convenience init(_ content: ProfileContent, document: JSONValue) {
    var writer = JSONWriter(capacity: 8_192)
    writer.value(document)
    self.init(content, document: document, digest: SHA256.hexadecimal(of: writer.bytes))
  }
}

extension JSONValue {
  /// What a profile's document says over the one it extends (by the rules of RFC 7396: `null` takes a member away).
  func extended(by child: JSONValue) -> JSONValue {
    let personal = ["abstract", "extends", "description", "notes"].map { JSONMember($0, .null) }
    return merged(with: .object(personal)).merged(with: child)
  }

  /// What a JSON Pointer (RFC 6901) points to; nil when there is nothing.
  func value(at pointer: String) -> JSONValue? {
    var value = self
    for name in JSONPointer.tokens(of: pointer) {
      if case .array(let elements) = value, let place = Int(name), elements.indices.contains(place) {
        value = elements[place]
      } else if let member = value[name] {
        value = member
      } else {
        return nil
      }
    }
    return value
  }
}

/// The form of a profile's name.
enum ProfileName {
  static let rule = "A profile is named with 1 to 40 lower-case letters, digits and hyphens, the first no hyphen."

  static func isValid(_ name: String) -> Bool {
    guard (1...40).contains(name.utf8.count), name.utf8.first != 0x2D else { return false }
    return name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }
}

/// The form of a slot's name.
enum SlotName {
  static let rule = "A slot is named with 1 to 40 letters and digits, the first a letter, and unlike any part."

  static func isValid(_ name: String) -> Bool {
    guard (1...40).contains(name.utf8.count), PartRole(rawValue: name) == nil else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    return name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }
}
