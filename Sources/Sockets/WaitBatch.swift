// How many events one wait is for: under load a thread wakes for several together, and not for each.

/// Learns whether events come close together. Who serves one client at a time never waits for a second event.
struct WaitBatch {
  /// The most events that one wait is for.
  static let mostEvents = 16
  /// How long a wait is for several events; then one is enough.
  static let microseconds: UInt32 = 50
  /// A wait for several is worth its time when at least so many come.
  static let worthwhileEvents = 2
  /// After so many in a row that were not worth it, single events are waited for,
  static let vainWaits = 4
  /// so many times until several are waited for again.
  static let restingWaits = 64

  private var vain = 0
  private var resting = 0
  private var isTried = false

  /// How many events the next wait is for.
  /// - Parameter expected: how many may come together.
  func wanted(of expected: Int) -> Int {
    isTried && expected >= Self.worthwhileEvents ? min(expected, Self.mostEvents) : 1
  }

  /// Notes what came of a wait for `wanted` events.
  mutating func note(events: Int, wanted: Int) {
    if wanted > 1 {
      vain = events >= Self.worthwhileEvents ? 0 : vain + 1
      guard vain == Self.vainWaits else { return }
      (vain, resting, isTried) = (0, Self.restingWaits, false)
    } else if resting > 0 {
      resting -= 1
    } else {
      isTried = events > 1
    }
  }
}
