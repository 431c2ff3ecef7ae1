// The character encodings of imported files: UTF-8 and UTF-16, with or without a byte order mark.

internal import InterviewKits
internal import JSON

enum ImportEncoding {
  /// The file's text as UTF-8 without a byte order mark. Without a mark, a zero byte beside the first character tells
  /// UTF-16, as headers and Markdown begin with ASCII.
  static func utf8(_ bytes: [UInt8]) throws(InvalidDocument) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try checked(Array(bytes.dropFirst(3))) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), isLittleEndian: true) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), isLittleEndian: false) }
    if bytes.count >= 2, bytes[0] != 0, bytes[1] == 0 { return try utf16(bytes[...], isLittleEndian: true) }
    if bytes.count >= 2, bytes[0] == 0, bytes[1] != 0 { return try utf16(bytes[...], isLittleEndian: false) }
    return try checked(bytes)
  }

  private static func checked(_ bytes: [UInt8]) throws(InvalidDocument) -> [UInt8] {
    guard let offset = UTF8Check.firstInvalidByte(in: bytes) else { return bytes }
    throw refusal(
      "invalidUTF8", line: lineCount(of: bytes[..<offset]),
      "The file is neither UTF-8 nor UTF-16 with a byte order mark: it can't be read from byte \(offset) on.")
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) throws(InvalidDocument) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var place = bytes.startIndex
    while place + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
      place += 2
    }
    let isHalved = !bytes.count.isMultiple(of: 2)
    guard !isHalved, let text = String(validating: units, as: UTF16.self) else {
      let name = isLittleEndian ? "UTF-16LE" : "UTF-16BE"
      throw refusal(
        "invalidUTF16", line: nil,
        "The file looks like \(name), but \(isHalved ? "ends within a character" : "holds half a surrogate pair").")
    }
    return Array(text.utf8)
  }

  private static func refusal(_ code: String, line: Int?, _ message: String) -> InvalidDocument {
    InvalidDocument(issues: [Issue(pointer: "", code: code, message: message, line: line)])
  }

  /// The number of the line that `bytes` end in, from 1; a line ends with LF, CR or CRLF.
  static func lineCount(of bytes: ArraySlice<UInt8>) -> Int {
    var count = 1
    var last: UInt8 = 0
    for byte in bytes {
      if byte == 0x0D || (byte == 0x0A && last != 0x0D) { count += 1 }
      last = byte
    }
    return count
  }
}
