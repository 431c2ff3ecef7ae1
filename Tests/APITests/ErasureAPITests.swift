// An erased candidate through the API: nothing that anybody can ask tells of the text any more, and memory keeps none.

import HTTP
import InterviewKits
import RowLayout
import Testing
import TextLayout

@testable import API

@Suite struct ErasureAPITests {
  private static let secret = LeakTests.secret

  /// Two interviewers' evaluations of `c`, full of the secret word, and one of `d`; all of it was read.
  private static func read() async throws -> Panel {
    let panel = try await Panel(visibility: "always")
    for who in ["kim", "lee"] {
      let body = #"{"kitId":"kit","candidate":{"id":"c","name":"\#(secret)"}}"#
      try await panel.ask(who, .put, "/v1/evaluations/\(who)-c", body, wants: 201)
      for question in ["q1", "q2"] {
        let answer = #"{"value":"\#(secret) \#(who)","comment":"\#(secret)"}"#
        try await panel.ask(who, .put, "/v1/evaluations/\(who)-c/answers/\(question)", answer, wants: 201)
      }
    }
    let lost = ["If-Match": "\"9\""]
    try await panel.ask(
      "kim", .put, "/v1/evaluations/kim-c/answers/q1", #"{"value":"\#(secret) lost"}"#, wants: 412, fields: lost)
    try await panel.submit("kim")
    try await panel.ask("kim", .post, "/v1/evaluations/kim-c/reopen", #"{"reason":"\#(secret)"}"#, wants: 200)
    try await panel.submit("kim")
    try await panel.open("lee", candidate: "d")
    #expect(try await told("boss", panel) > 20)
    #expect(try await told("lee", panel) > 10)
    return panel
  }

  /// How many replies hold the word, of all that a member can read.
  private static func told(_ who: String, _ panel: Panel) async throws -> Int {
    var count = 0
    for route in InterviewKitAPI.routes where route.method == .get && route.pattern != "/metrics" {
      for (target, fields) in LeakTests.requests(of: route) where !target.contains(secret) {
        if try await LeakTests.shown(panel.ask(who, .get, target, fields: fields)).contains(secret) { count += 1 }
      }
    }
    return count
  }

  @Test func `no reply and nothing that is kept in memory tells of it any more`() async throws {
    let panel = try await Self.read()
    let kept = { Dictionary(uniqueKeysWithValues: panel.harness.layouts.caches.map { ($0.name, $0.bytes) }) }
    #expect(["parts", "layouts", "documents"].allSatisfy { kept()[$0] ?? 0 > 0 })
    let seen = try await panel.changes("lee").next
    let reply = try await panel.ask("boss", .post, "/v1/candidates/c/erase", wants: 200)
    #expect(reply.string("id") == "c" && reply.int("evaluations") == 2)
    #expect(["parts", "layouts", "documents", "sums"].allSatisfy { kept()[$0] == 0 })
    #expect(panel.harness.layouts.measurer.cachedBytes == 0)
    for who in ["boss", "kim", "lee", "eve"] { #expect(try await Self.told(who, panel) == 0, "\(who)") }
    // Who had to do with it reads the candidate again, and finds nothing; admins are told what happened.
    #expect(try await panel.changes("lee", since: seen).kinds == ["access.changed"])
    #expect(
      try await panel.changes("boss").kinds.suffix(3) == ["evaluation.erased", "evaluation.erased", "candidate.erased"])
    for target in ["/v1/evaluations/kim-c", "/v1/candidates/c", "/v1/evaluations/kim-c/layout?profile=ios&width=300"] {
      #expect(try await panel.ask("boss", .get, target).isProblem(410, "purged"), "\(target)")
      #expect(try await panel.ask("lee", .get, target).isProblem(404, "notFound"), "\(target)")
    }
    #expect(try await panel.listed("boss") == ["lee-d"])
  }

  @Test func `repeated, it has nothing left to do, and its IDs stay taken`() async throws {
    let panel = try await Self.read()
    try await panel.ask("boss", .post, "/v1/candidates/c/erase", wants: 200)
    let again = try await panel.ask("boss", .post, "/v1/candidates/c/erase", wants: 200)
    #expect(again.int("evaluations") == 0)
    let unknown = try await panel.ask("boss", .post, "/v1/candidates/nobody/erase")
    #expect(unknown.isProblem(404, "notFound") && unknown.string("detail") == "There is no candidate 'nobody'.")
    let same = #"{"kitId":"kit","candidate":{"id":"c"}}"#
    let refused = try await panel.ask("lee", .put, "/v1/evaluations/new", same)
    #expect(refused.isProblem(410, "purged") && refused.errors == ["/candidate/id erased"])
    #expect(refused.string("detail") == "The candidate 'c' was erased; this ID is not used again.")
    let moved = try await panel.ask(
      "boss", .patch, "/v1/evaluations/lee-d", #"{"candidate":{"id":"c"}}"#, fields: ["If-Match": "*"])
    #expect(moved.isProblem(410, "purged") && moved.errors == ["/candidate/id erased"])
    let other = #"{"kitId":"kit","candidate":{"id":"f"}}"#
    #expect(try await panel.ask("lee", .put, "/v1/evaluations/kim-c", other).isProblem(410, "purged"))
  }

  @Test func `nobody is told of the end of what was hidden`() async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    var seen: [String: String] = [:]
    for who in ["kim", "lee", "eve", "art"] { seen[who] = try await panel.changes(who).next }
    try await panel.ask("boss", .post, "/v1/candidates/c/erase", wants: 200)
    for who in ["kim", "lee", "eve", "art"] {
      #expect(
        try await panel.changes(who, since: seen[who]).kinds == (who == "kim" ? ["access.changed"] : []), "\(who)")
    }
  }

  @Test func `a candidate's record is for those who see an evaluation, and times are for admins`() async throws {
    let panel = try await Panel()
    try await panel.open("kim")
    let record = try await panel.ask("boss", .get, "/v1/candidates/c", wants: 200)
    #expect(record.string("id") == "c" && record.string("name") == "C" && record.string("createdAt") != nil)
    let own = try await panel.ask("kim", .get, "/v1/candidates/c", wants: 200)
    #expect(own.string("name") == "C" && own.string("createdAt") == nil && own["createdAt"] != nil)
    for who in ["lee", "eve"] { try await panel.ask(who, .get, "/v1/candidates/c", wants: 404) }
    try await panel.submit("kim")
    try await panel.ask("eve", .get, "/v1/candidates/c", wants: 200)
    try await panel.ask("lee", .get, "/v1/candidates/c", wants: 404)
  }
}
