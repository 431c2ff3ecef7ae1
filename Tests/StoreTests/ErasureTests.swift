// Erasing a candidate: gone from every table, from free pages, from the log, and again from a copy that is put back.

import Foundation
import InterviewKits
import Locks
import TestKit
import Testing

@testable import Store

@Suite struct ErasureTests {
  private static let secret = "zebrafinch"

  /// A candidate whose name, answers, history, lost values, comments and reasons hold the secret word.
  private static func fill(_ test: TestStore) async throws {
    try await test.create(.sample(questions: 40))
    let text = ExactText(secret)
    try await test.evaluate("k1", candidate: Person(id: "c1", name: text))
    try await test.evaluate("k1", as: "e2", candidate: Person(id: "c2", name: "Lee"))
    for round in 0..<3 {
      for number in 1...40 {
        let long = String(repeating: "\(secret) \(round) ", count: number * 20)
        let content = AnswerContent(value: .text(ExactText(long)), comment: text)
        let operation = AnswerOperation(
          operationID: "\(secret)-\(round)-\(number)", itemID: ItemID(stringLiteral: "q\(number)"),
          content: content,
          precondition: round == 0 ? .none : .exists)
        let written = try await test.store.writeAnswers("e1", [operation], by: TestStore.author)
        _ = try written.results[0].result.get()
      }
    }
    let lost = AnswerOperation(
      itemID: "q1", content: AnswerContent(value: .text(ExactText("lost \(secret)"))), precondition: .revisions([1]))
    _ = try await test.store.writeAnswers(
      "e1", [lost], by: TestStore.author, retry: RetryKey(key: "named-\(secret)", digest: "d"))
    // A record of this write under its name.
    let named = AnswerOperation(
      itemID: "q2", content: AnswerContent(value: .text(ExactText(secret))), precondition: .exists)
    _ = try await test.store.writeAnswers(
      "e1", [named], by: TestStore.author, retry: RetryKey(key: "kept-\(secret)", digest: "d"))
    _ = try await test.store.take(.submit, on: "e1", by: TestStore.author)
    _ = try await test.store.take(.reopen(reason: text), on: "e1", by: TestStore.author)
    try await test.answer("q1", .text("stays"), in: "e2")
  }

