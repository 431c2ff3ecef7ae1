// /v1/changes as a stream of events.

import HTTP
import JSON
import Locks
import Store
import Testing

@testable import API

@Suite struct ChangeStreamTests {
  static let accept = ["Accept": "text/event-stream"]

  @Test func `a stream tells each change once, in order, from where its reader was`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let screen = try await harness.send(.get, "/v1/evaluations/e")
    let since = try #require(screen.string("sequence"))
    try await write(harness, "before")
    let stream = try await EventReader(harness, "/v1/changes?since=\(since)")
    #expect(stream.reply.status == 200 && stream.reply.field("Content-Type") == "text/event-stream")
    #expect(stream.reply.field("Cache-Control") == "no-cache" && stream.reply.field("X-Accel-Buffering") == "no")
    #expect(try await stream.next().int("sequence") == 3)
    for number in 4...6 {
      try await write(harness, "value \(number)")
      let event = try await stream.next()
      #expect(event.int("sequence") == number && event.string("kind") == "answer.changed")
      #expect(!event.text.contains("value"))
    }
    let last = try #require(stream.lastID)
    await stream.close()
    // The line was cut, and changes went on.
    for number in 7...9 { try await write(harness, "value \(number)") }
    let again = try await EventReader(harness, "/v1/changes", ["Last-Event-ID": last])
    for number in 7...9 { #expect(try await again.next().int("sequence") == number) }
    await again.close()
  }

  @Test func `a cursor of another life is told to start afresh, once, and goes on`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    for foreign in ["other-1", "99"] {
      let stream = try await EventReader(harness, "/v1/changes?since=1", ["Last-Event-ID": foreign])
      let reset = try await stream.next()
      #expect(reset.name == "reset" && reset.string("sequence") == stream.lastID)
      try await write(harness, "after \(foreign)")
      #expect(try await stream.next().string("kind") == "answer.changed")
      await stream.close()
    }
    let refused = try await harness.send(
      .get, "/v1/changes", fields: ["Accept": "text/event-stream", "Last-Event-ID": "x"])
    #expect(refused.isProblem(400, "invalidLastEventId"))
  }

  @Test func `a stream looks at moments of its own, whatever woke it`() {
    let period = Duration.milliseconds(ChangeStreamLimits.lookMilliseconds)
    for microseconds in [0, 1, 7_000, 19_999, 20_000, 20_001, 3_600_000_000] {
      let age = Duration.microseconds(microseconds)
      let pause = ChangeReader.pause(after: age)
      #expect(pause > .zero && pause <= period, "\(age)")
      #expect(ChangeReader.pause(after: age + pause) == period, "\(age): the next moment is a whole number of periods")
    }
  }

  @Test func `a beat moves no resume point, and others' changes wake a filtered reader in vain`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation("e")
    try await harness.makeEvaluation("f")
    let stream = try await EventReader(harness, "/v1/changes?evaluation=f&since=0")
    #expect(try await stream.next().int("sequence") == 3)
    let last = stream.lastID
    harness.store.feedSignal.tick()
    #expect(try await stream.next().isComment && stream.lastID == last)
    try await write(harness, "of another evaluation")
    harness.store.feedSignal.tick()
    #expect(try await stream.next().isComment && stream.lastID == last)
    _ = try await harness.send(.put, "/v1/evaluations/f/answers/q1", #"{"value":"x"}"#)
    #expect(try await stream.next().string("evaluationId") == "f")
    await stream.close()
  }

  @Test func `with a viewport an answer's event carries its row's new height`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let viewport = "profile=ios&width=375&scale=3"
    let stream = try await EventReader(harness, "/v1/changes?\(viewport)")
    let text = String(repeating: "many words that wrap ", count: 12)
    try await write(harness, text)
    let event = try await stream.next()
    let layout = try await harness.send(.get, "/v1/evaluations/e/layout?\(viewport)")
    #expect(event.string("layouts/0/changed/0/id") == "q1")
    #expect(event.double("layouts/0/changed/0/height") == layout.double("rows/1/height"))
    #expect(event.double("layouts/0/contentHeight") == layout.double("contentHeight"))
    #expect(event.string("layouts/0/fingerprint") == layout.string("fingerprint"))
    await stream.close()
    let bad = try await harness.send(.get, "/v1/changes?profile=ios&width=-1", fields: Self.accept)
    #expect(bad.status == 422)
  }

  @Test func `many readers get everything once while many write`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let (readers, writers, writes) = (50, 8, 20)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<readers {
        let stream = try await EventReader(harness, "/v1/changes")
        group.addTask { () async throws in
          for expected in 3..<(3 + writers * writes) {
            let sequence = try await stream.next().int("sequence")
            #expect(sequence == expected)
          }
          await stream.close()
        }
      }
      for writer in 0..<writers {
        group.addTask { for number in 0..<writes { try await write(harness, "\(writer) \(number)") } }
      }
      try await group.waitForAll()
    }
    #expect(harness.store.feedSignal.waitingCount == 0)
  }

  private func write(_ harness: APIHarness, _ text: String) async throws {
    let reply = try await harness.send(
      .put, "/v1/evaluations/e/answers/q1", #"{"value":"\#(text)"}"#, fields: ["If-Match": "*"])
    #expect(reply.status < 300, "\(reply.text)")
  }
}

