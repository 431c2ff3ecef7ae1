// A JSON text as values: members in the order sent, numbers with their digits, strings code point for code point.

/// One JSON value (RFC 8259). Two values are equal when they hold the same bytes in the same order.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The member of an object with this name; nil when there is none or when this is no object.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The word for this kind of value in messages.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Applies a merge patch (RFC 7396): an object's members replace those of the same name, `null` removes them, and
  /// anything but an object replaces this value as a whole.
  public func merged(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    let own: [JSONMember] = if case .object(let own) = self { own } else { [] }
    let (ownPlaces, changePlaces) = (JSONMemberIndex(own), JSONMemberIndex(changes))
    var members: [JSONMember] = []
    for member in own {
      guard let change = changePlaces.place(of: member.name).map({ changes[$0] }) else {
        members.append(member)
        continue
      }
      if change.value != .null { members.append(JSONMember(member.name, member.value.merged(with: change.value))) }
    }
    for change in changes where change.value != .null {
      if ownPlaces.place(of: change.name) != nil { continue }
      members.append(JSONMember(change.name, JSONValue.null.merged(with: change.value)))
    }
    return .object(members)
  }
}

/// A name and its value in an object.
public struct JSONMember: Sendable, Equatable {
  public var name: String
  public var value: JSONValue

  public init(_ name: String, _ value: JSONValue) { (self.name, self.value) = (name, value) }

  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value
  }
}

extension String {
  /// This text, or the beginning and the end of a longer one with `…` between them: at most so many Unicode scalars.
  public func shortened(to maximumScalars: Int) -> String {
    let scalars = unicodeScalars
    guard utf8.count > maximumScalars,
      let end = scalars.index(scalars.startIndex, offsetBy: maximumScalars, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return self }
    let tail = maximumScalars / 4
    return String(scalars.prefix(maximumScalars - tail - 1)) + "…" + String(scalars.suffix(tail))
  }

  /// Swift's `==` takes composed and decomposed letters for the same; JSON names and texts are their code points.
  func hasSameBytes(as other: String) -> Bool {
    // Equal bytes are always canonically equal, and that comparison is fast for plain text.
    self == other && utf8.elementsEqual(other.utf8)
  }
}
