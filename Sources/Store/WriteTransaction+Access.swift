// The writes of members and tokens, each within its group.
import InterviewKits

extension WriteTransaction {
  func createMember(_ id: ItemID, name: ExactText?, role: Role) throws(StoreError) -> MemberWritten {
    if try isTaken(id) { throw .idTaken(id) }
    return MemberWritten(member: try insertMember(id, name: name, role: role), outcome: .created)
  }

  /// The command line and the service are no members, and nobody is mistaken for them.
  private func isTaken(_ id: ItemID) throws(StoreError) -> Bool {
    if [Store.commandLine.memberID, Store.service.memberID].contains(id) { return true }
    return try AccessRows.member(key(id), in: session) != nil
  }

  private func insertMember(_ id: ItemID, name: ExactText?, role: Role) throws(StoreError) -> Member {
    try AccessRows.ensure(account: author.accountID, at: now, in: session)
    let at = now
    let member = Member(id: id, name: name, role: role, createdAt: at, updatedAt: at)
    try AccessRows.insert(member, of: author.accountID, in: session)
    append(.memberCreated, kit: nil, item: id, revision: 1, at: at)
    try openSights(of: member)
    return member
  }

  func changeMember(
    _ id: ItemID, precondition: Precondition, edit: (Member) throws(StoreError) -> Member
  ) throws(StoreError) -> MemberWritten {
    guard let before = try existingMember(id) else { throw .notFound }
    var member = try edit(before)
    guard member != before else { return MemberWritten(member: before, outcome: .unchanged) }
    switch precondition.verdict(revision: before.revision) {
    case .passes: break
    case .required: throw .preconditionRequired(current: .member(before))
    case .failed: throw .preconditionFailed(current: .member(before))
    }
    if before.role == .admin, before.isActive, member.role != .admin || !member.isActive {
      try checkOtherAdmin(than: id)
    }
    (member.id, member.createdAt) = (before.id, before.createdAt)
    (member.revision, member.updatedAt) = (before.revision + 1, now)
    try AccessRows.update(member, of: author.accountID, in: session)
    append(
      .memberChanged, kit: nil, item: id, revision: member.revision, deleted: !member.isActive, at: member.updatedAt)
    if member.role != before.role || member.isActive != before.isActive { try restageTokens() }
    if member.role != before.role {
      try openSights(of: member)
      append(.accessChanged, kit: nil, revision: member.revision, at: member.updatedAt, recipient: id)
    }
    return MemberWritten(member: member, outcome: .changed)
  }

  /// A member that can be named: the built-in one can't.
  private func existingMember(_ id: ItemID) throws(StoreError) -> Member? {
    try AccessRows.isBuiltIn(key(id), in: session) ? nil : AccessRows.member(key(id), in: session)
  }

  func createToken(_ draft: TokenDraft) throws(StoreError) -> TokenWritten {
    let member: Member
    switch draft.owner {
    case .member(let id):
      guard let found = try existingMember(id) else {
        let message = "There is no member '\(id)'."
        throw .invalid([Issue(pointer: "/memberId", itemID: id, code: "unknownMember", message: message)])
      }
      try checkFirst(found.role, isActive: found.isActive)
      member = found
    case .named(let name, let role, let id):
      try checkFirst(role)
      if let found = try AccessRows.member(named: name, role: role, of: author.accountID, in: session) {
        member = found
      } else {
        // A name that is an ID is the member's ID, so that people can say it.
        let wanted = ItemID(name.string)
        let isFree = try wanted.map { id throws(StoreError) in try !isTaken(id) }
        member = try insertMember(isFree == true ? wanted ?? id : id, name: name, role: role)
      }
    }
    if try AccessRows.isKnown(draft.digest, in: session) { throw .idTaken(draft.id) }
    let token = AccessToken(
      id: draft.id, memberID: member.id, name: draft.name, createdAt: now, expiresAt: draft.expiresAt)
    try AccessRows.insert(token, digest: draft.digest, by: author, in: session)
    append(.tokenCreated, kit: nil, item: token.id, revision: 1, at: token.createdAt)
    try restageTokens()
    return TokenWritten(token: token, member: member, outcome: .created)
  }

  /// Makes a first token; nil when there is any.
  func createFirstToken(_ draft: TokenDraft) throws(StoreError) -> TokenWritten? {
    try AccessRows.hasTokens(in: session) ? nil : createToken(draft)
  }

  /// Once any token exists everybody needs one, so the first of each account is of somebody who can make more.
  private func checkFirst(_ role: Role, isActive: Bool = true) throws(StoreError) {
    guard role != .admin || !isActive, try !AccessRows.hasTokens(of: author.accountID, in: session) else { return }
    let detail = "The first token of an account is an active admin's; then every request needs one."
    throw .conflict(code: "firstTokenIsAdmins", detail: detail)
  }

  /// - Throws: `conflict` with the code `lastAdmin` when nobody could administer the account without this one.
  private func checkOtherAdmin(than member: ItemID? = nil, token: ItemID? = nil) throws(StoreError) {
    if try AccessRows.hasAdmin(of: author.accountID, besides: member, token: token, now: now, in: session) { return }
    let detail = "Nobody else could administer the account; give another admin a token first."
    throw .conflict(code: "lastAdmin", detail: detail)
  }

  func revokeToken(_ id: ItemID) throws(StoreError) -> TokenWritten {
    guard var token = try AccessRows.token(key(id), in: session),
      let member = try AccessRows.member(key(token.memberID), in: session)
    else { throw .notFound }
    if token.revokedAt != nil { return TokenWritten(token: token, member: member, outcome: .unchanged) }
    // Who reads the data folder can always make another one.
    if author.memberID != Store.commandLine.memberID, member.role == .admin, member.isActive,
      token.expiresAt.map({ $0 > now }) ?? true
    {
      try checkOtherAdmin(token: id)
    }
    token.revokedAt = now
    try AccessRows.revoke(key(id), at: now, in: session)
    append(.tokenRevoked, kit: nil, item: id, revision: 1, deleted: true, at: now)
    try restageTokens()
    return TokenWritten(token: token, member: member, outcome: .changed)
  }

  private func restageTokens() throws(StoreError) { stage(try AccessRows.tokens(in: session)) }
}

extension MemberWritten: RetriedOutput {
  var record: RetryRecord? { RetryRecord(outcome: outcome, itemID: member.id, revision: member.revision) }

  static func replay(_ record: RetryRecord, in transaction: WriteTransaction) throws(StoreError) -> MemberWritten? {
    guard let id = record.itemID, record.kitID == nil, record.evaluationID == nil,
      let member = try AccessRows.member(transaction.key(id), in: transaction.session)
    else { throw .keyReused }
    return MemberWritten(member: member, outcome: record.outcome)
  }
}

extension TokenWritten: RetriedOutput {
  var record: RetryRecord? { RetryRecord(outcome: outcome, itemID: token.id, revision: 1) }

  static func replay(_ record: RetryRecord, in transaction: WriteTransaction) throws(StoreError) -> TokenWritten? {
    guard let id = record.itemID, record.kitID == nil, record.evaluationID == nil,
      let token = try AccessRows.token(transaction.key(id), in: transaction.session),
      let member = try AccessRows.member(transaction.key(token.memberID), in: transaction.session)
    else { throw .keyReused }
    return TokenWritten(token: token, member: member, outcome: record.outcome, isReplayed: true)
  }
}
