// Places to break in plain text, where UAX #14 (Unicode 16) says the same in every language.

/// Words of Latin, Greek and Cyrillic letters and ASCII digits, with the commonest signs in and around them. Lines end after
/// spaces, and after a hyphen or a slash between a word and a letter.
enum PlainBreaks {
  private enum Kind: UInt8 {
    case other, letter, digit, space, stop, mark, quote, open, close, hyphen, slash
  }

  /// By character, up to the last of `letters`.
  private static let kinds: [Kind] = {
    var kinds = [Kind](repeating: .other, count: 0x1F00)
    let signs: [(String, Kind)] = [
      ("0123456789", .digit), (" ", .space), (",.:;", .stop), ("!?", .mark), ("'\"", .quote), ("([", .open),
      (")]", .close),
      ("-", .hyphen), ("/", .slash),
    ]
    for (characters, kind) in signs { for byte in characters.utf8 { kinds[Int(byte)] = kind } }
    for range in letters { for character in range { kinds[character] = .letter } }
    return kinds
  }()

  /// Of class AL, all of them.
  private static let letters: [ClosedRange<Int>] = [
    0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x388...0x38A, 0x38C...0x38C, 0x38E...0x3A1,
    0x3A3...0x3CF, 0x400...0x481, 0x48A...0x52F, 0x1E00...0x1EFF,
  ]

  /// Calls `body` with each place, rising, the end included; false, and no call, when the text has anything else.
  static func find(in text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) -> Bool {
    let kinds = kinds
    return unsafe kinds.withUnsafeBufferPointer { kinds in
      guard !text.isEmpty, unsafe isPlain(text, kinds) else { return false }
      var last = unsafe kinds[Int(text[0])]
      for index in 1..<text.count {
        let kind = unsafe kinds[Int(text[index])]
        // After spaces (LB18), and what follows them when it is no space (LB7).
        if last == .space, kind != .space { body(index) }
        // A hyphen or a slash does not part from what is before it (LB13, LB21), but from a letter behind it.
        if kind == .letter, last == .hyphen || last == .slash { body(index) }
        last = kind
      }
      body(text.count)
      return true
    }
  }

  /// Whether no two neighbours are other than those below.
  ///
  /// Stops and marks do not part from what is before them (LB13, LB15d), nor a stop from a word behind it (LB25, LB29), nor
  /// quotation marks from either side (LB19), brackets from what is inside (LB13, LB14) or from words outside (LB30), letters
  /// from digits (LB23, LB28), or a hyphen from a digit (LB25).
  private static func isPlain(_ text: UnsafeBufferPointer<UInt16>, _ kinds: UnsafeBufferPointer<Kind>) -> Bool {
    var last = Kind.space
    for index in text.indices {
      let unit = unsafe Int(text[index])
      guard unit < kinds.count else { return false }
      let kind = unsafe kinds[unit]
      let isAllowed =
        switch kind {
        case .other: false
        case .letter: last != .mark
        case .digit: last != .mark && last != .slash
        case .space: last != .open
        case .quote: true
        case .stop, .mark, .close: last != .space
        case .open: last == .letter || last == .digit || last == .space || last == .open || last == .quote
        case .hyphen, .slash: last == .letter || last == .digit
        }
      if !isAllowed { return false }
      last = kind
    }
    return true
  }
}
