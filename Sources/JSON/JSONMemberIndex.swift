// Where the members of an object stand by name: at once in objects of any size.

/// The places of members by their names, which are compared byte for byte.
struct JSONMemberIndex {
  private let members: [JSONMember]
  /// Nil for a few members, which are looked through.
  private let places: [Name: Int]?

  /// Up to so many members a look at each takes less time than a table.
  private static let fewMembers = 16

  init(_ members: [JSONMember]) {
    self.members = members
    places =
      members.count <= Self.fewMembers
      ? nil
      : Dictionary(members.enumerated().map { (Name(text: $1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The place of the first member with a name.
  func place(of name: String) -> Int? {
    if let places { return places[Name(text: name)] }
    return members.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  /// A name as its bytes.
  private struct Name: Hashable {
    let text: String

    static func == (left: Name, right: Name) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
      // The bytes, not what they are equivalent to: spellings of one text are many names.
      var text = text
      // The buffer is read inside the closure only.
      text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
