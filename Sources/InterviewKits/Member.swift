// Members of an account: their roles, and the tokens that they come with.

/// What a member may do.
public enum Role: String, Sendable, CaseIterable {
  /// Everything in the account.
  case admin
  /// Writes kits; sees no evaluations.
  case author
  /// Reads kits, and fills in evaluations of their own.
  case interviewer
  /// Reads kits and submitted evaluations.
  case observer
}

public struct Member: Hashable, Sendable {
  public var id: ItemID
  public var name: ExactText?
  public var role: Role
  /// False: none of the member's tokens is taken.
  public var isActive: Bool
  public var revision: Int
  public var createdAt: Timestamp
  public var updatedAt: Timestamp

  public init(
    id: ItemID, name: ExactText?, role: Role, isActive: Bool = true, revision: Int = 1, createdAt: Timestamp,
    updatedAt: Timestamp
  ) {
    (self.id, self.name, self.role, self.isActive) = (id, name, role, isActive)
    (self.revision, self.createdAt, self.updatedAt) = (revision, createdAt, updatedAt)
  }
}

/// A token without its secret, of which only a digest is kept.
public struct AccessToken: Hashable, Sendable {
  public var id: ItemID
  public var memberID: ItemID
  public var name: ExactText
  public var createdAt: Timestamp
  public var expiresAt: Timestamp?
  /// Written once an hour at most.
  public var lastUsedAt: Timestamp?
  public var revokedAt: Timestamp?

  public init(
    id: ItemID, memberID: ItemID, name: ExactText, createdAt: Timestamp, expiresAt: Timestamp? = nil,
    lastUsedAt: Timestamp? = nil, revokedAt: Timestamp? = nil
  ) {
    (self.id, self.memberID, self.name, self.createdAt) = (id, memberID, name, createdAt)
    (self.expiresAt, self.lastUsedAt, self.revokedAt) = (expiresAt, lastUsedAt, revokedAt)
  }
}
