// A profile that a client sends: read over what it extends, checked whole, and numbered.

public import InterviewKits
public import JSON
internal import TextLayout

/// Everything that is wrong with a profile that was sent.
public struct InvalidProfile: Error, Sendable, Hashable {
  public var issues: [Issue]
}

extension SentProfile {
  public init(_ profile: Profile) { self.init(name: profile.name, version: profile.version, content: profile.stored) }
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
    let newest = try readable { () throws(ProfileError) in try profile(name) }
    let (merged, base, isWhole) = try merged(body, name: name, version: (newest?.version ?? 0) + 1, issues: issues)
    guard isWhole else {
      // What is wrong whatever the document extends is told as well.
      let own = JSONIssueList()
      _ = ProfileReader(issues: own).read(merged)
      Self.checkFamilies(merged, families, issues: own)
      Self.checkStrings(merged, issues: own)
      for issue in own.issues where Self.isWrongAlone(issue, in: body) {
        issues.add(issue.pointer, issue.code, issue.message)
      }
      throw issues.invalidProfile(body)
    }
    let content = ProfileReader(issues: issues).read(merged)
    Self.checkFamilies(merged, families, issues: issues)
    Self.checkStrings(merged, issues: issues)
    guard let content, issues.issues.isEmpty else { throw issues.invalidProfile(body, over: base) }
    var known = newest?.content
    known?.version = content.version
    if content == known, merged["notes"] == newest?.document["notes"] { return nil }
    let draft = Profile(content, document: merged)
    let bytes = draft.stored.utf8.count
    guard bytes <= RowLayoutLimits.maximumProfileBytes else {
      issues.add(
        "", "tooLarge",
        "With all that it extends the profile takes \(bytes) bytes; it may take \(RowLayoutLimits.maximumProfileBytes)."
      )
      throw issues.invalidProfile(body)
    }
    return draft
  }

  /// A version that was sent and can't be read any more is a fault that a new version mends: it tells so.
  private func readable<Value>(_ read: () throws(ProfileError) -> Value) throws(InvalidProfile) -> Value {
    do { return try read() } catch {
      throw InvalidProfile(issues: [
        Issue(pointer: "", code: "unreadableProfile", message: "What the profile follows can't be read: \(error)")
      ])
    }
  }

  /// The document over what it extends, with its name and version; what it extends; and whether that is all of it. Else it
  /// is over some other profile, at best the newest of the name that it gives.
  private func merged(
    _ body: JSONValue, name: String, version: Int, issues: JSONIssueList
  ) throws(InvalidProfile) -> (document: JSONValue, base: Profile?, isWhole: Bool) {
    guard case .object(let members) = body else {
      issues.add("", "wrongType", "A profile is an object, not \(body.kindName).")
      throw issues.invalidProfile(body)
    }
    if !ProfileName.isValid(name) { issues.add("/name", "invalidName", ProfileName.rule) }
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
    case nil, .null: return (JSONValue.object([]).merged(with: document), nil, true)
    case .string(let parent):
      let base = try readable { () throws(ProfileError) in try profile(parent) }
      guard let base else {
        issues.add("/extends", "unknownProfile", unknownProfile(parent))
        break
      }
      let document = base.document.extended(by: document)
      if base.qualifiedName == parent { return (document, base, true) }
      issues.add(
        "/extends", "missingVersion",
        "A stored profile extends one version, which never changes: name one version, \(base.qualifiedName).")
      return (document, base, false)
    case let other?: issues.add("/extends", "wrongType", "extends must be a string, not \(other.kindName).")
    }
    return ((all.first?.document ?? .object([])).extended(by: document), nil, false)
  }

  /// Faults that no other member makes or mends, and that stand in the body itself.
  private static func isWrongAlone(_ issue: JSONIssue, in body: JSONValue) -> Bool {
    let codes = [
      "wrongType", "outOfRange", "unknownMember", "unknownWord", "unsupportedOption", "invalidName", "invalidLocale",
      "containsNUL", "tooMany", "unknownFamily",
    ]
    // Without a kind of its own the body means that of what it extends.
    if issue.pointer.hasPrefix("/textSize/"), body["textSize"]?["kind"] == nil { return false }
    return issue.pointer != "/extends" && codes.contains(issue.code) && body.value(at: issue.pointer) != nil
  }

  /// How many languages there are, and that each key is one that something is shown for. Versions that were stored before
  /// are not judged by it.
  private static func checkStrings(_ document: JSONValue, issues: JSONIssueList) {
    guard case .object(let languages)? = document["strings"] else { return }
    if languages.count > RowLayoutLimits.maximumLanguages {
      issues.add("/strings", "tooMany", "Texts are in at most \(RowLayoutLimits.maximumLanguages) languages.")
      return
    }
    let told = Set(issues.issues.map(\.pointer))
    for language in languages {
      guard case .object(let texts) = language.value else { continue }
      let pointer = JSONPointer.appending(language.name, to: "/strings")
      for text in texts where !ProfileText.keys.contains(text.name) {
        if issues.isFull { return }
        let place = JSONPointer.appending(text.name, to: pointer)
        if told.contains(place) { continue }
        issues.add(place, "unknownMember", "No text is shown under \"\(text.name)\".")
      }
    }
  }

  /// Every family that the document names where a font is.
  private static func checkFamilies(_ document: JSONValue, _ families: Set<String>, issues: JSONIssueList) {
    func check(_ value: JSONValue?, at pointer: String) {
      guard case .string(let family)? = value, !families.contains(family) else { return }
      issues.add(pointer, "unknownFamily", unknownFamily(family, among: families))
    }
    for font in ["/font"] + PartRole.allCases.map({ "/parts/\($0.rawValue)" }) {
      check(document.value(at: font + "/family"), at: font + "/family")
      guard case .array(let fallbacks)? = document.value(at: font + "/fallbacks") else { continue }
      for (place, family) in fallbacks.enumerated() { check(family, at: "\(font)/fallbacks/\(place)") }
    }
  }
}

