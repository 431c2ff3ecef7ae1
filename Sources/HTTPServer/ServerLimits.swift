// Every limit and timeout of the server, named, with its unit, and on by default.
public import HTTP
internal import Sockets

/// What the server puts up with. `http` holds the limits of the parser.
public struct ServerLimits: Sendable, Hashable {
  /// The limits of heads and of chunk framing.
  public var http = HTTPLimits.standard
  /// From the first byte of a head to its end, not extended by further bytes; beyond it 408.
  public var headMilliseconds = 10_000
  /// For a whole body, unless it keeps up `bodyBytesPerSecond`; beyond it 408.
  public var bodyMilliseconds = 15_000
  /// A body at least this fast may take longer, and so may a reader of an answer.
  public var bodyBytesPerSecond = 500
  /// Between requests; before the first one beyond it 408, later a plain close.
  public var idleMilliseconds = 20_000
  /// At shutdown, for the first request of who has just connected, from the connection on; who has been silent for longer
  /// is not waited for.
  public var firstRequestAtShutdownMilliseconds = 2_000
  /// A send that makes no progress for so long ends the connection: none of it enters the socket, and of what is there the
  /// peer takes less than `bodyBytesPerSecond`.
  public var stalledWriteMilliseconds = 20_000
  /// Unsent output of one connection; beyond it nothing more is read from it.
  public var unsentBytes = 256 * 1_024
  /// What a ring receives of a connection before it can be read; beyond it the ring stops receiving.
  public var receivedAheadBytes = 64 * 1_024
  /// What the producer of a streamed body may be ahead of the peer.
  public var streamedBytes = 64 * 1_024
  /// After the last answer: how long the peer may read it, and how much of what it still sends is read and thrown away
  /// meanwhile. Beyond it the peer's sending is held up.
  public var lingerMilliseconds = 2_000
  public var lingerBytes = 16 * 1_024 * 1_024
  /// How long at shutdown, as long as nothing comes after the last answer.
  public var lingerAtShutdownMilliseconds = 200
  /// Bodies in memory, of all connections together: those being read and those whose handler is at work. Beyond it 503.
  public var heldBodyBytes = 128 * 1_024 * 1_024
  /// Answers in memory that peers have not taken, of all connections together. Beyond it the loop where one more has to wait
  /// resets its slowest readers, or, where none was looked at for long enough, the one more.
  public var heldOutputBytes = 256 * 1_024 * 1_024
  /// How long after a send a reader's speed begins to be measured, and for how long it is measured at least for that.
  public var readerTrialMilliseconds = 1_000
  /// A body that an answer left unread is read and thrown away up to this length, so that the connection lives on.
  public var discardedBodyBytes = 64 * 1_024
  /// Connections at once; beyond it 503. By default the soft descriptor limit less 64.
  public var connections = max(leastConnections, Descriptor.softLimit - ownDescriptors)
  /// Connections at once from one address (for IPv6 one /64); loopback and trusted proxies are exempt.
  public var connectionsPerAddress = 256
  /// Refused connections that linger at once, so that the peer can read the 503; others are closed at once.
  public var lingeringRefusals = 16
  /// The queue of the listening socket.
  public var backlog: Int32 = 1_024
  /// Seconds that `Retry-After` names in a 503.
  public var retryAfterSeconds = 2
  /// How long no connection is accepted after descriptors have run out.
  public var acceptBackOffMilliseconds = 100
  /// Connections accepted in one go, before others are served.
  public var acceptsPerTurn = 8
  /// Requests of one connection; the last one's answer announces the close.
  public var requestsPerConnection = 10_000
  /// Log records of one loop that wait for the log's thread; beyond it they are dropped and counted.
  public var pendingAccessRecords = 10_000

  /// What is left to the program itself when the limit of connections follows from that of descriptors.
  private static let ownDescriptors = 64
  private static let leastConnections = 16
  /// The soft descriptor limit that a server needs at least.
  public static let descriptors = ownDescriptors + leastConnections

  public init() {}

  public static let standard = ServerLimits()
}
