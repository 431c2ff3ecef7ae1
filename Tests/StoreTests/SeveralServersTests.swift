// Several servers on one PostgreSQL: what one has acknowledged, all show; a change is told once, in one order.
import InterviewKits
import SQLDatabase
import Testing

@testable import Store

@Suite(.onPostgres) struct SeveralServersTests {
  /// Two servers, and a kit that both have in memory.
  static func make() async throws -> TestStore {
    let test = try TestStore.make()
    try test.addServer()
    try await test.create(.sample())
    try await test.evaluate("k1")
    for server in [1, 0] {
      try await test.ask(server)
      _ = try test.store.screen("e1", for: TestStore.caller)
      _ = try test.store.kits(KitQuery(), for: TestStore.caller)
      _ = try test.store.evaluations(EvaluationQuery(), for: TestStore.caller)
      _ = try test.store.profiles(for: TestStore.caller)
    }
    return test
  }

  @Test func `what one server has acknowledged is read from the other, of every kind`() async throws {
    let test = try await Self.make()
    for round in 1...5 {
      try await test.ask(0)
      let text = ExactText("round \(round)")
      try await test.answer("q1", .text(text), .exists)
      try await test.reword("q2", to: text)
      try await test.create(.sample(ItemID(stringLiteral: "n\(round)")))
      let seen: Precondition = round == 1 ? .none : .exists
      _ = try await test.store.putProfile("mine", precondition: seen, by: TestStore.author) { all in
        ProfileEdit(current: all.last, next: StoredProfile(name: "mine", version: all.count + 1, content: "{}"))
      }
      let sequence = test.store.sequence
      try await test.ask(1)
      #expect(test.store.sequence == sequence)
      let screen = try test.store.screen("e1", for: TestStore.caller)
      #expect(screen.evaluation.answers["q1"]?.content.value == .text(text) && screen.sequence == sequence)
      #expect(try test.kit("k1").sections[0].questions[1].text == text)
      #expect(try test.store.kits(KitQuery(), for: TestStore.caller).items.count == round + 1)
      #expect(try test.store.profiles(for: TestStore.caller).count == round)
      let page = try test.store.feed(after: FeedCursor("\(sequence - 4)"), for: TestStore.caller)
      #expect(page.changes.map(\.kind) == [.answerChanged, .questionChanged, .kitCreated, .profileChanged])
      // Gone is gone, and back is back.
      _ = try await test.store.deleteKit(
        ItemID(stringLiteral: "n\(round)"), precondition: .exists, by: TestStore.author)
      try await test.ask(0)
      await expect(.notFound) { try test.kit(ItemID(stringLiteral: "n\(round)")) }
      _ = try await test.store.restoreKit(ItemID(stringLiteral: "n\(round)"), by: TestStore.author)
    }
  }

  @Test func `of writers who saw the same through two servers one wins`() async throws {
    let test = try await Self.make()
    try await test.answer("q1", .text("first"))
    let servers = test.servers
    for revision in 1...15 {
      let won = await withTaskGroup(of: Int.self) { group in
        for writer in 0..<6 {
          group.addTask {
            let operation = AnswerOperation(
              itemID: "q1", content: AnswerContent(value: .text(ExactText("r\(revision)w\(writer)"))),
              precondition: .revisions([revision]))
            let written = try? await servers[writer % 2].writeAnswers("e1", [operation], by: TestStore.author)
            return (try? written?.results[0].result.get()) == nil ? 0 : 1
          }
        }
        return await group.reduce(0, +)
      }
      #expect(won == 1)
    }
    for server in 0..<2 {
      try await test.ask(server)
      #expect(try test.evaluation("e1").answers["q1"]?.revision == 16)
    }
  }

