// Exports of evaluations: one, or all of a kit's, as JSON, CSV and Markdown.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  static let exportOffers: [MediaType] = [.json, .csv, .markdown]

  /// The evaluation as CSV or Markdown where the client prefers that; nil for JSON.
  func exportedEvaluation(_ screen: Screen) throws(Problem) -> Response? {
    let type = AcceptList(accept: request.head.fields["accept"]).best(of: Self.exportOffers) ?? .json
    if type == .json { return nil }
    let export = try export(screen)
    let body =
      type == .csv ? EvaluationCSV.header + EvaluationCSV.records(of: export) : EvaluationMarkdown.encode(export)
    let suffix = type == .csv ? "csv" : "markdown"
    let fields = [
      Field("Content-Type", "\(type); charset=utf-8"), Field("Vary", "Accept"),
      Field("ETag", "\"\(screen.tag(of: screen.evaluation.summary.revision))-\(suffix)\""),
    ]
    return Response(status: 200, fields: fields, body: body)
  }

  /// All evaluations of a kit, with their answers, in one document that is made while it is sent.
  func exportEvaluations() async throws(Problem) -> Response {
    let id = try currentKit().kit.id
    let mark = request.head.mark
    let type = AcceptList(accept: request.head.fields["accept"]).best(of: Self.exportOffers) ?? .json
    let contentType = type == .json ? type.description : "\(type); charset=utf-8"
    let fields = [Field("Content-Type", contentType), Field("Vary", "Accept"), Field("Cache-Control", "no-store")]
    return Response(
      status: 200, fields: fields,
      stream: BodyStream { writer in
        var (cursor, isFirst): (String?, Bool) = (nil, true)
        if type == .json { try await writer.write(Array("{\"items\":[".utf8)) }
        if type == .csv { try await writer.write(EvaluationCSV.header) }
        repeat {
          let query = EvaluationQuery(kitID: id, limit: StoreLimits.largestPageItems, cursor: cursor)
          // A token that is revoked meanwhile breaks the document off.
          guard let caller = api.store.access.caller(mark, now: now) else { throw StreamEnded() }
          let page = try api.store.evaluations(query, for: caller)
          for summary in page.items {
            guard let screen = try screenIfThere(summary.id, caller) else { continue }
            try await writer.write(try piece(of: screen, as: type, isFirst: isFirst))
            isFirst = false
          }
          cursor = page.nextCursor
        } while cursor != nil
        if type == .json { try await writer.write(Array("]}".utf8)) }
      })
  }

  /// Nil when it was hidden or erased since its page was read: then it is not among what is exported any more.
  private func screenIfThere(_ id: ItemID, _ caller: Caller) throws(StoreError) -> Screen? {
    do { return try api.store.screen(id, for: caller) } catch {
      switch error {
      case .notFound, .gone: return nil
      default: throw error
      }
    }
  }

  private func piece(of screen: Screen, as type: MediaType, isFirst: Bool) throws(Problem) -> [UInt8] {
    if type == .csv { return EvaluationCSV.records(of: try export(screen)) }
    if type == .markdown {
      return Array((isFirst ? "" : "\n---\n\n").utf8) + EvaluationMarkdown.encode(try export(screen))
    }
    var writer = JSONWriter(capacity: 4_096)
    write(screen, to: &writer)
    return (isFirst ? [] : [UInt8(ascii: ",")]) + writer.bytes
  }

  /// With what is known of the questions that the evaluation's kit revision has no more.
  private func export(_ screen: Screen) throws(Problem) -> EvaluationExport {
    var retired: [ItemID: EvaluationExport.FormerItem] = [:]
    for id in Self.retired(screen) {
      let found = try stored { () throws(StoreError) in
        try api.store.formerItem(id, ofKit: screen.snapshot.kit.id, for: caller)
      }
      retired[id] = found.map { EvaluationExport.FormerItem(question: $0.question, criterion: $0.criterion) }
    }
    return EvaluationExport(evaluation: screen.evaluation, snapshot: screen.snapshot, retired: retired)
  }
}
