// Nothing that an outsider can ask differs between a world with a hidden evaluation and one without it.

import HTTP
import InterviewKits
import JSON
import Testing

@testable import API

@Suite struct LeakTests {
  static let secret = "zebra"

  /// Both worlds have the outsiders' own evaluations; one has a colleague's draft as well, full of the secret word.
  private static func world(hiding: Bool, from who: String = "lee") async throws -> Panel {
    let panel = try await Panel(question: #""id":"q1","required":true"#)
    if hiding {
      try await panel.open("kim", secret: secret)
      let base = "/v1/evaluations/kim-c"
      let stale = ["If-Match": "\"9\"", "Idempotency-Key": secret]
      try await panel.ask("kim", .put, base + "/answers/q1", #"{"value":"lost \#(secret)"}"#, wants: 412, fields: stale)
      let batch = #"{"operations":[{"operationId":"1","itemId":"q2","value":"\#(secret)","comment":"\#(secret)"}]}"#
      try await panel.ask("kim", .patch, base + "/answers", batch, wants: 200)
      // An observer would have seen it meanwhile.
      if who != "eve" {
        try await panel.submit("kim")
        try await panel.ask("kim", .post, base + "/reopen", #"{"reason":"\#(secret)"}"#, wants: 200)
      }
      try await panel.open("kim", candidate: "d", secret: secret)
    }
    try await panel.open("lee", secret: "mine")
    try await panel.open("lee", candidate: "d", secret: "mine")
    try await panel.submit("lee", candidate: "d")
    return panel
  }

  static let identifiers: [String: [String]] = [
    "kitId": ["kit"], "evaluationId": ["kim-c", "lee-c", "none"], "itemId": ["q1", "s"], "revision": ["1"],
    "name": ["ios"], "memberId": ["kim"], "tokenId": ["none"], "candidateId": ["c", "none"],
    "file": ["app.js"], "sha256": ["0"], "index": ["0"],
  ]
  private static let values: [String: [String]] = [
    "limit": ["1", "200"], "cursor": ["none"], "q": [secret, "Kit"], "status": ["draft", "submitted", "active"],
    "deleted": ["true"], "from": ["1"], "to": ["1"], "kit": ["kit"], "candidate": ["c", "none"],
    "interviewer": ["kim", "me"], "include": ["kit", "kit,layout"], "parts": ["true"], "all": ["true"], "since": ["0"],
    "ticket": ["none"],
    "evaluation": ["kim-c", "lee-c"], "profile": ["web"], "width": ["200,300"], "contentSize": ["large"],
    "fontScale": ["1"], "scale": ["2"], "locale": ["ko"], "slots": ["a:1"], "account": ["other"], "coverage": ["true"],
    "member": ["kim"],
  ]
  /// Bodies that the routes of an evaluation accept.
  static let bodies: [String: String] = [
    "PATCH /v1/evaluations/{evaluationId}": #"{"candidate":{"name":"C"}}"#,
    "POST /v1/evaluations/{evaluationId}/submit": "{}",
    "POST /v1/evaluations/{evaluationId}/reopen": #"{"reason":"r"}"#,
    "PUT /v1/evaluations/{evaluationId}/kitRevision": #"{"kitRevision":1}"#,
    "PATCH /v1/evaluations/{evaluationId}/answers": #"{"operations":[{"itemId":"q1","value":"x"}]}"#,
    "PUT /v1/evaluations/{evaluationId}/answers/{itemId}": #"{"value":"x"}"#,
    "PATCH /v1/evaluations/{evaluationId}/answers/{itemId}": #"{"value":"x"}"#,
    "POST /v1/evaluations/{evaluationId}/layout": #"{"values":{"q1":"x"}}"#,
  ]

  static func paths(_ pattern: String, _ identifiers: [String: [String]] = identifiers) -> [String] {
    var paths = [""]
    for segment in pattern.split(separator: "/") {
      let name = segment.hasPrefix("{") ? String(segment.dropFirst().dropLast()) : nil
      let choices = name.map { identifiers[$0] ?? ["no sample of \($0)"] } ?? [String(segment)]
      paths = paths.flatMap { path in choices.map { "\(path)/\($0)" } }
    }
    return paths.map { $0.isEmpty ? "/" : $0 }
  }

  /// All that a route can be asked: each parameter by itself, each type.
  static func requests(
    of route: Route<Endpoint>, _ identifiers: [String: [String]] = identifiers
  ) -> [(target: String, fields: [String: String])] {
    let view = route.pattern.hasSuffix("/layout") ? "profile=ios&width=300" : ""
    var queries = [view]
    for name in route.endpoint.query where !(view + " ").contains(name + "=") {
      for value in values[name] ?? ["no-sample-of-\(name)"] {
        queries.append([view, "\(name)=\(value)"].filter { !$0.isEmpty }.joined(separator: "&"))
      }
      if name == "include" { queries.append("include=kit,layout&profile=ios&width=300,500&parts=true") }
    }
    return paths(route.pattern, identifiers).flatMap { path in
      queries.flatMap { query in
        route.endpoint.offers.filter { $0 != .eventStream }.map { type in
          (query.isEmpty ? path : "\(path)?\(query)", ["Accept": type.description])
        }
      }
    }
  }

  static func masked(_ text: String) -> String {
    text.replacing(/"sequence":("[^"]*"|[0-9]+)/, with: "sequence").replacing(/"nextCursor":"[^"]*"/, with: "cursor")
      .replacing(/\nid: [^\n]*/, with: "\nid")
      .replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "uuid").replacing(/"ticket":"[^"]*"/, with: "ticket")
  }

  static func shown(_ reply: Reply) async throws -> String {
    var text = reply.text
    if let stream = reply.response.stream {
      let collected = Collected()
      try await stream.produce(BodyWriter { bytes in await collected.add(bytes) })
      text = await String(decoding: collected.bytes, as: UTF8.self)
    }
    let fields = reply.response.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    return masked("\(reply.status)\n\(fields)\n\n\(text)")
  }

  actor Collected {
    var bytes: [UInt8] = []
    func add(_ more: [UInt8]) { bytes += more }
  }

  @Test(arguments: ["lee", "eve", "art"])
  func `every read is the same`(who: String) async throws {
    let (hiding, bare) = (try await Self.world(hiding: true, from: who), try await Self.world(hiding: false))
    var asked = 0
    for route in InterviewKitAPI.routes where route.method == .get && route.pattern != "/metrics" {
      for (target, fields) in Self.requests(of: route) {
        #expect(!target.contains("sample"), "\(target)")
        // Twice: once read, once from memory.
        for _ in 0..<2 {
          let one = try await Self.shown(hiding.ask(who, .get, target, fields: fields))
          let other = try await Self.shown(bare.ask(who, .get, target, fields: fields))
          #expect(one == other, "\(who) \(target) \(fields)")
          #expect(!one.contains(Self.secret) || target.contains(Self.secret), "\(who) \(target)")
          asked += 1
        }
      }
    }
    #expect(asked > 200)
  }

  @Test(arguments: ["lee", "eve", "art"])
  func `every write to it is the same`(who: String) async throws {
    let (hiding, bare) = (try await Self.world(hiding: true, from: who), try await Self.world(hiding: false))
    for route in InterviewKitAPI.routes where route.method != .get && route.pattern.contains("{evaluationId}") {
      // That an ID can't be had twice can't be hidden; what the reply says is another test's.
      if route.method == .put && route.pattern == "/v1/evaluations/{evaluationId}" { continue }
      let body = Self.bodies["\(route.method) \(route.pattern)"]
      let view = route.pattern.hasSuffix("/layout") ? "?profile=ios&width=300" : ""
      for path in Self.paths(route.pattern) where path.contains("kim-c") {
        for fields in [[:], ["If-Match": "*"], ["If-Match": "\"1\""], ["Idempotency-Key": Self.secret]] {
          let one = try await Self.shown(hiding.ask(who, route.method, path + view, body, fields: fields))
          let other = try await Self.shown(bare.ask(who, route.method, path + view, body, fields: fields))
          #expect(one == other, "\(who) \(route.method) \(path) \(fields)")
          #expect(["400", "403", "404"].contains { one.hasPrefix($0) }, "\(who) \(route.method) \(path): \(one)")
        }
      }
    }
  }

  /// Bodies that the routes of everything else accept.
  private static let otherBodies: [String: String] = [
    "POST /v1/kits": #"{"title":"New"}"#, "PUT /v1/kits/{kitId}": #"{"title":"Kit","sections":[]}"#,
    "PATCH /v1/kits/{kitId}": #"{"title":"Other"}"#, "POST /v1/kits/{kitId}/sections": #"{"title":"More"}"#,
    "PUT /v1/kits/{kitId}/sections/{itemId}": #"{"title":"T"}"#,
    "PATCH /v1/kits/{kitId}/sections/{itemId}": #"{"title":"S2"}"#,
    "POST /v1/kits/{kitId}/sections/{itemId}/move": #"{"after":null}"#,
    "POST /v1/kits/{kitId}/questions": #"{"sectionId":"s","type":"yesNo","text":"New?"}"#,
    "PUT /v1/kits/{kitId}/questions/{itemId}": #"{"type":"longText","text":"One, anew?"}"#,
    "PATCH /v1/kits/{kitId}/questions/{itemId}": #"{"text":"One, reworded?"}"#,
    "POST /v1/kits/{kitId}/questions/{itemId}/move": #"{"after":null}"#,
    "POST /v1/evaluations": #"{"kitId":"kit","candidate":{"id":"c"}}"#,
    "POST /v1/measure": #"{"profile":"ios","mode":"label","width":200,"texts":[{"id":"a","text":"mine"}]}"#,
    "PUT /v1/profiles/{name}": #"{"extends":"web"}"#, "POST /v1/members": #"{"name":"M","role":"observer"}"#,
    "PATCH /v1/members/{memberId}": #"{"name":"N"}"#, "POST /v1/tokens": #"{"name":"T","role":"observer"}"#,
  ]

  @Test(arguments: ["lee", "eve", "art"])
  func `every write to anything else is the same`(who: String) async throws {
    let (hiding, bare) = (try await Self.world(hiding: true, from: who), try await Self.world(hiding: false))
    let writes = InterviewKitAPI.routes.filter { $0.method != .get && !$0.pattern.contains("{evaluationId}") }
    var accepted = 0
    // What deletes comes last: before it, there is something to write to.
    for route in writes.filter({ $0.method != .delete }) + writes.filter({ $0.method == .delete }) {
      let body = route.endpoint.body == .none ? nil : Self.otherBodies["\(route.method) \(route.pattern)"] ?? "{}"
      for path in Self.paths(route.pattern) {
        for fields in [[:], ["If-Match": "*"], ["If-Match": "\"1\"", "Idempotency-Key": path]] {
          let one = try await hiding.ask(who, route.method, path, body, fields: fields)
          let other = try await bare.ask(who, route.method, path, body, fields: fields)
          let texts = (try await Self.shown(one), try await Self.shown(other))
          #expect(texts.0 == texts.1, "\(who) \(route.method) \(path) \(fields)")
          #expect(!texts.0.contains(Self.secret), "\(who) \(route.method) \(path)")
          accepted += one.status < 300 ? 1 : 0
        }
      }
    }
    #expect(accepted > (who == "art" ? 20 : who == "lee" ? 4 : 2), "\(accepted)")
  }

  @Test(arguments: ["lee", "eve", "art"], ["/v1/evaluations", "/v1/kits", "/v1/changes"])
  func `lists and deltas have as many pages`(who: String, list: String) async throws {
    if who == "art", list == "/v1/evaluations" { return }
    func pages(_ panel: Panel) async throws -> Int {
      var (count, cursor): (Int, String?) = (0, nil)
      repeat {
        let next = cursor.map { "&cursor=\($0)" } ?? ""
        cursor = try await panel.ask(who, .get, "\(list)?limit=1\(next)", wants: 200).string("nextCursor")
        count += 1
      } while cursor != nil
      return count
    }
    #expect(try await pages(Self.world(hiding: true, from: who)) == pages(Self.world(hiding: false)))
  }

  @Test(arguments: ["lee", "eve"])
  func `streams tell the same`(who: String) async throws {
    let one = try await Self.events(of: Self.world(hiding: true, from: who), for: who)
    let other = try await Self.events(of: Self.world(hiding: false), for: who)
    #expect(one == other && one.contains(#""kitId":"last""#))
  }

  /// What a stream from the beginning tells somebody, masked.
  static func events(of panel: Panel, for who: String) async throws -> String {
    let fields = ["Accept": "text/event-stream"]
    let reply = try await panel.ask(who, .get, "/v1/changes?since=0&profile=ios&width=300", fields: fields)
    let stream = try #require(reply.response.stream)
    // Everybody is told of kits: this one ends the comparison.
    try await panel.ask("boss", .put, "/v1/kits/last", #"{"title":"Last"}"#, wants: 201)
    let collected = Collected()
    try? await stream.produce(
      BodyWriter { bytes throws(StreamEnded) in
        await collected.add(bytes)
        if String(decoding: bytes, as: UTF8.self).contains(#""kitId":"last""#) { throw StreamEnded() }
      })
    return await masked(String(decoding: collected.bytes, as: UTF8.self))
  }
}
