// What the store counts for whoever watches it.

/// Counts of values in buckets.
public struct Histogram: Sendable {
  /// The largest value of each bucket but the last, which has no bound.
  public let bounds: [Int]
  /// One more than bounds.
  public private(set) var counts: [Int]
  public private(set) var sum = 0

  init(bounds: [Int]) { (self.bounds, counts) = (bounds, Array(repeating: 0, count: bounds.count + 1)) }

  mutating func add(_ value: Int) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }
}

/// Groups of writes.
public struct WriteFigures: Sendable {
  /// Writes committed together.
  public internal(set) var groupSizes = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024])
  /// From the commit to its return: the group is written to the disk and synchronised.
  public internal(set) var commitMicroseconds = Histogram(
    bounds: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000])
  /// Groups of which nothing was stored.
  public internal(set) var failedGroups = 0
}

/// Look-ups in one part of the store's memory.
public struct CacheFigures: Sendable {
  public let name: String
  public let hits: Int
  public let misses: Int
}

extension Duration {
  var wholeMicroseconds: Int {
    Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
  }
}
