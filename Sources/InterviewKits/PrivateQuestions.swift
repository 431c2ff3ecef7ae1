// Private questions: their answers are for admins and their writer only, and what hangs on them is, too.

extension KitSnapshot {
  /// Private questions, those that only a private one's answer shows, and the criteria of both.
  static func privateItems(of kit: Kit, conditioned: [ItemID: [ItemID]]) -> Set<ItemID> {
    var waiting: [ItemID] = []
    for section in kit.sections {
      for question in section.questions where question.isPrivate { waiting.append(question.id) }
    }
    if waiting.isEmpty { return [] }
    var items = Set(waiting)
    while let next = waiting.popLast() {
      for dependent in conditioned[next] ?? [] where items.insert(dependent).inserted { waiting.append(dependent) }
    }
    for section in kit.sections {
      for question in section.questions where items.contains(question.id) {
        items.formUnion(question.criteria.map(\.id))
      }
    }
    return items
  }

  /// Whether `content` as the answer to an item of the question is given in confidence: the question is private, or it
  /// is shown by a private one or by an answer that others are not told; and where the answer before it was given in
  /// confidence, when it tells a part of that, or tells others nothing that they were not told last.
  public func isConfidential(
    _ content: AnswerContent, to item: ItemID, of question: Question, in evaluation: Evaluation
  ) -> Bool {
    if takesPrivateAnswer(question, in: evaluation) { return true }
    guard let given = evaluation.answers[item], given.isPrivate else { return false }
    let told = evaluation.toldContent(of: item)
    return content == told || given.content.isDisclosed(by: content, told: told)
  }

  private func takesPrivateAnswer(_ question: Question, in evaluation: Evaluation) -> Bool {
    if privateItems.contains(question.id) { return true }
    var (current, steps) = (question, 0)
    while let condition = current.visibleWhen, steps <= KitLimits.conditionDepth {
      if let shown = evaluation.answers[condition.questionID], shown.isPrivate,
        shown.content != evaluation.toldContent(of: condition.questionID)
      {
        return true
      }
      guard let (above, _) = self.question(condition.questionID) else { return false }
      (current, steps) = (above, steps + 1)
    }
    return false
  }

  /// The evaluation as if no private answer had ever been given: its answers, counts, recommendation, revision and time.
  /// An answer is private when it was given in confidence, or when this kit revision says so.
  public func told(_ evaluation: Evaluation) -> Evaluation {
    let items = privateItems
    var told = evaluation
    (told.earlierTold, told.summary.privateAnswers) = ([:], 0)
    (told.summary.revision, told.summary.updatedAt) = (evaluation.summary.toldRevision, evaluation.summary.toldAt)
    var isOther = false
    for answer in evaluation.answers {
      let shown = answer.isPrivate ? evaluation.earlierTold[answer.itemID] : answer
      if answer.isPrivate || items.contains(answer.itemID) {
        told.answers[answer.itemID] = items.contains(answer.itemID) ? nil : shown?.told
        isOther = true
      } else if answer.toldRevision != answer.revision {
        told.answers.update(answer.told)
      }
    }
    guard isOther else { return told }
    told.summary.recommendation = recommendation(told.answers)
    told.summary.progress = progress(answers: told.answers)
    return told
  }
}

extension AnswerContent {
  /// True when `content` in place of this, which was given in confidence, keeps a part of it that others were not told.
  fileprivate func isDisclosed(by content: AnswerContent, told: AnswerContent) -> Bool {
    content.value != nil && content.value == value && value != told.value
      || content.notAssessed && notAssessed && !told.notAssessed
      || content.comment != nil && content.comment == comment && comment != told.comment
  }
}
