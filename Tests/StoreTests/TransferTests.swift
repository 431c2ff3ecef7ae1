// Everything exported, taken into another database and exported again: the same bytes.
import InterviewKits
import Locks
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite(.onBothDatabases) struct TransferTests {
  private static let now = Timestamp(milliseconds: 9_000)

  private static func export(_ database: String) throws(StoreError) -> [[UInt8]] {
    let bytes = Lock<[UInt8]>([])
    try Store.exportAll(database, progress: { _, _ in }) { portion in
      bytes.withLock { $0 += portion }
      return true
    }
    return bytes.withLock { $0 }.split(separator: 0x0A).map(Array.init)
  }

  @discardableResult
  private static func take(_ lines: [[UInt8]], into database: String) throws(StoreError) -> ImportOutcome {
    let rest = Lock(lines[...])
    return try Store.importAll(
      into: database, now: now, next: { rest.withLock { $0.popFirst() } }, progress: { _, _ in }
    ).outcome
  }

  /// An empty database of the kind that the tested one is.
  private static func empty(_ test: TestStore) -> String {
    TestedDatabase.current == .postgres
      ? TestedDatabase.newSchema() : "sqlite:" + test.folder.file("other-\(UInt64.random(in: 0 ... .max)).db")
  }

  /// A closed store's data in another database of its kind.
  static func copy(of test: TestStore) throws -> String {
    let database = empty(test)
    try take(export(test.name), into: database)
    return database
  }

  @Test func `an export is imported with every ID, revision, history and position of the feed`() async throws {
    let test = try await VerificationTests.filled()
    let lines = try Self.export(test.name)
    let database = Self.empty(test)
    #expect(try Self.take(lines, into: database) == .imported(rows: lines.count - TransferTable.all.count - 2))
    #expect(try Self.export(database) == lines)
    #expect(try Self.take(lines, into: database) == .unchanged)
    var faults: [DatabaseFault] = []
    try Store.verify(database) { faults.append($0) }
    #expect(faults.isEmpty)
    let store = try Store.open(database) { Self.now }
    try test.open()
    #expect(try store.evaluation("e1", for: TestStore.caller) == test.evaluation("e1"))
    #expect(store.feedCursor == test.store.feedCursor)
    await store.close()
  }

  @Test func `a move to the other kind of database and back gives the same bytes`() async throws {
    let test = try await VerificationTests.filled()
    let lines = try Self.export(test.name)
    let isPostgres = TestedDatabase.current == .postgres
    let other = isPostgres ? "sqlite:" + test.folder.file("other.db") : TestedDatabase.newSchema()
    try Self.take(lines, into: other)
    #expect(try Self.export(other) == lines)
    let back = Self.empty(test)
    try Self.take(Self.export(other), into: back)
    #expect(try Self.export(back) == lines)
  }

  @Test func `an export holds every table that is not said to stay`() async throws {
    let test = try TestStore.make()
    let outsider = try test.outsider()
    defer { outsider.close() }
    let tables = Set(try outsider.tables())
    #expect(
      tables == Set(TransferTable.all.map(\.name)).union(TransferTable.staying).subtracting([TransferTable.progress]))
    for table in TransferTable.all {
      let columns = Set(try outsider.columns(of: table.name))
      #expect(columns.isSuperset(of: table.key), "\(table.name)")
    }
    try outsider.script("CREATE TABLE secret (a TEXT)")
    await expect(.database) { try Self.export(test.name) }
  }

  @Test func `an import that was interrupted goes on where it stopped, wherever that was`() async throws {
    let test = try await VerificationTests.filled()
    let lines = try Self.export(test.name)
    for end in [1, 2, 5, lines.count / 2, lines.count - 1] {
      let database = Self.empty(test)
      await expect(.database) { try Self.take(Array(lines[..<end]), into: database) }
      await expect(.database) { try Store.open(database) { Self.now } }
      // Another export does not go on with it.
      let other = try TestStore.make()
      try await other.create(.sample("k9", questions: 60))
      await other.close()
      await expect(.database) { try Self.take(Self.export(other.name), into: database) }
      #expect(try Self.take(lines, into: database) == .imported(rows: lines.count - TransferTable.all.count - 2))
      #expect(try Self.export(database) == lines)
    }
  }

  @Test func `what is no whole export, or meets other data, is refused and changes nothing`() async throws {
    let test = try await VerificationTests.filled()
    let lines = try Self.export(test.name)
    let other = try TestStore.make()
    try await other.create(.sample("k9"))
    await other.close()
    let before = try Self.export(other.name)
    await expect(.database) { try Self.take(lines, into: other.name) }
    #expect(try Self.export(other.name) == before)
    var wrong: [[[UInt8]]] = [[], [Array("{}".utf8)], [Array("nonsense".utf8)], Array(lines.dropFirst())]
    // A row missing, a row changed, a row twice, an older schema, something after the end.
    wrong.append(lines.enumerated().filter { $0.offset != lines.count / 2 }.map(\.element))
    wrong.append(lines.map { Array(String(decoding: $0, as: UTF8.self).replacing("Backend", with: "Frontend").utf8) })
    wrong.append(lines[..<3] + [lines[2]] + lines[3...])
    let header = String(decoding: lines[0], as: UTF8.self)
    let older = header.replacing("\"schema\":\(Store.schemaVersion)", with: "\"schema\":1")
    wrong.append([Array(older.utf8)] + lines.dropFirst())
    wrong.append(lines + [lines[2]])
    for lines in wrong {
      let database = Self.empty(test)
      await expect(.database) { try Self.take(lines, into: database) }
    }
  }
}
