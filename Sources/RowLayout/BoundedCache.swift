// A cache that never holds more than it was given room for.

internal import Glibc
internal import Locks

/// Keeps what was used last, within a cost. Safe to use from several threads at once.
///
/// Two generations: what is found in the old one moves to the young one, and when the young one holds half of the
/// room, the old one is dropped and the young one grows old. Both look-up and insertion take constant time. What takes more
/// than half is kept as long as nothing else needs the room.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    var value: Value
    var cost: Int
  }

  private struct State {
    var young: [Key: Entry] = [:]
    var old: [Key: Entry] = [:]
    var youngCost = 0
    var oldCost = 0
  }

  private let state = Lock(State())
  private let capacity: Int
  private let generationCost: Int

  /// - Parameter cost: the most that all entries may cost together, in the unit of the callers' costs.
  init(cost: Int) { (capacity, generationCost) = (max(cost, 2), max(cost / 2, 1)) }

  subscript(_ key: Key) -> Value? {
    state.withLock { state in
      if let entry = state.young[key] { return entry.value }
      guard let entry = state.old.removeValue(forKey: key) else { return nil }
      state.oldCost -= entry.cost
      insert(entry, for: key, into: &state)
      return entry.value
    }
  }

  /// Keeps a value; one that costs more than all of the room is not kept.
  func insert(_ value: Value, for key: Key, cost: Int) {
    guard cost <= capacity else { return }
    state.withLock { insert(Entry(value: value, cost: cost), for: key, into: &$0) }
  }

  func removeAll() { state.withLock { $0 = State() } }

  /// What all entries cost together.
  var cost: Int { state.withLock { $0.youngCost + $0.oldCost } }

  private func insert(_ entry: Entry, for key: Key, into state: inout sending State) {
    if state.youngCost + entry.cost > generationCost {
      (state.old, state.oldCost) = (state.young, state.youngCost)
      (state.young, state.youngCost) = ([:], 0)
    }
    if state.oldCost + state.youngCost + entry.cost > capacity { (state.old, state.oldCost) = ([:], 0) }
    if let before = state.young.updateValue(entry, forKey: key) { state.youngCost -= before.cost }
    state.youngCost += entry.cost
  }
}

/// A text as a part of a key: hashed and compared byte for byte, in bulk.
struct TextKey: Hashable, Sendable {
  let text: String

  static func == (left: TextKey, right: TextKey) -> Bool {
    // Both buffers are read inside these closures only, and never beyond their count.
    let isSame = unsafe left.text.utf8.withContiguousStorageIfAvailable { own in
      unsafe right.text.utf8.withContiguousStorageIfAvailable { other in
        guard own.count == other.count else { return false }
        guard let start = own.baseAddress, let otherStart = other.baseAddress else { return true }
        return unsafe memcmp(start, otherStart, own.count) == 0
      }
    }
    return (isSame ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    // The buffer is read inside the closure only.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
