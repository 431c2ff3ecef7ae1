// Kits: list, create, read, replace, patch, delete, restore, and their old revisions.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  func listKits() async throws(Problem) -> Response {
    let kitQuery = KitQuery(
      text: query("q"), status: try queryWord("status", KitStatus.self), deleted: try flag("deleted"),
      limit: try pageLimit(), cursor: query("cursor"))
    let page = try stored { () throws(StoreError) in try api.store.kits(kitQuery, for: caller) }
    return .page(page) { summary, list in Self.write(summary, to: &list) }
  }

  func createKit() async throws(Problem) -> Response {
    let document = try kitDocument(id: nil)
    let retry = try retryKey()
    if try flag("dryRun") { return try await tryKit(document, precondition: nil) }
    let written = try await stored { () throws(StoreError) in
      try await api.store.createKit(document.kit, by: caller, retry: retry)
    }
    return report(201, KitInput(kit: written.snapshot.kit, report: document.report))
  }

  func readKit() async throws(Problem) -> Response {
    let snapshot = try currentKit()
    let id = snapshot.kit.id
    let response = represent(snapshot.kit)
    if response.isJSON {
      let subject = ResponseSubject.kit(id, account: account, revision: snapshot.kit.revision)
      api.remember(response, for: request.head, of: account, subject: subject)
    }
    return response.unlessKnown(to: request.head)
  }

  func readKitRevision() async throws(Problem) -> Response {
    let id = try id("kitId")
    let snapshot = try kit(id, revision: try number("revision"))
    return represent(snapshot.kit).unlessKnown(to: request.head)
  }

  func putKit() async throws(Problem) -> Response {
    let id = try newID("kitId")
    let document = try kitDocument(id: id)
    let (precondition, retry) = (try precondition(), try retryKey())
    if try flag("dryRun") { return try await tryKit(document, precondition: precondition) }
    let written = try await stored { () throws(StoreError) in
      try await api.store.putKit(document.kit, precondition: precondition, by: caller, retry: retry)
    }
    let status = written.outcome == .created ? 201 : 200
    return report(status, KitInput(kit: written.snapshot.kit, report: document.report))
  }

  func patchKit() async throws(Problem) -> Response {
    let id = try id("kitId")
    let patch = try json()
    let (ids, precondition) = (api.ids, try precondition())
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.changeKit(id, item: nil, precondition: precondition, by: caller, retry: retry) {
        (snapshot, now) throws(StoreError) in
        let patched = try StoreError.document { () throws(InvalidDocument) in
          try KitJSON.patch(snapshot.kit, with: patch, ids: ids)
        }
        return try StoreError.edit { () throws(KitEditError) in
          patched.replacesSections
            ? try snapshot.kit.replacing(with: patched.kit, now: now)
            : try snapshot.kit.updatingHeader(patched.kit, now: now)
        }
      }
    }
    return represent(written.snapshot.kit, offers: [.json])
  }

  func deleteKit() async throws(Problem) -> Response {
    let id = try id("kitId")
    let precondition = try precondition()
    let retry = try retryKey()
    _ = try await stored { () throws(StoreError) in
      try await api.store.deleteKit(id, precondition: precondition, by: caller, retry: retry)
    }
    return Response(status: 204)
  }

  func restoreKit() async throws(Problem) -> Response {
    let id = try id("kitId")
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.restoreKit(id, by: caller, retry: retry)
    }
    return represent(written.snapshot.kit, offers: [.json])
  }

  /// What the import would make; nothing is stored.
  private func tryKit(_ document: KitInput, precondition: Precondition?) async throws(Problem) -> Response {
    let tried = try await stored { () throws(StoreError) in
      try await api.store.tryKit(document.kit, precondition: precondition, by: caller)
    }
    return report(200, KitInput(kit: tried.snapshot.kit, report: document.report))
  }

  // MARK: Documents

  /// A kit as sent, with what the importer left out.
  struct KitInput {
    var kit: Kit
    var report: ImportReport
  }

  /// Reads the body as a kit, by its Content-Type.
  private func kitDocument(id: ItemID?) throws(Problem) -> KitInput {
    let type = request.head.fields["content-type"].flatMap { MediaType($0) } ?? .json
    let current = id.flatMap { try? api.store.kit($0, for: caller).kit }
    let defaults = ImportDefaults(
      title: query("title") ?? "Imported kit", language: query("language"), current: current)
    do throws(InvalidDocument) {
      if type.isSameKind(as: .markdown) {
        let (kit, report) = try KitMarkdown.decode(request.body, id: id, now: now, ids: api.ids, defaults: defaults)
        return KitInput(kit: kit, report: report)
      }
      if type.isSameKind(as: .csv) {
        let (kit, report) = try KitCSV.decode(request.body, id: id, now: now, ids: api.ids, defaults: defaults)
        return KitInput(kit: kit, report: report)
      }
    } catch {
      // Bytes that are no text can't be read at all; what can be read and is wrong is 422.
      if let issue = error.issues.first, ["invalidUTF8", "invalidUTF16"].contains(issue.code) {
        throw Problem(400, issue.code, issue.message, issues: error.issues)
      }
      throw Problem(error)
    }
    let value = try json()
    do throws(InvalidDocument) {
      let kit = try KitJSON.decodeKit(value, id: id, now: now, ids: api.ids)
      return KitInput(kit: kit, report: ImportReport(sections: kit.sections.count, questions: kit.questionCount))
    } catch { throw Problem(error) }
  }

  /// The kit with its `importReport`.
  private func report(_ status: Int, _ input: KitInput) -> Response {
    var kit = JSONWriter(capacity: 4_096)
    KitJSON.write(input.kit, to: &kit)
    var report = JSONWriter()
    input.report.write(to: &report)
    // The report is one more member of the kit's object.
    let body = kit.bytes.dropLast() + Array(",\"importReport\":".utf8) + report.bytes + [UInt8(ascii: "}")]
    var fields = [Field("Content-Type", MediaType.json.description), Field("ETag", "\"\(input.kit.revision)\"")]
    if status == 201 { fields.append(Field("Location", "/v1/kits/\(input.kit.id)")) }
    return Response(status: status, fields: fields, body: Array(body))
  }

  /// The kit as the client accepts it.
  private func represent(_ kit: Kit, offers: [MediaType] = [.json, .markdown, .csv]) -> Response {
    let type = AcceptList(accept: request.head.fields["accept"]).best(of: offers) ?? .json
    if type == .json {
      var response = Response.json(tag: String(kit.revision), capacity: 4_096) { KitJSON.write(kit, to: &$0) }
      response.fields.append(Field("Vary", "Accept"))
      return response
    }
    let (bytes, suffix) = type == .csv ? (KitCSV.encode(kit), "csv") : (KitMarkdown.encode(kit), "markdown")
    let fields = [
      Field("Content-Type", "\(type); charset=utf-8"), Field("ETag", "\"\(kit.revision)-\(suffix)\""),
      Field("Vary", "Accept"),
    ]
    return Response(status: 200, fields: fields, body: bytes)
  }

  private static func write(_ summary: KitSummary, to list: inout JSONWriter) {
    list.object { body in
      body.member("id", summary.id.string)
      body.member("title", summary.title.string)
      body.member("language", summary.language)
      body.member("status", summary.status.rawValue)
      body.member("revision", summary.revision)
      body.member("sectionCount", summary.sectionCount)
      body.member("questionCount", summary.questionCount)
      body.member("createdAt", summary.createdAt.rfc3339)
      body.member("updatedAt", summary.updatedAt.rfc3339)
      if let deletedAt = summary.deletedAt { body.member("deletedAt", deletedAt.rfc3339) }
    }
  }
}

extension Response {
  var isJSON: Bool { fields.contains { $0.name == "Content-Type" && $0.value == MediaType.json.description } }

  /// A page of a list.
  static func page<Item>(_ page: Page<Item>, _ write: (Item, inout JSONWriter) -> Void) -> Response {
    .json(capacity: 4_096) { writer in
      writer.object { body in
        body.member("items") { items in
          items.array { list in for item in page.items { write(item, &list) } }
        }
        body.member("nextCursor", page.nextCursor)
      }
    }
  }
}

extension StoreError {
  /// Runs a reading of a document inside a write.
  static func document<Value>(_ read: () throws(InvalidDocument) -> Value) throws(StoreError) -> Value {
    do { return try read() } catch { throw .invalid(error.issues) }
  }

  /// Runs a pure edit inside a write.
  static func edit<Value>(_ edit: () throws(KitEditError) -> Value) throws(StoreError) -> Value {
    do { return try edit() } catch { throw StoreError(error) }
  }
}
