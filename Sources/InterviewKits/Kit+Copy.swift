// Copies of kits and questions: the same texts under new IDs.

extension Kit {
  /// A kit of its own with the same texts; everything in it has a new ID, and what names an item names its copy. A copy of
  /// an archived kit is active.
  ///
  /// - Parameters:
  ///   - title: nil: the same.
  ///   - ids: gives the new IDs.
  public func copy(id: ItemID, title: ExactText? = nil, ids: ItemIDSource) -> Kit {
    var copy = self
    (copy.id, copy.title) = (id, title ?? self.title)
    if status == .archived { copy.status = .active }
    var map = CopyMap(ids: ids)
    for row in copy.scales.indices { map.rename(&copy.scales[row]) }
    for row in copy.sections.indices {
      copy.sections[row].id = map.new(for: copy.sections[row].id)
      for column in copy.sections[row].questions.indices { map.rename(&copy.sections[row].questions[column]) }
    }
    // Conditions may name questions that come later.
    for row in copy.sections.indices {
      for column in copy.sections[row].questions.indices { map.rewire(&copy.sections[row].questions[column]) }
    }
    copy.overallQuestionID = overallQuestionID.map(map.known)
    return copy
  }

  /// Old and new IDs of a kit and its copy, which has the same items in the same order.
  public func idMap(to copy: Kit) -> [(old: ItemID, new: ItemID)] {
    Array(zip(idsInOrder, copy.idsInOrder)).map { (old: $0.0, new: $0.1) }
  }

  /// The kit's own ID and those of everything in it.
  private var idsInOrder: [ItemID] {
    [id] + scales.flatMap { [$0.id] + $0.points.map(\.id) }
      + sections.flatMap { section in [section.id] + section.questions.flatMap(\.idsInOrder) }
  }
}

extension Question {
  /// A question of its own with the same texts; its options and criteria have new IDs, too.
  public func copy(id: ItemID, ids: ItemIDSource) -> Question {
    var copy = self
    var map = CopyMap(ids: ids)
    map.rename(&copy)
    copy.id = id
    return copy
  }

  public func idMap(to copy: Question) -> [(old: ItemID, new: ItemID)] {
    Array(zip(idsInOrder, copy.idsInOrder)).map { (old: $0.0, new: $0.1) }
  }

  fileprivate var idsInOrder: [ItemID] { [id] + options.map(\.id) + criteria.map(\.id) }
}

/// New IDs for old ones.
private struct CopyMap {
  let ids: ItemIDSource
  private var new: [ItemID: ItemID] = [:]
  /// Questions whose answers are IDs.
  private var choices: Set<ItemID> = []

  init(ids: ItemIDSource) { self.ids = ids }

  mutating func new(for old: ItemID) -> ItemID {
    let id = ids.next()
    new[old] = id
    return id
  }

  /// Presets of scales are no part of the kit and keep their IDs.
  func known(_ old: ItemID) -> ItemID { new[old] ?? old }

  mutating func rename(_ scale: inout Scale) {
    scale.id = new(for: scale.id)
    for row in scale.points.indices { scale.points[row].id = new(for: scale.points[row].id) }
  }

  mutating func rename(_ question: inout Question) {
    if !question.options.isEmpty || question.scaleID != nil { choices.insert(question.id) }
    question.id = new(for: question.id)
    func renamed(_ options: [Option]) -> [Option] { options.map { Option(id: new(for: $0.id), text: $0.text) } }
    switch question.kind {
    case .singleSelect(let options): question.kind = .singleSelect(renamed(options))
    case .multiSelect(let options): question.kind = .multiSelect(renamed(options))
    case .rating(let scale): question.kind = .rating(scale: known(scale))
    case .scorecard(let scale, let criteria):
      let copies = criteria.map { Criterion(id: new(for: $0.id), text: $0.text) }
      question.kind = .scorecard(scale: known(scale), criteria: copies)
    case .shortText, .longText, .yesNo, .number, .date, .note: break
    }
  }

  /// Points a condition at the copies of the question, and of the option or point, that it names.
  func rewire(_ question: inout Question) {
    guard var condition = question.visibleWhen else { return }
    let isChoice = choices.contains(condition.questionID)
    condition.questionID = known(condition.questionID)
    if isChoice, case .string(let text) = condition.equals, let id = ItemID(text.string), let copy = new[id] {
      condition.equals = .string(ExactText(copy.string))
    }
    question.visibleWhen = condition
  }
}
