// Kits: reads from memory or the database, writes through the writer.
public import InterviewKits
import SQLDatabase

extension Store {
  // MARK: Reading

  /// The kit as it is now.
  /// - Throws: `notFound`, also for one in the trash; `gone` for one that was purged.
  public func kit(_ id: ItemID, for caller: Caller) throws(StoreError) -> KitSnapshot {
    guard let state = try kitState(RowKey(accountID: caller.accountID, id: id)) else {
      throw try isPurged(kit: id, for: caller) ? .gone : .notFound
    }
    guard state.deletedAt == nil else { throw .notFound }
    return state.snapshot
  }

  /// Whether the kit is in the trash.
  public func isDeleted(kit id: ItemID, for caller: Caller) throws(StoreError) -> Bool {
    try kitState(RowKey(accountID: caller.accountID, id: id))?.deletedAt != nil
  }

  /// The kit as it is now when it is in memory; never touches the disk.
  public func currentKitIfCached(_ id: ItemID, of account: ItemID) -> KitSnapshot? {
    let state = memory.read { $0.kits.value(for: RowKey(accountID: account, id: id)) }
    return state.flatMap { $0.deletedAt == nil ? $0.snapshot : nil }
  }

  /// Another number whenever a kit or a layout profile may have changed. Read it before what it is to vouch for.
  public var documentStamp: Int { memory.documentStamp }

  /// The kit at a revision.
  /// - Throws: `notFound`, also for one in the trash.
  public func kit(_ id: ItemID, revision: Int, for caller: Caller) throws(StoreError) -> KitSnapshot {
    let key = RowKey(accountID: caller.accountID, id: id)
    guard let state = try kitState(key), state.deletedAt == nil else { throw .notFound }
    if state.snapshot.kit.revision == revision { return state.snapshot }
    return try snapshot(RevisionKey(kit: key, revision: revision))
  }

  /// The kit at a revision that evaluations may be on, also when the kit is in the trash.
  /// - Throws: `invalid` with the code `unknownRevision`.
  public func evaluationKit(_ id: ItemID, revision: Int, for caller: Caller) throws(StoreError) -> KitSnapshot {
    do throws(StoreError) {
      return try snapshot(RevisionKey(kit: RowKey(accountID: caller.accountID, id: id), revision: revision))
    } catch {
      guard case .notFound = error else { throw error }
      throw .unknownRevision(revision, of: id)
    }
  }

  /// A page of kits, newest first.
  public func kits(_ query: KitQuery, for caller: Caller) throws(StoreError) -> Page<KitSummary> {
    let key = PageKey(accountID: caller.accountID, list: .kits, query: "\(query)")
    let (known, stamp) = memory.read { ($0.page(key), $0.stamp(of: key)) }
    if case .kits(let page) = known { return page }
    let page = try pool.read { (session) throws(StoreError) in
      try ListRows.kits(query, accountID: caller.accountID, in: session)
    }
    memory.read { $0.insert(.kits(page), for: key, stamp: stamp) }
    return page
  }

  /// The sections and questions in a kit's trash, the last removed first.
  public func deletedItems(of id: ItemID, for caller: Caller) throws(StoreError) -> [DeletedItem] {
    _ = try kit(id, for: caller)
    return try pool.read { (session) throws(StoreError) in
      try TrashRows.items(of: RowKey(accountID: caller.accountID, id: id), in: session)
    }
  }

  /// A question, or a criterion with its scorecard, as the kit's newest revision that had it said it.
  public func formerItem(
    _ id: ItemID, ofKit kit: ItemID, for caller: Caller
  ) throws(StoreError) -> (question: Question, criterion: Criterion?)? {
    try pool.read { (session) throws(StoreError) in
      try KitRows.formerItem(id, of: RowKey(accountID: caller.accountID, id: kit), in: session)
    }
  }

  private func kitState(_ key: RowKey) throws(StoreError) -> KitState? {
    let (known, evictions) = memory.read { ($0.kits.value(for: key), $0.kits.evictions) }
    if let known { return known }
    let read = try pool.read { (session) throws(StoreError) -> (KitState, Int)? in
      let sequence = try ChangeRows.lastSequence(in: session)
      return try KitRows.state(of: key, in: session).map { ($0, sequence) }
    }
    guard let (read, sequence) = read else { return nil }
    return memory.read { memory in
      // The writer's is at least as new as what was read beside it.
      if let newer = memory.kits.value(for: key) { return newer }
      let isNew = memory.isUnchanged(since: sequence) {
        $0.accountID == key.accountID && $0.change.kitID == key.id && $0.change.evaluationID == nil
      }
      if isNew, memory.kits.evictions == evictions { memory.insert(read, for: key) }
      return read
    }
  }

