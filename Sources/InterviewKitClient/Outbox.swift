// Answers on their way: on disk before they are sent, and until the service has said what became of them.

public import Foundation

/// Keeps what was typed until the service has it, through lost connections, crashes and restarts.
///
/// One operation of an answer is on its way at a time. What is typed meanwhile waits behind it, the newest text only, and goes out with the
/// revision that the first one made. What the service refuses is held until the app says what becomes of it.
public actor Outbox {
  /// One write of an answer.
  public struct Entry: Codable, Sendable, Hashable {
    /// The same however often it is sent: the service takes it once.
    public let operationId: String
    public let evaluationId: String
    public let itemId: String
    public var draft: AnswerDraft
    /// The revision that was seen; nil: the one that the entry before it will make.
    public var seen: Int?
    /// It may have arrived: its text can't be changed any more.
    public var wasSent = false
  }

  /// A write that the service refused: with a newer answer (412), or since the evaluation is submitted (409), say.
  public struct Held: Codable, Sendable, Hashable {
    public let entry: Entry
    public let problem: ServiceProblem
  }

  public enum Outcome: Sendable, Hashable {
    case saved(Answer, in: String)
    case held(Held)
  }

  private struct State: Codable {
    var entries: [Entry] = []
    var held: [Held] = []
  }

  private struct Target: Hashable {
    let evaluationId: String
    let itemId: String
    init(_ entry: Entry) { (evaluationId, itemId) = (entry.evaluationId, entry.itemId) }
  }

  private static let largestBatch = 500

  private let file: URL
  private let client: InterviewKitClient
  private var state: State
  /// From which revision to which this outbox has written an answer itself, since it was opened.
  private var made: [Target: (from: Int, to: Int)] = [:]
  private var isDraining = false

  /// - Parameter file: of this outbox alone; made when the first entry is written.
  /// - Throws: when the file is there and can't be read: what it holds is not thrown away.
  public init(file: URL, client: InterviewKitClient) throws {
    (self.file, self.client) = (file, client)
    state =
      FileManager.default.fileExists(atPath: file.path)
      ? try JSONDecoder().decode(State.self, from: Data(contentsOf: file)) : State()
  }

  /// What is on its way, oldest first.
  public var entries: [Entry] { state.entries }
  /// What waits for the app.
  public var held: [Held] { state.held }

  /// Takes an answer. It is on disk when this returns.
  /// - Parameter seen: the revision of the answer that the app shows, 0 for none. One that an entry of this outbox has written over
  ///   meanwhile is taken for the one that the entry made.
  public func put(_ draft: AnswerDraft, to itemID: String, in evaluationID: String, seen: Int) throws {
    var next = state
    append(draft, to: itemID, in: evaluationID, seen: seen, to: &next)
    try keep(next)
  }

  /// Ends what is held: with nothing, or with an answer over the one that the service has.
  public func resolve(_ held: Held, with draft: AnswerDraft? = nil, seen: Int = 0) throws {
    var next = state
    next.held.removeAll { $0 == held }
    if let draft { append(draft, to: held.entry.itemId, in: held.entry.evaluationId, seen: seen, to: &next) }
    try keep(next)
  }

  private func append(
    _ draft: AnswerDraft, to itemID: String, in evaluationID: String, seen: Int, to next: inout State
  ) {
    var entry = Entry(
      operationId: UUID().uuidString, evaluationId: evaluationID, itemId: itemID, draft: draft, seen: seen)
    let target = Target(entry)
    let waiting = next.entries.lastIndex { Target($0) == target }
    if let waiting, !next.entries[waiting].wasSent {
      next.entries[waiting].draft = draft
      return
    }
    if waiting != nil {
      entry.seen = nil
    } else if let made = made[target], made.from..<made.to ~= seen {
      entry.seen = made.to
    }
    next.entries.append(entry)
  }

  /// Sends what waits until nothing does. Only one call sends at a time; another one returns at once.
  /// - Throws: `ServiceError` when the service can't be asked now; what waits, waits on.
  public func drain() async throws -> [Outcome] {
    guard !isDraining else { return [] }
    isDraining = true
    defer { isDraining = false }
    var outcomes: [Outcome] = []
    while let evaluationID = state.entries.first?.evaluationId {
      let batch = firstOfEachItem(in: evaluationID)
      try mark(batch)
      outcomes += try settle(batch, with: try await results(of: batch, in: evaluationID))
    }
    return outcomes
  }

  /// What refuses the batch as a whole, since the evaluation is submitted, say, refuses each of its operations. Who may not ask
  /// at all has to sign in first: his entries wait on.
  private func results(of batch: [Entry], in evaluationID: String) async throws -> [BatchResult] {
    do { return try await client.patchAnswers(batch, in: evaluationID) } catch {
      guard let problem = error.problem, !error.isTemporary, problem.status != 401, problem.status != 403 else {
        throw error
      }
      return batch.map {
        BatchResult(operationId: $0.operationId, status: problem.status, answer: nil, problem: problem)
      }
    }
  }

  private func firstOfEachItem(in evaluationID: String) -> [Entry] {
    var items: Set<String> = []
    let first = state.entries.filter { $0.evaluationId == evaluationID && items.insert($0.itemId).inserted }
    return Array(first.prefix(Self.largestBatch))
  }

  /// Before it is sent: a crash after this sends the same again.
  private func mark(_ batch: [Entry]) throws {
    let ids = Set(batch.map(\.operationId))
    var next = state
    for place in next.entries.indices where ids.contains(next.entries[place].operationId) {
      next.entries[place].wasSent = true
    }
    try keep(next)
  }

  private func settle(_ batch: [Entry], with results: [BatchResult]) throws -> [Outcome] {
    let results = Dictionary(results.map { ($0.operationId, $0) }, uniquingKeysWith: { first, _ in first })
    var next = state
    var outcomes: [Outcome] = []
    for entry in batch {
      guard let result = results[entry.operationId] else {
        throw ServiceError.unexpectedAnswer(status: 200, "no result for the operation \(entry.operationId)")
      }
      next.entries.removeAll { $0.operationId == entry.operationId }
      let target = Target(entry)
      let follower = next.entries.firstIndex { Target($0) == target }
      if let answer = result.answer {
        if let follower { next.entries[follower].seen = answer.revision }
        note(entry, made: answer.revision)
        outcomes.append(.saved(answer, in: entry.evaluationId))
      } else if let problem = result.problem {
        // What was typed behind it is newer: that is the text to decide about.
        let refused = follower.map { next.entries.remove(at: $0) } ?? entry
        let held = Held(entry: refused, problem: problem)
        next.held.append(held)
        outcomes.append(.held(held))
      }
    }
    try keep(next)
    return outcomes
  }

  private func note(_ entry: Entry, made revision: Int) {
    let target = Target(entry)
    let seen = entry.seen ?? revision
    let first = made[target].flatMap { $0.to == seen ? $0.from : nil } ?? seen
    made[target] = (first, revision)
  }

  /// On disk first, then in memory.
  private func keep(_ next: State) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let temporary = file.appendingPathExtension("new")
    try encoder.encode(next).write(to: temporary)
    let handle = try FileHandle(forWritingTo: temporary)
    try handle.synchronize()
    try handle.close()
    guard unsafe rename(temporary.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    // The new name lies in the folder, which has to reach the disk, too.
    let folder = try FileHandle(forReadingFrom: file.deletingLastPathComponent())
    try folder.synchronize()
    try folder.close()
    state = next
  }
}

/// One operation's result in a batch.
struct BatchResult: Decodable, Sendable {
  let operationId: String
  let status: Int
  let answer: Answer?
  let problem: ServiceProblem?
}

extension InterviewKitClient {
  fileprivate struct Operation: Encodable {
    let entry: Outbox.Entry

    enum CodingKeys: String, CodingKey { case operationId, itemId, value, comment, notAssessed, ifRevision }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(entry.operationId, forKey: .operationId)
      try members.encode(entry.itemId, forKey: .itemId)
      try members.encode(entry.draft.value, forKey: .value)
      try members.encode(entry.draft.comment, forKey: .comment)
      try members.encode(entry.draft.notAssessed, forKey: .notAssessed)
      try members.encode(entry.seen, forKey: .ifRevision)
    }
  }

  /// A result for each entry: one that is refused does not keep the others back.
  func patchAnswers(_ entries: [Outbox.Entry], in evaluationID: String) async throws(ServiceError) -> [BatchResult] {
    struct Body: Encodable { let operations: [Operation] }
    struct Reply: Decodable { let results: [BatchResult] }
    let reply: Reply = try await write(
      "PATCH", ["evaluations", evaluationID, "answers"], body: Body(operations: entries.map(Operation.init)))
    return reply.results
  }
}
