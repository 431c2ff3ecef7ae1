// The change feed as its readers see it: cursors, pages, and when to start afresh.
public import InterviewKits
import SQLDatabase

/// A position in the feed: opaque to clients, and true in one life of the feed only.
public struct FeedCursor: Hashable, Sendable, CustomStringConvertible {
  /// Nil: the client names none, so it is taken for this one.
  public var epoch: String?
  public var sequence: Int

  public init(epoch: String?, sequence: Int) { (self.epoch, self.sequence) = (epoch, sequence) }

  /// `epoch-sequence`, or a sequence alone; nil when it is neither.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty, last.allSatisfy({ (0x30...0x39).contains($0) }), parts.count <= 2,
      let sequence = Int(Substring(last)), parts.count == 1 || !parts[0].isEmpty
    else { return nil }
    self.init(epoch: parts.count == 2 ? String(Substring(parts[0])) : nil, sequence: sequence)
  }

  public var description: String { epoch.map { "\($0)-\(sequence)" } ?? String(sequence) }
}

/// Whose changes.
public struct FeedFilter: Hashable, Sendable {
  public var kitID: ItemID?
  public var evaluationID: ItemID?

  public init(kitID: ItemID? = nil, evaluationID: ItemID? = nil) {
    (self.kitID, self.evaluationID) = (kitID, evaluationID)
  }

  public func matches(_ change: Change) -> Bool {
    (kitID == nil || change.kitID == kitID) && (evaluationID == nil || change.evaluationID == evaluationID)
  }
}

/// Changes after a position, in order.
public struct FeedPage: Sendable {
  public var changes: [Change]
  /// Where to go on: after all of `changes`, and after what the filter left out.
  public var cursor: FeedCursor
  /// True when there is more already.
  public var hasMore: Bool
  /// True when the client's cursor is from another life of the feed, or from before what is kept: it reads everything
  /// afresh, and goes on from `cursor`.
  public var isReset: Bool
}

extension Store {
  /// Where the feed stands.
  public var feedCursor: FeedCursor { memory.read { FeedCursor(epoch: $0.lives.epoch, sequence: $0.sequence) } }

  /// The account's changes after a cursor; nil: from the beginning of what is kept.
  ///
  /// A page looks at a bounded stretch of the feed, so that a filter may leave it short, or empty, and yet there is more.
  public func feed(
    after cursor: FeedCursor?, filter: FeedFilter = FeedFilter(), limit: Int = StoreLimits.pageItems,
    in account: ItemID
  ) throws(StoreError) -> FeedPage {
    let limit = try ListRows.checked(limit)
    let (epoch, last, isKnown) = memory.read { memory in
      (memory.lives.epoch, memory.sequence, cursor.map { memory.knows($0) } ?? true)
    }
    if !isKnown {
      return FeedPage(
        changes: [], cursor: FeedCursor(epoch: epoch, sequence: last), hasMore: false, isReset: true)
    }
    let start = cursor?.sequence ?? forgotten
    if start == last {
      return FeedPage(changes: [], cursor: FeedCursor(epoch: epoch, sequence: last), hasMore: false, isReset: false)
    }
    if let page = recentPage(after: start, filter: filter, limit: limit, account: account) { return page }
    let end = min(last, start + StoreLimits.feedStretch)
    let changes = try pool.read { (session) throws(StoreError) in
      try ChangeRows.changes(
        after: start, through: end, filter: filter, limit: limit, accountID: account, in: session)
    }
    let reached = changes.count == limit ? (changes.last?.sequence ?? end) : end
    return FeedPage(
      changes: changes, cursor: FeedCursor(epoch: epoch, sequence: reached), hasMore: reached < last, isReset: false)
  }

  /// The page when all of it is in memory.
  private func recentPage(after start: Int, filter: FeedFilter, limit: Int, account: ItemID) -> FeedPage? {
    let (recent, last, epoch) = memory.read { ($0.changes(after: start), $0.sequence, $0.lives.epoch) }
    guard let recent else { return nil }
    var changes: [Change] = []
    var reached = last
    for entry in recent where entry.accountID == account && filter.matches(entry.change) {
      changes.append(entry.change)
      if changes.count == limit {
        reached = entry.change.sequence
        break
      }
    }
    return FeedPage(
      changes: changes, cursor: FeedCursor(epoch: epoch, sequence: reached), hasMore: reached < last, isReset: false)
  }

  /// Wakes those who follow the feed.
  public var feedSignal: FeedSignal { memory.signal }
}
