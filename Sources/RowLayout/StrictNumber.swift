// Decimal numbers of a query or a file name: no signs but a minus, no hexadecimal, no words.

enum StrictNumber {
  /// The number when `text` follows the grammar of a JSON number and is finite.
  static func parse(_ text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 40 else { return nil }
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
        break
      default: return nil
      }
    }
    guard text.utf8.first != UInt8(ascii: "+"), let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
