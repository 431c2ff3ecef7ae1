// Private questions: their answers are for admins and their writer only.

extension KitSnapshot {
  /// Private questions, and the criteria of private scorecards.
  public var privateItems: Set<ItemID> {
    var items: Set<ItemID> = []
    for section in kit.sections {
      for question in section.questions where question.isPrivate {
        items.insert(question.id)
        for criterion in question.criteria { items.insert(criterion.id) }
      }
    }
    return items
  }

  /// The evaluation as if nothing private had been answered, its counts and its recommendation too.
  public func withoutPrivateAnswers(_ evaluation: Evaluation) -> Evaluation {
    let items = privateItems
    if items.isEmpty { return evaluation }
    var told = evaluation
    for item in items { told.answers[item] = nil }
    if let overall = kit.overallQuestionID, items.contains(overall) { told.summary.recommendation = nil }
    told.summary.progress = progress(answers: told.answers)
    return told
  }
}
