// Limits of who asks, tickets, and pages of other origins, through the API.

import HTTP
import InterviewKits
import Store
import Testing

@testable import API

@Suite struct ThrottleTests {
  private func limits(members: String? = nil, addresses: String? = nil, wrongTokens: String? = nil) -> APILimits {
    var limits = APILimits()
    limits.memberRate = members.flatMap { RateLimit($0) }
    limits.addressRate = addresses.flatMap { RateLimit($0) }
    limits.wrongTokenRate = wrongTokens.flatMap { RateLimit($0) }
    return limits
  }

  @Test func `a member's flood is refused, and nobody else's requests are`() async throws {
    let harness = try APIHarness(limits: limits(members: "5/60"))
    let boss = try await harness.token(.admin, "boss")
    let lee = try await harness.token(.interviewer, "lee", by: boss)
    for left in [4, 3, 2, 1, 0] {
      let reply = try await harness.send(.get, "/v1/me", fields: APIHarness.bearer(lee))
      #expect(reply.status == 200)
      #expect(reply.field("RateLimit-Policy") == "\"member\";q=5;w=60")
      #expect(reply.field("RateLimit") == "\"member\";r=\(left);t=\((5 - left) * 12)")
    }
    let refused = try await harness.send(.get, "/v1/me", fields: APIHarness.bearer(lee))
    #expect(refused.isProblem(429, "tooManyRequests") && refused.field("Retry-After") == "12")
    #expect(refused.string("title") == "Too Many Requests" && refused.field("RateLimit") == "\"member\";r=0;t=12")
    #expect(try await harness.send(.get, "/v1/me", fields: APIHarness.bearer(boss)).status == 200)
  }

  @Test func `answers from memory are counted too`() async throws {
    let harness = try APIHarness(limits: limits(members: "20/60"))
    try await harness.makeKit()
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let statuses = try await repeated(25) { try await harness.send(.get, "/v1/kits/kit", fields: boss) }
    #expect(statuses.map(\.status) == Array(repeating: 200, count: 20) + Array(repeating: 429, count: 5))
    #expect(statuses[0].field("RateLimit") != nil, "the first one was not from memory")
    #expect(statuses[3].field("RateLimit-Policy") != nil && statuses[3].field("RateLimit") == nil)
    #expect(statuses[17].field("RateLimit") == "\"member\";r=2;t=54", "what is left is told when it is little")
  }

