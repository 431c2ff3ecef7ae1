// Kits, sections and questions as JSON documents: reading, merging and their issues.

public import InterviewKits
public import JSON

/// The JSON documents of kits. Every decoding function lists all that is wrong at once: members that are missing,
/// unknown or of the wrong type, and what the kit itself breaks. `revision`, `createdAt` and `updatedAt` are taken and
/// not looked at, nor is an `importReport`, so that a document that was read can be sent back.
public enum KitJSON {
  /// Reads a whole kit and checks it.
  ///
  /// - Parameters:
  ///   - id: The ID from the address; nil takes the document's, or makes one.
  ///   - now: The time of creation.
  ///   - ids: Where IDs that the document leaves out come from.
  public static func decodeKit(
    _ value: JSONValue, id: ItemID?, now: Timestamp, ids: ItemIDSource
  ) throws(InvalidDocument) -> Kit {
    let (kit, issues) = readKit(value, id: id, now: now, ids: ids)
    guard let kit, issues.isEmpty else { throw InvalidDocument(issues: issues) }
    return kit
  }

  /// The kit as far as it could be read, and all that is wrong with it.
  static func readKit(
    _ value: JSONValue, id: ItemID?, now: Timestamp, ids: ItemIDSource
  ) -> (kit: Kit?, issues: [Issue]) {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(value, at: "", issues: list) else { return (nil, list.domainIssues()) }
    let form = KitFormReader(issues: list, ids: ids)
    var kit = form.header(&reader, id: id, now: now)
    kit.sections = form.sections(&reader)
    reader.finish()
    let issues = FormIssues.merge(list.domainIssues(), with: kit.issues())
    return (kit, issues.withoutIDs(notIn: value).placed(in: value))
  }

  /// A new section and its place among the kit's sections (`after`: an ID, or null for the first place).
  ///
  /// - Parameter id: The ID from the address; nil takes the document's, or makes one.
  public static func decodeSection(
    _ value: JSONValue, id: ItemID?, ids: ItemIDSource
  ) throws(InvalidDocument) -> (section: Section, place: Place) {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(value, at: "", issues: list) else { throw list.invalid }
    let form = KitFormReader(issues: list, ids: ids)
    let section = form.section(&reader, order: .only, id: id)
    let place = form.place(&reader)
    reader.finish()
    guard list.issues.isEmpty else { throw InvalidDocument(issues: list.domainIssues().placed(in: value)) }
    return (section, place)
  }

  /// A new question and its place: `sectionId` (nil: the last section) and `after`.
  ///
  /// - Parameter id: The ID from the address; nil takes the document's, or makes one.
  public static func decodeQuestion(
    _ value: JSONValue, id: ItemID?, ids: ItemIDSource
  ) throws(InvalidDocument) -> (question: Question, sectionID: ItemID?, place: Place) {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(value, at: "", issues: list) else { throw list.invalid }
    let form = KitFormReader(issues: list, ids: ids)
    let question = form.question(&reader, order: .only, id: id)
    let sectionID = reader.itemID("sectionId").value
    let place = form.place(&reader)
    reader.finish()
    guard list.issues.isEmpty else { throw InvalidDocument(issues: list.domainIssues().placed(in: value)) }
    return (question, sectionID, place)
  }

  /// Where to move an item: `{ "sectionId", "after" }`, `after` being null for the first place.
  public static func decodeMove(_ value: JSONValue) throws(InvalidDocument) -> (sectionID: ItemID?, place: Place) {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(value, at: "", issues: list) else { throw list.invalid }
    let sectionID = reader.itemID("sectionId").value
    if reader.value("after").isAbsent {
      reader.report(
        "after", "missingMember", "after is missing: the ID of the item before, or null for the first place.")
    }
    let place: Place =
      switch reader.itemID("after") {
      case .value(let id): .after(id)
      case .null, .absent: .first
      }
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return (sectionID, place)
  }

