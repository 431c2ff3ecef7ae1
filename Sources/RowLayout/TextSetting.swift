// A text in a view: style, rules, width and insets resolved for one viewport, and its measurement in pixels.

internal import TextLayout

/// Lengths on a pixel grid.
struct PixelGrid: Sendable, Hashable {
  /// Device pixels in a unit.
  var scale: Double
  /// Android: widths and insets are whole device pixels, rounded to the nearest.
  var usesWholePixels: Bool

  /// What binary fractions may add to a height that is a whole number of pixels.
  private static let tolerance = 1e-6

  /// Rounds up to whole pixels.
  func pixels(_ length: Double) -> Int { Int((length * scale - Self.tolerance).rounded(.up)) }

  /// A width or an inset as the platform takes it.
  func snapped(_ length: Double) -> Double { usesWholePixels ? (length * scale).rounded() / scale : length }
}

/// All that the height of a view depends on besides its text.
struct TextSetting: Sendable, Hashable {
  var style: TextStyle
  var rules: TextRules
  /// The room for a line; meaningless for a single line, which is never broken.
  var lineWidth: Double
  var insets: Insets
  var isSingleLine: Bool
  var minimumHeight: Double
  var grid: PixelGrid

  /// Wider than any text that may be sent.
  private static let unboundedWidth = 1e9

  /// - Parameters:
  ///   - width: the view's width.
  ///   - size: the font's size, text size setting applied.
  init(
    mode: ModeRule, font: FontRule, size: Double, weight: Int, width: Double, locale: String, maximumLines: Int,
    grid: PixelGrid
  ) {
    style = TextStyle(
      family: font.family, fallbacks: font.fallbacks, usesDefaultFallbacks: font.usesDefaultFallbacks, size: size,
      weight: weight, locale: locale)
    rules = mode.lines.textRules(scale: grid.scale)
    if maximumLines > 0 { rules.maximumLines = maximumLines }
    let padding = mode.lineFragmentPadding
    insets = Insets(
      top: grid.snapped(mode.insets.top), leading: grid.snapped(mode.insets.leading + padding),
      bottom: grid.snapped(mode.insets.bottom), trailing: grid.snapped(mode.insets.trailing + padding))
    // A view's width is whole pixels already where its platform has it so; a width that is given is not rounded.
    lineWidth = width - insets.leading - insets.trailing
    isSingleLine = mode.isSingleLine
    minimumHeight = mode.minimumHeight
    self.grid = grid
  }

  func measure(_ text: String, with measurer: TextMeasurer, includingLines: Bool = false) -> TextMeasurement {
    measurer.measure(shown(text), style: style, width: room, rules: rules, includingLines: includingLines)
  }

  /// The text shaped, to be measured in settings that differ in width only.
  func prepare(_ text: String, with measurer: TextMeasurer) -> PreparedText {
    measurer.prepare(shown(text), style: style, rules: rules)
  }

  /// The room for a line of a prepared text.
  var lineRoom: LineRoom { LineRoom(width: room, size: style.size) }

  private var room: Double { isSingleLine ? Self.unboundedWidth : lineWidth }

  private func shown(_ text: String) -> String { isSingleLine ? Self.singleLine(text) : text }

  /// The view's height before rounding.
  func exactHeight(_ measurement: TextMeasurement) -> Double {
    max(minimumHeight, insets.top + measurement.exactHeight + insets.bottom)
  }

  /// The text with a space for each hard break, as text fields show it.
  private static func singleLine(_ text: String) -> String {
    func isBreak(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
      default: false
      }
    }
    guard text.unicodeScalars.contains(where: isBreak) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(isBreak(scalar) ? " " : scalar) }
    return String(line)
  }
}
