// Which questions are shown for given answers, and how far an evaluation has come.

extension KitSnapshot {
  /// True when the question has no condition, or the question that it names is shown and answered so.
  public func isVisible(_ question: Question, answers: [ItemID: Answer]) -> Bool {
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
  public func visibleAnswerItems(answers: [ItemID: Answer]) -> [(id: ItemID, required: Bool)] {
    var items: [(id: ItemID, required: Bool)] = []
    for section in kit.sections {
      for question in section.questions where isVisible(question, answers: answers) {
        switch question.kind {
        case .note: break
        case .scorecard(_, let criteria): items += criteria.map { ($0.id, question.required) }
        default: items.append((question.id, question.required))
        }
      }
    }
    return items
  }

  public func progress(answers: [ItemID: Answer]) -> Progress {
    visibleAnswerItems(answers: answers).reduce(into: Progress()) { progress, item in
      let isAnswered = answers[item.id]?.isAnswered ?? false
      progress.answered += isAnswered ? 1 : 0
      progress.required += item.required ? 1 : 0
      progress.missing += item.required && !isAnswered ? 1 : 0
    }
  }

  /// The progress after one answer has changed, without a walk over the kit where no condition depends on it.
  /// - Parameter answers: all answers after the change.
  public func progress(_ progress: Progress, from old: Answer?, to new: Answer, answers: [ItemID: Answer]) -> Progress {
    if isConditionTarget(new.itemID) { return self.progress(answers: answers) }
    guard let target = answerTarget(new.itemID), isVisible(target.question, answers: answers) else { return progress }
    let step = (new.isAnswered ? 1 : 0) - (old?.isAnswered ?? false ? 1 : 0)
    var result = progress
    result.answered += step
    result.missing -= target.question.required ? step : 0
    return result
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
