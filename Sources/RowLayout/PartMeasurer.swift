// Measures the texts of parts and keeps what it measured.

internal import TextLayout

/// The measurer of all rows with its cache.
final class PartMeasurer: Sendable {
  private struct Key: Hashable, Sendable {
    var viewport: Int
    var setting: Int
    var text: TextKey
  }

  private let measurer: TextMeasurer
  private let cache: BoundedCache<Key, MeasuredPart>

  /// What an entry costs besides its text.
  private static let entryBytes = 160

  init(measurer: TextMeasurer, cacheBytes: Int) {
    self.measurer = measurer
    cache = BoundedCache(cost: cacheBytes)
  }

  /// The bytes that the cache holds, by its own count.
  var cacheCost: Int { cache.cost }

  /// Keeps no text any more, here and in the measurer.
  func forgetTexts() {
    cache.removeAll()
    measurer.forgetTexts()
  }

  /// A text, and the hint of its field where the profile lets it take room.
  func measure(
    _ text: String, in part: ResolvedPart, of viewport: ResolvedViewport, placeholder: () -> String?
  ) -> MeasuredPart {
    var measured = measure(text, in: part, of: viewport)
    let showsHint =
      switch part.placeholder {
      case .never: false
      case .whenEmpty: text.isEmpty
      case .always: true
      }
    if showsHint, let placeholder = placeholder(), !placeholder.isEmpty {
      let hint = measure(placeholder, in: part, of: viewport)
      if text.isEmpty && hint.height >= measured.height { measured = hint }
      measured.height = max(measured.height, hint.height)
    }
    measured.height = max(measured.height, part.minimum)
    return measured
  }

  /// A text to be measured in a part at any width.
  func prepare(_ text: String, in part: ResolvedPart) -> PreparedText { part.setting.prepare(text, with: measurer) }

  /// A prepared text that no hint is shown for.
  func measure(_ text: PreparedText, in part: ResolvedPart) -> MeasuredPart {
    var measured = MeasuredPart(text.measure(in: part.room), in: part.setting)
    measured.height = max(measured.height, part.minimum)
    return measured
  }

  private func measure(_ text: String, in part: ResolvedPart, of viewport: ResolvedViewport) -> MeasuredPart {
    let key = Key(viewport: viewport.serial, setting: part.settingIndex, text: TextKey(text: text))
    if let known = cache[key] { return known }
    let measured = MeasuredPart(part.setting.measure(text, with: measurer), in: part.setting)
    cache.insert(measured, for: key, cost: Self.entryBytes + text.utf8.count)
    return measured
  }
}

extension MeasuredPart {
  fileprivate init(_ measurement: TextMeasurement, in setting: TextSetting) {
    self.init(
      height: setting.grid.pixels(setting.exactHeight(measurement)), lines: measurement.lines,
      missingGlyphs: measurement.missingGlyphs, isExact: measurement.isExact && !measurement.missingGlyphs,
      substitutions: measurement.substitutions)
  }
}
