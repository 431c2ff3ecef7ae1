// Gives a closing bracket the script of the bracket that it closes.

/// Brackets that are open at a place in the text, with the script around each (UAX #24, section 5.1: pairs stay together).
struct BracketScripts {
  private static let maximumDepth = 32
  private var open: [(closing: UInt32, script: UInt32)] = []

  /// The script of a character: its own, or that of its partner when it closes a bracket.
  mutating func resolve(_ character: UInt32, _ own: UInt32, current: UInt32) -> UInt32 {
    if own != Script.common { return own }
    guard character >= 0x28, let (isOpening, partner) = Self.bracket(character) else { return own }
    if isOpening {
      if open.count == Self.maximumDepth { open.removeFirst() }
      open.append((partner, current))
      return own
    }
    guard let index = open.lastIndex(where: { $0.closing == character }) else { return own }
    let script = open[index].script
    open.removeSubrange(index...)
    return script
  }

  /// False for characters that are no brackets for sure.
  static func mayHave(_ unit: UInt16) -> Bool {
    if unit < 0x80 { return unit & 0xFE == 0x28 || (unit & 0xDD) == 0x5D || (unit & 0xDD) == 0x59 }
    return unit >= 0x2045 || unit & 0xFFFC == 0xF38 || unit & 0xFFFC == 0xF3C || unit & 0xFFF8 == 0x1698
  }

  /// Whether a character opens a bracket, and the one that closes it (BidiBrackets.txt of Unicode 15 and 16).
  static func bracket(_ character: UInt32) -> (isOpening: Bool, partner: UInt32)? {
    switch character {
    case 0x5B, 0x7B, 0xFF3B, 0xFF5B: return (true, character + 2)
    case 0x5D, 0x7D, 0xFF3D, 0xFF5D: return (false, character)
    // Pairs side by side, the opening one even …
    case 0x28, 0x29, 0xF3A...0xF3D, 0x2308...0x230B, 0x2768...0x2775, 0x27E6...0x27EF, 0x29D8...0x29DB, 0x29FC, 0x29FD,
      0x2E22...0x2E29, 0x3008...0x3011, 0x3014...0x301B, 0xFF08, 0xFF09, 0xFF62, 0xFF63:
      return character & 1 == 0 ? (true, character + 1) : (false, character)
    case 0x298D: return (true, 0x2990)
    case 0x298F: return (true, 0x298E)
    case 0x298E, 0x2990: return (false, character)
    // … and odd.
    case 0x169B, 0x169C, 0x2045, 0x2046, 0x207D, 0x207E, 0x208D, 0x208E, 0x2329, 0x232A, 0x27C5, 0x27C6,
      0x2983...0x2998, 0x2E55...0x2E5C, 0xFE59...0xFE5E, 0xFF5F, 0xFF60:
      return character & 1 == 1 ? (true, character + 1) : (false, character)
    default: return nil
    }
  }
}
