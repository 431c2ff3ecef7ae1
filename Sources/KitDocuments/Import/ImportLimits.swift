// Every limit on imported files besides their size in bytes, which the receiver bounds.

public enum ImportLimits {
  /// Lines of a Markdown file.
  public static let lines = 500_000
  /// Records of a CSV file.
  public static let records = 200_000
  /// Cells of one CSV record.
  public static let cells = 1_000
  /// Unicode scalars of a column's name, or of a word in a cell; the middle of a longer one is left out.
  public static let columnNameScalars = 100
  /// Left-out lines that are listed; all are counted.
  public static let leftOut = 10_000
}
