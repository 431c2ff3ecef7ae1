// Kits, sections and questions through the API.

import HTTP
import JSON
import Testing

@Suite struct KitAPITests {
  @Test func `a kit is created, read, patched, archived, deleted and restored`() async throws {
    let harness = try APIHarness()
    let created = try await harness.send(.post, "/v1/kits", #"{"title":"Backend","sections":[]}"#)
    #expect(created.status == 201)
    let id = try #require(created.string("id"))
    #expect(created.field("Location") == "/v1/kits/\(id)")
    #expect(created.tag == "\"1\"")
    let read = try await harness.send(.get, "/v1/kits/\(id)")
    #expect(read.status == 200 && read.string("title") == "Backend" && read.int("revision") == 1)
    let again = try await harness.send(.get, "/v1/kits/\(id)", fields: ["If-None-Match": "\"1\""])
    #expect(again.status == 304 && again.response.body.isEmpty && again.tag == "\"1\"")
    let patched = try await harness.send(
      .patch, "/v1/kits/\(id)", #"{"status":"archived","instructions":"Read me"}"#, fields: ["If-Match": "\"1\""])
    #expect(patched.status == 200 && patched.string("status") == "archived" && patched.tag == "\"2\"")
    #expect(try await harness.send(.get, "/v1/kits/\(id)/revisions/1").string("status") == "active")
    #expect(try await harness.send(.delete, "/v1/kits/\(id)", fields: ["If-Match": "*"]).status == 204)
    #expect(try await harness.send(.get, "/v1/kits/\(id)").isProblem(404, "notFound"))
    #expect(try await harness.send(.put, "/v1/kits/\(id)", #"{"title":"Other"}"#).isProblem(409, "deletedId"))
    #expect(try await harness.send(.get, "/v1/kits?deleted=true").count("items") == 1)
    #expect(try await harness.send(.post, "/v1/kits/\(id)/restore").status == 200)
    #expect(try await harness.send(.get, "/v1/kits/\(id)").string("instructions") == "Read me")
  }

  @Test func `a write says what it saw, or is told to`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let path = "/v1/kits/kit/questions/q1"
    let missing = try await harness.send(.patch, path, #"{"text":"Two?"}"#)
    #expect(missing.isProblem(428, "preconditionRequired"))
    #expect(missing.string("current/text") == "One?")
    let first = try await harness.send(.patch, path, #"{"text":"Two?"}"#, fields: ["If-Match": "\"1\""])
    #expect(first.status == 200 && first.tag == "\"2\"")
    let stale = try await harness.send(.patch, path, #"{"text":"Three?"}"#, fields: ["If-Match": "\"1\""])
    #expect(stale.isProblem(412, "preconditionFailed"))
    #expect(stale.string("current/text") == "Two?" && stale.string("sent/text") == "Three?" && stale.tag == "\"2\"")
    let same = try await harness.send(.patch, path, #"{"text":"Two?"}"#, fields: ["If-Match": "\"1\""])
    #expect(same.status == 200 && same.tag == "\"2\"")
    let gzip = try await harness.send(.patch, path, #"{"text":"Three?"}"#, fields: ["If-Match": "\"2-gzip\""])
    #expect(gzip.status == 200)
    #expect(try await harness.send(.patch, path, #"{"text":"Four?"}"#, fields: ["If-Match": "W/\"3\""]).status == 412)
    let nothing = try await harness.send(.put, "/v1/kits/none", #"{"title":"T"}"#, fields: ["If-Match": "*"])
    #expect(nothing.isProblem(412, "preconditionFailed"))
    let taken = try await harness.send(.put, "/v1/kits/kit", #"{"title":"T"}"#, fields: ["If-None-Match": "*"])
    #expect(taken.isProblem(412, "preconditionFailed"))
  }

  @Test func `edits of different questions never conflict`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"yesNo","text":"One?"},{"id":"q2","type":"yesNo","text":"Two?"}"#)
    for id in ["q1", "q2"] {
      let reply = try await harness.send(
        .patch, "/v1/kits/kit/questions/\(id)", #"{"help":"h"}"#, fields: ["If-Match": "\"1\""])
      #expect(reply.status == 200)
    }
    #expect(try await harness.send(.get, "/v1/kits/kit").int("revision") == 3)
  }

  @Test func `a question is inserted, moved, deleted and restored by neighbour IDs`() async throws {
    let harness = try APIHarness()
    let texts = (1...10).map { #"{"id":"q\#($0)","type":"yesNo","text":"Q \#($0)?"}"# }
    try await harness.makeKit(questions: texts.joined(separator: ","))
    func order() async throws -> [String] {
      let kit = try await harness.send(.get, "/v1/kits/kit")
      return (0..<(kit.count("sections/0/questions") ?? 0)).compactMap { kit.string("sections/0/questions/\($0)/id") }
    }
    let moved = try await harness.send(
      .post, "/v1/kits/kit/questions/q10/move", #"{"after":"q2"}"#, fields: ["If-Match": "\"1\""])
    #expect(moved.status == 200 && moved.tag == "\"2\"")
    #expect(try await order() == ["q1", "q2", "q10", "q3", "q4", "q5", "q6", "q7", "q8", "q9"])
    let inserted = try await harness.send(
      .post, "/v1/kits/kit/questions", #"{"id":"q0","type":"note","text":"Hello","sectionId":"s","after":null}"#)
    #expect(inserted.status == 201 && inserted.field("Location") == "/v1/kits/kit/questions/q0")
    #expect(try await harness.send(.delete, "/v1/kits/kit/questions/q3", fields: ["If-Match": "\"1\""]).status == 204)
    let reused = try await harness.send(.post, "/v1/kits/kit/questions", #"{"id":"q3","type":"note","text":"New"}"#)
    #expect(reused.isProblem(409, "deletedId"))
    #expect(try await harness.send(.get, "/v1/kits/kit/questions/q3").isProblem(404, "notFound"))
    let trash = try await harness.send(.get, "/v1/kits/kit/questions?deleted=true")
    #expect(trash.string("items/0/id") == "q3")
    #expect(try await harness.send(.post, "/v1/kits/kit/sections/q3/restore").isProblem(404, "notFound"))
    #expect(try await harness.send(.get, "/v1/kits/kit/questions/q3").isProblem(404, "notFound"))
    #expect(try await harness.send(.post, "/v1/kits/kit/questions/q3/restore").status == 200)
    #expect(try await order() == ["q0", "q1", "q2", "q10", "q3", "q4", "q5", "q6", "q7", "q8", "q9"])
    let lost = try await harness.send(
      .post, "/v1/kits/kit/questions/q1/move", #"{"after":"nope"}"#, fields: ["If-Match": "*"])
    #expect(lost.isProblem(422, "invalidDocument") && lost.errors == ["/after unknownNeighbour"])
  }

  @Test func `lists go on after their cursor, whatever was inserted`() async throws {
    let harness = try APIHarness()
    let texts = (1...5).map { #"{"id":"q\#($0)","type":"yesNo","text":"Q?"}"# }
    try await harness.makeKit(questions: texts.joined(separator: ","))
    let first = try await harness.send(.get, "/v1/kits/kit/questions?limit=2")
    #expect(first.string("items/1/id") == "q2" && first.string("items/0/sectionId") == "s")
    let cursor = try #require(first.string("nextCursor"))
    _ = try await harness.send(.post, "/v1/kits/kit/questions", #"{"id":"q0","type":"note","text":"N","after":null}"#)
    _ = try await harness.send(.delete, "/v1/kits/kit/questions/q2", fields: ["If-Match": "*"])
    let second = try await harness.send(.get, "/v1/kits/kit/questions?limit=200&cursor=\(cursor)")
    #expect(second.count("items") == 3 && second.string("items/0/id") == "q3" && second["nextCursor"] == .null)
  }

  @Test func `export and import change nothing, in every format`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"rating","text":"Fit?","scale":"fourPoint"},"#
        + #"{"id":"q2","type":"singleSelect","text":"Which?","options":[{"id":"a","text":"A, \"x\""}]}"#)
    for type in ["application/json", "text/markdown", "text/csv"] {
      let exported = try await harness.send(.get, "/v1/kits/kit", fields: ["Accept": type])
      #expect(exported.field("Content-Type")?.hasPrefix(type) == true)
      let imported = try await harness.send(.put, "/v1/kits/kit", exported.text, type: type, fields: ["If-Match": "*"])
      #expect(imported.status == 200 && imported.int("revision") == 1, "\(type): \(imported.text)")
    }
  }

  @Test func `an import that is wrong in one record stores nothing and says where`() async throws {
    let harness = try APIHarness()
    var rows = ["question;category"] + (1...100).map { "Question \($0)?;HR" }
    rows[57] = " ;HR"
    let refused = try await harness.send(.post, "/v1/kits", rows.joined(separator: "\r\n"), type: "text/csv")
    #expect(refused.status == 422)
    #expect(refused.int("errors/0/record") == 57)
    #expect(try await harness.send(.get, "/v1/kits").count("items") == 0)
    rows[57] = "Question 57?;HR"
    let dry = try await harness.send(.post, "/v1/kits?dryRun=true", rows.joined(separator: "\r\n"), type: "text/csv")
    #expect(dry.status == 200)
    #expect(try await harness.send(.get, "/v1/kits").count("items") == 0)
    let imported = try await harness.send(.post, "/v1/kits", rows.joined(separator: "\r\n"), type: "text/csv")
    #expect(imported.status == 201 && imported.count("sections/0/questions") == 100)
    #expect(imported["importReport"] != nil)
  }

  @Test func `an empty kit is like any other`() async throws {
    let harness = try APIHarness()
    #expect(try await harness.send(.put, "/v1/kits/empty", #"{"title":"Empty","sections":[]}"#).status == 201)
    let layout = try await harness.send(.get, "/v1/kits/empty/layout?profile=ios&width=375")
    #expect(layout.status == 200 && layout.count("rows") == 0 && layout.double("contentHeight") == 0)
    let csv = try await harness.send(.get, "/v1/kits/empty", fields: ["Accept": "text/csv"])
    #expect(csv.status == 200)
    try await harness.makeEvaluation(kit: "empty")
    #expect(try await harness.send(.get, "/v1/evaluations/e?include=kit").status == 200)
  }
}