  /// A kit at a revision, also of a kit in the trash: it never changes.
  func snapshot(_ key: RevisionKey) throws(StoreError) -> KitSnapshot {
    if let known = memory.read({ $0.snapshot(key) }) { return known }
    let read = try pool.read { (session) throws(StoreError) in
      try KitRows.snapshot(of: key.kit, revision: key.revision, in: session)
    }
    guard let read else { throw .notFound }
    memory.read { $0.insert(read, for: key) }
    return read
  }

  // MARK: Writing

  // Each takes the client's name for the write: repeated with it, the write has its effect once and answers the same;
  // it throws `keyReused` when the name was given to another request.

  /// What `createKit` (without a precondition) or `putKit` would answer; nothing is stored.
  public func tryKit(
    _ kit: Kit, precondition: Precondition?, by author: Caller
  ) async throws(StoreError) -> KitWritten {
    try await writer.write(by: author) { (transaction) throws(StoreError) in
      transaction.isTrial = true
      guard let precondition else { return try transaction.createKit(kit) }
      return try transaction.putKit(kit, precondition: precondition)
    }
  }

  /// Creates a kit at revision 1; its revisions and times are set here.
  /// - Throws: `idTaken`, `deletedID`, `invalid`.
  @discardableResult public func createKit(_ kit: Kit, by author: Caller, retry: RetryKey? = nil)
    async throws(StoreError) -> KitWritten
  {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.createKit(kit)
    }
  }

  /// Creates a copy of a kit as it stands; everything in it has a new ID.
  /// - Parameter title: nil: the same.
  /// - Throws: `notFound`, `idTaken`, `deletedID`, `invalid`.
  @discardableResult public func copyKit(
    _ source: ItemID, to id: ItemID, title: ExactText?, ids: ItemIDSource, by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> KitWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      let original = try transaction.liveKit(source).snapshot
      var written = try transaction.createKit(original.kit.copy(id: id, title: title, ids: ids))
      written.source = original
      return written
    }
  }

  /// Creates a kit or replaces it as one revision; what has the same ID stays the same item.
  @discardableResult public func putKit(
    _ kit: Kit, precondition: Precondition, by author: Caller, retry: RetryKey? = nil
  )
    async throws(StoreError) -> KitWritten
  {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.putKit(kit, precondition: precondition)
    }
  }

  /// Edits a kit as one revision, on the state that it has when the edit's turn comes.
  ///
  /// - Parameters:
  ///   - item: the section or question whose revision `precondition` names; nil: the kit's own. An item that is not
  ///     there yet is created, and needs no precondition.
  ///   - edit: the change of the snapshot at this time; nil changes nothing and passes whatever the precondition. It may
  ///     run more than once.
  @discardableResult public func changeKit(
    _ id: ItemID, item: ItemID? = nil, precondition: Precondition, by author: Caller, retry: RetryKey? = nil,
    edit: @escaping @Sendable (KitSnapshot, Timestamp) throws(StoreError) -> KitChange?
  ) async throws(StoreError) -> KitWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.changeKit(id, item: item, precondition: precondition, edit: edit)
    }
  }

  /// Moves a kit to the trash, as a revision of its own.
  @discardableResult public func deleteKit(
    _ id: ItemID, precondition: Precondition, by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> KitWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.deleteKit(id, precondition: precondition)
    }
  }

  /// Brings a kit back from the trash, as a revision of its own; one that is not there is unchanged.
  @discardableResult public func restoreKit(_ id: ItemID, by author: Caller, retry: RetryKey? = nil)
    async throws(StoreError) -> KitWritten
  {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.restoreKit(id)
    }
  }

  /// Brings a section with the questions that went with it, or a question, back to its old place.
  /// - Parameter kind: what the item must be to come back; nil: either.
  /// - Throws: `conflict` with the code `cannotRestore` when the kit has changed so that it no longer fits.
  @discardableResult public func restoreItem(
    _ item: ItemID, _ kind: TrashKind? = nil, inKit id: ItemID, by author: Caller, retry: RetryKey? = nil
  )
    async throws(StoreError) -> KitWritten
  {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.restoreItem(item, kind, in: id)
    }
  }
}
