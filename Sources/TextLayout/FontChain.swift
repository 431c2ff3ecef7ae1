// The fonts of one style in the order in which they are tried, and what stands in for what is missing.
import Locks

/// One place in a chain: a face with the metrics that count for it, or a family that is missing.
struct ChainFont: Sendable {
  var requested: String
  /// The family measured; differs from `requested` when it stands in.
  var family: String
  /// Nil when neither the family nor a substitute has a file.
  var face: FontFace?
  var metricOverride: MetricOverride?
  var tracking: TrackingTable?
  var strikeAdvance: Double?
  var isEmoji: Bool
  var scripts: Set<UInt32>
  /// Whether the configuration's fallbacks brought it in, so that `scripts` limits it.
  var isDefaultFallback: Bool
  var isExact: Bool { face != nil && requested == family }
}

/// The chain of a style. Faces are opened as texts need them.
final class FontChain: Sendable {
  /// Tells chains apart in cache keys.
  let id: Int
  let fonts: [ChainFont]
  /// Place of the font whose metrics and `.notdef` count for the style.
  let primary: Int
  /// Places that are tried first for emoji presentation.
  let emojiPlaces: [Int]
  let locale: String
  /// The locale's language subtag.
  let language: String
  /// Whether advances depend on size by more than a factor.
  let hasTracking: Bool

  init(id: Int, fonts: [ChainFont], locale: String) {
    self.id = id
    self.fonts = fonts
    self.locale = locale
    language = LocaleTag.language(of: locale)
    primary = fonts.firstIndex { $0.face != nil } ?? 0
    emojiPlaces = fonts.indices.filter { fonts[$0].isEmoji && fonts[$0].face != nil }
    hasTracking = fonts.contains { $0.tracking != nil }
    hasMissing = fonts.contains { $0.face == nil }
  }

  /// Whether some font of the chain is not there.
  let hasMissing: Bool
  private let byScript: Lock<[UInt32: [Int]]> = Lock([:])

  /// Places to try for a character in text of a script: all but the fallbacks meant for other scripts.
  func candidates(for script: UInt32) -> [Int] {
    byScript.withLock { table in
      if let places = table[script] { return places }
      let places = fonts.indices.filter {
        !fonts[$0].isDefaultFallback || fonts[$0].scripts.isEmpty || fonts[$0].scripts.contains(script)
      }
      table[script] = places
      return places
    }
  }

  /// Whether the font at a place has a cluster, or its base.
  func covers(_ place: Int, _ cluster: Cluster, baseOnly: Bool) -> Bool {
    guard let coverage = fonts[place].face?.opened().coverage else { return false }
    if let composed = cluster.composed, coverage.contains(composed) { return true }
    guard cluster.isIgnorable || coverage.contains(cluster.base) else { return false }
    return baseOnly || cluster.others.allSatisfy { coverage.contains($0) }
  }

  func metrics(of place: Int) -> VerticalMetrics? {
    fonts[place].face.map { $0.opened().metrics.replaced(by: fonts[place].metricOverride) }
  }
}

extension FontLibrary {
  /// The chain of a style: its family, its fallbacks, then the configuration's fallbacks with the locale's first.
  func chain(for style: TextStyle, id: Int) -> FontChain {
    var names = [style.family]
    for name in style.fallbacks where !names.contains(name) { names.append(name) }
    let own = names.count
    if style.usesDefaultFallbacks {
      for name in fallbackFamilies(for: style.locale) where !names.contains(name) { names.append(name) }
    }
    let fonts = names.enumerated().map { place, name in
      chainFont(named: name, weight: style.weight, isDefaultFallback: place >= own)
    }
    if fonts.contains(where: { $0.face != nil }) { return FontChain(id: id, fonts: fonts, locale: style.locale) }
    // Nothing that was asked for is there: the first family with a file stands in, and the answer says so.
    let any = configuration.families.indices.first { index in faces[index].contains { $0 != nil } } ?? 0
    var standIn = chainFont(
      named: configuration.families[any].name, weight: style.weight, isDefaultFallback: false)
    standIn.requested = style.family
    return FontChain(id: id, fonts: fonts + [standIn], locale: style.locale)
  }

