// A simple model of the service in memory: what a list of dictionaries would do, if nobody ever failed.

/// One request of a client. Revisions are those that the client has seen, which may be old.
enum ModelRequest: Hashable, Sendable {
  struct Operation: Hashable, Sendable {
    var id: String
    var item: String
    var value: String?
    var seen: Int
  }

  case create(evaluation: String, kit: String)
  case answer(evaluation: String, item: String, value: String?, seen: Int)
  case batch(evaluation: String, operations: [Operation])
  case submit(evaluation: String)
  case reopen(evaluation: String)
  case withdraw(evaluation: String)
  case migrate(evaluation: String, revision: Int, seen: Int)
  case insert(kit: String, question: String, after: String?)
  case reword(kit: String, question: String, text: String, seen: Int)
  case move(kit: String, question: String, after: String?, seen: Int)
  case remove(kit: String, question: String, seen: Int)
  case restore(kit: String, question: String)
}

struct ModelQuestion: Hashable {
  var id: String
  var text: String
  var isRequired: Bool
  var revision: Int
}

struct ModelKit {
  var questions: [ModelQuestion]
  var trash: [String: ModelQuestion] = [:]
  var revision = 1
  /// Every revision as it was.
  var revisions: [Int: [ModelQuestion]]

  init(_ questions: [ModelQuestion]) { (self.questions, revisions) = (questions, [1: questions]) }

  func place(of id: String) -> Int? { questions.firstIndex { $0.id == id } }
}

struct ModelEvaluation {
  var kit: String
  var kitRevision: Int
  var status = "draft"
  var revision = 1
  /// Every value of each item, the last one being the answer.
  var values: [String: [String?]] = [:]
  /// What each item did not become: who saw what and would have written what, each once.
  var lost: [String: [String]] = [:]

  func revision(of item: String) -> Int { values[item]?.count ?? 0 }
  func value(of item: String) -> String? { values[item]?.last ?? nil }
}

struct Model {
  /// What was refused, or what was done and the revision that it made.
  typealias Outcome = String

  var kits: [String: ModelKit] = [:]
  var evaluations: [String: ModelEvaluation] = [:]
  /// The feed: kind, kit or evaluation, item, revision.
  var changes: [String] = []
  private var outcomes: [String: Outcome] = [:]
  private var operations: [String: Outcome] = [:]

  /// - Parameter key: whose request it is, and its name.
  mutating func apply(_ request: ModelRequest, by client: String, key: String?) -> Outcome {
    // The operations of a batch have names of their own: those that were refused are tried again.
    if case .batch = request { return apply(request, by: client) }
    let name = key.map { "\(client) \($0)" }
    if let name, let outcome = outcomes[name] { return outcome }
    let outcome = apply(request, by: client)
    if let name, !outcome.hasPrefix("refused") { outcomes[name] = outcome }
    return outcome
  }

  private mutating func apply(_ request: ModelRequest, by client: String) -> Outcome {
    switch request {
    case .create(let id, let kit): create(id, kit)
    case .answer(let id, let item, let value, let seen): answer(id, item, value, seen, by: client, raising: true)
    case .batch(let id, let operations): batch(id, operations, by: client)
    case .submit(let id): step(id, to: "submitted", "evaluation.submitted")
    case .reopen(let id): step(id, to: "draft", "evaluation.reopened")
    case .withdraw(let id): step(id, to: "withdrawn", "evaluation.withdrawn")
    case .migrate(let id, let revision, let seen): migrate(id, revision, seen)
    default: edit(request)
    }
  }

  func missing(_ evaluation: ModelEvaluation) -> Int {
    let questions = kits[evaluation.kit]?.revisions[evaluation.kitRevision] ?? []
    return questions.filter { $0.isRequired && evaluation.value(of: $0.id) == nil }.count
  }

  // MARK: Evaluations

  private mutating func create(_ id: String, _ kit: String) -> Outcome {
    if let old = evaluations[id] { return old.kit == kit ? "unchanged \(old.revision)" : "refused idTaken" }
    evaluations[id] = ModelEvaluation(kit: kit, kitRevision: kits[kit]?.revision ?? 0)
    changes.append("evaluation.created \(id) - 1")
    return "created 1"
  }

  private mutating func answer(
    _ id: String, _ item: String, _ value: String?, _ seen: Int, by client: String, raising: Bool
  ) -> Outcome {
    guard var evaluation = evaluations[id] else { return "refused notFound" }
    if evaluation.status != "draft" { return "refused conflict" }
    let questions = kits[evaluation.kit]?.revisions[evaluation.kitRevision] ?? []
    guard questions.contains(where: { $0.id == item }) else { return "refused notFound" }
    let revision = evaluation.revision(of: item)
    if evaluation.value(of: item) == value { return "unchanged \(revision) \(value ?? "-")" }
    if seen != revision {
      let lost = "\(client) \(seen) \(value ?? "-")"
      if value != nil, evaluation.lost[item]?.contains(lost) != true { evaluation.lost[item, default: []].append(lost) }
      evaluations[id] = evaluation
      return "refused preconditionFailed"
    }
    evaluation.values[item, default: []].append(value)
    if raising { evaluation.revision += 1 }
    evaluations[id] = evaluation
    changes.append("answer.changed \(id) \(item) \(revision + 1)")
    return "\(revision == 0 ? "created" : "changed") \(revision + 1) \(value ?? "-")"
  }

