// What a measure request asks: texts, each with its settings resolved, and what measuring them gives.

internal import JSON
public import TextLayout

/// A checked measure request.
public struct MeasureRequest: Sendable {
  /// One text with everything that its height depends on.
  public struct Item: Sendable {
    public let id: String
    public let text: String
    /// The place of its settings in `settings`.
    public let setting: Int
    public let includesLineStarts: Bool
  }

  /// The settings that the texts use, each once; the first are those of the top level.
  public internal(set) var settings: [MeasureSetting]
  public internal(set) var items: [Item]
}

/// Everything that the height of a measured text depends on, as it was applied.
public struct MeasureSetting: Sendable, Hashable {
  public let profile: Profile
  public let mode: PartMode
  /// The width of the view.
  public let width: Double
  /// The font with the text size setting applied.
  public let family: String
  public let fallbacks: [String]
  public let fontSize: Double
  public let weight: Int
  public let textSize: TextSize
  public let scale: Double
  public let locale: String
  /// Insets and line rules, options applied.
  public let rule: ModeRule

  /// The text setting that these make.
  var textSetting: TextSetting {
    let font = FontRule(
      family: family, fallbacks: fallbacks, usesDefaultFallbacks: profile.font.usesDefaultFallbacks,
      size: .fixed(fontSize), weight: weight)
    return TextSetting(
      mode: rule, font: font, size: fontSize, weight: weight, width: width, locale: locale, maximumLines: 0,
      grid: PixelGrid(scale: scale, usesWholePixels: profile.usesWholePixels))
  }

  /// What identifies them, for the fingerprint: all that a response says of them, and the profile's digest.
  var facts: [String] {
    var writer = JSONWriter(capacity: 1_024)
    LayoutJSON.write(self, to: &writer)
    return [profile.digest, String(decoding: writer.bytes, as: UTF8.self)]
  }
}

/// The heights of a request's texts.
public struct MeasureResponse: Sendable {
  public struct Result: Sendable {
    public let id: String
    public let setting: Int
    /// The view's height, rounded up to whole device pixels.
    public let height: Double
    /// The view's height before rounding.
    public let exactHeight: Double
    /// The widest line and the view's insets at both sides.
    public let width: Double
    public let lines: Int
    /// UTF-16 offsets of the lines; nil unless asked for.
    public let lineStarts: [Int]?
    public let missingGlyphs: Bool
  }

  public let settings: [MeasureSetting]
  public let results: [Result]
  public let fingerprint: String
  public let isExact: Bool
  public let substitutions: [FontSubstitution]
}

extension RowLayoutEngine {
  /// Measures the texts of a checked request.
  public func measure(_ request: MeasureRequest) -> MeasureResponse {
    let settings = request.settings.map(\.textSetting)
    var isExact = true
    var substitutions: [FontSubstitution] = []
    let results = request.items.map { item in
      let setting = settings[item.setting]
      let measurement = setting.measure(item.text, with: measurer, includingLines: item.includesLineStarts)
      isExact = isExact && measurement.isExact && !measurement.missingGlyphs
      substitutions.addMissing(measurement.substitutions)
      let exactHeight = setting.exactHeight(measurement)
      return MeasureResponse.Result(
        id: item.id, setting: item.setting,
        height: Double(setting.grid.pixels(exactHeight)) / setting.grid.scale, exactHeight: exactHeight,
        width: measurement.width + setting.insets.leading + setting.insets.trailing, lines: measurement.lines,
        lineStarts: item.includesLineStarts ? measurement.lineStarts : nil,
        missingGlyphs: measurement.missingGlyphs)
    }
    return MeasureResponse(
      settings: request.settings, results: results,
      fingerprint: Fingerprint.make(of: [fontFingerprint] + request.settings.flatMap(\.facts)), isExact: isExact,
      substitutions: substitutions)
  }
}
