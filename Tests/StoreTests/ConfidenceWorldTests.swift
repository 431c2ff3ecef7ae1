// Random lives of an evaluation, in a world where some answers are given in confidence and in one where they are not:
// others are told the same in both, histories, cursors and times too.
import InterviewKits
import TestKit
import Testing

@testable import Store

@Suite(.onBothDatabases) struct ConfidenceWorldTests {
  /// The same in every run.
  static let known: ClosedRange<UInt64> = 1...8
  /// And some that nobody has tried; a failure names its seed.
  static let seeds: [UInt64] = known.map { $0 } + (0..<4).map { _ in UInt64.random(in: 100...999_999) }

  @Test(arguments: seeds)
  func `whatever is written, moved, refused, submitted and thinned, nothing of confidences is told`(
    _ seed: UInt64
  ) async throws {
    let worlds = try await ConfidenceWorlds(seed: seed)
    for step in 1...150 {
      try await worlds.step(step)
      if step % 25 == 0 { try await worlds.compare(reopening: step == 150, "seed \(seed), step \(step)") }
    }
    // The worlds are worth comparing; one that nobody has tried may happen to say nothing in confidence.
    if Self.known.contains(seed) { #expect(worlds.confided > 0 && worlds.told > 0, "seed \(seed)") }
    var faults: [DatabaseFault] = []
    try Store.verify(worlds.confiding.name) { faults.append($0) }
    #expect(faults.isEmpty)
  }
}

/// Two stores that live the same life but for what is given in confidence.
private final class ConfidenceWorlds {
  let confiding: TestStore
  let silent: TestStore
  private var random: SeededGenerator
  private var time = 0
  /// Of each item, what others are told in place of each revision.
  private var toldRevisions: [ItemID: [Int]] = [:]
  private(set) var confided = 0
  private(set) var told = 0

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    (confiding, silent) = (try await ConfidenceTests.make(), try await ConfidenceTests.make())
    for test in [confiding, silent] { test.stopClock(at: 1_000_000) }
  }

  private func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

