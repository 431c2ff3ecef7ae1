// Finds the places where a line may end: UAX #14, and what a platform does on top of it or instead.

/// Finds the break opportunities of one paragraph.
struct BreakFinder {
  let rules: LineBreakRules
  /// Lower-case language subtag.
  let language: String
  let unicode: UnicodeText

  /// Calls `body` for each place, rising, the end of the text included.
  func find(in text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) {
    var last = 0
    func report(_ position: Int) {
      last = position
      body(position)
    }
    switch rules.pairs {
    case .unicode: unsafe unicodeBreaks(text, report)
    case .web: unsafe webBreaks(text, report)
    case .android: unsafe androidBreaks(text, report)
    }
    if last != text.count { body(text.count) }
  }

  func unicodeBreaks(_ text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) {
    if unsafe PlainBreaks.find(in: text, body) { return }
    let strictness = rules.strictness.rawValue
    if unsafe needsTailoring(text) {
      let tailored = unsafe text.map(tailored)
      unsafe tailored.withUnsafeBufferPointer {
        unsafe unicode.lineBreaks($0, language: language, strictness: strictness, body)
      }
    } else {
      unsafe unicode.lineBreaks(text, language: language, strictness: strictness, body)
    }
  }

  private func needsTailoring(_ text: UnsafeBufferPointer<UInt16>) -> Bool {
    if unsafe rules.quotes == .unicode && text.contains(where: Self.isQuote) { return true }
    guard rules.hangul == .word || rules.softHyphen == .ignored else { return false }
    return unsafe text.contains { $0 == 0xAD || $0 >= 0x1100 }
  }

  /// The unit that ICU sees instead: UAX #14 §8 keeps Korean words whole by giving Hangul the class of letters; a soft
  /// hyphen that is no place to break becomes a mark on the letter before it. Quotation marks become others of class QU, an
  /// opening (Pi) or a closing one (Pf), which no locale's ICU takes for brackets.
  private func tailored(_ unit: UInt16) -> UInt16 {
    switch unit {
    case 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7FB: rules.hangul == .word ? 0x61 : unit
    case 0xAD: rules.softHyphen == .ignored ? 0x200C : unit
    case 0xAB, 0x2018, 0x201C, 0x2039: rules.quotes == .unicode ? 0x2E02 : unit
    case 0xBB, 0x2019, 0x201D, 0x203A: rules.quotes == .unicode ? 0x2E03 : unit
    default: unit
    }
  }

  private static func isQuote(_ unit: UInt16) -> Bool {
    switch unit {
    case 0xAB, 0xBB, 0x2018, 0x2019, 0x201C, 0x201D, 0x2039, 0x203A: true
    default: false
    }
  }
}

// MARK: - Browsers

extension BreakFinder {
  /// Blink's way: after spaces always, between ASCII characters by `WebPairs`, else UAX #14.
  private func webBreaks(_ text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) {
    var next = 1
    func own(upTo end: Int) {
      while next < end {
        if unsafe WebPairs.isBreak(text, at: next) == true { body(next) }
        next += 1
      }
    }
    unsafe unicodeBreaks(text) { position in
      own(upTo: position)
      if position == text.count { return }
      if unsafe WebPairs.isBreak(text, at: position) ?? true { body(position) }
      next = position + 1
    }
    own(upTo: text.count)
  }
}

/// Blink's rule for a place with ASCII on both sides, found by asking Chromium for all pairs: see `compare-chromium`.
enum WebPairs {
  private static let isOpening = ASCIISet("(<[{")
  /// After these, a line ends before an opening bracket only.
  private static let endsBeforeOpening = ASCIISet("!\"#%&)*+,.:;=>\\]|}~")
  private static let neverAfterQuestion = ASCIISet("!\"'),./:;?]}")
  private static let neverAfterHyphen = ASCIISet("!$),./:;?]}")

  /// Whether a line may end before a unit; nil: as UAX #14 says.
  static func isBreak(_ text: UnsafeBufferPointer<UInt16>, at position: Int) -> Bool? {
    let (before, after) = unsafe (text[position - 1], text[position])
    if isSpace(after) { return false }
    if isSpace(before) { return true }
    if needsUnicode(before) || needsUnicode(after) { return nil }
    guard (0x21...0x7E).contains(before), (0x21...0x7E).contains(after) else { return false }
    switch before {
    case 0x2D:
      // A minus sign stays with its number; a hyphen in a code or a date does not.
      if isDigit(after) { return unsafe position > 1 && isAlphanumeric(text[position - 2]) }
      return !neverAfterHyphen.contains(after)
    case 0x3F: return !neverAfterQuestion.contains(after)
    default: return endsBeforeOpening.contains(before) && isOpening.contains(after)
    }
  }

  private static func isSpace(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0x09 }
  private static func needsUnicode(_ unit: UInt16) -> Bool { unit > 0x7F && unit != 0xA0 }
  private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

  private static func isAlphanumeric(_ unit: UInt16) -> Bool {
    isDigit(unit) || (0x41...0x5A).contains(unit) || (0x61...0x7A).contains(unit)
  }

}

/// A set of ASCII characters as two words.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ characters: String) {
    for byte in characters.utf8 { if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte & 63) } }
  }

  func contains(_ unit: UInt16) -> Bool {
    unit < 64 ? low >> unit & 1 == 1 : unit < 128 && high >> (unit & 63) & 1 == 1
  }
}
