// Blind until submitted: who sees which evaluation, everywhere at once.

import API
import HTTP
import InterviewKits
import JSON
import Testing

/// A kit, a candidate, and two interviewers, an observer, an author and an admin around it.
struct Panel {
  let harness: APIHarness
  let tokens: [String: String]

  init(visibility: String = "afterOwnSubmission", question: String = #""id":"q1""#) async throws {
    harness = try APIHarness()
    let boss = try await harness.token(.admin, "boss")
    var tokens = ["boss": boss]
    for (name, role) in [
      ("kim", Role.interviewer), ("lee", .interviewer), ("eve", .observer), ("art", .author),
    ] { tokens[name] = try await harness.token(role, name, by: boss) }
    self.tokens = tokens
    let questions = #"{\#(question),"type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"}"#
    let kit =
      #"{"title":"Kit","visibility":"\#(visibility)","sections":[{"id":"s","title":"S","questions":[\#(questions)]}]}"#
    try await ask("boss", .put, "/v1/kits/kit", kit, wants: 201)
  }

  @discardableResult func ask(
    _ who: String?, _ method: HTTPMethod, _ target: String, _ body: String? = nil, wants status: Int? = nil,
    fields: [String: String] = [:], at place: SourceLocation = #_sourceLocation
  ) async throws -> Reply {
    let bearer = APIHarness.bearer(who.flatMap { tokens[$0] })
    let reply = try await harness.send(method, target, body, fields: bearer.merging(fields) { $1 })
    if let status {
      #expect(reply.status == status, "\(who ?? "nobody") \(method) \(target): \(reply.text)", sourceLocation: place)
    }
    return reply
  }

