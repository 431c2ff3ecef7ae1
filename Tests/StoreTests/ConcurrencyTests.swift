// Many at once: writers, readers and editors; the feed's order; a log that stays bounded.
import InterviewKits
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite(.onBothDatabases) struct ConcurrencyTests {
  @Test func `of two writers to one answer one wins and the other is told so`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.answer("q1", .text("first"))
    for round in 1...10 {
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for writer in 0..<4 {
          group.addTask {
            do {
              try await test.answer("q1", .text(ExactText("r\(round)w\(writer)")), .revisions([round]))
              return true
            } catch { return false }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.filter { $0 }.count == 1)
      #expect(try test.evaluation("e1").answers["q1"]?.revision == round + 1)
    }
  }

  @Test func `answers stay with their questions while the kit is edited under them`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 8))
    for writer in 0..<4 { try await test.evaluate("k1", as: ItemID(stringLiteral: "e\(writer)")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<40 {
            let item = ItemID(stringLiteral: "q\(number % 8 + 1)")
            try await test.answer(
              item, .text(ExactText("\(item) \(number)")), .exists, in: ItemID(stringLiteral: "e\(writer)"))
          }
        }
      }
      group.addTask { try await test.editAtRandom(times: 60, seed: 7) }
      group.addTask {
        // What is read at one moment belongs together: an evaluation's revision is one more than its answers' sum.
        for number in 0..<400 {
          let screen = try test.store.screen(ItemID(stringLiteral: "e\(number % 4)"), for: TestStore.caller)
          let written = screen.evaluation.answers.reduce(0) { $0 + $1.revision }
          #expect(screen.evaluation.summary.revision == written + 1)
          #expect(screen.snapshot.kit.revision == 1)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    let kit = try test.kit("k1")
    let evaluations = try (0..<4).map { try test.evaluation(ItemID(stringLiteral: "e\($0)")) }
    for evaluation in evaluations {
      for answer in evaluation.answers {
        guard case .text(let text) = answer.content.value else { continue }
        #expect(text.string.hasPrefix("\(answer.itemID) "))
      }
      #expect(evaluation.answers.count == 8)
    }
    let changes = try test.store.changes(after: 0, limit: 10_000, for: TestStore.caller)
    #expect(changes.map(\.sequence) == Array(1...changes.count))
    #expect(changes.filter { $0.kind == .answerChanged }.count == 160)
    // Memory says what the database says.
    try await test.reopen()
    #expect(try test.kit("k1") == kit)
    for evaluation in evaluations { #expect(try test.evaluation(evaluation.summary.id) == evaluation) }
    try test.checkIntegrity()
  }

  @Test func `every revision of a kit edited at random is what it was`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 6))
    let kits = try await test.editAtRandom(times: 120, seed: 3)
    try await test.reopen()
    for kit in kits {
      #expect(try test.store.kit("k1", revision: kit.revision, for: TestStore.caller).kit == kit)
    }
  }

  @Test func `a cache too small for anything changes nothing`() async throws {
    var limits = StoreLimits()
    (limits.cachedKitBytes, limits.cachedRevisionBytes) = (0, 0)
    (limits.cachedAnswerBytes, limits.cachedPages) = (0, 0)
    limits.readConnections = 0
    let test = try TestStore.make(limits: limits)
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for number in 0..<10 {
            let item = ItemID(stringLiteral: "q\(writer + 1)")
            try await test.answer(item, .text(ExactText("\(number)")), .revisions([number]))
            #expect(try test.evaluation("e1").answers[item]?.revision == number + 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try test.evaluation("e1").summary.revision == 31)
  }

  @Test func `the changes after a sequence come once each, in order`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    for number in 0..<5 { try await test.answer("q1", .text(ExactText("\(number)")), .exists) }
    let change = try #require(test.changes(after: 6).first)
    #expect(change.sequence == 7 && change.kind == .answerChanged && change.evaluationID == "e1")
    #expect(change.itemID == "q1" && change.kitID == "k1" && change.revision == 5 && change.by == "anonymous")
    #expect(!change.deleted)
    try await test.answer("q1", nil, .exists)
    #expect(try test.changes(after: 7).map(\.deleted) == [true])
    #expect(try test.changes(after: 8).isEmpty && test.store.sequence == 8)
    #expect(try test.store.changes(after: 2, limit: 3, for: TestStore.caller).map(\.sequence) == [3, 4, 5])
    try await test.reopen()
    #expect(test.store.sequence == 8)
  }

  @Test func `a page of a list comes from memory until something changes`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    let query = KitQuery(text: "back")
    #expect(try test.store.kits(query, for: TestStore.caller).items.count == 1)
    // Another program takes the table away: only memory can answer.
    let outsider = try test.outsider()
    try outsider.execute("ALTER TABLE kit RENAME TO hidden")
    #expect(try test.store.kits(query, for: TestStore.caller).items.count == 1)
    #expect(try test.kit("k1").revision == 1)
    try outsider.execute("ALTER TABLE hidden RENAME TO kit")
    outsider.close()
    try await test.create(.sample("k2"))
    #expect(try test.store.kits(query, for: TestStore.caller).items.count == 2)
  }
}