  private mutating func batch(_ id: String, _ batch: [ModelRequest.Operation], by client: String) -> Outcome {
    let before = changes.count
    let results = batch.map { operation -> Outcome in
      let name = "\(client) \(id) \(operation.id)"
      if let outcome = operations[name] { return outcome }
      let outcome = answer(id, operation.item, operation.value, operation.seen, by: client, raising: false)
      if !outcome.hasPrefix("refused") { operations[name] = outcome }
      return outcome
    }
    if changes.count > before { evaluations[id]?.revision += 1 }
    let isFrozen = evaluations[id]?.status != "draft" && results.allSatisfy { $0.hasPrefix("refused") }
    return isFrozen ? "refused conflict" : results.joined(separator: ", ")
  }

  private mutating func step(_ id: String, to status: String, _ kind: String) -> Outcome {
    guard var evaluation = evaluations[id] else { return "refused notFound" }
    if evaluation.status == status { return "unchanged \(evaluation.revision)" }
    if status == "submitted" {
      if evaluation.status != "draft" { return "refused conflict" }
      if missing(evaluation) > 0 { return "refused incomplete" }
    }
    evaluation.status = status
    evaluation.revision += 1
    evaluations[id] = evaluation
    changes.append("\(kind) \(id) - \(evaluation.revision)")
    return "changed \(evaluation.revision)"
  }

  private mutating func migrate(_ id: String, _ revision: Int, _ seen: Int) -> Outcome {
    guard var evaluation = evaluations[id] else { return "refused notFound" }
    if evaluation.kitRevision == revision { return "unchanged \(evaluation.revision)" }
    if evaluation.status != "draft" { return "refused conflict" }
    if seen != evaluation.revision { return "refused preconditionFailed" }
    evaluation.kitRevision = revision
    evaluation.revision += 1
    evaluations[id] = evaluation
    changes.append("evaluation.changed \(id) - \(evaluation.revision)")
    return "changed \(evaluation.revision)"
  }

  // MARK: Kits

  private mutating func edit(_ request: ModelRequest) -> Outcome {
    switch request {
    case .insert(let kit, let id, let after):
      return change(kit, id, "question.created", "created", beside: after) { kit in
        let question = ModelQuestion(id: id, text: "\(id)?", isRequired: id.hasSuffix("0"), revision: 0)
        kit.questions.insert(question, at: after.flatMap { kit.place(of: $0) }.map { $0 + 1 } ?? 0)
      }
    case .reword(let kit, let id, let text, let seen):
      return change(kit, id, "question.changed", seen: seen) { kit in
        if let place = kit.place(of: id) { kit.questions[place].text = text }
      }
    case .move(let kit, let id, let after, let seen):
      return change(kit, id, "question.changed", seen: seen, beside: after) { kit in
        guard let place = kit.place(of: id) else { return }
        let question = kit.questions.remove(at: place)
        kit.questions.insert(question, at: after.flatMap { kit.place(of: $0) }.map { $0 + 1 } ?? 0)
      }
    case .remove(let kit, let id, let seen):
      return change(kit, id, "question.deleted", seen: seen) { kit in
        if let place = kit.place(of: id) { kit.trash[id] = kit.questions.remove(at: place) }
      }
    case .restore(let kit, let id):
      if kits[kit]?.place(of: id) != nil { return "unchanged \(kits[kit]?.revision ?? 0)" }
      guard let question = kits[kit]?.trash[id] else { return "refused notFound" }
      // Where it comes back is the service's to say: `adopt` looks whether that can be.
      return change(kit, id, "question.restored") { kit in
        kit.trash[id] = nil
        kit.questions.append(question)
      }
    default: return "refused unknown"
    }
  }

  /// - Parameters:
  ///   - seen: nil for what needs no precondition.
  ///   - neighbour: what the question is put behind. Behind what is gone there is no place, not even the present one: the
  ///     edit cannot be made, which says less than that its writer has seen something else.
  private mutating func change(
    _ id: String, _ question: String, _ kind: String, _ outcome: String = "changed", seen: Int? = nil,
    beside neighbour: String? = nil, _ edit: (inout ModelKit) -> Void
  ) -> Outcome {
    guard var kit = kits[id] else { return "refused notFound" }
    let before = kit.questions
    let isPlaceless = neighbour.map { kit.place(of: $0) == nil } ?? false
    if let seen {
      guard let place = kit.place(of: question) else { return "refused notFound" }
      if isPlaceless { return before[place].revision == seen ? "refused invalid" : "refused preconditionFailed" }
      edit(&kit)
      if kit.questions == before { return "unchanged \(kit.revision)" }
      if before[place].revision != seen { return "refused preconditionFailed" }
    } else {
      if isPlaceless { return "refused invalid" }
      edit(&kit)
    }
    kit.revision += 1
    if let place = kit.place(of: question) { kit.questions[place].revision = kit.revision }
    kit.revisions[kit.revision] = kit.questions
    kits[id] = kit
    changes.append("\(kind) \(id) \(question) \(kit.revision)")
    return "\(outcome) \(kit.revision)"
  }

  /// Takes the place of a restored question from the service.
  /// - Returns: false when anything else moved by it.
  mutating func adopt(_ order: [String], of question: String, in id: String) -> Bool {
    guard var kit = kits[id] else { return false }
    let others = kit.questions.map(\.id).filter { $0 != question }
    guard order.filter({ $0 != question }) == others, let place = order.firstIndex(of: question),
      let old = kit.place(of: question)
    else { return false }
    let restored = kit.questions.remove(at: old)
    kit.questions.insert(restored, at: place)
    kit.revisions[kit.revision] = kit.questions
    kits[id] = kit
    return true
  }
}
