// What a loop knows of the time: read once a turn.
internal import HTTP
internal import Sockets

struct LoopTime {
  /// Monotonic nanoseconds and milliseconds.
  private(set) var nanoseconds = 0
  private(set) var milliseconds = 0
  /// Since 1970.
  private(set) var wallMilliseconds = 0
  private(set) var second = -1
  /// The date of the second, as `Date` carries it.
  private(set) var date: [UInt8] = []
  /// How often it has been read.
  private(set) var turn = 0

  init() { read() }

  mutating func read() {
    turn += 1
    nanoseconds = SystemClock.monotonicNanoseconds
    milliseconds = nanoseconds / 1_000_000
    wallMilliseconds = max(0, SystemClock.wallNanoseconds / 1_000_000)
    guard wallMilliseconds / 1_000 != second else { return }
    second = wallMilliseconds / 1_000
    date = HTTPDate.bytes(secondsSinceEpoch: second)
  }
}
