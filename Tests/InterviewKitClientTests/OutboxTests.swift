// What was typed survives lost replies, crashes and refusals, and reaches the service once.

import Foundation
import Locks
import TestKit
import Testing

@testable import InterviewKitClient

/// Keeps answers as the service does, as far as an outbox can tell, and loses what it is told to lose.
final class ScriptedService: Transport {
  enum Fault { case lostRequest, lostReply }

  private struct State {
    var answers: [String: (value: AnswerValue?, revision: Int)] = [:]
    var outcomes: [String: (status: Int, revision: Int, value: AnswerValue?)] = [:]
    var faults: [Fault] = []
    var isSubmitted = false
    var requests: [[String]] = []
    var seen: [Int?] = []
  }

  private let state = Lock(State())

  func fail(_ faults: Fault...) { state.withLock { $0.faults = faults } }
  func submit() { state.withLock { $0.isSubmitted = true } }
  func overwrite(_ item: String, _ value: AnswerValue) {
    state.withLock { $0.answers[item] = (value, ($0.answers[item]?.revision ?? 0) + 1) }
  }
  func answer(_ item: String) -> AnswerValue? { state.withLock { $0.answers[item]?.value } }
  func revision(_ item: String) -> Int { state.withLock { $0.answers[item]?.revision ?? 0 } }
  /// The operations of each request that arrived.
  var requests: [[String]] { state.withLock { $0.requests } }
  /// What each of these operations said to have seen.
  var seen: [Int?] { state.withLock { $0.seen } }

  private struct Operation: Decodable {
    let operationId: String
    let itemId: String
    let value: AnswerValue?
    let ifRevision: Int?
  }

  func send(_ request: ServiceRequest) async throws -> ServiceReply {
    struct Body: Decodable { let operations: [Operation] }
    let operations = try JSONDecoder().decode(Body.self, from: request.body ?? Data()).operations
    let (results, fault) = state.withLock { state in
      let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      if fault == .lostRequest { return ("", fault) }
      state.requests.append(operations.map(\.operationId))
      state.seen += operations.map(\.ifRevision)
      return (operations.map { Self.run($0, &state) }.joined(separator: ","), fault)
    }
    if fault != nil { throw URLError(.networkConnectionLost) }
    return ServiceReply(status: 200, body: Data("{\"results\":[\(results)],\"layouts\":[]}".utf8))
  }

  private static func run(_ operation: Operation, _ state: inout State) -> String {
    if state.outcomes[operation.operationId] == nil {
      let revision = state.answers[operation.itemId]?.revision ?? 0
      let status = state.isSubmitted ? 409 : (operation.ifRevision ?? 0) != revision ? 412 : 200
      if status == 200 { state.answers[operation.itemId] = (operation.value, revision + 1) }
      let now = state.answers[operation.itemId]
      if status == 200 {
        state.outcomes[operation.operationId] = (status, now?.revision ?? 0, now?.value)
      } else {
        let problem = "{\"status\":\(status),\"code\":\"c\",\"title\":\"t\",\"detail\":\"d\"}"
        return "{\"operationId\":\"\(operation.operationId)\",\"status\":\(status),\"problem\":\(problem)}"
      }
    }
    let outcome = state.outcomes[operation.operationId]!
    let value = String(decoding: (try? JSONEncoder().encode(outcome.value)) ?? Data(), as: UTF8.self)
    let answer =
      "{\"itemId\":\"\(operation.itemId)\",\"value\":\(value),\"notAssessed\":false,\"revision\":\(outcome.revision)}"
    return "{\"operationId\":\"\(operation.operationId)\",\"status\":200,\"answer\":\(answer)}"
  }

  func stream(_ request: ServiceRequest) -> AsyncThrowingStream<ServiceReply, any Error> { .init { $0.finish() } }
}

@Suite struct OutboxTests {
  private let folder: TemporaryFolder
  private let service = ScriptedService()

  init() { folder = TemporaryFolder() }

  private func outbox() throws -> Outbox {
    let client = InterviewKitClient(transport: service, retries: .none)
    return try Outbox(file: URL(fileURLWithPath: folder.path + "/outbox.json"), client: client)
  }

  @Test func `what was put is on disk and outlives the app`() async throws {
    try await outbox().put(AnswerDraft(.text("typed")), to: "q", in: "e", seen: 0)
    let later = try outbox()
    #expect(await later.entries.map(\.draft.value) == [.text("typed")])
    #expect(try await later.drain().count == 1)
    #expect(service.answer("q") == .text("typed"))
    #expect(await later.entries.isEmpty)
    #expect(await (try outbox()).entries.isEmpty)
  }

  @Test func `a lost reply is asked for again, and is written once`() async throws {
    let box = try outbox()
    try await box.put(AnswerDraft(.text("one")), to: "q", in: "e", seen: 0)
    service.fail(.lostReply)
    await #expect(throws: ServiceError.self) { try await box.drain() }
    // The app crashes, and the outbox is opened again.
    let again = try outbox()
    try await again.put(AnswerDraft(.text("one and two")), to: "q", in: "e", seen: 0)
    #expect(await again.entries.count == 2, "the first may have arrived: it stays as it is")
    #expect(try await again.drain().count == 2)
    #expect(service.answer("q") == .text("one and two"))
    #expect(service.revision("q") == 2)
    #expect(service.requests[0] == service.requests[1], "the same operation under the same ID")
  }

