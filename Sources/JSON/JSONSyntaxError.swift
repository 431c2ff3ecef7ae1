// Why bytes are no acceptable JSON text, and where.

/// What bounds a JSON text besides its size, which its receiver bounds.
public struct JSONLimits: Sendable, Hashable {
  /// The most arrays and objects inside one another.
  public var depth: Int

  public init(depth: Int = 64) { self.depth = depth }

  public static let standard = JSONLimits()

  /// The most issues that are listed for one document.
  public static let issues = 1_000
  /// Unicode scalars of one message: of a longer one, which repeats what was sent, the middle is left out.
  public static let messageScalars = 500
  /// Unicode scalars of a member's name in a pointer; the middle of a longer one is left out.
  public static let tokenScalars = 100
}

/// The first thing that makes bytes unreadable as JSON.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// `invalidUTF8`, `loneSurrogate`, `tooDeep`, `doubledMember` or `invalidJSON`.
  public var code: String
  /// The byte at which it was noticed, from 0.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The code point within the line, from 1.
  public var column: Int
  /// A JSON Pointer (RFC 6901) to the value that was being read.
  public var pointer: String
  /// A sentence for people.
  public var message: String

  init(code: String, offset: Int, in bytes: [UInt8], pointer: String = "", message: String) {
    (self.code, self.offset, self.pointer, self.message) = (code, offset, pointer, message)
    (line, column) = (1, 1)
    for place in 0..<min(offset, bytes.count) {
      let byte = bytes[place]
      if byte == 0x0A || byte == 0x0D {
        let isSecondHalf = byte == 0x0A && place > 0 && bytes[place - 1] == 0x0D
        if !isSecondHalf { line += 1 }
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }

  /// The same error seen from the value that holds the one it was found in.
  func inside(_ token: String) -> JSONSyntaxError {
    var copy = self
    copy.pointer = JSONPointer.appending(token, to: "") + pointer
    return copy
  }
}

/// JSON Pointers (RFC 6901).
public enum JSONPointer {
  /// The pointer to the member or element `token` of what `pointer` points to; a token longer than
  /// `JSONLimits.tokenScalars` is shortened, as it only tells people where.
  public static func appending(_ token: String, to pointer: String) -> String {
    let token = token.shortened(to: JSONLimits.tokenScalars)
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return pointer + "/" + token
    }
    var escaped = pointer + "/"
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
