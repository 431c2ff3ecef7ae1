// Entity tags and the conditions made of them (RFC 9110, sections 8.8.3 and 13.1).

/// An entity tag.
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
  /// What stands between the quotes.
  public let opaque: String
  public let isWeak: Bool

  /// - Precondition: `opaque` holds only etagc: no quote, space or control character.
  public init(_ opaque: String, isWeak: Bool = false) {
    precondition(opaque.utf8.allSatisfy(Self.isTagByte), "an entity tag holds a character that it cannot hold")
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// As `ETag` carries it, such as `"7"` or `W/"7"`.
  public var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

  /// The same tag and both strong: the comparison of `If-Match`.
  public func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && matchesWeakly(other) }

  /// The same tag, weak or strong: the comparison of `If-None-Match`.
  public func matchesWeakly(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }

  static func isTagByte(_ byte: UInt8) -> Bool { byte == 0x21 || byte >= 0x23 && byte != 0x7F }
}

/// The value of `If-Match` or `If-None-Match`.
public enum EntityTagCondition: Sendable, Hashable {
  /// `*`: whatever there is.
  case any
  case tags([EntityTag])

  /// Parses a list of entity tags, or `*`; nil when it is neither, or the list is empty.
  public init?(_ value: String) {
    let bytes = Array(value.utf8)
    if bytes == [0x2A] {
      self = .any
      return
    }
    var tags: [EntityTag] = []
    var index = 0
    var needsComma = false
    while true {
      while index < bytes.count, ByteClass.isWhitespace(bytes[index]) || bytes[index] == 0x2C {
        if bytes[index] == 0x2C { needsComma = false }
        index += 1
      }
      if index == bytes.count { break }
      guard !needsComma, let tag = Self.parseTag(bytes, &index) else { return nil }
      tags.append(tag)
      needsComma = true
    }
    guard !tags.isEmpty else { return nil }
    self = .tags(tags)
  }

  private static func parseTag(_ bytes: [UInt8], _ index: inout Int) -> EntityTag? {
    let isWeak = bytes[index...].starts(with: [0x57, 0x2F])
    if isWeak { index += 2 }
    guard index < bytes.count, bytes[index] == 0x22 else { return nil }
    let start = index + 1
    guard let end = bytes[start...].firstIndex(of: 0x22), bytes[start..<end].allSatisfy(EntityTag.isTagByte) else {
      return nil
    }
    index = end + 1
    return EntityTag(String(decoding: bytes[start..<end], as: UTF8.self), isWeak: isWeak)
  }
}

/// The conditions of one request, evaluated in the order of RFC 9110, section 13.2.2.
public struct Conditions: Sendable, Hashable {
  public enum Outcome: Sendable, Hashable {
    case proceed
    /// 304, for `GET` and `HEAD`.
    case notModified
    /// 412.
    case preconditionFailed
  }

  public var ifMatch: EntityTagCondition?
  public var ifNoneMatch: EntityTagCondition?

  public init(ifMatch: EntityTagCondition? = nil, ifNoneMatch: EntityTagCondition? = nil) {
    self.ifMatch = ifMatch
    self.ifNoneMatch = ifNoneMatch
  }

  /// Reads them from a head.
  ///
  /// - Throws: 400 when a field is not a list of entity tags.
  public init(_ head: RequestHead) throws(Refusal) {
    ifMatch = try Self.condition(head, "If-Match")
    ifNoneMatch = try Self.condition(head, "If-None-Match")
  }

  private static func condition(_ head: RequestHead, _ name: String) throws(Refusal) -> EntityTagCondition? {
    guard let value = head.fields[name] else { return nil }
    guard let condition = EntityTagCondition(value) else {
      // What stands there alone and without quotes was meant as a tag.
      let bare =
        value.utf8.count <= 64 && !value.utf8.starts(with: [0x57, 0x2F])
        && value.utf8.allSatisfy { EntityTag.isTagByte($0) && $0 != 0x2C }
      let example = bare ? "; with its quotes this is \"\(value)\"" : ", such as \"7\""
      throw .badRequest("invalidEntityTag", "\(name) is neither * nor a list of entity tags\(example).")
    }
    return condition
  }

  /// What to do with a resource whose representations have the tags `current` (one per coding); none when it does not
  /// exist. Any `If-Match` fails on what does not exist.
  public func outcome(for method: HTTPMethod, current: [EntityTag]) -> Outcome {
    switch ifMatch {
    case .any? where current.isEmpty: return .preconditionFailed
    case .tags(let tags)?
    where !tags.contains(where: { tag in current.contains { $0.matchesStrongly(tag) } }):
      return .preconditionFailed
    default: break
    }
    let matchesNone =
      switch ifNoneMatch {
      case nil: true
      case .any?: current.isEmpty
      case .tags(let tags)?: !tags.contains { tag in current.contains { $0.matchesWeakly(tag) } }
      }
    if matchesNone { return .proceed }
    return method == .get || method == .head ? .notModified : .preconditionFailed
  }
}
