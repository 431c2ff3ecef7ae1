// What takes an answer: a question or a criterion, and which answers it accepts.

public enum AnswerTarget: Sendable {
  case question(Question, points: [ScalePoint])
  case criterion(Criterion, scorecard: Question, points: [ScalePoint])

  public var itemID: ItemID {
    switch self {
    case .question(let question, _): question.id
    case .criterion(let criterion, _, _): criterion.id
    }
  }

  /// The question, or the scorecard that the criterion belongs to.
  public var question: Question {
    switch self {
    case .question(let question, _), .criterion(_, let question, _): question
    }
  }

  /// The points that a rating chooses from; empty for other questions.
  public var points: [ScalePoint] {
    switch self {
    case .question(_, let points), .criterion(_, _, let points): points
    }
  }

  /// All that is wrong with an answer; pointers are those of the answer's document below `pointer`.
  public func issues(of content: AnswerContent, at pointer: String = "") -> [Issue] {
    var check = TextChecks()
    check.optionalText(content.comment, at: pointer + "/comment", limit: KitLimits.commentScalars, item: itemID)
    if content.notAssessed, content.value != nil {
      check.add(
        pointer + "/notAssessed", itemID, "contradiction", "An answer has a value or is not assessed, not both.")
    }
    if let value = content.value { checkValue(value, at: pointer + "/value", in: &check) }
    return check.issues
  }

  private func checkValue(_ value: AnswerValue, at pointer: String, in check: inout TextChecks) {
    func wrong(_ message: String, _ code: String = "invalidValue") { check.add(pointer, itemID, code, message) }
    if case .criterion = self {
      guard case .point(let id) = value else { return wrong("A criterion's value is a point ID.") }
      return checkPoint(id, at: pointer, in: &check)
    }
    switch (question.kind, value) {
    case (.shortText(let limit), .text(let text)):
      check.optionalText(text, at: pointer, limit: limit, item: itemID)
      if text.string.unicodeScalars.contains(where: Self.isLineBreak) {
        wrong("A shortText answer is one line; it can't hold a line break.", "lineBreak")
      }
    case (.longText(let limit), .text(let text)):
      check.optionalText(text, at: pointer, limit: limit, item: itemID)
    case (.yesNo, .bool), (.date, .date), (.number, .number(.integer)): break
    case (.number, .number(.decimal(let number))):
      if !(abs(number) <= Number.maximumDecimal) {
        wrong("A number with a fraction is at most 1e15 in size.", "outOfRange")
      }
    case (.singleSelect(let options), .option(let id)):
      if !options.contains(where: { $0.id == id }) { wrong("The question has no option '\(id)'.", "unknownOption") }
    case (.multiSelect(let options), .options(let ids)):
      for (row, id) in ids.enumerated() {
        if !options.contains(where: { $0.id == id }) {
          check.add("\(pointer)/\(row)", itemID, "unknownOption", "The question has no option '\(id)'.")
        } else if ids[..<row].contains(id) {
          check.add("\(pointer)/\(row)", itemID, "duplicateOption", "The option '\(id)' is chosen twice.")
        }
      }
    case (.rating, .point(let id)): checkPoint(id, at: pointer, in: &check)
    default: wrong("The value does not fit a \(question.type.rawValue) question.")
    }
  }

  private func checkPoint(_ id: ItemID, at pointer: String, in check: inout TextChecks) {
    if !points.contains(where: { $0.id == id }) {
      let known = points.map(\.id.string).joined(separator: ", ")
      check.add(pointer, itemID, "unknownPoint", "The scale has no point '\(id)'; it has \(known).")
    }
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension KitSnapshot {
  /// The question or criterion with this ID when it takes an answer; nil for other items, scorecards and notes.
  public func answerTarget(_ id: ItemID) -> AnswerTarget? {
    if let (question, _) = question(id) {
      switch question.kind {
      case .scorecard, .note: return nil
      case .rating(let scale): return .question(question, points: kit.scale(scale)?.points ?? [])
      default: return .question(question, points: [])
      }
    }
    guard let (criterion, scorecard) = criterion(id), let scale = scorecard.scaleID else { return nil }
    return .criterion(criterion, scorecard: scorecard, points: kit.scale(scale)?.points ?? [])
  }
}
