// The form of kits, sections and questions in JSON: each member's type, and a stand-in for what could not be read.

internal import InterviewKits
internal import JSON

struct KitFormReader {
  let issues: JSONIssueList
  let ids: ItemIDSource

  /// What stands for a text that could not be read; the issue says so.
  private static let standIn: ExactText = "?"

  // MARK: Kit

  func header(_ reader: inout JSONObjectReader, id: ItemID?, now: Timestamp) -> Kit {
    reader.ignore("revision", "createdAt", "updatedAt", "importReport")
    let kitID = ownID(&reader, id)
    let title = reader.requiredString("title").map { ExactText($0) } ?? Self.standIn
    var kit = Kit(id: kitID, title: title, createdAt: now, updatedAt: now)
    kit.instructions = reader.text("instructions").value
    kit.language = reader.string("language").value
    kit.status = reader.word("status", KitStatus.self).value ?? .active
    kit.visibility = reader.word("visibility", KitVisibility.self).value ?? .afterOwnSubmission
    kit.overallQuestionID = reader.itemID("overallQuestionId").value
    kit.scales = scales(&reader)
    return kit
  }

  private func scales(_ reader: inout JSONObjectReader) -> [Scale] {
    let values = reader.array("scales").value ?? []
    return items(values, at: reader.pointer(to: "scales"), limit: KitLimits.scales) { reader in
      let id = ownID(&reader, nil)
      let title = reader.requiredString("title").map { ExactText($0) } ?? Self.standIn
      let points = reader.requiredArray("points") ?? []
      return Scale(
        id: id, title: title,
        points: items(points, at: reader.pointer(to: "points"), limit: KitLimits.pointsOfOneScale) { reader in
          let id = ownID(&reader, nil)
          return ScalePoint(id: id, label: reader.requiredString("label").map { ExactText($0) } ?? Self.standIn)
        })
    }
  }

  func sections(_ reader: inout JSONObjectReader) -> [Section] {
    let values = reader.array("sections").value ?? []
    let pointer = reader.pointer(to: "sections")
    let questionCount = values.reduce(0) { count, section in
      if case .array(let questions) = section["questions"] { count + questions.count } else { count }
    }
    if questionCount > KitLimits.questions {
      refuse(questionCount, of: "questions", limit: KitLimits.questions, at: pointer)
      return []
    }
    var orders = OrderKey.sequence(count: min(values.count, KitLimits.sections)).makeIterator()
    return items(values, at: pointer, limit: KitLimits.sections) { reader in
      section(&reader, order: orders.next() ?? .only, id: nil)
    }
  }

  // MARK: Sections

  func section(_ reader: inout JSONObjectReader, order: OrderKey, id: ItemID?) -> Section {
    reader.ignore("revision")
    let sectionID = ownID(&reader, id)
    let title = reader.requiredString("title").map { ExactText($0) } ?? Self.standIn
    let values = reader.array("questions").value ?? []
    var orders = OrderKey.sequence(count: min(values.count, KitLimits.questions)).makeIterator()
    let questions = items(values, at: reader.pointer(to: "questions"), limit: KitLimits.questions) { reader in
      question(&reader, order: orders.next() ?? .only, id: nil)
    }
    return Section(id: sectionID, order: order, title: title, questions: questions)
  }

  /// Where a new item goes: `after` absent is last, null is first.
  func place(_ reader: inout JSONObjectReader) -> Place {
    switch reader.itemID("after") {
    case .absent: .last
    case .null: .first
    case .value(let id): .after(id)
    }
  }

  // MARK: Questions

  func question(_ reader: inout JSONObjectReader, order: OrderKey, id: ItemID?) -> Question {
    reader.ignore("revision")
    let questionID = ownID(&reader, id)
    if reader.value("type").value == nil {
      reader.report("type", "missingMember", "The member \"type\" is missing.")
    }
    let type = reader.word("type", QuestionType.self).value
    let text = reader.requiredString("text").map { ExactText($0) } ?? Self.standIn
    var question = Question(id: questionID, order: order, text: text, kind: .longText(maxLength: 1))
    question.help = reader.text("help").value
    question.required = reader.bool("required").value ?? false
    question.isPrivate = reader.bool("private").value ?? false
    question.visibleWhen = condition(&reader)
    if let type {
      question.kind = kind(type, &reader)
    } else {
      reader.ignore("maxLength", "options", "scale", "criteria")
    }
    refuseOthers(of: type, &reader)
    return question
  }

