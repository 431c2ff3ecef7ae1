// Rules of writing that hostile and unlucky clients meet: nothing is half done, nothing is dropped in silence.

import HTTP
import JSON
import Testing

@Suite struct WritingRulesTests {
  @Test func `what is wrong with the query is told before anything is stored`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/answers"
    let view = "profile=ios&width=375&parts=maybe"
    #expect(try await harness.send(.put, "\(path)/q1?\(view)", #"{"value":"x"}"#).status == 422)
    let batch = #"{"operations":[{"itemId":"q1","value":"x"}]}"#
    #expect(try await harness.send(.patch, "\(path)?\(view)", batch).status == 422)
    #expect(try await harness.send(.patch, "\(path)?profile=ios&width=0", batch).status == 422)
    #expect(try await harness.send(.get, path + "/q1").int("revision") == 0)
  }

  @Test func `a failed operation of a batch tells what it sent, not the whole batch`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let batch =
      #"{"operations":[{"itemId":"q1","value":"x","ifRevision":4},{"itemId":"q1","value":"y","ifRevision":5}]}"#
    let reply = try await harness.send(.patch, "/v1/evaluations/e/answers", batch)
    #expect(reply.string("results/0/problem/sent/value") == "x")
    #expect(reply["results/1/problem/sent/operations"] == nil)
    let header = try await harness.send(.patch, "/v1/evaluations/e/answers", batch, fields: ["If-Match": "*"])
    #expect(header.isProblem(400, "invalidPrecondition"))
  }

  @Test func `an ID of the kit is not taken for another kind of item`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let section = try await harness.send(.put, "/v1/kits/kit/sections/q1", #"{"title":"T"}"#)
    #expect(section.isProblem(409, "idTaken"))
    let question = try await harness.send(.put, "/v1/kits/kit/questions/s", #"{"type":"note","text":"T"}"#)
    #expect(question.isProblem(409, "idTaken"))
  }

  @Test func `a creation with its place may be sent again, another place is a move`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let path = "/v1/kits/kit/questions/q2"
    let body = #"{"type":"note","text":"T","sectionId":"s","after":"q1"}"#
    #expect(try await harness.send(.put, path, body).status == 201)
    #expect(try await harness.send(.put, path, body).status == 200)
    let moved = try await harness.send(
      .put, path, #"{"type":"note","text":"T","after":null}"#, fields: ["If-Match": "*"])
    #expect(moved.status == 422 && moved.errors == ["/after placeOfExisting"])
  }

  @Test func `replacing a section drops no questions in silence`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let read = try await harness.send(.get, "/v1/kits/kit/sections/s")
    let same = try await harness.send(.put, "/v1/kits/kit/sections/s", read.text, fields: ["If-Match": "\"1\""])
    #expect(same.status == 200 && same.tag == "\"1\"", "\(same.text)")
    let without = try await harness.send(
      .put, "/v1/kits/kit/sections/s", #"{"title":"New","questions":[]}"#, fields: ["If-Match": "\"1\""])
    #expect(without.status == 422 && without.errors == ["/questions questionsOfExisting"])
    let title = try await harness.send(
      .put, "/v1/kits/kit/sections/s", #"{"title":"New"}"#, fields: ["If-Match": "\"1\""])
    #expect(title.status == 200 && title.count("questions") == 1)
  }

  @Test func `a dry run answers what the write would`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let path = "/v1/kits/kit?dryRun=true"
    let other =
      #"{"title":"K","sections":[{"id":"s","title":"S","questions":[{"id":"q1","type":"yesNo","text":"?"}]}]}"#
    #expect(try await harness.send(.put, path, #"{"title":"K"}"#).isProblem(428, "preconditionRequired"))
    #expect(try await harness.send(.put, path, #"{"title":"K"}"#, fields: ["If-Match": "\"7\""]).status == 412)
    let retyped = try await harness.send(.put, path, other, fields: ["If-Match": "*"])
    #expect(retyped.errors == ["/sections/0/questions/0/type typeChanged"])
    let fine = try await harness.send(.put, path, #"{"title":"K"}"#, fields: ["If-Match": "*"])
    #expect(fine.status == 200 && fine.int("revision") == 2)
    #expect(try await harness.send(.get, "/v1/kits/kit").int("revision") == 1)
    _ = try await harness.send(.delete, "/v1/kits/kit", fields: ["If-Match": "*"])
    #expect(try await harness.send(.put, path, #"{"title":"K"}"#).isProblem(409, "deletedId"))
  }

  @Test func `the tag of any representation says what was seen`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    for (accept, tag) in [("text/markdown", "\"1-markdown\""), ("text/csv", "\"1-csv\"")] {
      #expect(try await harness.send(.get, "/v1/kits/kit", fields: ["Accept": accept]).tag == tag)
    }
    let patch = try await harness.send(
      .patch, "/v1/kits/kit", #"{"title":"New"}"#, fields: ["If-Match": "\"1-markdown\""])
    #expect(patch.status == 200)
    for tag in ["\"02\"", "\"+2\"", "\"\"", "\"-2\"", "W/\"2\""] {
      let other = try await harness.send(.patch, "/v1/kits/kit", #"{"title":"Newer"}"#, fields: ["If-Match": tag])
      #expect(other.isProblem(412, "preconditionFailed"), "\(tag)")
    }
  }

  @Test func `an evaluation of an unknown kit names the member`() async throws {
    let harness = try APIHarness()
    let reply = try await harness.send(.post, "/v1/evaluations", #"{"kitId":"nope","candidate":{"id":"c"}}"#)
    #expect(reply.status == 422 && reply.errors == ["/kitId unknownKit"])
  }

  @Test func `conditions hang on each other up to a limit`() async throws {
    let harness = try APIHarness()
    func kit(_ count: Int) -> String {
      let questions = (0..<count).map { row in
        let condition = row == 0 ? "null" : #"{"questionId":"q\#(row - 1)","equals":true}"#
        return #"{"id":"q\#(row)","type":"yesNo","text":"?","visibleWhen":\#(condition)}"#
      }
      return #"{"title":"K","sections":[{"title":"S","questions":[\#(questions.joined(separator: ","))]}]}"#
    }
    #expect(try await harness.send(.post, "/v1/kits", kit(21)).status == 201)
    let tooDeep = try await harness.send(.post, "/v1/kits", kit(22))
    #expect(tooDeep.errors == ["/sections/0/questions/21/visibleWhen/questionId conditionTooDeep"])
  }

  @Test func `a cursor of another list is refused`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: (1...3).map { #"{"id":"q\#($0)","type":"note","text":"T"}"# }.joined(separator: ","))
    let cursor = try #require(try await harness.send(.get, "/v1/kits/kit/questions?limit=1").string("nextCursor"))
    let reply = try await harness.send(.get, "/v1/kits/kit/sections?cursor=\(cursor)")
    #expect(reply.errors == ["/query/cursor invalidCursor"])
  }

  @Test func `another candidate does not get the name of the one before`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    for (id, candidate) in [("a1", #"{"id":"zz","name":"Zoe"}"#), ("a2", #"{"id":"nn","name":"Nils"}"#)] {
      _ = try await harness.send(.put, "/v1/evaluations/\(id)", #"{"kitId":"kit","candidate":\#(candidate)}"#)
    }
    let star = ["If-Match": "*"]
    let other = try await harness.send(.patch, "/v1/evaluations/a2", #"{"candidate":{"id":"zz"}}"#, fields: star)
    #expect(other.string("candidate/name") == "Zoe")
    #expect(try await harness.send(.get, "/v1/evaluations/a1").string("candidate/name") == "Zoe")
    let cleared = try await harness.send(.patch, "/v1/evaluations/a1", #"{"candidate":{"name":null}}"#, fields: star)
    #expect(cleared.status == 200 && cleared["candidate/name"] == .null)
    #expect(try await harness.send(.get, "/v1/evaluations/a2")["candidate/name"] == .null)
  }

  @Test func `an operation on a stranger names its place`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let batch = #"{"operations":[{"itemId":"q1","value":"x"},{"itemId":"nope","value":"x"}]}"#
    let reply = try await harness.send(.patch, "/v1/evaluations/e/answers", batch)
    #expect(reply.int("results/0/status") == 201 && reply.int("results/1/status") == 404)
    #expect(reply.string("results/1/problem/errors/0/pointer") == "/operations/1/itemId")
  }

  @Test func `the trash of items has pages`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: (1...5).map { #"{"id":"q\#($0)","type":"note","text":"T"}"# }.joined(separator: ","))
    for row in 1...5 {
      _ = try await harness.send(.delete, "/v1/kits/kit/questions/q\(row)", fields: ["If-Match": "*"])
    }
    let first = try await harness.send(.get, "/v1/kits/kit/questions?deleted=true&limit=2")
    let cursor = try #require(first.string("nextCursor"))
    let second = try await harness.send(.get, "/v1/kits/kit/questions?deleted=true&limit=200&cursor=\(cursor)")
    #expect(first.count("items") == 2 && second.count("items") == 3 && second["nextCursor"] == .null)
    #expect(try await harness.send(.get, "/v1/kits/kit/questions?deleted=true&limit=0").status == 422)
  }

  @Test func `an empty object passes where no body is taken, anything else is refused`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    #expect(try await harness.send(.post, "/v1/kits/kit/restore", "{}").status == 200)
    #expect(try await harness.send(.post, "/v1/kits/kit/restore", #"{"force":true}"#).status == 422)
  }
}
