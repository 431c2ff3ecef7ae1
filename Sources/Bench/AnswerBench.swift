// What one answer write costs in processor time, by the size of its kit and the length of its history.

import Glibc
import InterviewKits
import Store

enum AnswerBench {
  private static let writes = 400

  static func run() async throws -> [(name: String, value: Double)] {
    let small = try await microseconds(questions: 10, history: 0)
    let large = try await microseconds(questions: 2_000, history: 0)
    let long = try await microseconds(questions: 10, history: 10_000)
    return [("tenQuestions", small), ("twoThousandQuestions", large), ("tenThousandRevisions", long)]
  }

  /// Of the process, a write: all items are answered before, and one of them `history` times.
  private static func microseconds(questions: Int, history: Int) async throws -> Double {
    let folder = "/tmp/interviewkit-bench-\(getpid())"
    unsafe mkdir(folder, 0o700)
    let path = "\(folder)/answers.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
      unsafe rmdir(folder)
    }
    let store = try Store.open("sqlite:\(path)", clock: { Timestamp(milliseconds: 1_800_000_000_000) })
    _ = try await store.createKit(SampleKit.make(id: "k", questions: questions), by: Store.anonymous)
    let (evaluation, person) = (SampleKit.itemID("e"), Person(id: SampleKit.itemID("p")))
    let draft = EvaluationDraft(
      id: evaluation, kitID: SampleKit.itemID("k"), candidate: person, interviewer: person)
    _ = try await store.createEvaluation(draft, by: Store.anonymous)
    let all = (0..<questions).map { operation("q\($0)", "the first answer", 0) }
    _ = try await store.writeAnswers(evaluation, all, by: Store.anonymous)
    for start in stride(from: 1, to: history + 1, by: 500) {
      let batch = (start..<start + 500).map { operation("q1", "revision \($0)", $0) }
      _ = try await store.writeAnswers(evaluation, batch, by: Store.anonymous)
    }
    var revision = 1 + history
    let before = processorMicroseconds()
    for _ in 0..<writes {
      let write = operation("q1", "an answer of the usual length, number \(revision)", revision)
      for result in try await store.writeAnswers(evaluation, [write], by: Store.anonymous).results {
        _ = try result.result.get()
      }
      revision += 1
    }
    let took = processorMicroseconds() - before
    await store.close()
    return took / Double(writes)
  }

  private static func operation(_ item: String, _ text: String, _ revision: Int) -> AnswerOperation {
    AnswerOperation(
      itemID: SampleKit.itemID(item), content: AnswerContent(value: .text(ExactText(text))),
      precondition: .revisions([revision]))
  }

  private static func processorMicroseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