  /// How often the word stands in the files beside the database, the log among them.
  private static func occurrences(of word: String = secret, in test: TestStore) throws -> Int {
    let word = Array(word.utf8)
    var count = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: test.folder.path) {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: test.folder.file(file))))
      unsafe bytes.withUnsafeBytes { bytes in
        guard var place = bytes.baseAddress else { return }
        let end = unsafe place + bytes.count
        while let start = unsafe memchr(place, Int32(word[0]), place.distance(to: end)) {
          let isRoom = unsafe UnsafeRawPointer(start).distance(to: end) >= word.count
          if isRoom, unsafe memcmp(start, word, word.count) == 0 { count += 1 }
          unsafe place = UnsafeRawPointer(start) + 1
        }
      }
    }
    return count
  }

  @Test func `no byte of it is left in the database, its free pages and its log`() async throws {
    let test = try TestStore.make()
    try await Self.fill(test)
    #expect(try Self.occurrences(in: test) > 100)
    let erased = try await test.store.erase(candidate: "c1", by: TestStore.author)
    #expect(erased.evaluations == 1)
    #expect(try Self.occurrences(in: test) == 0)
    await expect(.gone) { try test.evaluation("e1") }
    await expect(.gone) { try test.store.candidate("c1", for: TestStore.caller) }
    #expect(try test.evaluation("e2").answers["q1"]?.content.value == .text("stays"))
    let tombstones = try test.changes().suffix(2)
    #expect(tombstones.map(\.kind) == [.evaluationErased, .candidateErased] && tombstones.allSatisfy(\.deleted))
    // Nobody gets the IDs again.
    await expect(.gone) { try await test.evaluate("k1", as: "e3", candidate: Person(id: "c1")) }
    await expect(.gone) { try await test.evaluate("k1", as: "e1", candidate: Person(id: "c3")) }
    #expect(try await test.store.erase(candidate: "c1", by: TestStore.author).evaluations == 0)
    await expect(.notFound) { try await test.store.erase(candidate: "nobody", by: TestStore.author) }
  }

  @Test func `no copy is left in pages that were split and that others' rows share`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 8))
    var random = SystemRandomNumberGenerator()
    let names = (0..<150).map { _ in "secret\(random.next())secret" }
    for name in names {
      try await test.evaluate(
        "k1", as: ItemID(stringLiteral: name),
        candidate: Person(id: ItemID(stringLiteral: "c-\(name)"), name: ExactText("Dr \(name)")))
    }
    for round in 1...3 {
      for name in names.shuffled() {
        let operations = (1...8).map { number in
          let text = String(repeating: "of \(name) ", count: Int.random(in: 1...8 * round))
          return AnswerOperation(
            itemID: ItemID(stringLiteral: "q\(number)"), content: AnswerContent(value: .text(ExactText(text))),
            precondition: round == 1 ? .none : .exists)
        }
        let written = try await test.store.writeAnswers(
          ItemID(stringLiteral: name), operations, by: TestStore.author)
        for result in written.results { _ = try result.result.get() }
      }
    }
    for name in names.prefix(40) {
      try await test.store.erase(candidate: ItemID(stringLiteral: "c-\(name)"), by: TestStore.author)
      // IDs stay, and are all that does.
      #expect(
        try Self.occurrences(of: "of \(name)", in: test) == 0 && Self.occurrences(of: "Dr \(name)", in: test) == 0)
    }
    #expect(try Self.occurrences(of: "of \(names[40])", in: test) > 0)
  }

  @Test func `what a crash left to be scrubbed is scrubbed at the next start`() async throws {
    let test = try TestStore.make()
    try await Self.fill(test)
    let erased = try await test.store.writer.write(by: TestStore.author) { (transaction) throws(StoreError) in
      try transaction.erase(candidate: "c1")
    }
    #expect(erased.evaluations == 1)
    #expect(try Self.occurrences(in: test) > 0)
    try await test.reopen()
    #expect(try Self.occurrences(in: test) == 0)
    #expect(try ErasureList(path: test.path + ".erasures").read().map(\.candidateID) == ["c1"])
  }

  @Test func `erasures at the same time share a list and leave nothing`() async throws {
    let test = try TestStore.make()
    try await Self.fill(test)
    let ids = (0..<20).map { ItemID(stringLiteral: "many-\($0)") }
    for id in ids { try await test.evaluate("k1", as: id, candidate: Person(id: id, name: ExactText(Self.secret))) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids + ["c1"] {
        group.addTask { _ = try await test.store.erase(candidate: id, by: TestStore.author) }
      }
      try await group.waitForAll()
    }
    #expect(try Self.occurrences(in: test) == 0)
    #expect(try Set(ErasureList(path: test.path + ".erasures").read().map(\.candidateID)) == Set(ids + ["c1"]))
  }

  @Test func `a copy from before is brought up to the list of erasures`() async throws {
    let test = try TestStore.make()
    try await Self.fill(test)
    let copy = test.folder.file("copy.db")
    try Store.backup(test.name, to: copy)
    _ = try await test.store.erase(candidate: "c1", by: TestStore.author)
    await test.close()
    for file in ["store.db", "store.db-wal", "store.db-shm"] {
      try? FileManager.default.removeItem(atPath: test.folder.file(file))
    }
    try FileManager.default.moveItem(atPath: copy, toPath: test.path)
    #expect(try Self.occurrences(in: test) > 100)
    try test.open()
    #expect(try Self.occurrences(in: test) == 0)
    await expect(.gone) { try test.evaluation("e1") }
    #expect(try test.changes().last?.kind == .candidateErased)
    // Opened again, there is nothing left to do.
    let sequence = test.store.sequence
    try await test.reopen()
    #expect(test.store.sequence == sequence)
  }

  @Test func `a backup that is restored holds no byte of whom the list names, before anything opens it`() async throws {
    let test = try TestStore.make()
    try await Self.fill(test)
    let (copy, list) = (test.folder.file("copy.db"), ErasureList(path: test.path + ".erasures"))
    try Store.backup(test.name, to: copy)
    try await test.store.erase(candidate: "c1", by: TestStore.author)
    await test.close()
    var faults: [DatabaseFault] = []
    func restore(_ database: String) throws(StoreError) {
      _ = try Store.restore(
        database, from: copy, now: Timestamp(milliseconds: 9_000), progress: { _, _ in }, report: { faults.append($0) })
    }
    try restore(test.name)
    #expect(faults.isEmpty)
    try FileManager.default.removeItem(atPath: copy)
    #expect(try Self.occurrences(in: test) == 0)
    // Who was not erased is there.
    try test.open()
    await expect(.gone) { try test.evaluation("e1") }
    #expect(try test.evaluation("e2").answers["q1"]?.content.value == .text("stays"))
    #expect(try test.changes().suffix(2).map(\.kind) == [.evaluationErased, .candidateErased])
    #expect(try list.read().map(\.candidateID) == ["c1"])
    await test.close()
    try Store.verify(test.name) { faults.append($0) }
    #expect(faults.isEmpty)
  }

  @Test func `a restore adds nobody to the list before the backup is the database`() async throws {
    let test = try TestStore.make()
    try await Self.fill(test)
    try await test.store.erase(candidate: "c1", by: TestStore.author)
    let copy = test.folder.file("copy.db")
    try Store.backup(test.name, to: copy)
    let other = test.folder.file("other.db")
    _ = try Store.restore(
      "sqlite:\(other)", from: copy, now: Timestamp(milliseconds: 9_000), progress: { _, _ in }, report: { _ in })
    #expect(!FileManager.default.fileExists(atPath: other + ".erasures"))
    let store = try Store.open("sqlite:\(other)") { Timestamp(milliseconds: 9_000) }
    #expect(try ErasureList(path: other + ".erasures").read().map(\.candidateID) == ["c1"])
    await store.close()
  }

  @Test func `a backup that is restored elsewhere is brought up to the lists beside it, which go with it`() async throws
  {
    let test = try TestStore.make()
    try await Self.fill(test)
    let copy = test.folder.file("copy.db")
    try Store.backup(test.name, to: copy)
    await test.close()
    let other = TemporaryFolder()
    let elsewhere = "sqlite:" + other.file("other.db")
    var now = 0
    func restore() throws(StoreError) -> Restored {
      now += 10_000
      return try Store.restore(
        elsewhere, from: copy, now: Timestamp(milliseconds: now), progress: { _, _ in }, report: { _ in })
    }
    #expect(try restore().erasedAnew == ErasedAnew(lists: [], candidates: 0))
    // One who is in the copy, twice, and one who never was.
    let entries = [
      ErasureList.Entry(accountID: "default", candidateID: "c1"),
      ErasureList.Entry(accountID: "default", candidateID: "stranger"),
    ]
    let (named, kept) = (copy + ".erasures", test.folder.file(Store.usualFile + ".erasures"))
    try ErasureList(path: named).add(entries)
    try ErasureList(path: kept).add([entries[0]])
    let line = try Data(contentsOf: URL(fileURLWithPath: kept))
    try (line + line).write(to: URL(fileURLWithPath: kept))
    #expect(try restore().erasedAnew == ErasedAnew(lists: [named, kept], candidates: 1))
    let store = try Store.open(elsewhere) { Timestamp(milliseconds: 90_000) }
    await expect(.gone) { try store.candidate("c1", for: TestStore.caller) }
    #expect(try store.candidate("c2", for: TestStore.caller).name == "Lee")
    await store.close()
    #expect(try Set(ErasureList(path: other.file("other.db.erasures")).read()) == Set(entries))
    try FileManager.default.removeItem(atPath: kept)
    _ = FileManager.default.createFile(atPath: kept, contents: Data("no list\n".utf8))
    let error = #expect(throws: StoreError.self) { try restore() }
    #expect("\(String(describing: error))".contains(kept))
  }

  /// The lines of an export, and a store in the place of the exported one, which is gone.
  private static func exported() async throws -> (test: TestStore, lines: [[UInt8]]) {
    let test = try TestStore.make()
    try await fill(test)
    await test.close()
    let bytes = Lock<[UInt8]>([])
    try Store.exportAll(test.name, progress: { _, _ in }) { portion in
      bytes.withLock { $0 += portion }
      return true
    }
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: test.path + suffix) }
    return (test, bytes.withLock { $0 }.split(separator: 0x0A).map(Array.init))
  }

  @Test func `an export from before brings nobody back who is on the list`() async throws {
    let (test, lines) = try await Self.exported()
    try ErasureList(path: test.path + ".erasures").add([ErasureList.Entry(accountID: "default", candidateID: "c1")])
    let rest = Lock(lines[...])
    #expect(lines.count > 100)
    let done = try Store.importAll(
      into: test.name, now: Timestamp(milliseconds: 9_000), next: { rest.withLock { $0.popFirst() } },
      progress: { _, _ in })
    #expect(done.erasedAnew.candidates == 1)
    #expect(try Self.occurrences(in: test) == 0)
    try test.open()
    await expect(.gone) { try test.evaluation("e1") }
    #expect(try test.evaluation("e2").answers["q1"]?.content.value == .text("stays"))
  }

  @Test func `an import takes the list beside the export along`() async throws {
    let (test, lines) = try await Self.exported()
    let export = test.folder.file("all.jsonl")
    let entry = ErasureList.Entry(accountID: "default", candidateID: "c1")
    try ErasureList(path: export + ".erasures").add([entry])
    let rest = Lock(lines[...])
    let done = try Store.importAll(
      into: test.name, from: export, now: Timestamp(milliseconds: 9_000), next: { rest.withLock { $0.popFirst() } },
      progress: { _, _ in })
    #expect(done.erasedAnew == ErasedAnew(lists: [export + ".erasures"], candidates: 1))
    #expect(try ErasureList(path: test.path + ".erasures").read() == [entry])
    try test.open()
    await expect(.gone) { try test.evaluation("e1") }
  }

  @Test func `a list that a crash has cut is read as far as it is whole`() throws {
    let folder = TemporaryFolder()
    let list = ErasureList(path: folder.file("list"))
    #expect(try list.read().isEmpty)
    let entries = [
      ErasureList.Entry(accountID: "a", candidateID: "c1"), ErasureList.Entry(accountID: "b", candidateID: "c2"),
    ]
    try list.add([entries[0]])
    let whole = try Data(contentsOf: URL(fileURLWithPath: list.path))
    folder.write(Array(whole) + Array(#"{"account":"a","ca"#.utf8), to: "list")
    #expect(try list.read() == [entries[0]])
    try list.add(entries)
    #expect(try list.read() == entries)
  }
}
