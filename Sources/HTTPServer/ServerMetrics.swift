// What the server counts, as plain values that it hands up.
internal import Synchronization

/// Counters since the start, and gauges of now.
public struct ServerMetrics: Sendable, Hashable {
  public var connectionsAccepted = 0
  /// Refused with 503, or dropped for lack of descriptors.
  public var connectionsRefused = 0
  public var connectionsOpen = 0
  /// Answered requests, refusals of the parser included, by status.
  public var requestsByStatus: [Int: Int] = [:]
  public var bytesReceived = 0
  public var bytesSent = 0
  /// Connections ended by a deadline.
  public var timeouts = 0
  /// Log records that were dropped because the log could not keep up.
  public var droppedAccessRecords = 0

  public init() {}

  /// Adds the counters of another loop.
  mutating func add(_ other: ServerMetrics) {
    connectionsAccepted += other.connectionsAccepted
    connectionsRefused += other.connectionsRefused
    connectionsOpen += other.connectionsOpen
    requestsByStatus.merge(other.requestsByStatus, uniquingKeysWith: +)
    bytesReceived += other.bytesReceived
    bytesSent += other.bytesSent
    timeouts += other.timeouts
    droppedAccessRecords += other.droppedAccessRecords
  }
}

/// The counters of one loop: written by its thread, read by any.
final class LoopMetrics: Sendable {
  private struct Counters {
    var metrics = ServerMetrics()
    /// Answers by status code.
    var statuses = [Int](repeating: 0, count: 600)
  }

  private let counters = Mutex(Counters())

  func update(_ body: (inout ServerMetrics) -> Void) { counters.withLock { body(&$0.metrics) } }

  /// Adds what one turn of the loop has moved.
  func add(received: Int, sent: Int, statuses: [Int]) {
    counters.withLock { counters in
      counters.metrics.bytesReceived += received
      counters.metrics.bytesSent += sent
      for status in statuses where counters.statuses.indices.contains(status) { counters.statuses[status] += 1 }
    }
  }

  var current: ServerMetrics {
    counters.withLock { counters in
      var metrics = counters.metrics
      for (status, count) in counters.statuses.enumerated() where count > 0 { metrics.requestsByStatus[status] = count }
      return metrics
    }
  }
}
