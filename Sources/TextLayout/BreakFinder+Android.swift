// Android's places to break: ICU's, without those after hyphens, and addresses by rules of their own.

extension BreakFinder {
  /// As Minikin's `WordBreaker`: a stretch of ASCII with `@` or `://` is an address and breaks where the Chicago Manual of
  /// Style breaks one; elsewhere ICU decides, but hard and soft hyphens are left to hyphenation.
  func androidBreaks(_ text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) {
    var positions: [Int] = []
    unsafe unicodeBreaks(text) { positions.append($0) }
    var (next, current) = (0, 0)
    var scannedTo = 0
    var addressEnd = -1
    while current < text.count {
      while next < positions.count, positions[next] <= current { next += 1 }
      let following = next < positions.count ? positions[next] : text.count
      if current >= scannedTo {
        let (end, isAddress) = unsafe Self.scan(text, from: current)
        scannedTo = max(end, current + 1)
        addressEnd = -1
        if isAddress {
          // Marks after the address belong to it.
          addressEnd = positions.first { $0 >= end } ?? text.count
          scannedTo = addressEnd
        }
      }
      if current < addressEnd {
        current = unsafe Self.breakInAddress(text, after: current, end: addressEnd)
        body(current)
      } else {
        current = following
        if unsafe current == text.count || isKept(text, current) { body(current) }
      }
    }
  }

  private func isKept(_ text: UnsafeBufferPointer<UInt16>, _ position: Int) -> Bool {
    let before = unsafe text[position - 1]
    if before == 0x1039 { return false }
    return !(rules.hyphens == .unbroken && Self.isHyphen(before))
  }

  /// `Hyphenator::isLineBreakingHyphen`, and the soft hyphen.
  static func isHyphen(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x2D, 0xAD, 0x58A, 0x5BE, 0x1400, 0x2010, 0x2013, 0x2027, 0x2E17, 0x2E40: true
    default: false
    }
  }

  /// The end of the ASCII characters from a place on, and whether they are an address.
  private static func scan(_ text: UnsafeBufferPointer<UInt16>, from start: Int) -> (end: Int, isAddress: Bool) {
    enum State { case start, colon, slash, address }
    var state = State.start
    var index = start
    while index < text.count {
      let unit = unsafe text[index]
      guard (0x21...0x7E).contains(unit) else { break }
      switch state {
      case .start where unit == 0x40: state = .address
      case .start where unit == 0x3A: state = .colon
      case .colon: state = unit == 0x2F ? .slash : .start
      case .slash: state = unit == 0x2F ? .address : .start
      default: break
      }
      index += 1
    }
    return (index, state == .address)
  }

  private static func breakInAddress(_ text: UnsafeBufferPointer<UInt16>, after start: Int, end: Int) -> Int {
    var last = unsafe text[start]
    var index = start + 1
    while index < end {
      if last == 0x3A || last == 0x3D || last == 0x26 { break }
      if last == 0x2F, index >= start + 2, unsafe text[index - 2] == 0x2F { break }
      let unit = unsafe text[index]
      if last != 0x2D {
        if isBrokenBefore(unit) { break }
        let isDouble = unsafe index + 1 < end && text[index + 1] == 0x2F
        if unit == 0x2F, last != 0x2F, !isDouble { break }
      }
      last = unit
      index += 1
    }
    return index
  }

  private static func isBrokenBefore(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x7E, 0x2E, 0x2C, 0x2D, 0x5F, 0x3F, 0x23, 0x25, 0x3D, 0x26: true
    default: false
    }
  }
}
