// From a profile's document to its values, naming all that is wrong at once.

internal import JSON

/// Reads one profile document whose `extends` has been applied.
struct ProfileReader {
  private let issues: JSONIssueList
  private let limits = RowLayoutLimits.standard
  /// Lengths of a profile stay below this.
  private static let maximumLength = 1_000.0

  init(issues: JSONIssueList) { self.issues = issues }

  /// Nil when the document is no profile; what is wrong is in the list.
  func read(_ document: JSONValue) -> ProfileContent? {
    guard var reader = JSONObjectReader(document, at: "", issues: issues) else { return nil }
    let name = reader.requiredString("name")
    let version = reader.requiredInteger("version")
    _ = (reader.value("extends"), reader.value("abstract"))
    _ = reader.strings("notes", maximum: 50)
    let summary = reader.string("description").value ?? ""
    let unit = reader.requiredString("unit")
    let scale = reader.double("scale", in: 0.1...limits.maximumScale).value
    let wholePixels = reader.bool("wholePixels").value ?? false
    let textSize = reader.requiredObject("textSize").flatMap(readTextSize)
    let base = FontRule(family: "", fallbacks: [], usesDefaultFallbacks: true, size: .fixed(0), weight: nil)
    let font = reader.requiredObject("font").map { readFont($0, base: base, styles: textSize) }
    let lines =
      reader.requiredObject("lines").map { readLines($0, base: KnownLines(rules: LineRules(), isHeightKnown: true)) }
      ?? KnownLines(rules: LineRules(), isHeightKnown: false)
    let modes = reader.requiredObject("modes").map { readModes($0, lines: lines) } ?? [:]
    let described = Described(document)
    let parts = reader.requiredObject("parts").map { readParts($0, font: font ?? base, described, textSize) } ?? [:]
    let slots = readSlots(&reader)
    let rows = reader.requiredObject("rows").map { readRows($0, described) } ?? [:]
    let strings = readStrings(&reader)
    reader.finish()
    if let font, font.family.isEmpty { addMissing("/font/family", "A profile names its font family.") }
    if let font, font.size == .fixed(0),
      !issues.issues.contains(where: { $0.pointer == "/font/size" || $0.pointer == "/font/style" })
    {
      addMissing("/font", "The font has a style or a size.")
    }
    if scale == nil { addMissing("/scale", "A profile has a pixel scale.") }
    guard let name, let version, let unit, let scale, let textSize, let font, issues.issues.isEmpty else { return nil }
    return ProfileContent(
      name: name, version: version, summary: summary, unit: unit, scale: scale, usesWholePixels: wholePixels,
      font: font, textSize: textSize, modes: modes, parts: parts, slots: slots, rows: rows, strings: strings)
  }

  /// What a document describes, rightly or not: what refers to it is no fault of its own. Nil: it says nothing at all of that,
  /// which is one fault.
  private struct Described {
    let modes: Set<String>?
    let parts: Set<String>?
    let slots: Set<String>

    init(_ document: JSONValue) {
      func names(_ member: String) -> Set<String>? {
        if case .object(let members)? = document[member] { Set(members.map(\.name)) } else { nil }
      }
      (modes, parts, slots) = (names("modes"), names("parts"), names("slots") ?? [])
    }

    /// The part or the slot of a name; nil when there is none.
    func part(_ name: String) -> RowPart? {
      if let role = PartRole(rawValue: name) { return parts?.contains(name) ?? true ? .text(role) : nil }
      return slots.contains(name) ? .slot(name) : nil
    }
  }

  /// What was given wrongly is not missing too.
  private func addMissing(_ pointer: String, _ message: String) {
    if !issues.issues.contains(where: { $0.pointer == pointer }) { issues.add(pointer, "missingMember", message) }
  }

  /// Line rules, and whether they say rightly whose line heights they are.
  private struct KnownLines {
    var rules: LineRules
    var isHeightKnown: Bool
  }

  private func readLines(_ lines: JSONObjectReader, base: KnownLines) -> KnownLines {
    var (reader, known) = (lines, base)
    known.isHeightKnown = known.rules.apply(&reader, limits: limits, isHeightKnown: base.isHeightKnown)
    reader.finish()
    return known
  }

