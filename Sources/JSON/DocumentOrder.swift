// Where a JSON Pointer (RFC 6901) leads in a document: the values on its way, and its place among other pointers.

extension JSONPointer {
  /// The unescaped tokens of a pointer.
  public static func tokens(of pointer: String) -> [String] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
      let parts = token.split(separator: "~1", omittingEmptySubsequences: false)
      return parts.map { $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~") }
        .joined(separator: "/")
    }
  }
}

extension JSONValue {
  /// Each step from the root: how many members or elements stand before it, and its value. The steps end where the document has
  /// nothing.
  public func steps(to pointer: String) -> [(place: Int, value: JSONValue)] {
    var (value, found) = (self, [(place: Int, value: JSONValue)]())
    for token in JSONPointer.tokens(of: pointer) {
      switch value {
      case .array(let elements):
        guard let place = Int(token), elements.indices.contains(place) else { return found }
        found.append((place, elements[place]))
      case .object(let members):
        guard let place = members.firstIndex(where: { $0.name.utf8.elementsEqual(token.utf8) }) else { return found }
        found.append((place, members[place].value))
      default: return found
      }
      value = found[found.count - 1].value
    }
    return found
  }

  /// Elements in the order in which the document has what their pointers name; what it lacks comes after what it has beside it,
  /// and equals stay in their order.
  public func inDocumentOrder<Element>(_ elements: [Element], by pointer: (Element) -> String) -> [Element] {
    let keyed = elements.enumerated().map { offset, element in
      let pointer = pointer(element)
      let steps = steps(to: pointer)
      let isWhole = steps.count == JSONPointer.tokens(of: pointer).count
      return (key: steps.map(\.place) + (isWhole ? [] : [Int.max]), offset: offset, element: element)
    }
    return keyed.sorted { left, right in
      if left.key == right.key { return left.offset < right.offset }
      return left.key.lexicographicallyPrecedes(right.key)
    }.map(\.element)
  }
}
