// Sums over the heights of rows that change one at a time.

/// The heights of a list's rows: where a row begins, which row stands before it and how high all are, each in
/// logarithmic time, as is the change of one height. A Fenwick tree (1994) of pixels and of shown rows.
struct RowSums: Sendable {
  private struct Node: Sendable {
    var pixels = 0
    var shown = 0
  }

  /// Nil: the row is hidden.
  private var heights: [Int?]
  /// `nodes[i]` sums the rows up to `i - 1`, as many as the lowest set bit of `i` says.
  private var nodes: [Node]

  /// - Parameter heights: in device pixels, from top to bottom; nil for hidden rows.
  init(_ heights: [Int?]) {
    self.heights = heights
    nodes = [Node()] + heights.map { Node(pixels: $0 ?? 0, shown: $0 == nil ? 0 : 1) }
    for place in nodes.indices.dropFirst() {
      let above = place + (place & -place)
      guard above < nodes.count else { continue }
      nodes[above].pixels += nodes[place].pixels
      nodes[above].shown += nodes[place].shown
    }
  }

  /// All rows together, in device pixels.
  var pixels: Int { sum(before: heights.count).pixels }

  /// Where the row begins, or would, in device pixels.
  func top(of place: Int) -> Int { sum(before: place).pixels }

  func height(of place: Int) -> Int? { heights[place] }

  /// - Parameter height: nil hides the row.
  mutating func set(_ place: Int, to height: Int?) {
    let old = heights[place]
    if old == height { return }
    heights[place] = height
    let pixels = (height ?? 0) - (old ?? 0)
    let shown = (height == nil ? 0 : 1) - (old == nil ? 0 : 1)
    var node = place + 1
    while node < nodes.count {
      nodes[node].pixels += pixels
      nodes[node].shown += shown
      node += node & -node
    }
  }

  /// The nearest row above that is shown.
  func shownPlace(before place: Int) -> Int? {
    let rank = sum(before: place).shown
    if rank == 0 { return nil }
    // The last node whose rows hold fewer shown ones than `rank`: the row sought follows them.
    var (node, rest, step) = (0, rank, 1)
    while step * 2 < nodes.count { step *= 2 }
    while step > 0 {
      if node + step < nodes.count, nodes[node + step].shown < rest {
        node += step
        rest -= nodes[node].shown
      }
      step /= 2
    }
    return node
  }

  private func sum(before place: Int) -> Node {
    var sum = Node()
    var node = place
    while node > 0 {
      sum.pixels += nodes[node].pixels
      sum.shown += nodes[node].shown
      node -= node & -node
    }
    return sum
  }
}

/// The sums of one evaluation's rows in one viewport, as of one revision of it.
struct EvaluationSums: Sendable {
  /// Held so that its kit's identity is not another kit's while the sums are kept.
  let plan: KitPlan
  var revision: Int
  var sums: RowSums
}
