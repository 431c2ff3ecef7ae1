// Evaluations: one interviewer filling in one kit revision for one candidate.

public enum EvaluationStatus: String, Sendable, CaseIterable {
  case draft, submitted, withdrawn
}

/// A candidate or an interviewer: an ID and the name to show.
public struct Person: Hashable, Sendable {
  public var id: ItemID
  public var name: ExactText?
  public init(id: ItemID, name: ExactText? = nil) { (self.id, self.name) = (id, name) }
}

/// Counts over the questions and criteria that are shown and take an answer.
public struct Progress: Hashable, Sendable {
  public var answered: Int
  public var required: Int
  /// Required and not answered.
  public var missing: Int
  public init(answered: Int = 0, required: Int = 0, missing: Int = 0) {
    (self.answered, self.required, self.missing) = (answered, required, missing)
  }
}

/// An evaluation without its answers, as lists show it.
public struct EvaluationSummary: Hashable, Sendable {
  public var id: ItemID
  public var kitID: ItemID
  public var kitRevision: Int
  public var candidate: Person
  public var interviewer: Person
  public var status: EvaluationStatus
  /// The value of the answer to the kit's `overallQuestionId`.
  public var recommendation: AnswerValue?
  public var progress: Progress
  /// Rises by one with every accepted change, of answers too.
  public var revision: Int
  public var createdAt: Timestamp
  public var updatedAt: Timestamp
  public var submittedAt: Timestamp?
  /// Who submitted it, which need not be the interviewer.
  public var submittedBy: ItemID?
  /// What those are told in place of `revision` and `updatedAt` who may not see private answers: no write of private
  /// answers alone changes them.
  public var toldRevision: Int
  public var toldAt: Timestamp
  /// How many of the answers were given in confidence.
  public var privateAnswers: Int

  public init(
    id: ItemID, kitID: ItemID, kitRevision: Int, candidate: Person, interviewer: Person,
    status: EvaluationStatus = .draft, recommendation: AnswerValue? = nil, progress: Progress = Progress(),
    revision: Int = 1, createdAt: Timestamp, updatedAt: Timestamp, submittedAt: Timestamp? = nil,
    submittedBy: ItemID? = nil, toldRevision: Int? = nil, toldAt: Timestamp? = nil, privateAnswers: Int = 0
  ) {
    (self.id, self.kitID, self.kitRevision) = (id, kitID, kitRevision)
    (self.candidate, self.interviewer, self.status) = (candidate, interviewer, status)
    (self.recommendation, self.progress, self.revision) = (recommendation, progress, revision)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    (self.submittedAt, self.submittedBy) = (submittedAt, submittedBy)
    (self.toldRevision, self.toldAt) = (toldRevision ?? revision, toldAt ?? updatedAt)
    self.privateAnswers = privateAnswers
  }

  /// Makes this the next revision.
  /// - Parameter isTold: false when only private answers make it.
  public mutating func revise(at time: Timestamp, isTold: Bool = true) {
    (revision, updatedAt) = (revision + 1, time)
    if isTold { (toldRevision, toldAt) = (toldRevision + 1, time) }
  }
}

/// An evaluation with its answers by item ID (those ever written; cleared ones have an empty content).
public struct Evaluation: Hashable, Sendable {
  public var summary: EvaluationSummary
  public var answers: Answers
  /// Where the answer was given in confidence: the last one before it that was not.
  public var earlierTold: Answers

  public init(summary: EvaluationSummary, answers: Answers = [:], earlierTold: Answers = [:]) {
    (self.summary, self.answers, self.earlierTold) = (summary, answers, earlierTold)
  }

  /// What others were told last of an item, where the kit revision lets them; empty for nothing.
  public func toldContent(of item: ItemID) -> AnswerContent {
    guard let answer = answers[item] else { return AnswerContent() }
    return (answer.isPrivate ? earlierTold[item] : answer)?.content ?? AnswerContent()
  }

  /// Takes a new answer over.
  /// - Returns: the one that it replaces.
  @discardableResult public mutating func set(_ answer: Answer) -> Answer? {
    let old = answers.update(answer)
    summary.privateAnswers += (answer.isPrivate ? 1 : 0) - (old?.isPrivate == true ? 1 : 0)
    if !answer.isPrivate {
      earlierTold[answer.itemID] = nil
    } else if let old, !old.isPrivate, old.revision > 0 {
      earlierTold.update(old)
    }
    return old
  }
}
