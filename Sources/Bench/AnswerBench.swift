// What one answer write costs in processor time, by the size of its kit and the length of its history.

import Glibc
import InterviewKits
import Store

enum AnswerBench {
  private static let rounds = 24
  private static let writesPerRound = 50

  /// The three stores take turns, and the median of a store's rounds counts, so that what the disk, the checkpointer and
  /// the neighbours do in between is in none of the figures.
  static func run() async throws -> [(name: String, value: Double)] {
    var stores = [
      try await AnswerStore("ten", questions: 10, history: 0),
      try await AnswerStore("large", questions: 2_000, history: 0),
      try await AnswerStore("long", questions: 10, history: 10_000),
    ]
    var times = stores.map { _ in [Double]() }
    for _ in 0..<rounds {
      for index in stores.indices {
        let before = processorMicroseconds()
        for _ in 0..<writesPerRound { try await stores[index].write() }
        times[index].append((processorMicroseconds() - before) / Double(writesPerRound))
      }
    }
    for store in stores { await store.close() }
    let medians = times.map { $0.sorted()[rounds / 2] }
    return zip(["tenQuestions", "twoThousandQuestions", "tenThousandRevisions"], medians).map { ($0, $1) }
  }

  private static func processorMicroseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}

/// An evaluation whose items are all answered, and one of them many times.
private struct AnswerStore {
  private let store: Store
  private let folder: String
  private let path: String
  private let evaluation = SampleKit.itemID("e")
  private var revision: Int

  init(_ name: String, questions: Int, history: Int) async throws {
    folder = "/tmp/interviewkit-bench-\(getpid())-\(name)"
    unsafe mkdir(folder, 0o700)
    path = "\(folder)/answers.sqlite"
    store = try Store.open("sqlite:\(path)", clock: { Timestamp(milliseconds: 1_800_000_000_000) })
    _ = try await store.createKit(SampleKit.make(id: "k", questions: questions), by: store.openCaller)
    let person = Person(id: SampleKit.itemID("p"))
    let draft = EvaluationDraft(
      id: evaluation, kitID: SampleKit.itemID("k"), candidate: person, interviewer: person)
    _ = try await store.createEvaluation(draft, by: store.openCaller)
    let all = (0..<questions).map { Self.operation("q\($0)", "the first answer", 0) }
    _ = try await store.writeAnswers(evaluation, all, by: store.openCaller)
    for start in stride(from: 1, to: history + 1, by: 500) {
      let batch = (start..<start + 500).map { Self.operation("q1", "revision \($0)", $0) }
      _ = try await store.writeAnswers(evaluation, batch, by: store.openCaller)
    }
    revision = 1 + history
  }

  mutating func write() async throws {
    let write = Self.operation("q1", "an answer of the usual length, number \(revision)", revision)
    for result in try await store.writeAnswers(evaluation, [write], by: store.openCaller).results {
      _ = try result.result.get()
    }
    revision += 1
  }

  func close() async {
    await store.close()
    for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
    unsafe rmdir(folder)
  }

  private static func operation(_ item: String, _ text: String, _ revision: Int) -> AnswerOperation {
    AnswerOperation(
      itemID: SampleKit.itemID(item), content: AnswerContent(value: .text(ExactText(text))),
      precondition: .revisions([revision]))
  }
}
