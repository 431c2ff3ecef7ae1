// What one group of writes does to the database and to memory, before it is committed.
import InterviewKits
import SQLDatabase

/// The state of things as the group sees it: its own writes first, then memory, then the database. Used by the writer's
/// thread alone.
final class WriteTransaction {
  let session: Session
  private let memory: Memory
  private let clock: @Sendable () -> Timestamp
  /// Of the operation that runs.
  var author = Store.service
  /// True when the running operation only tells what it would do: it is taken back and answered.
  var isTrial = false
  /// The kept operations' outcome.
  private(set) var staged = StagedState()
  /// The running operation's outcome.
  private var current = StagedState()
  private var changes: [(author: Caller, change: Change)] = []
  private var keptChanges = 0
  /// Whether the running operation, and any kept one, has stored its outcome for its retries.
  private var hasRecord = false
  private var hasKeptRecord = false

  init(_ session: Session, memory: Memory, clock: @escaping @Sendable () -> Timestamp) {
    (self.session, self.memory, self.clock) = (session, memory, clock)
  }

  var now: Timestamp { clock() }

  /// Every write appends a change or stores its outcome, so this tells whether there is anything to commit.
  var hasWritten: Bool { keptChanges > 0 || hasKeptRecord }

  func noteRecord() { hasRecord = true }

  /// Where the feed stands before the group.
  var committedSequence: Int { memory.read { $0.sequence } }

  /// The operation is part of the group.
  func keep() {
    staged.merge(current)
    current = StagedState()
    keptChanges = changes.count
    (hasKeptRecord, hasRecord) = (hasKeptRecord || hasRecord, false)
  }

  /// The operation left nothing behind.
  func discard() {
    isTrial = false
    current = StagedState()
    changes.removeSubrange(keptChanges...)
    hasRecord = false
  }

  func key(_ id: ItemID) -> RowKey { RowKey(accountID: author.accountID, id: id) }

  // MARK: Kits

  /// The kit, also one in the trash; nil when there is none.
  func kitState(_ id: ItemID) throws(StoreError) -> KitState? {
    let key = key(id)
    if current.purged.contains(key) || staged.purged.contains(key) { return nil }
    if let state = current.kits[key] ?? staged.kits[key] { return state }
    if let state = memory.read({ $0.kits.value(for: key) }) { return state }
    guard let state = try KitRows.state(of: key, in: session) else { return nil }
    current.kits[key] = state
    return state
  }

  /// - Throws: `notFound` when it is in the trash, too.
  func liveKit(_ id: ItemID) throws(StoreError) -> KitState {
    guard let state = try kitState(id) else { throw try isPurged(id) ? .gone : .notFound }
    guard state.deletedAt == nil else { throw .notFound }
    return state
  }

  /// True when the kit was removed for good.
  func isPurged(_ id: ItemID) throws(StoreError) -> Bool { try PurgeRows.contains(key(id), in: session) }

  func stagePurge(of kit: RowKey) {
    current.purged.insert(kit)
    current.kits[kit] = nil
  }

  /// Whatever in memory may show the candidate goes.
  func stageErasure() { current.erases = true }

  func stage(_ tokens: LoadedTokens) { current.tokens = tokens }

  /// Whether any token was ever made, this group's counted.
  var hasTokens: Bool { (current.tokens ?? staged.tokens)?.hasTokens ?? memory.access.hasTokens }

  func stageForgotten(_ sequence: Int) { current.forgotten = sequence }

  /// A kit at a revision, whether or not it is in the trash.
  func snapshot(_ id: ItemID, revision: Int) throws(StoreError) -> KitSnapshot {
    let kit = key(id)
    let key = RevisionKey(kit: kit, revision: revision)
    if let state = current.kits[kit] ?? staged.kits[kit], state.snapshot.kit.revision == revision {
      return state.snapshot
    }
    if let snapshot = current.snapshots[key] ?? staged.snapshots[key] { return snapshot }
    if let snapshot = memory.read({ $0.snapshot(key) }) { return snapshot }
    guard let snapshot = try KitRows.snapshot(of: kit, revision: revision, in: session) else { throw .notFound }
    current.snapshots[key] = snapshot
    return snapshot
  }

