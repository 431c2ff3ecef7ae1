// A reader that does not keep up is let go at a stated backlog, and comes back for what it missed.

import API
import HTTP
import JSON
import Store
import Testing

@Suite struct SlowReaderTests {
  @Test func `a reader that has fallen too far behind is let go, and resumes with each change once, in order`()
    async throws
  {
    var limits = APILimits()
    limits.backlogChanges = 40
    let harness = try APIHarness(limits: limits)
    try await harness.makeKit()
    try await harness.makeEvaluation()
    func write(_ count: Int) async throws {
      for _ in 0..<count {
        let body = #"{"value":"\#(harness.store.sequence)"}"#
        let reply = try await harness.send(.put, "/v1/evaluations/e/answers/q1", body, fields: ["If-Match": "*"])
        try #require(reply.status < 300, "\(reply.text)")
      }
    }
    let gate = Gate()
    let stream = try await EventReader(harness, "/v1/changes", gate: gate)
    try await write(1)
    #expect(try await stream.next().int("sequence") == 3)
    // From now on the reader takes nothing more.
    await gate.close()
    try await write(1)
    await gate.arrival()
    try await write(limits.backlogChanges + 10)
    await gate.open()
    #expect(try await stream.next().int("sequence") == 4)
    await #expect(throws: EventReader.Ended.self) { _ = try await stream.next() }
    #expect(harness.store.feedSignal.waitingCount == 0)
    let last = try #require(stream.lastID)
    // It is as far behind as before, and yet it is served: what it missed is read from what is kept.
    let again = try await EventReader(harness, "/v1/changes", ["Last-Event-ID": last])
    for sequence in 5...harness.store.sequence { #expect(try await again.next().int("sequence") == sequence) }
    try await write(1)
    #expect(try await again.next().int("sequence") == harness.store.sequence)
    await again.close()
  }

  @Test func `a reader that is slow, and within its backlog, gets everything`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let gate = Gate()
    let stream = try await EventReader(harness, "/v1/changes", gate: gate)
    await gate.close()
    for number in 0..<300 {
      _ = try await harness.send(
        .put, "/v1/evaluations/e/answers/q1", #"{"value":"\#(number)"}"#, fields: ["If-Match": "*"])
    }
    await gate.open()
    for sequence in 3..<303 { #expect(try await stream.next().int("sequence") == sequence) }
    await stream.close()
  }
}

/// Holds up who passes while it is closed.
actor Gate {
  private var isClosed = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []

  func close() { isClosed = true }

  func open() {
    isClosed = false
    for one in waiting { one.resume() }
    waiting = []
  }

  func pass() async {
    while isClosed {
      for watcher in watchers { watcher.resume() }
      watchers = []
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Returns when somebody waits before the closed gate.
  func arrival() async {
    if waiting.isEmpty { await withCheckedContinuation { watchers.append($0) } }
  }
}
