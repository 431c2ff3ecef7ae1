// Questions by ID for checking what refers to them: `visibleWhen` and the overall question.

struct ConditionIndex {
  let questions: [ItemID: Question]
  private let scales: [Scale]

  init(_ kit: Kit) {
    var questions: [ItemID: Question] = [:]
    questions.reserveCapacity(kit.questionCount)
    for section in kit.sections { for question in section.questions { questions[question.id] = question } }
    self.questions = questions
    scales = Scale.presets + kit.scales
  }

  /// What is wrong with the question's `visibleWhen`.
  func issues(of question: Question, at pointer: String) -> [Issue] {
    guard let condition = question.visibleWhen else { return [] }
    func issue(_ member: String, _ code: String, _ message: String) -> [Issue] {
      [Issue(pointer: "\(pointer)/visibleWhen/\(member)", itemID: question.id, code: code, message: message)]
    }
    guard let target = questions[condition.questionID] else {
      return issue("questionId", "unknownQuestion", "The kit has no question '\(condition.questionID)'.")
    }
    switch depth(of: question) {
    case nil:
      return issue("questionId", "conditionCycle", "The question would be shown only when it is shown itself.")
    case let depth? where depth > KitLimits.conditionDepth:
      let message = "At most \(KitLimits.conditionDepth) questions hang on each other by visibleWhen."
      return issue("questionId", "conditionTooDeep", message)
    default: break
    }
    guard let expected = expectation(of: target, for: condition.equals) else { return [] }
    return issue("equals", "invalidCondition", "The answer to '\(target.id)' \(expected).")
  }

  /// How many conditions stand above the question, counted to one beyond the limit; nil when it hangs on itself.
  private func depth(of start: Question) -> Int? {
    var depth = 0
    var next = start.visibleWhen?.questionID
    while let id = next, depth <= KitLimits.conditionDepth {
      if id == start.id { return nil }
      depth += 1
      next = questions[id]?.visibleWhen?.questionID
    }
    return depth
  }

  /// What the target's answer would be, when the condition's value can't be one; nil when it can.
  private func expectation(of target: Question, for value: VisibilityCondition.Value) -> String? {
    switch (target.kind, value) {
    case (.yesNo, .bool), (.number, .number), (.shortText, .string), (.longText, .string): return nil
    case (.yesNo, _): return "is true or false"
    case (.number, _): return "is a number"
    case (.shortText, _), (.longText, _): return "is a string"
    case (.date, .string(let text)) where CalendarDate(iso8601: text.string) != nil: return nil
    case (.date, _): return "is a date, YYYY-MM-DD"
    case (.singleSelect(let options), _), (.multiSelect(let options), _):
      if case .string(let text) = value, options.contains(where: { $0.id.string == text.string }) { return nil }
      return "is one of its option IDs"
    case (.rating(let scale), _):
      let points = scales.first { $0.id == scale }?.points ?? []
      if case .string(let text) = value, points.contains(where: { $0.id.string == text.string }) { return nil }
      return "is a point ID of its scale"
    case (.scorecard, _), (.note, _): return "does not exist: a \(target.type.rawValue) has none of its own"
    }
  }
}
