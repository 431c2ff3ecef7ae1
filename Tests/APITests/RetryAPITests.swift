// Idempotency-Key and operationId through the API.

import HTTP
import JSON
import Testing

@Suite struct RetryAPITests {
  static let key = ["Idempotency-Key": "k-1"]

  @Test func `a creation sent ten times at once is one record, and each reply is the first one's`() async throws {
    let harness = try APIHarness()
    let body = #"{"title":"K","sections":[{"title":"S","questions":[{"type":"yesNo","text":"Q?"}]}]}"#
    let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
      for _ in 0..<10 { group.addTask { try await harness.send(.post, "/v1/kits", body, fields: Self.key) } }
      return try await group.reduce(into: [Reply]()) { $0.append($1) }
    }
    #expect(Set(replies.map(\.text)).count == 1 && replies.allSatisfy { $0.status == 201 })
    #expect(try await harness.send(.get, "/v1/kits").count("items") == 1)
    let other = try await harness.send(.post, "/v1/kits", #"{"title":"Other"}"#, fields: Self.key)
    #expect(other.isProblem(422, "idempotencyKeyReused"))
    let elsewhere = try await harness.send(.put, "/v1/kits/x", body, fields: Self.key)
    #expect(elsewhere.isProblem(422, "idempotencyKeyReused"))
  }

  @Test func `the same document is the same request, in whatever order an encoder wrote its members`() async throws {
    let harness = try APIHarness()
    let first = try await harness.send(
      .post, "/v1/kits",
      #"{"title":"K","scales":[{"id":"a","title":"A","points":[{"id":"p","label":"P"},{"id":"r","label":"R"}]}]}"#,
      fields: Self.key)
    let again = try await harness.send(
      .post, "/v1/kits",
      #"{"scales": [{"points":[{"label":"P","id":"p"},{"label":"R","id":"r"}],"title":"A","id":"a"}], "title":"K"}"#,
      fields: Self.key)
    #expect(first.status == 201 && again.text == first.text, "\(again.text)")
    let other = try await harness.send(
      .post, "/v1/kits",
      #"{"scales":[{"points":[{"label":"P","id":"q"},{"label":"R","id":"r"}],"title":"A","id":"a"}],"title":"K"}"#,
      fields: Self.key)
    #expect(other.isProblem(422, "idempotencyKeyReused"))
  }

  @Test(arguments: ["", String(repeating: "k", count: 256), "k\u{E9}"])
  func `a key that is none is refused`(_ key: String) async throws {
    let harness = try APIHarness()
    let reply = try await harness.send(.post, "/v1/kits", #"{"title":"K"}"#, fields: ["Idempotency-Key": key])
    #expect(reply.isProblem(400, "invalidIdempotencyKey"), "\(reply.text)")
  }

  @Test func `each write sent again after its reply was lost gets its own outcome`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"}"#)
    let writes: [(HTTPMethod, String, String?, String?)] = [
      (.post, "/v1/evaluations", #"{"kitId":"kit","candidate":{"id":"c","name":"Kim"}}"#, nil),
      (.put, "/v1/evaluations/e", #"{"kitId":"kit","candidate":{"id":"c"}}"#, nil),
      (.post, "/v1/kits/kit/questions", #"{"type":"number","text":"How many?"}"#, nil),
      (.patch, "/v1/kits/kit", #"{"title":"Renamed"}"#, "\"2\""),
      (.patch, "/v1/kits/kit/questions/q1", #"{"text":"Once?"}"#, "\"1\""),
      (.post, "/v1/kits/kit/questions/q2/move", #"{"after":null}"#, "\"1\""),
      (.put, "/v1/evaluations/e/answers/q1", #"{"value":"a"}"#, "\"0\""),
      (.patch, "/v1/evaluations/e/answers/q1", #"{"comment":"c"}"#, "\"1\""),
      (.delete, "/v1/evaluations/e/answers/q1", nil, "\"2\""),
      (.patch, "/v1/evaluations/e", #"{"candidate":{"name":"Kim Min"}}"#, "\"4\""),
      (.post, "/v1/evaluations/e/submit", #"{"ifRevision":5}"#, nil),
      (.delete, "/v1/kits/kit/questions/q2", nil, "*"), (.post, "/v1/kits/kit/questions/q2/restore", nil, nil),
      (.delete, "/v1/kits/kit", nil, "*"), (.post, "/v1/kits/kit/restore", nil, nil),
      (.post, "/v1/evaluations/e/reopen", #"{"reason":"r"}"#, nil), (.post, "/v1/evaluations/e/withdraw", nil, nil),
    ]
    var sent: [Reply] = []
    for round in 0..<2 {
      for (number, (method, target, body, ifMatch)) in writes.enumerated() {
        var fields = ["Idempotency-Key": "key \(number)"]
        fields["If-Match"] = ifMatch
        let reply = try await harness.send(method, target, body, fields: fields)
        #expect(reply.status < 300, "\(method) \(target): \(reply.text)")
        if round == 0 {
          sent.append(reply)
        } else {
          let first = sent[number]
          #expect(reply.status == first.status && reply.tag == first.tag, "\(method) \(target)")
          #expect(reply.field("Location") == first.field("Location"), "\(method) \(target)")
          #expect(reply.string("id") == first.string("id") && reply.int("revision") == first.int("revision"))
          #expect(reply["value"] == first["value"] && reply["status"] == first["status"], "\(method) \(target)")
        }
      }
    }
    #expect(try await harness.send(.get, "/v1/evaluations").count("items") == 2)
    #expect(try await harness.send(.get, "/v1/evaluations/e/answers/q1/history").count("items") == 3)
  }

  @Test func `a named batch is written once, and tells its rows again`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"}"#)
    try await harness.makeEvaluation()
    let long = String(repeating: "many words that wrap ", count: 12)
    let path = "/v1/evaluations/e/answers?profile=ios&width=375&scale=3"
    func body(_ text: String) -> String {
      #"{"operations":[{"operationId":"o1","itemId":"q1","value":"\#(text)"},{"itemId":"q2","value":"b"}]}"#
    }
    let first = try await harness.send(.patch, path, body(long), fields: Self.key)
    #expect(first.int("results/0/status") == 201 && first["results/1/operationId"] == .null)
    #expect(first.string("layouts/0/changed/0/id") == "q1")
    let again = try await harness.send(.patch, path, body(long), fields: Self.key)
    #expect(again.text == first.text)
    let reused = try await harness.send(.patch, path, body("other"), fields: Self.key)
    #expect(reused.isProblem(422, "idempotencyKeyReused"))
    let unnamed = try await harness.send(.patch, path, body("other"))
    #expect(unnamed.string("results/0/problem/code") == "idempotencyKeyReused")
    let history = try await harness.send(.get, "/v1/evaluations/e/answers/q1/history")
    #expect(history.count("items") == 1)
  }
}
