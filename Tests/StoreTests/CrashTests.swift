// A process killed under load, twenty times: nothing acknowledged is missing or changed.
import Glibc
import InterviewKits
import Locks
import TestKit
import Testing

@testable import Store

/// Counts over all tasks.
private final class Counter: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

@Suite struct CrashTests {
  static let writers = 8
  static let rounds = 20

  /// What a child was told is on disk: one line each in a file that outlives it.
  struct Acknowledged: Hashable {
    var evaluation: ItemID
    var item: ItemID
    var revision: Int
    var text: String

    init(evaluation: ItemID, item: ItemID, revision: Int, text: String) {
      (self.evaluation, self.item, self.revision, self.text) = (evaluation, item, revision, text)
    }

    var line: String { "\(evaluation) \(item) \(revision) \(text)\n" }

    init?(line: Substring) {
      let words = line.split(separator: " ")
      guard words.count == 4, let evaluation = ItemID(String(words[0])), let item = ItemID(String(words[1])),
        let revision = Int(words[2])
      else { return nil }
      self.init(evaluation: evaluation, item: item, revision: revision, text: String(words[3]))
    }
  }

  @Test func `kill -9 under load, twenty times, loses and changes nothing that was acknowledged`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 5))
    for writer in 0..<Self.writers { try await test.evaluate("k1", as: ItemID(stringLiteral: "e\(writer)")) }
    await test.close()
    var generator = SeededGenerator(seed: 20)
    var checked = 0
    for round in 0..<Self.rounds {
      let acknowledgements = test.folder.file("round\(round)")
      let path = test.path
      let last = Int(generator.next() % 60) + 5
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, acknowledgements = acknowledgements as String, last = last as Int] in
        try await CrashTests.writeUntilKilled(path, acknowledgements: acknowledgements, last: last)
      }
      try test.open()
      for entry in try Self.read(acknowledgements) {
        let history = try test.store.answerHistory(
          entry.evaluation, item: entry.item, limit: 200, for: TestStore.caller)
        let stored = history.items.first { $0.revision == entry.revision }
        #expect(stored?.content.value == .text(ExactText(entry.text)))
        checked += 1
      }
      let changes = try test.store.changes(after: 0, limit: 100_000, for: TestStore.caller)
      #expect(changes.map(\.sequence) == Array(1...changes.count))
      try test.checkIntegrity()
      await test.close()
    }
    #expect(checked >= Self.rounds * 5)
  }

  /// Runs in a process of its own.
  static func writeUntilKilled(_ path: String, acknowledgements: String, last: Int) async throws {
    let file = unsafe open(acknowledgements, O_CREAT | O_WRONLY | O_APPEND, 0o600)
    let store = try Store.open("sqlite:\(path)") { Timestamp(milliseconds: 0) }
    let counter = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          let evaluation = ItemID(stringLiteral: "e\(writer)")
          for number in 0... {
            let item = ItemID(stringLiteral: "q\(number % 5 + 1)")
            let text = "w\(writer)n\(number)p\(getpid())"
            let operation = AnswerOperation(
              itemID: item, content: AnswerContent(value: .text(ExactText(text))), precondition: .exists)
            let written = try await store.writeAnswers(evaluation, [operation], by: TestStore.caller).results[0]
            let revision = try written.result.get().answer.revision
            let entry = Acknowledged(evaluation: evaluation, item: item, revision: revision, text: text)
            var line = entry.line
            line.withUTF8 { bytes in _ = unsafe Glibc.write(file, bytes.baseAddress, bytes.count) }
            if counter.next() == last { kill(getpid(), SIGKILL) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func read(_ path: String) throws -> [Acknowledged] {
    let file = unsafe open(path, O_RDONLY)
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      try #require(Acknowledged(line: $0))
    }
  }
}
