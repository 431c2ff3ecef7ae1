// The lifecycle of evaluations: submit, reopen, withdraw, and what happened when.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  /// `{ "ifRevision": n }` submits only what the client saw; without it, what is there.
  func submit() async throws(Problem) -> Response {
    var precondition = try precondition()
    if !request.body.isEmpty {
      let seen = try decoded { value throws(InvalidDocument) in try LifecycleJSON.decodeSubmission(value) }
      if let seen { precondition = .revisions([seen]) }
    }
    return try await take(.submit, precondition)
  }

  /// `{ "reason": "…" }`, which is kept in the evaluation's history.
  func reopen() async throws(Problem) -> Response {
    let reason = try decoded { value throws(InvalidDocument) in try LifecycleJSON.decodeReason(value) }
    return try await take(.reopen(reason: reason), try precondition())
  }

  func withdraw() async throws(Problem) -> Response { try await take(.withdraw, try precondition()) }

  private func take(_ step: EvaluationStep, _ precondition: Precondition) async throws(Problem) -> Response {
    let id = try id("evaluationId")
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.take(step, on: id, precondition: precondition, by: caller, retry: retry)
    }
    return respond(written)
  }

  func readEvaluationHistory() async throws(Problem) -> Response {
    let id = try id("evaluationId")
    let (limit, cursor) = (try pageLimit(), query("cursor"))
    let page = try stored { () throws(StoreError) in
      try api.store.evaluationEvents(id, limit: limit, cursor: cursor, for: caller)
    }
    return .page(page) { event, list in LifecycleJSON.write(event, to: &list) }
  }
}
