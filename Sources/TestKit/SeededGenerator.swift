// Random numbers that come again with the same seed.

/// SplitMix64 (Steele, Lea and Flood, 2014): small, fast, and the same on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// `count` random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
  }

  /// A text of `count` scalars of many scripts, among them separators, marks that combine, and emoji.
  public mutating func text(scalars count: Int) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x17F, 0x300...0x36F, 0x391...0x3C9, 0x410...0x44F, 0x5D0...0x5EA, 0x621...0x64A,
      0x905...0x939, 0xE01...0xE3A, 0x1100...0x1112, 0x2010...0x2029, 0x3041...0x30FF, 0x4E00...0x9FA5,
      0xAC00...0xD7A3, 0xFE00...0xFE0F, 0x1F300...0x1F64F,
    ]
    var text = String.UnicodeScalarView()
    while text.count < count {
      let range = ranges[Int(next() % UInt64(ranges.count))]
      let value = range.lowerBound + UInt32(truncatingIfNeeded: next() % UInt64(range.count))
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}
