// What a list may be asked for, and a page of it.
public import InterviewKits

/// Items in the list's order, and where the next page begins.
public struct Page<Item: Sendable>: Sendable {
  public var items: [Item]
  /// Opaque; nil at the end.
  public var nextCursor: String?

  public init(items: [Item], nextCursor: String? = nil) { (self.items, self.nextCursor) = (items, nextCursor) }

  public func map<Other>(_ transform: (Item) -> Other) -> Page<Other> {
    Page<Other>(items: items.map(transform), nextCursor: nextCursor)
  }
}

/// Which kits, newest first.
public struct KitQuery: Sendable {
  /// The title contains this text, without regard to case or composition.
  public var text: String?
  public var status: KitStatus?
  /// True lists the trash.
  public var deleted: Bool
  public var limit: Int
  public var cursor: String?

  public init(
    text: String? = nil, status: KitStatus? = nil, deleted: Bool = false, limit: Int = StoreLimits.pageItems,
    cursor: String? = nil
  ) {
    (self.text, self.status, self.deleted, self.limit, self.cursor) = (text, status, deleted, limit, cursor)
  }
}

/// Which evaluations, newest first.
public struct EvaluationQuery: Sendable {
  public var kitID: ItemID?
  public var candidateID: ItemID?
  public var interviewerID: ItemID?
  public var status: EvaluationStatus?
  public var limit: Int
  public var cursor: String?

  public init(
    kitID: ItemID? = nil, candidateID: ItemID? = nil, interviewerID: ItemID? = nil, status: EvaluationStatus? = nil,
    limit: Int = StoreLimits.pageItems, cursor: String? = nil
  ) {
    (self.kitID, self.candidateID, self.interviewerID) = (kitID, candidateID, interviewerID)
    (self.status, self.limit, self.cursor) = (status, limit, cursor)
  }
}

/// A kit as lists show it.
public struct KitSummary: Hashable, Sendable {
  public var id: ItemID
  public var revision: Int
  public var title: ExactText
  public var language: String?
  public var status: KitStatus
  public var sectionCount: Int
  public var questionCount: Int
  public var createdAt: Timestamp
  public var updatedAt: Timestamp
  /// When it went to the trash; nil for one in use.
  public var deletedAt: Timestamp?

  public init(
    id: ItemID, revision: Int, title: ExactText, language: String?, status: KitStatus, sectionCount: Int,
    questionCount: Int, createdAt: Timestamp, updatedAt: Timestamp, deletedAt: Timestamp? = nil
  ) {
    (self.id, self.revision, self.title, self.language, self.status) = (id, revision, title, language, status)
    (self.sectionCount, self.questionCount) = (sectionCount, questionCount)
    (self.createdAt, self.updatedAt, self.deletedAt) = (createdAt, updatedAt, deletedAt)
  }
}

/// What comes back from a kit's trash by itself.
public enum TrashKind: Hashable, Sendable { case section, question }

/// A section or question in a kit's trash.
public struct DeletedItem: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// With the questions that went with it.
    case section(Section)
    case question(Question, sectionID: ItemID)
  }

  public var kind: Kind
  /// The kit revision that removed it.
  public var deletedRevision: Int
  public var deletedAt: Timestamp

  public init(kind: Kind, deletedRevision: Int, deletedAt: Timestamp) {
    (self.kind, self.deletedRevision, self.deletedAt) = (kind, deletedRevision, deletedAt)
  }

  var trashKind: TrashKind {
    switch kind {
    case .section: .section
    case .question: .question
    }
  }

  public var id: ItemID {
    switch kind {
    case .section(let section): section.id
    case .question(let question, _): question.id
    }
  }
}

/// One entry of the ordered change feed. It holds no text.
public struct Change: Hashable, Sendable {
  /// Rises by one in commit order, without gaps.
  public var sequence: Int
  public var kind: ChangeKind
  public var kitID: ItemID?
  public var evaluationID: ItemID?
  public var itemID: ItemID?
  public var revision: Int
  public var deleted: Bool
  public var at: Timestamp
  /// The member who wrote it.
  public var by: ItemID
  /// The only member who is told of it; nil: all who see what it is about.
  public var recipientID: ItemID?
  /// Of a change of access.
  public var candidateID: ItemID?
  /// True for the answer to a private question.
  public var isPrivate: Bool
  /// What those are told in place of `revision` who may not see private answers.
  var toldRevision: Int

  public init(
    sequence: Int = 0, kind: ChangeKind, kitID: ItemID?, evaluationID: ItemID? = nil, itemID: ItemID? = nil,
    revision: Int, deleted: Bool = false, at: Timestamp, by: ItemID, recipientID: ItemID? = nil,
    candidateID: ItemID? = nil, isPrivate: Bool = false, toldRevision: Int? = nil
  ) {
    (self.sequence, self.kind, self.kitID, self.evaluationID) = (sequence, kind, kitID, evaluationID)
    (self.itemID, self.revision, self.deleted, self.at, self.by) = (itemID, revision, deleted, at, by)
    (self.recipientID, self.candidateID, self.isPrivate) = (recipientID, candidateID, isPrivate)
    self.toldRevision = toldRevision ?? revision
  }
}

/// The stable word of a change's kind.
public enum ChangeKind: String, Sendable, CaseIterable {
  case kitCreated = "kit.created"
  case kitChanged = "kit.changed"
  case kitDeleted = "kit.deleted"
  case kitRestored = "kit.restored"
  case kitPurged = "kit.purged"
  case sectionCreated = "section.created"
  case sectionChanged = "section.changed"
  case sectionDeleted = "section.deleted"
  case sectionRestored = "section.restored"
  case questionCreated = "question.created"
  case questionChanged = "question.changed"
  case questionDeleted = "question.deleted"
  case questionRestored = "question.restored"
  case evaluationCreated = "evaluation.created"
  case evaluationChanged = "evaluation.changed"
  case evaluationSubmitted = "evaluation.submitted"
  case evaluationReopened = "evaluation.reopened"
  case evaluationWithdrawn = "evaluation.withdrawn"
  case answerChanged = "answer.changed"
  /// `itemId` is its name, `revision` its version.
  case profileChanged = "profile.changed"
  /// The recipient sees more or less than before: of the candidate, or of the kit's evaluations.
  case accessChanged = "access.changed"
  case evaluationErased = "evaluation.erased"
  case candidateErased = "candidate.erased"
  case memberCreated = "member.created"
  case memberChanged = "member.changed"
  case tokenCreated = "token.created"
  case tokenRevoked = "token.revoked"
}