  @Test func `typing that was not sent is replaced by newer typing`() async throws {
    let box = try outbox()
    for text in ["a", "ab", "abc"] { try await box.put(AnswerDraft(.text(text)), to: "q", in: "e", seen: 0) }
    #expect(await box.entries.count == 1)
    service.fail(.lostRequest)
    await #expect(throws: ServiceError.self) { try await box.drain() }
    #expect(try await box.drain().count == 1)
    #expect(service.answer("q") == .text("abc"))
    #expect(service.revision("q") == 1)
  }

  @Test func `a conflict is held with the newest text until the app decides`() async throws {
    service.overwrite("q", .text("theirs"))
    let box = try outbox()
    try await box.put(AnswerDraft(.text("mine")), to: "q", in: "e", seen: 0)
    try await box.put(AnswerDraft(.bool(true)), to: "other", in: "e", seen: 0)
    let outcomes = try await box.drain()
    #expect(outcomes.count == 2)
    #expect(service.answer("other") == .bool(true), "a conflict holds nothing else back")
    let again = try outbox()
    let held = try #require(await again.held.first)
    #expect(held.problem.status == 412 && held.entry.draft.value == .text("mine"))
    try await again.resolve(held, with: AnswerDraft(.text("both")), seen: 1)
    _ = try await again.drain()
    #expect(service.answer("q") == .text("both"))
    #expect(await again.held.isEmpty)
  }

  @Test func `a first write says that it saw nothing`() async throws {
    let box = try outbox()
    try await box.put(AnswerDraft(.text("first")), to: "q", in: "e", seen: 0)
    _ = try await box.drain()
    #expect(
      service.seen == [0], "so that an answer of another device is a conflict, and not a write without a condition")
  }

  @Test func `what this outbox has written is no conflict with what is typed on it`() async throws {
    let box = try outbox()
    for text in ["one", "one two"] {
      try await box.put(AnswerDraft(.text(text)), to: "q", in: "e", seen: 0)
      _ = try await box.drain()
    }
    // The app has not taken the outcomes over: it still says what it saw at the beginning.
    try await box.put(AnswerDraft(.text("one two three")), to: "q", in: "e", seen: 0)
    try await box.put(AnswerDraft(.text("other")), to: "q", in: "e2", seen: 0)
    #expect(await box.entries.map(\.seen) == [2, 0])
    _ = try await box.drain()
    #expect(service.answer("q") == .text("one two three"))
  }

  @Test func `what another device wrote after this outbox is a conflict`() async throws {
    let box = try outbox()
    try await box.put(AnswerDraft(.text("mine")), to: "q", in: "e", seen: 0)
    _ = try await box.drain()
    service.overwrite("q", .text("theirs"))
    for seen in [0, 1] {
      try await box.put(AnswerDraft(.text("mine, more")), to: "q", in: "e", seen: seen)
      _ = try await box.drain()
    }
    #expect(service.answer("q") == .text("theirs"))
    #expect(await box.held.map(\.problem.status) == [412, 412])
  }

  @Test func `ending a conflict with a text is one step on the disk`() async throws {
    service.overwrite("q", .text("theirs"))
    let box = try outbox()
    try await box.put(AnswerDraft(.text("mine")), to: "q", in: "e", seen: 0)
    _ = try await box.drain()
    let held = try #require(await box.held.first)
    // What stands in the way of the file's next version.
    let next = folder.path + "/outbox.json.new"
    try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: false)
    await #expect(throws: (any Error).self) { try await box.resolve(held, with: AnswerDraft(.text("both")), seen: 1) }
    #expect(await box.held == [held])
    #expect(await box.entries.isEmpty)
    try FileManager.default.removeItem(atPath: next)
    try await box.resolve(held, with: AnswerDraft(.text("both")), seen: 1)
    let again = try outbox()
    #expect(await again.held.isEmpty)
    #expect(await again.entries.map(\.draft.value) == [.text("both")])
  }

  @Test func `what comes after the submit is held, not lost`() async throws {
    service.submit()
    let box = try outbox()
    try await box.put(AnswerDraft(.text("late")), to: "q", in: "e", seen: 0)
    _ = try await box.drain()
    #expect(await (try outbox()).held.map(\.entry.draft.value) == [.text("late")])
    #expect(await (try outbox()).held.map(\.problem.status) == [409])
  }

  @Test func `many answers go out in batches of 500`() async throws {
    let box = try outbox()
    for index in 0..<501 { try await box.put(AnswerDraft(.number(Double(index))), to: "q\(index)", in: "e", seen: 0) }
    #expect(try await box.drain().count == 501)
    #expect(service.requests.map(\.count) == [500, 1])
    #expect(service.answer("q500") == .number(500))
  }

  @Test func `a file that can't be read is not thrown away`() throws {
    let path = folder.path + "/outbox.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: (any Error).self) { try outbox() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("{".utf8))
  }

  @Test func `random faults, crashes and typing never lose or double an answer`() async throws {
    var random = SeededGenerator(seed: 3)
    var typed: [String: String] = [:]
    var box = try outbox()
    for step in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        let item = "q\(Int.random(in: 0..<4, using: &random))"
        typed[item] = "\(item) \(step)"
        try await box.put(AnswerDraft(.text("\(item) \(step)")), to: item, in: "e", seen: service.revision(item))
      case 3:
        service.fail(Bool.random(using: &random) ? .lostRequest : .lostReply)
        _ = try? await box.drain()
      case 4: box = try outbox()
      default: _ = try? await box.drain()
      }
    }
    service.fail()
    _ = try await box.drain()
    #expect(await box.held.isEmpty)
    for (item, text) in typed { #expect(service.answer(item) == .text(text)) }
    let operations = Set(service.requests.flatMap { $0 })
    let revisions = (0..<4).map { service.revision("q\($0)") }.reduce(0, +)
    #expect(revisions == operations.count, "each operation made one revision")
  }
}
