// What the writes of sections and questions share: the edit, its place, and the reply.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  func currentKit() throws(Problem) -> KitSnapshot {
    let id = try id("kitId")
    do { return try api.store.kit(id, for: caller) } catch { throw try missingKit(id, error) }
  }

  /// The kit at a revision.
  /// - Parameter parameter: of the query, where the revision comes from it.
  func kit(_ id: ItemID, revision: Int, parameter: String? = nil) throws(Problem) -> KitSnapshot {
    do { return try api.store.kit(id, revision: revision, for: caller) } catch {
      guard case .notFound = error else { throw problem(error) }
      let newest: Int
      do { newest = try api.store.kit(id, for: caller).kit.revision } catch { throw try missingKit(id, error) }
      let detail = "The kit '\(id)' has no revision \(revision); its newest is \(newest)."
      let issues = parameter.map { [queryIssue($0, "unknownRevision", detail)] } ?? []
      throw Problem(404, "notFound", detail, issues: issues)
    }
  }

  /// What is answered where a kit can't be read: that it is in the trash, where it is.
  private func missingKit(_ id: ItemID, _ error: StoreError) throws(Problem) -> Problem {
    guard case .notFound = error,
      try stored({ () throws(StoreError) in try api.store.isDeleted(kit: id, for: caller) })
    else { return problem(error) }
    return .notFound("The kit '\(id)' is deleted: POST /v1/kits/\(id)/restore brings it back.")
  }

  /// What is answered where an item is not in the kit: 410 when it was purged.
  func missing(_ kind: String) throws(Problem) -> Problem {
    let (kitID, itemID) = (try id("kitId"), try id("itemId"))
    let isPurged = try stored { () throws(StoreError) in
      try api.store.isPurged(itemID, ofKit: kitID, for: caller)
    }
    return isPurged ? problem(.gone) : .notFound("The kit has no \(kind) '\(itemID)'.")
  }

  /// Reads the body as a document.
  func decoded<Value>(_ decode: (JSONValue) throws(InvalidDocument) -> Value) throws(Problem) -> Value {
    let value = try json()
    do { return try decode(value) } catch { throw Problem(error) }
  }

  /// Runs an edit of one item under the rule of preconditions.
  func change(
    _ item: ItemID, precondition: Precondition,
    edit: @escaping @Sendable (KitSnapshot, Timestamp) throws(KitEditError) -> KitChange?
  ) async throws(Problem) -> KitWritten {
    let kitID = try id("kitId")
    let retry = try retryKey()
    return try await stored { () throws(StoreError) in
      try await api.store.changeKit(kitID, item: item, precondition: precondition, by: caller, retry: retry) {
        (snapshot, now) throws(StoreError) in
        try StoreError.edit { () throws(KitEditError) in try edit(snapshot, now) }
      }
    }
  }

  func deleteItem(_ exists: @escaping @Sendable (KitSnapshot, ItemID) -> Bool) async throws(Problem) -> Response {
    let id = try id("itemId")
    _ = try await change(id, precondition: try precondition()) { kit, now throws(KitEditError) in
      guard exists(kit, id) else { throw .notFound(id) }
      return try kit.kit.removing(id, now: now)
    }
    return Response(status: 204)
  }

  func restoreItem(_ id: ItemID, _ kind: TrashKind) async throws(Problem) -> KitWritten {
    let kitID = try self.id("kitId")
    let retry = try retryKey()
    return try await stored { () throws(StoreError) in
      try await api.store.restoreItem(id, kind, inKit: kitID, by: caller, retry: retry)
    }
  }

  /// A place is given to a new item, or again to one that is there.
  static let placeOfExisting = refusal(
    "/after", "placeOfExisting", "The item exists; its place is changed by POST …/move.")
  /// The tag of a section says nothing of its questions, so that replacing it can't replace them.
  static let questionsOfExisting = refusal(
    "/questions", "questionsOfExisting", "The section exists; its questions are edited at their own addresses.")

  private static func refusal(_ pointer: String, _ code: String, _ message: String) -> KitEditError {
    .invalid([Issue(pointer: pointer, code: code, message: message)])
  }

  // MARK: Replies

  func respond(_ written: KitWritten, section id: ItemID) throws(Problem) -> Response {
    let id = written.itemID ?? id
    guard let section = written.snapshot.section(id) else { throw .notFound("The kit has no section '\(id)'.") }
    return respond(section, outcome: written.outcome)
  }

  func respond(_ written: KitWritten, question id: ItemID) throws(Problem) -> Response {
    let id = written.itemID ?? id
    guard let (question, sectionID) = written.snapshot.question(id) else {
      throw .notFound("The kit has no question '\(id)'.")
    }
    return respond(question, in: sectionID, outcome: written.outcome)
  }

  func respond(_ section: Section, outcome: WriteOutcome = .unchanged) -> Response {
    let isNew = outcome == .created
    let location = isNew ? "/v1/kits/\(parameters["kitId"])/sections/\(section.id)" : nil
    return .json(isNew ? 201 : 200, tag: String(section.revision), location: location) {
      KitJSON.write(section, to: &$0)
    }
  }

  func respond(_ question: Question, in sectionID: ItemID, outcome: WriteOutcome = .unchanged) -> Response {
    let isNew = outcome == .created
    let location = isNew ? "/v1/kits/\(parameters["kitId"])/questions/\(question.id)" : nil
    return .json(isNew ? 201 : 200, tag: String(question.revision), location: location) {
      KitJSON.write(question, sectionID: sectionID, to: &$0)
    }
  }
}

extension KitEditError {
  /// Runs a reading of a document inside an edit.
  static func document<Value>(_ read: () throws(InvalidDocument) -> Value) throws(KitEditError) -> Value {
    do { return try read() } catch { throw .invalid(error.issues) }
  }
}

extension KitSnapshot {
  /// True when the ID is that of a section, a question or a criterion.
  func hasItem(_ id: ItemID) -> Bool { section(id) != nil || question(id) != nil || criterion(id) != nil }
}

extension Section {
  /// True when both hold the same questions in the same order, revisions aside.
  func hasSameQuestions(as other: Section) -> Bool {
    questions.count == other.questions.count
      && zip(questions, other.questions).allSatisfy { $0.hasSameContent(as: $1) }
  }
}

extension Array {
  /// The place of an element as a request names it: first, or after the one before.
  func place(of id: ItemID, _ key: KeyPath<Element, ItemID>) -> Place? {
    guard let row = firstIndex(where: { $0[keyPath: key] == id }) else { return nil }
    return row == 0 ? .first : .after(self[row - 1][keyPath: key])
  }
}
