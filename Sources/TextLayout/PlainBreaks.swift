// Places to break in plain text, where UAX #14 says the same in every language: after its spaces.

/// Words of ASCII letters and digits, with commas, stops and the like in and behind them.
enum PlainBreaks {
  private enum Kind: UInt8 {
    case other, word, space, stop, mark, apostrophe
  }

  private static let kinds: [Kind] = (0..<128).map { unit -> Kind in
    switch unit {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: .word
    case 0x20: .space
    case 0x2C, 0x2E, 0x3A, 0x3B: .stop
    case 0x21, 0x3F: .mark
    case 0x27: .apostrophe
    default: .other
    }
  }

  /// Calls `body` with each place, rising, the end included; false, and no call, when the text has anything else.
  static func find(in text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) -> Bool {
    guard !text.isEmpty, unsafe isPlain(text) else { return false }
    for index in 1..<text.count where unsafe text[index - 1] == 0x20 && text[index] != 0x20 {
      body(index)
    }
    body(text.count)
    return true
  }

  /// A stop does not part from the word before it (LB13), nor from one behind it (LB25, LB29), nor an apostrophe from words on
  /// both sides (LB19), nor letters from digits (LB23, LB25, LB28); after spaces a word begins a line (LB18).
  private static func isPlain(_ text: UnsafeBufferPointer<UInt16>) -> Bool {
    let kinds = kinds
    var last = Kind.space
    for index in text.indices {
      let unit = unsafe text[index]
      guard unit < 128 else { return false }
      let kind = kinds[Int(unit)]
      let isAllowed =
        switch kind {
        case .other: false
        case .word: last != .mark
        case .space: last != .apostrophe
        case .stop, .mark: last != .space && last != .apostrophe
        case .apostrophe: last == .word
        }
      if !isAllowed { return false }
      last = kind
    }
    return last != .apostrophe
  }
}
