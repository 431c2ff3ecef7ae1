// Reads and writes accounts, members and tokens.
import InterviewKits
import SQLDatabase

enum AccessRows {
  // MARK: Tokens

  /// The tokens that are taken: not revoked, of active members.
  static func tokens(in session: Session) throws(StoreError) -> LoadedTokens {
    let entries = try session.rows(
      """
      SELECT token.account_id, token.id, token.member_id, member.role, token.digest, token.expires_at,
        token.last_used_at FROM token JOIN member
      ON member.account_id = token.account_id AND member.id = token.member_id
      WHERE token.revoked_at IS NULL AND member.active = 1 ORDER BY token.account_id, token.id
      """
    ) { (row) throws(StoreError) in
      guard let digest = TokenDigest(text: try row.text(4)) else { throw .damaged("a token's digest is none") }
      let caller = Caller(
        accountID: try row.id(0), memberID: try row.id(2), role: try row.word(3, Role.self), tokenID: try row.id(1))
      return TokenEntry(
        digest: digest, caller: caller, expiresAt: try row.optionalTime(5), lastUsedAt: try row.optionalTime(6))
    }
    return LoadedTokens(entries: entries, hasTokens: try hasTokens(in: session))
  }

  static func hasTokens(in session: Session) throws(StoreError) -> Bool {
    try session.first("SELECT 1 FROM token LIMIT 1") { (_) throws(StoreError) in true } ?? false
  }

  /// Whether any token of the account was issued, also when it is revoked by now.
  static func hasTokens(of account: ItemID, in session: Session) throws(StoreError) -> Bool {
    try session.first("SELECT 1 FROM token WHERE account_id = $1 LIMIT 1", [.id(account)]) {
      (_) throws(StoreError) in true
    } ?? false
  }

  private static let selectToken = """
    SELECT id, member_id, name, created_at, expires_at, last_used_at, revoked_at FROM token WHERE account_id = $1
    """

  private static func token(_ row: Row) throws(StoreError) -> AccessToken {
    AccessToken(
      id: try row.id(0), memberID: try row.id(1), name: ExactText(try row.text(2)), createdAt: try row.time(3),
      expiresAt: try row.optionalTime(4), lastUsedAt: try row.optionalTime(5), revokedAt: try row.optionalTime(6))
  }

  static func token(_ key: RowKey, in session: Session) throws(StoreError) -> AccessToken? {
    try session.first("\(selectToken) AND id = $2", [.id(key.accountID), .id(key.id)], token)
  }

  /// By ID, after one.
  static func tokens(
    of account: ItemID, after id: ItemID?, limit: Int, in session: Session
  ) throws(StoreError) -> [AccessToken] {
    try session.rows(
      "\(selectToken) AND id > $2 ORDER BY id LIMIT $3", [.id(account), .text(id?.string ?? ""), .integer(limit)],
      token)
  }

  static func insert(
    _ token: AccessToken, digest: TokenDigest, by author: Caller, in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO token (account_id, id, member_id, name, digest, created_at, created_by, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      [
        .id(author.accountID), .id(token.id), .id(token.memberID), .text(token.name.string), .text(digest.text),
        .time(token.createdAt), .id(author.memberID), .time(token.expiresAt),
      ])
  }

  static func isKnown(_ digest: TokenDigest, in session: Session) throws(StoreError) -> Bool {
    try session.first("SELECT 1 FROM token WHERE digest = $1", [.text(digest.text)]) { (_) throws(StoreError) in true }
      ?? false
  }

  static func revoke(_ key: RowKey, at: Timestamp, in session: Session) throws(StoreError) {
    try session.execute(
      "UPDATE token SET revoked_at = $3 WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL",
      [.id(key.accountID), .id(key.id), .time(at)])
  }

  static func note(_ uses: [RowKey: Timestamp], in session: Session) throws(StoreError) {
    for (key, time) in uses {
      try session.execute(
        "UPDATE token SET last_used_at = $3 WHERE account_id = $1 AND id = $2",
        [.id(key.accountID), .id(key.id), .time(time)])
    }
  }

  // MARK: Members

  private static let selectMember = """
    SELECT id, name, role, active, revision, created_at, updated_at FROM member WHERE account_id = $1
    """

