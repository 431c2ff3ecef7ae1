// The edits of a kit, as pure functions: each answers a new kit and the rows it wrote, or nil when nothing changes.

extension Kit {
  /// The kit's own members as in `header`; sections and questions stay.
  public func updatingHeader(_ header: Kit, now: Timestamp) throws(KitEditError) -> KitChange? {
    var after = header
    (after.id, after.revision, after.sections) = (id, revision, sections)
    (after.createdAt, after.updatedAt) = (createdAt, updatedAt)
    guard after != self else { return nil }
    let issues = after.issues()
    guard issues.isEmpty else { throw .invalid(issues) }
    after.advance(now)
    return KitChange(after: after, subject: .kit, headerChanged: true)
  }

  // MARK: Sections

  public func inserting(_ section: Section, at place: Place, now: Timestamp) throws(KitEditError) -> KitChange {
    var after = self
    after.advance(now)
    var section = section
    section.revision = after.revision
    section.order = try Self.orderKey(for: place, among: sections.map { ($0.id, $0.order) })
    for column in section.questions.indices { section.questions[column].revision = after.revision }
    after.sections.insertOrdered(section, by: \.order)
    try Self.refuse(after.issues())
    return KitChange(
      after: after, subject: .section(section.id), writtenSections: [section.id],
      writtenQuestions: section.questions.map(\.id))
  }

  /// The section's own members as in `section`; its questions and place stay.
  public func updating(_ section: Section, now: Timestamp) throws(KitEditError) -> KitChange? {
    guard let row = sections.firstIndex(where: { $0.id == section.id }) else { throw .notFound(section.id) }
    guard sections[row].title != section.title else { return nil }
    try Self.refuse(section.ownIssues(at: ""))
    var after = self
    after.advance(now)
    after.sections[row].title = section.title
    after.sections[row].revision = after.revision
    return KitChange(after: after, subject: .section(section.id), writtenSections: [section.id])
  }

  public func movingSection(_ id: ItemID, to place: Place, now: Timestamp) throws(KitEditError) -> KitChange? {
    guard let row = sections.firstIndex(where: { $0.id == id }) else { throw .notFound(id) }
    var after = self
    var section = after.sections.remove(at: row)
    let order = try Self.orderKey(for: place, among: after.sections.map { ($0.id, $0.order) })
    after.advance(now)
    (section.order, section.revision) = (order, after.revision)
    after.sections.insertOrdered(section, by: \.order)
    guard after.sections[row].id != id else { return nil }
    return KitChange(after: after, subject: .section(id), writtenSections: [id])
  }

  // MARK: Questions

  /// - Parameter sectionID: nil means the last section.
  public func inserting(
    _ question: Question, in sectionID: ItemID?, at place: Place, now: Timestamp
  ) throws(KitEditError) -> KitChange {
    let row = try sectionRow(sectionID)
    var after = self
    after.advance(now)
    var question = question
    question.revision = after.revision
    question.order = try Self.orderKey(for: place, among: sections[row].questions.map { ($0.id, $0.order) })
    after.sections[row].questions.insertOrdered(question, by: \.order)
    try Self.refuse(after.issues(of: question, replacing: nil, in: self))
    return KitChange(after: after, subject: .question(question.id), writtenQuestions: [question.id])
  }

  /// The question's content as in `question`; its place stays.
  public func updating(_ question: Question, now: Timestamp) throws(KitEditError) -> KitChange? {
    let (row, column) = try questionPlace(question.id)
    let old = sections[row].questions[column]
    guard !question.hasSameContent(as: old) else { return nil }
    var after = self
    after.advance(now)
    var question = question
    (question.order, question.revision) = (old.order, after.revision)
    after.sections[row].questions[column] = question
    try Self.refuse(after.issues(of: question, replacing: old, in: self))
    return KitChange(after: after, subject: .question(question.id), writtenQuestions: [question.id])
  }

