// `verify` finds every kind of row that breaks a rule, and nothing in a database that keeps them.
import Foundation
import InterviewKits
import SQLDatabase
import TestKit
import Testing

@testable import Store

@Suite struct VerificationTests {
  /// A database with two kits, a trash, a submitted and a draft evaluation, a history and a profile.
  static func filled() async throws -> TestStore {
    let test = try TestStore.make()
    try await test.create(.sample())
    try await test.create(.everything())
    try await test.reword("q1")
    try await test.change("k1", item: "q3") { (kit, now) throws(KitEditError) in try kit.removing("q3", now: now) }
    try await test.evaluate("k1", revision: 2)
    try await test.evaluate("k1", as: "e2")
    try await test.answer("q1", .text("one"))
    try await test.answer("q1", .text("two"), .exists)
    try await test.answer("q3", .text("retired soon"))
    await expect(.preconditionFailed) { try await test.answer("q1", .text("lost"), .revisions([1])) }
    _ = try await test.store.take(.submit, on: "e1", precondition: .none, by: TestStore.author)
    await test.close()
    return test
  }

  private static func faults(_ test: TestStore) throws -> [DatabaseFault] {
    var faults: [DatabaseFault] = []
    try Store.verify(test.name) { faults.append($0) }
    return faults
  }

  @Test func `a database that keeps the rules is clean`() async throws {
    #expect(try Self.faults(await Self.filled()).isEmpty)
  }

