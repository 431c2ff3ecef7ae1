// One Swift file as the rules see it: its lines, its code without comments and strings, imports, functions.

struct SwiftSource {
  /// The path from the package's root.
  let path: String
  let lines: [Substring]
  /// The code with comments, strings and the inside of backticks blanked out; line breaks stay.
  let code: [UInt8]

  init(path: String, text: String) {
    self.path = path
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    if lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
    var blanking = Blanking(Array(text.utf8))
    code = blanking.run()
  }

  /// The folder under `Sources` or `Tests`.
  var module: String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[1]) : ""
  }

  var isTest: Bool { path.hasPrefix("Tests/") }

  struct Import: Equatable {
    let module: String
    let line: Int
  }

  /// Every `import`, whatever attributes, access and kind stand with it.
  var imports: [Import] {
    let kinds: Set = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor"]
    let words = Words(code).all
    return words.indices.compactMap { index in
      guard words[index].text == "import", index + 1 < words.count else { return nil }
      let next = words[index + 1]
      let isKind = kinds.contains(next.text) && index + 2 < words.count
      return Import(module: isKind ? words[index + 2].text : next.text, line: words[index].line)
    }
  }

  struct Function: Equatable {
    let name: String
    let line: Int
    let lineCount: Int
  }

  /// Every function, initialiser, deinitialiser, subscript and computed property with its length in lines.
  var functions: [Function] {
    let words = Words(code).all
    return words.indices.compactMap { index in
      let word = words[index]
      guard ["func", "init", "deinit", "subscript", "var"].contains(word.text), !word.followsDot,
        let braces = body(after: word)
      else { return nil }
      let name = word.text == "func" || word.text == "var" ? words[index + 1].text : word.text
      return Function(name: name, line: word.line, lineCount: braces.lastLine - word.line + 1)
    }
  }

  /// The lines of the body that belongs to a declaration, nil when it has none (a requirement, a stored property, a call).
  private func body(after word: Words.Word) -> (firstLine: Int, lastLine: Int)? {
    var (line, parentheses, index) = (word.line, 0, word.end)
    var sawParameters = false
    while index < code.count {
      switch code[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        parentheses -= 1
        sawParameters = true
        if parentheses < 0 { return nil }
      case UInt8(ascii: "\n"):
        line += 1
        if parentheses == 0, sawParameters || word.text == "var", startsDeclaration(at: index + 1) { return nil }
      case UInt8(ascii: "=") where word.text == "var" && parentheses == 0: return nil
      case UInt8(ascii: "}") where parentheses == 0: return nil
      case UInt8(ascii: ";") where parentheses == 0: return nil
      case UInt8(ascii: "{") where parentheses == 0:
        return closing(from: index, line: line).map { (line, $0) }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// True when the next word after `index` begins another declaration, so that the one before had no body.
  private func startsDeclaration(at index: Int) -> Bool {
    let rest = Words(Array(code[index..<min(index + 200, code.count)])).all
    return rest.first.map {
      [
        "func", "init", "deinit", "subscript", "var", "let", "case", "static", "public", "private", "internal",
        "fileprivate", "package", "mutating", "struct", "enum", "class", "extension", "associatedtype",
      ].contains($0.text)
    } ?? false
  }

  /// The line of the brace that closes the one at `start`.
  private func closing(from start: Int, line: Int) -> Int? {
    var (depth, line) = (0, line)
    for byte in code[start...] {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return line }
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    return nil
  }
}

/// The words of code with their lines.
struct Words {
  struct Word {
    let text: String
    let line: Int
    let end: Int
    let followsDot: Bool
  }

  let all: [Word]

  init(_ code: [UInt8]) {
    var (words, line, index): ([Word], Int, Int) = ([], 1, 0)
    while index < code.count {
      if Self.belongs(code[index]) {
        let start = index
        while index < code.count, Self.belongs(code[index]) { index += 1 }
        let text = String(decoding: code[start..<index], as: UTF8.self)
        let followsDot = start > 0 && code[start - 1] == UInt8(ascii: ".")
        words.append(Word(text: text, line: line, end: index, followsDot: followsDot))
      } else {
        if code[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
      }
    }
    all = words
  }

  private static func belongs(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
      || byte >= 0x80
  }
}
