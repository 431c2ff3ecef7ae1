// Members and tokens as JSON documents.

public import InterviewKits
public import JSON

/// What a client says of a new member.
public struct MemberForm: Sendable, Hashable {
  /// Nil when the service makes the ID.
  public var id: ItemID?
  public var name: ExactText?
  public var role: Role
}

/// What a client says of a new token.
public struct TokenForm: Sendable, Hashable {
  public var name: ExactText
  /// Whose it is to be; nil: the member with the token's name, in `role`.
  public var memberID: ItemID?
  public var role: Role?
  public var expiresAt: Timestamp?
}

public enum AccessJSON {
  // MARK: Reading

  /// `{ "id"?, "name"?, "role" }`
  public static func decodeMember(_ body: JSONValue) throws(InvalidDocument) -> MemberForm {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let id = reader.itemID("id").value
    let name = name(&reader)
    let role = reader.word("role", Role.self)
    if role.value == nil, body["role"] == nil || body["role"] == .null {
      reader.report("role", "missingMember", "role is one of \(roles).")
    }
    reader.finish()
    guard list.issues.isEmpty, let role = role.value else { throw list.invalid }
    return MemberForm(id: id, name: name, role: role)
  }

  /// The member with a merge patch applied: `name`, `role` and `active` may change.
  public static func patch(_ member: Member, with patch: JSONValue) throws(InvalidDocument) -> Member {
    let list = JSONIssueList()
    guard case .object = patch else {
      list.add("", "wrongType", "A merge patch of a member is an object, not \(patch.kindName).")
      throw list.invalid
    }
    let now = KitJSON.document { writer in
      writer.object { writer in
        writer.member("name", member.name)
        writer.member("role", member.role.rawValue)
        writer.member("active", member.isActive)
      }
    }
    guard var reader = JSONObjectReader(now.merged(with: patch), at: "", issues: list) else { throw list.invalid }
    var after = member
    after.name = name(&reader)
    if let role = reader.word("role", Role.self).value {
      after.role = role
    } else if list.issues.isEmpty {
      reader.report("role", "missingMember", "role is one of \(roles).")
    }
    if let isActive = reader.bool("active").value {
      after.isActive = isActive
    } else if list.issues.isEmpty {
      reader.report("active", "missingMember", "active is true or false.")
    }
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return after
  }

  /// `{ "name", "memberId" or "role", "expiresAt"? }`
  public static func decodeToken(_ body: JSONValue) throws(InvalidDocument) -> TokenForm {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let name = name(&reader)
    if name == nil, list.issues.isEmpty { reader.report("name", "missingMember", "A token has a name to know it by.") }
    let memberID = reader.itemID("memberId").value
    let role = reader.word("role", Role.self).value
    if list.issues.isEmpty, (memberID == nil) == (role == nil) {
      reader.report("memberId", "ambiguousMember", "Give memberId, or the role of the member with the token's name.")
    }
    var expiresAt: Timestamp?
    if let text = reader.string("expiresAt").value {
      expiresAt = Timestamp(rfc3339: text)
      if expiresAt == nil {
        reader.report("expiresAt", "invalidTime", "'\(text)' is no RFC 3339 time, such as 2027-11-30T08:00:00Z.")
      }
    }
    reader.finish()
    guard list.issues.isEmpty, let name else { throw list.invalid }
    return TokenForm(name: name, memberID: memberID, role: role, expiresAt: expiresAt)
  }

  private static var roles: String { Role.allCases.map(\.rawValue).joined(separator: ", ") }

  /// A name with something to read.
  private static func name(_ reader: inout JSONObjectReader) -> ExactText? {
    guard let name = reader.text("name").value else { return nil }
    if name.isBlank { reader.report("name", "blank", "The name says nothing.") }
    if name.string.utf8.contains(0) {
      reader.report("name", "containsNUL", "The text holds the character U+0000, which cannot be kept.")
    }
    if name.scalarCount > KitLimits.nameScalars {
      let (count, limit) = (name.scalarCount, KitLimits.nameScalars)
      reader.report("name", "tooLong", "This text has \(count) Unicode scalars; at most \(limit) are accepted here.")
    }
    return name
  }

  // MARK: Writing

  public static func write(_ member: Member, to writer: inout JSONWriter) {
    writer.object { body in
      body.member("id", member.id.string)
      body.member("name", member.name)
      body.member("role", member.role.rawValue)
      body.member("active", member.isActive)
      body.member("revision", member.revision)
      body.member("createdAt", member.createdAt.rfc3339)
      body.member("updatedAt", member.updatedAt.rfc3339)
    }
  }

  /// A token without its secret.
  public static func write(
    _ token: AccessToken, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object { body in
      body.member("id", token.id.string)
      body.member("memberId", token.memberID.string)
      body.member("name", token.name)
      body.member("createdAt", token.createdAt.rfc3339)
      body.member("expiresAt", token.expiresAt?.rfc3339)
      body.member("lastUsedAt", token.lastUsedAt?.rfc3339)
      body.member("revokedAt", token.revokedAt?.rfc3339)
      more(&body)
    }
  }
}
