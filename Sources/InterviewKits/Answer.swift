// Answers: values by type, the stored answer, and numbers that keep their digits.

/// A number that is exact: a whole number within 64 bits, or a fraction that a Double holds.
public enum Number: Hashable, Sendable {
  case integer(Int)
  case decimal(Double)

  /// The largest size of a number with a fraction.
  public static let maximumDecimal = 1e15
}

/// What an answer says, by its question's type.
public enum AnswerValue: Hashable, Sendable {
  /// `shortText`, `longText`.
  case text(ExactText)
  /// `yesNo`.
  case bool(Bool)
  /// `singleSelect`: an option's ID.
  case option(ItemID)
  /// `multiSelect`: options' IDs, in the order given.
  case options([ItemID])
  case number(Number)
  case date(CalendarDate)
  /// `rating` and criteria: a scale point's ID.
  case point(ItemID)
}

/// What a writer says of one answer.
public struct AnswerContent: Hashable, Sendable {
  public var value: AnswerValue?
  public var comment: ExactText?
  /// "Not assessed" is an answer, unlike "unanswered".
  public var notAssessed: Bool

  public init(value: AnswerValue? = nil, comment: ExactText? = nil, notAssessed: Bool = false) {
    (self.value, self.comment, self.notAssessed) = (value, comment, notAssessed)
  }

  public var isEmpty: Bool { value == nil && comment == nil && !notAssessed }
}

/// One stored answer at one revision.
public struct Answer: Hashable, Sendable {
  public var itemID: ItemID
  public var content: AnswerContent
  /// 0 while unanswered; rises by one with every accepted write to this item.
  public var revision: Int
  /// Nil while unanswered.
  public var updatedAt: Timestamp?
  public var updatedBy: ItemID?
  /// Given in confidence: for admins and the evaluation's interviewer, whatever becomes of the question.
  public var isPrivate: Bool
  /// What others are told in place of `revision`: it counts no value that was given in confidence.
  public var toldRevision: Int

  /// - Parameter toldRevision: nil: the revision.
  public init(
    itemID: ItemID, content: AnswerContent = AnswerContent(), revision: Int = 0, updatedAt: Timestamp? = nil,
    updatedBy: ItemID? = nil, isPrivate: Bool = false, toldRevision: Int? = nil
  ) {
    (self.itemID, self.content, self.revision) = (itemID, content, revision)
    (self.updatedAt, self.updatedBy) = (updatedAt, updatedBy)
    (self.isPrivate, self.toldRevision) = (isPrivate, toldRevision ?? revision)
  }

  /// The answer as others are told it.
  public var told: Answer {
    var told = self
    told.revision = toldRevision
    return told
  }

  /// True when it says something: a value, or "not assessed". A blank text and an empty choice say nothing.
  public var isAnswered: Bool {
    switch content.value {
    case .text(let text): !text.isBlank
    case .options(let ids): !ids.isEmpty
    case nil: content.notAssessed
    default: true
    }
  }
}
