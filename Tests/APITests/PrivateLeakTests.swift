// Nothing that an outsider can ask differs between a world with private answers and one without them: revisions, tags,
// times and counts neither.

import HTTP
import InterviewKits
import JSON
import Testing

@testable import API

@Suite struct PrivateLeakTests {
  /// What becomes of an evaluation after its private answers were given.
  enum Plan: String, CaseIterable {
    /// It is submitted on the revision that says `private`.
    case stays
    /// It is moved to a revision in which the question is there, and not private.
    case moves
    /// It is moved to a revision without the question.
    case loses
    /// It is submitted, opened again, and submitted with other private answers.
    case reopens
  }

  private static let secret = LeakTests.secret

  /// Kim's evaluation `kim-c`, submitted, with a public answer, and with or without private ones.
  private static func world(_ plan: Plan, confiding: Bool) async throws -> Panel {
    let panel = try await Panel(visibility: "always", question: #""id":"q1","private":true"#)
    let shown = #"{"id":"q3","sectionId":"s","type":"yesNo","text":"Sure?","private":true}"#
    try await panel.ask("boss", .post, "/v1/kits/kit/questions", shown, wants: 201)
    let hanging =
      #"{"id":"q4","sectionId":"s","type":"longText","text":"Why?","visibleWhen":{"questionId":"q3","equals":true}}"#
    try await panel.ask("boss", .post, "/v1/kits/kit/questions", hanging, wants: 201)
    let base = "/v1/evaluations/kim-c"
    try await panel.ask("kim", .put, base, #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#, wants: 201)
    try await confide(panel, confiding, number: 1)
    try await panel.ask("kim", .put, base + "/answers/q2", #"{"value":"open"}"#, wants: 201)
    try await confide(panel, confiding, number: 2)
    let any = ["If-Match": "*"]
    switch plan {
    case .stays: break
    case .moves, .loses:
      for question in ["q1", "q3"] {
        let target = "/v1/kits/kit/questions/\(question)"
        try await panel.ask("boss", .patch, target, #"{"private":false}"#, wants: 200, fields: any)
      }
      if plan == .loses {
        for question in ["q4", "q3", "q1"] {
          try await panel.ask("boss", .delete, "/v1/kits/kit/questions/\(question)", wants: 204, fields: any)
        }
      }
      let newest = try #require(try await panel.ask("boss", .get, "/v1/kits/kit").int("revision"))
      try await panel.ask("kim", .put, base + "/kitRevision", #"{"kitRevision":\#(newest)}"#, wants: 200, fields: any)
    case .reopens:
      try await panel.submit("kim")
      try await panel.ask("kim", .post, base + "/reopen", #"{"reason":"r"}"#, wants: 200)
      try await confide(panel, confiding, number: 3)
    }
    // Stale, so that it is lost: the item's own revisions count no others.
    let stale = ["If-Match": "\"9\""]
    try await panel.ask("kim", .put, base + "/answers/q2", #"{"value":"lost"}"#, wants: 412, fields: stale)
    try await panel.submit("kim")
    let own = #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#
    try await panel.ask("lee", .put, "/v1/evaluations/lee-c", own, wants: 201)
    return panel
  }

  private static func confide(_ panel: Panel, _ confiding: Bool, number: Int) async throws {
    guard confiding else { return }
    let base = "/v1/evaluations/kim-c/answers"
    for (item, value) in [("q1", #""\#(secret) \#(number)""#), ("q3", "true"), ("q4", #""\#(secret) \#(number)""#)] {
      try await panel.ask("kim", .put, "\(base)/\(item)", #"{"value":\#(value)}"#, fields: ["If-Match": "*"])
    }
    let stale = ["If-Match": "\"0\"", "Idempotency-Key": "\(secret) \(number)"]
    try await panel.ask("kim", .put, base + "/q1", #"{"value":"\#(secret) lost"}"#, wants: 412, fields: stale)
    let batch = #"{"operations":[{"itemId":"q1","value":"\#(secret)","ifRevision":\#(number)}]}"#
    try await panel.ask("kim", .patch, base, batch, wants: 200)
  }

  @Test(arguments: Plan.allCases, ["lee", "eve"])
  func `every read is the same, bytes, tags and revisions`(plan: Plan, who: String) async throws {
    let (confiding, silent) = (
      try await Self.world(plan, confiding: true), try await Self.world(plan, confiding: false)
    )
    let identifiers = LeakTests.identifiers.merging(["itemId": ["q1", "q2", "q3", "q4"], "evaluationId": ["kim-c"]]) {
      $1
    }
    var asked = 0
    for route in InterviewKitAPI.routes where route.method == .get && route.pattern != "/metrics" {
      for (target, fields) in LeakTests.requests(of: route, identifiers) {
        for _ in 0..<2 {
          let one = try await LeakTests.shown(confiding.ask(who, .get, target, fields: fields))
          let other = try await LeakTests.shown(silent.ask(who, .get, target, fields: fields))
          #expect(one == other, "\(who) \(plan) \(target) \(fields)")
          #expect(!one.contains(Self.secret) || target.contains(Self.secret), "\(who) \(plan) \(target)")
          asked += 1
        }
      }
    }
    #expect(asked > 300)
    // The test is worth something: who may see it is told.
    for admitted in ["kim", "boss"] {
      #expect(try await confiding.ask(admitted, .get, "/v1/evaluations/kim-c").text.contains(Self.secret))
    }
    #expect(try await confiding.ask(who, .get, "/v1/evaluations/kim-c").string("answers/q2/value") == "open")
  }

  @Test(arguments: Plan.allCases, ["lee", "eve"])
  func `every write, overlay and stream is the same`(plan: Plan, who: String) async throws {
    let (confiding, silent) = (
      try await Self.world(plan, confiding: true), try await Self.world(plan, confiding: false)
    )
    for route in InterviewKitAPI.routes where route.method != .get && route.pattern.contains("{evaluationId}") {
      let body = LeakTests.bodies["\(route.method) \(route.pattern)"]
      let identifiers = ["evaluationId": ["kim-c"], "itemId": ["q1", "q2", "q3", "q4"]]
      let view = route.pattern.hasSuffix("/layout") ? "?profile=ios&width=300" : ""
      for path in LeakTests.paths(route.pattern, identifiers) {
        let one = try await LeakTests.shown(confiding.ask(who, route.method, path + view, body))
        let other = try await LeakTests.shown(silent.ask(who, route.method, path + view, body))
        #expect(one == other && !one.contains(Self.secret), "\(who) \(route.method) \(path)")
      }
    }
    let streamed = try await LeakTests.events(of: confiding, for: who)
    #expect(try await LeakTests.events(of: silent, for: who) == streamed)
    let answered = { (item: String) in
      streamed.contains(#""kind":"answer.changed","kitId":"kit","evaluationId":"kim-c","itemId":"\#(item)""#)
    }
    #expect(answered("q2") && !answered("q1") && !answered("q4"))
  }

  @Test func `a new answer after the move is told, and the private ones before it are not`() async throws {
    let panel = try await Self.world(.moves, confiding: true)
    try await panel.ask("kim", .post, "/v1/evaluations/kim-c/reopen", #"{"reason":"r"}"#, wants: 200)
    let path = "/v1/evaluations/kim-c/answers/q1"
    try await panel.ask("kim", .put, path, #"{"value":"for all"}"#, wants: 200, fields: ["If-Match": "*"])
    try await panel.submit("kim")
    for who in ["lee", "eve"] {
      let answer = try await panel.ask(who, .get, path, wants: 200)
      #expect(answer.string("value") == "for all" && answer.int("revision") == 1 && answer.tag == "\"1-told\"")
      let history = try await panel.ask(who, .get, path + "/history", wants: 200)
      #expect(history.count("items") == 1 && history.count("lostConflicts") == 0)
      #expect(!history.text.contains(Self.secret))
    }
    #expect(try await panel.ask("kim", .get, path + "/history").count("items") ?? 0 > 3)
    for type in ["application/json", "text/csv", "text/markdown"] {
      let all = try await panel.ask("lee", .get, "/v1/kits/kit/evaluations", wants: 200, fields: ["Accept": type])
      let text = try await LeakTests.shown(all)
      #expect(text.contains("for all") && !text.contains(Self.secret), "\(type)")
    }
  }

  @Test func `who has handed an evaluation over sees what others see of it`() async throws {
    let panel = try await Panel(visibility: "always", question: #""id":"q1","private":true"#)
    try await panel.open("kim", secret: Self.secret)
    let away = #"{"interviewer":{"id":"lee"}}"#
    try await panel.ask("boss", .patch, "/v1/evaluations/kim-c", away, wants: 200, fields: ["If-Match": "*"])
    try await panel.ask("lee", .put, "/v1/evaluations/kim-c/answers/q2", #"{"value":"open"}"#, wants: 201)
    try await panel.ask("lee", .post, "/v1/evaluations/kim-c/submit", wants: 200)
    for target in ["", "/answers", "/answers/q1", "/answers/q1/history"] {
      let reply = try await panel.ask("kim", .get, "/v1/evaluations/kim-c\(target)", wants: 200)
      #expect(!reply.text.contains(Self.secret), "\(target)")
    }
    #expect(try await panel.ask("lee", .get, "/v1/evaluations/kim-c/answers/q1").text.contains(Self.secret))
  }
}
