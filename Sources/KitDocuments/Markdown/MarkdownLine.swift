// One line of a Markdown file, and what kind of block it begins.

/// A line without its end. Only spaces and tabs are white space here, as in CommonMark.
struct MarkdownLine {
  /// From 1.
  var number: Int
  /// The columns of white space at the beginning; a tab goes to the next multiple of four.
  var indent: Int
  /// What follows the white space, without white space at the end.
  var body: ArraySlice<UInt8>
  /// True when it ends with two spaces: a line break within the paragraph.
  var hasHardBreak: Bool

  enum Kind: Equatable {
    case blank
    case heading(level: Int)
    /// `mark` is ` or ~.
    case fence(mark: UInt8, length: Int)
    case thematicBreak
    /// A row of = or -, which makes a heading of the text line above.
    case setextUnderline(level: Int)
    /// `offset` is the width of the marker and the space after it.
    case item(offset: Int)
    case quote
    case comment
    case html
    case table
    case text
  }

  init(number: Int, bytes: ArraySlice<UInt8>) {
    self.number = number
    indent = 0
    var start = bytes.startIndex
    while start < bytes.endIndex {
      if bytes[start] == 0x20 { indent += 1 } else if bytes[start] == 0x09 { indent += 4 - indent % 4 } else { break }
      start += 1
    }
    var end = bytes.endIndex
    while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
    body = bytes[start..<end]
    hasHardBreak = bytes.endIndex - end >= 2
  }

  /// Splits at LF, CR and CRLF; a file's last line end begins no further line. Stops beyond `ImportLimits.lines`.
  static func split(_ bytes: [UInt8]) -> [MarkdownLine] {
    var lines: [MarkdownLine] = []
    var start = 0
    var place = 0
    while place < bytes.count, lines.count <= ImportLimits.lines {
      if bytes[place] == 0x0A || bytes[place] == 0x0D {
        lines.append(MarkdownLine(number: lines.count + 1, bytes: bytes[start..<place]))
        if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A { place += 1 }
        start = place + 1
      }
      place += 1
    }
    if start < bytes.count { lines.append(MarkdownLine(number: lines.count + 1, bytes: bytes[start...])) }
    return lines
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The text with the white space that is left when `columns` of it are taken off.
  func text(dedentedBy columns: Int) -> String { String(repeating: " ", count: max(0, indent - columns)) + text }

  /// The text after a heading's, item's or quote's marker.
  var content: String {
    var rest = body
    switch kind {
    case .heading(let level): rest = body.dropFirst(level)
    case .item(let offset): rest = body.dropFirst(offset)
    case .quote: rest = body.dropFirst()
    default: return text
    }
    return String(decoding: rest.drop(while: Self.isSpace), as: UTF8.self)
  }

  // MARK: Kinds

  var kind: Kind {
    guard let first = body.first else { return .blank }
    switch first {
    case UInt8(ascii: "#"): return headingKind
    case UInt8(ascii: "`"), UInt8(ascii: "~"): return fenceKind(first)
    case UInt8(ascii: ">"): return .quote
    case UInt8(ascii: "|"): return .table
    case UInt8(ascii: "<"): return htmlKind
    case UInt8(ascii: "="): return body.allSatisfy { $0 == first } ? .setextUnderline(level: 1) : .text
    case UInt8(ascii: "-") where body.count > 1 && body.allSatisfy({ $0 == first }): return .setextUnderline(level: 2)
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "+"):
      if isThematicBreak(of: first) { return .thematicBreak }
      return first == UInt8(ascii: "_") ? .text : itemKind(markerLength: 1)
    case 0x30...0x39:
      let digits = body.prefix { (0x30...0x39).contains($0) }.count
      guard digits <= 9, let delimiter = body.dropFirst(digits).first,
        delimiter == UInt8(ascii: ".") || delimiter == UInt8(ascii: ")")
      else { return .text }
      return itemKind(markerLength: digits + 1)
    default: return .text
    }
  }

  private var headingKind: Kind {
    let level = body.prefix { $0 == UInt8(ascii: "#") }.count
    let next = body.dropFirst(level).first
    return level <= 6 && (next == nil || next.map(Self.isSpace) == true) ? .heading(level: level) : .text
  }

  private func fenceKind(_ mark: UInt8) -> Kind {
    let length = body.prefix { $0 == mark }.count
    let info = body.dropFirst(length)
    let isInline = mark == UInt8(ascii: "`") && info.contains(mark)
    return length >= 3 && !isInline ? .fence(mark: mark, length: length) : .text
  }

  private var htmlKind: Kind {
    if body.starts(with: Array("<!--".utf8)) { return .comment }
    guard let next = body.dropFirst().first else { return .text }
    let beginsTag =
      (0x41...0x5A).contains(next & 0xDF) || [UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?")].contains(next)
    return beginsTag ? .html : .text
  }

  private func isThematicBreak(of mark: UInt8) -> Bool {
    guard mark != UInt8(ascii: "+") else { return false }
    let marks = body.filter { !Self.isSpace($0) }
    return marks.count >= 3 && marks.allSatisfy { $0 == mark }
  }

  private func itemKind(markerLength: Int) -> Kind {
    let rest = body.dropFirst(markerLength)
    guard let next = rest.first else { return .item(offset: markerLength) }
    guard Self.isSpace(next) else { return .text }
    let spaces = rest.prefix(while: Self.isSpace).count
    return .item(offset: markerLength + (spaces > 4 ? 1 : spaces))
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