  @Test func `a repeated answer takes from its member's bucket, down to what is told`() throws {
    let limiter = RateLimiter(try #require(RateLimit("20/60")))
    let taken = (0..<30).count { _ in limiter.take("a", at: 0, reserve: limiter.plenty).isAdmitted }
    #expect(taken == 15)
    #expect(limiter.look("a", at: 0).remaining == 5)
  }

  @Test func `wrong tokens are slowed down, and right ones from the same address are not`() async throws {
    let harness = try APIHarness(limits: limits(wrongTokens: "3/60"))
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let wrong = APIHarness.bearer("ik_wrong")
    let replies = try await repeated(5) { try await harness.send(.get, "/v1/kits", fields: wrong) }
    #expect(replies.map(\.status) == [401, 401, 401, 429, 429])
    #expect(replies[4].field("Retry-After") == "20")
    #expect(try await harness.send(.get, "/v1/kits", fields: boss).status == 200)
    #expect(try await harness.send(.get, "/v1/kits").status == 401, "no token is no wrong one")
  }

  @Test(
    arguments: [
      ("10.0.0.1", 429), ("2001:db8::1", 429), ("unknown", 429), ("127.0.0.1", 200), ("::1", 200),
      (nil, 200),
    ]
      as [(String?, Int)])
  func `an address that is not this machine's is limited`(peer: String?, last: Int) async throws {
    let harness = try APIHarness(limits: limits(addresses: "2/60"))
    var head = try RequestHead.make(.get, "/v1/kits")
    head.peer = peer
    var statuses: [Int] = []
    for _ in 0..<3 {
      switch harness.api.admit(head, requestID: "r") {
      case .refuse(let response): statuses.append(response.status)
      case .accept: statuses.append(200)
      }
    }
    #expect(statuses == [200, 200, last])
    var options = try RequestHead.make(.options, "/v1/kits")
    options.peer = peer
    guard case .accept = harness.api.admit(options, requestID: "r") else {
      #expect(last == 429, "asking what is possible is counted like all else")
      return
    }
    #expect(last == 200)
    let health = try RequestHead.make(.get, "/healthz")
    guard case .accept = harness.api.admit(health, requestID: "r") else {
      Issue.record("health is asked for as often as need be")
      return
    }
  }

  @Test func `preflights are counted by address, and however that is spelt`() async throws {
    var limits = limits(addresses: "4/60")
    limits.crossOrigin = try #require(CrossOrigin(["https://app.example"]))
    let harness = try APIHarness(limits: limits)
    let fields = [Field("Origin", "https://app.example"), Field("Access-Control-Request-Method", "PUT")]
    var statuses: [Int] = []
    for peer in ["10.0.0.1", "::ffff:10.0.0.1", "0:0:0:0:0:ffff:a00:1", "::FFFF:a00:1", "10.0.0.1"] {
      let head = try RequestHead.make(.options, "/v1/kits/k", fields: fields, peer: peer)
      switch harness.api.admit(head, requestID: "r-1") {
      case .refuse(let response):
        statuses.append(response.status)
        #expect(Reply(response).isProblem(429, "tooManyRequests"))
        #expect(Reply(response).field("Access-Control-Allow-Origin") == "https://app.example")
      case .accept: statuses.append(200)
      }
    }
    #expect(statuses == [200, 200, 200, 200, 429])
  }

  @Test func `what is answered from memory is counted by address, too`() async throws {
    let harness = try APIHarness(limits: limits(members: "1000/60", addresses: "10/60"))
    try await harness.makeKit()
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    for _ in 0..<2 { #expect(try await harness.send(.get, "/v1/kits/kit", fields: boss).status == 200) }
    var head = try RequestHead.make(.get, "/v1/kits/kit", fields: boss.map { Field($0.key, $0.value) })
    guard case .accept(_, let mark) = harness.api.admit(head, requestID: "r") else { throw NotAdmitted() }
    head.mark = mark
    let standing = try #require(harness.api.answerFromMemory(head, requestID: "r")?.standing)
    #expect((0..<20).count { _ in standing.holds(for: "10.0.0.1") } == 10)
    #expect((0..<20).count { _ in standing.holds(for: "10.0.0.2") } == 10)
    #expect((0..<20).count { _ in standing.holds(for: "127.0.0.1") } == 20)
  }
  private struct NotAdmitted: Error {}

  @Test func `wrong tickets are slowed down like wrong tokens`() async throws {
    let harness = try APIHarness(limits: limits(wrongTokens: "3/60"))
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let stream = ["Accept": "text/event-stream"]
    let replies = try await repeated(5) {
      try await harness.send(.get, "/v1/changes?ticket=ikt_wrong", fields: stream)
    }
    #expect(replies.map(\.status) == [401, 401, 401, 429, 429])
    #expect(replies[4].isProblem(429, "tooManyRequests") && replies[4].field("Retry-After") == "20")
    #expect(try await harness.send(.get, "/v1/kits", fields: APIHarness.bearer("wrong")).status == 429)
    // A good one from the same address still opens its stream.
    let ticket = try #require(try await harness.send(.post, "/v1/tickets", fields: boss).string("ticket"))
    #expect(try await harness.send(.get, "/v1/changes?ticket=\(ticket)", fields: stream).status == 200)
  }

  @Test(arguments: ["revoked", "deactivated"]) func `a stream that a ticket opened ends with the token behind it`(
    end: String
  ) async throws {
    let harness = try APIHarness()
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let lee = APIHarness.bearer(
      try await harness.token(.observer, "lee", by: boss["Authorization"].map { String($0.dropFirst(7)) }))
    let id = try #require(try await harness.send(.get, "/v1/me", fields: lee).string("token/id"))
    var tickets: [String] = []
    for _ in 0..<2 {
      tickets.append(try #require(try await harness.send(.post, "/v1/tickets", fields: lee).string("ticket")))
    }
    let accept = ["Accept": "text/event-stream"]
    let stream = try #require(
      try await harness.send(.get, "/v1/changes?ticket=\(tickets[0])", fields: accept).response.stream)
    async let ended: Void = stream.produce(BodyWriter { _ in })
    let reply =
      end == "revoked"
      ? try await harness.send(.delete, "/v1/tokens/\(id)", fields: boss)
      : try await harness.send(
        .patch, "/v1/members/lee", #"{"active":false}"#, fields: boss.merging(["If-Match": "*"]) { $1 })
    #expect((200..<300).contains(reply.status), "\(reply.text)")
    try await ended
    // Nor does a ticket that was not used yet.
    #expect(try await harness.send(.get, "/v1/changes?ticket=\(tickets[1])", fields: accept).status == 401)
  }

  @Test func `a ticket opens one stream in place of a token`() async throws {
    let harness = try APIHarness()
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let made = try await harness.send(.post, "/v1/tickets", fields: boss)
    let ticket = try #require(made.string("ticket"))
    #expect(made.status == 201 && ticket.hasPrefix("ikt_") && made.field("Cache-Control") == "no-store")
    let stream = ["Accept": "text/event-stream"]
    for wrong in ["/v1/kits", "/v1/changes"] {
      let spent = try #require(try await harness.send(.post, "/v1/tickets", fields: boss).string("ticket"))
      #expect(try await harness.send(.get, "\(wrong)?ticket=\(spent)").status == 401, "for a stream of the feed only")
      #expect(
        try await harness.send(.get, "/v1/changes?ticket=\(spent)", fields: stream).status == 401, "and spent by that")
    }
    #expect(try await harness.send(.get, "/v1/changes?ticket=\(ticket)", fields: stream).status == 200)
    #expect(try await harness.send(.get, "/v1/changes?ticket=\(ticket)", fields: stream).status == 401, "used")
    #expect(try await harness.send(.post, "/v1/tickets").status == 401)
  }

  @Test func `a ticket ends after half a minute`() throws {
    let box = TicketBox()
    let digest = TokenDigest(of: "t".utf8.span)
    let end = try #require(box.put(digest, mark: 7, now: .init(milliseconds: 1_000)))
    #expect(end.milliseconds == 31_000)
    #expect(box.take(digest, now: .init(milliseconds: 31_000)) == nil)
    _ = box.put(digest, mark: 7, now: .init(milliseconds: 1_000))
    #expect(box.take(digest, now: .init(milliseconds: 30_999)) == 7)
    #expect(box.take(digest, now: .init(milliseconds: 30_999)) == nil)
  }

  @Test func `a token's waiting tickets take no other's room`() throws {
    let box = TicketBox()
    func put(_ number: Int, mark: Int, at milliseconds: Int) -> Bool {
      box.put(TokenDigest(of: "\(mark) \(number)".utf8.span), mark: mark, now: .init(milliseconds: milliseconds)) != nil
    }
    let limit = TicketBox.maximumCountOfToken
    #expect((0..<500).count { put($0, mark: 1, at: 0) } == limit)
    #expect((0..<500).count { put($0, mark: 2, at: 0) } == limit)
    // Those that have ended count no more.
    #expect(put(1_000, mark: 1, at: TicketBox.lifeMilliseconds))
    #expect(box.take(TokenDigest(of: "2 0".utf8.span), now: .init(milliseconds: 1)) == 2 && put(0, mark: 2, at: 1))
  }

  @Test func `a service without tokens refuses pages of other origins, and one with tokens does not ask`() async throws
  {
    var limits = APILimits()
    limits.crossOrigin = try #require(CrossOrigin(["https://app.example"]))
    let harness = try APIHarness(limits: limits)
    let evil = ["Origin": "https://evil.example", "Host": "127.0.0.1"]
    #expect(try await harness.send(.get, "/v1/kits", fields: evil).isProblem(403, "originForbidden"))
    #expect(try await harness.send(.post, "/v1/kits", "{}", fields: evil).isProblem(403, "originForbidden"))
    let app = ["Origin": "https://app.example", "Host": "127.0.0.1"]
    let shared = try await harness.send(.get, "/v1/kits", fields: app)
    #expect(shared.status == 200 && shared.field("Access-Control-Allow-Origin") == "https://app.example")
    let boss = APIHarness.bearer(try await harness.token(.admin, "boss"))
    let foreign = try await harness.send(.get, "/v1/kits", fields: evil.merging(boss) { $1 })
    #expect(foreign.status == 200 && foreign.field("Access-Control-Allow-Origin") == nil)
    let refused = try await harness.send(.get, "/v1/kits", fields: app)
    #expect(refused.status == 401 && refused.field("Access-Control-Allow-Origin") != nil, "the page can read why")
    let preflight = try await harness.send(
      .options, "/v1/kits/k", fields: app.merging(["Access-Control-Request-Method": "PUT"]) { $1 })
    #expect(preflight.status == 204 && preflight.field("Access-Control-Allow-Methods")?.contains("PUT") == true)
    for reply in [shared, refused, preflight] {
      // Browsers take no response that names the origin twice.
      let named = reply.response.fields.filter { $0.name == "Access-Control-Allow-Origin" }
      #expect(named.map(\.value) == ["https://app.example"])
    }
  }

  @Test func `every response says that its type is not to be guessed, and that shared caches keep out`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    for target in ["/v1/kits", "/v1/kits/kit", "/v1/kits/kit", "/v1/none", "/none", "/healthz", "/", "/openapi.json"] {
      let reply = try await harness.send(.get, target)
      #expect(
        reply.response.fields.count { $0.name == "X-Content-Type-Options" && $0.value == "nosniff" } == 1, "\(target)")
      #expect(reply.response.fields.count { $0.name == "Cache-Control" } == 1, "\(target)")
    }
    #expect(try await harness.send(.get, "/v1/kits/kit").field("Cache-Control") == "private, no-cache")
  }

  private func repeated(_ count: Int, _ send: () async throws -> Reply) async throws -> [Reply] {
    var replies: [Reply] = []
    for _ in 0..<count { replies.append(try await send()) }
    return replies
  }
}
