// What is left when the app, the service or both are killed: every answer that was typed, once.

import Foundation
import Glibc
import TestKit
import Testing

@testable import InterviewKitClient

/// Where in its work the app is killed.
enum Death: String, Codable, CaseIterable, Sendable {
  case beforeSending, afterSending, afterTheFirstAnswers
}

/// Sends as the app would, and kills the app at one point.
private struct DyingTransport: Transport {
  let inner: HTTPTransport
  let death: Death

  func send(_ request: ServiceRequest) async throws -> ServiceReply {
    if death == .beforeSending { die() }
    let reply = try await inner.send(request)
    if death == .afterSending { die() }
    return reply
  }

  func stream(_ request: ServiceRequest) -> AsyncThrowingStream<ServiceReply, any Error> { inner.stream(request) }

  /// No destructor runs, no buffer is written: the process is gone.
  private func die() { _ = Glibc.kill(getpid(), SIGKILL) }
}

@Suite struct CrashTests {
  private static let kit = """
    {"title":"Crash","sections":[{"id":"s","title":"All","questions":[
    {"id":"a","type":"longText","text":"A?"},{"id":"b","type":"yesNo","text":"B?"},
    {"id":"c","type":"number","text":"C?"},{"id":"d","type":"longText","text":"D?"}]}]}
    """
  private static let typed: [String: AnswerValue] = [
    "a": .text("typed before the crash, with ünïcödé and 한국어"), "b": .bool(true), "c": .number(2.5),
    "d": .text("the last word"),
  ]

  private func service() async throws -> RunningService {
    let service = try RunningService()
    try await service.put("/v1/kits/k", Self.kit)
    _ = try await InterviewKitClient(baseURL: service.url).createEvaluation(
      "e", of: "k", for: Candidate(id: "c", name: "Ada"))
    return service
  }

  /// The client's own file and address, in a process that ends by its own hand: what an app is when the system kills it.
  private static func type(into file: String, at address: String, dying death: Death) async throws {
    guard let url = URL(string: address) else { return }
    let client = InterviewKitClient(
      transport: DyingTransport(inner: HTTPTransport(baseURL: url), death: death), retries: .none)
    let outbox = try Outbox(file: URL(fileURLWithPath: file), client: client)
    for (item, value) in typed.sorted(by: { $0.key < $1.key }) where item != "d" {
      try await outbox.put(AnswerDraft(value), to: item, in: "e", seen: 0)
    }
    _ = try await outbox.drain()
    try await outbox.put(AnswerDraft(typed["d"]), to: "d", in: "e", seen: 0)
    _ = Glibc.kill(getpid(), SIGKILL)
  }

  @Test(arguments: Death.allCases)
  func `a killed app and a killed service lose no answer, and write none twice`(death: Death) async throws {
    let service = try await service()
    let folder = TemporaryFolder()
    let (file, address) = (folder.path + "/outbox.json", service.url.absoluteString)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [file = file as String, address = address as String, death = death as Death] in
      try await CrashTests.type(into: file, at: address, dying: death)
    }
    service.kill()
    let client = InterviewKitClient(baseURL: service.url, retries: .none)
    let outbox = try Outbox(file: URL(fileURLWithPath: file), client: client)
    let waiting = await outbox.entries.map(\.itemId).sorted()
    #expect(waiting == (death == .afterTheFirstAnswers ? ["d"] : ["a", "b", "c"]))
    await #expect(throws: ServiceError.self, "nobody is there") { try await outbox.drain() }
    try service.startAgain()
    // What the app had not taken from its user when it died can't be in the file.
    if death != .afterTheFirstAnswers { try await outbox.put(AnswerDraft(Self.typed["d"]), to: "d", in: "e", seen: 0) }
    _ = try await outbox.drain()
    #expect(await outbox.entries.isEmpty)
    #expect(await outbox.held.isEmpty)
    let answers = try await client.evaluation("e").answers
    #expect(answers.mapValues(\.value) == Self.typed)
    #expect(answers.values.allSatisfy { $0.revision == 1 }, "each answer was written once")
  }

  @Test func `a write and a stream go on by themselves when the service comes back`() async throws {
    let service = try await service()
    let patient = InterviewKitClient(
      baseURL: service.url, retries: .init(attempts: 12, pause: .milliseconds(50)))
    let position = try await patient.evaluation("e").sequence
    let events = patient.changeEvents(after: position, evaluation: "e")
    let viewport = Viewport(profile: "ios", widths: [375])
    _ = try await patient.putAnswer(AnswerDraft(.number(1)), to: "c", in: "e", seen: 0, viewport: viewport)
    var iterator = events.makeAsyncIterator()
    #expect(try await iterator.next()?.item == "c")
    service.kill()
    async let written = patient.putAnswer(AnswerDraft(.number(2)), to: "c", in: "e", seen: 1, viewport: viewport)
    try service.startAgain()
    #expect(try await written.answer.revision == 2)
    #expect(try await iterator.next()?.item == "c")
    #expect(try await patient.changes(after: position, evaluation: "e").items.map(\.revision) == [1, 2])
  }
}

extension ChangeEvent {
  fileprivate var item: String? { if case .change(let change, _) = self { change.itemId } else { nil } }
}
