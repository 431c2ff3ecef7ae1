// The settings that stand at one place of a measure request: at its top, or at one text, which goes over the top.

internal import JSON

/// A value and where it was sent.
struct Sent<Value: Sendable>: Sendable {
  var value: Value
  var pointer: String
}

/// Settings as sent; nil where nothing was. Their form is checked here, their sense when a text uses them.
struct MeasureLayer: Sendable {
  /// Where a missing member would belong.
  private(set) var pointer: String
  private(set) var profile: Sent<String>?
  private(set) var mode: Sent<PartMode>?
  private(set) var width: Sent<Double>?
  private(set) var scale: Sent<Double>?
  private(set) var locale: Sent<String>?
  private(set) var contentSize: Sent<String>?
  private(set) var fontScale: Sent<Double>?
  private(set) var family: Sent<String>?
  private(set) var fallbacks: Sent<[String]>?
  private(set) var style: Sent<String>?
  private(set) var size: Sent<Double>?
  private(set) var weight: Sent<Int>?
  private(set) var options: Sent<JSONValue>?
  /// True when nothing was sent.
  private(set) var isEmpty = true

  init(_ reader: inout JSONObjectReader, limits: RowLayoutLimits) {
    pointer = reader.pointer
    profile = sent("profile", in: reader, reader.string("profile"))
    mode = sent("mode", in: reader, reader.word("mode", as: PartMode.self, code: "unknownMode"))
    width = sent("width", in: reader, Self.width(&reader, limits: limits))
    scale = sent("scale", in: reader, reader.double("scale", in: 0.1...limits.maximumScale, code: "invalidScale"))
    locale = sent("locale", in: reader, reader.string("locale"))
    contentSize = sent("contentSize", in: reader, reader.string("contentSize"))
    fontScale = sent("fontScale", in: reader, reader.double("fontScale", in: 0.01...100, code: "invalidFontScale"))
    let options = reader.value("options").map { value -> JSONValue? in
      guard case .object = value else {
        reader.report("options", "wrongType", "options must be an object, not \(value.kindName).")
        return nil
      }
      return value
    }
    self.options = sent("options", in: reader, options)
    guard var font = reader.object("font").value else { return }
    isEmpty = false
    family = sent("family", in: font, font.string("family"))
    fallbacks = sent("fallbacks", in: font, font.strings("fallbacks", maximum: 50))
    style = sent("style", in: font, font.string("style"))
    size = sent("size", in: font, font.double("size", in: 0.1...limits.maximumFontSize, code: "invalidFontSize"))
    weight = sent("weight", in: font, font.integer("weight", in: 1...1_000, code: "invalidFontWeight"))
    font.finish()
    if style != nil, size != nil {
      font.report("size", "styleAndSize", "A font has a style or a size, not both.")
      size = nil
    }
  }

  /// This layer, with what it leaves open taken from `base`.
  func over(_ base: MeasureLayer) -> MeasureLayer {
    var layer = self
    layer.profile = profile ?? base.profile
    layer.mode = mode ?? base.mode
    layer.width = width ?? base.width
    layer.scale = scale ?? base.scale
    layer.locale = locale ?? base.locale
    layer.contentSize = contentSize ?? base.contentSize
    layer.fontScale = fontScale ?? base.fontScale
    layer.family = family ?? base.family
    layer.fallbacks = fallbacks ?? base.fallbacks
    layer.weight = weight ?? base.weight
    if style == nil && size == nil { (layer.style, layer.size) = (base.style, base.size) }
    if let options, let below = base.options {
      layer.options = Sent(value: below.value.merged(with: options.value), pointer: options.pointer)
    } else {
      layer.options = options ?? base.options
    }
    return layer
  }

  private static func width(_ reader: inout JSONObjectReader, limits: RowLayoutLimits) -> Presence<Double> {
    reader.number("width").map { number -> Double? in
      if let width = number.double, width > 0, width <= limits.maximumWidth { return width }
      let most = Int(limits.maximumWidth)
      reader.report(
        "width", "invalidWidth", "The width must be a number above 0 and at most \(most), not \(number.text).")
      return nil
    }
  }

  private mutating func sent<Value: Sendable>(
    _ name: String, in reader: JSONObjectReader, _ presence: Presence<Value>
  ) -> Sent<Value>? {
    guard let value = presence.value else { return nil }
    isEmpty = false
    return Sent(value: value, pointer: reader.pointer(to: name))
  }
}