  /// Family, fallbacks, style or size, weight; what is left out is taken from `base`.
  func readFont(_ font: JSONObjectReader, base: FontRule, styles: TextSizeRule?) -> FontRule {
    var (reader, rule) = (font, base)
    readFontMembers(&reader, into: &rule, styles: styles)
    reader.finish()
    return rule
  }

  private func readFontMembers(_ reader: inout JSONObjectReader, into rule: inout FontRule, styles: TextSizeRule?) {
    if let family = reader.string("family").value { rule.family = family }
    if let fallbacks = reader.strings("fallbacks", maximum: 50).value { rule.fallbacks = fallbacks }
    if let uses = reader.bool("defaultFallbacks").value { rule.usesDefaultFallbacks = uses }
    if let weight = reader.integer("weight", in: 1...1_000).value { rule.weight = weight }
    let style = reader.string("style").value
    let size = reader.double("size", in: 1...limits.maximumFontSize).value
    switch (style, size) {
    case (let style?, nil):
      rule.size = .style(style)
      if let styles, styles.weight(ofStyle: style) == nil {
        let names = styles.styleNames.joined(separator: ", ")
        reader.report("style", "unknownStyle", "There is no text style \"\(style)\"; the profile has \(names).")
      }
    case (nil, let size?): rule.size = .fixed(size)
    case (nil, nil): break
    default: reader.report("size", "styleAndSize", "A font has a style or a size, not both.")
    }
  }

  private func readModes(_ modes: JSONObjectReader, lines: KnownLines) -> [PartMode: ModeRule] {
    var (reader, rules) = (modes, [PartMode: ModeRule]())
    for mode in PartMode.allCases {
      guard var object = reader.object(mode.rawValue).value else { continue }
      let insets = object.insets("insets", maximum: Self.maximumLength).value ?? .zero
      let padding = object.double("lineFragmentPadding", in: 0...Self.maximumLength).value ?? 0
      let minimum = object.double("minimumHeight", in: 0...Self.maximumLength).value ?? 0
      let isSingleLine = object.bool("singleLine").value ?? false
      let own = object.object("lines").value.map { readLines($0, base: lines) } ?? lines
      object.finish()
      rules[mode] = ModeRule(
        insets: insets, lineFragmentPadding: padding, minimumHeight: minimum, isSingleLine: isSingleLine,
        lines: own.rules)
    }
    reader.finish()
    return rules
  }

  private func readParts(
    _ parts: JSONObjectReader, font: FontRule, _ described: Described, _ styles: TextSizeRule?
  ) -> [PartRole: PartRule] {
    var (reader, rules) = (parts, [PartRole: PartRule]())
    for role in PartRole.allCases {
      guard var object = reader.object(role.rawValue).value else { continue }
      let isModeGiven = object.value("mode").value != nil
      let named = object.word("mode", as: PartMode.self).value
      let mode = named ?? .label
      if let modes = described.modes, !modes.contains(mode.rawValue) {
        if named != nil {
          object.report("mode", "unknownMode", "The profile describes no mode \"\(mode.rawValue)\".")
        } else if !isModeGiven {
          addMissing("/modes/\(mode.rawValue)", "Parts that name no mode have \"\(mode.rawValue)\": it is missing.")
        }
      }
      var own = font
      own.weight = nil
      readFontMembers(&object, into: &own, styles: styles)
      rules[role] = PartRule(
        mode: mode, font: own, insets: object.insets("insets", maximum: Self.maximumLength).value ?? .zero,
        minimumHeight: object.double("minimumHeight", in: 0...Self.maximumLength).value ?? 0,
        gapAbove: object.double("gapAbove", in: 0...Self.maximumLength).value ?? 0,
        gapBetween: object.double("gapBetween", in: 0...Self.maximumLength).value ?? 0,
        maximumLines: object.integer("maximumLines", in: 0...100_000).value ?? 0,
        placeholder: object.word("placeholder", as: PlaceholderRule.self).value ?? .never)
      object.finish()
    }
    reader.finish()
    return rules
  }

