// The writes of kits, each within its group.
import InterviewKits

extension WriteTransaction {
  /// - Throws: `idTaken` or `deletedID` when the ID was used before.
  func createKit(_ draft: Kit) throws(StoreError) -> KitWritten {
    if let state = try kitState(draft.id) { throw state.deletedAt == nil ? .idTaken(draft.id) : .deletedID(draft.id) }
    if try isPurged(draft.id) { throw .gone }
    var kit = draft
    (kit.revision, kit.createdAt) = (1, now)
    kit.updatedAt = kit.createdAt
    for row in kit.sections.indices {
      kit.sections[row].revision = 1
      for column in kit.sections[row].questions.indices { kit.sections[row].questions[column].revision = 1 }
    }
    let issues = kit.issues()
    guard issues.isEmpty else { throw .invalid(issues) }
    let rows = KitWriteRows(kit, in: self)
    try rows.insertKit(kit)
    try rows.insertHeader(kit)
    for item in KitItem.items(of: kit.scales) { try rows.insert(item) }
    for section in kit.sections {
      try rows.insert(section)
      try rows.insert(KitItem(id: section.id, kind: .section))
      for question in section.questions {
        try rows.insert(question, in: section.id)
        for item in KitItem.items(of: question) { try rows.insert(item) }
      }
    }
    append(.kitCreated, kit: kit.id, revision: 1, at: kit.createdAt)
    let snapshot = KitSnapshot(kit)
    stage(KitState(snapshot))
    return KitWritten(snapshot: snapshot, outcome: .created)
  }

  func putKit(_ draft: Kit, precondition: Precondition) throws(StoreError) -> KitWritten {
    guard let state = try kitState(draft.id) else {
      if try isPurged(draft.id) { throw .gone }
      if precondition.verdict(revision: nil) != .passes { throw .preconditionFailed(current: nil) }
      return try createKit(draft)
    }
    guard state.deletedAt == nil else { throw .deletedID(draft.id) }
    return try changeKit(draft.id, item: nil, precondition: precondition) {
      (snapshot, now) throws(StoreError) in
      try edited { () throws(KitEditError) in try snapshot.kit.replacing(with: draft, now: now) }
    }
  }

  /// - Parameter item: whose revision the precondition names; nil: the kit's. One that is not there yet is created.
  func changeKit(
    _ id: ItemID, item: ItemID?, precondition: Precondition,
    edit: (KitSnapshot, Timestamp) throws(StoreError) -> KitChange?
  ) throws(StoreError) -> KitWritten {
    let state = try liveKit(id)
    let before = state.snapshot
    let verdict = Verdict(precondition, on: item, in: before)
    let change: KitChange?
    do throws(StoreError) { change = try edit(before, now) } catch {
      switch error {
      case .notFound, .idTaken: throw error
      default: break
      }
      // What the writer saw comes first: what is wrong with an edit of something else means nothing.
      try verdict.check()
      throw error
    }
    guard let change else { return KitWritten(snapshot: before, outcome: .unchanged, itemID: item) }
    try verdict.check()
    let snapshot = try apply(change, to: state)
    let isCreated = item.map { before.hasItem($0) == false && snapshot.hasItem($0) } ?? false
    return KitWritten(snapshot: snapshot, outcome: isCreated ? .created : .changed, itemID: item)
  }

  /// Writes the rows that the change wrote, and nothing else.
  func apply(
    _ change: KitChange, to state: KitState, restoring: Set<ItemID> = []
  ) throws(StoreError) -> KitSnapshot {
    let before = state.snapshot
    var bytes = state.bytes
    let after = KitSnapshot(change, of: before)
    let rows = KitWriteRows(change.after, in: self)
    var old: Set<KitItem> = []
    var new: [KitItem] = []
    if change.headerChanged {
      try rows.insertHeader(change.after)
      old.formUnion(KitItem.items(of: before.kit.scales))
      new += KitItem.items(of: change.after.scales)
    }
    for id in change.removed + change.writtenSections where before.section(id) != nil {
      try rows.endSection(id)
      old.insert(KitItem(id: id, kind: .section))
    }
    for id in change.removed + change.writtenQuestions {
      guard let (question, _) = before.question(id) else { continue }
      try rows.endQuestion(id)
      bytes -= KitState.bytes(of: question)
      old.formUnion(KitItem.items(of: question))
    }
    for id in change.writtenSections {
      guard let section = after.section(id) else { continue }
      try rows.insert(section)
      new.append(KitItem(id: id, kind: .section))
    }
    for id in change.writtenQuestions {
      guard let (question, sectionID) = after.question(id) else { continue }
      try rows.insert(question, in: sectionID)
      bytes += KitState.bytes(of: question)
      new += KitItem.items(of: question)
    }
    let kept = Set(new)
    for item in new where !old.contains(item) { try rows.claim(item, restoring: restoring) }
    for item in old where !kept.contains(item) { try rows.release(item) }
    try rows.updateKit(change.after, from: before.kit.revision)
    stage(KitState(after, deletedAt: nil, bytes: bytes))
    append(change, from: before, to: after, isRestored: !restoring.isEmpty)
    if before.kit.visibility != change.after.visibility {
      try followVisibility(of: after.kit.id, revision: after.kit.revision, at: after.kit.updatedAt)
    }
    return after
  }

