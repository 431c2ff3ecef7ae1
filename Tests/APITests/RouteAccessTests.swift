// Every route, every role: allowed, 403, or hidden as 404. A route without a line here fails.

import HTTP
import InterviewKits
import Testing

@testable import API

@Suite struct RouteAccessTests {
  /// Who may use a route: `*` everybody, else a letter for each role: admin, author (w), interviewer, observer.
  private static let table: [String: String] = [
    "GET /v1/kits": "awio", "POST /v1/kits": "aw", "GET /v1/kits/{kitId}": "awio", "PUT /v1/kits/{kitId}": "aw",
    "PATCH /v1/kits/{kitId}": "aw", "DELETE /v1/kits/{kitId}": "aw", "POST /v1/kits/{kitId}/restore": "aw",
    "POST /v1/kits/{kitId}/copy": "aw", "GET /v1/kits/{kitId}/evaluations": "aio", "GET /v1/kits/{kitId}/diff": "awio",
    "GET /v1/kits/{kitId}/revisions/{revision}": "awio",
    "GET /v1/kits/{kitId}/sections": "awio", "POST /v1/kits/{kitId}/sections": "aw",
    "GET /v1/kits/{kitId}/sections/{itemId}": "awio", "PUT /v1/kits/{kitId}/sections/{itemId}": "aw",
    "PATCH /v1/kits/{kitId}/sections/{itemId}": "aw", "DELETE /v1/kits/{kitId}/sections/{itemId}": "aw",
    "POST /v1/kits/{kitId}/sections/{itemId}/restore": "aw", "POST /v1/kits/{kitId}/sections/{itemId}/move": "aw",
    "GET /v1/kits/{kitId}/questions": "awio", "POST /v1/kits/{kitId}/questions": "aw",
    "GET /v1/kits/{kitId}/questions/{itemId}": "awio", "PUT /v1/kits/{kitId}/questions/{itemId}": "aw",
    "PATCH /v1/kits/{kitId}/questions/{itemId}": "aw", "DELETE /v1/kits/{kitId}/questions/{itemId}": "aw",
    "POST /v1/kits/{kitId}/questions/{itemId}/restore": "aw", "POST /v1/kits/{kitId}/questions/{itemId}/move": "aw",
    "POST /v1/kits/{kitId}/questions/{itemId}/copy": "aw", "GET /v1/kits/{kitId}/layout": "awio",
    "GET /v1/evaluations": "aio", "POST /v1/evaluations": "ai", "GET /v1/evaluations/{evaluationId}": "aio",
    "PUT /v1/evaluations/{evaluationId}": "ai", "PATCH /v1/evaluations/{evaluationId}": "ai",
    "POST /v1/evaluations/{evaluationId}/submit": "ai", "POST /v1/evaluations/{evaluationId}/reopen": "ai",
    "POST /v1/evaluations/{evaluationId}/withdraw": "ai", "PUT /v1/evaluations/{evaluationId}/kitRevision": "ai",
    "GET /v1/evaluations/{evaluationId}/history": "aio", "GET /v1/evaluations/{evaluationId}/answers": "aio",
    "PATCH /v1/evaluations/{evaluationId}/answers": "ai",
    "GET /v1/evaluations/{evaluationId}/answers/{itemId}": "aio",
    "PUT /v1/evaluations/{evaluationId}/answers/{itemId}": "ai",
    "PATCH /v1/evaluations/{evaluationId}/answers/{itemId}": "ai",
    "DELETE /v1/evaluations/{evaluationId}/answers/{itemId}": "ai",
    "GET /v1/evaluations/{evaluationId}/answers/{itemId}/history": "aio",
    "GET /v1/evaluations/{evaluationId}/layout": "aio", "POST /v1/evaluations/{evaluationId}/layout": "aio",
    "POST /v1/measure": "awio", "GET /v1/profiles": "awio", "GET /v1/profiles/{name}": "awio",
    "PUT /v1/profiles/{name}": "aw", "GET /v1/fonts": "awio", "GET /v1/changes": "awio",
    "GET /v1/me": "awio", "GET /v1/audit": "a",
    "GET /v1/candidates/{candidateId}": "aio", "POST /v1/candidates/{candidateId}/erase": "a", "GET /v1/members": "a",
    "POST /v1/members": "a",
    "GET /v1/members/{memberId}": "a",
    "PATCH /v1/members/{memberId}": "a", "GET /v1/tokens": "a", "POST /v1/tokens": "a",
    "DELETE /v1/tokens/{tokenId}": "a", "POST /v1/tickets": "awio",
    "GET /healthz": "*", "GET /readyz": "*", "GET /version": "*", "GET /openapi.json": "awio", "GET /metrics": "a",
    "GET /": "*", "GET /docs": "*", "GET /assets/{file}": "*", "GET /assets/fonts/{sha256}/{index}": "*",
  ]