  @Test func `writes through both servers rise in one order without gaps, and both tell the same feed`() async throws {
    let test = try await Self.make()
    for writer in 0..<6 { try await test.evaluate("k1", as: ItemID(stringLiteral: "w\(writer)")) }
    let servers = test.servers
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<6 {
        group.addTask {
          let store = servers[writer % 2]
          for number in 0..<40 {
            let item = ItemID(stringLiteral: "q\(number % 3 + 1)")
            let operation = AnswerOperation(
              itemID: item, content: AnswerContent(value: .text(ExactText("\(number)"))), precondition: .exists)
            let id = ItemID(stringLiteral: "w\(writer)")
            _ = try await store.writeAnswers(id, [operation], by: TestStore.author).results[0].result.get()
            // Read through the other server at once.
            let other = servers[(writer + 1) % 2]
            try await other.catchUp()
            let answer = try other.evaluation(id, for: TestStore.caller).answers[item]
            guard answer?.content.value == .text(ExactText("\(number)")) else {
              Testing.Issue.record("writer \(writer) does not see answer \(number) through the other server")
              return
            }
          }
        }
      }
      try await group.waitForAll()
    }
    var feeds: [[Change]] = []
    for server in 0..<2 {
      try await test.ask(server)
      feeds.append(try test.store.changes(after: 0, limit: 1_000, for: TestStore.caller))
    }
    #expect(feeds[0] == feeds[1] && feeds[0].map(\.sequence) == Array(1...(2 + 6 + 240)))
    let followed = try test.store.feed(after: FeedCursor("0"), limit: 200, for: TestStore.caller)
    #expect(followed.changes == Array(feeds[0].prefix(200)))
  }

  @Test func `a write repeated through the other server has its effect once`() async throws {
    let test = try await Self.make()
    let servers = test.servers
    let key = RetryKey(key: "name", digest: "d")
    let made = try await withThrowingTaskGroup(of: KitWritten.self) { group in
      for writer in 0..<8 {
        group.addTask {
          try await servers[writer % 2].createKit(
            .sample(ItemID(stringLiteral: "made-\(writer)")), by: TestStore.author, retry: key)
        }
      }
      return try await group.reduce(into: []) { $0.append($1.snapshot.kit.id) }
    }
    #expect(Set(made).count == 1 && made.count == 8)
    try await test.ask(1)
    #expect(try test.store.kits(KitQuery(), for: TestStore.caller).items.count == 2)
  }

  @Test func `who follows the feed of one server is woken by a write through the other`() async throws {
    let test = try await Self.make()
    let (writing, following) = (test.servers[0], test.servers[1])
    for number in 1...3 {
      let before = following.sequence
      async let woken: Void = following.feedSignal.wait(after: before, beat: .max)
      _ = try await writing.createKit(.sample(ItemID(stringLiteral: "n\(number)")), by: TestStore.author)
      await woken
      let page = try following.feed(after: FeedCursor("\(before)"), for: TestStore.caller)
      #expect(page.changes.map(\.kitID) == [ItemID(stringLiteral: "n\(number)")])
    }
  }

  @Test func `a cursor of one server is one of the other, also when a third has begun to write`() async throws {
    let test = try await Self.make()
    let cursor = test.store.feedCursor
    try await test.ask(1)
    try await test.create(.sample("k2"))
    let later = test.store.feedCursor
    try test.addServer()
    try await test.ask(2)
    try await test.create(.sample("k3"))
    for server in 0..<3 {
      try await test.ask(server)
      let page = try test.store.feed(after: cursor, for: TestStore.caller)
      #expect(!page.isReset && page.changes.map(\.kitID) == ["k2", "k3"])
      #expect(try test.store.feed(after: later, for: TestStore.caller).changes.map(\.kitID) == ["k3"])
      #expect(page.cursor == FeedCursor(epoch: test.store.epoch, sequence: 4))
    }
  }

  @Test func `what one server forgets of the feed, the other does not promise`() async throws {
    let test = try await Self.make()
    test.advance(milliseconds: StoreLimits.feedMilliseconds + 10_000)
    try await test.store.housekeep()
    try await test.create(.sample("k2"))
    try await test.ask(1)
    #expect(try test.store.feed(after: FeedCursor("1"), for: TestStore.caller).isReset)
  }

  @Test func `a database that has lost what was written begins another life of the feed`() async throws {
    let test = try await Self.make()
    try await test.create(.sample("k2"))
    let lost = test.store.feedCursor
    // As after a standby took over that had not got the last change.
    let outsider = try test.outsider()
    try outsider.script(
      """
      DELETE FROM change WHERE sequence = 3; UPDATE change_counter SET sequence = 2;
      DELETE FROM item WHERE kit_id = 'k2'; DELETE FROM question WHERE kit_id = 'k2';
      DELETE FROM section WHERE kit_id = 'k2'; DELETE FROM kit_header WHERE kit_id = 'k2';
      DELETE FROM kit_revision WHERE kit_id = 'k2'; DELETE FROM kit WHERE id = 'k2';
      """)
    for server in [1, 0] {
      try await test.ask(server)
      await expect(.notFound) { try test.kit("k2") }
      #expect(test.store.sequence == 2)
    }
    try await test.create(.sample("k3"))
    for server in 0..<2 {
      try await test.ask(server)
      #expect(try test.store.feed(after: lost, for: TestStore.caller).isReset)
      #expect(try test.kit("k3").revision == 1)
    }
  }
}
