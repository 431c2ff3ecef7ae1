// Ten clients at once, for each kind of write: one has its effect, whether they repeat one request or compete.

import HTTP
import JSON
import Store
import Testing

@Suite struct RaceTests {
  /// One request that ten clients send.
  struct Race: Sendable, CustomTestStringConvertible {
    var name: String
    var method: HTTPMethod
    var target: String
    var body: String?
    /// Where competing clients say which state they saw.
    var ifMatch: String?
    /// Sent before the race.
    var before: [Step] = []
    /// The entries of the feed that one effect makes.
    var changes = 1
    /// The status of the one that had its effect, and those of the others when they compete.
    var status = 200
    var others: Set<Int> = [200]

    var testDescription: String { name }
  }

  struct Step: Sendable {
    var method: HTTPMethod
    var target: String
    var body: String?
    var fields: [String: String] = [:]
  }

  private static let clients = 10
  private static let reword = Step(
    method: .patch, target: "/v1/kits/kit/questions/q2", body: #"{"text":"Two, again?"}"#, fields: ["If-Match": "*"])

  static let races: [Race] = [
    Race(
      name: "create", method: .put, target: "/v1/evaluations/new", body: #"{"kitId":"kit","candidate":{"id":"c-2"}}"#,
      status: 201),
    Race(
      name: "first answer", method: .put, target: "/v1/evaluations/e/answers/q1", body: #"{"value":"@"}"#,
      status: 201, others: [428]),
    Race(
      name: "answer", method: .put, target: "/v1/evaluations/e/answers/q1", body: #"{"value":"@"}"#, ifMatch: "\"1\"",
      before: [Step(method: .put, target: "/v1/evaluations/e/answers/q1", body: #"{"value":"first"}"#)], others: [412]),
    Race(
      name: "batch", method: .patch, target: "/v1/evaluations/e/answers",
      body: #"{"operations":[{"operationId":"@","itemId":"q1","value":"@","ifRevision":0}]}"#),
    Race(name: "submit", method: .post, target: "/v1/evaluations/e/submit"),
    Race(
      name: "reopen", method: .post, target: "/v1/evaluations/e/reopen", body: #"{"reason":"@"}"#,
      before: [Step(method: .post, target: "/v1/evaluations/e/submit")]),
    Race(name: "withdraw", method: .post, target: "/v1/evaluations/e/withdraw"),
    Race(
      name: "move to a kit revision", method: .put, target: "/v1/evaluations/e/kitRevision",
      body: #"{"kitRevision":2}"#,
      ifMatch: "\"1\"", before: [reword]),
    Race(
      name: "move a question", method: .post, target: "/v1/kits/kit/questions/q3/move",
      body: #"{"sectionId":"s","after":null}"#, ifMatch: "\"1\""),
    Race(
      name: "copy a kit", method: .post, target: "/v1/kits/kit/copy", body: #"{"id":"copy"}"#, status: 201,
      others: [409]),
    Race(name: "copy a question", method: .post, target: "/v1/kits/kit/questions/q1/copy", status: 201, others: [201]),
    Race(
      name: "delete a question", method: .delete, target: "/v1/kits/kit/questions/q2", ifMatch: "\"1\"", status: 204,
      others: [404]),
    Race(
      name: "restore a question", method: .post, target: "/v1/kits/kit/questions/q2/restore",
      before: [Step(method: .delete, target: "/v1/kits/kit/questions/q2", fields: ["If-Match": "*"])]),
    Race(
      name: "delete a section", method: .delete, target: "/v1/kits/kit/sections/s", ifMatch: "\"1\"", changes: 4,
      status: 204, others: [404]),
    Race(
      name: "delete a kit", method: .delete, target: "/v1/kits/kit", ifMatch: "\"1\"", status: 204, others: [404]),
    Race(
      name: "restore a kit", method: .post, target: "/v1/kits/kit/restore",
      before: [Step(method: .delete, target: "/v1/kits/kit", fields: ["If-Match": "*"])]),
  ]

  private static func make(_ race: Race) async throws -> APIHarness {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: (1...3).map { #"{"id":"q\#($0)","type":"longText","text":"\#($0)?"}"# }.joined(separator: ","))
    try await harness.makeEvaluation()
    for step in race.before {
      let reply = try await harness.send(step.method, step.target, step.body, fields: step.fields)
      try #require(reply.status < 300, "\(reply.text)")
    }
    return harness
  }

  /// Sends the request ten times at once, with `@` as the client's own mark.
  private static func run(
    _ race: Race, on harness: APIHarness, fields: [String: String], mark: @escaping @Sendable (Int) -> String
  ) async throws -> [Reply] {
    try await withThrowingTaskGroup(of: Reply.self) { group in
      for client in 0..<clients {
        group.addTask {
          let body = race.body?.replacing("@", with: mark(client))
          let needsBody = body == nil && race.target.hasSuffix("reopen")
          return try await harness.send(race.method, race.target, needsBody ? "{}" : body, fields: fields)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: races) func `ten clients that repeat one request have one effect and hear the same`(
    _ race: Race
  ) async throws {
    let harness = try await Self.make(race)
    let before = harness.store.sequence
    var fields = ["Idempotency-Key": "race"]
    fields["If-Match"] = race.ifMatch
    let replies = try await Self.run(race, on: harness, fields: fields) { _ in "same" }
    #expect(replies.allSatisfy { $0.status == race.status }, "\(replies.map(\.status))")
    #expect(Set(replies.map(\.tag)).count == 1)
    #expect(harness.store.sequence == before + race.changes)
    // The feed's position in an evaluation is where its reader goes on, so it may be newer.
    let told = Set(replies.map { reply in reply.text.components(without: reply.string("sequence")) })
    #expect(told.count == 1, "\(told)")
    // Once more, much later: still the same.
    let again = try await Self.run(race, on: harness, fields: fields) { _ in "same" }
    #expect(again.allSatisfy { $0.status == race.status } && harness.store.sequence == before + race.changes)
  }

  @Test(arguments: races) func `of ten clients that compete one has its effect, and the others are told`(
    _ race: Race
  ) async throws {
    let harness = try await Self.make(race)
    let before = harness.store.sequence
    let fields = race.ifMatch.map { ["If-Match": $0] } ?? [:]
    let replies = try await Self.run(race, on: harness, fields: fields) { "client \($0)" }
    let isEach = race.name == "copy a question"
    #expect(harness.store.sequence == before + (isEach ? Self.clients : race.changes))
    #expect(Set(replies.map(\.status)).isSubset(of: race.others.union([race.status])), "\(replies.map(\.text))")
    if race.status != 200, !isEach, !race.others.contains(race.status) {
      #expect(replies.count { $0.status == race.status } == 1, "\(replies.map(\.status))")
    }
    if race.name == "batch" {
      #expect(replies.count { $0.int("results/0/status") == 201 } == 1)
      #expect(replies.count { $0.int("results/0/status") == 412 } == Self.clients - 1)
    }
    if race.others == [412] || race.name == "batch" {
      // Nine values lost, and each of them is kept.
      let history = try await harness.send(.get, "/v1/evaluations/e/answers/q1/history")
      let won = try #require(history.string("items/0/value"))
      let lost = (0..<(history.count("lostConflicts") ?? 0)).compactMap { history.string("lostConflicts/\($0)/value") }
      #expect(Set(lost + [won]) == Set((0..<Self.clients).map { "client \($0)" }) && lost.count == Self.clients - 1)
    }
    for reply in replies where reply.status >= 400 {
      #expect(reply.isProblem(reply.status, reply.string("code") ?? "?"))
    }
  }

  @Test func `a deleted question that ten restore finds its answers`() async throws {
    let race = try #require(Self.races.first { $0.name == "restore a question" })
    let harness = try await Self.make(
      Race(
        name: "", method: .get, target: "",
        before: [Step(method: .put, target: "/v1/evaluations/e/answers/q2", body: #"{"value":"kept"}"#)] + race.before))
    _ = try await Self.run(race, on: harness, fields: [:]) { _ in "" }
    let move = try await harness.send(
      .put, "/v1/evaluations/e/kitRevision", #"{"kitRevision":3}"#, fields: ["If-Match": "*"])
    #expect(move.string("answers/q2/value") == "kept" && move.count("retired") == 0, "\(move.text)")
  }
}

extension String {
  /// Without one piece of it.
  fileprivate func components(without piece: String?) -> String {
    piece.map { replacing($0, with: "") } ?? self
  }
}
