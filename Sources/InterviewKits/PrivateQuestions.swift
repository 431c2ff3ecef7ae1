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

  /// Whether an answer to the question is given in confidence: the question is private, or it is shown by a private one
  /// or by an answer that was given in confidence.
  public func takesPrivateAnswer(_ question: Question, answers: Answers) -> Bool {
    if privateItems.contains(question.id) { return true }
    var (current, steps) = (question, 0)
    while let condition = current.visibleWhen, steps <= KitLimits.conditionDepth {
      if answers[condition.questionID]?.isPrivate == true { return true }
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

extension Answer {
  /// True when `content` in this answer's place would tell what was given in confidence: a part of it that it keeps, or,
  /// where others were never told of an answer, that there was one.
  public func isDisclosed(by content: AnswerContent) -> Bool {
    guard isPrivate else { return false }
    if content.isEmpty { return toldRevision == 0 }
    let given = self.content
    return content.value != nil && content.value == given.value || content.notAssessed && given.notAssessed
      || content.comment != nil && content.comment == given.comment
  }
}