/// One event or comment of a stream.
struct StreamEvent {
  var text: String
  var id: String?
  var name: String?
  var data: Reply

  var isComment: Bool { text.hasPrefix(":") }
  func string(_ path: String) -> String? { data.string(path) }
  func int(_ path: String) -> Int? { data.int(path) }
  func double(_ path: String) -> Double? { data.double(path) }
}

/// Reads a stream as a client does.
final class EventReader: Sendable {
  struct Ended: Error {}

  let reply: Reply
  private let task: Task<Void, any Error>
  private let state = Lock((rest: [UInt8](), lastID: String?.none))
  private let pieces: Pieces

  /// Opens the stream and takes its first line.
  /// - Parameter gate: passed by each piece.
  init(
    _ harness: APIHarness, _ target: String, _ fields: [String: String] = [:], gate: Gate? = nil
  ) async throws {
    reply = try await harness.send(.get, target, fields: fields.merging(["Accept": "text/event-stream"]) { $1 })
    let pieces = Pieces()
    self.pieces = pieces
    guard let stream = reply.response.stream else { throw Ended() }
    task = Task {
      defer { pieces.finish() }
      try await stream.produce(
        BodyWriter { bytes throws(StreamEnded) in
          await gate?.pass()
          pieces.append(bytes)
        })
    }
    _ = try await next()
  }

  var lastID: String? { state.withLock { $0.lastID } }

  func next() async throws -> StreamEvent {
    while true {
      let block: [UInt8]? = state.withLock { state in
        guard
          let end = state.rest.indices.dropFirst().first(where: { state.rest[$0] == 10 && state.rest[$0 - 1] == 10 })
        else { return nil }
        defer { state.rest.removeFirst(end + 1) }
        return Array(state.rest[...end])
      }
      if let block {
        let text = String(decoding: block, as: UTF8.self)
        func value(_ field: String) -> String? {
          text.split(separator: "\n").first { $0.hasPrefix("\(field): ") }.map { String($0.dropFirst(field.count + 2)) }
        }
        if let id = value("id") { state.withLock { $0.lastID = id } }
        let data = Reply(Response(status: 200, body: Array((value("data") ?? "null").utf8)))
        return StreamEvent(text: text, id: value("id"), name: value("event"), data: data)
      }
      guard let piece = await pieces.next() else { throw Ended() }
      state.withLock { $0.rest += piece }
    }
  }

  func close() async {
    task.cancel()
    _ = await task.result
  }
}

/// Pieces from a producer to one consumer.
private final class Pieces: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var isFinished = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  func append(_ bytes: [UInt8]) { wake { $0.pieces.append(bytes) } }
  func finish() { wake { $0.isFinished = true } }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func next() async -> [UInt8]? {
    while true {
      let (piece, isFinished) = state.withLock { ($0.pieces.isEmpty ? nil : $0.pieces.removeFirst(), $0.isFinished) }
      if piece != nil || isFinished { return piece }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.pieces.isEmpty || state.isFinished { return true }
          state.waiting = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
