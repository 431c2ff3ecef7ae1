// A page that is damaged while the store has the database open, and one that only seemed to be.
import Glibc
import InterviewKits
import Locks
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite struct DamageTests {
  /// Every state of a store's database, as it is told.
  private static func states(of store: Store) -> AsyncStream<DatabaseState> {
    let (stream, continuation) = AsyncStream<DatabaseState>.makeStream()
    store.observeDatabase { continuation.yield($0) }
    return stream
  }

  /// Fills a page of the file with noise.
  private static func spoil(_ path: String, page: Int) {
    let file = unsafe open(path, O_RDWR)
    let noise = [UInt8](repeating: 0xAA, count: 4_096)
    _ = unsafe pwrite(file, noise, noise.count, off_t((page - 1) * 4_096))
    close(file)
  }

  /// A store on a file with everything in its place and nothing in memory, and a page of the questions' table.
  private static func make() async throws -> (TestStore, Int) {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 400, letters: 300))
    try await test.reopen()
    // A write, which writes nothing here, comes after the look at the pages that the start begins.
    await expect(.notFound) {
      _ = try await test.store.deleteKit("k0", precondition: .exists, by: TestStore.author)
    }
    let outsider = try test.outsider()
    defer { outsider.close() }
    let page = try outsider.first(
      "SELECT MAX(pageno) FROM dbstat WHERE name = 'question' AND pagetype = 'leaf' AND ncell > 0")
    return (test, try #require(page).integer(0))
  }

  @Test func `damage that is met is looked at, believed, and told with its page`() async throws {
    let (test, page) = try await Self.make()
    Self.spoil(test.path, page: page)
    let states = Self.states(of: test.store)
    await expect(.databaseDamaged) { _ = try test.kit("k1") }
    var seen: [DatabaseState] = []
    for await state in states {
      seen.append(state)
      if case .damaged = state { break }
    }
    guard seen.count == 2, case .failing = seen[0], case .damaged(let places) = seen[1] else {
      Testing.Issue.record("the states were \(seen)")
      return
    }
    #expect(places.contains { $0.contains("\(page)") }, "\(places)")
    await expect(.databaseDamaged) { try await test.create(.sample("k2")) }
  }

  @Test func `what seems to be damage is looked at once, and believed when it is met again`() {
    let (health, looks) = (DatabaseHealth(doubts: 1), Lock(0))
    health.onDoubt { looks.withLock { $0 += 1 } }
    // Who meets it while it is looked at changes nothing.
    for _ in 0..<3 { health.note(.databaseDamaged("page 7")) }
    guard case .failing = health.state else { return _ = Testing.Issue.record("it is \(health.state)") }
    #expect(looks.withLock { $0 } == 1)
    health.set(.sound)
    health.note(.databaseDamaged("page 7"))
    #expect(health.state == .damaged(["page 7"]) && looks.withLock { $0 } == 1)
    health.set(.sound)
    #expect(health.state == .damaged(["page 7"]))
  }
}
