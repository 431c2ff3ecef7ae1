// What Unicode says of a text: line breaks, grapheme clusters, bidi levels, properties. The only file that uses ICU.
import Locks
import _FoundationICU

/// A run of one bidi level.
struct LevelRun {
  var end: Int
  var level: UInt8
}

/// ICU's algorithms on UTF-16 text. Iterators are costly to open, so they are kept for reuse.
final class UnicodeText: Sendable {
  private enum Kind: Hashable {
    case line(language: String, strictness: String)
    case character
  }

  /// `@unchecked Sendable`: an iterator is either in the pool or with the one caller that took it out.
  @safe private struct Iterator: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let pool: Lock<[Kind: [Iterator]]> = Lock([:])

  deinit {
    pool.withLock { pool in
      for iterator in pool.values.joined() { unsafe swift_ubrk_close(iterator.pointer) }
    }
  }

  /// Places where a line may end (UAX #14), rising, the end of the text included.
  ///
  /// - Parameters:
  ///   - language: lower-case language subtag.
  ///   - strictness: `loose`, `normal` or `strict`.
  func lineBreaks(_ text: UnsafeBufferPointer<UInt16>, language: String, strictness: String, _ body: (Int) -> Void) {
    unsafe boundaries(text, .line(language: language, strictness: strictness), body)
  }

  /// Ends of the grapheme clusters (UAX #29), rising.
  func graphemeEnds(_ text: UnsafeBufferPointer<UInt16>, _ body: (Int) -> Void) {
    unsafe boundaries(text, .character, body)
  }

  private func boundaries(_ text: UnsafeBufferPointer<UInt16>, _ kind: Kind, _ body: (Int) -> Void) {
    guard !text.isEmpty, let iterator = take(kind) else { return }
    var status = U_ZERO_ERROR
    unsafe swift_ubrk_setText(iterator.pointer, text.baseAddress, Int32(text.count), &status)
    while true {
      let next = unsafe swift_ubrk_next(iterator.pointer)
      if next == -1 { break }
      body(Int(next))
    }
    unsafe swift_ubrk_setText(iterator.pointer, nil, 0, &status)
    give(iterator, kind)
  }

  private func take(_ kind: Kind) -> Iterator? {
    if let iterator = pool.withLock({ $0[kind]?.popLast() }) { return iterator }
    var status = U_ZERO_ERROR
    let pointer =
      switch kind {
      case .line(let language, let strictness):
        unsafe swift_ubrk_open(UBRK_LINE, "\(language)@lb=\(strictness)", nil, 0, &status)
      case .character: unsafe swift_ubrk_open(UBRK_CHARACTER, "", nil, 0, &status)
      }
    guard status.rawValue <= 0, let pointer = unsafe pointer else { return nil }
    return unsafe Iterator(pointer: pointer)
  }

  private func give(_ iterator: Iterator, _ kind: Kind) {
    let isKept = pool.withLock { pool in
      guard pool[kind] != nil || pool.count < FontLimits.iteratorKinds else { return false }
      guard pool[kind, default: []].count < FontLimits.iteratorsPerKind else { return false }
      pool[kind, default: []].append(iterator)
      return true
    }
    if !isKept { unsafe swift_ubrk_close(iterator.pointer) }
  }

  /// Runs of one embedding level (UAX #9); the paragraph's direction is that of its first strong character.
  ///
  /// ICU's time for brackets and isolates without an end grows with the square of their number, so very long paragraphs
  /// go in pieces; an embedding does not reach beyond its piece there.
  func levelRuns(_ text: UnsafeBufferPointer<UInt16>) -> [LevelRun] {
    var runs: [LevelRun] = []
    guard let bidi = unsafe swift_ubidi_open() else { return [LevelRun(end: text.count, level: 0)] }
    defer { unsafe swift_ubidi_close(bidi) }
    var base = UBiDiLevel(UBIDI_DEFAULT_LTR)
    var start = 0
    while start < text.count {
      var end = min(text.count, start + FontLimits.bidiUnits)
      if unsafe end < text.count && text[end] & 0xFC00 == 0xDC00 { end -= 1 }
      var status = U_ZERO_ERROR
      unsafe swift_ubidi_setPara(bidi, text.baseAddress! + start, Int32(end - start), base, nil, &status)
      let levels = unsafe swift_ubidi_getLevels(bidi, &status)
      if start == 0, status.rawValue <= 0 { base = unsafe swift_ubidi_getParaLevel(bidi) }
      for unit in start..<end {
        let level = unsafe status.rawValue <= 0 ? levels?[unit - start] ?? 0 : 0
        if runs.last?.level == level {
          runs[runs.count - 1].end = unit + 1
        } else {
          runs.append(LevelRun(end: unit + 1, level: level))
        }
      }
      start = end
    }
    return runs
  }

  /// ICU's version, such as `76.1`.
  static var version: String {
    var version: [UInt8] = [0, 0, 0, 0]
    unsafe swift_u_getVersion(&version)
    return "\(version[0]).\(version[1])"
  }

  /// Whether a character is shown as an emoji unless something says otherwise (UTS #51, Emoji_Presentation).
  static func isEmojiPresentation(_ character: UInt32) -> Bool {
    swift_u_hasBinaryProperty(UChar32(bitPattern: character), UCHAR_EMOJI_PRESENTATION) != 0
  }

  /// Whether a character may be shown as an emoji (UTS #51, Emoji).
  static func isEmoji(_ character: UInt32) -> Bool {
    swift_u_hasBinaryProperty(UChar32(bitPattern: character), UCHAR_EMOJI) != 0
  }

  /// Whether a font need not have a character (Default_Ignorable_Code_Point).
  static func isIgnorable(_ character: UInt32) -> Bool {
    if character < 0xAD { return false }
    return swift_u_hasBinaryProperty(UChar32(bitPattern: character), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0
  }
}