  private func kind(_ type: QuestionType, _ reader: inout JSONObjectReader) -> Question.Kind {
    switch type {
    case .shortText: return .shortText(maxLength: maxLength(&reader))
    case .longText: return .longText(maxLength: maxLength(&reader))
    case .yesNo: return .yesNo
    case .singleSelect: return .singleSelect(options(&reader))
    case .multiSelect: return .multiSelect(options(&reader))
    case .number: return .number
    case .date: return .date
    case .rating: return .rating(scale: scale(&reader))
    case .scorecard:
      let scale = scale(&reader)
      let values = reader.requiredArray("criteria") ?? []
      return .scorecard(
        scale: scale,
        criteria: items(values, at: reader.pointer(to: "criteria"), limit: KitLimits.criteriaOfOneQuestion) { reader in
          let id = ownID(&reader, nil)
          return Criterion(id: id, text: reader.requiredString("text").map { ExactText($0) } ?? Self.standIn)
        })
    case .note: return .note
    }
  }

  private func maxLength(_ reader: inout JSONObjectReader) -> Int {
    reader.integer("maxLength").value ?? KitLimits.answerScalars
  }

  private func options(_ reader: inout JSONObjectReader) -> [Option] {
    let values = reader.requiredArray("options") ?? []
    return items(values, at: reader.pointer(to: "options"), limit: KitLimits.optionsOfOneQuestion) { reader in
      let id = ownID(&reader, nil)
      return Option(id: id, text: reader.requiredString("text").map { ExactText($0) } ?? Self.standIn)
    }
  }

  private func scale(_ reader: inout JSONObjectReader) -> ItemID {
    reader.requiredItemID("scale") ?? Scale.fourPoint.id
  }

  /// A member that another type has is an error of its own: null is taken, as in a merge patch's result.
  private func refuseOthers(of type: QuestionType?, _ reader: inout JSONObjectReader) {
    guard let type else { return }
    let own: Set<String> =
      switch type {
      case .shortText, .longText: ["maxLength"]
      case .singleSelect, .multiSelect: ["options"]
      case .rating: ["scale"]
      case .scorecard: ["scale", "criteria"]
      case .yesNo, .number, .date, .note: []
      }
    for name in ["maxLength", "options", "scale", "criteria"] where !own.contains(name) {
      if case .value = reader.value(name) {
        reader.report(name, "notOfThisType", "A \(type.rawValue) question has no \(name).")
      }
    }
  }

  private func condition(_ reader: inout JSONObjectReader) -> VisibilityCondition? {
    guard var reader = reader.object("visibleWhen").value else { return nil }
    let questionID = reader.requiredItemID("questionId")
    let equals = reader.value("equals")
    reader.finish()
    let wanted: VisibilityCondition.Value
    switch equals {
    case .absent:
      reader.report("equals", "missingMember", "The member \"equals\" is missing.")
      return nil
    case .value(.bool(let value)): wanted = .bool(value)
    case .value(.string):
      guard let text = reader.text("equals").value else { return nil }
      wanted = .string(text)
    case .value(.number(let number)):
      switch number.exact {
      case .success(let number): wanted = .number(number)
      case .failure(let error):
        reader.report("equals", error.code, error.message)
        return nil
      }
    case .null, .value:
      reader.report("equals", "wrongType", "equals is a boolean, a number or a string.")
      return nil
    }
    return questionID.map { VisibilityCondition(questionID: $0, equals: wanted) }
  }

  // MARK: Shared

  /// The ID of the address, else the document's, else a new one; both given must agree.
  private func ownID(_ reader: inout JSONObjectReader, _ given: ItemID?) -> ItemID {
    let own = reader.itemID("id")
    guard let given else { return own.value ?? ids.next() }
    if let id = own.value, id != given {
      reader.report("id", "idMismatch", "The ID in the document, '\(id)', is not that of the address, '\(given)'.")
    }
    return given
  }

  /// Reads each element as an object; one that is none leaves its place to a stand-in, so that pointers stay right.
  /// More than `limit` elements are not read at all.
  private func items<Item>(
    _ values: [JSONValue], at pointer: String, limit: Int, _ read: (inout JSONObjectReader) -> Item
  ) -> [Item] {
    if values.count > limit {
      refuse(values.count, of: String(pointer.split(separator: "/").last ?? ""), limit: limit, at: pointer)
      return []
    }
    return values.enumerated().compactMap { place, value in
      let pointer = "\(pointer)/\(place)"
      // What a stand-in lacks is none of the document's issues.
      guard
        var reader = JSONObjectReader(value, at: pointer, issues: issues)
          ?? JSONObjectReader(.object([]), at: pointer, issues: JSONIssueList())
      else { return nil }
      let item = read(&reader)
      reader.finish()
      return item
    }
  }

  private func refuse(_ count: Int, of what: String, limit: Int, at pointer: String) {
    issues.add(pointer, "tooMany", "\(count) \(what); at most \(limit) are accepted.")
  }
}
