// The comment at the end of a line that carries what Markdown has no words for: IDs, types, settings.

/// `<!-- id: q1; type: rating; scale: fourPoint; required -->`
struct MarkdownAnnotation {
  /// Names and their values; a name alone has an empty one.
  private(set) var entries: [(name: String, value: String)]

  /// The text before a comment that ends the line, and what is inside it; nil when no comment ends it.
  static func splitting(_ source: String) -> (text: String, comment: String)? {
    let bytes = Array(source.utf8)
    let (open, close) = (Array("<!--".utf8), Array("-->".utf8))
    guard bytes.count >= open.count + close.count, bytes.suffix(close.count).elementsEqual(close) else { return nil }
    var start = bytes.count - close.count - open.count
    while start >= 0, !bytes[start..<start + open.count].elementsEqual(open) { start -= 1 }
    // A backslash makes it text.
    guard start >= 0, start == 0 || bytes[start - 1] != UInt8(ascii: "\\") else { return nil }
    return (
      String(decoding: bytes[..<start], as: UTF8.self).trimmingSpaces(),
      String(decoding: bytes[start + open.count..<bytes.count - close.count], as: UTF8.self).trimmingSpaces()
    )
  }

  init(_ comment: String) {
    entries = comment.utf8.split(separator: UInt8(ascii: ";")).compactMap { part in
      let pair = part.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(Substring(pair[0])).trimmingSpaces()
      return name.isEmpty ? nil : (name, pair.count > 1 ? String(Substring(pair[1])).trimmingSpaces() : "")
    }
  }

  subscript(_ name: String) -> String? { entries.first { $0.name == name }?.value }
}
