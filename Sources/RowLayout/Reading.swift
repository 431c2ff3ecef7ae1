// Reading numbers and words of a document within their bounds, for profiles and measure requests alike.

internal import JSON
internal import TextLayout

extension JSONObjectReader {
  /// A number within the range; anything else adds an issue.
  mutating func double(_ name: String, in range: ClosedRange<Double>, code: String = "outOfRange") -> Presence<Double> {
    number(name).map { number -> Double? in
      if let value = number.double, range.contains(value) { return value }
      let (low, high) = (JSONNumber(range.lowerBound)?.text ?? "", JSONNumber(range.upperBound)?.text ?? "")
      report(name, code, "\(name) must be a number from \(low) to \(high).")
      return nil
    }
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>, code: String = "outOfRange") -> Presence<Int> {
    integer(name).map { value -> Int? in
      if range.contains(value) { return value }
      report(name, code, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
      return nil
    }
  }

  /// One of the words of an enumeration; anything else adds an issue that lists them.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, as type: Word.Type, code: String = "unknownWord"
  ) -> Presence<Word> where Word.RawValue == String {
    string(name).map { text -> Word? in
      if let word = Word(rawValue: text) { return word }
      let words = Word.allCases.map(\.rawValue)
      let ending = Suggestion.ending(for: text, among: words)
      report(name, code, "\(name) must be one of \(words.joined(separator: ", "))\(ending)")
      return nil
    }
  }

  /// A reader of the object in this member, with the names of its members: an object whose names are data. Its absence
  /// adds an issue when it is required.
  mutating func namedObjects(_ name: String, isRequired: Bool = true) -> (names: [String], reader: JSONObjectReader)? {
    let value = value(name)
    guard let object = isRequired ? requiredObject(name) : object(name).value,
      case .value(.object(let members)) = value
    else { return nil }
    return (members.map(\.name), object)
  }

  /// Strings of an array; any other element adds an issue.
  mutating func strings(_ name: String, maximum: Int) -> Presence<[String]> {
    array(name).map { elements -> [String]? in
      guard elements.count <= maximum else {
        report(name, "tooMany", "\(name) holds at most \(maximum) strings.")
        return nil
      }
      var texts: [String] = []
      for (place, element) in elements.enumerated() {
        if case .string(let text) = element {
          texts.append(text)
        } else {
          issues.add("\(pointer(to: name))/\(place)", "wrongType", "This must be a string, not \(element.kindName).")
        }
      }
      return texts
    }
  }

  /// Insets: one number for all sides, or an object of `top`, `leading`, `bottom`, `trailing` (0 when left out).
  mutating func insets(_ name: String, maximum: Double) -> Presence<Insets> {
    value(name).map { value -> Insets? in
      if case .number = value {
        guard let side = double(name, in: 0...maximum).value else { return nil }
        return Insets(top: side, leading: side, bottom: side, trailing: side)
      }
      guard var reader = JSONObjectReader(value, at: pointer(to: name), issues: issues) else { return nil }
      let insets = Insets(
        top: reader.double("top", in: 0...maximum).value ?? 0,
        leading: reader.double("leading", in: 0...maximum).value ?? 0,
        bottom: reader.double("bottom", in: 0...maximum).value ?? 0,
        trailing: reader.double("trailing", in: 0...maximum).value ?? 0)
      reader.finish()
      return insets
    }
  }
}

extension LineRules {
  /// Takes the rules that an object names; those of another platform's line height add an issue.
  /// - Parameter isHeightKnown: false where what these are laid over has no line height that can be read.
  /// - Returns: whether the line height is known with this; where it is not, nothing that hangs on it is judged.
  @discardableResult
  mutating func apply(
    _ reader: inout JSONObjectReader, limits: RowLayoutLimits, isHeightKnown: Bool = true
  ) -> Bool {
    let isGiven = reader.value("height").value != nil
    let word = reader.word("height", as: Height.self).value
    if let word { height = word }
    let isKnown = isGiven ? word != nil : isHeightKnown
    applyHeights(&reader, spacing: 0...limits.maximumSpacing, isKnown: isKnown)
    applyBreaks(&reader, isHeightKnown: isKnown)
    if let tabs = reader.object("tabs").value { applyTabs(tabs) }
    if let advance = reader.word("bitmapAdvance", as: BitmapAdvance.self).value { bitmapAdvance = advance }
    if let rule = reader.word("trailingBreak", as: TrailingBreak.self).value { trailingBreak = rule }
    if let lines = reader.integer("maximumLines", in: 0...100_000).value { maximumLines = lines }
    return isKnown
  }