  /// The configuration's fallbacks in the order in which a locale tries them: families of its own first.
  public func fallbackFamilies(for locale: String) -> [String] {
    let isLocal = { (name: String) in
      let family = self.familyIndex[name].map { self.configuration.families[$0] }
      return family.map { $0.locales.contains { Self.matches(locale, $0) } } ?? false
    }
    return configuration.fallbacks.filter(isLocal) + configuration.fallbacks.filter { !isLocal($0) }
  }

  private func chainFont(named name: String, weight: Int, isDefaultFallback: Bool) -> ChainFont {
    var missing = ChainFont(
      requested: name, family: name, face: nil, isEmoji: false, scripts: [], isDefaultFallback: isDefaultFallback)
    guard let index = familyIndex[name] else { return missing }
    let family = configuration.families[index]
    missing.scripts = Set(family.scripts.map { Script.merged(ScriptCode.code($0)) })
    if let (face, isNamed) = nearestFace(family: index, weight: weight) {
      return ChainFont(
        requested: name, family: isNamed ? name : "\(name) \(face.weight)", face: face,
        metricOverride: family.metrics, tracking: family.tracking, strikeAdvance: family.strikeAdvance,
        isEmoji: family.emoji, scripts: missing.scripts, isDefaultFallback: isDefaultFallback)
    }
    guard let substitute = family.substitute, let other = familyIndex[substitute.family],
      let (face, _) = nearestFace(family: other, weight: weight)
    else { return missing }
    return ChainFont(
      requested: name, family: substitute.family, face: face,
      metricOverride: substitute.metrics ?? configuration.families[other].metrics,
      tracking: substitute.tracking ?? configuration.families[other].tracking,
      strikeAdvance: configuration.families[other].strikeAdvance, isEmoji: family.emoji,
      scripts: missing.scripts, isDefaultFallback: isDefaultFallback)
  }

  /// The face nearest in weight (CSS Fonts 4 §5.2), and whether it is the one that the configuration would name were all
  /// files there.
  private func nearestFace(family: Int, weight: Int) -> (face: FontFace, isNamed: Bool)? {
    let named = configuration.families[family].faces
      .map { face in face.weights.map { min(max(weight, $0.lowerBound), $0.upperBound) } ?? face.weight }
      .min { Self.distance($0, from: weight) < Self.distance($1, from: weight) }
    let face = faces[family].compactMap { $0?.instance(weight: weight) }
      .min { Self.distance($0.weight, from: weight) < Self.distance($1.weight, from: weight) }
    return face.map { ($0, $0.weight == named) }
  }

  /// Rank of a weight: smaller is preferred.
  private static func distance(_ weight: Int, from wanted: Int) -> Int {
    let (lighter, heavier) = (wanted - weight, weight - wanted)
    if (400...500).contains(wanted) {
      if weight >= wanted, weight <= 500 { return heavier }
      return weight < wanted ? 1_000 + lighter : 2_000 + heavier
    }
    if wanted < 400 { return weight <= wanted ? lighter : 1_000 + heavier }
    return weight >= wanted ? heavier : 1_000 + lighter
  }

  /// Whether a locale is the prefix or something below it: `zh-Hant-TW` matches `zh-Hant`; case and `_` do not matter.
  static func matches(_ locale: String, _ prefix: String) -> Bool {
    let parts = { (tag: String) in tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }) }
    return parts(locale).starts(with: parts(prefix))
  }
}

/// ISO 15924 script codes as numbers, as HarfBuzz has them.
enum ScriptCode {
  static func code(_ name: String) -> UInt32 { name.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
