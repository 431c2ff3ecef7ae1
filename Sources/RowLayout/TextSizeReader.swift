// Reading a profile's text size rule.

internal import JSON

extension ProfileReader {
  func readTextSize(_ textSize: JSONObjectReader) -> TextSizeRule? {
    var reader = textSize
    let rule: TextSizeRule?
    switch reader.requiredString("kind") {
    case "dynamicType": rule = readDynamicType(&reader).map { .dynamicType($0) }
    case "fontScale": rule = readFontScale(&reader).map { .fontScale($0) }
    // Which other members there are hangs on the kind: without it none is judged.
    case nil: return nil
    case let kind?:
      let ending = Suggestion.ending(for: kind, among: ["dynamicType", "fontScale"])
      reader.report("kind", "unknownWord", "The kind of a text size rule is dynamicType or fontScale\(ending)")
      return nil
    }
    reader.finish()
    return rule
  }

  private func readDynamicType(_ reader: inout JSONObjectReader) -> DynamicType? {
    // What refers to a list that can't be read is not judged.
    var categories: [DynamicType.Category]?
    if let (names, categoryReader) = reader.namedObjects("categories") {
      var object = categoryReader
      categories = names.map { .init(name: $0, aliases: object.strings($0, maximum: 10).value ?? []) }
    }
    let standard = reader.requiredString("default")
    let other = reader.requiredString("otherSizesLike")
    var (styles, styleNames) = ([String: DynamicType.Style](), [String]?.none)
    if let (names, styleReader) = reader.namedObjects("styles") {
      var objects = styleReader
      styleNames = names
      for name in names {
        guard var object = objects.object(name).value else { continue }
        let style = DynamicType.Style(
          weight: object.integer("weight", in: 1...1_000).value ?? 400,
          sizes: sizes("sizes", of: &object, count: categories?.count),
          leading: sizes("leading", of: &object, count: categories?.count))
        object.finish()
        styles[name] = style
      }
    }
    let place = categories?.firstIndex { $0.name == standard }
    if standard != nil, categories != nil, place == nil {
      reader.report("default", "unknownWord", "The default is one of the categories.")
    }
    if let other, let styleNames, !styleNames.contains(other) {
      reader.report("otherSizesLike", "unknownStyle", "Other sizes scale like one of the text styles.")
    }
    guard let categories, let place, let other, styles[other] != nil else { return nil }
    return DynamicType(categories: categories, standard: place, styles: styles, otherSizesStyle: other)
  }

  private func readFontScale(_ reader: inout JSONObjectReader) -> FontScaling? {
    let issuesBefore = reader.issues.issues.count
    let standard = reader.double("default", in: 0.1...10).value ?? 1
    let low = reader.double("minimum", in: 0.1...10).value ?? 0.25
    let high = reader.double("maximum", in: 0.1...10).value ?? 4
    let isRangeKnown = reader.issues.issues.count == issuesBefore
    var styles: [String: FontScaling.Style] = [:]
    if let (names, styleReader) = reader.namedObjects("styles", isRequired: false) {
      var objects = styleReader
      for name in names {
        guard var object = objects.object(name).value else { continue }
        let size = object.double("size", in: 1...1_000).value
        if size == nil { object.report("size", "missingMember", "A text style has a size.") }
        styles[name] = .init(weight: object.integer("weight", in: 1...1_000).value ?? 400, size: size ?? 1)
        object.finish()
      }
    }
    let isInRange = low <= standard && standard <= high
    if isRangeKnown, !isInRange {
      reader.report("default", "outOfRange", "The default lies between minimum and maximum.")
    }
    var scaling = FontScaling(
      standard: standard, range: low...max(low, high), styles: styles, curveSizes: [], curves: [], curvesFrom: .infinity
    )
    if let curves = reader.object("curves").value { readCurves(curves, into: &scaling) }
    return isInRange ? scaling : nil
  }

  private func readCurves(_ curves: JSONObjectReader, into scaling: inout FontScaling) {
    var reader = curves
    scaling.curvesFrom = reader.double("from", in: 1...10).value ?? 1
    let issuesBefore = reader.issues.issues.count
    scaling.curveSizes = sizes("sizes", of: &reader, count: nil)
    let areSizesKnown = reader.issues.issues.count == issuesBefore
    if let (names, scaleReader) = reader.namedObjects("scales") {
      var scales = scaleReader
      for name in names {
        let sizes = sizes(name, of: &scales, count: areSizesKnown ? scaling.curveSizes.count : nil)
        guard let factor = StrictNumber.parse(name), factor > 1 else {
          scales.report(name, "outOfRange", "A curve is named by its font scale, above 1.")
          continue
        }
        scaling.curves.append(.init(factor: factor, sizes: sizes))
      }
    }
    reader.finish()
    scaling.curves.sort { $0.factor < $1.factor }
    let isRising = zip(scaling.curveSizes, scaling.curveSizes.dropFirst()).allSatisfy { $0 < $1 }
    if areSizesKnown, scaling.curveSizes.isEmpty || !isRising {
      reader.report("sizes", "outOfRange", "The sizes of the curves rise, and there is at least one.")
      scaling.curves = []
    }
  }

  /// An array of sizes above 0, as many as `count` when that is known.
  private func sizes(_ name: String, of reader: inout JSONObjectReader, count: Int?) -> [Double] {
    guard let elements = reader.requiredArray(name) else { return Array(repeating: 1, count: count ?? 0) }
    let sizes = elements.compactMap { element -> Double? in
      guard case .number(let number) = element, let value = number.double, value > 0, value <= 1_000 else { return nil }
      return value
    }
    guard sizes.count == elements.count, count == nil || sizes.count == count else {
      let expected = count.map { "\($0) " } ?? ""
      reader.report(name, "outOfRange", "\(name) must be \(expected)sizes above 0.")
      return Array(repeating: 1, count: count ?? 0)
    }
    return sizes
  }
}
