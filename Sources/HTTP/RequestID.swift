// The ID of a request: given by the client, or made by the server as a UUID of version 7 (RFC 9562, section 5.7).

/// Sixteen bytes that become text when they are asked for, or the client's own text.
public enum RequestID: Sendable, Hashable {
  /// A UUID: its first and last eight bytes as numbers.
  case made(UInt64, UInt64)
  case given(String)

  /// As `X-Request-Id` carries it.
  public var text: String {
    if case .given(let text) = self { return text }
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text to `output`, without making a `String` of it.
  public func append(to output: inout [UInt8]) {
    switch self {
    case .given(let text): output.append(text: text)
    case .made(let high, let low): output.append(copying: Self.text(high, low).span)
    }
  }

  /// Puts the text of a made ID over the 36 bytes of `output` from `place` on.
  public func put(into output: inout [UInt8], at place: Int) {
    guard case .made(let high, let low) = self else { preconditionFailure("only made IDs have all the same length") }
    let text = Self.text(high, low)
    precondition(place >= 0 && output.count - place >= text.count, "an ID has its place")
    // Within `output`, as has just been checked.
    unsafe output.withUnsafeMutableBytes { output in
      unsafe text.span.withUnsafeBytes { text in
        unsafe UnsafeMutableRawBufferPointer(rebasing: output[place..<place + text.count]).copyMemory(from: text)
      }
    }
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> InlineArray<36, UInt8> {
    var text = InlineArray<36, UInt8>(repeating: 0x2D)
    put(high >> 32, 0..<8, at: 0, &text)
    put(high, 0..<4, at: 9, &text)
    put(high, 4..<8, at: 14, &text)
    put(low >> 32, 0..<4, at: 19, &text)
    put(low >> 32, 4..<8, at: 24, &text)
    put(low, 0..<8, at: 28, &text)
    return text
  }

  /// Puts some of the eight hexadecimal digits of the lower half of `word`.
  @inline(__always) private static func put(
    _ word: UInt64, _ range: Range<Int>, at place: Int, _ text: inout InlineArray<36, UInt8>
  ) {
    // Eight digits at once: each half byte into a byte of its own, then into ASCII.
    var digits = word & 0xFFFF_FFFF
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    digits = digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    for index in range {
      text[place + index - range.lowerBound] = UInt8(truncatingIfNeeded: digits >> UInt64(56 - 8 * index))
    }
  }
}

/// Makes the request IDs of one loop. They are unique, not secret.
public struct RequestIDSource: Sendable {
  private var state: UInt64

  public init() {
    var system = SystemRandomNumberGenerator()
    state = system.next()
  }

  /// A UUIDv7.
  /// - Parameter milliseconds: since 1970.
  public mutating func next(milliseconds: Int) -> RequestID {
    let high = UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | random() & 0x0FFF
    return .made(high, random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// SplitMix64.
  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