  /// Opens an evaluation of candidate `c` as that interviewer, named after him, with an answer to `q1`.
  func open(_ who: String, candidate: String = "c", secret: String = "an opinion") async throws {
    let body = #"{"kitId":"kit","candidate":{"id":"\#(candidate)","name":"C"}}"#
    try await ask(who, .put, "/v1/evaluations/\(who)-\(candidate)", body, wants: 201)
    try await ask(who, .put, "/v1/evaluations/\(who)-\(candidate)/answers/q1", #"{"value":"\#(secret)"}"#, wants: 201)
  }

  func submit(_ who: String, candidate: String = "c") async throws {
    try await ask(who, .post, "/v1/evaluations/\(who)-\(candidate)/submit", wants: 200)
  }

  /// What somebody is told of in a list.
  func listed(_ who: String) async throws -> Set<String> {
    let reply = try await ask(who, .get, "/v1/evaluations", wants: 200)
    let count = try #require(reply.count("items"))
    return Set((0..<count).compactMap { reply.string("items/\($0)/id") })
  }

  /// Holds what several are told of in a list.
  func expect(_ lists: [String: Set<String>], at place: SourceLocation = #_sourceLocation) async throws {
    for (who, wanted) in lists {
      let found = try await listed(who)
      #expect(found == wanted, "\(who)", sourceLocation: place)
    }
  }

  /// The kinds of changes since a position, and the position after them.
  func changes(_ who: String, since: String? = nil) async throws -> (kinds: [String], next: String) {
    let reply = try await ask(who, .get, "/v1/changes?limit=200" + (since.map { "&since=\($0)" } ?? ""), wants: 200)
    let count = try #require(reply.count("items"))
    return ((0..<count).compactMap { reply.string("items/\($0)/kind") }, try #require(reply.string("sequence")))
  }
}

@Suite struct BlindTests {
  @Test func `an observer who is an evaluation's interviewer is told when it appears and vanishes, as other observers`()
    async throws
  {
    let panel = try await Panel()
    let body = #"{"id":"e","kitId":"kit","candidate":{"id":"d"},"interviewer":{"id":"eve"}}"#
    try await panel.ask("boss", .post, "/v1/evaluations", body, wants: 201)
    for (action, wanted) in [("submit", ["e"]), ("reopen", [])] as [(String, Set<String>)] {
      let seen = try await panel.changes("eve").next
      try await panel.ask(
        "boss", .post, "/v1/evaluations/e/\(action)", action == "reopen" ? #"{"reason":"r"}"# : "", wants: 200)
      #expect(try await panel.listed("eve") == wanted)
      #expect(try await panel.changes("eve", since: seen).kinds.contains("access.changed"))
    }
  }

  @Test func `sight opens with the own submission, and reopening does not close it`() async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    try await panel.open("lee")
    try await panel.submit("kim")
    try await panel.expect(["lee": ["lee-c"], "kim": ["kim-c"], "eve": ["kim-c"], "boss": ["kim-c", "lee-c"]])
    try await panel.ask("lee", .get, "/v1/evaluations/kim-c", wants: 404)
    let before = try await panel.changes("lee").next
    try await panel.submit("lee")
    try await panel.expect(["lee": ["kim-c", "lee-c"], "kim": ["kim-c", "lee-c"]])
    let gained = try await panel.ask("lee", .get, "/v1/changes?since=\(before)")
    #expect(gained.text.contains(#""kind":"access.changed""#) && gained.text.contains(#""candidateId":"c""#))
    #expect(try await panel.ask("lee", .get, "/v1/evaluations/kim-c").string("answers/q1/value") == "an opinion")
    // Others' drafts stay hidden, also one that was submitted before; sight itself stays open.
    let seen = try await panel.changes("lee").next
    let silent = try await panel.ask("kim", .post, "/v1/evaluations/kim-c/reopen")
    #expect(silent.isProblem(415, "unsupportedMediaType"))
    #expect(silent.string("detail") == #"This needs a body of application/json: { "reason": "…" }."#)
    try await panel.ask("kim", .post, "/v1/evaluations/kim-c/reopen", #"{"reason":"One more thing"}"#, wants: 200)
    try await panel.expect(["lee": ["lee-c"], "eve": ["lee-c"]])
    #expect(try await panel.changes("lee", since: seen).kinds == ["access.changed"])
    #expect(try await panel.listed("kim") == ["kim-c", "lee-c"])
    try await panel.submit("kim")
    #expect(try await panel.listed("lee") == ["kim-c", "lee-c"])
  }

  @Test func `a draft that is left keeps sight closed, and another candidate is another matter`() async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    try await panel.submit("kim")
    try await panel.open("lee")
    let second = #"{"kitId":"kit","candidate":{"id":"c"}}"#
    try await panel.ask("lee", .put, "/v1/evaluations/second", second, wants: 201)
    try await panel.submit("lee")
    #expect(try await panel.listed("lee") == ["lee-c", "second"])
    try await panel.ask("lee", .post, "/v1/evaluations/second/withdraw", wants: 200)
    #expect(try await panel.listed("lee") == ["lee-c", "second", "kim-c"])
    try await panel.open("kim", candidate: "d")
    try await panel.submit("kim", candidate: "d")
    #expect(try await panel.listed("lee") == ["lee-c", "second", "kim-c"])
    // What an admin submits in an interviewer's name opens nothing: the interviewer has not decided yet.
    try await panel.open("lee", candidate: "d")
    let submitted = try await panel.ask("boss", .post, "/v1/evaluations/lee-d/submit", wants: 200)
    #expect(submitted.string("submittedBy") == "boss" && submitted.string("interviewer/id") == "lee")
    try await panel.ask("lee", .get, "/v1/evaluations/kim-d", wants: 404)
  }

  @Test(arguments: [("lee", #"{"candidate":{"id":"d"}}"#), ("boss", #"{"interviewer":{"id":"kim"}}"#)])
  func `sight opens as well when the last draft becomes another candidate's, or somebody else's`(
    who: String, change: String
  ) async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    try await panel.submit("kim")
    try await panel.open("lee")
    try await panel.ask(
      "lee", .put, "/v1/evaluations/second", #"{"kitId":"kit","candidate":{"id":"c"}}"#, wants: 201)
    try await panel.submit("lee")
    let before = try await panel.changes("lee").next
    try await panel.ask("lee", .get, "/v1/evaluations/kim-c", wants: 404)
    try await panel.ask(who, .patch, "/v1/evaluations/second", change, wants: 200, fields: ["If-Match": "*"])
    #expect(try await panel.changes("lee", since: before).kinds.contains("access.changed"))
    try await panel.ask("lee", .get, "/v1/evaluations/kim-c", wants: 200)
  }

  @Test func `a submission that says nothing opens no sight`() async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    try await panel.submit("kim")
    let nothing = #"{"title":"Empty","sections":[{"id":"e","title":"E","questions":[]}]}"#
    let notes = #"{"title":"N","sections":[{"id":"n","title":"N","questions":[{"id":"n1","type":"note","text":"N"}]}]}"#
    try await panel.ask("boss", .put, "/v1/kits/nothing", nothing, wants: 201)
    try await panel.ask("boss", .put, "/v1/kits/notes", notes, wants: 201)
    // Neither a kit without anything to answer, nor one of which nothing was answered.
    for kit in ["nothing", "notes", "kit"] {
      let body = #"{"kitId":"\#(kit)","candidate":{"id":"c"}}"#
      try await panel.ask("lee", .put, "/v1/evaluations/lee-\(kit)", body, wants: 201)
      try await panel.ask("lee", .post, "/v1/evaluations/lee-\(kit)/submit", wants: 200)
    }
    let own: Set = ["lee-nothing", "lee-notes", "lee-kit"]
    #expect(try await panel.listed("lee") == own)
    try await panel.ask("lee", .get, "/v1/evaluations/kim-c", wants: 404)
    try await panel.ask("lee", .post, "/v1/evaluations/lee-kit/reopen", #"{"reason":"r"}"#, wants: 200)
    // A remark alone is no answer, nor is a blank one.
    for (number, body) in [#"{"comment":"hm"}"#, #"{"value":"  "}"#, #"{"value":"an opinion"}"#].enumerated() {
      let path = "/v1/evaluations/lee-kit/answers/q1"
      try await panel.ask("lee", .put, path, body, fields: ["If-Match": "*"])
      try await panel.ask("lee", .post, "/v1/evaluations/lee-kit/submit", wants: 200)
      #expect(try await panel.listed("lee") == (number < 2 ? own : own.union(["kim-c"])), "\(body)")
      try await panel.ask("lee", .post, "/v1/evaluations/lee-kit/reopen", #"{"reason":"r"}"#, wants: 200)
    }
  }

  @Test(arguments: [("always", ["kim-c", "lee-c"], ["kim-c", "lee-c"]), ("never", ["lee-c"], ["lee-c"])])
  func `the kit's visibility governs`(visibility: String, before: [String], after: [String]) async throws {
    let panel = try await Panel(visibility: visibility)
    try await panel.open("kim")
    try await panel.submit("kim")
    try await panel.open("lee")
    #expect(try await panel.listed("lee") == Set(before))
    try await panel.submit("lee")
    #expect(try await panel.listed("lee") == Set(after))
    #expect(try await panel.listed("eve") == ["kim-c", "lee-c"])
    let seen = try await panel.changes("lee").next
    let patch = #"{"visibility":"\#(visibility == "never" ? "always" : "never")"}"#
    try await panel.ask("boss", .patch, "/v1/kits/kit", patch, wants: 200, fields: ["If-Match": "*"])
    #expect(try await panel.listed("lee") == (visibility == "never" ? ["kim-c", "lee-c"] : ["lee-c"]))
    #expect(try await panel.changes("lee", since: seen).kinds == ["kit.changed", "access.changed"])
  }

  @Test func `what is another's may be read at most`() async throws {
    let panel = try await Panel(visibility: "always")
    try await panel.open("kim")
    let put = { (who: String, status: Int) in
      try await panel.ask(
        who, .put, "/v1/evaluations/kim-c/answers/q1", #"{"value":"x"}"#, wants: status, fields: ["If-Match": "*"])
    }
    // A draft is hidden, what was submitted is not.
    #expect(try await put("lee", 404).string("code") == "notFound")
    try await panel.submit("kim")
    #expect(try await put("lee", 403).string("code") == "notYours")
    #expect(try await put("eve", 403).string("code") == "roleForbids")
    #expect(try await put("boss", 409).string("code") == "evaluationNotDraft")
    for (target, body) in [
      ("reopen", #"{"reason":"r"}"#), ("withdraw", nil), ("submit", nil),
    ] { try await panel.ask("lee", .post, "/v1/evaluations/kim-c/\(target)", body, wants: 403) }
    let foreign = #"{"kitId":"kit","candidate":{"id":"c"},"interviewer":{"id":"kim"}}"#
    try await panel.ask("lee", .post, "/v1/evaluations", foreign, wants: 403)
    try await panel.open("lee")
    let away = #"{"interviewer":{"id":"kim"}}"#
    try await panel.ask("lee", .patch, "/v1/evaluations/lee-c", away, wants: 403, fields: ["If-Match": "*"])
    try await panel.ask("boss", .patch, "/v1/evaluations/lee-c", away, wants: 200, fields: ["If-Match": "*"])
    #expect(try await panel.listed("lee") == ["kim-c"])
  }

  @Test func `a candidate is renamed by who named him, or an admin, and nobody else's evaluations change`() async throws
  {
    let panel = try await Panel()
    try await panel.open("kim")
    let before = try await panel.ask("kim", .get, "/v1/evaluations/kim-c", wants: 200)
    let other = #"{"kitId":"kit","candidate":{"id":"c","name":"Wrong"}}"#
    let opened = try await panel.ask("lee", .put, "/v1/evaluations/lee-c", other, wants: 201)
    #expect(opened.string("candidate/name") == "C", "the name that was given before")
    let rename = #"{"candidate":{"name":"Wrong"}}"#
    let refused = try await panel.ask("lee", .patch, "/v1/evaluations/lee-c", rename, fields: ["If-Match": "*"])
    #expect(refused.isProblem(409, "candidateNamed"), "\(refused.text)")
    let after = try await panel.ask("kim", .get, "/v1/evaluations/kim-c", wants: 200)
    for member in ["revision", "candidate", "updatedAt"] { #expect(after[member] == before[member], "\(member)") }
    #expect(after.field("ETag") == before.field("ETag"))
    let own = #"{"candidate":{"name":"Right"}}"#
    try await panel.ask("kim", .patch, "/v1/evaluations/kim-c", own, wants: 200, fields: ["If-Match": "*"])
    #expect(try await panel.ask("lee", .get, "/v1/evaluations/lee-c").string("candidate/name") == "Right")
    let admins = #"{"candidate":{"name":"Admin's"}}"#
    try await panel.ask("boss", .patch, "/v1/evaluations/lee-c", admins, wants: 200, fields: ["If-Match": "*"])
    #expect(try await panel.ask("kim", .get, "/v1/evaluations/kim-c").string("candidate/name") == "Admin's")
  }

  @Test func `an evaluation names its interviewer as the account does`() async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    let name = try await panel.ask("kim", .get, "/v1/evaluations/kim-c").string("interviewer/name")
    let me = try await panel.ask("kim", .get, "/v1/me").string("name")
    #expect(name != nil && name == me)
  }

  @Test func `the ID of a hidden evaluation can't be had, and tells nothing`() async throws {
    let panel = try await Panel()
    try await panel.open("kim", secret: "zebra")
    let same = #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#
    for fields in [[:], ["If-None-Match": "*"], ["If-Match": "*"]] {
      let reply = try await panel.ask("lee", .put, "/v1/evaluations/kim-c", same, fields: fields)
      #expect(reply.isProblem(409, "idTaken") && !reply.text.contains("interviewer"), "\(fields): \(reply.text)")
    }
  }

  @Test func `answers to private questions are their writer's and the admins'`() async throws {
    let panel = try await Panel(visibility: "always", question: #""id":"q1","private":true,"required":true"#)
    try await panel.open("kim", secret: "zebra")
    try await panel.ask("kim", .put, "/v1/evaluations/kim-c/answers/q2", #"{"value":"open"}"#, wants: 201)
    try await panel.submit("kim")
    let view = "profile=ios&width=300"
    for target in [
      "", "/answers", "/answers/q1", "/answers/q1/history", "/layout?\(view)", "?include=kit,layout&\(view)",
    ] {
      for (who, isTold) in [("kim", true), ("boss", true), ("lee", false), ("eve", false)] {
        let reply = try await panel.ask(who, .get, "/v1/evaluations/kim-c\(target)", wants: 200)
        let isLayout = target.hasPrefix("/layout")
        #expect(reply.text.contains("zebra") == (isTold && !isLayout), "\(who) \(target): \(reply.text)")
      }
    }
    for type in ["application/json", "text/csv", "text/markdown"] {
      let one = try await panel.ask("lee", .get, "/v1/evaluations/kim-c", wants: 200, fields: ["Accept": type])
      #expect(!one.text.contains("zebra") && one.text.contains("open"), "\(type)")
    }
    for who in ["lee", "eve"] {
      #expect(try await panel.ask(who, .get, "/v1/evaluations").int("items/0/progress/answered") == 1)
      #expect(try await panel.changes(who).kinds.filter { $0 == "answer.changed" }.count == 1)
    }
    #expect(try await panel.changes("kim").kinds.filter { $0 == "answer.changed" }.count == 2)
  }
}
