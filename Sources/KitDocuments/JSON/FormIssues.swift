// Joining what is wrong with a document's form and what is wrong with the kit that was read from it.

internal import InterviewKits
internal import JSON

enum FormIssues {
  /// Rules that look at what other items are: they can't be judged while one of those is unknown.
  private static let aboutOthers: Set<String> = ["invalidCondition", "conditionCycle", "notAnswerable"]
  /// Members without which an item is not known to others, or not which.
  private static let identifying: Set<Substring> = [
    "id", "type", "options", "scale", "scales", "points", "sections", "questions", "criteria",
  ]
  /// Members without which it is not known which items there are.
  private static let naming: Set<Substring> = ["id", "scales", "sections", "questions"]

  /// The form's issues, then those of the domain that do not stem from what could not be read.
  static func merge(_ form: [Issue], with domain: [Issue]) -> [Issue] {
    if form.isEmpty { return domain }
    if domain.isEmpty { return form }
    let places = Set(form.map(\.pointer))
    let hasUnknownItems = places.contains { isUnread($0, of: identifying) }
    let hasUnknownScales = places.contains { isUnread($0, of: naming) && ($0.isEmpty || $0.hasPrefix("/scales")) }
    let hasUnknownQuestions = places.contains { isUnread($0, of: naming) && !$0.hasPrefix("/scales") }
    var unreadable = places
    for pointer in places { unreadable.formUnion(ancestors(of: pointer)) }
    return form
      + domain.filter { issue in
        if hasUnknownItems, aboutOthers.contains(issue.code) { return false }
        if hasUnknownScales, issue.code == "unknownScale" { return false }
        if hasUnknownQuestions, issue.code == "unknownQuestion" { return false }
        if places.contains(issue.pointer) { return false }
        if unreadable.contains(issue.pointer), issue.code == "tooFew" { return false }
        return !ancestors(of: issue.pointer).contains { places.contains($0) && !$0.isEmpty }
      }
  }

  /// Whether one of the members, an element of a list or the whole document could not be read.
  private static func isUnread(_ pointer: String, of members: Set<Substring>) -> Bool {
    guard let last = pointer.split(separator: "/").last else { return true }
    return members.contains(last) || last.utf8.allSatisfy { (0x30...0x39).contains($0) }
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
  /// In the document's order, each with the ID of the item that it is in, where that has one.
  func placed(in document: JSONValue) -> [Issue] {
    document.inDocumentOrder(self, by: \.pointer).map { issue in
      var copy = issue
      if copy.itemID == nil { copy.itemID = document.itemID(around: issue.pointer) }
      return copy
    }
  }

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
  /// The ID of the innermost item around what a pointer names; the kit itself is none.
  fileprivate func itemID(around pointer: String) -> ItemID? {
    for step in steps(to: pointer).reversed() {
      if case .string(let id)? = step.value["id"] { return ItemID(id) }
    }
    return nil
  }

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
