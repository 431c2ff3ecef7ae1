// Small readings of Markdown source: what ends a heading or an item, and how wrapped lines are joined.

extension String {
  /// A heading may be closed with a space and any number of #.
  func droppingClosingHashes() -> String {
    let bytes = Array(utf8)
    guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "#") }) else { return "" }
    guard last < bytes.count - 1, MarkdownLine.isSpace(bytes[last]) else { return self }
    return String(decoding: bytes[...last], as: UTF8.self).trimmingSpaces()
  }

  /// Nobody sees a comment at the end of a line.
  func droppingTrailingComment() -> String {
    MarkdownAnnotation.splitting(self).map { $0.text } ?? self
  }

  /// The box of a task list is no word of the question.
  func droppingCheckbox() -> String {
    for box in ["[ ] ", "[x] ", "[X] "] where utf8.starts(with: box.utf8) {
      return String(Substring(utf8.dropFirst(box.utf8.count))).trimmingSpaces()
    }
    return self
  }

  /// What stands between two lines of a wrapped paragraph: a space, but nothing between two ideographs or kana.
  func softJoint(to next: String) -> String {
    guard let last = unicodeScalars.last, let first = next.unicodeScalars.first else { return "" }
    return last.isWrittenWithoutSpaces && first.isWrittenWithoutSpaces ? "" : " "
  }
}

extension [String] {
  /// Without empty lines at both ends.
  func trimmingBlankEnds() -> [String] {
    let start = firstIndex { !$0.isEmpty } ?? count
    let end = (lastIndex { !$0.isEmpty } ?? start - 1) + 1
    return Array(self[start..<end])
  }
}

extension Unicode.Scalar {
  fileprivate var isWrittenWithoutSpaces: Bool {
    switch value {
    case 0x3000...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xFF00...0xFF65, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
