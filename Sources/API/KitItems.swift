// Sections and questions of a kit: list, create, read, replace, patch, delete, restore, move.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  // MARK: Lists

  func listSections() async throws(Problem) -> Response {
    if try flag("deleted") { return try listDeleted { if case .section = $0.kind { true } else { false } } }
    let kit = try currentKit().kit
    let limit = try pageLimit()
    let rest = try afterCursor(kit.sections, keys: 1) { $0.order.digits }
    let page = Page(
      items: Array(rest.prefix(limit)),
      nextCursor: rest.count > limit ? rest[rest.startIndex + limit - 1].order.digits : nil)
    return .page(page) { section, list in KitJSON.write(section, to: &list) }
  }

  func listQuestions() async throws(Problem) -> Response {
    if try flag("deleted") { return try listDeleted { if case .question = $0.kind { true } else { false } } }
    let kit = try currentKit().kit
    let limit = try pageLimit()
    let all = kit.sections.flatMap { section in section.questions.map { (section: section, question: $0) } }
    let cursor = { (row: (section: Section, question: Question)) in "\(row.section.order).\(row.question.order)" }
    let rest = try afterCursor(all, keys: 2, cursor)
    let page = Page(
      items: Array(rest.prefix(limit)), nextCursor: rest.count > limit ? cursor(rest[rest.startIndex + limit - 1]) : nil
    )
    return .page(page) { row, list in KitJSON.write(row.question, sectionID: row.section.id, to: &list) }
  }

  /// What follows the cursor, which is the order key of the last item sent: stable under inserts and deletes.
  private func afterCursor<Item>(_ items: [Item], keys: Int, _ key: (Item) -> String) throws(Problem) -> ArraySlice<
    Item
  > {
    guard let cursor = query("cursor") else { return items[...] }
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map { OrderKey(String($0)) }
    guard parts.count == keys, !parts.contains(nil) else {
      throw .invalid([queryIssue("cursor", "invalidCursor", "This cursor was not made by this list.")])
    }
    let wanted = parts.compactMap(\.self)
    let start = items.firstIndex { item in
      let own = key(item).split(separator: ".").compactMap { OrderKey(String($0)) }
      return wanted.lexicographicallyPrecedes(own)
    }
    return items[(start ?? items.endIndex)...]
  }

  private func listDeleted(_ isWanted: (DeletedItem) -> Bool) throws(Problem) -> Response {
    let id = try id("kitId")
    let limit = try pageLimit()
    let cursor = try queryID("cursor")
    let all = try stored { () throws(StoreError) in try api.store.deletedItems(of: id, for: caller) }
    // The cursor is the last ID sent; one that has been restored since is simply not there any more.
    let rest = all.filter { item in isWanted(item) && cursor.map { $0 < item.id } ?? true }.sorted { $0.id < $1.id }
    let page = Page(
      items: Array(rest.prefix(limit)), nextCursor: rest.count > limit ? rest[limit - 1].id.string : nil)
    return .page(page) { item, list in
      list.object { body in
        body.member("id", item.id.string)
        body.member("deletedAt", item.deletedAt.rfc3339)
        body.member("deletedRevision", item.deletedRevision)
        switch item.kind {
        case .section(let section): body.member("section") { KitJSON.write(section, to: &$0) }
        case .question(let question, let sectionID):
          body.member("question") { KitJSON.write(question, sectionID: sectionID, to: &$0) }
        }
      }
    }
  }

  // MARK: Sections

  func readSection() async throws(Problem) -> Response {
    let section = try currentKit().section(try id("itemId"))
    guard let section else { throw try missing("section") }
    return respond(section).unlessKnown(to: request.head)
  }

  func createSection() async throws(Problem) -> Response {
    let input = try decoded { value throws(InvalidDocument) in try KitJSON.decodeSection(value, id: nil, ids: api.ids) }
    return try await write(input, precondition: nil)
  }

  func putSection() async throws(Problem) -> Response {
    let id = try newID("itemId")
    let input = try decoded { value throws(InvalidDocument) in try KitJSON.decodeSection(value, id: id, ids: api.ids) }
    return try await write(input, precondition: try precondition())
  }

  /// - Parameter precondition: nil for what must be new.
  private func write(
    _ input: (section: Section, place: Place), precondition: Precondition?
  ) async throws(Problem) -> Response {
    let section = input.section
    let body = try json()
    let (namesPlace, namesQuestions) = (body["after"] != nil, body["questions"] != nil)
    let written = try await change(section.id, precondition: precondition ?? .none) { kit, now throws(KitEditError) in
      guard let current = kit.section(section.id) else {
        if kit.hasItem(section.id) { throw .idTaken(section.id) }
        return try kit.kit.inserting(section, at: input.place, now: now)
      }
      if precondition == nil { throw .idTaken(section.id) }
      let isThere = kit.kit.sections.place(of: section.id, \.id)
      if namesPlace, isThere != input.place { throw Self.placeOfExisting }
      if namesQuestions, !current.hasSameQuestions(as: section) { throw Self.questionsOfExisting }
      return try kit.kit.updating(section, now: now)
    }
    return try respond(written, section: section.id)
  }

  func patchSection() async throws(Problem) -> Response {
    let (id, patch) = (try id("itemId"), try json())
    let written = try await change(id, precondition: try precondition()) { kit, now throws(KitEditError) in
      guard let section = kit.section(id) else { throw .notFound(id) }
      return try kit.kit.updating(
        try KitEditError.document { () throws(InvalidDocument) in
          try KitJSON.patch(section, with: patch)
        }, now: now)
    }
    return try respond(written, section: id)
  }

  func deleteSection() async throws(Problem) -> Response { try await deleteItem { $0.section($1) != nil } }

  func restoreSection() async throws(Problem) -> Response {
    let id = try id("itemId")
    return try respond(try await restoreItem(id, .section), section: id)
  }

  func moveSection() async throws(Problem) -> Response {
    let id = try id("itemId")
    let move = try decoded { value throws(InvalidDocument) in try KitJSON.decodeMove(value) }
    if move.sectionID != nil { throw .invalid("/sectionId", "unknownMember", "A section is in no other section.") }
    let written = try await change(id, precondition: try precondition()) { kit, now throws(KitEditError) in
      try kit.kit.movingSection(id, to: move.place, now: now)
    }
    return try respond(written, section: id)
  }

  // MARK: Questions

  func readQuestion() async throws(Problem) -> Response {
    let found = try currentKit().question(try id("itemId"))
    guard let found else { throw try missing("question") }
    return respond(found.question, in: found.sectionID).unlessKnown(to: request.head)
  }

  func createQuestion() async throws(Problem) -> Response {
    let input = try decoded { value throws(InvalidDocument) in try KitJSON.decodeQuestion(value, id: nil, ids: api.ids)
    }
    return try await write(input, precondition: nil)
  }

  func putQuestion() async throws(Problem) -> Response {
    let id = try newID("itemId")
    let input = try decoded { value throws(InvalidDocument) in try KitJSON.decodeQuestion(value, id: id, ids: api.ids) }
    return try await write(input, precondition: try precondition())
  }

  /// - Parameter precondition: nil for what must be new.
  private func write(
    _ input: (question: Question, sectionID: ItemID?, place: Place), precondition: Precondition?
  ) async throws(Problem) -> Response {
    let question = input.question
    let namesPlace = try json()["after"] != nil
    let written = try await change(question.id, precondition: precondition ?? .none) { kit, now throws(KitEditError) in
      guard let (_, sectionID) = kit.question(question.id) else {
        if kit.hasItem(question.id) { throw .idTaken(question.id) }
        return try kit.kit.inserting(question, in: input.sectionID, at: input.place, now: now)
      }
      if precondition == nil { throw .idTaken(question.id) }
      let isThere = kit.section(sectionID)?.questions.place(of: question.id, \.id)
      if (input.sectionID ?? sectionID) != sectionID || (namesPlace && isThere != input.place) {
        throw Self.placeOfExisting
      }
      return try kit.kit.updating(question, now: now)
    }
    return try respond(written, question: question.id)
  }

  func patchQuestion() async throws(Problem) -> Response {
    let (id, patch, ids) = (try id("itemId"), try json(), api.ids)
    let written = try await change(id, precondition: try precondition()) { kit, now throws(KitEditError) in
      guard let (question, _) = kit.question(id) else { throw .notFound(id) }
      return try kit.kit.updating(
        try KitEditError.document { () throws(InvalidDocument) in
          try KitJSON.patch(question, with: patch, ids: ids)
        }, now: now)
    }
    return try respond(written, question: id)
  }

  func deleteQuestion() async throws(Problem) -> Response { try await deleteItem { $0.question($1) != nil } }

  func restoreQuestion() async throws(Problem) -> Response {
    let id = try id("itemId")
    return try respond(try await restoreItem(id, .question), question: id)
  }

  func moveQuestion() async throws(Problem) -> Response {
    let id = try id("itemId")
    let move = try decoded { value throws(InvalidDocument) in try KitJSON.decodeMove(value) }
    let written = try await change(id, precondition: try precondition()) { kit, now throws(KitEditError) in
      try kit.kit.movingQuestion(id, to: move.sectionID, at: move.place, now: now)
    }
    return try respond(written, question: id)
  }
}
