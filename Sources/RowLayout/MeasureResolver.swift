// From the settings of a measure request to what they mean in their profile.

internal import JSON

/// Resolves settings; what makes no sense adds an issue.
struct MeasureResolver {
  let engine: RowLayoutEngine
  let profiles: ProfileLibrary
  let issues: JSONIssueList
  let families: Set<String>

  func resolve(_ layer: MeasureLayer) -> (setting: MeasureSetting, includesLineStarts: Bool)? {
    if layer.width == nil {
      issues.add("\(layer.pointer)/width", "missingMember", "The member \"width\" is missing.")
    }
    guard let sent = layer.profile else {
      issues.add("\(layer.pointer)/profile", "missingMember", "The member \"profile\" is missing.")
      return nil
    }
    let found: Profile?
    do { found = try profiles.profile(sent.value) } catch {
      issues.add(
        sent.pointer, "unreadableProfile", "The profile \"\(sent.value)\" that was stored can't be read: \(error)")
      return nil
    }
    guard let profile = found else {
      issues.add(sent.pointer, "unknownProfile", profiles.unknownProfile(sent.value))
      return nil
    }
    let mode = layer.mode?.value ?? .label
    guard var rule = profile.modes[mode] else {
      let names = PartMode.allCases.filter { profile.modes[$0] != nil }.map(\.rawValue).joined(separator: ", ")
      issues.add(
        layer.mode?.pointer ?? "\(layer.pointer)/mode", "unknownMode",
        "The profile \(profile.name) has no mode \(mode.rawValue); it has \(names).")
      return nil
    }
    let includesLineStarts = layer.options.map { apply($0, to: &rule) } ?? false
    let textSize = textSize(layer, profile: profile)
    let fontSize = fontSize(layer, profile: profile, textSize: textSize)
    checkFamilies(layer)
    let locale = locale(layer)
    guard let width = width(layer, rule: rule), let textSize, let fontSize, let locale else { return nil }
    let style = layer.style?.value
    let weight =
      layer.weight?.value ?? style.flatMap { profile.textSize.weight(ofStyle: $0) } ?? profile.font.weight(in: profile)
    let setting = MeasureSetting(
      profile: profile, mode: mode, width: width, family: layer.family?.value ?? profile.font.family,
      fallbacks: layer.fallbacks?.value ?? profile.font.fallbacks, fontSize: fontSize, weight: weight,
      textSize: textSize, scale: layer.scale?.value ?? profile.scale, locale: locale, rule: rule)
    return (setting, includesLineStarts)
  }

  /// Applies the options and says whether line starts are asked for.
  private func apply(_ options: Sent<JSONValue>, to rule: inout ModeRule) -> Bool {
    guard var reader = JSONObjectReader(options.value, at: options.pointer, issues: issues) else { return false }
    let includesLineStarts = reader.bool("lineStarts").value ?? false
    if let insets = reader.insets("insets", maximum: engine.limits.maximumSpacing).value { rule.insets = insets }
    if let padding = reader.double("lineFragmentPadding", in: 0...engine.limits.maximumSpacing).value {
      rule.lineFragmentPadding = padding
    }
    if let isBroken = reader.bool("usesLineFragmentOrigin").value {
      if isBroken, rule.isSingleLine {
        reader.report("usesLineFragmentOrigin", "inapplicableOption", "This mode shows one line, whatever the text.")
      }
      rule.isSingleLine = !isBroken || rule.isSingleLine
    }
    rule.lines.apply(&reader, limits: engine.limits)
    reader.finish()
    return includesLineStarts
  }

  private func width(_ layer: MeasureLayer, rule: ModeRule) -> Double? {
    guard let width = layer.width else { return nil }
    guard width.value > rule.horizontalInsets || rule.isSingleLine else {
      issues.add(
        width.pointer, "invalidWidth",
        ViewportQuery.tooNarrow(width.value, insets: rule.horizontalInsets))
      return nil
    }
    return width.value
  }

  private func textSize(_ layer: MeasureLayer, profile: Profile) -> TextSize? {
    switch profile.textSize {
    case .dynamicType(let rule):
      if let fontScale = layer.fontScale {
        issues.add(
          fontScale.pointer, "inapplicableMember", "The profile \(profile.name) takes contentSize, not fontScale.")
      }
      guard let contentSize = layer.contentSize else { return profile.textSize.standard }
      if let place = rule.category(contentSize.value) { return .contentSize(rule.categories[place].name) }
      let names = rule.categories.map(\.name).joined(separator: ", ")
      issues.add(
        contentSize.pointer, "unknownContentSize",
        "There is no text size \"\(contentSize.value)\"; there are \(names).")
    case .fontScale(let rule):
      if let contentSize = layer.contentSize {
        issues.add(
          contentSize.pointer, "inapplicableMember", "The profile \(profile.name) takes fontScale, not contentSize.")
      }
      guard let fontScale = layer.fontScale else { return profile.textSize.standard }
      if rule.range.contains(fontScale.value) { return .fontScale(fontScale.value) }
      let (low, high) = (rule.range.lowerBound, rule.range.upperBound)
      issues.add(fontScale.pointer, "invalidFontScale", "The font scale must be a number from \(low) to \(high).")
    }
    return nil
  }

  private func fontSize(_ layer: MeasureLayer, profile: Profile, textSize: TextSize?) -> Double? {
    var size = profile.font.size
    if let fixed = layer.size { size = .fixed(fixed.value) }
    if let style = layer.style {
      guard profile.textSize.weight(ofStyle: style.value) != nil else {
        let names = profile.textSize.styleNames.joined(separator: ", ")
        issues.add(style.pointer, "unknownStyle", "There is no text style \"\(style.value)\"; there are \(names).")
        return nil
      }
      size = .style(style.value)
    }
    guard let textSize else { return nil }
    return profile.textSize.size(of: size, at: textSize, scale: layer.scale?.value ?? profile.scale)
  }

  private func checkFamilies(_ layer: MeasureLayer) {
    if let family = layer.family, !families.contains(family.value) {
      issues.add(family.pointer, "unknownFamily", ProfileLibrary.unknownFamily(family.value, among: families))
    }
    guard let fallbacks = layer.fallbacks else { return }
    for (place, family) in fallbacks.value.enumerated() where !families.contains(family) {
      issues.add(
        "\(fallbacks.pointer)/\(place)", "unknownFamily", ProfileLibrary.unknownFamily(family, among: families))
    }
  }

  private func locale(_ layer: MeasureLayer) -> String? {
    guard let locale = layer.locale else { return LocaleTag.standard }
    if let tag = LocaleTag(locale.value) { return tag.text }
    issues.add(
      locale.pointer, "invalidLocale",
      "The locale must be a BCP 47 tag such as ko or zh-Hant, not \"\(locale.value)\".")
    return nil
  }
}
