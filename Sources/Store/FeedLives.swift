// The lives of the feed: which of its numbers belong to the history that this database has lived.
import InterviewKits
import SQLDatabase

/// A life begins with the first change that a process writes, and ends where the next one begins. So a cursor from a
/// history that an older copy of the database, put back, never had is told from one that it had: no matter who copied
/// the file, and how far the feed has come again since.
struct FeedLives: Sendable {
  /// The newest life's.
  fileprivate(set) var epoch = ""
  fileprivate(set) var number = 0
  /// True when this process has begun the newest life.
  fileprivate(set) var isOwn = false
  /// The last change of each life before the newest.
  fileprivate var ends: [String: Int] = [:]

  /// The last change that a cursor of this epoch may name, as far as the feed reaches; nil when it is unknown.
  /// - Parameter epoch: nil: the client names none, so it is taken for the newest.
  func end(of epoch: String?) -> Int? {
    guard let epoch, epoch != self.epoch else { return .max }
    return ends[epoch]
  }

  /// Another process on the same database has begun a life, which this one goes on with.
  mutating func follow(_ lives: FeedLives) {
    (epoch, number, ends) = (lives.epoch, lives.number, lives.ends)
  }

  /// The history that this process has lived is not the database's any more: its next change begins a life.
  mutating func leave() { isOwn = false }
}

enum FeedRows {
  /// The lives so far, a first one where there is none, and the last change that is not kept any more.
  static func open(
    _ session: Session, at sequence: Int, now: Timestamp
  ) throws(StoreError) -> (lives: FeedLives, forgotten: Int) {
    try session.begin(.writing)
    defer { session.connection.rollback() }
    let forgotten = try session.first("SELECT forgotten FROM feed WHERE id = 1") { (row) throws(StoreError) in
      try row.integer(0)
    }
    guard let forgotten else { throw .damaged("the feed has no state") }
    var lives = try lives(in: session)
    if lives.epoch.isEmpty { lives = try beginLife(after: lives, first: sequence + 1, now: now, in: session) }
    try session.commit()
    return (lives, forgotten)
  }

  /// The lives so far.
  static func lives(in session: Session) throws(StoreError) -> FeedLives {
    var lives = FeedLives()
    try session.each("SELECT epoch, first, number FROM feed_life ORDER BY number", []) { (row) throws(StoreError) in
      if !lives.epoch.isEmpty { lives.ends[lives.epoch] = try row.integer(1) - 1 }
      (lives.epoch, lives.number) = (try row.text(0), try row.integer(2))
      return true
    }
    return lives
  }

  /// Begins this process's own life, which goes on from those before.
  static func beginLife(
    after lives: FeedLives, first: Int, now: Timestamp, in session: Session
  ) throws(StoreError) -> FeedLives {
    var random = SystemRandomNumberGenerator()
    let epoch =
      String(UInt64(truncatingIfNeeded: now.milliseconds), radix: 36)
      + String(UInt32.random(in: 0 ... .max, using: &random), radix: 36)
    let number = lives.number + 1
    try session.execute(
      "INSERT INTO feed_life (number, epoch, first) VALUES ($1, $2, $3)",
      [.integer(number), .text(epoch), .integer(first)])
    try session.execute(
      "DELETE FROM feed_life WHERE number <= (SELECT MAX(number) FROM feed_life) - $1",
      [.integer(StoreLimits.feedLives)])
    var next = lives
    if !lives.epoch.isEmpty { next.ends[lives.epoch] = first - 1 }
    (next.epoch, next.number, next.isOwn) = (epoch, number, true)
    return next
  }
}
