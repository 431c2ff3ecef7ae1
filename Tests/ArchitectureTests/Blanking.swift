// Blanks out comments, strings and backticked names, so that what is left is code.

struct Blanking {
  private var bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func run() -> [UInt8] {
    code(untilParenthesis: false)
    return bytes
  }

  private func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    let start = index + offset
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { buffer in unsafe buffer.elementsEqual(bytes[start..<start + buffer.count]) }
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
      index += 1
    }
  }

  /// Walks over code, until the parenthesis that ends an interpolation when it is in one.
  private mutating func code(untilParenthesis isInterpolation: Bool) {
    var depth = 0
    while index < bytes.count {
      if has("//") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank() }
      } else if has("/*") {
        blockComment()
      } else if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "#") {
        stringOrHash()
      } else if bytes[index] == UInt8(ascii: "`") {
        backticks()
      } else {
        if bytes[index] == UInt8(ascii: "(") { depth += 1 }
        if bytes[index] == UInt8(ascii: ")") {
          depth -= 1
          if isInterpolation, depth < 0 { return }
        }
        if isInterpolation { blank() } else { index += 1 }
      }
    }
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if has("/*") {
        depth += 1
        blank(2)
      } else if has("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && index < bytes.count
  }

  /// A name in backticks becomes a plain word, so that `func` still has a name after it.
  private mutating func backticks() {
    blank()
    while index < bytes.count, bytes[index] != UInt8(ascii: "`"), bytes[index] != UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: "x")
      index += 1
    }
    blank()
  }

  private mutating func stringOrHash() {
    var hashes = 0
    while index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "#") { hashes += 1 }
    guard index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "\"") else {
      index += max(hashes, 1)
      return
    }
    blank(hashes)
    let isMultiline = has("\"\"\"")
    blank(isMultiline ? 3 : 1)
    while index < bytes.count {
      if !isMultiline, bytes[index] == UInt8(ascii: "\n") { return }
      if ends(multiline: isMultiline, hashes: hashes) {
        blank((isMultiline ? 3 : 1) + hashes)
        return
      }
      if bytes[index] == UInt8(ascii: "\\"), hashesFollow(hashes, at: 1) {
        escape(hashes)
      } else {
        blank()
      }
    }
  }

  private func ends(multiline isMultiline: Bool, hashes: Int) -> Bool {
    isMultiline ? has("\"\"\"") && hashesFollow(hashes, at: 3) : has("\"") && hashesFollow(hashes, at: 1)
  }

  private func hashesFollow(_ count: Int, at offset: Int) -> Bool {
    let start = index + offset
    return start + count <= bytes.count && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  /// An escape in a string: an interpolation is walked over as code and blanked with what it holds.
  private mutating func escape(_ hashes: Int) {
    blank(1 + hashes)
    guard index < bytes.count, bytes[index] == UInt8(ascii: "(") else { return blank() }
    blank()
    code(untilParenthesis: true)
    blank()
  }
}
