// A profile that a client sends: read over what it extends, checked whole, and numbered.

public import InterviewKits
public import JSON
internal import TextLayout

/// Everything that is wrong with a profile that was sent.
public struct InvalidProfile: Error, Sendable, Hashable {
  public var issues: [Issue]
}

extension Profile {
  /// A stored version, from the text that `stored` gave.
  /// - Throws: `ProfileError` when it is none.
  public convenience init(stored text: String) throws(ProfileError) {
    let document = try ProfileDocument(file: "a stored profile", bytes: Array(text.utf8))
    let issues = JSONIssueList()
    guard let content = ProfileReader(issues: issues).read(document.value) else {
      throw ProfileError(problems: issues.issues.map { document.problem($0.pointer, $0.message) })
    }
    self.init(content, document: document.value)
  }

  /// The version as it is to be stored: whole, so that nothing that it extends can change it later.
  public var stored: String {
    var writer = JSONWriter(capacity: 8_192)
    writer.value(document)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ProfileLibrary {
  /// The next version of a profile from a document that a client sends. `id`, `version` and `digest` are ours to set.
  /// - Parameters:
  ///   - name: of the profile, new or not.
  ///   - families: the font families that it may name.
  /// - Returns: nil when it says what the newest version says.
  /// - Throws: every issue.
  public func draft(
    _ body: JSONValue, name: String, families: Set<String>
  ) throws(InvalidProfile) -> Profile? {
    let issues = JSONIssueList()
    let newest = profile(name)
    guard let merged = merged(body, name: name, version: (newest?.version ?? 0) + 1, issues: issues) else {
      throw issues.invalidProfile
    }
    let content = ProfileReader(issues: issues).read(merged)
    if let content { Self.check(content, merged, families: families, issues: issues) }
    guard let content, issues.issues.isEmpty else { throw issues.invalidProfile }
    var known = newest?.content
    known?.version = content.version
    if content == known, merged["notes"] == newest?.document["notes"] { return nil }
    return Profile(content, document: merged)
  }

  /// The document over what it extends, with its name and version; nil when that can't be told.
  private func merged(_ body: JSONValue, name: String, version: Int, issues: JSONIssueList) -> JSONValue? {
    guard case .object(let members) = body else {
      issues.add("", "wrongType", "A profile is an object, not \(body.kindName).")
      return nil
    }
    guard ProfileName.isValid(name) else {
      issues.add("/name", "invalidName", ProfileName.rule)
      return nil
    }
    if let sent = body["name"], sent != .string(name) {
      issues.add("/name", "wrongName", "The name is that of the address, \"\(name)\", or left out.")
    }
    if body["abstract"] != nil {
      issues.add("/abstract", "unknownMember", "Only a file can be abstract.")
    }
    let ours = ["id", "digest", "name", "version", "abstract"]
    let head = [JSONMember("name", .string(name)), JSONMember("version", .number(JSONNumber(version)))]
    let document = JSONValue.object(head + members.filter { !ours.contains($0.name) })
    switch body["extends"] {
    case nil, .null: return JSONValue.object([]).merged(with: document)
    case .string(let parent):
      if let base = profile(parent), base.qualifiedName == parent { return base.document.extended(by: document) }
      let hint = profile(parent).map { "name one version, \($0.qualifiedName)" } ?? "there is no \"\(parent)\""
      issues.add("/extends", "unknownProfile", "A stored profile extends one version, which never changes: \(hint).")
    case let other?: issues.add("/extends", "wrongType", "extends must be a string, not \(other.kindName).")
    }
    return nil
  }

  private static func check(
    _ content: ProfileContent, _ document: JSONValue, families: Set<String>, issues: JSONIssueList
  ) {
    func check(_ font: FontRule, at pointer: String) {
      if !families.contains(font.family), document.value(at: pointer + "/family") != nil {
        issues.add(
          pointer + "/family", "unknownFamily",
          "There is no font family \"\(font.family)\"; /v1/fonts lists them.")
      }
      guard document.value(at: pointer + "/fallbacks") != nil else { return }
      for (place, family) in font.fallbacks.enumerated() where !families.contains(family) {
        issues.add(
          "\(pointer)/fallbacks/\(place)", "unknownFamily",
          "There is no font family \"\(family)\"; /v1/fonts lists them.")
      }
    }
    check(content.font, at: "/font")
    for role in PartRole.allCases {
      if let part = content.parts[role] { check(part.font, at: "/parts/\(role.rawValue)") }
    }
  }
}

extension JSONIssueList {
  fileprivate var invalidProfile: InvalidProfile {
    InvalidProfile(issues: issues.map { Issue(pointer: $0.pointer, code: $0.code, message: $0.message) })
  }
}

extension RowLayoutEngine {
  /// The names of the font families, missing or not.
  public var fontFamilies: Set<String> { Set(measurer.fonts.families.map(\.name)) }
}
