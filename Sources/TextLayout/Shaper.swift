// Shapes stretches of text with HarfBuzz and adds up the advances by UTF-16 unit.
import CHarfBuzz

/// One HarfBuzz buffer and what is needed to shape with it. Used by one thread at a time.
///
/// `@unchecked Sendable`: a shaper is either in the pool or with the one caller that took it out.
@safe final class Shaper: @unchecked Sendable {
  private let buffer: OpaquePointer
  private var language: hb_language_t?
  private var locale = ""
  /// Largest stretch shaped so far, for the pool to tell when a buffer has grown too big to keep.
  private(set) var largestUnits = 0

  init() { unsafe buffer = hb_buffer_create() }

  deinit { unsafe hb_buffer_destroy(buffer) }

  /// Sets the language of what is shaped next. HarfBuzz keeps every language for ever that it was given once, so it gets
  /// one of a bounded number.
  func setLocale(_ locale: String) {
    if locale.utf8.elementsEqual(self.locale.utf8), unsafe language != nil { return }
    self.locale = locale
    unsafe language = hb_language_from_string(LocaleTag.shapingLanguage(of: locale), -1)
  }

  /// Shapes part of one run.
  ///
  /// - Parameters:
  ///   - text: the text that the shape may depend on: it ends, or starts, where a line does.
  ///   - range: what is shaped, in units of `text`.
  ///   - strikeAdvance: the advance that every glyph takes instead of its own, or nil.
  ///   - body: called for each glyph with its cluster's first unit, its advance, and whether cutting there is unsafe.
  func shape(
    _ text: UnsafeBufferPointer<UInt16>, _ range: Range<Int>, run: TextRun, face: OpenFace, strikeAdvance: Int64?,
    _ body: (Int, Int64, Bool) -> Void
  ) {
    largestUnits = max(largestUnits, range.count)
    unsafe hb_buffer_clear_contents(buffer)
    unsafe hb_buffer_add_utf16(
      buffer, text.baseAddress, Int32(text.count), UInt32(range.lowerBound), Int32(range.count))
    unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, hb_script_t(rawValue: run.script))
    unsafe hb_buffer_set_language(buffer, language)
    unsafe hb_shape(face.font, buffer, nil, 0)
    var count: UInt32 = 0
    let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count)
    let positions = unsafe hb_buffer_get_glyph_positions(buffer, &count)
    guard let infos = unsafe infos, let positions = unsafe positions else { return }
    let unsafeMask = HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue
    for index in 0..<Int(count) {
      let info = unsafe infos[index]
      let own = unsafe positions[index].x_advance
      let advance = if let strikeAdvance, own > 0, info.codepoint != 0 { strikeAdvance } else { face.emUnits(own) }
      body(Int(info.cluster), advance, info.mask & unsafeMask != 0)
    }
  }
}

/// What HarfBuzz is, for the version of the engine.
enum HarfBuzz {
  static var version: String { unsafe String(cString: hb_version_string()) }
}

/// Scripts of characters, as HarfBuzz knows them.
enum Script {
  static let common = HB_SCRIPT_COMMON.rawValue
  static let inherited = HB_SCRIPT_INHERITED.rawValue
  static let latin = HB_SCRIPT_LATIN.rawValue
  static let unknown = HB_SCRIPT_UNKNOWN.rawValue

  static func of(_ character: UInt32) -> UInt32 {
    switch character {
    case 0x41...0x5A, 0x61...0x7A: return latin
    case 0..<0xAA: return common
    case 0xAC00...0xD7A3: return HB_SCRIPT_HANGUL.rawValue
    case 0x4E00...0x9FFF: return HB_SCRIPT_HAN.rawValue
    default: return merged(unsafe hb_unicode_script(hb_unicode_funcs_get_default(), character).rawValue)
    }
  }

  /// Hiragana and Katakana are one script to OpenType (`kana`), and words mix them: they shape as one run.
  static func merged(_ script: UInt32) -> UInt32 {
    script == HB_SCRIPT_KATAKANA.rawValue ? HB_SCRIPT_HIRAGANA.rawValue : script
  }

  /// The one character that a base and what follows it compose to, or nil.
  static func composed(_ base: UInt32, _ others: [UInt32]) -> UInt32? {
    var character = base
    for other in others {
      guard unsafe hb_unicode_compose(hb_unicode_funcs_get_default(), character, other, &character) != 0 else {
        return nil
      }
    }
    return character
  }

  /// Whether a character takes its script from its neighbours.
  static func isWeak(_ script: UInt32) -> Bool { script == common || script == inherited || script == unknown }
}
