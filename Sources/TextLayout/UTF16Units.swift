// Turns strings into UTF-16 units, faster than their views do.

enum UTF16Units {
  /// The UTF-16 units of a part of a string's UTF-8, which Swift keeps well-formed, so that nothing is checked.
  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt16] {
    unsafe [UInt16](unsafeUninitializedCapacity: bytes.count) { units, count in
      count = unsafe decode(bytes, into: units)
    }
  }

  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, into units: UnsafeMutableBufferPointer<UInt16>) -> Int
  {
    var (index, count) = (0, 0)
    while index < bytes.count {
      if index + 8 <= bytes.count, unsafe isASCII(bytes, index) {
        for place in 0..<8 { unsafe units[count + place] = UInt16(bytes[index + place]) }
        (index, count) = (index + 8, count + 8)
        continue
      }
      let first = unsafe UInt32(bytes[index])
      if first < 0x80 {
        unsafe units[count] = UInt16(truncatingIfNeeded: first)
        (index, count) = (index + 1, count + 1)
      } else if first < 0xE0 {
        unsafe units[count] = UInt16(truncatingIfNeeded: (first & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F))
        (index, count) = (index + 2, count + 1)
      } else if first < 0xF0 {
        let second = unsafe UInt32(bytes[index + 1] & 0x3F)
        let third = unsafe UInt32(bytes[index + 2] & 0x3F)
        unsafe units[count] = UInt16(truncatingIfNeeded: (first & 0xF) << 12 | second << 6 | third)
        (index, count) = (index + 3, count + 1)
      } else {
        let second = unsafe UInt32(bytes[index + 1] & 0x3F)
        let third = unsafe UInt32(bytes[index + 2] & 0x3F)
        let fourth = unsafe UInt32(bytes[index + 3] & 0x3F)
        let offset = ((first & 7) << 18 | second << 12 | third << 6 | fourth) - 0x10000
        unsafe units[count] = UInt16(truncatingIfNeeded: 0xD800 + offset >> 10)
        unsafe units[count + 1] = UInt16(truncatingIfNeeded: 0xDC00 + offset & 0x3FF)
        (index, count) = (index + 4, count + 2)
      }
    }
    return count
  }

  /// Whether eight bytes are characters of their own.
  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let word = unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    return word & 0x8080_8080_8080_8080 == 0
  }
}