  // MARK: Merge patches (RFC 7396)

  /// The kit with a merge patch applied to its own members. `sections`, when the patch has it, replaces them all.
  /// The form is checked here; the edit function of the domain checks the rest.
  ///
  /// - Returns: The kit as patched, and whether the sections were replaced.
  public static func patch(
    _ kit: Kit, with patch: JSONValue, ids: ItemIDSource
  ) throws(InvalidDocument) -> (kit: Kit, replacesSections: Bool) {
    let list = JSONIssueList()
    guard case .object = patch else {
      list.add("", "wrongType", "A merge patch of a kit is an object, not \(patch.kindName).")
      throw list.invalid
    }
    let merged = document(of: kit, withSections: false).merged(with: patch)
    guard var reader = JSONObjectReader(merged, at: "", issues: list) else { throw list.invalid }
    let form = KitFormReader(issues: list, ids: ids)
    var after = form.header(&reader, id: kit.id, now: kit.createdAt)
    (after.revision, after.updatedAt) = (kit.revision, kit.updatedAt)
    let replacesSections = patch["sections"] != nil
    let sections = form.sections(&reader)
    after.sections = replacesSections ? sections : kit.sections
    reader.finish()
    guard list.issues.isEmpty else {
      throw InvalidDocument(issues: FormIssues.merge(list.domainIssues(), with: after.issues()))
    }
    return (after, replacesSections)
  }

  /// The section with a merge patch applied to its own members; its questions are edited at their own addresses.
  public static func patch(_ section: Section, with patch: JSONValue) throws(InvalidDocument) -> Section {
    let list = JSONIssueList()
    guard case .object = patch else {
      list.add("", "wrongType", "A merge patch of a section is an object, not \(patch.kindName).")
      throw list.invalid
    }
    var bare = section
    bare.questions = []
    let merged = document { write(bare, to: &$0) }.merged(with: patch)
    guard var reader = JSONObjectReader(merged, at: "", issues: list) else { throw list.invalid }
    if patch["questions"] != nil {
      list.add("/questions", "notPatchable", "The questions of a section are edited at their own addresses.")
    }
    reader.ignore("questions")
    var after = KitFormReader(issues: list, ids: .unused).section(&reader, order: section.order, id: section.id)
    (after.revision, after.questions) = (section.revision, section.questions)
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return after
  }

  /// The question with a merge patch applied. A patched `options` or `criteria` replaces the whole list.
  public static func patch(
    _ question: Question, with patch: JSONValue, ids: ItemIDSource
  ) throws(InvalidDocument) -> Question {
    let list = JSONIssueList()
    guard case .object = patch else {
      list.add("", "wrongType", "A merge patch of a question is an object, not \(patch.kindName).")
      throw list.invalid
    }
    let merged = document { write(question, to: &$0) }.merged(with: patch)
    if let type = merged["type"], type != .string(question.type.rawValue) {
      list.add("/type", "typeChanged", "A question keeps its type: a changed meaning needs a new question.")
      throw list.invalid
    }
    guard var reader = JSONObjectReader(merged, at: "", issues: list) else { throw list.invalid }
    var after = KitFormReader(issues: list, ids: ids).question(&reader, order: question.order, id: question.id)
    after.revision = question.revision
    for name in ["sectionId", "after"] where patch[name] != nil {
      reader.ignore(name)
      reader.report(name, "notPatchable", "A question's place is changed by move.")
    }
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return after
  }
}

extension JSONIssueList {
  var invalid: InvalidDocument { InvalidDocument(issues: domainIssues()) }
}

extension ItemIDSource {
  /// For documents in which nothing gets a new ID.
  static var unused: ItemIDSource { ItemIDSource { preconditionFailure("this document makes no IDs") } }
}

extension OrderKey {
  /// The key of an item that has no siblings yet; whoever inserts it gives it another.
  static var only: OrderKey { .between(nil, nil) }
}
