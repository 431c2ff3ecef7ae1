// The longest rising subsequence: which siblings keep their places when others move around them.

/// The places of a longest strictly rising subsequence (patience sorting); nil is never part of it.
func longestRisingRun<Key: Comparable>(_ keys: [Key?]) -> Set<Int> {
  var ends: [(key: Key, row: Int)] = []
  var previous = [Int?](repeating: nil, count: keys.count)
  for (row, key) in keys.enumerated() {
    guard let key else { continue }
    var low = 0
    var high = ends.count
    while low < high {
      let middle = (low + high) / 2
      if ends[middle].key < key { low = middle + 1 } else { high = middle }
    }
    previous[row] = low > 0 ? ends[low - 1].row : nil
    if low == ends.count { ends.append((key, row)) } else { ends[low] = (key, row) }
  }
  var rows: Set<Int> = []
  var row = ends.last?.row
  while let current = row {
    rows.insert(current)
    row = previous[current]
  }
  return rows
}
