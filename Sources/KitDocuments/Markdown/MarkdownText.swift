// Texts within Markdown: backslash escapes and character references, read and written so that a text comes back exactly.

enum MarkdownText {
  // MARK: Reading

  /// The text that an inline source stands for: escapes and references outside code spans are resolved, all other
  /// mark-up stays as it was typed.
  static func unescaped(_ source: String) -> String {
    var scanner = InlineScanner(source)
    return scanner.resolved()
  }

  // MARK: Writing

  /// One line of source that `unescaped` reads as `text`, that begins no block and ends in no white space. Line breaks
  /// within the text become character references.
  static func escaped(_ text: String) -> String {
    if isPlain(text), text.unicodeScalars.first?.properties.isWhitespace != true {
      let candidate = guardingBlockStart(text)
      if unescaped(candidate).utf8.elementsEqual(text.utf8) { return candidate }
    }
    return guardingBlockStart(fullyEscaped(text))
  }

  /// The same for a line after a quote's mark, which may begin with spaces and is not looked at for blocks.
  static func escapedInQuote(_ text: String) -> String {
    isPlain(text) && unescaped(text).utf8.elementsEqual(text.utf8) ? text : fullyEscaped(text)
  }

  /// True when no scalar needs to be written in another way, whatever the block.
  private static func isPlain(_ text: String) -> Bool {
    if text.unicodeScalars.last?.properties.isWhitespace == true { return false }
    if text.unicodeScalars.contains(where: isControl) { return false }
    var scanner = InlineScanner(text)
    return !scanner.opensTag()
  }

  private static func fullyEscaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.count
    let end = (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    var result = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      if place < start || place >= end || isControl(scalar) {
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      } else {
        if ["`", "\\", "&", "<"].contains(scalar) { result.append("\\") }
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Line breaks of any kind, and what editors do not keep.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x85 || (0x2028...0x2029).contains(scalar.value)
  }

  /// Puts a backslash before what would begin a list, a heading, a quote …
  private static func guardingBlockStart(_ line: String) -> String {
    let bytes = Array(line.utf8)
    switch MarkdownLine(number: 0, bytes: bytes[...]).kind {
    case .text, .blank: return line
    case .item where (0x30...0x39).contains(bytes[0]):
      let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
      return String(decoding: bytes[..<digits] + [UInt8(ascii: "\\")] + bytes[digits...], as: UTF8.self)
    default: return "\\" + line
    }
  }
}

/// Walks over inline source: code spans, escapes, references.
private struct InlineScanner {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  /// Where the runs of backticks of each length begin, in order: looking for a closing run takes no walk.
  private var runs: [Int: [Int]] = [:]

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
    var next = 0
    while next < scalars.count {
      let length = runLength(at: next)
      if length > 0 { runs[length, default: []].append(next) }
      next += max(length, 1)
    }
  }

  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  mutating func resolved() -> String {
    var result = String.UnicodeScalarView()
    while place < scalars.count {
      let scalar = scalars[place]
      switch scalar {
      case "`":
        let end = endOfCode()
        result.append(contentsOf: scalars[place..<end])
        place = end
      case "\\" where place + 1 < scalars.count && Self.isPunctuation(scalars[place + 1]):
        result.append(scalars[place + 1])
        place += 2
      case "&":
        let (value, end) = reference()
        result.append(value)
        place = end
      default:
        result.append(scalar)
        place += 1
      }
    }
    return String(result)
  }

  /// True when there is `<` before a letter, /, ! or ? outside code: HTML, or a comment.
  mutating func opensTag() -> Bool {
    while place < scalars.count {
      if scalars[place] == "`" {
        place = endOfCode()
        continue
      }
      if scalars[place] == "<", place + 1 < scalars.count {
        let next = scalars[place + 1]
        if next.properties.isAlphabetic || ["/", "!", "?"].contains(next) { return true }
      }
      // An escaped backtick begins no code; any other escape may be walked through.
      place += scalars[place] == "\\" ? 2 : 1
    }
    return false
  }

  /// The end of the code span that begins here, or of the backticks alone when nothing closes them.
  private func endOfCode() -> Int {
    let length = runLength(at: place)
    let starts = runs[length] ?? []
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < place + length { low = middle + 1 } else { high = middle }
    }
    return low < starts.count ? starts[low] + length : place + length
  }

  private func runLength(at start: Int) -> Int {
    var end = start
    while end < scalars.count, scalars[end] == "`" { end += 1 }
    return end - start
  }

  /// The character that a reference stands for and the place after it; the ampersand itself when it is none.
  private func reference() -> (Unicode.Scalar, Int) {
    var name = ""
    var end = place + 1
    while end < scalars.count, end - place <= 9, scalars[end] != ";" {
      name.unicodeScalars.append(scalars[end])
      end += 1
    }
    guard end < scalars.count, scalars[end] == ";" else { return ("&", place + 1) }
    if let scalar = Self.named[name] { return (scalar, end + 1) }
    guard name.utf8.first == UInt8(ascii: "#") else { return ("&", place + 1) }
    var digits = name.utf8.dropFirst()
    let isHex = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    if isHex { digits = digits.dropFirst() }
    guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let value = UInt32(String(Substring(digits)), radix: isHex ? 16 : 10), value > 0,
      let scalar = Unicode.Scalar(value)
    else { return ("&", place + 1) }
    return (scalar, end + 1)
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