extension JSONIssueList {
  /// All of it, in the order of the document that was sent.
  /// - Parameter base: what it extends; whatever of it is not right here is told to come from there.
  fileprivate func invalidProfile(_ body: JSONValue, over base: Profile? = nil) -> InvalidProfile {
    let told = base.flatMap { oneForOtherKind(in: body, over: $0) } ?? issues
    let ordered = body.inDocumentOrder(told, by: \.pointer)
    return InvalidProfile(
      issues: ordered.map { issue in
        let origin = base.flatMap { issue.origin(in: body, over: $0) } ?? ""
        return Issue(pointer: issue.pointer, code: issue.code, message: issue.message + origin)
      })
  }
}

extension JSONIssueList {
  /// Where the body makes a text size rule another kind of rule than it extends: one issue for all that stays of that one.
  private func oneForOtherKind(in body: JSONValue, over base: Profile) -> [JSONIssue]? {
    guard case .string(let kind)? = body.value(at: "/textSize/kind"),
      case .string(let old)? = base.document.value(at: "/textSize/kind"), kind != old,
      !issues.contains(where: { $0.pointer == "/textSize/kind" })
    else { return nil }
    func isLeft(_ issue: JSONIssue) -> Bool {
      let tokens = JSONPointer.tokens(of: issue.pointer)
      guard tokens.count > 1, tokens[0] == "textSize" else { return false }
      let place = issue.code == "missingMember" ? tokens.dropLast() : tokens[...]
      let pointer = place.reduce("") { JSONPointer.appending($1, to: $0) }
      return body.value(at: pointer) == nil && base.document.value(at: pointer) != nil
    }
    var places: [String] = []
    for issue in issues where isLeft(issue) {
      let tokens = JSONPointer.tokens(of: issue.pointer).dropFirst()
      let place = tokens.prefix(tokens.first == "styles" ? 2 : 1).joined(separator: "/")
      if !places.contains(place) { places.append(place) }
    }
    if places.isEmpty { return nil }
    let message =
      "\(base.qualifiedName) has a rule of kind \(old): null takes away what \(kind) has no use for,"
      + " \(places.joined(separator: ", "))."
    return issues.filter { !isLeft($0) } + [JSONIssue(pointer: "/textSize/kind", code: "otherKind", message: message)]
  }
}

extension JSONIssue {
  /// A sentence that says which member the body does not hold itself, and what to do; nil when it holds all.
  fileprivate func origin(in body: JSONValue, over base: Profile) -> String? {
    func isInherited(_ place: String) -> Bool {
      body.value(at: place) == nil && base.document.value(at: place) != nil
    }
    if isInherited(pointer) {
      let canGo = code == "unknownMember" || code == "inapplicableOption" || code == "styleAndSize"
      return " It comes from \(base.qualifiedName)" + (canGo ? ": null takes it away." : ".")
    }
    var names: [String] = []
    switch code {
    case "styleAndSize":
      let font = pointer.dropLast("/size".count)
      names = ["style"].filter { isInherited("\(font)/\($0)") }
    case "invalidTabs":
      guard case .object(let members)? = base.document.value(at: pointer) else { return nil }
      names = members.map(\.name).filter { isInherited(JSONPointer.appending($0, to: pointer)) }
    default: break
    }
    if names.isEmpty { return nil }
    let list = names.joined(separator: " and ")
    return " From \(base.qualifiedName) it has \(list): null takes a member away."
  }
}

extension RowLayoutEngine {
  /// The names of the font families, missing or not.
  public var fontFamilies: Set<String> { Set(measurer.fonts.families.map(\.name)) }
}