  private func readSlots(_ reader: inout JSONObjectReader) -> [String: SlotRule] {
    guard let (names, slotReader) = reader.namedObjects("slots", isRequired: false) else { return [:] }
    if names.count > RowLayoutLimits.maximumSlots {
      issues.add("/slots", "tooMany", "A profile has at most \(RowLayoutLimits.maximumSlots) slots.")
      return [:]
    }
    var (objects, rules) = (slotReader, [String: SlotRule]())
    for name in names {
      guard SlotName.isValid(name) else {
        objects.report(name, "invalidName", SlotName.rule)
        _ = objects.value(name)
        continue
      }
      guard var object = objects.object(name).value else { continue }
      rules[name] = SlotRule(
        height: object.double("height", in: 0...Self.maximumLength).value ?? 0,
        gapAbove: object.double("gapAbove", in: 0...Self.maximumLength).value ?? 0)
      object.finish()
    }
    objects.finish()
    return rules
  }

  /// Every kind of row: what `default` says, with what the kind itself says over it.
  private func readRows(_ rows: JSONObjectReader, _ described: Described) -> [RowKind: RowRule] {
    var (reader, rules) = (rows, [RowKind: RowRule]())
    let given = reader.value("default").value
    let pointer = reader.pointer(to: "default")
    let isStandardKnown = given.map { JSONObjectReader($0, at: pointer, issues: issues) != nil } ?? true
    let standard = isStandardKnown ? given ?? .object([]) : .object([])
    // What `default` says wrongly is wrong there, and once.
    var seen: Set<JSONIssue> = []
    for kind in RowKind.allCases {
      let own = reader.value(kind.rawValue).value ?? .object([])
      let pointer = reader.pointer(to: kind.rawValue)
      let found = JSONIssueList()
      if var object = JSONObjectReader(standard.merged(with: own), at: pointer, issues: found) {
        rules[kind] = readRow(&object, kind: kind, described, needsParts: isStandardKnown)
      }
      for var issue in found.issues {
        let place = String(issue.pointer.dropFirst(pointer.count))
        if own.value(at: place) == nil, standard.value(at: place) != nil {
          issue.pointer = reader.pointer(to: "default") + place
        }
        if seen.insert(issue).inserted { issues.add(issue.pointer, issue.code, issue.message) }
      }
    }
    reader.finish()
    return rules
  }

  /// - Parameter needsParts: false where what the row lacks may stand in a `default` that can't be read.
  private func readRow(
    _ object: inout JSONObjectReader, kind: RowKind, _ described: Described, needsParts: Bool
  ) -> RowRule {
    var list: [RowPart] = []
    let given = object.value("parts").value
    for (place, name) in (object.strings("parts", maximum: 20).value ?? []).enumerated() {
      let part = described.part(name)
      if let part, !list.contains(part) {
        list.append(part)
      } else {
        object.issues.add(
          "\(object.pointer(to: "parts"))/\(place)", part == nil ? "unknownPart" : "repeatedPart",
          part == nil
            ? "The profile describes no part or slot \"\(name)\"." : "The row shows \"\(name)\" already.")
      }
    }
    if given == .array([]) || given == nil && needsParts {
      object.report("parts", "missingMember", "A row of kind \(kind.rawValue) shows some part.")
    }
    defer { object.finish() }
    return RowRule(
      insets: object.insets("insets", maximum: Self.maximumLength).value ?? .zero,
      minimumHeight: object.double("minimumHeight", in: 0...Self.maximumLength).value ?? 0,
      separatorPixels: object.integer("separatorPixels", in: 0...100).value ?? 0, parts: list)
  }

  private func readStrings(_ reader: inout JSONObjectReader) -> [String: [String: String]] {
    guard let (languages, languageReader) = reader.namedObjects("strings") else { return [:] }
    var objects = languageReader
    var texts: [String: [String: String]] = [:]
    for language in languages {
      guard let (keys, keyReader) = objects.namedObjects(language) else { continue }
      guard let tag = LocaleTag(language)?.text.lowercased(), texts[tag] == nil else {
        objects.report(language, "invalidLocale", "Texts stand under a BCP 47 tag such as pt or pt-BR, each once.")
        continue
      }
      var object = keyReader
      texts[tag] = [:]
      for key in keys { if let text = object.string(key).value { texts[tag]?[key] = text } }
    }
    return texts
  }
}
