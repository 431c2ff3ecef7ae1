// How a cell is written (RFC 4180).

extension [UInt8] {
  /// Quotes where the text needs them: for delimiters of any kind, quotes, line ends, white space at the ends, nothing.
  mutating func appendCSVCell(_ text: String) {
    let special: Set<UInt8> = [0x09, 0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";")]
    let utf8 = Array(text.utf8)
    let needsQuotes = utf8.isEmpty || utf8.first == 0x20 || utf8.last == 0x20 || utf8.contains(where: special.contains)
    guard needsQuotes else { return append(contentsOf: utf8) }
    append(UInt8(ascii: "\""))
    for byte in utf8 {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }
}
