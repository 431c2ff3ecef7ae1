// Evaluations, answers and their rows through the API.

import HTTP
import JSON
import Testing

@Suite struct AnswerAPITests {
  let phone = "profile=ios&width=375&scale=3"

  @Test func `answers stay with their questions when rows move`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"shortText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"}"#)
    try await harness.makeEvaluation()
    for (item, text) in [("q1", "one"), ("q2", "two")] {
      let reply = try await harness.send(.put, "/v1/evaluations/e/answers/\(item)", #"{"value":"\#(text)"}"#)
      #expect(reply.status == 201 && reply.tag == "\"1\"")
    }
    _ = try await harness.send(
      .post, "/v1/kits/kit/questions", #"{"id":"q0","type":"longText","text":"Zero?","after":null}"#)
    _ = try await harness.send(.delete, "/v1/kits/kit/questions/q1", fields: ["If-Match": "*"])
    let old = try await harness.send(.get, "/v1/evaluations/e?include=kit")
    #expect(old.int("kitRevision") == 1 && old.count("kit/sections/0/questions") == 2)
    #expect(old.string("answers/q1/value") == "one" && old.string("answers/q2/value") == "two")
    #expect(old.count("retired") == 0)
    try await harness.makeEvaluation("e2")
    let new = try await harness.send(.get, "/v1/evaluations/e2")
    #expect(new.int("kitRevision") == 3)
    #expect(try await harness.send(.get, "/v1/evaluations/e2/answers/q1").status == 404)
    let unanswered = try await harness.send(.get, "/v1/evaluations/e2/answers/q0")
    #expect(unanswered.status == 200 && unanswered["value"] == .null && unanswered.tag == "\"0\"")
  }

  @Test func `the second of two writers gets both values and loses nothing`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/answers/q1"
    #expect(try await harness.send(.put, path, #"{"value":"a"}"#, fields: ["If-Match": "\"0\""]).status == 201)
    #expect(try await harness.send(.put, path, #"{"value":"b"}"#).isProblem(428, "preconditionRequired"))
    #expect(try await harness.send(.put, path, #"{"value":"b"}"#, fields: ["If-Match": "\"1\""]).status == 200)
    let stale = try await harness.send(.put, path, #"{"value":"c"}"#, fields: ["If-Match": "\"1\""])
    #expect(stale.isProblem(412, "preconditionFailed"))
    #expect(stale.string("current/value") == "b" && stale.string("sent/value") == "c")
    #expect(try await harness.send(.put, path, #"{"value":"c"}"#, fields: ["If-Match": "*"]).tag == "\"3\"")
    let history = try await harness.send(.get, path + "/history")
    #expect(history.count("items") == 3)
    #expect(history.string("items/0/value") == "c" && history.string("items/2/value") == "a")
  }

  @Test func `absent stays, null clears, empty is a text`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/answers/q1"
    _ = try await harness.send(.put, path, #"{"value":"v","comment":"n"}"#)
    #expect(try await harness.send(.patch, path, "{}").string("comment") == "n")
    #expect(try await harness.send(.patch, path, #"{"comment":null}"#, fields: ["If-Match": "*"])["comment"] == .null)
    #expect(try await harness.send(.patch, path, #"{"comment":""}"#, fields: ["If-Match": "*"]).string("comment") == "")
    #expect(try await harness.send(.get, path).string("value") == "v")
    #expect(
      try await harness.send(.patch, path, #"{"note":1}"#, fields: ["If-Match": "*"]).errors == ["/note unknownMember"])
    #expect(try await harness.send(.delete, path, fields: ["If-Match": "*"]).status == 204)
    let cleared = try await harness.send(.get, path)
    #expect(cleared["value"] == .null && cleared.int("revision") == 4)
  }

  @Test func `a write with a viewport returns the rows that changed and no others`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"}"#)
    try await harness.makeEvaluation()
    let before = try await harness.send(.get, "/v1/evaluations/e/layout?\(phone)")
    let text = String(repeating: "many words that wrap ", count: 12)
    let long = try await harness.send(.put, "/v1/evaluations/e/answers/q2?\(phone)", #"{"value":"\#(text)"}"#)
    #expect(long.status == 201)
    #expect(long.count("layouts/0/changed") == 1 && long.string("layouts/0/changed/0/id") == "q2")
    #expect(long["layouts/0/heightChanged"] == .bool(true))
    let delta = try #require(long.double("layouts/0/changed/0/heightDelta"))
    let after = try await harness.send(.get, "/v1/evaluations/e/layout?\(phone)")
    let total = try #require(after.double("contentHeight"))
    #expect(delta > 0 && total == long.double("layouts/0/contentHeight"))
    #expect(abs(total - delta - (before.double("contentHeight") ?? 0)) < 1e-9)
    let same = try await harness.send(
      .put, "/v1/evaluations/e/answers/q2?\(phone)", #"{"value":"\#(text.dropLast())."}"#, fields: ["If-Match": "*"])
    #expect(same["layouts/0/heightChanged"] == .bool(false) && same.count("layouts/0/changed") == 0)
    let both = try await harness.send(
      .put, "/v1/evaluations/e/answers/q1?profile=ios&width=375,667", #"{"value":"short"}"#)
    #expect(both.count("layouts") == 2)
  }

  @Test func `a batch has a result for each operation, and a stale one fails alone`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"yesNo","text":"Two?"},"#
        + #"{"id":"q3","type":"number","text":"Three?"}"#)
    try await harness.makeEvaluation()
    _ = try await harness.send(.put, "/v1/evaluations/e/answers/q1", #"{"value":"a"}"#)
    let operations =
      #"{"operations":[{"operationId":"o1","itemId":"q1","value":"b","ifRevision":7},"#
      + #"{"operationId":"o2","itemId":"q2","value":true},{"operationId":"o3","itemId":"q3","value":"three"},"#
      + #"{"operationId":"o4","itemId":"q1","value":"c","ifRevision":1},{"operationId":"o5","itemId":"q9","value":1},"#
      + #"{"operationId":"o6","itemId":"q1","value":"d"}]}"#
    let reply = try await harness.send(.patch, "/v1/evaluations/e/answers?\(phone)", operations)
    #expect(reply.status == 200)
    let statuses = (0..<6).map { reply.int("results/\($0)/status") }
    #expect(statuses == [412, 201, 422, 200, 404, 428])
    #expect(reply.string("results/0/problem/code") == "preconditionFailed")
    #expect(reply.string("results/2/problem/errors/0/pointer") == "/operations/2/value")
    #expect(reply.string("results/3/answer/value") == "c")
    #expect(reply.count("layouts") == 1)
  }

  @Test func `numbers are exact or refused`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(questions: #"{"id":"n","type":"number","text":"N?"}"#)
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/answers/n"
    for (sent, read) in [("1000000000000000001", "1000000000000000001"), ("4.0", "4"), ("0.1", "0.1"), ("-0", "0")] {
      _ = try await harness.send(.put, path, #"{"value":\#(sent)}"#, fields: ["If-Match": "*"])
      let answer = try await harness.send(.get, path)
      #expect(answer.text.contains("\"value\":\(read),"), "\(sent): \(answer.text)")
    }
    for sent in ["1e400", "1.7976931348623157e308", "99999999999999999999"] {
      let reply = try await harness.send(.put, path, #"{"value":\#(sent)}"#, fields: ["If-Match": "*"])
      #expect(reply.status == 422, "\(sent): \(reply.text)")
    }
  }

  @Test func `the screen read is one document`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let screen = try await harness.send(.get, "/v1/evaluations/e?include=kit,layout&\(phone)")
    #expect(screen.string("id") == "e" && screen.string("kit/id") == "kit")
    #expect(screen.count("layouts/0/rows") == 2 && screen.string("layouts/0/rows/1/id") == "q1")
    let tag = try #require(screen.tag)
    let known = try await harness.send(
      .get, "/v1/evaluations/e?include=kit,layout&\(phone)", fields: ["If-None-Match": tag])
    #expect(known.status == 304)
  }

  @Test func `an archived kit takes no new evaluations`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    _ = try await harness.send(.patch, "/v1/kits/kit", #"{"status":"archived"}"#, fields: ["If-Match": "*"])
    let reply = try await harness.send(.post, "/v1/evaluations", #"{"kitId":"kit","candidate":{"id":"c"}}"#)
    #expect(reply.status == 409)
  }
}
