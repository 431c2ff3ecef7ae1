// A profile's rules resolved for one viewport: text settings per kind of row and part, and the fingerprint.

internal import Digests
internal import TextLayout

/// Everything about rows that does not depend on their text.
final class ResolvedViewport: Sendable {
  let viewport: Viewport
  /// A hash of all that heights depend on besides the text.
  let fingerprint: String
  /// Unlike any other object's, for cache keys.
  let serial: Int
  /// The same for all viewports that differ in width and slots only.
  let family: Int
  /// By place of the kind.
  private let rows: [ResolvedRow?]
  /// What the client itself shows, in the viewport's language.
  private let strings: [String: String]

  init(_ viewport: Viewport, fontFingerprint: String, serial: Int, family: Int) {
    (self.viewport, self.serial, self.family) = (viewport, serial, family)
    fingerprint = Fingerprint.make(of: viewport, fontFingerprint: fontFingerprint)
    var settings: [TextSetting] = []
    var parts = 0
    rows = RowKind.allCases.map { kind in
      viewport.profile.rows[kind].map {
        ResolvedRow($0, place: kind.place, viewport: viewport, settings: &settings, parts: &parts)
      }
    }
    strings = viewport.profile.strings(locale: viewport.locale)
  }

  /// Profiles are checked to describe every kind of row.
  func row(_ kind: RowKind) -> ResolvedRow {
    guard let row = rows[kind.place] else { preconditionFailure("a profile describes every kind of row") }
    return row
  }

  /// Empty when the profile has no such text.
  func string(_ key: String) -> String { strings[key] ?? "" }
}

extension RowKind {
  /// The place among all kinds.
  fileprivate var place: Int {
    switch self {
    case .section: 0
    case .shortText: 1
    case .longText: 2
    case .yesNo: 3
    case .singleSelect: 4
    case .multiSelect: 5
    case .number: 6
    case .date: 7
    case .rating: 8
    case .scorecard: 9
    case .note: 10
    case .criterion: 11
    }
  }
}

/// A kind of row in device pixels.
final class ResolvedRow: Sendable {
  /// The kind's place among all kinds.
  let place: Int
  let top: Int
  let bottom: Int
  let separator: Int
  /// The separator not counted.
  let minimum: Int
  let parts: [ResolvedEntry]
  /// Those of them whose texts no answer changes.
  let itemParts: [ResolvedPart]

  init(
    _ rule: RowRule, place: Int, viewport: Viewport, settings: inout [TextSetting], parts number: inout Int
  ) {
    self.place = place
    let profile = viewport.profile
    let grid = PixelGrid(scale: viewport.scale, usesWholePixels: profile.usesWholePixels)
    top = grid.pixels(grid.snapped(rule.insets.top))
    bottom = grid.pixels(grid.snapped(rule.insets.bottom))
    separator = rule.separatorPixels
    minimum = grid.pixels(grid.snapped(rule.minimumHeight))
    let width =
      grid.snapped(viewport.width) - grid.snapped(rule.insets.leading) - grid.snapped(rule.insets.trailing)
    var parts: [ResolvedEntry] = []
    for entry in rule.parts {
      switch entry {
      case .text(let role):
        guard let part = profile.parts[role], let mode = profile.modes[part.mode] else { continue }
        parts.append(
          .text(
            ResolvedPart(
              role: role, part: part, mode: mode, width: width, number: number, viewport: viewport,
              settings: &settings)))
        number += 1
      case .slot(let name):
        let height = grid.pixels(grid.snapped(viewport.slotHeight(name)))
        let gap = grid.pixels(grid.snapped(profile.slots[name]?.gapAbove ?? 0))
        if height > 0 { parts.append(.slot(name, height: height, gapAbove: gap)) }
      }
    }
    self.parts = parts
    itemParts = parts.compactMap { if case .text(let part) = $0, !part.role.showsAnswer { part } else { nil } }
  }
}

/// One entry of a kind of row; lengths in device pixels.
enum ResolvedEntry: Sendable {
  case text(ResolvedPart)
  case slot(String, height: Int, gapAbove: Int)
}

/// A part of a kind of row; lengths in device pixels.
final class ResolvedPart: Sendable {
  let role: PartRole
  let setting: TextSetting
  /// The place of an equal setting among all of the viewport, for cache keys.
  let settingIndex: Int
  /// Unlike that of any other part of the viewport, from 0.
  let number: Int
  /// Room for a line of a text that is prepared.
  let room: LineRoom
  let above: Int
  let below: Int
  let minimum: Int
  let gapAbove: Int
  let gapBetween: Int
  let placeholder: PlaceholderRule

  init(
    role: PartRole, part: PartRule, mode: ModeRule, width: Double, number: Int, viewport: Viewport,
    settings: inout [TextSetting]
  ) {
    self.number = number
    let profile = viewport.profile
    let grid = PixelGrid(scale: viewport.scale, usesWholePixels: profile.usesWholePixels)
    let inner = width - grid.snapped(part.insets.leading) - grid.snapped(part.insets.trailing)
    let size = profile.textSize.size(of: part.font.size, at: viewport.textSize, scale: viewport.scale)
    setting = TextSetting(
      mode: mode, font: part.font, size: size, weight: part.font.weight(in: profile), width: inner,
      locale: viewport.locale, maximumLines: part.maximumLines, grid: grid)
    if let place = settings.firstIndex(of: setting) {
      settingIndex = place
    } else {
      settingIndex = settings.count
      settings.append(setting)
    }
    room = setting.lineRoom
    self.role = role
    above = grid.pixels(grid.snapped(part.insets.top))
    below = grid.pixels(grid.snapped(part.insets.bottom))
    minimum = grid.pixels(grid.snapped(part.minimumHeight))
    gapAbove = grid.pixels(grid.snapped(part.gapAbove))
    gapBetween = grid.pixels(grid.snapped(part.gapBetween))
    placeholder = part.placeholder
  }
}

extension FontRule {
  /// Its own weight, else its text style's, else 400.
  func weight(in profile: Profile) -> Int {
    if let weight { return weight }
    if case .style(let name) = size, let weight = profile.textSize.weight(ofStyle: name) { return weight }
    return 400
  }
}

/// What identifies all that a height depends on besides the text.
enum Fingerprint {
  /// A change of this module that can alter a height raises it.
  static let rowLayoutVersion = 1
  private static let digits = 32

  static func make(of viewport: Viewport, fontFingerprint: String) -> String {
    let slots = viewport.slots.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    return make(
      of: [
        viewport.profile.qualifiedName, viewport.profile.digest, "\(viewport.width)", viewport.textSizeText,
        "\(viewport.scale)", viewport.locale, fontFingerprint,
      ] + slots)
  }

  /// - Parameter facts: each of them unlike any other when it names another cause of a height.
  static func make(of facts: [String]) -> String {
    var bytes = Array("row layout \(rowLayoutVersion), text layout \(TextMeasurer.version)".utf8)
    for fact in facts {
      bytes.append(0)
      bytes += fact.utf8
    }
    return String(SHA256.hexadecimal(of: bytes).prefix(digits))
  }
}
