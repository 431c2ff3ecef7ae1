// Members and tokens: reads from the database, writes through the writer.
public import InterviewKits
import SQLDatabase

/// What a new token says.
public struct TokenDraft: Sendable {
  public var id: ItemID
  public var name: ExactText
  public var digest: TokenDigest
  public var expiresAt: Timestamp?
  public var owner: Owner

  /// Whose it is to be.
  public enum Owner: Sendable {
    /// A member that is there.
    case member(ItemID)
    /// The member of that name in that role, who is made when there is none; `id` is the new one's.
    case named(ExactText, Role, id: ItemID)
  }

  public init(id: ItemID, name: ExactText, digest: TokenDigest, expiresAt: Timestamp? = nil, owner: Owner) {
    (self.id, self.name, self.digest, self.expiresAt, self.owner) = (id, name, digest, expiresAt, owner)
  }
}

public struct TokenWritten: Sendable {
  public var token: AccessToken
  public var member: Member
  public var outcome: WriteOutcome
  /// True when the client's name for the write was given before: then the secret that it made is not stored.
  public var isReplayed = false
  var sequence = 0
}

private struct BootstrapWritten: SequencedOutput {
  var isNew: Bool
  var sequence = 0
}

public struct MemberWritten: Sendable {
  public var member: Member
  public var outcome: WriteOutcome
  var sequence = 0
}

extension Store {
  // MARK: Reading

  /// Who the caller is; nil for the built-in member of an account that has none of its own.
  public func me(_ caller: Caller) throws(StoreError) -> (member: Member?, token: AccessToken?) {
    try pool.read { (session) throws(StoreError) in
      let token: AccessToken?
      if let id = caller.tokenID { token = try AccessRows.token(caller.key(id), in: session) } else { token = nil }
      return (try AccessRows.member(caller.key(caller.memberID), in: session), token)
    }
  }

  public func member(_ id: ItemID, for caller: Caller) throws(StoreError) -> Member {
    let found = try pool.read { (session) throws(StoreError) in
      try AccessRows.isBuiltIn(caller.key(id), in: session) ? nil : AccessRows.member(caller.key(id), in: session)
    }
    guard let found else { throw .notFound }
    return found
  }

  /// The account's members, by ID.
  public func members(
    limit: Int = StoreLimits.pageItems, after id: ItemID? = nil, for caller: Caller
  ) throws(StoreError) -> Page<Member> {
    let limit = try ListRows.checked(limit)
    let found = try pool.read { (session) throws(StoreError) in
      try AccessRows.members(of: caller.accountID, after: id, limit: limit + 1, in: session)
    }
    let items = Array(found.prefix(limit))
    return Page(items: items, nextCursor: found.count > limit ? items.last?.id.string : nil)
  }

  /// The account's tokens, revoked ones too, by ID.
  public func tokens(
    limit: Int = StoreLimits.pageItems, after id: ItemID? = nil, for caller: Caller
  ) throws(StoreError) -> Page<AccessToken> {
    let limit = try ListRows.checked(limit)
    let found = try pool.read { (session) throws(StoreError) in
      try AccessRows.tokens(of: caller.accountID, after: id, limit: limit + 1, in: session)
    }
    let items = Array(found.prefix(limit))
    return Page(items: items, nextCursor: found.count > limit ? items.last?.id.string : nil)
  }

  // MARK: Writing

  /// - Throws: `idTaken`.
  @discardableResult public func createMember(
    _ id: ItemID, name: ExactText?, role: Role, by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> MemberWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.createMember(id, name: name, role: role)
    }
  }

  /// Changes a member's name, role or activity; the rest is set by the store.
  /// - Throws: `notFound`, a failed precondition, `conflict` with the code `lastAdmin`.
  @discardableResult public func changeMember(
    _ id: ItemID, precondition: Precondition, by author: Caller, retry: RetryKey? = nil,
    edit: @escaping @Sendable (Member) throws(StoreError) -> Member
  ) async throws(StoreError) -> MemberWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.changeMember(id, precondition: precondition, edit: edit)
    }
  }

  /// - Throws: `invalid` for a member that is not there, `conflict` with the code `firstTokenIsAdmins`, `notOpen` when
  ///   somebody else made the first one meanwhile.
  @discardableResult public func createToken(
    _ draft: TokenDraft, by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> TokenWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.createToken(draft)
    }
  }

  /// Ends a token at once, on every connection and stream; one that is revoked already is unchanged.
  /// - Throws: `notFound`, `conflict` with the code `lastAdmin` for all but the command line.
  @discardableResult public func revokeToken(
    _ id: ItemID, by author: Caller, retry: RetryKey? = nil
  ) async throws(StoreError) -> TokenWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.revokeToken(id)
    }
  }

  /// Makes the admin's first token from one that is known already, unless there is any token.
  /// - Returns: false when there is.
  @discardableResult public func bootstrap(_ digest: TokenDigest, member: ItemID, token: ItemID)
    async throws(StoreError) -> Bool
  {
    if access.hasTokens { return false }
    let name: ExactText = "bootstrap"
    let draft = TokenDraft(id: token, name: name, digest: digest, owner: .named(name, .admin, id: member))
    // Several servers may begin at the same time.
    let made = try await writer.write(by: Self.commandLine) { (transaction) throws(StoreError) in
      BootstrapWritten(isNew: try transaction.createFirstToken(draft) != nil)
    }
    return made.isNew
  }

  /// The accounts in which no admin can be authenticated any more: their tokens have expired or were revoked.
  public func accountsWithoutAdmin(now: Timestamp) throws(StoreError) -> [ItemID] {
    if !access.hasTokens { return [] }
    return try pool.read { (session) throws(StoreError) in
      try AccessRows.accountsWithoutAdmin(now: now, in: session)
    }
  }

  /// Writes when tokens were last used.
  public func writeTokenUses() async throws(StoreError) {
    let uses = access.takeUses()
    if uses.isEmpty { return }
    _ = try await writer.write(by: Self.service) { (transaction) throws(StoreError) in
      try AccessRows.note(uses, in: transaction.session)
      transaction.noteRecord()
      return Housekept()
    }
  }
}