  private func append(_ change: KitChange, from before: KitSnapshot, to after: KitSnapshot, isRestored: Bool) {
    let kit = change.after
    func append(_ kind: ChangeKind, item: ItemID? = nil, deleted: Bool = false) {
      self.append(kind, kit: kit.id, item: item, revision: kit.revision, deleted: deleted, at: kit.updatedAt)
    }
    // What goes with a section, or with a replacement of the kit, has its own tombstone; what comes back, its own event.
    for id in change.removed where change.subject != .section(id) && change.subject != .question(id) {
      append(before.section(id) == nil ? .questionDeleted : .sectionDeleted, item: id, deleted: true)
    }
    switch change.subject {
    case .kit: append(.kitChanged)
    case .section(let id):
      if after.section(id) == nil {
        append(.sectionDeleted, item: id, deleted: true)
      } else if isRestored {
        append(.sectionRestored, item: id)
        for question in after.section(id)?.questions ?? [] { append(.questionRestored, item: question.id) }
      } else {
        append(before.section(id) == nil ? .sectionCreated : .sectionChanged, item: id)
      }
    case .question(let id):
      if after.question(id) == nil {
        append(.questionDeleted, item: id, deleted: true)
      } else if isRestored {
        append(.questionRestored, item: id)
      } else {
        append(before.question(id) == nil ? .questionCreated : .questionChanged, item: id)
      }
    }
  }
}

// MARK: - The trash

extension WriteTransaction {
  func deleteKit(_ id: ItemID, precondition: Precondition) throws(StoreError) -> KitWritten {
    let before = try liveKit(id).snapshot
    try Verdict(precondition, on: nil, in: before).check()
    return try setDeleted(true, before)
  }

  func restoreKit(_ id: ItemID) throws(StoreError) -> KitWritten {
    guard let state = try kitState(id) else { throw try isPurged(id) ? .gone : .notFound }
    if state.deletedAt == nil { return KitWritten(snapshot: state.snapshot, outcome: .unchanged) }
    return try setDeleted(false, state.snapshot)
  }

  private func setDeleted(_ deleted: Bool, _ before: KitSnapshot) throws(StoreError) -> KitWritten {
    var kit = before.kit
    kit.revision += 1
    kit.updatedAt = now
    let rows = KitWriteRows(kit, in: self)
    try rows.updateKit(kit, from: before.kit.revision)
    try rows.setDeleted(deleted)
    append(
      deleted ? .kitDeleted : .kitRestored, kit: kit.id, revision: kit.revision, deleted: deleted, at: kit.updatedAt)
    let snapshot = KitSnapshot(kit)
    stage(KitState(snapshot, deletedAt: deleted ? kit.updatedAt : nil))
    return KitWritten(snapshot: snapshot, outcome: .changed)
  }

  /// Brings a section with the questions that went with it, or a question, back to its old place.
  func restoreItem(_ item: ItemID, _ kind: TrashKind?, in kitID: ItemID) throws(StoreError) -> KitWritten {
    let state = try liveKit(kitID)
    let before = state.snapshot
    if before.section(item) != nil || before.question(item) != nil {
      let present: TrashKind = before.section(item) == nil ? .question : .section
      guard (kind ?? present) == present else { throw .notFound }
      return KitWritten(snapshot: before, outcome: .unchanged, itemID: item)
    }
    if try PurgeRows.contains(item, of: key(kitID), in: session) { throw .gone }
    guard let deleted = try TrashRows.item(item, of: key(kitID), in: session) else { throw .notFound }
    guard (kind ?? deleted.trashKind) == deleted.trashKind else { throw .notFound }
    let now = now
    var restoring: Set<ItemID> = [item]
    let change: KitChange
    do throws(KitEditError) {
      switch deleted.kind {
      case .section(let section):
        restoring.formUnion(section.questions.map(\.id))
        change = try before.kit.restoring(section, now: now)
      case .question(let question, let sectionID):
        change = try before.kit.restoring(question, in: sectionID, now: now)
      }
    } catch {
      guard case .invalid(let issues) = error else { throw StoreError(error) }
      let detail = "The kit has changed since, so that the item no longer fits; restore or change what it needs first."
      throw .conflict(code: "cannotRestore", detail: detail, issues: issues)
    }
    let snapshot = try apply(change, to: state, restoring: restoring)
    return KitWritten(snapshot: snapshot, outcome: .changed, itemID: item)
  }
}

/// What a precondition says of a kit or of one of its items.
private struct Verdict {
  private let verdict: Precondition.Verdict
  private let current: CurrentState?

  init(_ precondition: Precondition, on item: ItemID?, in snapshot: KitSnapshot) {
    current = item.map { snapshot.currentState(of: $0) } ?? .kit(snapshot)
    verdict = precondition.verdict(revision: current?.revision)
  }

  func check() throws(StoreError) {
    switch (verdict, current) {
    case (.passes, _): return
    case (.required, let current?): throw .preconditionRequired(current: current)
    case (.required, nil), (.failed, _): throw .preconditionFailed(current: current)
    }
  }
}

extension KitSnapshot {
  fileprivate func hasItem(_ id: ItemID) -> Bool { section(id) != nil || question(id) != nil }

  fileprivate func currentState(of id: ItemID) -> CurrentState? {
    if let section = section(id) { return .section(section) }
    return question(id).map { .question($0.question, sectionID: $0.sectionID) }
  }
}

/// Runs an edit of the domain and gives its error as the store's.
func edited(_ body: () throws(KitEditError) -> KitChange?) throws(StoreError) -> KitChange? {
  do throws(KitEditError) { return try body() } catch { throw StoreError(error) }
}
