// Scripts of characters, as HarfBuzz knows them, and its version.
import CHarfBuzz

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

  /// Whether a character is canonically itself: it decomposes to no others.
  static func isUndivided(_ character: UInt32) -> Bool {
    var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
    return unsafe hb_unicode_decompose(hb_unicode_funcs_get_default(), character, &first, &second) == 0
  }

  /// Whether a character takes its script from its neighbours.
  static func isWeak(_ script: UInt32) -> Bool { script == common || script == inherited || script == unknown }
}
