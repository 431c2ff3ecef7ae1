// The audit: each kind of write leaves an entry that says who, and none of them holds text.

import HTTP
import InterviewKits
import JSON
import Store
import Testing

@testable import API

@Suite struct AuditTests {
  private static let secret = LeakTests.secret

  /// A write, in the order in which all of them succeed: its route, its path, and its body.
  private struct Write {
    let route: String
    let path: String
    let body: String?
    /// Whether it changes what is there, whatever that is.
    let replaces: Bool

    init(_ route: String, _ path: String, _ body: String? = nil, replaces: Bool = false) {
      (self.route, self.path, self.body, self.replaces) = (route, path, body, replaces)
    }

    var method: HTTPMethod {
      switch route.prefix(while: { $0 != " " }) {
      case "POST": .post
      case "PUT": .put
      case "PATCH": .patch
      default: .delete
      }
    }
  }

  private static let kit = "/v1/kits/{kitId}"
  private static let evaluation = "/v1/evaluations/{evaluationId}"
  private static let writes: [Write] = [
    Write("PUT \(kit)", "/v1/kits/k", #"{"title":"\#(secret)"}"#),
    Write("POST /v1/kits", "/v1/kits", #"{"title":"\#(secret)"}"#),
    Write("PATCH \(kit)", "/v1/kits/k", #"{"title":"\#(secret) 2"}"#, replaces: true),
    Write("POST \(kit)/copy", "/v1/kits/k/copy", "{}"),
    Write("POST \(kit)/sections", "/v1/kits/k/sections", #"{"id":"s1","title":"\#(secret)"}"#),
    Write("PUT \(kit)/sections/{itemId}", "/v1/kits/k/sections/s2", #"{"title":"\#(secret)"}"#),
    Write("PATCH \(kit)/sections/{itemId}", "/v1/kits/k/sections/s1", #"{"title":"\#(secret)!"}"#, replaces: true),
    Write("POST \(kit)/sections/{itemId}/move", "/v1/kits/k/sections/s2/move", #"{"after":null}"#, replaces: true),
    Write(
      "POST \(kit)/questions", "/v1/kits/k/questions",
      #"{"id":"q1","sectionId":"s1","type":"longText","text":"\#(secret)?"}"#),
    Write(
      "PUT \(kit)/questions/{itemId}", "/v1/kits/k/questions/q2",
      #"{"sectionId":"s1","type":"longText","text":"\#(secret)?"}"#),
    Write("PATCH \(kit)/questions/{itemId}", "/v1/kits/k/questions/q1", #"{"text":"\#(secret)."}"#, replaces: true),
    Write("POST \(kit)/questions/{itemId}/move", "/v1/kits/k/questions/q2/move", #"{"after":null}"#, replaces: true),
    Write("POST \(kit)/questions/{itemId}/copy", "/v1/kits/k/questions/q1/copy"),
    Write("DELETE \(kit)/questions/{itemId}", "/v1/kits/k/questions/q2", replaces: true),
    Write("POST \(kit)/questions/{itemId}/restore", "/v1/kits/k/questions/q2/restore"),
    Write("DELETE \(kit)/sections/{itemId}", "/v1/kits/k/sections/s2", replaces: true),
    Write("POST \(kit)/sections/{itemId}/restore", "/v1/kits/k/sections/s2/restore"),
    Write("POST /v1/evaluations", "/v1/evaluations", #"{"kitId":"k","candidate":{"id":"c","name":"\#(secret)"}}"#),
    Write("PUT \(evaluation)", "/v1/evaluations/e", #"{"kitId":"k","candidate":{"id":"c","name":"\#(secret)"}}"#),
    Write("PATCH \(evaluation)", "/v1/evaluations/e", #"{"candidate":{"name":"\#(secret) 2"}}"#, replaces: true),
    Write("PUT \(evaluation)/answers/{itemId}", "/v1/evaluations/e/answers/q1", #"{"value":"\#(secret)"}"#),
    Write(
      "PATCH \(evaluation)/answers/{itemId}", "/v1/evaluations/e/answers/q1", #"{"comment":"\#(secret)"}"#,
      replaces: true),
    Write(
      "PATCH \(evaluation)/answers", "/v1/evaluations/e/answers",
      #"{"operations":[{"operationId":"\#(secret)","itemId":"q2","value":"\#(secret)"}]}"#),
    Write("DELETE \(evaluation)/answers/{itemId}", "/v1/evaluations/e/answers/q1", replaces: true),
    Write("POST \(evaluation)/submit", "/v1/evaluations/e/submit"),
    Write("POST \(evaluation)/reopen", "/v1/evaluations/e/reopen", #"{"reason":"\#(secret)"}"#),
    Write("PUT \(evaluation)/kitRevision", "/v1/evaluations/e/kitRevision", nil, replaces: true),
    Write("POST \(evaluation)/withdraw", "/v1/evaluations/e/withdraw"),
    Write("PUT /v1/profiles/{name}", "/v1/profiles/own", #"{"extends":"ios@1","description":"\#(secret)"}"#),
    Write("POST /v1/members", "/v1/members", #"{"id":"pat","name":"\#(secret)","role":"observer"}"#),
    Write("PATCH /v1/members/{memberId}", "/v1/members/pat", #"{"name":"\#(secret) 2"}"#, replaces: true),
    Write("POST /v1/tokens", "/v1/tokens", #"{"memberId":"pat","name":"\#(secret)"}"#),
    Write("DELETE /v1/tokens/{tokenId}", "/v1/tokens/"),
    Write("POST /v1/candidates/{candidateId}/erase", "/v1/candidates/c/erase"),
    Write("DELETE \(kit)", "/v1/kits/k", replaces: true),
    Write("POST \(kit)/restore", "/v1/kits/k/restore"),
  ]
  /// They write nothing that lasts.
  private static let reads: Set<String> = ["POST /v1/measure", "POST \(evaluation)/layout", "POST /v1/tickets"]

  @Test func `every route that writes is tried here`() {
    let routes = InterviewKitAPI.routes.filter { $0.method != .get }.map { "\($0.method) \($0.pattern)" }
    #expect(Set(routes) == Set(Self.writes.map(\.route)).union(Self.reads))
  }

  @Test func `the command line is told apart from whoever came while the service was open`() async throws {
    let harness = try APIHarness()
    harness.api.takeOperatorToken("the-command-line")
    let line = APIHarness.bearer("the-command-line")
    try await harness.makeKit()
    let made = try await harness.send(.post, "/v1/tokens", #"{"name":"boss","role":"admin"}"#, fields: line)
    let secret = try #require(made.string("token"), "\(made.text)")
    let boss = APIHarness.bearer(secret)
    let audit = try await harness.send(.get, "/v1/audit", fields: boss)
    let entries = (0..<3).map { number in
      [audit.string("items/\(number)/kind") ?? "", audit.string("items/\(number)/memberId") ?? ""]
    }
    #expect(
      entries == [
        ["token.created", "commandLine"], ["member.created", "commandLine"], ["kit.created", "anonymous"],
      ])
    #expect(audit["items/0/tokenId"] == .null && audit["items/0/address"] == .null)
    #expect(try await harness.send(.get, "/v1/audit?member=commandLine", fields: boss).count("items") == 2)
    // Nobody takes its name, nor the service's.
    for name in ["commandLine", "service"] {
      let member = try await harness.send(.post, "/v1/members", #"{"id":"\#(name)","role":"observer"}"#, fields: boss)
      #expect(member.isProblem(409, "idTaken"))
      let named = try await harness.send(.post, "/v1/tokens", #"{"name":"\#(name)","role":"observer"}"#, fields: boss)
      #expect(named.status == 201 && named.string("memberId") != name)
    }
  }

  @Test func `each write leaves an entry with its writer, and no text`() async throws {
    let panel = try await Panel()
    try await panel.ask("boss", .put, "/v1/kits/before", #"{"title":"Before"}"#, wants: 201)
    var token = ""
    for write in Self.writes {
      let before = try #require(try await panel.ask("boss", .get, "/v1/audit?limit=1").int("items/0/sequence"))
      var (path, body) = (write.path, write.body)
      if path.hasSuffix("/tokens/") { path += token }
      if path.hasSuffix("/kitRevision") {
        // To a revision that the evaluation is not at.
        try await panel.ask(
          "boss", .patch, "/v1/kits/k", #"{"title":"\#(Self.secret) 3"}"#, wants: 200, fields: ["If-Match": "*"])
        let revision = try #require(try await panel.ask("boss", .get, "/v1/kits/k").int("revision"))
        body = #"{"kitRevision":\#(revision)}"#
      }
      let fields = write.replaces ? ["If-Match": "*"] : [:]
      let reply = try await panel.ask("boss", write.method, path, body, fields: fields)
      #expect((200..<300).contains(reply.status), "\(write.route): \(reply.status) \(reply.text)")
      if write.route == "POST /v1/tokens" { token = try #require(reply.string("id")) }
      let entry = try await panel.ask("boss", .get, "/v1/audit?limit=1", wants: 200)
      #expect(try #require(entry.int("items/0/sequence")) > before, "\(write.route)")
      #expect(entry.string("items/0/memberId") == "boss" && entry.string("items/0/tokenId") != nil, "\(write.route)")
    }
    var (kinds, cursor): (Set<String>, String?) = ([], nil)
    repeat {
      let page = try await panel.ask("boss", .get, "/v1/audit?limit=200" + (cursor.map { "&cursor=\($0)" } ?? ""))
      #expect(!page.text.contains(Self.secret))
      kinds.formUnion((0..<(page.count("items") ?? 0)).compactMap { page.string("items/\($0)/kind") })
      cursor = page.string("nextCursor")
    } while cursor != nil
    // The one tells a member what he sees, and the other is written by time alone.
    let silent: Set = [ChangeKind.accessChanged.rawValue, ChangeKind.kitPurged.rawValue]
    #expect(kinds == Set(ChangeKind.allCases.map(\.rawValue)).subtracting(silent))
  }
}
