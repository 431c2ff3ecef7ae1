// Evaluations: list, create, read (with kit and layout as one screen), patch.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import RowLayout
import Store

extension Call {
  func listEvaluations() async throws(Problem) -> Response {
    let member = query("interviewer") == "me" ? caller.memberID : try queryID("interviewer")
    let evaluationQuery = EvaluationQuery(
      kitID: try queryID("kit"), candidateID: try queryID("candidate"), interviewerID: member,
      status: try queryWord("status", EvaluationStatus.self), limit: try pageLimit(), cursor: query("cursor"))
    let page = try stored { () throws(StoreError) in try api.store.evaluations(evaluationQuery, for: caller) }
    return .page(page) { summary, list in EvaluationJSON.write(summary, to: &list) }
  }

  func createEvaluation() async throws(Problem) -> Response {
    try await create(id: nil, precondition: nil)
  }

  func putEvaluation() async throws(Problem) -> Response {
    try await create(id: try newID("evaluationId"), precondition: try precondition())
  }

  /// - Parameter precondition: nil for what must be new.
  private func create(id: ItemID?, precondition: Precondition?) async throws(Problem) -> Response {
    let form = try decoded { value throws(InvalidDocument) in try EvaluationJSON.decode(value, id: id) }
    let draft = EvaluationDraft(
      id: form.id ?? api.ids.next(), kitID: form.kitID, kitRevision: form.kitRevision, candidate: form.candidate,
      interviewer: form.interviewer ?? Person(id: caller.memberID))
    let retry = try retryKey()
    let written: EvaluationWritten
    do {
      written = try await api.store.createEvaluation(
        draft, precondition: precondition ?? .none, by: caller, retry: retry)
    } catch {
      if case .notFound = error {
        // Only what the same request made before can be out of sight.
        throw .notFound("The evaluation that this request made is not yours any more.")
      }
      throw problem(error)
    }
    if precondition == nil, written.outcome != .created { throw problem(.idTaken(draft.id)) }
    return respond(written)
  }

  func patchEvaluation() async throws(Problem) -> Response {
    let (id, patch) = (try id("evaluationId"), try json())
    let precondition = try precondition()
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.changeEvaluation(id, precondition: precondition, by: caller, retry: retry) {
        (evaluation, _, _) throws(StoreError) in
        try StoreError.document { () throws(InvalidDocument) in
          try EvaluationJSON.patch(evaluation.summary, with: patch)
        }
      }
    }
    return respond(written)
  }

  func respond(_ written: EvaluationWritten) -> Response {
    let isNew = written.outcome == .created
    let screen = Screen(
      evaluation: written.evaluation, snapshot: written.snapshot, sequence: written.sequence)
    let location = isNew ? "/v1/evaluations/\(written.evaluation.summary.id)" : nil
    let tag = String(written.evaluation.summary.revision)
    return .json(isNew ? 201 : 200, tag: tag, location: location) { write(screen, to: &$0) }
  }

  /// One evaluation; `include=kit,layout` makes it the whole screen, from one consistent snapshot.
  func readEvaluation() async throws(Problem) -> Response {
    let screen = try screen()
    let includes = try included()
    if let export = try exportedEvaluation(screen) { return export.unlessKnown(to: request.head) }
    let parts = try flag("parts")
    let summary = screen.evaluation.summary
    var tag = [screen.tag(of: summary.revision)] + includes.sorted()
    var layouts: [[UInt8]] = []
    if includes.contains("layout") || ViewportQuery.isPresent(in: request.head.query) {
      let viewports = try viewports(for: screen.snapshot.kit)
      // A viewport without the layout is checked all the same.
      if includes.contains("layout") {
        remember(viewports, of: summary.kitID, evaluation: summary.id)
        let layout = LayoutSubject(
          account: account, kit: screen.snapshot, evaluation: screen.evaluation, isRedacted: screen.isRedacted)
        layouts = viewports.map { api.layouts.document(of: layout, viewport: $0, parts: parts) }
        tag += viewports.map { api.layouts.fingerprint(of: $0) }
      }
      tag += parts ? ["parts"] : []
    }
    let response = Response.json(tag: tag.joined(separator: "-"), capacity: 16_384) { writer in
      write(screen, to: &writer) { body in
        if includes.contains("kit") { body.member("kit") { KitJSON.write(screen.snapshot.kit, to: &$0) } }
        if includes.contains("layout") {
          body.member("layouts") { list in
            list.array { list in
              for layout in layouts { list.raw(layout) }
            }
          }
        }
      }
    }
    return response.unlessKnown(to: request.head)
  }

  func write(
    _ screen: Screen, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }
  ) {
    let sequence = FeedCursor(epoch: api.store.epoch, sequence: screen.sequence).description
    EvaluationJSON.write(
      screen.evaluation, retired: Self.retired(screen), sequence: sequence, to: &writer, more: more)
  }

  /// The items that have an answer and are not in the kit revision any more.
  static func retired(_ screen: Screen) -> [ItemID] {
    screen.evaluation.answers.filter { !$0.content.isEmpty && screen.snapshot.answerTarget($0.itemID) == nil }
      .map(\.itemID).sorted()
  }

  private func included() throws(Problem) -> Set<String> {
    guard let text = query("include") else { return [] }
    let words = Set(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    let unknown = words.subtracting(["kit", "layout"]).sorted()
    guard unknown.isEmpty else {
      let message = "include takes kit and layout, separated by a comma, not '\(unknown.joined(separator: ", "))'."
      throw .invalid([queryIssue("include", "invalidParameter", message)])
    }
    return words
  }

  func screen() throws(Problem) -> Screen {
    let id = try id("evaluationId")
    return try stored { () throws(StoreError) in try api.store.screen(id, for: caller) }
  }
}
