// How many connections send at present: so many events a loop may expect together.

struct ActiveConnections {
  /// How long is a span, of which the connections are counted that sent.
  static let spanMilliseconds = 8

  private var span: Int32 = 0
  private var count = 0
  private var before = 0

  /// Half of those that sent in the last whole span: the other half may take its time.
  var expectedEvents: Int { max(1, before / 2) }

  /// Begins a new span when it is time.
  mutating func advance(to milliseconds: Int) {
    let next = Int32(truncatingIfNeeded: milliseconds / Self.spanMilliseconds)
    guard next != span else { return }
    before = next == span &+ 1 ? count : 0
    (span, count) = (next, 0)
  }

  /// Counts a connection once a span.
  mutating func note(_ connection: Connection) {
    guard connection.activeSpan != span else { return }
    connection.activeSpan = span
    count += 1
  }
}
