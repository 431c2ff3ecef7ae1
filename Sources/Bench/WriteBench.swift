// How many durable answer writes a second the store takes: grouped, and in one transaction each; on SQLite, on PostgreSQL, and
// through two servers on one PostgreSQL.

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

  /// By database, number of writers and of servers; the medians of rounds in which all take turns, since a disk is not as fast
  /// at one time as at another.
  /// - Parameter url: of a PostgreSQL with the schemas `b1`, `b2` … to write to.
  static func compare(_ url: String) async throws -> [(name: String, value: Double)] {
    var single = StoreLimits()
    single.groupOperations = 1
    let ways = [("grouped", StoreLimits()), ("one transaction each", single)]
    var (found, schema): ([(name: String, value: Double)], Int) = ([], 0)
    for writers in [1, 16, 64, 256] {
      var rounds: [[(name: String, value: Double)]] = []
      for _ in 0..<3 {
        var round: [(name: String, value: Double)] = []
        for (way, limits) in ways {
          round.append(
            ("SQLite, \(writers) writers, \(way)", try await rate(limits: limits, writers: writers, seconds: 1)))
        }
        for (way, limits, servers) in ways.map({ ($0.0, $0.1, 1) }) + [("two servers", StoreLimits(), 2)] {
          schema += 1
          let name = url + "&options=-csearch_path%3Db\(schema)"
          let rate = try await rate(
            of: Array(repeating: name, count: servers), limits, writers: writers, seconds: 1)
          round.append(("PostgreSQL, \(writers) writers, \(way)", rate))
        }
        rounds.append(round)
      }
      for place in rounds[0].indices {
        found.append((rounds[0][place].name, rounds.map { $0[place].value }.sorted()[1]))
      }
    }
    return found
  }

  private static func rate(
    limits: StoreLimits, writers: Int = writers, seconds: Int = seconds
  ) async throws -> Double {
    let folder =
      "\(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/interviewkit-bench-\(getpid())"
    unsafe mkdir(folder, 0o700)
    let path = "\(folder)/bench.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
      unsafe rmdir(folder)
    }
    return try await rate(of: ["sqlite:\(path)"], limits, writers: writers, seconds: seconds)
  }

  /// Of all writers together, who are spread over the stores.
  private static func rate(
    of names: [String], _ limits: StoreLimits, writers: Int, seconds: Int = seconds
  ) async throws -> Double {
    let stores = try names.map { name in
      try Store.open(name, limits: limits, clock: { Timestamp(milliseconds: 1_800_000_000_000) })
    }
    let store = stores[0]
    _ = try await store.createKit(SampleKit.make(id: "k", questions: 100), by: store.openCaller)
    for writer in 0..<writers {
      let person = Person(id: SampleKit.itemID("p\(writer)"))
      let draft = EvaluationDraft(
        id: SampleKit.itemID("e\(writer)"), kitID: SampleKit.itemID("k"), candidate: person, interviewer: person)
      _ = try await store.createEvaluation(draft, by: store.openCaller)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let end = start + .seconds(seconds)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<writers {
        group.addTask { try await write(as: writer, to: stores[writer % stores.count], until: end) }
      }
      return try await group.reduce(0, +)
    }
    let took = start.duration(to: clock.now)
    for store in stores { await store.close() }
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
      for result in try await store.writeAnswers(evaluation, [operation], by: store.openCaller).results {
        _ = try result.result.get()
      }
      count += 1
    }
    return count
  }
}
