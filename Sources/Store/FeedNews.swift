// What other servers on the same database have committed, and what memory must forget for it.
import InterviewKits
import SQLDatabase

/// Where the feed of a shared database stands, and how it came there.
struct FeedNews: Sendable {
  /// The changes from where memory stands; nil: they can't be told one by one.
  var changes: [FeedEntry]?
  var sequence: Int
  var forgotten: Int
  /// Nil: as before.
  var lives: FeedLives?
  /// Nil: as before.
  var tokens: LoadedTokens?

  /// Nil when the feed stands where memory stands.
  static func read(after memory: Memory, in session: Session) throws(StoreError) -> FeedNews? {
    let (known, lives, forgotten) = memory.read { ($0.sequence, $0.lives, $0.forgotten) }
    let now = try session.first(
      """
      SELECT sequence, forgotten, (SELECT MAX(number) FROM feed_life) FROM change_counter
      JOIN feed ON feed.id = change_counter.id WHERE change_counter.id = 1
      """
    ) { (row) throws(StoreError) in
      (sequence: try row.integer(0), forgotten: try row.integer(1), life: try row.optionalInteger(2) ?? 0)
    }
    guard let now else { throw .damaged("the change counter is missing") }
    let isOtherLife = now.life != lives.number
    if now.sequence == known, now.forgotten == forgotten, !isOtherLife { return nil }
    let changes = try changes(after: known, through: now.sequence, in: session)
    let concernsTokens = changes?.contains { $0.change.kind.isForAdmins } ?? true
    return FeedNews(
      changes: changes, sequence: now.sequence, forgotten: now.forgotten,
      lives: isOtherLife ? try FeedRows.lives(in: session) : nil,
      tokens: concernsTokens ? try AccessRows.tokens(in: session) : nil)
  }

  private static func changes(
    after known: Int, through last: Int, in session: Session
  ) throws(StoreError) -> [FeedEntry]? {
    guard last >= known, last - known <= StoreLimits.recentChanges else { return nil }
    if last == known { return [] }
    do throws(StoreError) { return try ChangeRows.entries(after: known, through: last, in: session) } catch {
      // A newer program may write changes that this one has no word for.
      if case .database = error, session.connection.isAlive { return nil }
      throw error
    }
  }
}

extension Memory {
  /// Takes over what others have committed. What is known already changes nothing.
  func follow(_ news: FeedNews) {
    defer { signal.advance(to: news.sequence) }
    if let tokens = news.tokens { access.replace(tokens) }
    read { state in
      state.forgotten = max(state.forgotten, news.forgotten)
      if let lives = news.lives { state.lives.follow(lives) }
      guard news.sequence > state.sequence else { return }
      let fresh = (news.changes ?? []).drop { $0.change.sequence <= state.sequence }
      if fresh.count == news.sequence - state.sequence {
        for entry in fresh { state.forget(entry) }
        if fresh.contains(where: { $0.change.evaluationID == nil }) { stampDocuments() }
      } else {
        state.forget()
        stampDocuments()
      }
      state.keep(Array(fresh))
      state.sequence = news.sequence
    }
  }

  /// The database has lost what was committed: an older one was put back, or a standby that had not got it took over.
  func goBack(to news: FeedNews) {
    if let tokens = news.tokens { access.replace(tokens) }
    read { state in
      state.forget()
      stampDocuments()
      state.recent = []
      (state.sequence, state.forgotten) = (news.sequence, news.forgotten)
      if let lives = news.lives { state.lives = lives }
      // What this process writes from now on is not what it wrote under the same numbers before.
      state.lives.leave()
    }
    signal.goBack(to: news.sequence)
  }
}

extension Memory.State {
  mutating func forget() {
    forgets += 1
    kits.removeAll()
    snapshots.removeAll()
    evaluations.removeAll()
    pages.removeAll()
    profiles.removeAll()
  }

  /// Forgets what a change has changed.
  fileprivate mutating func forget(_ entry: FeedEntry) {
    let change = entry.change
    if change.kind == .candidateErased { pages.removeAll() }
    if let id = change.evaluationID {
      evaluations.remove(RowKey(accountID: entry.accountID, id: id))
    } else if let id = change.kitID {
      kits.remove(RowKey(accountID: entry.accountID, id: id))
      if change.kind == .kitPurged { snapshots.removeAll() }
    } else {
      profiles[entry.accountID] = nil
    }
  }

  /// True when nothing after a sequence has changed what `isIt` is about: what was read at that sequence may be kept.
  func isUnchanged(since sequence: Int, _ isIt: (FeedEntry) -> Bool) -> Bool {
    guard let later = changes(after: sequence) else { return false }
    return !later.contains(where: isIt)
  }
}
