// Which questions are shown for given answers, and how far an evaluation has come.

extension KitSnapshot {
  /// True when the question has no condition, or the question that it names is shown and answered so.
  public func isVisible(_ question: Question, answers: Answers) -> Bool {
    var current = question
    var steps = 0
    while let condition = current.visibleWhen {
      guard steps <= KitLimits.conditionDepth, let (target, _) = self.question(condition.questionID),
        condition.equals.matches(answers[target.id]?.content.value)
      else { return false }
      current = target
      steps += 1
    }
    return true
  }

  /// The items that take an answer and are shown, in list order: questions, and criteria in place of scorecards.
  public func visibleAnswerItems(answers: Answers) -> [(id: ItemID, required: Bool)] {
    var items: [(id: ItemID, required: Bool)] = []
    for section in kit.sections {
      for question in section.questions where isVisible(question, answers: answers) {
        items += question.answerItems
      }
    }
    return items
  }

  /// The value of the answer to the overall question.
  public func recommendation(_ answers: Answers) -> AnswerValue? {
    kit.overallQuestionID.flatMap { answers[$0]?.content.value }
  }

  public func progress(answers: Answers) -> Progress {
    var progress = Progress()
    progress.add(visibleAnswerItems(answers: answers), times: 1, answers: answers)
    return progress
  }

  /// The progress after one item's answer has changed, without a walk over the kit: only what hangs on the item counts
  /// anew.
  public func progress(_ progress: Progress, of item: ItemID, before: Answers, after: Answers) -> Progress {
    guard let target = answerTarget(item) else { return progress }
    var result = progress
    for question in [target.question] + dependents(of: item).compactMap({ self.question($0)?.question }) {
      result.add(question.answerItems, times: isVisible(question, answers: before) ? -1 : 0, answers: before)
      result.add(question.answerItems, times: isVisible(question, answers: after) ? 1 : 0, answers: after)
    }
    return result
  }
}

extension Progress {
  fileprivate mutating func add(_ items: [(id: ItemID, required: Bool)], times: Int, answers: Answers) {
    guard times != 0 else { return }
    for item in items {
      let isAnswered = answers[item.id]?.isAnswered ?? false
      answered += isAnswered ? times : 0
      required += item.required ? times : 0
      missing += item.required && !isAnswered ? times : 0
    }
  }
}

extension Question {
  /// What of it takes an answer: itself, or its criteria.
  fileprivate var answerItems: [(id: ItemID, required: Bool)] {
    switch kind {
    case .note: []
    case .scorecard(_, let criteria): criteria.map { ($0.id, required) }
    default: [(id, required)]
    }
  }
}

extension VisibilityCondition.Value {
  func matches(_ answer: AnswerValue?) -> Bool {
    switch (self, answer) {
    case (.bool(let expected), .bool(let value)): expected == value
    case (.number(let expected), .number(let value)): expected == value
    case (.string(let expected), .text(let value)): expected == value
    case (.string(let expected), .date(let value)): expected.string == value.iso8601
    case (.string(let expected), .option(let id)), (.string(let expected), .point(let id)): expected.string == id.string
    case (.string(let expected), .options(let ids)): ids.contains { $0.string == expected.string }
    default: false
    }
  }
}
