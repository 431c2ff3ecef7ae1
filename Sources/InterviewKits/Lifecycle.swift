// The lifecycle of an evaluation: draft, submitted, withdrawn, and the steps between them.

/// A step from one status to another. Taken again, it changes nothing.
public enum EvaluationStep: Hashable, Sendable {
  /// Freezes the answers once nothing required is missing.
  case submit
  /// Makes a submitted or withdrawn evaluation a draft again.
  case reopen(reason: ExactText)
  case withdraw

  public var status: EvaluationStatus {
    switch self {
    case .submit: .submitted
    case .reopen: .draft
    case .withdraw: .withdrawn
    }
  }
}

/// One entry of an evaluation's history: a change of its own, not of an answer.
public struct EvaluationEvent: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case created, changed, submitted, reopened, withdrawn
    /// To another kit revision.
    case moved
  }

  public var kind: Kind
  /// The evaluation's revision that the event made.
  public var revision: Int
  public var status: EvaluationStatus
  public var kitRevision: Int
  /// Why it was reopened.
  public var reason: ExactText?
  public var at: Timestamp
  public var by: ItemID

  public init(
    kind: Kind, revision: Int, status: EvaluationStatus, kitRevision: Int, reason: ExactText? = nil, at: Timestamp,
    by: ItemID
  ) {
    (self.kind, self.revision, self.status, self.kitRevision) = (kind, revision, status, kitRevision)
    (self.reason, self.at, self.by) = (reason, at, by)
  }
}

extension KitSnapshot {
  /// What stands in the way of submitting: every question and criterion that is shown, required and not answered.
  public func missing(answers: Answers) -> [Issue] {
    visibleAnswerItems(answers: answers).filter { $0.required && !(answers[$0.id]?.isAnswered ?? false) }.map { item in
      Issue(
        pointer: "/answers/\(item.id)", itemID: item.id, code: "required",
        message: "'\(item.id)' is required and has no answer.")
    }
  }
}