  /// - Parameter sectionID: nil means the section it is in.
  public func movingQuestion(
    _ id: ItemID, to sectionID: ItemID?, at place: Place, now: Timestamp
  ) throws(KitEditError) -> KitChange? {
    let (row, column) = try questionPlace(id)
    let target = try sectionID.map { sectionID throws(KitEditError) in try sectionRow(sectionID) } ?? row
    var after = self
    var question = after.sections[row].questions.remove(at: column)
    let siblings = after.sections[target].questions.map { ($0.id, $0.order) }
    question.order = try Self.orderKey(for: place, among: siblings)
    after.advance(now)
    question.revision = after.revision
    after.sections[target].questions.insertOrdered(question, by: \.order)
    if target == row, after.sections[row].questions[column].id == id { return nil }
    return KitChange(after: after, subject: .question(id), writtenQuestions: [id])
  }

  // MARK: Removing and restoring

  /// Removes a section with its questions, or a question. Others that name a removed question refuse it.
  public func removing(_ id: ItemID, now: Timestamp) throws(KitEditError) -> KitChange {
    var after = self
    after.advance(now)
    if let row = sections.firstIndex(where: { $0.id == id }) {
      let section = after.sections.remove(at: row)
      let questions = section.questions.map(\.id)
      try after.refuseDangling(Set(questions))
      return KitChange(after: after, subject: .section(id), removed: [id] + questions)
    }
    let (row, column) = try questionPlace(id)
    after.sections[row].questions.remove(at: column)
    try after.refuseDangling([id])
    return KitChange(after: after, subject: .question(id), removed: [id])
  }

  /// Brings a removed section back with the questions that went with it, each at its old place.
  public func restoring(_ section: Section, now: Timestamp) throws(KitEditError) -> KitChange {
    try inserting(section, at: .at(section.order), now: now)
  }

  /// Brings a removed question back to its old place.
  public func restoring(_ question: Question, in sectionID: ItemID, now: Timestamp) throws(KitEditError) -> KitChange {
    try inserting(question, in: sectionID, at: .at(question.order), now: now)
  }

  private func refuseDangling(_ removed: Set<ItemID>) throws(KitEditError) {
    var issues: [Issue] = []
    if let overallQuestionID, removed.contains(overallQuestionID) {
      issues.append(
        Issue(
          pointer: "/overallQuestionId", itemID: id, code: "inUse",
          message: "The kit names '\(overallQuestionID)' as its overall question."))
    }
    for section in sections {
      for question in section.questions {
        guard let condition = question.visibleWhen, removed.contains(condition.questionID) else { continue }
        issues.append(
          Issue(
            pointer: "/visibleWhen/questionId", itemID: question.id, code: "inUse",
            message: "The question '\(question.id)' is shown by the answer to '\(condition.questionID)'."))
      }
    }
    if !issues.isEmpty { throw .inUse(issues) }
  }
}

extension Kit {
  mutating func advance(_ now: Timestamp) {
    revision += 1
    updatedAt = now
  }

  static func refuse(_ issues: [Issue]) throws(KitEditError) {
    if !issues.isEmpty { throw .invalid(issues) }
  }

  private func sectionRow(_ id: ItemID?) throws(KitEditError) -> Int {
    guard let id else {
      guard !sections.isEmpty else {
        throw .invalid([
          Issue(pointer: "/sectionId", code: "noSection", message: "The kit has no section yet; create one first.")
        ])
      }
      return sections.count - 1
    }
    guard let row = sections.firstIndex(where: { $0.id == id }) else {
      throw .invalid([
        Issue(pointer: "/sectionId", itemID: id, code: "unknownSection", message: "The kit has no section '\(id)'.")
      ])
    }
    return row
  }

  private func questionPlace(_ id: ItemID) throws(KitEditError) -> (row: Int, column: Int) {
    for (row, section) in sections.enumerated() {
      if let column = section.questions.firstIndex(where: { $0.id == id }) { return (row, column) }
    }
    throw .notFound(id)
  }

