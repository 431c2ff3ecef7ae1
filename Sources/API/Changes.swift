// The change feed: what happened since a cursor.

import HTTP
import InterviewKits
import JSON
import Store

extension Call {
  /// `since` (or `cursor`) is the `sequence` of an evaluation, or of the last reply; `nextCursor` says that there is more.
  func readChanges() async throws(Problem) -> Response {
    let (filter, since, limit) = (try feedFilter(), try feedCursor(), try pageLimit())
    let offers: [MediaType] = [.json, .eventStream]
    if AcceptList(accept: request.head.fields["accept"]).best(of: offers) == .eventStream {
      return try streamChanges(after: try lastEventID() ?? since)
    }
    var layouts = try changeLayouts()
    let page = try stored { () throws(StoreError) in
      let page = try api.store.feed(after: since, filter: filter, limit: limit, for: caller)
      try layouts.read(page.changes, for: caller)
      return page
    }
    var response = Response.json(capacity: 4_096) { writer in
      writer.object { body in
        body.member("items") { list in
          list.array { list in for change in page.changes { layouts.write(change, to: &list) } }
        }
        body.member("nextCursor", page.hasMore ? page.cursor.description : nil)
        body.member("sequence", page.cursor.description)
        body.member("reset", page.isReset)
      }
    }
    response.fields.append(Field("Cache-Control", "no-store"))
    return response
  }

  func feedFilter() throws(Problem) -> FeedFilter {
    FeedFilter(kitID: try queryID("kit"), evaluationID: try queryID("evaluation"))
  }

  private func feedCursor() throws(Problem) -> FeedCursor? {
    if query("since") != nil, query("cursor") != nil {
      throw .invalid([queryIssue("cursor", "invalidCursor", "since and cursor are the same: give one of them.")])
    }
    guard let text = query("since") ?? query("cursor") else { return nil }
    guard let cursor = FeedCursor(text) else {
      let name = query("since") == nil ? "cursor" : "since"
      throw .invalid([queryIssue(name, "invalidCursor", "'\(text)' is no position of the change feed.")])
    }
    return cursor
  }

  static func write(_ change: Change, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }) {
    writer.object { body in
      body.member("sequence", change.sequence)
      body.member("kind", change.kind.rawValue)
      body.member("kitId", change.kitID?.string)
      body.member("evaluationId", change.evaluationID?.string)
      body.member("itemId", change.itemID?.string)
      body.member("revision", change.revision)
      body.member("deleted", change.deleted)
      body.member("at", change.at.rfc3339)
      if let candidate = change.candidateID { body.member("candidateId", candidate.string) }
      more(&body)
    }
  }
}
