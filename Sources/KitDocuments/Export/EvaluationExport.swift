// What an export of an evaluation holds: each answer with the question that it answers, also one that was retired.

public import InterviewKits

/// An evaluation, its kit revision, and what is known of the items that this revision has no more.
public struct EvaluationExport: Sendable {
  /// An item that an older revision of the kit had.
  public struct FormerItem: Sendable {
    public var question: Question
    /// Nil when the item is the question itself.
    public var criterion: Criterion?

    public init(question: Question, criterion: Criterion? = nil) {
      (self.question, self.criterion) = (question, criterion)
    }
  }

  public var evaluation: Evaluation
  public var snapshot: KitSnapshot
  public var retired: [ItemID: FormerItem]

  public init(evaluation: Evaluation, snapshot: KitSnapshot, retired: [ItemID: FormerItem] = [:]) {
    (self.evaluation, self.snapshot, self.retired) = (evaluation, snapshot, retired)
  }

  /// An answer in its place.
  struct Entry {
    var answer: Answer
    var section: Section?
    var question: Question?
    var criterion: Criterion?
    var isRetired: Bool { section == nil }

    /// A criterion is rated; nil when nothing is known of the item.
    var type: QuestionType? { criterion == nil ? question?.type : .rating }
  }

  /// The answers that say something, in the order of the kit; those that were retired last.
  var entries: [Entry] {
    var entries: [Entry] = []
    func add(_ id: ItemID, _ section: Section?, _ question: Question?, _ criterion: Criterion? = nil) {
      guard let answer = evaluation.answers[id], !answer.content.isEmpty else { return }
      entries.append(Entry(answer: answer, section: section, question: question, criterion: criterion))
    }
    for section in snapshot.kit.sections {
      for question in section.questions {
        add(question.id, section, question)
        for criterion in question.criteria { add(criterion.id, section, question, criterion) }
      }
    }
    for id in evaluation.answers.map(\.itemID).sorted() where snapshot.answerTarget(id) == nil {
      add(id, nil, retired[id]?.question, retired[id]?.criterion)
    }
    return entries
  }

  /// What people read in place of an ID: the texts of the options, or the label of the point.
  func label(of value: AnswerValue, to question: Question?) -> String? {
    func text(_ id: ItemID) -> String { question?.options.first { $0.id == id }?.text.string ?? id.string }
    switch value {
    case .option(let id): return text(id)
    case .options(let ids): return ids.map(text).joined(separator: "; ")
    case .point(let id):
      let scale = question?.scaleID.flatMap { snapshot.kit.scale($0) }
      return scale?.points.first { $0.id == id }?.label.string ?? id.string
    default: return nil
    }
  }
}
