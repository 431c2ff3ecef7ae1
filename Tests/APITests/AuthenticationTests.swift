// Tokens: who is let in, where a token may stand, and what becomes of a revoked one.

import API
import HTTP
import InterviewKits
import JSON
import Store
import Testing

@Suite struct AuthenticationTests {
  private static func send(_ harness: APIHarness, _ authorization: String?, _ target: String = "/v1/kits") async throws
    -> Reply
  {
    try await harness.send(.get, target, fields: authorization.map { ["Authorization": $0] } ?? [:])
  }

  @Test(arguments: [
    (HTTPMethod.post, "/v1/tokens", #"{"name":"evil","role":"admin"}"#),
    (.post, "/v1/members", #"{"name":"evil","role":"admin"}"#), (.patch, "/v1/members/lee", #"{"role":"admin"}"#),
    (.post, "/v1/candidates/c/erase", ""), (.put, "/v1/kits/k", #"{"title":"K","language":"en","sections":[]}"#),
  ])
  func `a role that is taken while the body comes is not had any more`(
    method: HTTPMethod, target: String, body: String
  ) async throws {
    let harness = try APIHarness()
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let lee = try await harness.token(.admin, "lee", by: boss["Authorization"].map { String($0.dropFirst(7)) })
    let fields = [
      Field("Authorization", "Bearer \(lee)"), Field("Content-Type", "application/json"), Field("If-Match", "*"),
    ]
    var head = try RequestHead.make(method, target, fields: fields)
    guard case .accept(_, let mark) = harness.api.admit(head, requestID: "r-1") else {
      Issue.record("an admin is not admitted")
      return
    }
    head.mark = mark
    let members = try await harness.send(.get, "/v1/members", fields: boss)
    let place = try #require((0..<2).first { members.string("items/\($0)/name") == "lee" })
    let id = try #require(members.string("items/\(place)/id"))
    let demoted = try await harness.send(
      .patch, "/v1/members/\(id)", #"{"role":"observer"}"#, fields: boss.merging(["If-Match": "*"]) { $1 })
    #expect(demoted.status == 200)
    let reply = Reply(await harness.api.answer(Request(head: head, body: Array(body.utf8), requestID: "r-1")))
    #expect(reply.isProblem(403, "roleForbids"), "\(reply.text)")
  }

  @Test func `while no token exists everybody is the built-in admin, and from the first on nobody is`() async throws {
    let harness = try APIHarness()
    let open = try await Self.send(harness, nil, "/v1/me")
    #expect(open.string("id") == "anonymous" && open.string("role") == "admin" && open["open"] == .bool(true))
    #expect(open["token"] == .null)
    // In open mode a token that means nothing does no harm.
    #expect(try await Self.send(harness, "Bearer whatever").status == 200)
    let token = try await harness.token(.admin, "boss")
    let refused = try await Self.send(harness, nil)
    #expect(refused.isProblem(401, "unauthorized"))
    #expect(refused.field("WWW-Authenticate") == "Bearer realm=\"interviewkit\"")
    let me = try await Self.send(harness, "Bearer \(token)", "/v1/me")
    #expect(me.string("id") == "boss" && me.string("role") == "admin" && me["open"] == .bool(false))
    #expect(me.string("token/name") == "boss" && me.string("accountId") == "default")
    #expect(!me.text.contains(token))
  }

  @Test func `the scheme's word is taken in any case, the token as it is`() async throws {
    let harness = try APIHarness()
    let token = try await harness.token(.admin, "boss")
    #expect(token.hasPrefix("ik_") && token.utf8.count == 46)
    for scheme in ["Bearer", "bearer", "BEARER"] {
      #expect(try await Self.send(harness, "\(scheme) \(token)").status == 200, "\(scheme)")
    }
    let wrong = [
      "Bearer \(token.lowercased())", "Bearer \(token.dropLast())", "Bearer \(token)x", "Basic \(token)", "Bearer",
      "Bearer \(token) \(token)", token,
    ]
    for value in wrong {
      let reply = try await Self.send(harness, value)
      #expect(reply.isProblem(401, "unauthorized"), "\(value)")
      #expect(reply.field("WWW-Authenticate")?.hasPrefix("Bearer realm=\"interviewkit\", error=") == true)
    }
  }

  @Test(arguments: ["/v1/kits", "/v1/nothing", "/nothing", "/openapi.json", "/metrics", "/v1/measure", "/v1/me"])
  func `nothing is told without a token`(target: String) async throws {
    let harness = try APIHarness()
    _ = try await harness.token(.admin, "boss")
    for method in [HTTPMethod.get, .post, .delete] {
      // 401 goes before 404, 405, 415 and everything that is wrong with the body.
      let reply = try await harness.send(method, target, method == .post ? "[[[" : nil, type: "text/odd")
      #expect(reply.isProblem(401, "unauthorized"), "\(method) \(target)")
    }
  }

  @Test(arguments: ["/healthz", "/readyz", "/version"])
  func `what tells that the service is alive needs none`(target: String) async throws {
    let harness = try APIHarness()
    _ = try await harness.token(.admin, "boss")
    #expect(try await harness.send(.get, target).status == 200)
    #expect(try await harness.send(.get, target).status == 200)
  }

  @Test func `a token in the address is refused whether or not it is taken`() async throws {
    let harness = try APIHarness()
    #expect(try await harness.send(.get, "/v1/kits?token=x").isProblem(400, "tokenInAddress"))
    let token = try await harness.token(.admin, "boss")
    for target in [
      "/v1/kits?token=\(token)", "/v1/kits?Access_Token=x", "/v1/kits?q=\(token)", "/v1/kits/\(token)",
      "/v1/kits/x\(token)", "/v1/kits?q=Bearer%20\(token)", "/v1/kits?\(token)", "/v1/kits?q=a;b=%22\(token)",
    ] {
      let anonymous = try await harness.send(.get, target)
      #expect(anonymous.isProblem(401, "tokenInAddress"), "\(target)")
      #expect(!anonymous.text.contains(token) && anonymous.field("WWW-Authenticate") != nil)
      let known = try await harness.send(.get, target, fields: APIHarness.bearer(token))
      #expect(known.isProblem(400, "tokenInAddress") && !known.text.contains(token), "\(target)")
    }
  }

  @Test func `a token in the authority or in Host is one in the address`() async throws {
    let harness = try APIHarness()
    let token = try await harness.token(.admin, "boss")
    let given = APIHarness.bearer(token)
    let absolute = try await harness.send(.get, "http://\(token).localhost/v1/me", fields: given)
    #expect(absolute.isProblem(400, "tokenInAddress") && !absolute.text.contains(token))
    #expect(try await harness.send(.get, "http://\(token).localhost/v1/me").isProblem(401, "tokenInAddress"))
    let named = try await harness.send(.get, "/v1/me", fields: given.merging(["Host": "\(token).localhost"]) { $1 })
    #expect(named.isProblem(400, "tokenInAddress") && !named.text.contains(token))
    #expect(try await harness.send(.get, "http://localhost/v1/me", fields: given).status == 200)
  }

  @Test func `the first token of another account is an admin's, too`() async throws {
    let harness = try APIHarness()
    _ = try await harness.token(.admin, "boss")
    harness.api.takeOperatorToken("the-command-line")
    let fields = APIHarness.bearer("the-command-line")
    func make(_ role: Role) async throws -> Reply {
      let body = #"{"name":"x","role":"\#(role.rawValue)"}"#
      return try await harness.send(.post, "/v1/tokens?account=acme", body, fields: fields)
    }
    for role in Role.allCases where role != .admin {
      #expect(try await make(role).isProblem(409, "firstTokenIsAdmins"))
    }
    #expect(try await harness.send(.get, "/v1/members?account=acme", fields: fields).count("items") == 0)
    #expect(try await make(.admin).status == 201)
    #expect(try await make(.observer).status == 201)
  }

  @Test func `the first token is an admin's, and the last admin stays one`() async throws {
    let harness = try APIHarness()
    for role in Role.allCases where role != .admin {
      let reply = try await harness.send(.post, "/v1/tokens", #"{"name":"x","role":"\#(role.rawValue)"}"#)
      #expect(reply.isProblem(409, "firstTokenIsAdmins"))
    }
    #expect(try await harness.send(.get, "/v1/members").count("items") == 0)
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let patch = { (id: String, body: String) in
      try await harness.send(.patch, "/v1/members/\(id)", body, fields: boss.merging(["If-Match": "*"]) { $1 })
    }
    #expect(try await patch("boss", #"{"role":"observer"}"#).isProblem(409, "lastAdmin"))
    #expect(try await patch("boss", #"{"active":false}"#).isProblem(409, "lastAdmin"))
    _ = try await harness.token(.admin, "second", by: boss["Authorization"].map { String($0.dropFirst(7)) })
    #expect(try await patch("boss", #"{"role":"observer"}"#).status == 200)
    #expect(try await harness.send(.get, "/v1/members", fields: boss).isProblem(403, "roleForbids"))
  }

  @Test func `an admin's last token is revoked by the command line alone`() async throws {
    let harness = try APIHarness()
    harness.api.takeOperatorToken("the-command-lines-own-token")
    let line = APIHarness.bearer("the-command-lines-own-token")
    let secret = try await harness.token(.admin, "boss")
    let boss = APIHarness.bearer(secret)
    let id = try #require(try await harness.send(.get, "/v1/me", fields: boss).string("token/id"))
    #expect(try await harness.send(.delete, "/v1/tokens/\(id)", fields: boss).isProblem(409, "lastAdmin"))
    // Another token of the same admin will do, and then that is the last one.
    let second = try await harness.token(.admin, "boss", by: secret)
    #expect(try await harness.send(.delete, "/v1/tokens/\(id)", fields: boss).status == 204)
    #expect(try await harness.send(.get, "/v1/me", fields: boss).status == 401)
    let last = try #require(
      try await harness.send(.get, "/v1/me", fields: APIHarness.bearer(second)).string("token/id"))
    let refused = try await harness.send(.delete, "/v1/tokens/\(last)", fields: APIHarness.bearer(second))
    #expect(refused.isProblem(409, "lastAdmin"))
    #expect(try harness.store.accountsWithoutAdmin(now: Timestamp(milliseconds: 0)).isEmpty)
    #expect(try await harness.send(.delete, "/v1/tokens/\(last)", fields: line).status == 204)
    // Closed to everybody but the command line, and told of.
    #expect(try harness.store.accountsWithoutAdmin(now: Timestamp(milliseconds: 0)).map(\.string) == ["default"])
    for fields in [[:], boss, APIHarness.bearer(second)] {
      #expect(try await harness.send(.get, "/v1/kits", fields: fields).isProblem(401, "unauthorized"))
      #expect(
        try await harness.send(.post, "/v1/tokens", #"{"name":"x","role":"admin"}"#, fields: fields).status == 401)
    }
    #expect(
      try await harness.send(.post, "/v1/tokens", #"{"name":"new","role":"admin"}"#, fields: line).status == 201)
    #expect(try harness.store.accountsWithoutAdmin(now: Timestamp(milliseconds: 0)).isEmpty)
  }

  @Test func `the first token is of an active admin`() async throws {
    let harness = try APIHarness()
    let star = ["If-Match": "*"]
    #expect(try await harness.send(.post, "/v1/members", #"{"id":"m","role":"observer"}"#).status == 201)
    #expect(try await harness.send(.patch, "/v1/members/m", #"{"active":false}"#, fields: star).status == 200)
    #expect(try await harness.send(.patch, "/v1/members/m", #"{"role":"admin"}"#, fields: star).status == 200)
    let token = #"{"name":"t","memberId":"m"}"#
    #expect(try await harness.send(.post, "/v1/tokens", token).isProblem(409, "firstTokenIsAdmins"))
    #expect(try await harness.send(.patch, "/v1/members/m", #"{"active":true}"#, fields: star).status == 200)
    #expect(try await harness.send(.post, "/v1/tokens", token).status == 201)
  }

  @Test func `what is let in while the service is open writes nothing once it is not`() async throws {
    let harness = try APIHarness()
    let type = Field("Content-Type", "application/json")
    var heads: [RequestHead] = []
    for _ in 0..<8 {
      var head = try RequestHead.make(.post, "/v1/tokens", fields: [type])
      guard case .accept(_, let mark) = harness.api.admit(head, requestID: "r-1") else {
        Issue.record("an open service takes everybody")
        return
      }
      head.mark = mark
      heads.append(head)
    }
    let replies = await withTaskGroup(of: Reply.self) { group in
      for (number, head) in heads.enumerated() {
        let body = Array(#"{"name":"n\#(number)","role":"admin"}"#.utf8)
        group.addTask { Reply(await harness.api.answer(Request(head: head, body: body, requestID: "r-1"))) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(replies.count { $0.status == 201 } == 1)
    #expect(replies.count { $0.isProblem(401, "unauthorized") && $0.field("WWW-Authenticate") != nil } == 7)
    let secret = try #require(replies.first { $0.status == 201 }?.string("token"))
    let boss = APIHarness.bearer(secret)
    #expect(try await harness.send(.get, "/v1/tokens", fields: boss).count("items") == 1)
    #expect(try await harness.send(.get, "/v1/members", fields: boss).count("items") == 1)
  }

  @Test func `a name is one name however its letters are composed`() async throws {
    let harness = try APIHarness()
    let boss = try await harness.token(.admin, "boss")
    func make(_ name: String, role: String = "interviewer") async throws -> Reply {
      try await harness.send(
        .post, "/v1/tokens", #"{"name":"\#(name)","role":"\#(role)"}"#, fields: APIHarness.bearer(boss))
    }
    let composed = try await make("Jos\u{E9} \u{AC15}")
    let decomposed = try await make("Jose\u{301} \u{1100}\u{1161}\u{11BC}")
    #expect(composed.status == 201 && decomposed.status == 201)
    #expect(composed.string("memberId") == decomposed.string("memberId"))
    // Each is given back as it was sent.
    #expect(decomposed.text.contains("Jose\u{301}") && Array(decomposed.text.utf8) != Array(composed.text.utf8))
    #expect(decomposed.string("name")?.unicodeScalars.contains("\u{301}") == true)
    for other in ["Jose \u{AC15}", "jos\u{E9} \u{AC15}", "Jos\u{E9}  \u{AC15}"] {
      #expect(try await make(other).string("memberId") != composed.string("memberId"), "\(other)")
    }
    let observer = try await make("Jose\u{301} \u{AC15}", role: "observer")
    #expect(observer.string("memberId") != composed.string("memberId"), "a role of its own is a member of its own")
  }

  @Test func `a member is found again by name and role, and a token is shown once`() async throws {
    let harness = try APIHarness()
    let boss = try await harness.token(.admin, "boss")
    let fields = APIHarness.bearer(boss).merging(["Idempotency-Key": "k"]) { $1 }
    let body = #"{"name":"Lee Seo-yeon","role":"interviewer"}"#
    let first = try await harness.send(.post, "/v1/tokens", body, fields: fields)
    let again = try await harness.send(.post, "/v1/tokens", body, fields: fields)
    #expect(first.status == 201 && again.status == 201 && again["token"] == .null)
    #expect(first.string("id") == again.string("id") && first.string("memberId") == again.string("memberId"))
    let second = try await harness.send(.post, "/v1/tokens", body, fields: APIHarness.bearer(boss))
    #expect(second.string("memberId") == first.string("memberId") && second.string("id") != first.string("id"))
    let list = try await harness.send(.get, "/v1/tokens", fields: APIHarness.bearer(boss))
    let secret = try #require(first.string("token"))
    #expect(list.count("items") == 3 && !list.text.contains(secret) && !list.text.contains("digest"))
    for body in [#"{"name":"x"}"#, #"{"name":"x","role":"admin","memberId":"boss"}"#] {
      let reply = try await harness.send(.post, "/v1/tokens", body, fields: APIHarness.bearer(boss))
      #expect(reply.errors == ["/memberId ambiguousMember"])
    }
    let past = #"{"name":"x","role":"admin","expiresAt":"2020-01-01T00:00:00Z"}"#
    let reply = try await harness.send(.post, "/v1/tokens", past, fields: APIHarness.bearer(boss))
    #expect(reply.errors == ["/expiresAt inThePast"])
  }

  @Test func `a revoked token is refused at once, and its streams end`() async throws {
    let harness = try APIHarness()
    let boss = try await harness.token(.admin, "boss")
    let other = try await harness.token(.observer, "other", by: boss)
    let id = try #require(
      try await harness.send(.get, "/v1/me", fields: APIHarness.bearer(other)).string("token/id"))
    let fields = APIHarness.bearer(other).merging(["Accept": "text/event-stream"]) { $1 }
    let stream = try #require(try await harness.send(.get, "/v1/changes", fields: fields).response.stream)
    async let ended: Void = stream.produce(BodyWriter { _ in })
    let revoke = try await harness.send(.delete, "/v1/tokens/\(id)", fields: APIHarness.bearer(boss))
    #expect(revoke.status == 204)
    try await ended
    #expect(try await Self.send(harness, "Bearer \(other)").isProblem(401, "unauthorized"))
    #expect(try await harness.send(.delete, "/v1/tokens/\(id)", fields: APIHarness.bearer(boss)).status == 204)
    #expect(try await harness.send(.delete, "/v1/tokens/none", fields: APIHarness.bearer(boss)).status == 404)
    // A token whose member is not active is no token either, and is one again when the member comes back.
    let third = try await harness.token(.observer, "third", by: boss)
    let star = APIHarness.bearer(boss).merging(["If-Match": "*"]) { $1 }
    for (isActive, status) in [("false", 401), ("true", 200)] {
      let patch = try await harness.send(.patch, "/v1/members/third", #"{"active":\#(isActive)}"#, fields: star)
      #expect(patch.status == 200)
      let reply = try await Self.send(harness, "Bearer \(third)")
      #expect(reply.status == status)
      #expect((reply.string("detail")?.contains("or its member is not active") ?? false) == (status == 401))
    }
  }

  @Test func `what is repeated by the bytes of its head stands until tokens change`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    var tokens: [String?] = [nil]
    for name in ["boss", "other"] { tokens.append(try await harness.token(.admin, name, by: tokens.last ?? nil)) }
    func standing(_ token: String?, _ target: String) async throws -> (any Standing)? {
      let fields = APIHarness.bearer(token)
      _ = try await harness.send(.get, target, fields: fields)
      var head = try RequestHead.make(.get, target, fields: fields.map { Field($0.key, $0.value) })
      guard case .accept(_, let mark) = harness.api.admit(head, requestID: "r-1") else { return nil }
      head.mark = mark
      return harness.api.answerFromMemory(head, requestID: "r-1")?.standing
    }
    let kit = try #require(try await standing(tokens[1], "/v1/kits/kit"))
    let health = try #require(try await standing(nil, "/healthz"))
    #expect(kit.holds(for: nil) && health.holds(for: nil))
    let id = try #require(
      try await harness.send(.get, "/v1/me", fields: APIHarness.bearer(tokens[1])).string("token/id"))
    _ = try await harness.send(.delete, "/v1/tokens/\(id)", fields: APIHarness.bearer(tokens[2]))
    #expect(!kit.holds(for: nil))
    #expect(try await standing(tokens[1], "/v1/kits/kit") == nil)
    #expect(try await standing(nil, "/healthz")?.holds(for: nil) == true)
    // An open service's answers end with the first token.
    let open = try APIHarness()
    try await open.makeKit()
    _ = try await open.send(.get, "/v1/kits/kit")
    let head = try RequestHead.make(.get, "/v1/kits/kit")
    let answer = try #require(open.api.answerFromMemory(head, requestID: "r-1")?.standing)
    #expect(answer.holds(for: nil))
    _ = try await open.token(.admin, "boss")
    #expect(!answer.holds(for: nil) && open.api.answerFromMemory(head, requestID: "r-1") == nil)
  }

  @Test func `other accounts are walled off`() async throws {
    let harness = try APIHarness()
    harness.api.takeOperatorToken("the-command-lines-own-token")
    let own = try await harness.token(.admin, "boss")
    let line = APIHarness.bearer("the-command-lines-own-token")
    let made = try await harness.send(
      .post, "/v1/tokens?account=acme", #"{"name":"boss","role":"admin"}"#, fields: line)
    let foreign = try #require(made.string("token"), "\(made.text)")
    try #require(
      try await harness.send(.put, "/v1/kits/k", #"{"title":"Own"}"#, fields: APIHarness.bearer(own)).status == 201)
    // Read twice, so that it is answered from memory, for each account.
    for _ in 0..<2 {
      #expect(try await harness.send(.get, "/v1/kits/k", fields: APIHarness.bearer(own)).status == 200)
      #expect(try await harness.send(.get, "/v1/kits/k", fields: APIHarness.bearer(foreign)).status == 404)
    }
    let put = try await harness.send(.put, "/v1/kits/k", #"{"title":"Theirs"}"#, fields: APIHarness.bearer(foreign))
    #expect(put.status == 201)
    for _ in 0..<2 {
      #expect(try await harness.send(.get, "/v1/kits/k", fields: APIHarness.bearer(own)).string("title") == "Own")
      #expect(
        try await harness.send(.get, "/v1/kits/k", fields: APIHarness.bearer(foreign)).string("title") == "Theirs")
    }
    #expect(try await harness.send(.get, "/v1/members", fields: APIHarness.bearer(own)).count("items") == 1)
    let other = try await harness.send(.get, "/v1/members?account=acme", fields: APIHarness.bearer(own))
    #expect(other.isProblem(403, "otherAccount"))
    #expect(try await harness.send(.get, "/v1/members?account=acme", fields: line).count("items") == 1)
  }
}
