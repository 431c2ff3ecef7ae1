// Splits a text at its hard breaks.

/// Paragraphs of a text by hard breaks: LF, CR, CRLF (one break), VT, FF, U+0085, U+2028, U+2029.
enum HardBreaks {
  /// The next hard break at or after a byte of UTF-8, nil when there is none.
  static func next(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
    var index = start
    while index < text.count {
      let length = unsafe self.length(text, at: index)
      if length > 0 { return index..<index + length }
      index += 1
    }
    return nil
  }

  /// UTF-16 units of a break.
  static func units(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int {
    unsafe text[range.lowerBound] < 0x80 ? range.count : 1
  }

  /// Bytes of the break at a byte; 0: none.
  private static func length(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    func byte(_ offset: Int) -> UInt8 { unsafe index + offset < text.count ? text[index + offset] : 0 }
    switch byte(0) {
    case 0x0D: return byte(1) == 0x0A ? 2 : 1
    case 0x0A...0x0C: return 1
    case 0xC2: return byte(1) == 0x85 ? 2 : 0
    case 0xE2: return byte(1) == 0x80 && byte(2) & 0xFE == 0xA8 ? 3 : 0
    default: return 0
    }
  }
}
