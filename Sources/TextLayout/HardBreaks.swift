// Splits a text at its hard breaks.

/// Paragraphs of a text by hard breaks: LF, CR, CRLF (one break), VT, FF, U+0085, U+2028, U+2029.
enum HardBreaks {
  /// Calls `body` with the range of each paragraph, without its break. A break at the end is followed by one more, empty
  /// paragraph, and an empty text is one.
  static func split(_ text: [UInt16], _ body: (Range<Int>) -> Void) {
    var start = 0
    var index = 0
    while index < text.count {
      let unit = text[index]
      if !isBreak(unit) {
        index += 1
        continue
      }
      body(start..<index)
      index += unit == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A ? 2 : 1
      start = index
    }
    body(start..<text.count)
  }

  private static func isBreak(_ unit: UInt16) -> Bool {
    (0x0A...0x0D).contains(unit) || unit == 0x85 || unit == 0x2028 || unit == 0x2029
  }
}
