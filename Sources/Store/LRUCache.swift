// A dictionary that is bounded by the cost of what it holds, and lets go of what was used longest ago.

struct LRUCache<Key: Hashable, Value> {
  private struct Node {
    var key: Key
    var value: Value
    var cost: Int
    /// Neighbours in order of use; -1 at the ends.
    var newer: Int
    var older: Int
  }

  private let maximumCost: Int
  private var places: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var newest = -1
  private var oldest = -1
  private(set) var cost = 0
  /// How many entries have been let go of for want of room, or removed: whoever read the database beside the cache must
  /// not fill in what it read if this has changed meanwhile.
  private(set) var evictions = 0

  init(maximumCost: Int) { self.maximumCost = maximumCost }

  /// Look-ups that found something, and that did not.
  private(set) var hits = 0
  private(set) var misses = 0

  var count: Int { places.count }

  /// The value; it becomes the one used last.
  mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else {
      misses += 1
      return nil
    }
    hits += 1
    if place != newest {
      unlink(place)
      link(place)
    }
    return nodes[place]?.value
  }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  mutating func insert(_ value: Value, for key: Key, cost: Int) {
    remove(key, counts: false)
    let node = Node(key: key, value: value, cost: cost, newer: -1, older: -1)
    let place: Int
    if let reused = free.popLast() {
      place = reused
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[key] = place
    self.cost += cost
    link(place)
    while self.cost > maximumCost, oldest >= 0, let victim = nodes[oldest]?.key { remove(victim, counts: true) }
  }

  mutating func remove(_ key: Key) { remove(key, counts: true) }

  mutating func removeAll() {
    let (removed, hits, misses) = (evictions + 1, hits, misses)
    self = LRUCache(maximumCost: maximumCost)
    (evictions, self.hits, self.misses) = (removed, hits, misses)
  }

  private mutating func remove(_ key: Key, counts: Bool) {
    guard let place = places.removeValue(forKey: key) else { return }
    cost -= nodes[place]?.cost ?? 0
    unlink(place)
    nodes[place] = nil
    free.append(place)
    if counts { evictions += 1 }
  }

  private mutating func link(_ place: Int) {
    nodes[place]?.older = newest
    nodes[place]?.newer = -1
    if newest >= 0 { nodes[newest]?.newer = place }
    newest = place
    if oldest < 0 { oldest = place }
  }

  private mutating func unlink(_ place: Int) {
    guard let node = nodes[place] else { return }
    if node.newer >= 0 { nodes[node.newer]?.older = node.older } else { newest = node.older }
    if node.older >= 0 { nodes[node.older]?.newer = node.newer } else { oldest = node.newer }
  }
}
