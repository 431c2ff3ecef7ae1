// Joining what is wrong with a document's form and what is wrong with the kit that was read from it.

internal import InterviewKits
internal import JSON

enum FormIssues {
  /// Rules that look at other items; they can't be judged while what those items are is unknown.
  private static let crossReferences: Set<String> = [
    "unknownQuestion", "invalidCondition", "conditionCycle", "notAnswerable", "unknownScale",
  ]
  /// Members whose absence leaves an item unknown to others.
  private static let identifying: Set<Substring> = [
    "id", "type", "options", "scale", "scales", "points", "sections", "questions", "criteria",
  ]

  /// The form's issues, then those of the domain that do not stem from what could not be read.
  static func merge(_ form: [Issue], with domain: [Issue]) -> [Issue] {
    if form.isEmpty { return domain }
    if domain.isEmpty { return form }
    let places = Set(form.map(\.pointer))
    let hasUnknownItems = places.contains { pointer in
      guard let last = pointer.split(separator: "/").last else { return true }
      return identifying.contains(last) || last.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    var unreadable = places
    for pointer in places { unreadable.formUnion(ancestors(of: pointer)) }
    return form
      + domain.filter { issue in
        if hasUnknownItems, crossReferences.contains(issue.code) { return false }
        if places.contains(issue.pointer) { return false }
        if unreadable.contains(issue.pointer), issue.code == "tooFew" { return false }
        return !ancestors(of: issue.pointer).contains { places.contains($0) && !$0.isEmpty }
      }
  }

  /// `/a/b/c` → `/a/b`, `/a`, and the empty pointer.
  private static func ancestors(of pointer: String) -> [String] {
    var found: [String] = []
    var rest = Substring(pointer)
    while let slash = rest.lastIndex(of: "/") {
      rest = rest[..<slash]
      found.append(String(rest))
    }
    return found
  }
}

extension [Issue] {
  /// Without the IDs of items that the document gave none: they were made for a kit that won't be.
  func withoutIDs(notIn document: JSONValue) -> [Issue] {
    if isEmpty { return self }
    var given: Set<String> = []
    document.collectIDs(into: &given)
    return map { issue in
      var copy = issue
      if let id = issue.itemID, !given.contains(id.string) { copy.itemID = nil }
      return copy
    }
  }
}

extension JSONValue {
  fileprivate func collectIDs(into ids: inout Set<String>) {
    switch self {
    case .array(let elements): for element in elements { element.collectIDs(into: &ids) }
    case .object(let members):
      for member in members {
        switch member.value {
        case .string(let id): if member.name.hasSuffix("id") || member.name.hasSuffix("Id") { ids.insert(id) }
        default: member.value.collectIDs(into: &ids)
        }
      }
    case .null, .bool, .number, .string: break
    }
  }
}
