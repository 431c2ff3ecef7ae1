// Questions: the ten types and what each of them carries.

/// The word for a question's type in documents.
public enum QuestionType: String, Sendable, CaseIterable {
  case shortText, longText, yesNo, singleSelect, multiSelect, number, date, rating, scorecard, note
}

/// One question. Its members lie behind one reference, so that a copy of a kit of thousands of questions, which every
/// edit makes, is a copy of references.
public struct Question: Hashable, Sendable {
  private var box: Box

  /// What a type carries besides the members that all questions have.
  public enum Kind: Hashable, Sendable {
    case shortText(maxLength: Int)
    case longText(maxLength: Int)
    case yesNo
    case singleSelect([Option])
    case multiSelect([Option])
    case number
    case date
    case rating(scale: ItemID)
    case scorecard(scale: ItemID, criteria: [Criterion])
    case note
  }

  public init(
    id: ItemID, revision: Int = 1, order: OrderKey, text: ExactText, help: ExactText? = nil, required: Bool = false,
    isPrivate: Bool = false, visibleWhen: VisibilityCondition? = nil, kind: Kind
  ) {
    box = Box(
      Members(
        id: id, revision: revision, order: order, text: text, help: help, required: required, isPrivate: isPrivate,
        visibleWhen: visibleWhen, kind: kind))
  }

  public var id: ItemID {
    get { box.members.id }
    set { change { $0.id = newValue } }
  }
  /// The kit revision that last changed this question.
  public var revision: Int {
    get { box.members.revision }
    set { change { $0.revision = newValue } }
  }
  /// Its place among the questions of its section.
  public var order: OrderKey {
    get { box.members.order }
    set { change { $0.order = newValue } }
  }
  public var text: ExactText {
    get { box.members.text }
    set { change { $0.text = newValue } }
  }
  public var help: ExactText? {
    get { box.members.help }
    set { change { $0.help = newValue } }
  }
  public var required: Bool {
    get { box.members.required }
    set { change { $0.required = newValue } }
  }
  public var isPrivate: Bool {
    get { box.members.isPrivate }
    set { change { $0.isPrivate = newValue } }
  }
  public var visibleWhen: VisibilityCondition? {
    get { box.members.visibleWhen }
    set { change { $0.visibleWhen = newValue } }
  }
  public var kind: Kind {
    get { box.members.kind }
    set { change { $0.kind = newValue } }
  }

  public static func == (left: Question, right: Question) -> Bool {
    left.box === right.box || left.box.members == right.box.members
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(box.members) }

  private struct Members: Hashable, Sendable {
    var id: ItemID
    var revision: Int
    var order: OrderKey
    var text: ExactText
    var help: ExactText?
    var required: Bool
    var isPrivate: Bool
    var visibleWhen: VisibilityCondition?
    var kind: Kind
  }

  private final class Box: Sendable {
    let members: Members
    init(_ members: Members) { self.members = members }
  }

  private mutating func change(_ edit: (inout Members) -> Void) {
    var members = box.members
    edit(&members)
    box = Box(members)
  }

  public var type: QuestionType {
    switch kind {
    case .shortText: .shortText
    case .longText: .longText
    case .yesNo: .yesNo
    case .singleSelect: .singleSelect
    case .multiSelect: .multiSelect
    case .number: .number
    case .date: .date
    case .rating: .rating
    case .scorecard: .scorecard
    case .note: .note
    }
  }

  /// Options of a select question, else none.
  public var options: [Option] {
    switch kind {
    case .singleSelect(let options), .multiSelect(let options): options
    default: []
    }
  }

  /// Criteria of a scorecard, else none.
  public var criteria: [Criterion] {
    if case .scorecard(_, let criteria) = kind { criteria } else { [] }
  }

  /// The scale that a rating or a scorecard names.
  public var scaleID: ItemID? {
    switch kind {
    case .rating(let scale), .scorecard(let scale, _): scale
    default: nil
    }
  }

  /// True when both say the same, revision and place aside.
  public func hasSameContent(as other: Question) -> Bool {
    var copy = other
    (copy.revision, copy.order) = (revision, order)
    return copy == self
  }
}

/// One choice of a select question.
public struct Option: Hashable, Sendable {
  public var id: ItemID
  public var text: ExactText
  public init(id: ItemID, text: ExactText) { (self.id, self.text) = (id, text) }
}

/// One line of a scorecard, rated and answered under its own ID.
public struct Criterion: Hashable, Sendable {
  public var id: ItemID
  public var text: ExactText
  public init(id: ItemID, text: ExactText) { (self.id, self.text) = (id, text) }
}

/// Shows a question only when another question's answer equals a value.
public struct VisibilityCondition: Hashable, Sendable {
  public var questionID: ItemID
  public var equals: Value

  /// A boolean for `yesNo`, a number for `number`, else the string: a text, a date, an option's or a point's ID.
  public enum Value: Hashable, Sendable {
    case bool(Bool)
    case number(Number)
    case string(ExactText)
  }

  public init(questionID: ItemID, equals: Value) { (self.questionID, self.equals) = (questionID, equals) }
}
