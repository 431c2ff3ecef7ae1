// What the store keeps in memory: current kits, kit revisions, evaluations, pages of lists, and the feed's position.
import InterviewKits
import Locks
import Synchronization

/// A row's key: its account and its own ID.
struct RowKey: Hashable, Sendable {
  let accountID: ItemID
  let id: ItemID
}

struct RevisionKey: Hashable, Sendable {
  let kit: RowKey
  let revision: Int
}

/// A kit as it stands now.
struct KitState: Sendable {
  var snapshot: KitSnapshot
  var deletedAt: Timestamp?
  /// About what it takes in memory.
  var bytes: Int

  init(_ snapshot: KitSnapshot, deletedAt: Timestamp? = nil) {
    self.init(snapshot, deletedAt: deletedAt, bytes: Self.bytes(of: snapshot.kit))
  }

  init(_ snapshot: KitSnapshot, deletedAt: Timestamp?, bytes: Int) {
    (self.snapshot, self.deletedAt, self.bytes) = (snapshot, deletedAt, bytes)
  }

  static func bytes(of kit: Kit) -> Int {
    kit.sections.reduce(2_000) { bytes, section in
      section.questions.reduce(bytes + 300 + section.title.string.utf8.count) { $0 + Self.bytes(of: $1) }
    }
  }

  static func bytes(of question: Question) -> Int {
    let own = 500 + question.text.string.utf8.count + (question.help?.string.utf8.count ?? 0)
    return question.options.reduce(own) { $0 + 100 + $1.text.string.utf8.count }
      + question.criteria.reduce(0) { $0 + 100 + $1.text.string.utf8.count }
  }
}

/// An evaluation as it stands now.
struct EvaluationState: Sendable {
  var evaluation: Evaluation
  /// About what it takes in memory.
  var bytes: Int

  init(_ evaluation: Evaluation) {
    self.evaluation = evaluation
    bytes = evaluation.answers.reduce(1_000) { $0 + Self.bytes(of: $1) }
  }

  mutating func set(_ answer: Answer) {
    let old = evaluation.set(answer)
    bytes += Self.bytes(of: answer) - (old.map(Self.bytes(of:)) ?? 0)
  }

  private static func bytes(of answer: Answer) -> Int {
    var bytes = 300 + (answer.content.comment?.string.utf8.count ?? 0)
    if case .text(let text) = answer.content.value { bytes += text.string.utf8.count }
    return bytes
  }
}

/// A change, and whose it is.
struct FeedEntry: Sendable {
  let accountID: ItemID
  let change: Change
}

/// What a group of writes leaves behind once it is committed.
struct StagedState {
  var kits: [RowKey: KitState] = [:]
  var snapshots: [RevisionKey: KitSnapshot] = [:]
  /// Nil: what memory holds of it is no longer true.
  var evaluations: [RowKey: EvaluationState?] = [:]
  /// An account's layout profiles, all of them.
  var profiles: [ItemID: [StoredProfile]] = [:]
  /// Kits that are no more.
  var purged: Set<RowKey> = []
  /// Whether a candidate was erased.
  var erases = false
  /// The last change that is not kept any more, when that is a new one.
  var forgotten: Int?
  /// The lives of the feed, when they are new.
  var lives: FeedLives?
  /// Members and tokens, when the group wrote any.
  var tokens: LoadedTokens?
  /// The whole group's changes, with their sequences.
  var changes: [FeedEntry] = []

  mutating func merge(_ newer: StagedState) {
    kits.merge(newer.kits) { $1 }
    snapshots.merge(newer.snapshots) { $1 }
    evaluations.merge(newer.evaluations) { $1 }
    profiles.merge(newer.profiles) { $1 }
    purged.formUnion(newer.purged)
    erases = erases || newer.erases
    forgotten = newer.forgotten ?? forgotten
    tokens = newer.tokens ?? tokens
  }
}

/// The store's memory. All of it changes at once, after a commit, so what is read under one lock belongs together.
final class Memory: Sendable {
  struct State {
    var kits: LRUCache<RowKey, KitState>
    var snapshots: LRUCache<RevisionKey, KitSnapshot>
    var evaluations: LRUCache<RowKey, EvaluationState>
    var pages: LRUCache<PageKey, CachedPage>
    /// Layout profiles by account.
    var profiles: [ItemID: [StoredProfile]] = [:]
    /// The last committed change.
    var sequence = 0
    /// The last change that is not kept any more.
    var forgotten = 0
    var lives = FeedLives()
    /// The last changes of all accounts, in order and without gaps.
    var recent: [FeedEntry] = []
    /// How often an account's kits have changed, and how often everything was forgotten.
    var kitWrites: [ItemID: Int] = [:]
    var forgets = 0

    /// True when what came after the cursor is here: it is neither from a life that this database did not live, nor from
    /// before what is kept.
    func knows(_ cursor: FeedCursor) -> Bool {
      cursor.sequence >= forgotten && cursor.sequence <= min(sequence, lives.end(of: cursor.epoch) ?? -1)
    }

    /// A kit at a revision, which may be the current one.
    mutating func snapshot(_ key: RevisionKey) -> KitSnapshot? {
      if let state = kits.value(for: key.kit), state.snapshot.kit.revision == key.revision { return state.snapshot }
      return snapshots.value(for: key)
    }

    /// Stands still as long as a list's pages are true. That of kits must not move with evaluations: how long the list
    /// takes would tell of those that are hidden.
    func stamp(of key: PageKey) -> Int {
      switch key.list {
      case .kits: forgets + kitWrites[key.accountID, default: 0]
      case .evaluations: sequence
      }
    }

