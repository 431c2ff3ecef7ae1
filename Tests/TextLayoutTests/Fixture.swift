// What the tests of text layout share: the shipped fonts and short ways to measure with them.
import TextLayout

enum Fixture {
  /// The repository's folder, from this file's place in it.
  static let repository = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")
  static let configuration = repository + "/Config/fonts.json"

  static let fonts: FontLibrary = {
    do { return try FontLibrary(configurationFile: configuration) } catch { fatalError("\(error)") }
  }()

  static let measurer = TextMeasurer(fonts: fonts, cacheBytes: 16 << 20)

  static func measure(
    _ text: String, _ family: String = "Roboto", fallbacks: [String] = [], size: Double = 16, locale: String = "en",
    width: Double = 100_000, rules: TextRules = .android
  ) -> TextMeasurement {
    let style = TextStyle(family: family, fallbacks: fallbacks, size: size, locale: locale)
    return measurer.measure(text, style: style, width: width, rules: rules)
  }

  /// The text of each line, breaks included.
  static func lines(of text: String, _ measurement: TextMeasurement) -> [String] {
    let units = Array(text.utf16)
    return measurement.lineStarts.enumerated().map { index, start in
      let end = index + 1 < measurement.lineStarts.count ? measurement.lineStarts[index + 1] : units.count
      return String(decoding: units[start..<end], as: UTF16.self)
    }
  }
}

extension TextRules {
  /// An `EditText` without font padding at one pixel a dp.
  static let android = TextRules(
    lineHeight: .android(includeFontPadding: false, spacingExtra: 0, spacingMultiplier: 1), countsTrailingBreak: true)
  static let iosLabel = TextRules(lineHeight: .ios(usesFontLeading: false), scale: 3)
  static let iosTextView = TextRules(lineHeight: .ios(usesFontLeading: false), countsTrailingBreak: true, scale: 3)

  func with(_ change: (inout TextRules) -> Void) -> TextRules {
    var rules = self
    change(&rules)
    return rules
  }
}