  private static func member(_ row: Row) throws(StoreError) -> Member {
    let name = try row.text(1)
    return Member(
      id: try row.id(0), name: name.isEmpty ? nil : ExactText(name), role: try row.word(2, Role.self),
      isActive: try row.integer(3) != 0, revision: try row.integer(4), createdAt: try row.time(5),
      updatedAt: try row.time(6))
  }

  static func member(_ key: RowKey, in session: Session) throws(StoreError) -> Member? {
    try session.first("\(selectMember) AND id = $2", [.id(key.accountID), .id(key.id)], member)
  }

  /// The active member of that name and role: with these very code points, else with a name that is canonically
  /// equivalent, as one keyboard composes letters that another takes apart.
  static func member(
    named name: ExactText, role: Role, of account: ItemID, in session: Session
  ) throws(StoreError) -> Member? {
    let matching = "\(selectMember) AND role = $2 AND active = 1 AND built_in = 0"
    let values: [SQLValue] = [.id(account), .text(role.rawValue)]
    let same = try session.first(
      "\(matching) AND name = $3 ORDER BY id LIMIT 1", values + [.text(name.string)], member)
    if let same { return same }
    // ASCII has no other form.
    if name.string.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    return try session.rows("\(matching) AND name <> '' ORDER BY id", values, member)
      .first { $0.name?.string == name.string }
  }

  /// By ID, after one; the built-in ones aside.
  static func members(
    of account: ItemID, after id: ItemID?, limit: Int, in session: Session
  ) throws(StoreError) -> [Member] {
    try session.rows(
      "\(selectMember) AND id > $2 AND built_in = 0 ORDER BY id LIMIT $3",
      [.id(account), .text(id?.string ?? ""), .integer(limit)], member)
  }

  static func isBuiltIn(_ key: RowKey, in session: Session) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM member WHERE account_id = $1 AND id = $2 AND built_in = 1", [.id(key.accountID), .id(key.id)]
    ) { (_) throws(StoreError) in true } ?? false
  }

  static func insert(_ member: Member, of account: ItemID, in session: Session) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO member (account_id, id, name, role, active, revision, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      [
        .id(account), .id(member.id), .text(member.name?.string ?? ""), .text(member.role.rawValue),
        .integer(member.isActive ? 1 : 0), .integer(member.revision), .time(member.createdAt), .time(member.updatedAt),
      ])
  }

  static func update(_ member: Member, of account: ItemID, in session: Session) throws(StoreError) {
    try session.execute(
      """
      UPDATE member SET name = $3, role = $4, active = $5, revision = $6, updated_at = $7
      WHERE account_id = $1 AND id = $2
      """,
      [
        .id(account), .id(member.id), .text(member.name?.string ?? ""), .text(member.role.rawValue),
        .integer(member.isActive ? 1 : 0), .integer(member.revision), .time(member.updatedAt),
      ])
  }

  /// A token that admits an admin at the time `$1`.
  private static let adminsToken = """
    SELECT 1 FROM member JOIN token ON token.account_id = member.account_id AND token.member_id = member.id
    WHERE member.role = 'admin' AND member.active = 1 AND token.revoked_at IS NULL
    AND (token.expires_at IS NULL OR token.expires_at > $1)
    """

  /// Whether an admin can be authenticated otherwise than as this member, or with this token.
  static func hasAdmin(
    of account: ItemID, besides member: ItemID?, token: ItemID?, now: Timestamp, in session: Session
  ) throws(StoreError) -> Bool {
    try session.first(
      "\(adminsToken) AND member.account_id = $2 AND member.id <> $3 AND token.id <> $4 LIMIT 1",
      [.time(now), .id(account), .text(member?.string ?? ""), .text(token?.string ?? "")]
    ) { (_) throws(StoreError) in true } ?? false
  }

  /// The accounts with tokens of which none admits an admin any more.
  static func accountsWithoutAdmin(now: Timestamp, in session: Session) throws(StoreError) -> [ItemID] {
    try session.rows(
      """
      SELECT DISTINCT account_id FROM token AS any_token
      WHERE NOT EXISTS (\(adminsToken) AND member.account_id = any_token.account_id) ORDER BY account_id
      """, [.time(now)]
    ) { (row) throws(StoreError) in try row.id(0) }
  }

  // MARK: Accounts

  /// Makes the account unless it is there.
  static func ensure(account id: ItemID, at: Timestamp, in session: Session) throws(StoreError) {
    try session.execute(
      "INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
      [.id(id), .text(id.string), .time(at)])
  }
}
