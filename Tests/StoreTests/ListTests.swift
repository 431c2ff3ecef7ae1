// Lists of kits: search, filters, pages; and the cursor and the cache behind them.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct ListTests {
  private func ids(_ test: TestStore, _ query: KitQuery) throws -> [String] {
    try test.store.kits(query, for: TestStore.caller).items.map(\.id.string)
  }

  @Test(arguments: [
    ("CAFÉ", ["k2", "k1"]), ("cafe\u{301}", ["k2", "k1"]), ("백엔드", ["k3"]), ("ÇALIŞMA", ["k4"]),
    ("", ["k4", "k3", "k2", "k1"]),
    ("istanbul", []), ("100%", []), ("_", []),
  ]) func `titles are found without regard to case or composition`(text: String, found: [String]) async throws {
    let test = try TestStore.make()
    let titles: [ExactText] = ["Café one", "Cafe\u{301} two", "백엔드 면접", "Çalışma"]
    for (number, title) in titles.enumerated() {
      try await test.create(.sample(ItemID(stringLiteral: "k\(number + 1)"), questions: 1, title: title))
    }
    #expect(try ids(test, KitQuery(text: text)) == found)
    #expect(try test.kit("k2").title.string.unicodeScalars.count == 9)
  }

  @Test func `pages of kits stay true while kits are created, changed and removed`() async throws {
    let test = try TestStore.make()
    for number in 0..<9 { try await test.create(.sample(ItemID(stringLiteral: "k\(number)"), questions: 1)) }
    let first = try test.store.kits(KitQuery(limit: 4), for: TestStore.caller)
    #expect(first.items.map(\.id.string) == ["k8", "k7", "k6", "k5"])
    try await test.create(.sample("new"))
    try await test.reword("q1", in: "k8")
    try await test.store.deleteKit("k5", precondition: .exists, by: TestStore.author)
    let second = try test.store.kits(KitQuery(limit: 4, cursor: first.nextCursor), for: TestStore.caller)
    #expect(second.items.map(\.id.string) == ["k4", "k3", "k2", "k1"])
    let third = try test.store.kits(KitQuery(limit: 4, cursor: second.nextCursor), for: TestStore.caller)
    #expect(third.items.map(\.id.string) == ["k0"] && third.nextCursor == nil)
    #expect(try ids(test, KitQuery(deleted: true)) == ["k5"])
    #expect(try ids(test, KitQuery(status: .archived)).isEmpty)
    let summary = try #require(first.items.last)
    #expect(summary.questionCount == 1 && summary.sectionCount == 1 && summary.revision == 1)
  }

  @Test(arguments: ["x", "0", "31", "2e", "312e2f", "zz2e61", "312E6b"])
  func `a cursor that is none is refused`(cursor: String) async throws {
    let test = try TestStore.make()
    await expect(.invalid) { try test.store.kits(KitQuery(cursor: cursor), for: TestStore.caller) }
    await expect(.invalid) { try test.store.evaluations(EvaluationQuery(cursor: cursor), for: TestStore.caller) }
  }

  @Test(arguments: [0, -1, 201]) func `a page has 1 to 200 items`(limit: Int) async throws {
    let test = try TestStore.make()
    await expect(.invalid) { try test.store.kits(KitQuery(limit: limit), for: TestStore.caller) }
  }

  @Test func `another account sees nothing`() async throws {
    let stranger = Caller(accountID: "other", memberID: "anonymous")
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    #expect(try test.store.kits(KitQuery(), for: stranger).items.isEmpty)
    #expect(try test.store.evaluations(EvaluationQuery(), for: stranger).items.isEmpty)
    #expect(try test.store.changes(after: 0, for: stranger).isEmpty)
    await expect(.notFound) { try test.store.kit("k1", for: stranger) }
    await expect(.notFound) { try test.store.evaluation("e1", for: stranger) }
    await expect(.database) { try await test.store.createKit(.sample(), by: stranger) }
  }

  @Test func `the cache lets go of what was used longest ago`() {
    var cache = LRUCache<Int, String>(maximumCost: 10)
    for key in 1...5 { cache.insert("\(key)", for: key, cost: 2) }
    #expect(cache.value(for: 1) == "1")
    cache.insert("6", for: 6, cost: 3)
    #expect([1, 2, 3, 4, 5, 6].filter { cache.contains($0) } == [1, 4, 5, 6] && cache.cost == 9)
    cache.insert("one", for: 1, cost: 4)
    #expect(cache.value(for: 1) == "one" && cache.cost <= 10)
    let evictions = cache.evictions
    cache.insert("huge", for: 9, cost: 11)
    #expect(cache.count == 0 && cache.cost == 0 && cache.evictions > evictions)
  }
}
