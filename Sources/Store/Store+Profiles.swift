// Layout profiles that were sent: versions by name, each written once and kept. What they say is the caller's to know.
public import InterviewKits
import SQLDatabase

/// One version of a profile.
public struct StoredProfile: Sendable, Hashable {
  public var name: ItemID
  public var version: Int
  /// The profile's document.
  public var content: String

  public init(name: ItemID, version: Int, content: String) {
    (self.name, self.version, self.content) = (name, version, content)
  }
}

/// What a write of a profile comes to.
public struct ProfileEdit: Sendable {
  /// The newest version, which may be a file's; nil: there is none of the name.
  public var current: StoredProfile?
  /// The version to add; nil: the write would change nothing.
  public var next: StoredProfile?

  public init(current: StoredProfile?, next: StoredProfile?) { (self.current, self.next) = (current, next) }
}

/// A profile after a write.
public struct ProfileWritten: Sendable {
  public var profile: StoredProfile
  public var outcome: WriteOutcome
  /// The last change of the feed that the write is seen at.
  public var sequence = 0
}

extension Store {
  /// All versions that were sent, by name and version.
  public func profiles(for caller: Caller) throws(StoreError) -> [StoredProfile] {
    let account = caller.accountID
    let (known, sequence) = memory.read { ($0.profiles[account], $0.sequence) }
    if let known { return known }
    let read = try pool.read { (session) throws(StoreError) in try ProfileRows.all(of: account, in: session) }
    // What the writer has committed meanwhile is newer.
    memory.read { if $0.sequence == sequence { $0.profiles[account] = read } }
    return read
  }

  /// How many versions were sent, when that is in memory: it rises with every one.
  public func profileCountIfCached(of account: ItemID) -> Int? { memory.read { $0.profiles[account]?.count } }

  /// Adds a version of a profile.
  /// - Parameter edit: what the write comes to, from all versions that were sent; it may run more than once.
  /// - Throws: `conflict` with the code `tooManyProfiles` when there is no room for more.
  @discardableResult public func putProfile(
    _ name: ItemID, precondition: Precondition, by author: Caller, retry: RetryKey? = nil,
    edit: @escaping @Sendable ([StoredProfile]) throws(StoreError) -> ProfileEdit
  ) async throws(StoreError) -> ProfileWritten {
    try await writer.write(by: author, retry: retry) { (transaction) throws(StoreError) in
      try transaction.putProfile(name, precondition: precondition, edit: edit)
    }
  }
}

extension WriteTransaction {
  func putProfile(
    _ name: ItemID, precondition: Precondition, edit: ([StoredProfile]) throws(StoreError) -> ProfileEdit
  ) throws(StoreError) -> ProfileWritten {
    let all = try profiles()
    let edit = try edit(all)
    guard let next = edit.next else {
      guard let current = edit.current else { throw .notFound }
      return ProfileWritten(profile: current, outcome: .unchanged)
    }
    switch precondition.verdict(revision: edit.current?.version) {
    case .passes: break
    case .required: throw .preconditionRequired(current: .profile(edit.current ?? next))
    case .failed: throw .preconditionFailed(current: edit.current.map { .profile($0) })
    }
    let bytes = all.reduce(next.content.utf8.count) { $0 + $1.content.utf8.count }
    guard all.count < StoreLimits.profileVersions, bytes <= StoreLimits.profileBytes else {
      throw .conflict(
        code: "tooManyProfiles",
        detail:
          "Versions are kept for good: at most \(StoreLimits.profileVersions), and \(StoreLimits.profileBytes) bytes.")
    }
    let now = now
    try ProfileRows.insert(next, at: now, by: author, in: session)
    stage(profiles: (all + [next]).sorted { ($0.name, $0.version) < ($1.name, $1.version) })
    append(.profileChanged, kit: nil, item: name, revision: next.version, at: now)
    return ProfileWritten(profile: next, outcome: edit.current == nil ? .created : .changed)
  }
}

extension ProfileWritten: RetriedOutput {
  /// None where nothing was written.
  var record: RetryRecord? {
    outcome == .unchanged ? nil : RetryRecord(outcome: outcome, itemID: profile.name, revision: profile.version)
  }

  static func replay(_ record: RetryRecord, in transaction: WriteTransaction) throws(StoreError) -> ProfileWritten? {
    let profiles = try transaction.profiles()
    guard let profile = profiles.first(where: { $0.name == record.itemID && $0.version == record.revision }) else {
      throw .keyReused
    }
    return ProfileWritten(profile: profile, outcome: record.outcome)
  }
}

enum ProfileRows {
  static func all(of account: ItemID, in session: Session) throws(StoreError) -> [StoredProfile] {
    let rows = try session.rows(
      "SELECT name, version, content FROM profile WHERE account_id = $1", [.id(account)]
    ) { (row) throws(StoreError) in
      StoredProfile(name: try row.id(0), version: try row.integer(1), content: try row.text(2))
    }
    return rows.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
  }

  static func insert(
    _ profile: StoredProfile, at now: Timestamp, by author: Caller, in session: Session
  ) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO profile (account_id, name, version, content, written_at, written_by) VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .id(author.accountID), .id(profile.name), .integer(profile.version), .text(profile.content), .time(now),
        .id(author.memberID),
      ])
  }
}
