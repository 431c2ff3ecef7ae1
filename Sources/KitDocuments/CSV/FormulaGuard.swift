// The guard against spreadsheets that take a text for a formula, reversible for every text.

enum FormulaGuard {
  private static let dangerous: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
  private static let mark: Unicode.Scalar = "'"

  /// The text, with an apostrophe before it where a spreadsheet would take it for a formula, or where it looks guarded.
  static func guarded(_ text: String) -> String {
    let isDangerous = text.unicodeScalars.first.map(dangerous.contains) ?? false
    return isDangerous || looksGuarded(text) ? "'" + text : text
  }

  /// The text before it was guarded; one that nobody guarded stays, unless it looks so.
  static func unguarded(_ text: String) -> String {
    looksGuarded(text) ? String(text.unicodeScalars.dropFirst()) : text
  }

  private static func looksGuarded(_ text: String) -> Bool {
    var scalars = text.unicodeScalars.makeIterator()
    guard scalars.next() == mark, let second = scalars.next() else { return false }
    return second == mark || dangerous.contains(second)
  }
}