  func stage(_ state: KitState) { current.kits[key(state.snapshot.kit.id)] = state }

  func stage(_ snapshot: KitSnapshot) {
    current.snapshots[RevisionKey(kit: key(snapshot.kit.id), revision: snapshot.kit.revision)] = snapshot
  }

  // MARK: Evaluations

  /// Nil when there is none.
  func evaluationState(_ id: ItemID) throws(StoreError) -> EvaluationState? {
    let key = key(id)
    // A staged nil says that memory is outdated.
    if let known = current.evaluations[key] ?? staged.evaluations[key] {
      if let known { return known }
    } else if let state = memory.read({ $0.evaluations.value(for: key) }) {
      return state
    }
    guard
      let evaluation = try EvaluationRows.evaluation(
        id, within: .everything(of: author.accountID), in: session)
    else { return nil }
    let state = EvaluationState(evaluation)
    current.evaluations[key] = .some(state)
    return state
  }

  func stage(_ state: EvaluationState) { current.evaluations[key(state.evaluation.summary.id)] = .some(state) }

  func forgetEvaluation(_ id: ItemID) { current.evaluations[key(id)] = .some(nil) }

  // MARK: Profiles

  /// The account's layout profiles that were sent, by name and version.
  func profiles() throws(StoreError) -> [StoredProfile] {
    let account = author.accountID
    if let known = current.profiles[account] ?? staged.profiles[account] { return known }
    if let known = memory.read({ $0.profiles[account] }) { return known }
    let read = try ProfileRows.all(of: account, in: session)
    current.profiles[account] = read
    return read
  }

  func stage(profiles: [StoredProfile]) { current.profiles[author.accountID] = profiles }

  // MARK: Changes

  /// - Parameter told: what others are told in place of the revision; nil: the revision.
  func append(
    _ kind: ChangeKind, kit: ItemID?, evaluation: ItemID? = nil, item: ItemID? = nil, revision: Int,
    deleted: Bool = false, at: Timestamp, candidate: ItemID? = nil, recipient: ItemID? = nil, isPrivate: Bool = false,
    told: Int? = nil
  ) {
    let change = Change(
      kind: kind, kitID: kit, evaluationID: evaluation, itemID: item, revision: revision, deleted: deleted, at: at,
      by: author.memberID, recipientID: recipient, candidateID: candidate, isPrivate: isPrivate,
      toldRevision: told)
    changes.append((author, change))
  }

  /// Writes the group's changes: the counter last of all rows that are shared, so that its lock is held shortly and
  /// sequences rise in commit order.
  /// - Returns: the feed's position after the group.
  func appendChanges() throws(StoreError) -> Int {
    guard !changes.isEmpty else { return memory.read { $0.sequence } }
    let last = try session.first(
      "UPDATE change_counter SET sequence = sequence + $1 WHERE id = 1 RETURNING sequence", [.integer(changes.count)]
    ) { (row) throws(StoreError) in try row.integer(0) }
    guard let last else { throw .damaged("the change counter is missing") }
    let lives = memory.read { $0.lives }
    if !lives.isOwn {
      staged.lives = try FeedRows.beginLife(after: lives, first: last - changes.count + 1, now: now, in: session)
    }
    for (offset, entry) in changes.enumerated() {
      var change = entry.change
      change.sequence = last - changes.count + offset + 1
      try ChangeRows.insert(change, sequence: change.sequence, by: entry.author, in: session)
      staged.changes.append(FeedEntry(accountID: entry.author.accountID, change: change))
    }
    try mapped { () throws(SQLError) in try session.connection.announce() }
    return last
  }
}
