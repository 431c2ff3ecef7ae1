// What somebody may have meant by a word that is not known: the nearest of those that are.

public enum Suggestion {
  /// Longer words are nobody's slip of the finger.
  private static let longestWord = 64
  /// The shortest beginning of a word that stands for the whole.
  private static let shortestBeginning = 3

  /// ` Did you mean 'serve'?`, or nothing when no known word is near.
  public static func text(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// How a sentence about an unknown word ends: `; did you mean 'title'?`, or the full stop.
  public static func ending(for word: String, among known: [String]) -> String {
    let text = text(for: word, among: known)
    return text.isEmpty ? "." : text
  }

  /// The known word that takes the fewest edits: one edit in a word of up to five letters, a third of its letters in a
  /// longer one. Else the only one that begins so. Case does not count.
  public static func nearest(to word: String, among known: [String]) -> String? {
    let letters = plain(word)
    guard !letters.isEmpty, letters.count <= longestWord else { return nil }
    let most = max(1, letters.count / 3)
    let near = known.map { (word: $0, edits: edits(from: letters, to: plain($0))) }.filter { $0.edits <= most }
    // Of two that are as near, the first one.
    if let best = near.min(by: { $0.edits < $1.edits }) { return best.word }
    let begun = known.filter { plain($0).starts(with: letters) }
    return letters.count >= shortestBeginning && begun.count == 1 ? begun[0] : nil
  }

  /// How many letters have to be inserted, removed, replaced, or exchanged with their neighbour: the optimal string
  /// alignment distance.
  public static func edits(from source: [UInt8], to target: [UInt8]) -> Int {
    var (before, last) = ([Int](), Array(0...target.count))
    for (row, letter) in source.enumerated() {
      var next = [row + 1]
      for (column, other) in target.enumerated() {
        var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == target[column - 1], source[row - 1] == other {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      (before, last) = (last, next)
    }
    return last[target.count]
  }

  private static func plain(_ word: String) -> [UInt8] {
    word.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
