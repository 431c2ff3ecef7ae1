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

  init(changes: [Change], cursor: FeedCursor, hasMore: Bool, isReset: Bool) {
    (self.changes, self.cursor, self.hasMore, self.isReset) = (changes, cursor, hasMore, isReset)
  }

  /// - Parameters:
  ///   - found: one more than `limit` when there are more: what is hidden must not show as a page that goes on.
  ///   - end: how far was looked.
  fileprivate init(_ found: [Change], limit: Int, end: Int, last: Int, epoch: String) {
    let changes = Array(found.prefix(limit))
    let isCut = found.count > limit
    let reached = isCut ? changes.last?.sequence ?? end : end
    self.init(
      changes: changes, cursor: FeedCursor(epoch: epoch, sequence: reached), hasMore: isCut || reached < last,
      isReset: false)
  }
}

extension Store {
  /// Where the feed stands.
  public var feedCursor: FeedCursor { memory.read { FeedCursor(epoch: $0.lives.epoch, sequence: $0.sequence) } }

  /// The account's changes after a cursor; nil: from the beginning of what is kept.
  ///
  /// A page looks at a bounded stretch of the feed, so that a filter may leave it short, or empty, and yet there is more.
  public func feed(
    after cursor: FeedCursor?, filter: FeedFilter = FeedFilter(), limit: Int = StoreLimits.pageItems,
    for caller: Caller
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
    let reach = Reach(caller)
    if let page = recentPage(after: start, filter: filter, limit: limit, within: reach) { return page }
    let end = min(last, start + StoreLimits.feedStretch)
    let found = try pool.read { (session) throws(StoreError) in
      try ChangeRows.changes(
        after: start, through: end, filter: filter, limit: limit + 1, within: reach, in: session)
    }
    return FeedPage(found, limit: limit, end: end, last: last, epoch: epoch)
  }

  /// The page when all of it, and all that it takes to know whom to tell, is in memory.
  private func recentPage(after start: Int, filter: FeedFilter, limit: Int, within reach: Reach) -> FeedPage? {
    memory.read { memory in
      guard let recent = memory.changes(after: start) else { return nil }
      var found: [Change] = []
      for entry in recent where entry.accountID == reach.accountID && filter.matches(entry.change) {
        let summary = { (id: ItemID) in
          memory.evaluations.value(for: RowKey(accountID: reach.accountID, id: id))?.evaluation.summary
        }
        guard let follows = reach.follows(entry.change, summary: summary) else { return nil }
        if follows { found.append(reach.told(entry.change, summary: summary)) }
        if found.count > limit { break }
      }
      return FeedPage(found, limit: limit, end: memory.sequence, last: memory.sequence, epoch: memory.lives.epoch)
    }
  }

  /// Wakes those who follow the feed.
  public var feedSignal: FeedSignal { memory.signal }
}
