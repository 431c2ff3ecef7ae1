// A style under a platform's rules: what measuring needs besides the text and the width, worked out once.
import Locks

/// A chain of fonts with the rules that texts are measured by.
final class TextSetup: Sendable {
  let chain: FontChain
  let rules: TextRules
  /// Size of one em, in points.
  let size: Double
  /// What shaped paragraphs depend on.
  let paragraphs: ParagraphSettings
  let packed: ParagraphSettings.Packed
  let tabs: TabStops
  let primaryExtent: FontExtent
  /// Extents by place in the chain, nil where none was asked for yet.
  private let extents: Lock<[FontExtent?]>

  init(chain: FontChain, size: Double, rules: TextRules) {
    (self.chain, self.rules, self.size) = (chain, rules, size)
    paragraphs = ParagraphSettings(
      chain: chain.id, breaking: rules.breaking, bitmapAdvance: rules.bitmapAdvance, size: chain.hasTracking ? size : 0)
    packed = paragraphs.packed
    tabs = Self.tabStops(rules.tabs, chain: chain, unit: size / Double(EmUnits.perEm))
    primaryExtent = FontExtent(
      chain.metrics(of: chain.primary) ?? .none, rule: rules.lineHeight, size: size, scale: rules.scale)
    extents = Lock([FontExtent?](repeating: nil, count: chain.fonts.count))
  }

  /// How far the font at a place reaches.
  func extent(ofPlace place: Int) -> FontExtent {
    if place == chain.primary { return primaryExtent }
    return extents.withLock { extents in
      if let known = extents[place] { return known }
      let extent = FontExtent(
        chain.metrics(of: place) ?? .none, rule: rules.lineHeight, size: size, scale: rules.scale)
      extents[place] = extent
      return extent
    }
  }

  private static func tabStops(_ rule: TabRule, chain: FontChain, unit: Double) -> TabStops {
    let space = chain.fonts[chain.primary].face?.opened().spaceAdvance ?? 0
    switch rule {
    case .spaces(let count):
      // CSS Text 3 §4.2: a stop nearer than half a digit's width is passed over.
      let nearest = (chain.fonts[chain.primary].face?.opened().zeroAdvance ?? 0) / 2
      return TabStops(
        interval: space * Int64(max(0, min(count, 1_000))), last: .max, beyond: space, nearest: nearest)
    case .stops(let every, let count):
      guard every > 0, unit > 0, every / unit < 0x1p40 else { return TabStops(interval: 0, last: 0, beyond: 0) }
      let interval = Int64((every / unit).rounded())
      let last = count > 0 ? interval * Int64(min(count, 10_000)) : .max
      return TabStops(interval: interval, last: last, beyond: space)
    }
  }
}

/// Set-ups by style and rules, and chains by style, the size aside.
final class TextSetups: Sendable {
  private struct Key: Hashable {
    var style: TextStyle
    var rules: TextRules
  }

  private struct State {
    var setups: [Key: TextSetup] = [:]
    var chains: [TextStyle: FontChain] = [:]
    /// An ID is given once, so that a chain made anew never meets another's paragraphs.
    var lastID = 0
    /// What was asked for last, mostly asked for next.
    var latest: (key: Key, setup: TextSetup)?
  }

  private let fonts: FontLibrary
  private let state: Lock<State> = Lock(State())

  init(fonts: FontLibrary) { self.fonts = fonts }

  func setup(_ style: TextStyle, _ rules: TextRules) -> TextSetup {
    let key = Key(style: style, rules: rules)
    return state.withLock { state in
      if let latest = state.latest, latest.key == key { return latest.setup }
      let setup = state.setups[key] ?? TextSetup(chain: chain(style, &state), size: style.size, rules: rules)
      if state.setups.count >= FontLimits.setups { state.setups.removeAll() }
      state.setups[key] = setup
      state.latest = (key, setup)
      return setup
    }
  }

  private func chain(_ style: TextStyle, _ state: inout State) -> FontChain {
    var key = style
    key.size = 0
    if let chain = state.chains[key] { return chain }
    state.lastID += 1
    let chain = fonts.chain(for: style, id: state.lastID)
    if state.chains.count >= FontLimits.chains { state.chains.removeAll() }
    state.chains[key] = chain
    return chain
  }
}
