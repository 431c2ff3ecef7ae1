// Revisions of kits: what differs between two, copies, and evaluations that move from one to another.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  // MARK: Diff

  /// `?from=m&to=n`; `to` is the newest unless given.
  func readKitDiff() async throws(Problem) -> Response {
    let current = try currentKit()
    guard let from = try revision("from") else {
      throw .invalid([queryIssue("from", "missingParameter", "Say from which revision.")])
    }
    let to = try revision("to") ?? current.kit.revision
    let id = current.kit.id
    let old = try kit(id, revision: from, parameter: "from")
    let new = try kit(id, revision: to, parameter: "to")
    let diff = KitDiff(from: old.kit, to: new.kit)
    let response = Response.json(tag: "\(from)-\(to)", capacity: 4_096) { writer in
      KitJSON.write(diff, kitID: id, from: from, to: to, to: &writer)
    }
    return response.unlessKnown(to: request.head)
  }

  /// A revision in the query.
  private func revision(_ name: String) throws(Problem) -> Int? {
    guard let text = query(name) else { return nil }
    guard let revision = Int(digits: text), revision > 0 else {
      throw .invalid([queryIssue(name, "invalidParameter", "\(name) is a revision, 1 or more, not '\(text)'.")])
    }
    return revision
  }

  // MARK: Copies

  /// `{ "id", "title" }`, or nothing; answers the copy with `idMap`, from each old ID to the new one.
  func copyKit() async throws(Problem) -> Response {
    let source = try id("kitId")
    var wanted = CopyForm()
    if !request.body.isEmpty { wanted = try decoded { value throws(InvalidDocument) in try KitJSON.decodeCopy(value) } }
    let (id, title, ids) = (wanted.id ?? api.ids.next(), wanted.title, api.ids)
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.copyKit(source, to: id, title: title, ids: ids, by: caller, retry: retry)
    }
    let copy = written.snapshot.kit
    let map = written.source?.kit.idMap(to: copy) ?? []
    return .json(201, tag: String(copy.revision), location: "/v1/kits/\(copy.id)", capacity: 4_096) { writer in
      KitJSON.write(copy, to: &writer) { body in body.member("idMap") { Self.write(map, to: &$0) } }
    }
  }

  /// A copy of a question right after it, with `idMap`.
  func copyQuestion() async throws(Problem) -> Response {
    let (kitID, source, new, ids) = (try id("kitId"), try id("itemId"), api.ids.next(), api.ids)
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.changeKit(kitID, item: new, precondition: .none, by: caller, retry: retry) {
        (snapshot, now) throws(StoreError) in
        guard let (question, sectionID) = snapshot.question(source) else { throw .notFound }
        let copy = question.copy(id: new, ids: ids)
        return try StoreError.edit { () throws(KitEditError) in
          try snapshot.kit.inserting(copy, in: sectionID, at: .after(source), now: now)
        }
      }
    }
    let id = written.itemID ?? new
    guard let (copy, sectionID) = written.snapshot.question(id), let (original, _) = written.snapshot.question(source)
    else { throw .notFound("The kit has no question '\(id)'.") }
    let location = "/v1/kits/\(kitID)/questions/\(id)"
    return .json(201, tag: String(copy.revision), location: location) { writer in
      KitJSON.write(copy, sectionID: sectionID, to: &writer) { body in
        body.member("idMap") { Self.write(original.idMap(to: copy), to: &$0) }
      }
    }
  }

  private static func write(_ map: [(old: ItemID, new: ItemID)], to writer: inout JSONWriter) {
    writer.object { writer in
      for (old, new) in map {
        writer.name(old.string)
        writer.string(new.string)
      }
    }
  }

  // MARK: Moving an evaluation

  /// `{ "kitRevision": n }`; with `?dryRun=true` only what it would do.
  func putKitRevision() async throws(Problem) -> Response {
    let id = try id("evaluationId")
    let revision = try decoded { value throws(InvalidDocument) in try EvaluationJSON.decodeKitRevision(value) }
    let (precondition, retry) = (try precondition(), try retryKey())
    if try flag("dryRun") { return try tryKitRevision(revision) }
    let written = try await stored { () throws(StoreError) in
      try await api.store.changeEvaluation(id, precondition: precondition, by: caller, retry: retry) {
        (evaluation, _, _) throws(StoreError) in
        var summary = evaluation.summary
        summary.kitRevision = revision
        return summary
      }
    }
    return respond(written)
  }

  private func tryKitRevision(_ revision: Int) throws(Problem) -> Response {
    let screen = try screen()
    let summary = screen.evaluation.summary
    guard summary.status == .draft || summary.kitRevision == revision else { throw problem(.frozen(summary.status)) }
    let new = try stored { () throws(StoreError) in
      try api.store.evaluationKit(summary.kitID, revision: revision, for: caller)
    }
    let move = KitMove(of: screen.evaluation.answers, from: screen.snapshot, to: new)
    return .json(tag: String(summary.revision)) { writer in
      EvaluationJSON.write(move, evaluationID: summary.id, from: summary.kitRevision, to: revision, to: &writer)
    }
  }
}
