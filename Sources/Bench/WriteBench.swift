// How many durable answer writes a second the store takes from 64 writers: grouped, and in one transaction each.

import Glibc
import InterviewKits
import Store

enum WriteBench {
  private static let writers = 64
  private static let seconds = 5

  static func run() async throws -> [(name: String, value: Double)] {
    var single = StoreLimits()
    single.groupOperations = 1
    let each = try await rate(limits: single)
    let grouped = try await rate(limits: StoreLimits())
    return [("oneTransactionEach", each), ("grouped", grouped)]
  }

  private static func rate(limits: StoreLimits) async throws -> Double {
    let folder =
      "\(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/interviewkit-bench-\(getpid())"
    unsafe mkdir(folder, 0o700)
    let path = "\(folder)/bench.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
      unsafe rmdir(folder)
    }
    let store = try Store.open("sqlite:\(path)", limits: limits, clock: { Timestamp(milliseconds: 1_800_000_000_000) })
    _ = try await store.createKit(SampleKit.make(id: "k", questions: 100), by: Store.anonymous)
    for writer in 0..<writers {
      let person = Person(id: SampleKit.itemID("p\(writer)"))
      let draft = EvaluationDraft(
        id: SampleKit.itemID("e\(writer)"), kitID: SampleKit.itemID("k"), candidate: person, interviewer: person)
      _ = try await store.createEvaluation(draft, by: Store.anonymous)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let end = start + .seconds(seconds)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<writers {
        group.addTask { try await write(as: writer, to: store, until: end) }
      }
      return try await group.reduce(0, +)
    }
    let took = start.duration(to: clock.now)
    await store.close()
    return Double(total) / (Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18)
  }

  /// Writes one answer after the other until `end`, and returns how many were on disk.
  private static func write(as writer: Int, to store: Store, until end: ContinuousClock.Instant) async throws -> Int {
    let evaluation = SampleKit.itemID("e\(writer)")
    var count = 0
    while ContinuousClock.now < end {
      let item = SampleKit.itemID("q\(count % 100)")
      let text = ExactText("answer number \(count), a sentence as long as one that somebody types")
      let operation = AnswerOperation(
        itemID: item, content: AnswerContent(value: .text(text)), precondition: count < 100 ? .none : .exists)
      for result in try await store.writeAnswers(evaluation, [operation], by: Store.anonymous).results {
        _ = try result.result.get()
      }
      count += 1
    }
    return count
  }
}