    /// A page that is still true.
    mutating func page(_ key: PageKey) -> CachedPage.Content? {
      let stamp = stamp(of: key)
      return pages.value(for: key).flatMap { $0.stamp == stamp ? $0.content : nil }
    }

    /// - Parameter stamp: the list's before the page was read.
    mutating func insert(_ content: CachedPage.Content, for key: PageKey, stamp: Int) {
      if stamp == self.stamp(of: key) {
        pages.insert(CachedPage(stamp: stamp, content: content), for: key, cost: 1)
      }
    }

    mutating func keep(_ changes: [FeedEntry]) {
      for entry in changes where entry.change.evaluationID == nil && entry.change.kitID != nil {
        kitWrites[entry.accountID, default: 0] += 1
      }
      // A gap: another process has written in between.
      if let first = changes.first?.change.sequence, first != sequence + 1 { recent = [] }
      recent += changes
      if recent.count > 2 * StoreLimits.recentChanges { recent.removeFirst(recent.count - StoreLimits.recentChanges) }
    }

    /// The changes after a sequence when all of them are in memory.
    func changes(after sequence: Int) -> ArraySlice<FeedEntry>? {
      if sequence >= self.sequence { return [] }
      guard let first = recent.first?.change.sequence, first <= sequence + 1 else { return nil }
      return recent[(sequence + 1 - first)...]
    }

    mutating func insert(_ state: KitState, for key: RowKey) {
      kits.insert(state, for: key, cost: state.bytes)
    }

    mutating func insert(_ snapshot: KitSnapshot, for key: RevisionKey) {
      snapshots.insert(snapshot, for: key, cost: KitState.bytes(of: snapshot.kit))
    }

    mutating func insert(_ state: EvaluationState, for key: RowKey) {
      evaluations.insert(state, for: key, cost: state.bytes)
    }
  }

  private let state: Lock<State>
  private let stamp = Atomic(0)
  /// Rises when kits or layout profiles may have changed: as long as it stands still, all of them are what they were.
  var documentStamp: Int { stamp.load(ordering: .acquiring) }
  func stampDocuments() { stamp.wrappingAdd(1, ordering: .releasing) }
  let access = AccessTable()
  /// Tells of every group once it can be read.
  let signal = FeedSignal()

  init(_ limits: StoreLimits) {
    state = Lock(
      State(
        kits: LRUCache(maximumCost: limits.cachedKitBytes),
        snapshots: LRUCache(maximumCost: limits.cachedRevisionBytes),
        evaluations: LRUCache(maximumCost: limits.cachedAnswerBytes), pages: LRUCache(maximumCost: limits.cachedPages)))
  }

  func read<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

  /// - Parameter forgotten: nil: as before.
  func apply(_ staged: StagedState, sequence: Int, forgotten: Int? = nil) {
    defer { signal.advance(to: sequence) }
    if let tokens = staged.tokens { access.replace(tokens) }
    state.withLock { state in
      state.keep(staged.changes)
      for (key, kit) in staged.kits { state.insert(kit, for: key) }
      for (key, snapshot) in staged.snapshots { state.insert(snapshot, for: key) }
      for (key, evaluation) in staged.evaluations {
        if let evaluation { state.insert(evaluation, for: key) } else { state.evaluations.remove(key) }
      }
      state.profiles.merge(staged.profiles) { $1 }
      state.sequence = sequence
      if let lives = staged.lives { state.lives = lives }
      for key in staged.purged { state.kits.remove(key) }
      if !staged.kits.isEmpty || !staged.purged.isEmpty || !staged.profiles.isEmpty {
        stampDocuments()
      }
      if !staged.purged.isEmpty { state.snapshots.removeAll() }
      if staged.erases { state.pages.removeAll() }
      if let forgotten = staged.forgotten ?? forgotten { state.forgotten = forgotten }
    }
  }

  /// Forgets all but the feed's position: another process has written.
  func forget() {
    state.withLock { state in
      state.forget()
      stampDocuments()
    }
  }

  /// Forgets all, and takes the feed as it is in the database that was opened.
  func restart(from session: Session, now: Timestamp) throws(StoreError) {
    let sequence = try ChangeRows.lastSequence(in: session)
    let (lives, forgotten) = try FeedRows.open(session, at: sequence, now: now)
    access.replace(try AccessRows.tokens(in: session))
    defer { signal.goBack(to: sequence) }
    state.withLock { state in
      state.forget()
      state.recent = []
      (state.lives, state.sequence, state.forgotten) = (lives, sequence, forgotten)
      stampDocuments()
    }
  }

  /// How often what was asked for was here.
  var figures: [CacheFigures] {
    state.withLock { state in
      [
        CacheFigures(name: "kits", hits: state.kits.hits, misses: state.kits.misses),
        CacheFigures(name: "kitRevisions", hits: state.snapshots.hits, misses: state.snapshots.misses),
        CacheFigures(name: "evaluations", hits: state.evaluations.hits, misses: state.evaluations.misses),
        CacheFigures(name: "pages", hits: state.pages.hits, misses: state.pages.misses),
      ]
    }
  }
}

/// A list that was asked for.
struct PageKey: Hashable, Sendable {
  enum List: Hashable, Sendable { case kits, evaluations }

  let accountID: ItemID
  let list: List
  let query: String
}

/// A page of a list, true as long as the list's stamp stands where it stood.
struct CachedPage: Sendable {
  enum Content: Sendable {
    case kits(Page<KitSummary>)
    case evaluations(Page<EvaluationSummary>)
  }

  let stamp: Int
  let content: Content
}
