// Viewports from the query of a request: every layout read, screen read and answer write takes the same parameters.

public import InterviewKits
internal import JSON

/// The viewport parameters of a query.
public enum ViewportQuery {
  /// The parameters that belong to a viewport; the others of a query are none of its business.
  public static let parameterNames: Set<String> = [
    "profile", "width", "contentSize", "fontScale", "scale", "locale", "slots",
  ]

  /// True when the query asks for a layout: it names any of the parameters.
  public static func isPresent(in query: [(name: String, value: String)]) -> Bool {
    query.contains { parameterNames.contains($0.name) }
  }

  /// One viewport for each width, `width=375,667`.
  /// - Parameters:
  ///   - query: decoded names and values; other parameters are passed over.
  ///   - defaultLocale: the kit's language.
  ///   - pointer: what the issues' pointers begin with.
  /// - Throws: every issue, as `InvalidViewport`.
  public static func viewports(
    in query: [(name: String, value: String)], profiles: ProfileLibrary, defaultLocale: String?,
    limits: RowLayoutLimits = .standard, pointer: String = "/query"
  ) throws(InvalidViewport) -> [Viewport] {
    var reader = ViewportReader(query: query, limits: limits, pointer: pointer)
    let viewports = reader.read(profiles: profiles, defaultLocale: defaultLocale)
    guard reader.issues.isEmpty else { throw InvalidViewport(issues: reader.issues) }
    return viewports
  }

  /// What a width is told that leaves text no room.
  static func tooNarrow(_ width: Double, insets: Double) -> String {
    let (sent, taken) = (JSONNumber(width)?.text ?? "", JSONNumber(insets)?.text ?? "")
    return "A width of \(sent) leaves text no room: it must be more than the \(taken) that the insets take."
  }
}

/// Everything that is wrong with a viewport.
public struct InvalidViewport: Error, Sendable, Hashable {
  public var issues: [Issue]
}

private struct ViewportReader {
  let query: [(name: String, value: String)]
  let limits: RowLayoutLimits
  let pointer: String
  var issues: [Issue] = []

  init(query: [(name: String, value: String)], limits: RowLayoutLimits, pointer: String) {
    (self.query, self.limits, self.pointer) = (query, limits, pointer)
  }

  mutating func read(profiles: ProfileLibrary, defaultLocale: String?) -> [Viewport] {
    let profile = readProfile(profiles)
    let scale = readScale()
    let locale = readLocale(defaultLocale)
    let textSize = if let profile { readTextSize(of: profile) } else { TextSize?.none }
    let widths = readWidths(profile: profile)
    let slots = if let profile { readSlots(of: profile) } else { [String: Double]() }
    guard let profile, let textSize, issues.isEmpty else { return [] }
    return widths.map {
      Viewport(
        profile: profile, width: $0, textSize: textSize, scale: scale ?? profile.scale, locale: locale, slots: slots)
    }
  }

  private mutating func readProfile(_ profiles: ProfileLibrary) -> Profile? {
    guard let name = value("profile") else {
      add("profile", "missingParameter", "A viewport names its profile, such as profile=\(profiles.names.first ?? "").")
      return nil
    }
    do {
      if let profile = try profiles.profile(name) { return profile }
    } catch {
      add("profile", "unreadableProfile", "The profile \"\(name)\" that was stored can't be read: \(error)")
      return nil
    }
    add("profile", "unknownProfile", profiles.unknownProfile(name))
    return nil
  }