  private mutating func applyHeights(_ reader: inout JSONObjectReader, spacing: ClosedRange<Double>, isKnown: Bool) {
    let leading = reader.bool("usesFontLeading")
    let padding = reader.bool("includeFontPadding")
    let extra = reader.double("lineSpacingExtra", in: -spacing.upperBound...spacing.upperBound)
    let multiplier = reader.double("lineSpacingMultiplier", in: 0...100)
    let lineHeight = reader.double("lineHeight", in: spacing)
    let between = reader.double("lineSpacing", in: spacing)
    if let value = leading.value { usesFontLeading = value }
    if let value = padding.value { includeFontPadding = value }
    if let value = extra.value { lineSpacingExtra = value }
    if let value = multiplier.value { lineSpacingMultiplier = value }
    if case .null = lineHeight { self.lineHeight = nil }
    if let value = lineHeight.value { self.lineHeight = value }
    if let value = between.value { lineSpacing = value }
    let given: [(name: String, isGiven: Bool, heights: [Height])] = [
      ("usesFontLeading", !leading.isAbsent, [.ios]), ("includeFontPadding", !padding.isAbsent, [.android]),
      ("lineSpacingExtra", !extra.isAbsent, [.android]), ("lineSpacingMultiplier", !multiplier.isAbsent, [.android]),
      ("lineHeight", !lineHeight.isAbsent, [.web]), ("lineSpacing", !between.isAbsent, [.ios, .plain]),
    ]
    for rule in given where isKnown && rule.isGiven && !rule.heights.contains(height) {
      let heights = rule.heights.map(\.rawValue).joined(separator: " or ")
      reader.report(
        rule.name, "inapplicableOption",
        "\(rule.name) belongs to line heights of \(heights); here they are those of \(height.rawValue).")
    }
  }

  private mutating func applyBreaks(_ reader: inout JSONObjectReader, isHeightKnown: Bool) {
    if let value = reader.word("strictness", as: LineBreakRules.Strictness.self).value { strictness = value }
    if let value = reader.word("lineBreakStrategy", as: LineBreakStrategy.self).value {
      (lineBreakStrategy, hangul) = (value, value.keepsHangulWords ? .word : .syllable)
      if isHeightKnown, height != .ios {
        reader.report("lineBreakStrategy", "inapplicableOption", "lineBreakStrategy belongs to line heights of ios.")
      }
    }
    if let value = reader.word("hangul", as: LineBreakRules.Hangul.self).value { hangul = value }
    if let value = reader.word("softHyphen", as: LineBreakRules.SoftHyphen.self).value { softHyphen = value }
    if let value = reader.bool("ideographicSpaceHangs").value { ideographicSpaceHangs = value }
    if let value = reader.word("breakPairs", as: LineBreakRules.Pairs.self).value { breakPairs = value }
    if let value = reader.word("hyphens", as: LineBreakRules.Hyphens.self).value { hyphens = value }
    if let value = reader.word("quotes", as: LineBreakRules.Quotes.self).value { quotes = value }
    if let value = reader.word("breakStrategy", as: BreakStrategy.self).value {
      breakStrategy = value
    }
    if let text = reader.string("hyphenation").value {
      if let value = Hyphenation(rawValue: text) {
        hyphenation = value
      } else {
        reader.report(
          "hyphenation", "unsupportedOption",
          "Words are not hyphenated here: hyphenation is \"none\", as Android's HYPHENATION_FREQUENCY_NONE and UIKit's "
            + "hyphenationFactor of 0. Soft hyphens break all the same.")
      }
    }
  }

  private mutating func applyTabs(_ tabs: JSONObjectReader) {
    var reader = tabs
    let widths = ["every", "everyPixels", "spaces"].filter { reader.value($0).value != nil }
    let hasCount = reader.value("count").value != nil
    let issuesBefore = reader.issues.issues.count
    let every = reader.double("every", in: 0.1...10_000).value
    let everyPixels = reader.double("everyPixels", in: 1...10_000).value
    let count = reader.integer("count", in: 0...1_000).value
    let spaces = reader.integer("spaces", in: 1...100).value
    reader.finish()
    // A width that is wrong in itself is not wrong beside others too.
    if widths.isEmpty, reader.issues.issues.count > issuesBefore { return }
    switch widths {
    case ["every"]: if let every { self.tabs = .stops(every: every, count: count ?? 0) }
    case ["everyPixels"] where !hasCount: if let everyPixels { self.tabs = .pixelStops(every: everyPixels) }
    case ["spaces"] where !hasCount: if let spaces { self.tabs = .spaces(spaces) }
    default:
      reader.issues.add(
        reader.pointer, "invalidTabs", "Tabs have stops, {every, count} or {everyPixels}, or a width, {spaces}.")
    }
  }
}
