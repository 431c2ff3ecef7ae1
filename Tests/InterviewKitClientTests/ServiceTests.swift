// The client against the service itself: the whole story of a form on two devices.

import Foundation
import TestKit
import Testing

@testable import InterviewKitClient

@Suite struct ServiceTests {
  private static let kit = """
    {"title":"Two devices","language":"en","sections":[{"id":"s","title":"All","questions":[
    {"id":"why","type":"longText","text":"Why?","required":true},
    {"id":"more","type":"longText","text":"And what more?","visibleWhen":{"questionId":"sure","equals":true}},
    {"id":"sure","type":"yesNo","text":"Sure?"},
    {"id":"pick","type":"multiSelect","text":"Which?","options":[{"id":"a","text":"A"},{"id":"b","text":"B"}]},
    {"id":"years","type":"number","text":"Years?"}]}]}
    """
  private let viewport = Viewport(profile: "ios", widths: [375])

  @Test func `two devices write, follow each other, and end with the same rows and answers`() async throws {
    let service = try RunningService()
    try await service.put("/v1/kits/k", Self.kit)
    let client = InterviewKitClient(baseURL: service.url)
    #expect(try await client.kits(matching: "Two").items.map(\.id) == ["k"])
    #expect(try await client.kit("k").questions.map(\.id) == ["why", "more", "sure", "pick", "years"])
    let opened = try await client.createEvaluation("e", of: "k", for: Candidate(id: "c", name: "Ada"))
    #expect(opened.status == "draft" && opened.progress.missing == 1)

    let screen = try await client.screen("e", viewport: viewport)
    var first = RowHeights(try #require(screen.layouts.first))
    var second = first
    #expect(first.ids == ["s", "why", "sure", "pick", "years"])
    let events = client.changeEvents(after: screen.evaluation.sequence, evaluation: "e", viewport: viewport)

    let text = String(repeating: "Because it grows over several lines. ", count: 20)
    let drafts: [(String, AnswerDraft)] = [
      ("why", AnswerDraft(.text(text))), ("sure", AnswerDraft(.bool(true))),
      ("pick", AnswerDraft(.choices(["b", "a"]))),
      ("years", AnswerDraft(.number(7.5))),
    ]
    for (item, draft) in drafts {
      let written = try await client.putAnswer(draft, to: item, in: "e", seen: 0, viewport: viewport)
      #expect(written.answer.revision == 1)
      for delta in written.layouts { try first.apply(delta) }
    }
    var seen = 0
    for try await event in events {
      guard case .change(let change, _) = event else { continue }
      for delta in change.layouts ?? [] { try second.apply(delta) }
      seen += 1
      if seen == drafts.count { break }
    }
    let fresh = try await client.screen("e", viewport: viewport)
    #expect(first.ids == ["s", "why", "more", "sure", "pick", "years"])
    #expect(first == second)
    #expect(first == RowHeights(try #require(fresh.layouts.first)))
    #expect(fresh.evaluation.answers["why"]?.value == .text(text))
    #expect(fresh.evaluation.answers["years"]?.value == .number(7.5))
    #expect(fresh.evaluation.answers["sure"]?.value == .bool(true))
  }

  @Test func `conflicts, retries and the submit, with an outbox`() async throws {
    let service = try RunningService()
    try await service.put("/v1/kits/k", Self.kit)
    let client = InterviewKitClient(baseURL: service.url)
    _ = try await client.createEvaluation("e", of: "k", for: Candidate(id: "c", name: nil))
    let error = await #expect(throws: ServiceError.self) { try await client.submit("e") }
    #expect(error?.problem?.status == 422 && error?.problem?.errors?.map(\.itemId) == ["why"])

    let folder = TemporaryFolder()
    let outbox = try Outbox(file: URL(fileURLWithPath: folder.path + "/outbox.json"), client: client)
    try await outbox.put(AnswerDraft(.text("first")), to: "why", in: "e", seen: 0)
    #expect(try await outbox.drain().count == 1)
    let key = "one-write"
    let once = try await client.putAnswer(
      AnswerDraft(.text("second")), to: "why", in: "e", seen: 1, viewport: viewport, key: key)
    let again = try await client.putAnswer(
      AnswerDraft(.text("second")), to: "why", in: "e", seen: 1, viewport: viewport, key: key)
    #expect(once.answer == again.answer && once.answer.revision == 2)

    try await outbox.put(AnswerDraft(.text("stale")), to: "why", in: "e", seen: 1)
    _ = try await outbox.drain()
    let held = try #require(await outbox.held.first)
    #expect(held.problem.status == 412 && held.problem.current?.value == .text("second"))
    try await outbox.resolve(held, with: AnswerDraft(.text("second and stale")), seen: 2)
    _ = try await outbox.drain()
    #expect(try await client.submit("e").status == "submitted")
    try await outbox.put(AnswerDraft(.text("late")), to: "why", in: "e", seen: 3)
    _ = try await outbox.drain()
    #expect(await outbox.held.map(\.problem.status) == [409])
    #expect(try await client.evaluation("e").answers["why"]?.value == .text("second and stale"))
    #expect(try await client.reopen("e", because: "a word is missing").status == "draft")
  }
}