  /// What is wrong with one question after an edit, and with what depends on it; pointers are relative to it.
  private func issues(of question: Question, replacing old: Question?, in before: Kit) -> [Issue] {
    var found = question.issues(at: "", scale: scale)
    if old == nil, questionCount > KitLimits.questions {
      let message = "A kit holds at most \(KitLimits.questions) questions."
      found.append(Issue(pointer: "", itemID: question.id, code: "tooMany", message: message))
    }
    if let old, old.type != question.type {
      let message = "'\(question.id)' is a \(old.type.rawValue): a changed meaning needs a new question."
      found.append(Issue(pointer: "/type", itemID: question.id, code: "typeChanged", message: message))
    }
    let kept = Set(old.map { [$0.id] + $0.ownedIDs(at: "").map(\.id) } ?? [])
    var own: Set<ItemID> = []
    for (id, pointer) in [(question.id, "")] + question.ownedIDs(at: "") {
      let isDoubled = !own.insert(id).inserted
      if isDoubled || (!kept.contains(id) && before.isTaken(id)) {
        let message = "The ID '\(id)' is used in the kit already."
        found.append(Issue(pointer: pointer + "/id", itemID: id, code: "duplicateId", message: message))
      }
    }
    if question.visibleWhen != nil || old.map({ dependsOnOptions(of: $0) }) == true {
      found += conditionIssues(around: question)
    }
    return found
  }

  private func dependsOnOptions(of question: Question) -> Bool {
    !question.options.isEmpty || question.scaleID != nil
  }

  private func conditionIssues(around question: Question) -> [Issue] {
    let index = ConditionIndex(self)
    var found = index.issues(of: question, at: "")
    for section in sections {
      for other in section.questions where other.visibleWhen?.questionID == question.id {
        // A cycle is told at the question that closes it.
        found += index.issues(of: other, at: "").filter { $0.code == "invalidCondition" }.map { issue in
          var issue = issue
          issue.pointer = question.options.isEmpty ? "/scale" : "/options"
          issue.message = "The question '\(other.id)' is shown by this question's answer. \(issue.message)"
          return issue
        }
      }
    }
    return found
  }

  private func isTaken(_ id: ItemID) -> Bool {
    if Scale.presets.contains(where: { $0.id == id || $0.points.contains { $0.id == id } }) { return true }
    if scales.contains(where: { $0.id == id || $0.points.contains { $0.id == id } }) { return true }
    return sections.contains { section in
      section.id == id
        || section.questions.contains { other in
          other.id == id || other.options.contains { $0.id == id } || other.criteria.contains { $0.id == id }
        }
    }
  }

  static func orderKey(
    for place: Place, among siblings: [(id: ItemID, order: OrderKey)]
  ) throws(KitEditError) -> OrderKey {
    switch place {
    case .first: return .between(nil, siblings.first?.order)
    case .last: return .between(siblings.last?.order, nil)
    case .after(let id):
      guard let row = siblings.firstIndex(where: { $0.id == id }) else {
        let message = "'\(id)' is not a sibling at the new place."
        throw .invalid([Issue(pointer: "/after", itemID: id, code: "unknownNeighbour", message: message)])
      }
      return .between(siblings[row].order, row + 1 < siblings.count ? siblings[row + 1].order : nil)
    case .at(let order):
      guard let row = siblings.firstIndex(where: { $0.order == order }) else { return order }
      return .between(order, row + 1 < siblings.count ? siblings[row + 1].order : nil)
    }
  }
}

extension Array {
  mutating func insertOrdered(_ element: Element, by order: KeyPath<Element, OrderKey>) {
    let key = element[keyPath: order]
    let row = firstIndex { key < $0[keyPath: order] } ?? endIndex
    insert(element, at: row)
  }
}