  private static let members = [("boss", "a"), ("art", "w"), ("lee", "i"), ("eve", "o")]
  private static let identifiers: [String: [String]] = [
    "kitId": ["kit"], "itemId": ["q1"], "revision": ["1"], "name": ["ios"], "memberId": ["kim"], "tokenId": ["none"],
    "candidateId": ["c"], "file": ["app.js"], "sha256": ["0"], "index": ["0"],
  ]

  private static func path(_ pattern: String, evaluation: String) -> String {
    LeakTests.paths(pattern, identifiers.merging(["evaluationId": [evaluation]]) { $1 })[0]
      + (pattern.hasSuffix("/layout") ? "?profile=ios&width=300" : "")
  }

  @Test func `every route has a line, and every line a route`() {
    let routes = InterviewKitAPI.routes.map { "\($0.method) \($0.pattern)" }
    #expect(Set(routes) == Set(Self.table.keys))
  }

  @Test func `a role gets in where its letter stands, and nowhere else`() async throws {
    let panel = try await Panel()
    try await panel.open("lee")
    for route in InterviewKitAPI.routes {
      let letters = Self.table["\(route.method) \(route.pattern)"] ?? ""
      let body = route.method == .get ? nil : LeakTests.bodies["\(route.method) \(route.pattern)"] ?? "{}"
      let path = Self.path(route.pattern, evaluation: "lee-c")
      let nobody = try await panel.ask(nil, route.method, path, body)
      #expect((nobody.status == 401) == (letters != "*"), "nobody \(route.method) \(path)")
      for (who, letter) in Self.members {
        // A condition that can't hold: the request is judged, and nothing is changed by it.
        let reply = try await panel.ask(who, route.method, path, body, fields: ["If-Match": "\"99\""])
        let mayPass = letters == "*" || letters.contains(letter)
        #expect(
          mayPass ? reply.status != 401 && reply.string("code") != "roleForbids" : reply.isProblem(403, "roleForbids"),
          "\(who) \(route.method) \(path): \(reply.status) \(reply.text)")
        #expect(reply.status < 500)
      }
    }
  }

  @Test func `an interviewer's own, another's and a hidden evaluation`() async throws {
    let panel = try await Panel(visibility: "always")
    try await panel.open("lee")
    try await panel.open("kim")
    try await panel.open("kim", candidate: "d")
    try await panel.submit("kim", candidate: "d")
    for route in InterviewKitAPI.routes where route.pattern.contains("{evaluationId}") {
      let name = "\(route.method) \(route.pattern)"
      if name == "PUT /v1/evaluations/{evaluationId}" { continue }
      let isRead = route.method == .get || route.pattern.hasSuffix("/layout")
      let body = LeakTests.bodies[name]
      for (evaluation, who, isSeen, isOwn) in [
        ("lee-c", "lee", true, true), ("kim-c", "lee", false, false), ("kim-d", "lee", true, false),
        ("kim-c", "eve", false, false), ("kim-d", "eve", true, false), ("lee-c", "eve", false, false),
        ("kim-c", "boss", true, true), ("kim-d", "boss", true, true), ("lee-c", "art", false, false),
        ("kim-d", "art", false, false),
      ] {
        let path = Self.path(route.pattern, evaluation: evaluation)
        // A batch says what it saw by itself.
        let tag = isRead || route.pattern.hasSuffix("/answers") ? [:] : ["If-Match": "\"99\""]
        let reply = try await panel.ask(who, route.method, path, body, fields: tag)
        let text = "\(who) \(route.method) \(path): \(reply.status) \(reply.text)"
        if who == "art" || who == "eve" && !isRead {
          #expect(reply.isProblem(403, "roleForbids"), "\(text)")
        } else if !isSeen {
          #expect(reply.isProblem(404, "notFound"), "\(text)")
        } else if isRead || isOwn {
          #expect(reply.status == 200 || !isRead && ![401, 403, 404].contains(reply.status), "\(text)")
        } else {
          #expect(reply.isProblem(403, "notYours"), "\(text)")
        }
      }
    }
  }

  @Test(arguments: [Role.admin, .author, .interviewer, .observer])
  func `another account's member finds nothing`(role: Role) async throws {
    let panel = try await Panel(visibility: "always")
    try await panel.open("lee")
    try await panel.submit("lee")
    panel.harness.api.takeOperatorToken("the-command-line")
    func token(_ name: String, _ role: Role) async throws -> [String: String] {
      let made = try await panel.harness.send(
        .post, "/v1/tokens?account=acme", #"{"name":"\#(name)","role":"\#(role.rawValue)"}"#,
        fields: APIHarness.bearer("the-command-line"))
      let secret: String = try #require(made.string("token"))
      return APIHarness.bearer(secret)
    }
    // The first token of an account is an admin's.
    let admin = try await token("first", .admin)
    let stranger = role == .admin ? admin : try await token("stranger", role)
    let letter = role == .admin ? "a" : role == .author ? "w" : role == .interviewer ? "i" : "o"
    for route in InterviewKitAPI.routes
    where route.pattern.contains("{") && !route.pattern.contains("{name}") && !route.pattern.hasPrefix("/assets") {
      // What is put there is new, and the account's own.
      if route.method == .put, !route.pattern.contains("answers") { continue }
      let path = Self.path(route.pattern, evaluation: "lee-c")
      let body =
        LeakTests.bodies["\(route.method) \(route.pattern)"] ?? Self.bodies[route.pattern] ?? "{}"
      let star = route.pattern.hasSuffix("/answers") ? [:] : ["If-Match": "*"]
      let reply = try await panel.harness.send(
        route.method, path, route.endpoint.body == .none ? nil : body, fields: stranger.merging(star) { $1 })
      if Self.table["\(route.method) \(route.pattern)"]?.contains(letter) == true {
        #expect(
          reply.status == 404 || route.method != .get && reply.status == 422, "\(route.method) \(path): \(reply.text)")
      } else {
        #expect(reply.isProblem(403, "roleForbids"), "\(route.method) \(path): \(reply.text)")
      }
      #expect(!reply.text.contains("an opinion") && !reply.text.contains("One?"))
    }
    for list in ["/v1/kits", "/v1/evaluations", "/v1/changes?kit=kit"] {
      if role == .author, list == "/v1/evaluations" { continue }
      #expect(try await panel.harness.send(.get, list, fields: stranger).count("items") == 0, "\(list)")
    }
  }

  /// Bodies for what is no evaluation's.
  private static let bodies: [String: String] = [
    "/v1/kits/{kitId}": #"{"title":"T"}"#, "/v1/kits/{kitId}/sections/{itemId}/move": #"{"after":null}"#,
    "/v1/kits/{kitId}/questions/{itemId}/move": #"{"after":null}"#, "/v1/members/{memberId}": #"{"name":"N"}"#,
    "/v1/kits/{kitId}/sections/{itemId}": #"{"title":"T"}"#, "/v1/kits/{kitId}/questions/{itemId}": #"{"text":"T"}"#,
  ]
}
