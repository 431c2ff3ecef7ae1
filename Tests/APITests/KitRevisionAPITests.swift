// Diffs, copies and evaluations that move between revisions, through the API.

import HTTP
import JSON
import Testing

@Suite struct KitRevisionAPITests {
  static let star = ["If-Match": "*"]

  @Test func `a diff names what was added, removed, moved and reworded between two revisions`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"},"#
        + #"{"id":"q3","type":"singleSelect","text":"Three?","options":[{"id":"o1","text":"A"}]}"#)
    let steps: [(HTTPMethod, String, String?)] = [
      (.patch, "/questions/q1", #"{"text":"Once?"}"#), (.delete, "/questions/q2", nil),
      (.post, "/questions/q3/move", #"{"after":null}"#),
      (.patch, "/questions/q3", #"{"options":[{"id":"o1","text":"B"},{"id":"o2","text":"C"}]}"#),
    ]
    for (method, path, body) in steps {
      let reply = try await harness.send(method, "/v1/kits/kit\(path)", body, fields: Self.star)
      #expect(reply.status < 300, "\(reply.text)")
    }
    let diff = try await harness.send(.get, "/v1/kits/kit/diff?from=1&to=5")
    #expect(diff.status == 200 && diff.int("from") == 1 && diff.int("to") == 5)
    #expect(diff.count("added") == 1 && diff.string("added/0/id") == "o2" && diff.string("added/0/ownerId") == "q3")
    #expect(diff.count("removed") == 1 && diff.string("removed/0/id") == "q2")
    #expect(diff.count("moved") == 1 && diff.string("moved/0/kind") == "question")
    #expect(diff.string("reworded/0/from") == "A" && diff.string("reworded/1/to") == "Once?")
    #expect(diff.count("retyped") == 0 && diff.count("kit") == 0)
    #expect(try await harness.send(.get, "/v1/kits/kit/diff?from=1").int("to") == 5)
    let known = try await harness.send(
      .get, "/v1/kits/kit/diff?from=1&to=5", fields: ["If-None-Match": try #require(diff.tag)])
    #expect(known.status == 304)
    #expect(try await harness.send(.get, "/v1/kits/kit/diff?to=2").errors == ["/query/from missingParameter"])
    #expect(try await harness.send(.get, "/v1/kits/kit/diff?from=x").errors == ["/query/from invalidParameter"])
    #expect(try await harness.send(.get, "/v1/kits/kit/diff?from=9").isProblem(404, "notFound"))
  }

  @Test func `an evaluation moves only when it is told, keeps its answers, and says before what would retire`()
    async throws
  {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"},"#
        + #"{"id":"q3","type":"singleSelect","text":"Three?","options":[{"id":"o1","text":"A"},{"id":"o2","text":"B"}]}"#
    )
    try await harness.makeEvaluation()
    for (item, value) in [("q1", "one"), ("q2", "two"), ("q3", "o2")] {
      _ = try await harness.send(.put, "/v1/evaluations/e/answers/\(item)", #"{"value":"\#(value)"}"#)
    }
    _ = try await harness.send(.delete, "/v1/kits/kit/questions/q2", fields: Self.star)
    _ = try await harness.send(
      .patch, "/v1/kits/kit/questions/q3", #"{"options":[{"id":"o1","text":"A"}]}"#, fields: Self.star)
    let path = "/v1/evaluations/e/kitRevision"
    let tried = try await harness.send(.put, path + "?dryRun=true", #"{"kitRevision":3}"#)
    #expect(tried.status == 200 && tried.string("retired/0") == "q2" && tried.count("retired") == 1)
    #expect(tried.count("restored") == 0 && tried.string("unfitting/0") == "q3")
    #expect(try await harness.send(.get, "/v1/evaluations/e").int("kitRevision") == 1)
    #expect(try await harness.send(.put, path, #"{"kitRevision":3}"#).isProblem(428, "preconditionRequired"))
    let stale = try await harness.send(.put, path, #"{"kitRevision":3}"#, fields: ["If-Match": "\"1\""])
    #expect(stale.isProblem(412, "preconditionFailed"))
    let moved = try await harness.send(.put, path, #"{"kitRevision":3}"#, fields: ["If-Match": "\"4\""])
    #expect(moved.status == 200 && moved.int("kitRevision") == 3 && moved.string("retired/0") == "q2")
    let late = try await harness.send(.put, "/v1/evaluations/e/answers/q2", #"{"value":"late"}"#, fields: Self.star)
    #expect(late.isProblem(404, "notFound") && late.errors == [" unknownItem"])
    #expect(late.string("errors/0/itemId") == "q2")
    #expect(moved.string("answers/q2/value") == "two" && moved.string("answers/q3/value") == "o2")
    let same = try await harness.send(.put, path, #"{"kitRevision":3}"#)
    #expect(same.status == 200 && same.int("revision") == 5)
    let unwritable = try await harness.send(
      .put, "/v1/evaluations/e/answers/q2", #"{"value":"x"}"#, fields: Self.star)
    #expect(unwritable.status == 404)
    _ = try await harness.send(.post, "/v1/kits/kit/questions/q2/restore")
    let back = try await harness.send(.put, path + "?dryRun=true", #"{"kitRevision":4}"#)
    #expect(back.string("restored/0") == "q2" && back.count("retired") == 0)
    let returned = try await harness.send(.put, path, #"{"kitRevision":4}"#, fields: Self.star)
    #expect(returned.count("retired") == 0 && returned.int("progress/answered") == 3)
    #expect(
      try await harness.send(.put, path, #"{"kitRevision":9}"#, fields: Self.star).errors == [
        "/kitRevision unknownRevision"
      ])
    for (body, issue) in [
      ("{}", "missingMember"), (#"{"kitRevision":"4"}"#, "wrongType"), (#"{"kitRevision":null}"#, "wrongType"),
      (#"{"kitRevision":1.5}"#, "wrongType"), (#"{"kitRevision":0}"#, "outOfRange"),
    ] {
      #expect(try await harness.send(.put, path, body, fields: Self.star).errors == ["/kitRevision \(issue)"])
    }
    let events = try await harness.send(.get, "/v1/evaluations/e/history")
    #expect(events.string("items/0/kind") == "moved" && events.int("items/0/kitRevision") == 4)
    _ = try await harness.send(.post, "/v1/evaluations/e/submit")
    #expect(
      try await harness.send(.put, path, #"{"kitRevision":1}"#, fields: Self.star).isProblem(409, "evaluationNotDraft"))
    #expect(
      try await harness.send(.put, path + "?dryRun=true", #"{"kitRevision":1}"#).isProblem(409, "evaluationNotDraft"))
    for query in ["", "?dryRun=true"] {
      #expect(try await harness.send(.put, path + query, #"{"kitRevision":4}"#).status == 200, "to where it is\(query)")
    }
  }

  @Test func `a copy has new IDs, says which, and is made once for a key`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"singleSelect","text":"One?","options":[{"id":"o1","text":"A"}]},"#
        + #"{"id":"q2","type":"yesNo","text":"Two?","visibleWhen":{"questionId":"q1","equals":"o1"}}"#)
    let key = ["Idempotency-Key": "copy"]
    let copy = try await harness.send(.post, "/v1/kits/kit/copy", fields: key)
    #expect(copy.status == 201 && copy.int("revision") == 1 && copy.string("title") == "Kit")
    #expect(copy.string("id") == copy.string("idMap/kit") && copy.string("id") != "kit")
    #expect(copy.string("sections/0/questions/0/id") == copy.string("idMap/q1"))
    #expect(copy.string("sections/0/questions/1/visibleWhen/questionId") == copy.string("idMap/q1"))
    #expect(copy.string("sections/0/questions/1/visibleWhen/equals") == copy.string("idMap/o1"))
    #expect(copy.field("Location") == "/v1/kits/\(copy.string("id") ?? "")")
    _ = try await harness.send(.delete, "/v1/kits/kit/questions/q2", fields: Self.star)
    #expect(try await harness.send(.post, "/v1/kits/kit/copy", fields: key).text == copy.text)
    #expect(try await harness.send(.get, "/v1/kits").count("items") == 2)
    let named = try await harness.send(.post, "/v1/kits/kit/copy", #"{"id":"mine","title":"Mine"}"#)
    #expect(named.string("id") == "mine" && named.string("title") == "Mine")
    #expect(try await harness.send(.post, "/v1/kits/kit/copy", #"{"id":"mine"}"#).isProblem(409, "idTaken"))
    #expect(try await harness.send(.post, "/v1/kits/none/copy").status == 404)
    let question = try await harness.send(.post, "/v1/kits/kit/questions/q1/copy", fields: ["Idempotency-Key": "q"])
    #expect(question.status == 201 && question.string("idMap/q1") == question.string("id"))
    #expect(question.string("options/0/id") == question.string("idMap/o1"))
    let again = try await harness.send(.post, "/v1/kits/kit/questions/q1/copy", fields: ["Idempotency-Key": "q"])
    #expect(again.text == question.text)
    let kit = try await harness.send(.get, "/v1/kits/kit")
    #expect(kit.count("sections/0/questions") == 2)
    #expect(kit.string("sections/0/questions/1/id") == question.string("id"))
  }
}
