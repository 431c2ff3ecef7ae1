// The set of characters that a face has: a page table of bits, one look-up a character.
import CHarfBuzz

/// A set of Unicode code points.
struct CodePointSet: Sendable {
  /// Page of each 256 code points; page 0 is empty.
  private var pageOf: [UInt16]
  private var words: [UInt64]

  init() {
    pageOf = [UInt16](repeating: 0, count: 0x1100)
    words = [UInt64](repeating: 0, count: 4)
  }

  /// The characters of a face's cmap.
  init(face: OpaquePointer) {
    self.init()
    for range in unsafe Self.ranges(of: face) { insert(range) }
  }

  /// The characters of a face's cmap as ranges in rising order.
  static func ranges(of face: OpaquePointer) -> [ClosedRange<UInt32>] {
    let set = unsafe hb_set_create()
    defer { unsafe hb_set_destroy(set) }
    unsafe hb_face_collect_unicodes(face, set)
    var ranges: [ClosedRange<UInt32>] = []
    var first = hb_codepoint_t.max
    var last = hb_codepoint_t.max
    while unsafe hb_set_next_range(set, &first, &last) != 0, first <= 0x10FFFF {
      ranges.append(first...min(last, 0x10FFFF))
    }
    return ranges
  }

  mutating func insert(_ range: ClosedRange<UInt32>) {
    for character in range {
      let page = Int(character >> 8)
      if pageOf[page] == 0 {
        pageOf[page] = UInt16(words.count / 4)
        words.append(contentsOf: repeatElement(0, count: 4))
      }
      words[Int(pageOf[page]) * 4 + Int(character >> 6 & 3)] |= 1 << UInt64(character & 63)
    }
  }

  func contains(_ character: UInt32) -> Bool {
    guard character <= 0x10FFFF else { return false }
    return words[Int(pageOf[Int(character >> 8)]) * 4 + Int(character >> 6 & 3)] >> UInt64(character & 63) & 1 == 1
  }
}
