// What the server counts, as plain values that it hands up.
internal import Locks

/// Counters since the start, and gauges of now.
public struct ServerMetrics: Sendable, Hashable {
  /// What answers are counted by.
  public struct Key: Sendable, Hashable {
    /// The handler's number of the route; 0 for refusals before any route.
    public var route: Int
    public var status: Int
  }

  public var connectionsAccepted = 0
  /// Refused with 503, or dropped for lack of descriptors.
  public var connectionsRefused = 0
  public var connectionsOpen = 0
  /// Requests whose handler is at work.
  public var requestsInFlight = 0
  /// Answered requests, refusals of the parser included.
  public var requests: [Key: Int] = [:]
  /// How long answers took, by route: from the end of the head to the finished answer.
  public var latencies: [Int: LatencyHistogram] = [:]
  public var bytesReceived = 0
  public var bytesSent = 0
  /// Connections ended by a deadline.
  public var timeouts = 0
  /// What waits in memory until peers take it, bytes.
  public var heldOutputBytes = 0
  /// Connections ended because too much waited in memory.
  public var connectionsShed = 0
  /// Log records that wait for the log's thread.
  public var pendingAccessRecords = 0
  /// Log records that were dropped because the log could not keep up.
  public var droppedAccessRecords = 0

  public init() {}

  /// Answered requests by status alone.
  public var requestsByStatus: [Int: Int] {
    requests.reduce(into: [:]) { $0[$1.key.status, default: 0] += $1.value }
  }

  /// Adds the counters of another loop.
  mutating func add(_ other: ServerMetrics) {
    connectionsAccepted += other.connectionsAccepted
    connectionsRefused += other.connectionsRefused
    connectionsOpen += other.connectionsOpen
    requestsInFlight += other.requestsInFlight
    requests.merge(other.requests, uniquingKeysWith: +)
    for (route, histogram) in other.latencies { latencies[route, default: LatencyHistogram()].add(histogram) }
    bytesReceived += other.bytesReceived
    bytesSent += other.bytesSent
    timeouts += other.timeouts
    connectionsShed += other.connectionsShed
    droppedAccessRecords += other.droppedAccessRecords
  }
}

/// How many answers took how long.
public struct LatencyHistogram: Sendable, Hashable {
  /// The upper bounds of the buckets; a last one takes all that took longer.
  public static let boundsMicroseconds = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
  ]

  /// How many fell into each bucket alone, the last one's included.
  public private(set) var counts = [Int](repeating: 0, count: boundsMicroseconds.count + 1)
  public private(set) var sumMicroseconds = 0

  mutating func note(_ microseconds: Int, count: Int = 1) {
    var bucket = 0
    while bucket < Self.boundsMicroseconds.count, microseconds > Self.boundsMicroseconds[bucket] { bucket += 1 }
    counts[bucket] += count
    sumMicroseconds += microseconds * count
  }

  mutating func add(_ other: LatencyHistogram) {
    for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
    sumMicroseconds += other.sumMicroseconds
  }
}

/// Answers on their way to the counters.
struct CountedAnswer {
  var route: Int
  var status: Int
  /// How many alike ones it stands for.
  var count = 1
  /// Nil where no head was read.
  var microseconds: Int?
}

/// The counters of one loop: written by its thread, read by any.
final class LoopMetrics: Sendable {
  /// What is counted by route, in places instead of dictionaries: it is written for every answer.
  private struct Route {
    var statuses: [(status: Int, count: Int)] = []
    var latency = LatencyHistogram()
    var hasLatency = false

    mutating func note(_ answer: CountedAnswer) {
      if let place = statuses.firstIndex(where: { $0.status == answer.status }) {
        statuses[place].count += answer.count
      } else {
        statuses.append((answer.status, answer.count))
      }
      guard let microseconds = answer.microseconds else { return }
      latency.note(microseconds, count: answer.count)
      hasLatency = true
    }
  }

  private struct State {
    var totals = ServerMetrics()
    var routes: [Route] = []
  }

  private let state = Lock(State())

  func update(_ body: (inout ServerMetrics) -> Void) { state.withLock { body(&$0.totals) } }

  /// Adds what one turn of the loop has moved.
  func add(received: Int, sent: Int, answered: [CountedAnswer], inFlight: Int) {
    state.withLock { state in
      state.totals.bytesReceived += received
      state.totals.bytesSent += sent
      state.totals.requestsInFlight = inFlight
      for answer in answered {
        while state.routes.count <= answer.route { state.routes.append(Route()) }
        state.routes[answer.route].note(answer)
      }
    }
  }

  var current: ServerMetrics {
    state.withLock { state in
      var metrics = state.totals
      for (number, route) in state.routes.enumerated() {
        for (status, count) in route.statuses {
          metrics.requests[ServerMetrics.Key(route: number, status: status)] = count
        }
        if route.hasLatency { metrics.latencies[number] = route.latency }
      }
      return metrics
    }
  }
}
