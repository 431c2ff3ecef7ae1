// Links within a line of Markdown: telling a table of contents from questions, and reading the words of a heading.

enum MarkdownLinks {
  private enum Piece {
    case text(String)
    case link(text: String, target: String)
    case tag
  }

  /// True for an item that is nothing but links, save a link to elsewhere whose words ask something.
  static func isNothingElse(_ source: String) -> Bool {
    var hasLink = false
    for piece in pieces(of: source) {
      switch piece {
      case .tag: break
      case .text(let text):
        if text.split(separator: " ").contains(where: { hasWords($0) && !isAddress($0) }) { return false }
        if text.split(separator: " ").contains(where: { isAddress($0) }) { hasLink = true }
      case .link(let text, let target):
        hasLink = true
        if !target.hasPrefix("#"), let last = text.unicodeScalars.last, ["?", "？", "؟"].contains(last) { return false }
      }
    }
    return hasLink
  }

  /// The words of a heading: links give their text, tags nothing, and a link without words (an arrow back to the top)
  /// nothing either.
  static func words(of heading: String) -> String {
    var result = ""
    for piece in pieces(of: heading) {
      switch piece {
      case .tag: break
      case .text(let text): result += text
      case .link(let text, _): if hasWords(Substring(text)) { result += text }
      }
    }
    return MarkdownText.unescaped(result.trimmingSpaces())
  }

  private static func hasWords(_ text: Substring) -> Bool {
    text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  private static func isAddress(_ word: Substring) -> Bool { word.contains("://") }

  private static func pieces(of source: String) -> [Piece] {
    let inline = BracketedLine(source)
    var pieces: [Piece] = []
    var textStart = 0
    var place = 0
    while place < inline.scalars.count {
      var found: (piece: Piece, end: Int)?
      if let link = inline.link(at: place) {
        found = (.link(text: inline.string(link.text), target: inline.string(link.target)), link.target.upperBound + 1)
      } else if let end = inline.tagEnd(at: place) {
        let inside = inline.string(place + 1..<end - 1)
        found = (inside.contains("://") ? .link(text: "", target: inside) : .tag, end)
      }
      if let found {
        if textStart < place { pieces.append(.text(inline.string(textStart..<place))) }
        pieces.append(found.piece)
        place = found.end
        textStart = place
      } else {
        place += 1
      }
    }
    if textStart < place { pieces.append(.text(inline.string(textStart..<place))) }
    return pieces
  }
}

/// A line whose brackets were paired beforehand, in one walk.
private struct BracketedLine {
  let scalars: [Unicode.Scalar]
  /// For each [ and ( that is closed, where.
  private var closings: [Int: Int] = [:]
  /// The places of >, in order from the last one.
  private var nextTagEnd: [Int]

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
    var (squares, rounds): ([Int], [Int]) = ([], [])
    for (place, scalar) in scalars.enumerated() {
      switch scalar {
      case "[": squares.append(place)
      case "(": rounds.append(place)
      case "]": if let open = squares.popLast() { closings[open] = place }
      case ")": if let open = rounds.popLast() { closings[open] = place }
      default: break
      }
    }
    nextTagEnd = Array(repeating: scalars.count, count: scalars.count + 1)
    for place in scalars.indices.reversed() {
      nextTagEnd[place] = scalars[place] == ">" ? place : nextTagEnd[place + 1]
    }
  }

  func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  /// `[text](target)`, with brackets in pairs within both.
  func link(at start: Int) -> (text: Range<Int>, target: Range<Int>)? {
    guard scalars[start] == "[", let textEnd = closings[start], textEnd + 1 < scalars.count,
      scalars[textEnd + 1] == "(",
      let targetEnd = closings[textEnd + 1]
    else { return nil }
    return (start + 1..<textEnd, textEnd + 2..<targetEnd)
  }

  /// The place after `<…>` when that is a tag or an address; nil for a lone `<`.
  func tagEnd(at start: Int) -> Int? {
    guard scalars[start] == "<", start + 1 < scalars.count,
      scalars[start + 1].properties.isAlphabetic || scalars[start + 1] == "/", nextTagEnd[start] < scalars.count
    else { return nil }
    return nextTagEnd[start] + 1
  }
}

extension String {
  /// Without spaces and tabs at both ends.
  func trimmingSpaces() -> String {
    let bytes = Array(utf8)
    let start = bytes.firstIndex { !MarkdownLine.isSpace($0) } ?? bytes.count
    let end = (bytes.lastIndex { !MarkdownLine.isSpace($0) } ?? start - 1) + 1
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
