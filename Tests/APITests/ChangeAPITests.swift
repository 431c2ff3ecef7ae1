// /v1/changes as a delta.

import HTTP
import JSON
import Testing

@Suite struct ChangeAPITests {
  @Test func `a screen's sequence is where its changes go on`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let screen = try await harness.send(.get, "/v1/evaluations/e?include=kit")
    let since = try #require(screen.string("sequence"))
    _ = try await harness.send(.put, "/v1/evaluations/e/answers/q1", #"{"value":"a secret"}"#)
    _ = try await harness.send(.delete, "/v1/kits/kit/questions/q1", fields: ["If-Match": "*"])
    let delta = try await harness.send(.get, "/v1/changes?since=\(since)")
    #expect(delta.status == 200 && delta.count("items") == 2 && delta["reset"] == .bool(false))
    #expect(delta.string("items/0/kind") == "answer.changed" && delta.int("items/0/sequence") == 3)
    #expect(delta.string("items/0/evaluationId") == "e" && delta.string("items/0/itemId") == "q1")
    #expect(delta.int("items/0/revision") == 1 && delta["items/0/deleted"] == .bool(false))
    #expect(delta.string("items/1/kind") == "question.deleted" && delta["items/1/deleted"] == .bool(true))
    #expect(!delta.text.contains("secret"))
    let next = try #require(delta.string("sequence"))
    #expect(try await harness.send(.get, "/v1/changes?since=\(next)").count("items") == 0)
    let filtered = try await harness.send(.get, "/v1/changes?since=\(since)&evaluation=e")
    #expect(filtered.count("items") == 1 && filtered.string("sequence") == next)
    let page = try await harness.send(.get, "/v1/changes?limit=3")
    let cursor = try #require(page.string("nextCursor"))
    #expect(try await harness.send(.get, "/v1/changes?limit=3&cursor=\(cursor)").count("items") == 1)
    #expect(try await harness.send(.get, "/v1/changes?limit=3&cursor=\(cursor)")["nextCursor"] == .null)
  }

  @Test func `a foreign cursor is answered with a reset, and what is none with 422`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    for cursor in ["other-1", "99"] {
      let reply = try await harness.send(.get, "/v1/changes?since=\(cursor)")
      #expect(reply.status == 200 && reply["reset"] == .bool(true) && reply.count("items") == 0)
      let next = try #require(reply.string("sequence"))
      #expect(try await harness.send(.get, "/v1/changes?since=\(next)")["reset"] == .bool(false))
    }
    #expect(try await harness.send(.get, "/v1/changes?since=x").errors == ["/query/since invalidCursor"])
    #expect(try await harness.send(.get, "/v1/changes?since=1&cursor=1").errors == ["/query/cursor invalidCursor"])
    #expect(try await harness.send(.get, "/v1/changes?kit=a%20b").errors == ["/query/kit invalidId"])
  }
}
