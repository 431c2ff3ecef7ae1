// What reads and writes of the store answer.
public import InterviewKits

/// What a write did.
public enum WriteOutcome: String, Sendable, Hashable {
  case created
  case changed
  /// The write would have changed nothing: no revision was made.
  case unchanged
}

/// A kit after a write.
public struct KitWritten: Sendable {
  public var snapshot: KitSnapshot
  public var outcome: WriteOutcome
  /// The section or question that was written; nil for a write of the kit.
  public var itemID: ItemID?
  /// The kit that this one is a copy of.
  public var source: KitSnapshot?
  /// The last change of the feed that the write is seen at.
  public var sequence = 0
}

/// An evaluation after a write, and the kit revision that it stays on.
public struct EvaluationWritten: Sendable {
  public var evaluation: Evaluation
  public var snapshot: KitSnapshot
  public var outcome: WriteOutcome
  /// The position of the feed from which on changes are news to who reads this.
  public var sequence: Int
  /// Where that was when the write was given again.
  var replayedSequence: Int?
}

/// What a new evaluation says.
public struct EvaluationDraft: Sendable {
  public var id: ItemID
  public var kitID: ItemID
  /// Nil: the kit's newest.
  public var kitRevision: Int?
  public var candidate: Person
  public var interviewer: Person

  public init(id: ItemID, kitID: ItemID, kitRevision: Int? = nil, candidate: Person, interviewer: Person) {
    (self.id, self.kitID, self.kitRevision) = (id, kitID, kitRevision)
    (self.candidate, self.interviewer) = (candidate, interviewer)
  }
}

/// One answer to write.
public struct AnswerOperation: Sendable {
  /// The new content from the item that takes it, the kit and what is there.
  public typealias Edit = @Sendable (AnswerTarget, _ current: Answer) throws(StoreError) -> AnswerContent

  /// The client's name for the operation, kept with the answer's history.
  public var operationID: String?
  /// Of what the client sent: the same name with another digest is refused.
  public var digest: String
  public var itemID: ItemID
  public var precondition: Precondition
  public var edit: Edit

  public init(
    operationID: String? = nil, digest: String = "", itemID: ItemID, precondition: Precondition, edit: @escaping Edit
  ) {
    (self.operationID, self.digest, self.itemID) = (operationID, digest, itemID)
    (self.precondition, self.edit) = (precondition, edit)
  }

  /// Replaces the content.
  public init(operationID: String? = nil, itemID: ItemID, content: AnswerContent, precondition: Precondition = .none) {
    self.init(operationID: operationID, itemID: itemID, precondition: precondition) { (_, _) throws(StoreError) in
      content
    }
  }
}

/// What became of one answer operation.
public struct AnswerResult: Sendable {
  public var itemID: ItemID
  public var operationID: String?
  public var result: Result<AnswerWritten, StoreError>
}

public struct AnswerWritten: Sendable {
  public var answer: Answer
  public var outcome: WriteOutcome
}

/// A value that was refused because the answer was not what its writer had seen. It is no revision of the answer.
public struct LostAnswer: Hashable, Sendable {
  public var content: AnswerContent
  /// The revision that the writer said it saw, 0 for none at all; nil when he named no revision that there is.
  public var ifRevision: Int?
  public var at: Timestamp
  public var by: ItemID
}

/// What an answer was, and what it did not become.
public struct AnswerHistory: Sendable {
  /// Newest first.
  public var items: [Answer]
  /// Newest first.
  public var lostConflicts: [LostAnswer]
  /// Opaque; nil at the end of both.
  public var nextCursor: String?
}

/// An evaluation before and after its answers were written.
public struct AnswersWritten: Sendable {
  /// One for each operation, in their order.
  public var results: [AnswerResult]
  public var before: Evaluation
  public var after: Evaluation
  public var snapshot: KitSnapshot
  public var sequence: Int
}

/// One screen, read at one moment: an evaluation, its kit revision, and the feed's position.
public struct Screen: Sendable {
  public var evaluation: Evaluation
  public var snapshot: KitSnapshot
  public var sequence: Int
  /// True when the answers to private questions were left out.
  public var isRedacted = false

  public init(evaluation: Evaluation, snapshot: KitSnapshot, sequence: Int, isRedacted: Bool = false) {
    (self.evaluation, self.snapshot, self.sequence) = (evaluation, snapshot, sequence)
    self.isRedacted = isRedacted
  }
}