extension KitSnapshot {
  /// True when the index, derived from edit to edit, finds what one made afresh finds.
  fileprivate var findsWhatIsThere: Bool {
    let fresh = KitSnapshot(kit)
    let items = kit.sections.flatMap { section in
      [section.id] + section.questions.flatMap { [$0.id] + $0.criteria.map(\.id) }
    }
    return items.allSatisfy { id in
      section(id) == fresh.section(id) && question(id)?.question == fresh.question(id)?.question
        && question(id)?.sectionID == fresh.question(id)?.sectionID
        && criterion(id)?.criterion == fresh.criterion(id)?.criterion
        && dependents(of: id) == fresh.dependents(of: id)
    }
  }
}

extension TestStore {
  /// Edits kit `k1` with every kind of edit and gives each revision.
  @discardableResult func editAtRandom(times: Int, seed: UInt64) async throws -> [Kit] {
    var generator = SeededGenerator(seed: seed)
    var kits = [try kit("k1")]
    for number in 0..<times {
      let (kind, pick) = (generator.next() % 6, Int(generator.next() >> 1))
      let written = try await change("k1") { (kit, now) throws(KitEditError) in
        let ids = kit.sections.flatMap { $0.questions.map(\.id) }
        let place: Place = pick % 3 == 0 ? .first : .last
        guard let id = ids.isEmpty ? nil : ids[pick % ids.count] else {
          return try kit.inserting(.yesNo(ItemID(stringLiteral: "n\(number)")), in: "s1", at: place, now: now)
        }
        switch kind {
        case 0:
          return try kit.inserting(.yesNo(ItemID(stringLiteral: "n\(number)")), in: "s1", at: .after("q1"), now: now)
        case 1 where id != "q1" && ids.count > 3: return try kit.removing(id, now: now)
        case 2: return try kit.movingQuestion(id, to: nil, at: place, now: now)
        case 3:
          var header = kit
          header.title = ExactText("Title \(number)")
          return try kit.updatingHeader(header, now: now)
        case 4:
          var draft = kit
          if pick % 2 == 0 { draft.sections[0].questions.reverse() }
          draft.sections[0].questions[0].text = ExactText("First \(number)")
          return try kit.replacing(with: draft, now: now)
        default:
          guard var question = KitSnapshot(kit).question(id)?.question else { return nil }
          question.help = ExactText("Help \(number)")
          return try kit.updating(question, now: now)
        }
      }
      kits.append(written.snapshot.kit)
      #expect(written.snapshot.findsWhatIsThere)
      if kind == 1, let removed = try store.deletedItems(of: "k1", for: Self.caller).first, pick % 2 == 0 {
        kits.append(try await store.restoreItem(removed.id, inKit: "k1", by: Self.author).snapshot.kit)
      }
    }
    return kits
  }
}
