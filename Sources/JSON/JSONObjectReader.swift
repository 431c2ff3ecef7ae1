// Reading the members of an object while collecting all that is wrong with them.

/// One thing that is wrong with a JSON document that could be read.
public struct JSONIssue: Sendable, Hashable {
  /// A JSON Pointer (RFC 6901).
  public var pointer: String
  /// A stable word: `wrongType`, `missingMember`, `unknownMember`, `outOfRange`, `containsNUL`, …
  public var code: String
  /// A sentence for people.
  public var message: String

  public init(pointer: String, code: String, message: String) {
    (self.pointer, self.code, self.message) = (pointer, code, message)
  }
}

/// Collects issues while a document is read from several places, up to `JSONLimits.issues` of them.
public final class JSONIssueList {
  public private(set) var issues: [JSONIssue] = []

  public init() {}

  /// Nothing more is listed: whoever finds more need not say so.
  public var isFull: Bool { issues.count >= JSONLimits.issues }

  public func add(_ pointer: String, _ code: String, _ message: String) {
    guard !isFull else { return }
    issues.append(JSONIssue(pointer: pointer, code: code, message: message.shortened(to: JSONLimits.messageScalars)))
  }
}

/// A member that is not there, `null`, or has a value: an edit leaves, clears or sets.
public enum Presence<Value> {
  case absent
  case null
  case value(Value)

  /// The value; nil when absent or `null`.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }

  public var isAbsent: Bool { if case .absent = self { true } else { false } }

  public func map<Result>(_ transform: (Value) -> Result?) -> Presence<Result> {
    switch self {
    case .absent: .absent
    case .null: .null
    case .value(let value): transform(value).map { .value($0) } ?? .absent
    }
  }
}

extension Presence: Sendable where Value: Sendable {}
extension Presence: Equatable where Value: Equatable {}

/// Reads one object's members. A member of the wrong type adds an issue and reads as absent; `finish` names each
/// member that nobody asked for.
public struct JSONObjectReader {
  /// Where the object stands in the document.
  public let pointer: String
  public let issues: JSONIssueList
  private let members: [JSONMember]
  private let places: JSONMemberIndex
  private var isAsked: [Bool]
  /// What was asked for and is not there: what a member that nobody knows may have been meant as.
  private var absent: [String] = []

  /// Nil, with an issue added, when `value` is no object.
  public init?(_ value: JSONValue, at pointer: String, issues: JSONIssueList) {
    guard case .object(let members) = value else {
      issues.add(pointer, "wrongType", "This must be an object, not \(value.kindName).")
      return nil
    }
    (self.pointer, self.issues, self.members) = (pointer, issues, members)
    places = JSONMemberIndex(members)
    isAsked = Array(repeating: false, count: members.count)
  }

  public func pointer(to name: String) -> String { JSONPointer.appending(name, to: pointer) }

  /// Adds an issue at a member.
  public func report(_ name: String, _ code: String, _ message: String) {
    if !issues.isFull { issues.add(pointer(to: name), code, message) }
  }

  /// The member as it was sent.
  public mutating func value(_ name: String) -> Presence<JSONValue> {
    guard let place = places.place(of: name) else {
      absent.append(name)
      return .absent
    }
    isAsked[place] = true
    if case .null = members[place].value { return .null }
    return .value(members[place].value)
  }

  /// A string without U+0000, which no database column or C function carries.
  public mutating func string(_ name: String) -> Presence<String> {
    let text: Presence<String> = typed(name, "a string") { if case .string(let text) = $0 { text } else { nil } }
    return text.map { text -> String? in
      guard text.utf8.contains(0) else { return text }
      report(name, "containsNUL", "The text holds the character U+0000, which cannot be kept.")
      return nil
    }
  }

  public mutating func bool(_ name: String) -> Presence<Bool> {
    typed(name, "a boolean") { if case .bool(let value) = $0 { value } else { nil } }
  }

  public mutating func number(_ name: String) -> Presence<JSONNumber> {
    typed(name, "a number") { if case .number(let value) = $0 { value } else { nil } }
  }

  /// A whole number within 64 bits; `4.0` is 4.
  public mutating func integer(_ name: String) -> Presence<Int> {
    number(name).map { number -> Int? in
      if let integer = number.integer { return integer }
      if let double = number.double, double.magnitude < 9e18 {
        report(name, "wrongType", "\(name) must be a whole number.")
      } else {
        report(name, "outOfRange", "\(name) must be a whole number within 64 bits.")
      }
      return nil
    }
  }

  public mutating func array(_ name: String) -> Presence<[JSONValue]> {
    typed(name, "an array") { if case .array(let value) = $0 { value } else { nil } }
  }

  /// A reader of the object in this member.
  public mutating func object(_ name: String) -> Presence<JSONObjectReader> {
    value(name).map { JSONObjectReader($0, at: pointer(to: name), issues: issues) }
  }

  /// Nil, with an issue added, unless the member is a string.
  public mutating func requiredString(_ name: String) -> String? { required(name) { $0.string(name) } }

  /// Nil, with an issue added, unless the member is an array.
  public mutating func requiredArray(_ name: String) -> [JSONValue]? { required(name) { $0.array(name) } }

  /// Nil, with an issue added, unless the member is a whole number.
  public mutating func requiredInteger(_ name: String) -> Int? { required(name) { $0.integer(name) } }

  /// Nil, with an issue added, unless the member is an object.
  public mutating func requiredObject(_ name: String) -> JSONObjectReader? { required(name) { $0.object(name) } }

  /// Adds an `unknownMember` for each member that was not asked for.
  public mutating func finish() {
    // Who sends more than a few unknown members has not mistyped them.
    var slips = 10
    for (place, member) in members.enumerated() where !isAsked[place] {
      isAsked[place] = true
      let ending = slips > 0 ? Suggestion.ending(for: member.name, among: absent) : "."
      slips -= 1
      report(member.name, "unknownMember", "There is no member \"\(member.name)\" here\(ending)")
    }
  }

  private mutating func required<Value>(
    _ name: String, _ read: (inout JSONObjectReader) -> Presence<Value>
  ) -> Value? {
    switch value(name) {
    case .absent: report(name, "missingMember", "The member \"\(name)\" is missing.")
    case .null: report(name, "wrongType", "\(name) must not be null.")
    case .value: return read(&self).value
    }
    return nil
  }

  private mutating func typed<Value>(
    _ name: String, _ kind: String, _ read: (JSONValue) -> Value?
  ) -> Presence<Value> {
    value(name).map { value in
      if let typed = read(value) { return typed }
      report(name, "wrongType", "\(name) must be \(kind), not \(value.kindName).")
      return nil
    }
  }
}
