// Request IDs: UUIDs of version 7 (RFC 9562, section 5.7).

/// Makes the request IDs of one loop. They are unique, not secret.
struct RequestIDSource {
  private var state: UInt64

  init() {
    var system = SystemRandomNumberGenerator()
    state = system.next()
  }

  /// A UUIDv7 in its text form.
  mutating func next(milliseconds: Int) -> String {
    let high = UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | random() & 0x0FFF
    let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for nibble in 0..<32 {
        if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
          unsafe buffer[position] = 0x2D
          position += 1
        }
        let word = nibble < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (nibble & 15)) & 0xF)
        unsafe buffer[position] = digit < 10 ? 0x30 + digit : 0x57 + digit
        position += 1
      }
      return position
    }
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
