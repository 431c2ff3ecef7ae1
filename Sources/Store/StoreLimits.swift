// Every limit and time of the store.

public struct StoreLimits: Sendable {
  /// Items of a page unless asked otherwise, and at most.
  public static let pageItems = 50
  public static let largestPageItems = 200

  /// How long the outcome of a named write is given again.
  public static let retryMilliseconds = 24 * 3_600_000

  /// How long a replaced value that is a step of typing stays in the history; one whose write was named, as long as its
  /// outcome is given again.
  public static let thinningMilliseconds = 3_600_000

  /// Values of one answer that lost a conflict and are kept, the newest: refused writes fill no disk.
  public static let lostValues = 50

  /// How often a token's last use is written.
  public static let tokenUseMilliseconds = 3_600_000
  /// How long it is kept who did what.
  public static let auditMilliseconds = 400 * 24 * 3_600_000

  /// How long what was deleted can be restored.
  public static let trashMilliseconds = 30 * 24 * 3_600_000
  /// How long changes are kept for those who follow the feed.
  public static let feedMilliseconds = 30 * 24 * 3_600_000
  /// How many lives of the feed are known: a cursor from before them starts afresh.
  public static let feedLives = 1_000
  /// The last changes that are kept in memory, for those who follow the feed.
  public static let recentChanges = 4_096
  /// Changes that one page of the feed looks at.
  public static let feedStretch = 5_000

  /// Versions of layout profiles that an account may send, and their bytes together.
  public static let profileVersions = 1_000
  public static let profileBytes = 16 << 20

  /// How long a write waits for another process's lock, the wait of those before it counted.
  public var busyTimeoutMilliseconds = 5_000
  /// How long to wait between two attempts to open a database anew whose disk has failed.
  public var reopenMilliseconds = 1_000
  /// How often what seems to be damage is looked at anew before it is believed.
  public var damageDoubts = 3
  /// The first write into a database that is not larger waits until its pages were checked; a larger one is checked beside.
  public var startCheckBytes = 16 << 20
  /// How long the look at the pages waits for the first write, so that it does not share the machine with the first answers.
  public var startCheckDelayMilliseconds = 300
  /// Operations committed in one transaction.
  public var groupOperations = 1_024
  /// Operations that may wait; beyond it a write is refused as busy.
  public var waitingOperations = 20_000
  /// Bytes of current kits kept in memory, by estimate: room for the largest kit that the API accepts.
  public var cachedKitBytes = 64 << 20
  /// Bytes of older kit revisions kept in memory, by estimate.
  public var cachedRevisionBytes = 32 << 20
  /// Bytes of answers kept in memory, by estimate.
  public var cachedAnswerBytes = 32 << 20
  /// Pages of lists kept in memory.
  public var cachedPages = 200
  /// Read connections kept open.
  public var readConnections = 4
  /// Read connections lent at a time.
  public var lentReadConnections = 8
  /// How long a reader waits for one before it is refused as busy.
  public var readWaitMilliseconds = 2_000

  // Of a database that several servers share.

  /// How often a group of writes is run when other transactions or a lost connection were in its way.
  public var groupAttempts = 3
  /// How often the database is looked at when nothing is heard of it.
  public var lookMilliseconds = 2_000
  /// How long after a failure it is connected to again.
  public var reconnectMilliseconds = 200
  /// Threads for reads that wait for it.
  public var workerThreads = 16

  public init() {}
}