  private mutating func readWidths(profile: Profile?) -> [Double] {
    guard let text = value("width") else {
      add("width", "missingParameter", "A viewport has a width, such as width=375.")
      return []
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= limits.maximumWidths else {
      add("width", "tooManyWidths", "A query names at most \(limits.maximumWidths) widths.")
      return []
    }
    let smallest = profile?.horizontalInsets ?? 0
    var widths: [Double] = []
    for part in parts {
      guard let width = StrictNumber.parse(part), width > 0, width <= limits.maximumWidth else {
        let most = Int(limits.maximumWidth)
        add("width", "invalidWidth", "The width must be a number above 0 and at most \(most), not \"\(part)\".")
        continue
      }
      guard width > smallest else {
        add("width", "invalidWidth", ViewportQuery.tooNarrow(width, insets: smallest))
        continue
      }
      widths.append(width)
    }
    return widths
  }

  /// `slots=counter:18,error:0`.
  private mutating func readSlots(of profile: Profile) -> [String: Double] {
    guard let text = value("slots") else { return [:] }
    var heights: [String: Double] = [:]
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0])
      guard profile.slots[name] != nil else {
        add("slots", "unknownSlot", profile.unknownSlot(name))
        continue
      }
      let most = RowLayoutLimits.maximumSlotHeight
      guard sides.count == 2, let height = StrictNumber.parse(sides[1]), height >= 0, height <= most else {
        add("slots", "invalidSlot", "A slot has a height from 0 to \(Int(most)), such as \(name):18, not \"\(entry)\".")
        continue
      }
      if heights.updateValue(height, forKey: name) != nil {
        add("slots", "doubledSlot", "The slot \"\(name)\" is given more than once.")
      }
    }
    return heights
  }

  private mutating func readTextSize(of profile: Profile) -> TextSize? {
    let contentSize = value("contentSize")
    let fontScale = value("fontScale")
    switch profile.textSize {
    case .dynamicType(let rule):
      if fontScale != nil {
        add("fontScale", "inapplicableParameter", "The profile \(profile.name) takes contentSize, not fontScale.")
      }
      guard let contentSize else { return profile.textSize.standard }
      if let place = rule.category(contentSize) { return .contentSize(rule.categories[place].name) }
      let names = rule.categories.map(\.name).joined(separator: ", ")
      add("contentSize", "unknownContentSize", "There is no text size \"\(contentSize)\"; there are \(names).")
    case .fontScale(let rule):
      if contentSize != nil {
        add("contentSize", "inapplicableParameter", "The profile \(profile.name) takes fontScale, not contentSize.")
      }
      guard let fontScale else { return profile.textSize.standard }
      if let factor = StrictNumber.parse(fontScale), rule.range.contains(factor) { return .fontScale(factor) }
      let (low, high) = (rule.range.lowerBound, rule.range.upperBound)
      add("fontScale", "invalidFontScale", "The font scale must be a number from \(low) to \(high).")
    }
    return nil
  }

  private mutating func readScale() -> Double? {
    guard let text = value("scale") else { return nil }
    if let scale = StrictNumber.parse(text), scale >= 0.1, scale <= limits.maximumScale { return scale }
    add("scale", "invalidScale", "The pixel scale must be a number from 0.1 to \(limits.maximumScale).")
    return nil
  }

  private mutating func readLocale(_ standard: String?) -> String {
    guard let text = value("locale") else { return standard.flatMap(LocaleTag.init)?.text ?? LocaleTag.standard }
    if let tag = LocaleTag(text) { return tag.text }
    add("locale", "invalidLocale", "The locale must be a BCP 47 tag such as ko or zh-Hant, not \"\(text)\".")
    return LocaleTag.standard
  }

  /// The one value of a parameter.
  private mutating func value(_ name: String) -> String? {
    let values = query.filter { $0.name == name }
    if values.count > 1 { add(name, "doubledParameter", "\(name) is given more than once.") }
    return values.first?.value
  }

  private mutating func add(_ name: String, _ code: String, _ message: String) {
    issues.append(Issue(pointer: "\(pointer)/\(name)", code: code, message: message))
  }
}

/// A BCP 47 tag in its outer form.
struct LocaleTag {
  static let standard = "en"
  static let maximumBytes = 35

  let text: String

  /// Nil unless `text` is 2 to 8 letters, then parts of 1 to 8 letters and digits; `_` is taken for `-`.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let bytes = text.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let language = parts.first, (2...8).contains(language.count), language.allSatisfy(Self.isLetter) else {
      return nil
    }
    for part in parts.dropFirst() {
      guard (1...8).contains(part.count) else { return nil }
      guard part.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) }) else { return nil }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}

extension Profile {
  /// The most that insets take from a row's width before text is set.
  public var horizontalInsets: Double {
    rows.values.reduce(0) { most, row in
      row.parts.reduce(most) { most, entry in
        guard case .text(let role) = entry, let part = parts[role], let mode = modes[part.mode] else { return most }
        let own = row.insets.leading + row.insets.trailing + part.insets.leading + part.insets.trailing
        return max(most, own + mode.horizontalInsets)
      }
    }
  }
}
