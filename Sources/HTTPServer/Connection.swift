// One connection: its socket and all of its state. It lives and dies on one event loop.
internal import HTTP
internal import Sockets

/// A request whose answer is not there yet.
struct Exchange {
  var head: RequestHead
  var requestID: RequestID
  /// Monotonic nanoseconds at the end of the head.
  var startedAt: Int
}

/// The parser of a request that has begun. A connection between requests has none.
final class Reading {
  var parser: RequestParser
  init(_ limits: HTTPLimits) { parser = RequestParser(limits: limits) }
}

/// Gives each connection of a loop a token: the descriptor below, a generation above, so that a late message never meets a
/// newer connection. Generations begin anew after four billion.
struct ConnectionTokens {
  /// What is less belongs to the mailbox and the listeners.
  static let first: UInt64 = 1 << 32
  private var generation: UInt32

  init(after generation: UInt32 = 0) { self.generation = generation }

  mutating func next(for number: Int32) -> UInt64 {
    generation = max(1, generation &+ 1)
    return UInt64(generation) << 32 | UInt64(UInt32(bitPattern: number))
  }
}

final class Connection {
  enum Phase {
    /// Requests are read and answered.
    case open
    /// The handler is at work; nothing is read meanwhile, so answers stay in order.
    case awaitingAnswer
    /// A body is sent as its producer gives it; nothing is read meanwhile.
    case streaming
    /// All is said and our writing side is shut; what still comes is thrown away.
    case lingering
  }

  /// How the connection ends once its output is sent.
  enum Ending {
    /// The client asked for it.
    case agreed
    /// We decided it: the client may still be sending.
    case decided
  }

  /// What a deadline is for.
  enum Waiting: Equatable {
    case firstRequest, nextRequest, head, body, answer, writing, lingering
  }

  /// How much the system held for the peer, and when.
  struct Look {
    /// Monotonic milliseconds.
    var at = 0
    var unacknowledgedBytes = 0
    /// Bytes had just entered the socket: what is acknowledged soon after may only have filled the peer's receive buffer.
    var isFresh = false
  }

  /// Whether a ring receives for the connection.
  enum Receiving { case off, on, stopping }

  let socket: StreamSocket
  /// Of `ConnectionTokens`.
  let token: UInt64
  let peer: String?
  /// Where the census counts it; `isRefused` connections are counted elsewhere.
  let censusKey: String?
  let isRefused: Bool
  /// Whether the peer may speak for others: its requests are never answered by their bytes alone.
  let isTrustedProxy: Bool

  var reading: Reading?
  /// Input that waits until the answer before it is there.
  var backlog: [UInt8] = []
  var phase = Phase.open
  var ending: Ending?
  var exchange: Exchange?
  var task: Task<Void, Never>?
  var stream: StreamedBody?
  var unsent = OutputQueue()
  /// Taken when bytes have entered the socket and others have to wait, soon after that, and whenever it is judged.
  var look = Look()
  /// Bytes may be there to be received.
  var isReadable = false
  /// The peer has announced its end: a short read does not mean that there is nothing more.
  var peerShutWriting = false
  /// The end of the input has been read.
  var sawEnd = false
  var pollsForWriting = false
  var isClosed = false
  var receiving = Receiving.off
  /// When the ring's receiving has ended, the socket is read and the deadline judged.
  var readsOut = false
  /// Its output is sent at the end of this turn; until then it takes no input.
  var isStaged = false
  var waiting = Waiting.firstRequest
  /// The request in whose time `waiting` began.
  var waitingRequest: Int32 = 0
  var requestCount: Int32 = 0
  var lingeredBytes = 0
  /// The loop drains, and what comes from now on is not answered any more.
  var hasAllThatArrived = false
  /// It ends for the shutdown alone: all that has come was answered.
  var endsForShutdown = false
  /// What the census counts of this connection's body.
  var heldBodyBytes = 0
  /// Monotonic milliseconds at which `waiting` began or last made progress.
  var waitingSince: Int
  /// Monotonic milliseconds; `Int.max` for none.
  var deadline = Int.max
  /// The tick of the wheel that will find the connection; `Int.max` for none.
  var scheduledTick = Int.max

  init(
    _ socket: consuming StreamSocket, token: UInt64, peer: String?, censusKey: String?, isRefused: Bool,
    isTrustedProxy: Bool, now: Int
  ) {
    self.socket = socket
    self.token = token
    self.peer = peer
    self.censusKey = censusKey
    self.isRefused = isRefused
    self.isTrustedProxy = isTrustedProxy
    waitingSince = now
  }

  /// Whether requests are read at this moment, output permitting.
  var takesInput: Bool { phase == .open && ending == nil && !isClosed && !isStaged }

  /// Whether nothing of a next request has arrived but, at most, empty lines.
  var isBetweenRequests: Bool { reading?.parser.isBetweenRequests ?? true }
  var isReadingBody: Bool { reading?.parser.isReadingBody ?? false }

  /// Whether a ring receives for it, and it waits for its next request and nothing else.
  var isAtRest: Bool {
    takesInput && receiving == .on && reading == nil && backlog.isEmpty && unsent.isEmpty && !isReadable
      && !peerShutWriting && !readsOut
  }

  /// What the connection waits for now.
  var currentWaiting: Waiting {
    if phase == .lingering { return .lingering }
    if !unsent.isEmpty { return .writing }
    if phase == .awaitingAnswer || phase == .streaming { return .answer }
    if isReadingBody { return .body }
    if !isBetweenRequests { return .head }
    return requestCount == 0 ? .firstRequest : .nextRequest
  }

  /// When the present waiting has lasted too long.
  func deadline(_ limits: ServerLimits) -> Int {
    switch waiting {
    case .firstRequest, .nextRequest: waitingSince + limits.idleMilliseconds
    case .head: waitingSince + limits.headMilliseconds
    case .body:
      waitingSince
        + max(limits.bodyMilliseconds, (reading?.parser.bodyBytesRead ?? 0) / max(1, limits.bodyBytesPerSecond) * 1_000)
    case .answer: Int.max
    case .writing where look.isFresh:
      look.at + min(limits.readerTrialMilliseconds, limits.stalledWriteMilliseconds / 2)
    case .writing: waitingSince + limits.stalledWriteMilliseconds
    case .lingering: waitingSince + limits.lingerMilliseconds
    }
  }
}
