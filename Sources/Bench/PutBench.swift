// What the PUT of an answer with a viewport costs in processor time, from request to response, by the size of its kit.

import API
import Glibc
import HTTP
import InterviewKits
import RowLayout
import Store
import TextLayout

enum PutBench {
  private static let rounds = 15
  private static let writes = 200
  private static let sizes = [10, 2_000]
  private static let view = "profile=ios&width=375&scale=3"

  /// Rounds in turn, so that whatever else the machine does falls on both; the median of each.
  static func run() async throws -> [(name: String, value: Double)] {
    let folder = "/tmp/interviewkit-puts-\(getpid())"
    unsafe mkdir(folder, 0o700)
    let path = "\(folder)/puts.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
      unsafe rmdir(folder)
    }
    let clock = { @Sendable in Timestamp(milliseconds: 1_800_000_000_000) }
    let store = try Store.open("sqlite:\(path)", clock: clock)
    let fonts = try FontLibrary(configurationFile: "Config/fonts.json")
    let engine = RowLayoutEngine(measurer: TextMeasurer(fonts: fonts, cacheBytes: 12 << 20))
    let api = InterviewKitAPI(
      store: store, layouts: engine, profiles: try ProfileLibrary(directory: "Config/profiles"), version: "bench",
      clock: clock, report: { _, error, _ in print(error) })
    for size in sizes { try await prepare(size, in: store) }
    var times: [Int: [Double]] = [:]
    var deltas: [Int: [Double]] = [:]
    for round in 0...rounds {
      for size in sizes {
        let with = try await microseconds(api, size, round: 2 * round, query: "?\(view)")
        let without = try await microseconds(api, size, round: 2 * round + 1, query: "")
        // The first round fills the caches.
        if round > 0 {
          times[size, default: []].append(with)
          deltas[size, default: []].append(with - without)
        }
      }
    }
    await store.close()
    let found = sizes.map { size in median(times[size] ?? []) }
    return [
      ("tenQuestions", found[0]), ("twoThousandQuestions", found[1]),
      ("heightsOfTen", median(deltas[sizes[0]] ?? [])), ("heightsOfTwoThousand", median(deltas[sizes[1]] ?? [])),
    ]
  }

  /// An evaluation of a kit, all of it answered.
  private static func prepare(_ size: Int, in store: Store) async throws {
    let (kit, evaluation) = (SampleKit.itemID("k\(size)"), SampleKit.itemID("e\(size)"))
    _ = try await store.createKit(SampleKit.make(id: kit.string, questions: size), by: store.openCaller)
    let draft = EvaluationDraft(
      id: evaluation, kitID: kit, candidate: Person(id: SampleKit.itemID("c")),
      interviewer: Person(id: SampleKit.itemID("p")))
    _ = try await store.createEvaluation(draft, by: store.openCaller)
    let all = (0..<size).map { place in
      AnswerOperation(
        itemID: SampleKit.itemID("q\(place)"),
        content: AnswerContent(value: .text(ExactText("the answer to question \(place), of the usual length"))))
    }
    _ = try await store.writeAnswers(evaluation, all, by: store.openCaller)
  }

  /// Of the process, a write: each of another text, one or two lines high in turn.
  private static func microseconds(
    _ api: InterviewKitAPI, _ size: Int, round: Int, query: String
  ) async throws -> Double {
    let head = try RequestHead.make(
      .put, "/v1/evaluations/e\(size)/answers/q5" + query,
      fields: [Field("Content-Type", "application/json"), Field("If-Match", "*")])
    // No kit finds texts that the other has measured.
    let kit = size == sizes[0] ? "small" : "large"
    let more = "and more of it, so that it takes another line on a phone"
    let before = processorMicroseconds()
    for write in 0..<writes {
      let body =
        #"{"value":"written in the \#(kit) kit as number \#(write) of round \#(round) \#(write % 2 == 0 ? more : "")"}"#
      let response = await api.answer(Request(head: head, body: Array(body.utf8), requestID: "bench"))
      guard response.status == 200 else { throw UnexpectedStatus(status: response.status) }
    }
    return (processorMicroseconds() - before) / Double(writes)
  }

  private struct UnexpectedStatus: Error { var status: Int }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func processorMicroseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
