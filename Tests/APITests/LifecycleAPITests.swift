// Submit, reopen and withdraw through the API.

import HTTP
import JSON
import Testing

@Suite struct LifecycleAPITests {
  @Test func `submitting lists all that is missing, and freezes what was said`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?","required":true},"#
        + #"{"id":"q2","type":"scorecard","text":"Two?","required":true,"scale":"fourPoint","#
        + #""criteria":[{"id":"c1","text":"A"},{"id":"c2","text":"B"}]}"#)
    try await harness.makeEvaluation()
    let early = try await harness.send(.post, "/v1/evaluations/e/submit")
    #expect(early.isProblem(422, "missingAnswers"))
    #expect(early.errors == ["/answers/q1 required", "/answers/c1 required", "/answers/c2 required"])
    #expect((0..<3).map { early.string("errors/\($0)/itemId") } == ["q1", "c1", "c2"])
    for (item, value) in [("q1", "x"), ("c1", "fourPoint.yes"), ("c2", "fourPoint.no")] {
      let reply = try await harness.send(.put, "/v1/evaluations/e/answers/\(item)", #"{"value":"\#(value)"}"#)
      #expect(reply.status == 201)
    }
    let stale = try await harness.send(.post, "/v1/evaluations/e/submit", #"{"ifRevision":1}"#)
    #expect(stale.isProblem(412, "preconditionFailed") && stale.int("current/revision") == 4)
    let submitted = try await harness.send(.post, "/v1/evaluations/e/submit", #"{"ifRevision":4}"#)
    #expect(submitted.status == 200 && submitted.string("status") == "submitted" && submitted.tag == "\"5\"")
    #expect(submitted.string("submittedAt") != nil && submitted.int("progress/missing") == 0)
    let again = try await harness.send(.post, "/v1/evaluations/e/submit")
    #expect(again.status == 200 && again.text == submitted.text)
    let writes: [(HTTPMethod, String, String)] = [
      (.put, "/answers/q1", #"{"value":"late"}"#), (.patch, "/answers/q1", #"{"value":"late"}"#),
      (.patch, "/answers", #"{"operations":[{"itemId":"q1","value":"late","ifRevision":1}]}"#),
      (.patch, "", #"{"candidate":{"name":"Other"}}"#),
    ]
    for (method, path, body) in writes {
      // In a batch each operation says itself what it saw.
      let fields = path == "/answers" ? [:] : ["If-Match": "*"]
      let reply = try await harness.send(method, "/v1/evaluations/e\(path)", body, fields: fields)
      #expect(reply.isProblem(409, "evaluationNotDraft"), "\(method) \(path): \(reply.text)")
    }
    let listed = try await harness.send(.get, "/v1/evaluations?status=submitted")
    #expect(listed.count("items") == 1)
  }

  @Test func `reopening needs a reason, which the history keeps`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    _ = try await harness.send(.post, "/v1/evaluations/e/submit", "{}")
    let path = "/v1/evaluations/e/reopen"
    #expect(try await harness.send(.post, path, "{}").errors == ["/reason missingMember"])
    #expect(try await harness.send(.post, path, #"{"reason":"\u2003"}"#).errors == ["/reason blank"])
    #expect(try await harness.send(.post, path, #"{"reason":"r","why":1}"#).errors == ["/why unknownMember"])
    let reopened = try await harness.send(.post, path, #"{"reason":"A slip"}"#)
    #expect(reopened.string("status") == "draft" && reopened["submittedAt"] == .null)
    #expect(try await harness.send(.put, "/v1/evaluations/e/answers/q1", #"{"value":"now"}"#).status == 201)
    let withdrawn = try await harness.send(.post, "/v1/evaluations/e/withdraw")
    #expect(withdrawn.string("status") == "withdrawn")
    #expect(try await harness.send(.post, "/v1/evaluations/e/submit").isProblem(409, "evaluationNotDraft"))
    let history = try await harness.send(.get, "/v1/evaluations/e/history?limit=3")
    #expect((0..<3).map { history.string("items/\($0)/kind") } == ["withdrawn", "reopened", "submitted"])
    #expect(history.string("items/1/reason") == "A slip" && history.string("nextCursor") == "2")
    #expect(try await harness.send(.post, "/v1/evaluations/none/submit").isProblem(404, "notFound"))
  }
}
