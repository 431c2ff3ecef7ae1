// Databases of every earlier schema version, brought to the newest one.
import Glibc
import InterviewKits
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite struct UpgradeTests {
  /// SQL text in `Tests/Upgrades`: what `.dump` of the sqlite3 shell prints of a small database of that version.
  private static func script(of version: Int) throws -> String {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let path = "/\(folder)/Upgrades/version-\(version).sql"
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0, "there is no \(path): dump a small database of version \(version) with sqlite3's .dump")
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe read(file, &bytes, bytes.count)
    try #require((1..<bytes.count).contains(count))
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func make(version: Int, at path: String) throws {
    let connection = try SQLiteDatabase(path: path).open(.writing)
    defer { connection.close() }
    // A dump names tables before those that they refer to.
    try connection.script("PRAGMA foreign_keys = OFF")
    try connection.script(script(of: version))
    #expect(try Migrations.version(of: Session(connection: connection)) == version)
  }

  @Test(arguments: 1..<Store.schemaVersion)
  func `a database of an earlier version is upgraded whole`(version: Int) async throws {
    let folder = TemporaryFolder()
    let path = folder.file("old.sqlite")
    try Self.make(version: version, at: path)
    let store = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5_000) }
    let kit = try store.kit("backend", for: TestStore.caller).kit
    #expect(kit.revision == 3 && kit.questionIDs == ["outage", "pick"])
    #expect(try store.kit("backend", revision: 1, for: TestStore.caller).kit.questionIDs == ["outage", "old", "pick"])
    #expect(try store.deletedItems(of: "backend", for: TestStore.caller).map(\.id) == ["old"])
    let submitted = try store.evaluation("kim-1", for: TestStore.caller)
    #expect(submitted.summary.status == .submitted && submitted.summary.revision == 5)
    #expect(submitted.summary.candidate.name == "Kim Ji-woo")
    #expect(submitted.answers["outage"]?.content.value == .text("A clock ran backwards 🙂"))
    let history = try store.answerHistory("kim-1", item: "outage", limit: 10, for: TestStore.caller)
    #expect(history.items.map(\.revision) == [2, 1])
    #expect(try store.changes(after: 0, for: TestStore.caller).map(\.sequence) == Array(1...9))
    // And it is written to as any other.
    let operation = AnswerOperation(
      itemID: "outage", content: AnswerContent(value: .text("Now")), precondition: .none)
    let written = try await store.writeAnswers("kim-2", [operation], by: TestStore.caller)
    #expect(try written.results[0].result.get().answer.revision == 1)
    await store.close()
    var faults: [DatabaseFault] = []
    try Store.verify("sqlite:\(path)") { faults.append($0) }
    #expect(faults.isEmpty)
  }

  @Test func `what was given in confidence before it was marked so is marked by the kit revision of its time`()
    async throws
  {
    let folder = TemporaryFolder()
    let path = folder.file("old.sqlite")
    try Self.make(version: 9, at: path)
    let store = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5_000) }
    let observer = ConfidenceTests.observer
    // Moved to a revision in which nothing is private any more.
    let whole = try store.evaluation("lee-1", for: TestStore.caller)
    #expect(Set(whole.answers.filter(\.isPrivate).map(\.itemID)) == ["doubt", "pace"] && whole.answers.count == 4)
    let told = try store.evaluation("lee-1", for: observer)
    #expect(Set(told.answers.map(\.itemID)) == ["plain", "why"] && told.summary.progress.answered == 2)
    #expect(told.answers["why"]?.content.value == .text("said openly") && told.answers["why"]?.revision == 2)
    #expect(told.summary.revision == whole.summary.revision && told.summary.updatedAt == whole.summary.updatedAt)
    let history = try store.answerHistory("lee-1", item: "why", for: observer)
    #expect(history.items.map(\.content.value) == [.text("said openly")])
    #expect(history.lostConflicts.map(\.content.value) == [.text("lost openly")])
    #expect(history.lostConflicts.map(\.ifRevision) == [1])
    #expect(try store.answerHistory("lee-1", item: "doubt", for: observer).items.isEmpty)
    #expect(try store.answerHistory("lee-1", item: "doubt", for: TestStore.caller).items.count == 2)
    // One from before its events were kept: by the revision that it is on.
    #expect(try store.evaluation("lee-2", for: observer).answers.map(\.itemID) == ["plain"])
    let listed = try store.evaluations(EvaluationQuery(kitID: "quiet"), for: observer).items
    #expect(listed.map(\.progress.answered) == [1, 2])
    await store.close()
  }

  @Test func `lists show what was in sight before they were told where to look`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("old.sqlite")
    try Self.make(version: 10, at: path)
    let store = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5_000) }
    func listed(_ member: ItemID, _ role: Role) throws -> [String] {
      let caller = Caller(accountID: Store.defaultAccount, memberID: member, role: role)
      return try store.evaluations(EvaluationQuery(), for: caller).items.map(\.id.string)
    }
    // His own; hers, and of his those that she has sight of, or whose kit says that all see them.
    #expect(try listed("lee", .interviewer) == ["lee-2", "lee-1", "kim-1"])
    #expect(try listed("noor", .interviewer) == ["lee-2", "lee-1", "kim-3", "kim-1"])
    #expect(try listed("park", .interviewer) == ["lee-2", "lee-1", "kim-2"])
    #expect(try listed("eve", .observer) == ["lee-2", "lee-1", "kim-3", "kim-1"])
    await store.close()
  }

  @Test(arguments: 1..<Store.schemaVersion)
  func `a backup of an earlier version is restored as one of this version`(version: Int) async throws {
    let folder = TemporaryFolder()
    let (backup, path) = (folder.file("backup.sqlite"), folder.file("now.sqlite"))
    try Self.make(version: version, at: backup)
    var faults: [DatabaseFault] = []
    let restored = try Store.restore(
      "sqlite:\(path)", from: backup, now: Timestamp(milliseconds: 1), progress: { _, _ in },
      report: { faults.append($0) })
    #expect(faults.isEmpty)
    #expect(restored.keptAs == nil && restored.schema == (version, Store.schemaVersion))
    let store = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 5_000) }
    #expect(try store.evaluation("kim-1", for: TestStore.caller).answers.count == 2)
    await store.close()
  }
}