  /// One step in both worlds, at the same time.
  func step(_ number: Int) async throws {
    time += pick([900, 900, 20_000, 70_000, 2 * HousekeepingTests.hour, 26 * HousekeepingTests.hour])
    for test in [confiding, silent] { test.stopClock(at: 1_000_000 + time) }
    switch random.next() % 20 {
    case 0...1:
      let revision = pick([1, 2, 2, 3])
      for test in [confiding, silent] {
        if try test.evaluation("e1").summary.kitRevision != revision {
          try await ConfidenceTests.move(test, to: revision)
        }
      }
    case 2:
      for test in [confiding, silent] {
        try await ConfidenceTests.submit(test)
        try await test.store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author)
      }
    case 3...4:
      for test in [confiding, silent] { try await test.store.housekeep() }
    case 5...8: try await refuse()
    default: try await answer(number)
    }
  }

  /// Submits, so that others are told; what they are told is the same.
  func compare(reopening: Bool, _ place: String) async throws {
    for test in [confiding, silent] {
      try await ConfidenceTests.submit(test)
      if reopening { try await test.reopen() }
    }
    let (one, other) = (try confiding.everythingTold(), try silent.everythingTold())
    if one != other {
      let difference = one.difference(from: other).map { "\($0)" }.joined(separator: "\n")
      Testing.Issue.record("\(place)\n\(difference)")
    }
    for test in [confiding, silent] {
      try await test.store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author)
    }
  }

  private func content(of item: ItemID) -> AnswerContent {
    let texts = ["a", "ab", "b", String(repeating: "long ", count: 8)]
    let value: AnswerValue = item == "doubt" ? .bool(pick([true, false])) : .text(ExactText(pick(texts)))
    return AnswerContent(value: pick([nil, value, value, value]), comment: pick([nil, nil, "one", "two"]))
  }

  private func item(_ snapshot: KitSnapshot) -> ItemID {
    let items = ["doubt", "why", "why", "why", "open"] as [ItemID]
    return pick(items.filter { snapshot.answerTarget($0) != nil })
  }

  private func answer(_ number: Int) async throws {
    let screen = try confiding.store.screen("e1", for: TestStore.author)
    let item = item(screen.snapshot)
    let (content, author) = (content(of: item), pick([TestStore.author, HousekeepingTests.colleague]))
    let (isBlind, isNamed) = (pick([true, false]), pick([true, false, false]))
    func write(_ test: TestStore) async throws -> AnswerWritten {
      let revision = try test.evaluation("e1").answers[item]?.revision ?? 0
      let operation = AnswerOperation(
        operationID: isNamed ? "o\(number)" : nil, itemID: item, content: content,
        precondition: revision == 0 ? .none : isBlind ? .exists : .revisions([revision]))
      return try await test.store.writeAnswers("e1", [operation], by: author).results[0].result.get()
    }
    let written = try await write(confiding)
    guard written.outcome != .unchanged else { return }
    toldRevisions[item, default: [0]].append(written.answer.toldRevision)
    if written.answer.isPrivate {
      confided += 1
    } else {
      told += 1
      #expect(try await write(silent).answer.revision == written.answer.toldRevision)
    }
  }

  /// Writes over a revision that the answer has no more.
  private func refuse() async throws {
    let screen = try confiding.store.screen("e1", for: TestStore.author)
    let item = item(screen.snapshot)
    guard let current = screen.evaluation.answers[item], current.revision > 0 else { return }
    let kept = try confiding.store.answerHistory("e1", item: item, limit: 200, for: TestStore.author).items
    // What a step of typing was told as is not known any more.
    let seen = pick([0] + kept.map(\.revision).filter { $0 < current.revision })
    let content = content(of: item)
    func write(_ test: TestStore, _ seen: Int) async throws {
      let operation = AnswerOperation(itemID: item, content: content, precondition: .revisions([seen]))
      _ = try? await test.store.writeAnswers("e1", [operation], by: TestStore.author).results[0].result.get()
    }
    let told = toldRevisions[item]?[seen] ?? 0
    let question = try #require(screen.snapshot.answerTarget(item)).question
    let isPrivate = screen.snapshot.isConfidential(content, to: item, of: question, in: screen.evaluation)
    try await write(confiding, seen)
    #expect(try confiding.evaluation("e1").answers[item] == current)
    if content != current.content, !isPrivate, told != current.toldRevision { try await write(silent, told) }
  }
}

extension TestStore {
  /// Everything that an observer is told of `e1`, with times, page by page; sequences aside.
  fileprivate func everythingTold() throws -> [String] {
    let observer = ConfidenceTests.observer
    let evaluation = try store.evaluation("e1", for: observer)
    let listed = try store.evaluations(EvaluationQuery(), for: observer).items.map { "\($0)" }
    var lines = ["\(evaluation.summary)"] + listed
    lines += evaluation.answers.sorted { $0.itemID < $1.itemID }.map { "\($0)" }
    for item in ["doubt", "why", "open"] as [ItemID] {
      for limit in [1, 3, 200] {
        var cursor: String?
        repeat {
          let page = try store.answerHistory("e1", item: item, limit: limit, cursor: cursor, for: observer)
          lines += page.items.map { "\(item) \($0)" } + page.lostConflicts.map { "\(item) \($0)" }
          lines.append(page.nextCursor ?? "end")
          cursor = page.nextCursor
        } while cursor != nil
      }
    }
    lines += try store.evaluationEvents("e1", limit: 200, for: observer).items.map { "\($0)" }
    lines += try store.changes(after: 0, limit: 10_000, for: observer).filter { $0.evaluationID != nil }
      .map { "\($0.kind) \($0.itemID?.string ?? "-") \($0.revision) \($0.at) \($0.deleted) \($0.by)" }
    return lines
  }
}