  @Test func `it leaves no file where none was, and those of whoever has the database open`() async throws {
    let test = try await Self.filled()
    let copy = TemporaryFolder()
    try Store.backup(test.name, to: copy.file("b.sqlite"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy.file("b.sqlite")))
    try Store.verify("sqlite:" + copy.file("b.sqlite")) { Testing.Issue.record("\($0)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path) == ["b.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy.file("b.sqlite"))) == bytes)
    func logs() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: test.folder.path).filter { $0.hasSuffix("-wal") }
    }
    #expect(try Self.faults(test).isEmpty)
    #expect(try logs() == [])
    try test.open()
    // Cut, its log is empty, and its own.
    try test.store.check()
    #expect(try Self.faults(test).isEmpty)
    #expect(try logs() == ["store.db-wal"])
    try await test.reword("q1")
    #expect(try Self.faults(test).isEmpty)
    await test.close()
    #expect(try Self.faults(test).isEmpty)
  }

  struct Breach: Sendable, CustomTestStringConvertible {
    var sql: String
    var place: String
    var testDescription: String { sql }
    init(_ place: String, _ sql: String) { (self.sql, self.place) = (sql, place) }
  }

  @Test(arguments: [
    Breach("kit default/k1", "DELETE FROM kit_revision WHERE kit_id = 'k1' AND revision = 2"),
    Breach("kit default/k1", "UPDATE kit SET revision = 9 WHERE id = 'k1'"),
    Breach("kit default/k1", "UPDATE kit SET title = 'Other' WHERE id = 'k1'"),
    Breach("kit default/k1", "UPDATE kit SET question_count = 7 WHERE id = 'k1'"),
    Breach("kit default/k1", "DELETE FROM kit_header WHERE kit_id = 'k1'"),
    Breach("kit default/k1", "UPDATE kit_header SET content = '{' WHERE kit_id = 'k1'"),
    Breach("kit default/k1", "UPDATE question SET ended = appeared WHERE kit_id = 'k1' AND id = 'q3'"),
    Breach("kit default/k1", "UPDATE question SET appeared = 1, revision = 1 WHERE kit_id = 'k1' AND appeared = 2"),
    Breach("kit default/k1", "UPDATE question SET revision = 8 WHERE kit_id = 'k1' AND id = 'q2'"),
    Breach("kit default/k1", "UPDATE question SET section_id = 'none' WHERE kit_id = 'k1' AND id = 'q2'"),
    Breach("kit default/k1", "UPDATE question SET content = '{}' WHERE kit_id = 'k1' AND id = 'q3'"),
    Breach("kit default/k1", "UPDATE question SET order_key = 'Z' WHERE kit_id = 'k1' AND id = 'q2'"),
    Breach("kit default/k1", "UPDATE section SET appeared = 2 WHERE kit_id = 'k1'"),
    Breach("kit default/k1", "UPDATE item SET kind = 'option' WHERE kit_id = 'k1' AND id = 'q2'"),
    Breach("kit default/k1", "UPDATE item SET deleted_revision = NULL WHERE kit_id = 'k1' AND id = 'q3'"),
    Breach("kit default/k1", "UPDATE item SET deleted_revision = 2 WHERE kit_id = 'k1' AND id = 'q2'"),
    Breach("kit default/all", "DELETE FROM item WHERE kit_id = 'all' AND id = 'o3'"),
    Breach("kit default/k1", "INSERT INTO purged_kit (account_id, id, purged_at) VALUES ('default', 'k1', 1)"),
    Breach("evaluation default/e1", "UPDATE evaluation SET answered = 9 WHERE id = 'e1'"),
    Breach("evaluation default/e1", "UPDATE evaluation SET recommendation = '{\"bool\":true}' WHERE id = 'e1'"),
    Breach("evaluation default/e1", "UPDATE evaluation SET kit_revision = 77 WHERE id = 'e1'"),
    Breach("evaluation default/e1", "UPDATE evaluation SET submitted_at = NULL WHERE id = 'e1'"),
    Breach("evaluation default/e2", "UPDATE evaluation SET submitted_at = 5 WHERE id = 'e2'"),
    Breach("evaluation default/e2", "UPDATE evaluation SET status = 'withdrawn' WHERE id = 'e2'"),
    Breach("evaluation default/e1", "UPDATE evaluation_event SET revision = 99 WHERE kind = 'submitted'"),
    Breach("evaluation default/e1", "DELETE FROM answer WHERE item_id = 'q1'"),
    Breach("evaluation default/e1", "UPDATE answer SET revision = 1 WHERE item_id = 'q1'"),
    Breach("evaluation default/e1", "UPDATE answer SET evaluation_revision = 50 WHERE item_id = 'q1'"),
    Breach("evaluation default/e1", "UPDATE answer SET item_id = 's1' WHERE item_id = 'q3'"),
    Breach("evaluation default/e1", "UPDATE answer_history SET content = 'x'"),
    Breach("evaluation default/e1", "UPDATE lost_answer SET content = 'x'"),
    Breach("evaluation default/e1", "UPDATE evaluation SET candidate_id = 'nobody' WHERE id = 'e1'"),
    Breach("evaluation default/e1", "DELETE FROM in_sight"),
    Breach("evaluation default/e1", "UPDATE in_sight SET candidate_id = 'c2'"),
    Breach(
      "evaluation default/e2",
      "INSERT INTO in_sight (account_id, viewer, created_at, evaluation_id, kit_id, candidate_id, interviewer_id) "
        + "SELECT account_id, '*observers', created_at, id, kit_id, candidate_id, interviewer_id FROM evaluation "
        + "WHERE id = 'e2'"),
    Breach("feed", "DELETE FROM change WHERE sequence = 3"),
    Breach("feed", "DELETE FROM change WHERE sequence = (SELECT MAX(sequence) FROM change)"),
    Breach("feed", "UPDATE change_counter SET sequence = sequence + 1"),
    Breach("feed", "UPDATE feed SET forgotten = 1000"),
    Breach("feed", "UPDATE feed_life SET first = 1000"),
    Breach("feed", "UPDATE change SET kit_id = 'stranger' WHERE sequence = 1"),
    Breach(
      "profiles",
      "INSERT INTO profile (account_id, name, version, content, written_at, written_by) VALUES "
        + "('default', 'p', 1, '{}', 1, 'a'), ('default', 'p', 3, '{}', 1, 'a')"),
  ]) func `a row that breaks a rule is found where it is`(breach: Breach) async throws {
    let test = try await Self.filled()
    let outsider = try test.outsider()
    try outsider.script("PRAGMA foreign_keys = OFF")
    #expect(try outsider.execute(breach.sql) > 0, "nothing was broken")
    outsider.close()
    let faults = try Self.faults(test)
    #expect(faults.contains { $0.place == breach.place }, "\(faults)")
  }

  @Test func `a missing reference and another schema are told`() async throws {
    let test = try await Self.filled()
    let outsider = try test.outsider()
    try outsider.script("PRAGMA foreign_keys = OFF")
    try outsider.execute("UPDATE evaluation SET candidate_id = 'nobody' WHERE id = 'e1'")
    outsider.close()
    #expect(try Self.faults(test).contains { $0.place == "database" && $0.message.contains("candidate") })
    let again = try test.outsider()
    try again.execute("DELETE FROM schema_migration WHERE version = $1", [.integer(Store.schemaVersion)])
    again.close()
    #expect(try Self.faults(test).contains { $0.message.contains("schema") })
  }
}
