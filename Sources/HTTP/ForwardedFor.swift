// For whom a proxy speaks: Forwarded (RFC 7239), or X-Forwarded-For.

/// The field in which the proxy before us writes its client's address. One alone is read: the other may come from anybody,
/// through a proxy that does not know it.
public enum ForwardingField: String, Sendable, CaseIterable {
  case forwarded = "Forwarded"
  case xForwardedFor = "X-Forwarded-For"
}

extension RequestHead {
  /// The addresses that the proxies wrote, from the client to the nearest one; nil stands for what is no numeric address,
  /// such as `unknown`.
  public func forwardedFor(_ field: ForwardingField) -> [String?] {
    var hops: [String?] = []
    for value in fields.values(of: field.rawValue) {
      switch field {
      case .xForwardedFor:
        for element in value.split(separator: ",") { hops.append(Self.address(element)) }
      case .forwarded: hops += Self.forwardedElements(value)
      }
    }
    return hops
  }

  private static func forwardedElements(_ value: String) -> [String?] {
    var scanner = ValueScanner(value)
    var hops: [String?] = []
    while scanner.skipToElement() {
      // An element is a list of pairs, in the form of parameters without their first semicolon.
      let pairs = scanner.pairs()
      hops.append(pairs.first { $0.name == "for" }.flatMap { address($0.value[...]) })
      if !scanner.isAtElementEnd { scanner.skipElement() }
    }
    return hops
  }

  /// A numeric address without its port and brackets, in its one spelling.
  private static func address(_ text: Substring) -> String? {
    var text = text[...]
    while let first = text.utf8.first, ByteClass.isWhitespace(first) { text = text.dropFirst() }
    while let last = text.utf8.last, ByteClass.isWhitespace(last) { text = text.dropLast() }
    if text.utf8.first == 0x5B {
      guard let end = text.firstIndex(of: "]") else { return nil }
      text = text[..<end].dropFirst()
    } else if text.utf8.filter({ $0 == 0x3A }).count == 1, let colon = text.firstIndex(of: ":") {
      text = text[..<colon]
    }
    return NumericAddress(String(text))?.text
  }
}
