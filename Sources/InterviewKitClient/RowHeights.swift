// The rows of one list with their heights and places: what a table view asks of its delegate.

/// Why a delta was not taken over.
public enum RowHeightsError: Error, Sendable, Hashable {
  /// It was computed for another viewport, other fonts or another engine: read the layout afresh.
  case otherFingerprint(have: String, got: String)
  /// It names a row that is not here: a delta before it was missed, so read the layout afresh.
  case unknownRow(String)
}

/// The rows of a list, by ID and by place.
///
/// Heights are kept as whole device pixels, so that places are exact sums: no drift over thousands of rows. Places are answered and
/// a height is changed in O(log n); rows that appear or go cost O(n).
public struct RowHeights: Sendable, Hashable {
  /// Rows in their order, by ID.
  public private(set) var ids: [String]
  /// Heights that do not have this fingerprint do not belong here.
  public let fingerprint: String
  /// Device pixels a point.
  public let scale: Double
  private var places: [String: Int]
  private var pixels: [Int]
  private var sums: PrefixSums

  public init(_ layout: Layout) {
    (fingerprint, scale) = (layout.fingerprint, layout.viewport.scale)
    ids = layout.rows.map(\.id)
    pixels = layout.rows.map { [scale] row in Int((row.height * scale).rounded()) }
    (places, sums) = (Self.places(of: ids), PrefixSums(pixels))
  }

  public var count: Int { ids.count }
  public var contentHeight: Double { Double(sums.total) / scale }

  /// The row's place in the list now. Places move; keep IDs.
  public func index(of id: String) -> Int? { places[id] }

  /// The height of a row: for `heightForRowAt`.
  public func height(for id: String) -> Double? { places[id].map { Double(pixels[$0]) / scale } }

  /// The upper edge of a row.
  public func offset(for id: String) -> Double? { places[id].map { Double(sums.sum(before: $0)) / scale } }

  /// The rows that touch a part of the content; empty for an empty part, or one beside the content.
  public func rows(in visible: Range<Double>) -> Range<Int> {
    guard !ids.isEmpty, visible.upperBound > visible.lowerBound, visible.upperBound > 0,
      visible.lowerBound < contentHeight
    else { return 0..<0 }
    let first = sums.place(of: Int((max(visible.lowerBound, 0) * scale).rounded(.down)))
    let last = sums.place(of: Int((min(visible.upperBound, contentHeight) * scale).rounded(.up)) - 1)
    return first..<max(last, first) + 1
  }

  /// Where the list has to be scrolled so that a row can be seen, from where it is: no further than needed. A row higher than the
  /// list shows its lower end, where the caret is.
  public func contentOffset(toShow id: String, visibleHeight: Double, from current: Double = 0) -> Double? {
    guard let place = places[id] else { return nil }
    let top = Double(sums.sum(before: place)) / scale
    let bottom = Double(sums.sum(before: place + 1)) / scale
    let furthest = max(contentHeight - visibleHeight, 0)
    if bottom > current + visibleHeight { return min(max(bottom - visibleHeight, 0), furthest) }
    if top < current, bottom - top <= visibleHeight { return min(top, furthest) }
    return min(max(current, 0), furthest)
  }

  /// Gives a row the height that the app measured for text that it has not sent yet; the next delta that names the row replaces it.
  public mutating func setHeight(_ height: Double, for id: String) {
    guard let place = places[id] else { return }
    set(Int((height * scale).rounded(.up)), at: place)
  }

  /// Takes over what a write or a change did. The same delta may be taken over twice.
  /// - Throws: `RowHeightsError`, with nothing changed.
  public mutating func apply(_ delta: LayoutDelta) throws(RowHeightsError) {
    guard delta.fingerprint == fingerprint else {
      throw .otherFingerprint(have: fingerprint, got: delta.fingerprint)
    }
    var changed = self
    try changed.insertAndRemove(delta)
    for change in delta.changed {
      guard let place = changed.places[change.id] else { throw .unknownRow(change.id) }
      changed.set(Int((change.height * scale).rounded()), at: place)
    }
    self = changed
  }

  private mutating func insertAndRemove(_ delta: LayoutDelta) throws(RowHeightsError) {
    let gone = delta.removed.filter { places[$0] != nil }
    var new: [LayoutDelta.Insertion] = []
    for insertion in delta.inserted {
      if let place = places[insertion.row.id] {
        set(Int((insertion.row.height * scale).rounded()), at: place)
      } else {
        new.append(insertion)
      }
    }
    guard !gone.isEmpty || !new.isEmpty else { return }
    var rows = Array(zip(ids, pixels))
    let removed = Set(gone)
    rows.removeAll { removed.contains($0.0) }
    for insertion in new {
      let row = (insertion.row.id, Int((insertion.row.height * scale).rounded()))
      if let after = insertion.after {
        guard let place = rows.firstIndex(where: { $0.0 == after }) else { throw .unknownRow(after) }
        rows.insert(row, at: place + 1)
      } else {
        rows.insert(row, at: 0)
      }
    }
    (ids, pixels) = (rows.map(\.0), rows.map(\.1))
    (places, sums) = (Self.places(of: ids), PrefixSums(pixels))
  }

  private mutating func set(_ height: Int, at place: Int) {
    sums.add(height - pixels[place], at: place)
    pixels[place] = height
  }

  private static func places(of ids: [String]) -> [String: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }
}

/// Sums of whole numbers, none below 0, from the first on: a binary indexed tree (Fenwick, 1994).
struct PrefixSums: Sendable, Hashable {
  /// Node `i`, counted from 1, holds the sum of the `i & -i` numbers that end with the `i`th.
  private var nodes: [Int]
  private(set) var total: Int

  init(_ numbers: [Int]) {
    nodes = [0] + numbers
    for node in 1..<max(nodes.count, 1) {
      let parent = node + (node & -node)
      if parent < nodes.count { nodes[parent] += nodes[node] }
    }
    total = numbers.reduce(0, +)
  }

  /// The sum of the numbers before a place.
  func sum(before place: Int) -> Int {
    var (node, sum) = (place, 0)
    while node > 0 {
      sum += nodes[node]
      node -= node & -node
    }
    return sum
  }

  mutating func add(_ difference: Int, at place: Int) {
    total += difference
    var node = place + 1
    while node < nodes.count {
      nodes[node] += difference
      node += node & -node
    }
  }

  /// The place whose number reaches over `sum`: the last one with `sum(before:)` at most `sum`; the last place beyond the end.
  func place(of sum: Int) -> Int {
    var (node, rest) = (0, sum)
    var step = 1
    while step * 2 < nodes.count { step *= 2 }
    while step > 0 {
      if node + step < nodes.count, nodes[node + step] <= rest {
        node += step
        rest -= nodes[node]
      }
      step /= 2
    }
    return min(node, nodes.count - 2)
  }
}
