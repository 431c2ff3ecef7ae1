// Deadlines of many connections, cheap to move: a wheel of slots that holds each connection once.

/// Says which connections to look at when. A deadline that moves later costs nothing: the connection is found at its
/// old place and put in its new one. Pure: the time is given.
struct DeadlineWheel {
  /// How fine deadlines are.
  let tickMilliseconds: Int
  private var slots: [[UInt64]]
  private(set) var tick: Int
  /// The earliest tick that has tokens; `Int.max` when none has.
  private var earliest = Int.max

  init(tickMilliseconds: Int = 50, slotCount: Int = 512, now: Int) {
    self.tickMilliseconds = tickMilliseconds
    slots = Array(repeating: [], count: slotCount)
    tick = now / tickMilliseconds
  }

  /// The tick at which a deadline is looked at: not before it, and within one turn of the wheel.
  func tick(for deadline: Int) -> Int {
    min(max(deadline / tickMilliseconds + 1, tick + 1), tick + slots.count - 1)
  }

  /// Enters a token to be looked at in the tick that `tick(for:)` names.
  mutating func enter(_ token: UInt64, at tick: Int) {
    slots[tick % slots.count].append(token)
    earliest = min(earliest, tick)
  }

  /// Takes the tokens whose tick has come.
  mutating func due(now: Int) -> [UInt64] {
    let current = now / tickMilliseconds
    guard current > tick else { return [] }
    defer { tick = current }
    guard earliest <= current else { return [] }
    var result: [UInt64] = []
    for passed in tick + 1...min(current, tick + slots.count) where !slots[passed % slots.count].isEmpty {
      result.append(contentsOf: slots[passed % slots.count])
      slots[passed % slots.count] = []
    }
    earliest = Int.max
    for ahead in current + 1..<current + slots.count where !slots[ahead % slots.count].isEmpty {
      earliest = ahead
      break
    }
    return result
  }

  /// Milliseconds until the next token is due; nil when there is none.
  func nextWait(now: Int) -> Int? {
    earliest == Int.max ? nil : max(0, earliest * tickMilliseconds - now)
  }
}
