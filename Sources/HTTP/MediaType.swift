// Media types (RFC 9110, section 8.3) and what a client accepts (section 12.5).

/// A media type with its parameters. Type, subtype and parameter names are in ASCII lower case.
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
  public let type: String
  public let subtype: String
  public let parameters: [Field]

  public static let json = MediaType("application", "json")
  public static let mergePatch = MediaType("application", "merge-patch+json")
  public static let problem = MediaType("application", "problem+json")
  public static let csv = MediaType("text", "csv")
  public static let markdown = MediaType("text", "markdown")
  public static let html = MediaType("text", "html")
  public static let plainText = MediaType("text", "plain")
  public static let eventStream = MediaType("text", "event-stream")

  public init(_ type: String, _ subtype: String, parameters: [Field] = []) {
    self.type = type
    self.subtype = subtype
    self.parameters = parameters
  }

  /// Parses the value of `Content-Type`; nil when it is no media type.
  public init?(_ value: String) {
    var scanner = ValueScanner(value)
    guard let media = scanner.mediaType(), scanner.isAtEnd else { return nil }
    self = media
  }

  /// The same type and subtype, whatever the parameters.
  public func isSameKind(as other: MediaType) -> Bool { type == other.type && subtype == other.subtype }

  /// The value of a parameter.
  public func parameter(_ name: String) -> String? {
    parameters.first { $0.name.isASCIICaseInsensitively(name) }?.value
  }

  /// Whether text of this type is UTF-8: no `charset`, or that one.
  public var isUTF8: Bool {
    guard let charset = parameter("charset") else { return true }
    return charset.isASCIICaseInsensitively("utf-8")
  }

  public var description: String {
    parameters.reduce("\(type)/\(subtype)") { "\($0); \($1.name)=\($1.value)" }
  }
}

/// What a client accepts: `Accept`, or `Accept-Encoding` and the like, with quality values in thousandths.
public struct AcceptList: Sendable, Hashable {
  struct Range: Sendable, Hashable {
    var type: String
    var subtype: String
    var quality: Int
  }

  let ranges: [Range]

  /// Parses `Accept`. What is not valid in it is left out; an absent or empty field accepts everything.
  public init(accept value: String?) {
    ranges = Self.parse(value) { scanner in
      scanner.mediaType().map { media in
        let quality = media.parameter("q").map(Self.quality) ?? 1_000
        return quality.map { Range(type: media.type, subtype: media.subtype, quality: $0) }
      } ?? nil
    }
  }

  /// Parses `Accept-Encoding`: `subtype` is not used there.
  private init(codings value: String?) {
    ranges = Self.parse(value) { scanner in
      guard let coding = scanner.token() else { return nil }
      let parameters = scanner.parameters()
      let weight = parameters.first { $0.name == "q" }.map { Self.quality($0.value) } ?? 1_000
      return weight.map { Range(type: coding.asciiLowercased, subtype: "", quality: $0) }
    }
  }

  /// The quality, 0 to 1,000, that a content coding has in `Accept-Encoding`; 0 when it is not acceptable or not named.
  /// `identity` is acceptable unless it is excluded.
  public static func quality(ofCoding coding: String, in acceptEncoding: String?) -> Int {
    let list = AcceptList(codings: acceptEncoding)
    if let named = list.ranges.first(where: { $0.type == coding }) { return named.quality }
    if let any = list.ranges.first(where: { $0.type == "*" }) { return any.quality }
    return coding == "identity" ? 1 : 0
  }

  private static func parse(_ value: String?, _ element: (inout ValueScanner) -> Range??) -> [Range] {
    guard let value else { return [] }
    var scanner = ValueScanner(value)
    var result: [Range] = []
    while scanner.skipToElement() {
      if let found = element(&scanner), let range = found, scanner.isAtElementEnd {
        result.append(range)
      } else {
        scanner.skipElement()
      }
    }
    return result
  }

  /// The quality, 0 to 1,000, of `media`; the most specific range decides.
  public func quality(of media: MediaType) -> Int {
    guard !ranges.isEmpty else { return 1_000 }
    if let exact = ranges.first(where: { $0.type == media.type && $0.subtype == media.subtype }) {
      return exact.quality
    }
    if let kind = ranges.first(where: { $0.type == media.type && $0.subtype == "*" }) { return kind.quality }
    return ranges.first { $0.type == "*" && $0.subtype == "*" }?.quality ?? 0
  }

  /// The best of `offers`, the earlier one where two are equal; nil when none is acceptable (406).
  public func best(of offers: [MediaType]) -> MediaType? {
    var best: (media: MediaType, quality: Int)?
    for offer in offers {
      let quality = quality(of: offer)
      if quality > best?.quality ?? 0 { best = (offer, quality) }
    }
    return best?.media
  }

  /// A quality value (RFC 9110, section 12.4.2) in thousandths; nil when it is none.
  static func quality(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard (1...5).contains(bytes.count), bytes[0] == 0x30 || bytes[0] == 0x31 else { return nil }
    var value = Int(bytes[0] - 0x30) * 1_000
    guard bytes.count > 1 else { return value }
    guard bytes[1] == 0x2E else { return nil }
    var scale = 100
    for byte in bytes[2...] {
      guard ByteClass.isDigit(byte) else { return nil }
      value += Int(byte - 0x30) * scale
      scale /= 10
    }
    return value <= 1_000 ? value : nil
  }
}
