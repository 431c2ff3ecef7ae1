// Named writes: their effect comes once, their outcome again.
import InterviewKits
import SQLDatabase
import Testing

@testable import Store

@Suite(.onBothDatabases) struct RetryTests {
  static func key(_ key: String, _ digest: String = "d") -> RetryKey { RetryKey(key: key, digest: digest) }

  static func make() async throws -> TestStore {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    return test
  }

  static func counts(_ test: TestStore) throws -> [Int] {
    let outsider = try test.outsider()
    defer { outsider.close() }
    return try ["kit", "evaluation", "answer", "answer_history", "change", "retry", "operation"].map { table in
      try outsider.first("SELECT COUNT(*) FROM \(table)")?.integer(0) ?? -1
    }
  }

  @Test func `ten racing creations with one key make one kit, also after a restart`() async throws {
    let test = try TestStore.make()
    let ids = try await withThrowingTaskGroup(of: ItemID.self) { group in
      for number in 0..<10 {
        // Each try comes with an ID of its own, as the service makes them.
        let kit = Kit.sample(ItemID(stringLiteral: "try\(number)"))
        group.addTask {
          let written = try await test.store.createKit(kit, by: TestStore.author, retry: Self.key("a"))
          #expect(written.outcome == .created && written.snapshot.kit.revision == 1)
          return written.snapshot.kit.id
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    let id = try #require(ids.first)
    #expect(ids.count == 1)
    try await test.reword("q1", in: id)
    try await test.reopen()
    let again = try await test.store.createKit(.sample("again"), by: TestStore.author, retry: Self.key("a"))
    #expect(again.snapshot.kit.id == id && again.snapshot.kit.revision == 1 && again.outcome == .created)
    #expect(again.snapshot.question("q1")?.question.text == Kit.sample().sections[0].questions[0].text)
    #expect(try Self.counts(test)[0] == 1)
  }

  @Test func `a write whose reply was lost does not meet its own as a conflict`() async throws {
    let test = try await Self.make()
    func write(_ value: ExactText, _ revision: Int, key: String, digest: String = "d") async throws -> AnswerWritten {
      let operation = AnswerOperation(
        itemID: "q1", content: AnswerContent(value: .text(value)), precondition: .revisions([revision]))
      let written = try await test.store.writeAnswers(
        "e1", [operation], by: TestStore.author, retry: Self.key(key, digest))
      return try written.results[0].result.get()
    }
    let first = try await write("a", 0, key: "1")
    #expect(first.outcome == .created)
    #expect(try await write("b", 1, key: "2").answer.revision == 2)
    let counts = try Self.counts(test)
    for _ in 0..<3 {
      let again = try await write("a", 0, key: "1")
      #expect(again.answer == first.answer && again.outcome == .created)
    }
    #expect(try Self.counts(test) == counts)
    #expect(try test.evaluation("e1").answers["q1"]?.content.value == .text("b"))
    await expect(.keyReused) { try await write("a", 0, key: "1", digest: "other") }
    // What was refused is not stored: the key is free.
    await expect(.preconditionFailed) { try await write("c", 1, key: "3", digest: "stale") }
    #expect(try await write("c", 2, key: "3", digest: "fresh").answer.revision == 3)
    // Frozen answers give their outcomes, too.
    _ = try await test.take(.submit)
    #expect(try await write("a", 0, key: "1").answer == first.answer)
    await expect(.conflict) { try await write("d", 3, key: "4") }
  }

  @Test func `keys are the caller's own, and end after a day`() async throws {
    let test = try TestStore.make()
    let other = Caller(accountID: Store.defaultAccount, memberID: "other")
    let mine = try await test.store.createKit(.sample("mine"), by: TestStore.author, retry: Self.key("a"))
    let theirs = try await test.store.createKit(.sample("theirs"), by: other, retry: Self.key("a", "e"))
    #expect(mine.snapshot.kit.id == "mine" && theirs.snapshot.kit.id == "theirs")
    test.advance(milliseconds: StoreLimits.retryMilliseconds - 1_000)
    #expect(
      try await test.store.createKit(.sample("x"), by: other, retry: Self.key("a", "e")).snapshot.kit.id == "theirs")
    test.advance(milliseconds: 2_000)
    #expect(try await test.store.createKit(.sample("x"), by: other, retry: Self.key("a", "f")).snapshot.kit.id == "x")
    #expect(try await test.store.createKit(.sample("y"), by: other, retry: Self.key("a", "f")).snapshot.kit.id == "x")
  }

  @Test func `each kind of write is repeated without another effect`() async throws {
    let test = try await Self.make()
    let store = test.store
    let kit = Kit.sample("k1", questions: 2)
    let writes: [(String, @Sendable (RetryKey) async throws(StoreError) -> any RetriedOutput)] = [
      (
        "put",
        { key throws(StoreError) in try await store.putKit(kit, precondition: .exists, by: TestStore.author, retry: key)
        }
      ),
      (
        "delete",
        { key throws(StoreError) in
          try await store.deleteKit("k1", precondition: .exists, by: TestStore.author, retry: key)
        }
      ),
      ("restore", { key throws(StoreError) in try await store.restoreKit("k1", by: TestStore.author, retry: key) }),
      (
        "item",
        { key throws(StoreError) in try await store.restoreItem("q3", inKit: "k1", by: TestStore.author, retry: key) }
      ),
      (
        "submit",
        { key throws(StoreError) in try await store.take(.submit, on: "e1", by: TestStore.author, retry: key) }
      ),
      (
        "reopen",
        { key throws(StoreError) in
          try await store.take(.reopen(reason: "r"), on: "e1", by: TestStore.author, retry: key)
        }
      ),
    ]
    for (name, write) in writes {
      let first = try await write(Self.key(name))
      let counts = try Self.counts(test)
      if name != "submit" { try await test.answer("q1", .text(ExactText("after \(name)")), .exists) }
      let again = try await write(Self.key(name))
      #expect(
        again.record?.revision == first.record?.revision && again.record?.outcome == first.record?.outcome, "\(name)")
      #expect(try Self.counts(test)[5] == counts[5])
      if name == "submit" { _ = try await test.take(.reopen(reason: "to go on")) }
    }
  }

  @Test func `an evaluation's write is given again as it stood then`() async throws {
    let test = try await Self.make()
    try await test.answer("q1", .text("first"))
    let submitted = try await test.store.take(.submit, on: "e1", by: TestStore.author, retry: Self.key("s"))
    _ = try await test.take(.reopen(reason: "more"))
    try await test.answer("q1", .text("second"), .exists)
    try await test.answer("q2", .text("new"))
    try await test.reopen()
    let again = try await test.store.take(.submit, on: "e1", by: TestStore.author, retry: Self.key("s"))
    #expect(again.evaluation == submitted.evaluation && again.outcome == .changed)
    #expect(try test.evaluation("e1").summary.status == .draft)
  }

  @Test func `a repeated batch changes nothing, and what was refused is tried again`() async throws {
    let test = try await Self.make()
    func operation(_ id: String?, _ item: ItemID, _ value: ExactText, _ revision: Int?) -> AnswerOperation {
      let precondition = revision.map { Precondition.revisions([$0]) } ?? .none
      return AnswerOperation(
        operationID: id, digest: "\(item) \(value) \(revision ?? -1)", itemID: item, precondition: precondition
      ) { (_, _) throws(StoreError) in AnswerContent(value: .text(value)) }
    }
    func send(_ operations: [AnswerOperation]) async throws(StoreError) -> [AnswerResult] {
      try await test.store.writeAnswers("e1", operations, by: TestStore.author).results
    }
    let batch = [
      operation("o1", "q1", "a", nil), operation("o2", "q1", "b", 1), operation("o3", "q2", "c", 7),
      operation("o4", "q3", "d", 0),
    ]
    func outcomes(_ results: [AnswerResult]) -> [Int?] { results.map { try? $0.result.get().answer.revision } }
    #expect(outcomes(try await send(batch)) == [1, 2, nil, 1])
    let counts = try Self.counts(test)
    try await test.reopen()
    #expect(outcomes(try await send(batch)) == [1, 2, nil, 1])
    #expect(outcomes(try await send(Array(batch.reversed()))) == [1, nil, 2, 1])
    #expect(try Self.counts(test) == counts)
    // An older save that arrives late never replaces a newer one.
    try await test.answer("q1", .text("newest"), .revisions([2]))
    #expect(outcomes(try await send([batch[1]])) == [2])
    #expect(try test.evaluation("e1").answers["q1"]?.content.value == .text("newest"))
    await expect(.keyReused) { try await send([operation("o1", "q1", "other", nil)])[0].result.get() }
    // One that was refused had no effect, so that its name is free.
    #expect(outcomes(try await send([operation("o3", "q2", "c", 0)])) == [1])
    _ = try await test.take(.submit)
    #expect(outcomes(try await send([batch[0], operation("o9", "q2", "late", 1)])) == [1, nil])
    await expect(.conflict) { try await send([operation("o9", "q2", "late", 1)]) }
  }
}
