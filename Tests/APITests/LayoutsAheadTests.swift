// Layouts on the writer's heels: computed before anybody asks, encoded at the first read, copied afterwards.

import API
import HTTP
import JSON
import RowLayout
import Testing

struct LayoutsAheadTests {
  private static let view = "/v1/evaluations/e/layout?profile=ios&width=375"

  @Test func `a changed answer is laid out before the next read, in the viewports that were seen`() async throws {
    let harness = try await harness()
    let ahead = harness.api.layoutsAhead
    let first = try await harness.send(.get, Self.view)
    _ = try await harness.send(.get, Self.view + "&scale=2")
    ahead.catchUp()
    #expect(ahead.figures == LayoutsAhead.Figures())
    let text = String(repeating: "a long answer ", count: 30)
    _ = try await harness.send(.put, "/v1/evaluations/e/answers/q1", #"{"value":"\#(text)"}"#)
    ahead.catchUp()
    #expect(ahead.figures.prepared == 2 && ahead.figures.waiting == 0)
    let before = harness.layouts.counts
    let read = try await harness.send(.get, Self.view)
    #expect(read.double("contentHeight") ?? 0 > first.double("contentHeight") ?? 0)
    #expect(harness.layouts.counts == (before.computed, before.encoded + 1, before.copied))
    let again = try await harness.send(.get, Self.view)
    #expect(again.text == read.text && again.tag == read.tag)
    #expect(harness.layouts.counts == (before.computed, before.encoded + 1, before.copied + 1))
    // The same rows with their parts are another document of the same layout, and the screen holds the first.
    _ = try await harness.send(.get, Self.view + "&parts=true")
    let screen = try await harness.send(.get, "/v1/evaluations/e?include=layout&profile=ios&width=375")
    #expect(try screen["layouts/0"] == JSONValue.parse(read.response.body))
    #expect(harness.layouts.counts == (before.computed, before.encoded + 2, before.copied + 2))
  }

  @Test func `a changed kit is laid out before the next read`() async throws {
    let harness = try await harness()
    let ahead = harness.api.layoutsAhead
    let path = "/v1/kits/kit/layout?profile=android&width=400"
    let first = try await harness.send(.get, path)
    let patch = #"{"text":"\#(String(repeating: "Why is that, and how do you know? ", count: 9))"}"#
    let changed = try await harness.send(
      .patch, "/v1/kits/kit/questions/q1", patch, type: "application/merge-patch+json", fields: ["If-Match": "*"])
    #expect(changed.status == 200)
    ahead.catchUp()
    let before = harness.layouts.counts
    #expect(ahead.figures.prepared == 1)
    let read = try await harness.send(.get, path)
    #expect(read.int("kitRevision") == 2 && read.text != first.text)
    #expect(harness.layouts.counts == (before.computed, before.encoded + 1, before.copied))
  }

  @Test func `a write in a viewport has it laid out ahead, too`() async throws {
    let harness = try await harness()
    _ = try await harness.send(.put, "/v1/evaluations/e/answers/q1?profile=web&width=300,600", #"{"value":"x"}"#)
    harness.api.layoutsAhead.catchUp()
    #expect(harness.api.layoutsAhead.figures.prepared == 2)
    let computed = harness.layouts.counts.computed
    _ = try await harness.send(.get, "/v1/evaluations/e/layout?profile=web&width=600")
    #expect(harness.layouts.counts.computed == computed)
  }

  @Test func `what nobody has seen is not laid out, nor what is gone`() async throws {
    let harness = try await harness()
    let ahead = harness.api.layoutsAhead
    _ = try await harness.send(.put, "/v1/evaluations/e/answers/q1", #"{"value":"x"}"#)
    try await harness.makeKit("other")
    _ = try await harness.send(.get, "/v1/kits/other/layout?profile=ios&width=375")
    _ = try await harness.send(.delete, "/v1/kits/other", fields: ["If-Match": "*"])
    ahead.catchUp()
    #expect(ahead.figures == LayoutsAhead.Figures())
  }

  @Test func `the oldest falls out of a full queue, and only the last viewports of each are kept`() async throws {
    var limits = APILimits()
    (limits.layoutsAhead.waiting, limits.layoutsAhead.subjects) = (2, 3)
    (limits.layoutsAhead.viewports, limits.layoutsAhead.evaluationViewports) = (2, 1)
    let harness = try APIHarness(limits: limits)
    let ahead = harness.api.layoutsAhead
    for kit in ["a", "b", "c", "d"] {
      try await harness.makeKit(kit)
      for width in [300, 301, 302] {
        _ = try await harness.send(.get, "/v1/kits/\(kit)/layout?profile=ios&width=\(width)")
      }
    }
    ahead.catchUp()
    let dropped = ahead.figures.dropped
    for kit in ["a", "b", "c", "d"] {
      let reply = try await harness.send(
        .patch, "/v1/kits/\(kit)/questions/q1", #"{"text":"Changed?"}"#, type: "application/merge-patch+json",
        fields: ["If-Match": "*"])
      #expect(reply.status == 200)
    }
    ahead.catchUp()
    // Kit a was forgotten, b fell out, c and d are laid out in two widths each.
    #expect(ahead.figures == .init(prepared: 4, dropped: dropped + 1))
  }

  @Test(arguments: [true, false])
  func `it follows the writer while it runs, and ends when it is cancelled or stopped`(_ cancels: Bool) async throws {
    let harness = try await harness()
    let (api, idle) = (harness.api, AsyncStream.makeStream(of: Int.self))
    let run = Task { await api.layoutsAhead.run { idle.continuation.yield(api.layoutsAhead.figures.prepared) } }
    _ = try await harness.send(.get, Self.view)
    for write in 1...3 {
      _ = try await harness.send(
        .put, "/v1/evaluations/e/answers/q1", #"{"value":"\#(write)"}"#, fields: ["If-Match": "*"])
      for await prepared in idle.stream where prepared == write { break }
    }
    if cancels { run.cancel() } else { api.layoutsAhead.stop() }
    await run.value
    #expect(api.layoutsAhead.figures == .init(prepared: 3))
  }

  private func harness() async throws -> APIHarness {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    return harness
  }
}
