// What survives: a full disk, another program's lock, a newer database, a kill, and an outsider's edit.
import Glibc
import InterviewKits
import Locks
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite struct DurabilityTests {
  @Test func `a full disk is told as such, old data stays, and writing goes on when there is room`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.answer("q1", .text("kept"))
    try await test.setMaximumPages(extra: 0)
    var refused = 0
    for number in 0..<40 {
      do {
        try await test.answer("q2", .text(ExactText(String(repeating: "\(number % 10)", count: 18_000))), .exists)
      } catch StoreError.diskFull { refused += 1 }
    }
    #expect(refused > 0)
    #expect(try test.evaluation("e1").answers["q1"]?.content.value == .text("kept"))
    let before = try test.evaluation("e1")
    try await test.setMaximumPages(extra: 10_000)
    let written = try await test.answer("q3", .text("again"))
    #expect(written.outcome == .created)
    try await test.reopen()
    var expected = before.answers
    expected["q3"] = written.answer
    #expect(try test.evaluation("e1").answers == expected)
    try test.checkIntegrity()
  }

  @Test func `on a full disk the small writes of a group are stored without the large one`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    try await test.setMaximumPages(extra: 12)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        do { try await test.create(.sample("big", questions: 300, letters: 400)) } catch StoreError.diskFull {
          return true
        }
        return false
      }
      for id in ["q1", "q2", "q3"] as [ItemID] {
        group.addTask { try await test.answer(id, .text("small")).outcome != .created }
      }
      let refused = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      #expect(refused == 1)
    }
    try await test.setMaximumPages(extra: 10_000)
    try await test.reopen()
    #expect(try test.evaluation("e1").answers.count == 3)
    await expect(.notFound) { try test.kit("big") }
    // Nothing of the refused one has taken a number in the feed.
    #expect(try test.changes().map(\.sequence) == Array(1...5))
  }

  @Test func `another program's lock is busy after the stated time, and waited for within it`() async throws {
    var limits = StoreLimits()
    limits.busyTimeoutMilliseconds = 30
    let test = try TestStore.make(limits: limits)
    try await test.create(.sample())
    let outsider = try test.outsider()
    try outsider.begin(.writing)
    await expect(.busy) { try await test.reword("q1") }
    #expect(try test.kit("k1").revision == 1)
    #expect(try test.store.kits(KitQuery(), for: TestStore.caller).items.count == 1)
    #expect(throws: StoreError.self) {
      try Store.open("sqlite:\(test.path)", limits: limits) { .init(milliseconds: 0) }
    }
    outsider.rollback()
    #expect(try await test.reword("q1").snapshot.kit.revision == 2)
    outsider.close()
  }

  @Test func `a write waits for another program's lock that is given back in time`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    let outsider = try test.outsider()
    try outsider.begin(.writing)
    async let written = test.reword("q1")
    for _ in 0..<100 { await Task.yield() }
    #expect(try test.kit("k1").revision == 1)
    outsider.rollback()
    outsider.close()
    #expect(try await written.snapshot.kit.revision == 2)
  }

  @Test func `a backup while many write holds all that was acknowledged before it, and nothing half`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 50, letters: 400))
    for writer in 0..<8 { try await test.evaluate("k1", as: ItemID(stringLiteral: "e\(writer)")) }
    let path = test.folder.file("backup.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<30 {
            let item = ItemID(stringLiteral: "q\(number + 1)")
            try await test.answer(item, .text("x"), in: ItemID(stringLiteral: "e\(writer)"))
          }
        }
      }
      group.addTask {
        let before = try (0..<8).map { try test.evaluation(ItemID(stringLiteral: "e\($0)")) }
        let sequence = test.store.sequence
        try Store.backup(test.name, to: path)
        let copy = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 0) }
        #expect(copy.sequence >= sequence)
        for evaluation in before {
          let copied = try copy.evaluation(evaluation.summary.id, for: TestStore.caller)
          #expect(evaluation.answers.allSatisfy { copied.answers[$0.itemID] == $0 })
          #expect(copied.summary.revision == copied.answers.count + 1)
        }
        await copy.close()
      }
      try await group.waitForAll()
    }
    #expect(try Store.faults(in: "sqlite:\(path)").isEmpty)
    // Never over something that is there.
    await expect(.database) { try Store.backup(test.name, to: path) }
    await expect(.database) { try Store.backup(test.name, to: test.folder.file("missing/backup.db")) }
    #expect(unsafe access(path + ".partial", F_OK) != 0)
  }

  @Test func `damage is found`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 200, letters: 300))
    await test.close()
    #expect(try Store.faults(in: "sqlite:\(test.path)").isEmpty)
    let file = unsafe open(test.path, O_WRONLY)
    var noise = [UInt8](repeating: 0xAA, count: 2_000)
    _ = unsafe pwrite(file, &noise, noise.count, 20 * 4_096)
    close(file)
    let faults = (try? Store.faults(in: "sqlite:\(test.path)")) ?? ["unreadable"]
    #expect(!faults.isEmpty)
    #expect(throws: StoreError.self) { try Store.faults(in: "sqlite:\(test.folder.file("none.db"))") }
  }

  @Test func `an outsider's edit is seen with the next write`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.evaluate("k1")
    let outsider = try test.outsider()
    try outsider.execute("UPDATE candidate SET name = 'Edited'")
    outsider.close()
    try await test.answer("q1", .text("x"))
    #expect(try test.evaluation("e1").summary.candidate.name == "Edited")
  }

  @Test func `a newer database is refused and left alone`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    await test.close()
    let outsider = try test.outsider()
    try outsider.execute("INSERT INTO schema_migration (version, name, applied_at) VALUES (99, 'later', 0)")
    outsider.close()
    do throws(StoreError) {
      try test.open()
      Testing.Issue.record("it was opened")
    } catch {
      guard case .newerDatabase(let version, let known) = error else { throw error }
      #expect(version == 99 && known == Migration.all.count)
    }
    let again = try test.outsider()
    try again.execute("DELETE FROM schema_migration WHERE version = 99")
    again.close()
    try test.open()
    #expect(try test.kit("k1").revision == 1)
  }

  @Test func `a migration that fails leaves the database at the version before`() throws {
    let folder = TemporaryFolder()
    let database = SQLiteDatabase(path: folder.file("m.db"))
    let session = Session(connection: try database.open(.writing))
    let next = Migration.all.count + 1
    let bad = Migration(version: next, name: "bad", sql: "CREATE TABLE extra (a TEXT); INSERT INTO missing VALUES (1);")
    let now = Timestamp(milliseconds: 1)
    #expect(throws: StoreError.self) {
      try Migrations.run(Migration.all + [bad], on: session, of: database, now: now)
    }
    #expect(try Migrations.version(of: session) == next - 1)
    #expect(try session.connection.tables().contains("extra") == false)
    let good = Migration(version: next, name: "good", sql: "CREATE TABLE extra (a TEXT){clustered}".noSuffix)
    try Migrations.run(Migration.all + [good], on: session, of: database, now: now)
    try Migrations.run(Migration.all + [good], on: session, of: database, now: now)
    #expect(try Migrations.version(of: session) == next)
  }

  @Test func `a database of another program is refused and left alone`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("other.db")
    let other = try SQLiteDatabase(path: path).open(.writing)
    try other.script("CREATE TABLE recipes (name TEXT)")
    #expect(throws: StoreError.self) {
      try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 0) }
    }
    #expect(try other.tables() == ["recipes"])
  }

  @Test(arguments: ["", "sqlite:", "store.db", "sqlite:/nonexistent/folder/x.db"])
  func `a database that can't be opened is an error`(name: String) {
    #expect(throws: StoreError.self) { try Store.open(name) { Timestamp(milliseconds: 0) } }
  }

  @Test func `a closed store refuses, and what waited is on disk`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    let store = test.store
    async let written = test.reword("q1")
    _ = try await written
    await store.close()
    await store.close()
    await expect(.closed) { try await store.createKit(.sample("k2"), by: TestStore.author) }
    try test.open()
    #expect(try test.kit("k1").revision == 2)
  }
}

extension String {
  /// Without the placeholder for the driver's table suffix.
  fileprivate var noSuffix: String { replacing("{clustered}", with: "") }
}

extension TestStore {
  /// Lets the database grow by a number of pages and no more, as a full disk would.
  func setMaximumPages(extra: Int) async throws {
    // A pragma belongs to the connection, so the writer's own is used.
    _ = try await store.writer.write(by: Self.author) { (transaction) throws(StoreError) in
      let session = transaction.session
      let pages = try session.first("PRAGMA page_count") { (row) throws(StoreError) in try row.integer(0) } ?? 0
      _ = try session.first("PRAGMA max_page_count = \(pages + extra)") { (row) throws(StoreError) in true }
      return NothingWritten()
    }
  }

  func checkIntegrity() throws {
    let outsider = try outsider()
    defer { outsider.close() }
    guard outsider is SQLiteConnection else { return }
    #expect(try outsider.rows("PRAGMA integrity_check").map(\.values) == [[.text("ok")]])
    #expect(try outsider.rows("PRAGMA foreign_key_check").isEmpty)
  }
}

private struct NothingWritten: SequencedOutput {
  var sequence = 0
}
