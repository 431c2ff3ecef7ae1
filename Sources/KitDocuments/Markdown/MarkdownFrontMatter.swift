// The settings at the top of a Markdown file, between two lines of ---.

struct MarkdownFrontMatter {
  struct Setting {
    var name: String
    var value: String
    var line: Int
  }

  private(set) var settings: [Setting] = []
  /// Lines within it that are no `name: value`.
  private(set) var others: [MarkdownLine] = []
  /// How many lines it takes; 0 when there is none.
  private(set) var lineCount = 0

  init(_ lines: [MarkdownLine]) {
    guard let first = lines.first, first.indent == 0, first.text == "---",
      let end = lines.dropFirst().firstIndex(where: { $0.indent == 0 && ($0.text == "---" || $0.text == "...") })
    else { return }
    lineCount = end + 1
    for line in lines[1..<end] {
      let parts = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if line.body.isEmpty || line.text.utf8.first == UInt8(ascii: "#") { continue }
      guard parts.count == 2, line.indent == 0 else {
        others.append(line)
        continue
      }
      settings.append(
        Setting(
          name: String(parts[0]).trimmingSpaces(), value: Self.unquoted(String(parts[1]).trimmingSpaces()),
          line: line.number))
    }
  }

  subscript(_ name: String) -> Setting? { settings.first { $0.name == name } }

  private static func unquoted(_ text: String) -> String {
    let bytes = text.utf8
    guard bytes.count >= 2, let mark = bytes.first, mark == bytes.last else { return text }
    guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return text }
    return String(Substring(bytes.dropFirst().dropLast()))
  }
}
