// Makes a paragraph from text: items, advances, places to break.

/// What a shaped paragraph depends on besides its text.
struct ParagraphSettings: Sendable {
  var chain: Int
  var breaking: LineBreakRules
  var bitmapAdvance: BitmapAdvance
  /// The size if advances depend on it by more than a factor, else 0.
  var size: Double
}

extension ParagraphSettings {
  /// The same in a form that is fast to compare.
  struct Packed: Hashable, Sendable {
    var chain: Int
    var rules: UInt64
    var size: Double
  }

  var packed: Packed {
    var rules: UInt64 = 0
    func add(_ value: UInt64) { rules = rules << 2 | value }
    add(breaking.strictness == .strict ? 2 : breaking.strictness == .normal ? 1 : 0)
    add(breaking.hangul == .word ? 1 : 0)
    add(breaking.softHyphen == .ignored ? 1 : 0)
    add(breaking.ideographicSpaceHangs ? 1 : 0)
    add(breaking.pairs == .unicode ? 0 : breaking.pairs == .web ? 1 : 2)
    add(breaking.hyphens == .unbroken ? 1 : 0)
    add(breaking.quotes == .locale ? 1 : 0)
    add(bitmapAdvance == .strike ? 1 : 0)
    return Packed(chain: chain, rules: rules, size: size)
  }
}

struct ParagraphBuilder {
  let chain: FontChain
  let settings: ParagraphSettings
  let unicode: UnicodeText
  let shaper: Shaper

  func build(_ units: [UInt16]) -> Paragraph {
    var flags = [UnitFlags](repeating: [], count: units.count + 1)
    if units.isEmpty {
      return Paragraph(
        text: [], offsets: [0], flags: flags, runs: [], opportunities: [], cuts: [], tabs: [], hasMissingGlyphs: false,
        substitutions: [])
    }
    shaper.setLocale(chain.locale)
    let shaping = RunShaping(
      chain: chain, shaper: shaper, size: settings.size, bitmapAdvance: settings.bitmapAdvance)
    return unsafe units.withUnsafeBufferPointer { text in
      var itemizer = Itemizer(chain: chain, unicode: unicode, known: shaper.takePlaces(of: chain.id))
      let items = unsafe itemizer.itemize(text, flags: &flags)
      shaper.keep(itemizer.takeKnown(), of: chain.id)
      let offsets = unsafe self.offsets(text, items.runs, shaping, &flags)
      for unit in text.indices where unsafe hangs(text[unit]) { flags[unit].insert(.hangs) }
      var opportunities = unsafe self.opportunities(text, flags)
      let cutter = unsafe CutShaper(
        text: text, runs: items.runs, shaping: shaping, offsets: offsets, flags: flags,
        hyphenates: settings.breaking.softHyphen == .breaks)
      let cuts = self.cuts(&opportunities, cutter)
      let tabs = units.indices.filter { units[$0] == 0x09 }.map(Int32.init)
      return Paragraph(
        text: units, offsets: offsets, flags: flags, runs: items.runs, opportunities: opportunities, cuts: cuts,
        tabs: tabs, hasMissingGlyphs: items.hasMissingGlyphs, substitutions: items.substitutions)
    }
  }

  /// Shapes all runs: sums of advances, and where cutting is unsafe.
  private func offsets(
    _ text: UnsafeBufferPointer<UInt16>, _ runs: [TextRun], _ shaping: RunShaping, _ flags: inout [UnitFlags]
  ) -> [Int64] {
    var advances = [Int64](repeating: 0, count: text.count + 1)
    for run in runs {
      let (start, end) = (Int(run.start), Int(run.end))
      for unit in start..<end { flags[unit].insert(.unsafeToBreak) }
      var last = -1
      unsafe shaping.shape(text, start..<end, run: run) { unit, advance, isUnsafe in
        advances[unit] += advance
        // Glyphs of one cluster follow each other; if one of them is unsafe, the cluster is.
        if isUnsafe {
          flags[unit].insert(.unsafeToBreak)
        } else if unit != last {
          flags[unit].remove(.unsafeToBreak)
        }
        last = unit
      }
      flags[start].remove(.unsafeToBreak)
    }
    var sum: Int64 = 0
    for index in advances.indices { (advances[index], sum) = (sum, sum + advances[index]) }
    return advances
  }

  /// Places where a line may end, with the spaces before them taken off.
  private func opportunities(_ text: UnsafeBufferPointer<UInt16>, _ flags: [UnitFlags]) -> [BreakOpportunity] {
    var found: [BreakOpportunity] = []
    let finder = BreakFinder(rules: settings.breaking, language: chain.language, unicode: unicode)
    unsafe finder.find(in: text) { position in
      var end = position
      while end > 0, flags[end - 1].contains(.hangs) { end -= 1 }
      found.append(BreakOpportunity(position: Int32(position), visibleEnd: Int32(end), cut: -1))
    }
    return found
  }

  /// Whether a unit before a break takes no room: spaces, tabs and U+200B, but none that glue.
  private func hangs(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x20, 0x09, 0x1680, 0x2000...0x2006, 0x2008...0x200B, 0x205F: true
    case 0x3000: settings.breaking.ideographicSpaceHangs
    default: false
    }
  }

  /// Shapes again around each opportunity that is unsafe, so that walking lines needs no shaping.
  private func cuts(_ opportunities: inout [BreakOpportunity], _ cutter: CutShaper) -> [Cut] {
    var cuts: [Cut] = []
    for index in opportunities.indices {
      let position = Int(opportunities[index].position)
      guard unsafe position < cutter.text.count else { continue }
      let isHyphenated = unsafe cutter.hyphenates && cutter.text[position - 1] == 0xAD
      guard isHyphenated || cutter.flags[position].contains(.unsafeToBreak) else { continue }
      let ending = cutter.endChange(at: position, visibleEnd: Int(opportunities[index].visibleEnd))
      let starting = cutter.startChange(at: position)
      let hyphen = isHyphenated ? cutter.hyphenAdvance(at: position) : 0
      if ending.delta + hyphen == 0, starting.delta == 0 { continue }
      opportunities[index].cut = Int32(cuts.count)
      cuts.append(
        Cut(
          changedFrom: Int32(ending.from), endDelta: ending.delta + hyphen, changedTo: Int32(starting.to),
          startDelta: starting.delta))
    }
    return cuts
  }
}

/// Parts of BCP 47 tags.
enum LocaleTag {
  /// The language subtag in lower case, or `en` when there is none that is well-formed.
  static func language(of tag: String) -> String {
    let language = tag.lowercased().prefix { $0 != "-" && $0 != "_" }
    let isWellFormed = (2...3).contains(language.utf8.count) && language.utf8.allSatisfy { (97...122).contains($0) }
    return isWellFormed ? String(language) : "en"
  }

  /// The language that localised forms depend on: a two-letter language, and for Chinese its script or region.
  static func shapingLanguage(of tag: String) -> String {
    let language = language(of: tag)
    if language == "zh" {
      let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
      if parts.contains("hk") || parts.contains("mo") { return "zh-hk" }
      return parts.contains("hant") || parts.contains("tw") ? "zh-hant" : "zh-hans"
    }
    return language.utf8.count == 2 ? language : "und"
  }
}
