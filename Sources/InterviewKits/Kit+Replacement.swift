// Replacing a whole kit as one revision: what has the same ID and says the same keeps its revision and its place.

extension Kit {
  /// The kit as `draft` says it; the draft's order keys and revisions don't matter, its order does.
  /// - Returns: nil when nothing changes.
  public func replacing(with draft: Kit, now: Timestamp) throws(KitEditError) -> KitChange? {
    var issues = draft.issues()
    issues += typeIssues(in: draft)
    try Self.refuse(issues)
    var merge = Merge(old: self, revision: revision + 1)
    var after = draft
    after.id = id
    after.createdAt = createdAt
    after.sections = merge.sections(draft.sections)
    (after.revision, after.updatedAt) = (revision, updatedAt)
    if after == self { return nil }
    after.advance(now)
    let kept = Set(after.sections.map(\.id) + after.sections.flatMap { $0.questions.map(\.id) })
    let removed = (sections.map(\.id) + sections.flatMap { $0.questions.map(\.id) }).filter { !kept.contains($0) }
    return KitChange(
      after: after, subject: .kit, headerChanged: !hasSameHeader(as: after), writtenSections: merge.writtenSections,
      writtenQuestions: merge.writtenQuestions, removed: removed)
  }

  private func hasSameHeader(as other: Kit) -> Bool {
    var copy = other
    (copy.sections, copy.revision, copy.updatedAt) = (sections, revision, updatedAt)
    return copy == self
  }

  private func typeIssues(in draft: Kit) -> [Issue] {
    let old = KitSnapshot(self)
    var found: [Issue] = []
    for (row, section) in draft.sections.enumerated() {
      for (column, question) in section.questions.enumerated() {
        guard let before = old.question(question.id)?.question, before.type != question.type else { continue }
        found.append(
          Issue(
            pointer: "/sections/\(row)/questions/\(column)/type", itemID: question.id, code: "typeChanged",
            message: "'\(question.id)' is a \(before.type.rawValue): a changed meaning needs a new question."))
      }
    }
    return found
  }
}

/// Carries revisions and order keys over from the old kit.
private struct Merge {
  let old: KitSnapshot
  let revision: Int
  var writtenSections: [ItemID] = []
  var writtenQuestions: [ItemID] = []

  init(old: Kit, revision: Int) {
    self.old = KitSnapshot(old)
    self.revision = revision
  }

  mutating func sections(_ drafts: [Section]) -> [Section] {
    let orders = Self.orders(drafts.map { old.section($0.id)?.order })
    return drafts.enumerated().map { row, draft in
      var section = draft
      section.order = orders[row]
      let before = old.section(draft.id)
      if let before, before.title == draft.title, before.order == orders[row] {
        section.revision = before.revision
      } else {
        section.revision = revision
        writtenSections.append(draft.id)
      }
      section.questions = questions(draft.questions, in: draft.id)
      return section
    }
  }

  private mutating func questions(_ drafts: [Question], in sectionID: ItemID) -> [Question] {
    let before = drafts.map { draft in
      old.question(draft.id).flatMap { $0.sectionID == sectionID ? $0.question : nil }
    }
    let orders = Self.orders(before.map { $0?.order })
    return drafts.enumerated().map { column, draft in
      var question = draft
      question.order = orders[column]
      if let before = before[column], draft.hasSameContent(as: before), before.order == orders[column] {
        question.revision = before.revision
      } else {
        question.revision = revision
        writtenQuestions.append(draft.id)
      }
      return question
    }
  }

  /// Keeps the old keys of a longest rising run of siblings, so that the fewest rows are written, and fits new keys
  /// between them for the rest.
  static func orders(_ old: [OrderKey?]) -> [OrderKey] {
    let kept = longestRisingRun(old)
    var result: [OrderKey] = []
    result.reserveCapacity(old.count)
    var nextKept = old.indices.reversed().reduce(into: [OrderKey?](repeating: nil, count: old.count + 1)) { next, row in
      next[row] = kept.contains(row) ? old[row] : next[row + 1]
    }
    nextKept.removeLast()
    for (row, key) in old.enumerated() {
      if let key, kept.contains(row) {
        result.append(key)
      } else {
        result.append(.between(result.last, nextKept[row]))
      }
    }
    return result
  }
}
