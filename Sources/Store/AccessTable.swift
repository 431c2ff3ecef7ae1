// The tokens that are taken now, in memory: a request is authenticated on the event loop without touching the disk.
public import InterviewKits
import Locks
import Synchronization

/// SHA-256 of a token: all that is kept of it.
public struct TokenDigest: Hashable, Sendable {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  public init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    words = (first, second, third, fourth)
  }

  /// In constant time: how much of a digest was guessed shows in no duration.
  public static func == (left: TokenDigest, right: TokenDigest) -> Bool {
    let (a, b) = (left.words, right.words)
    return (a.0 ^ b.0) | (a.1 ^ b.1) | (a.2 ^ b.2) | (a.3 ^ b.3) == 0
  }

  /// Any part of a digest is as evenly spread as the whole.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  /// 64 hexadecimal digits.
  var text: String {
    [words.0, words.1, words.2, words.3].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 64 else { return nil }
    let words = (0..<4).compactMap { UInt64(String(decoding: bytes[$0 * 16..<$0 * 16 + 16], as: UTF8.self), radix: 16) }
    guard words.count == 4 else { return nil }
    self.init(words[0], words[1], words[2], words[3])
  }
}

/// A token that is taken, as long as it has not expired.
struct TokenEntry: Sendable {
  let digest: TokenDigest
  let caller: Caller
  let expiresAt: Timestamp?
  var lastUsedAt: Timestamp?
}

/// A mark stands for the token of a request on its way: 0 for none. It names the same token for ever, so that whoever
/// holds one, a stream above all, learns at once that the token is revoked or its member's role is another one.
public final class AccessTable: Sendable {
  private struct State {
    var places: [TokenDigest: Int] = [:]
    /// A token's place never changes; that of a revoked one stays empty.
    var entries: [TokenEntry?] = []
    var placesByToken: [RowKey: Int] = [:]
    var hasTokens = false
    /// The command line's, while a server runs.
    var operatorDigest: TokenDigest?
    /// Uses that are not written yet.
    var uses: [RowKey: Timestamp] = [:]
  }

  /// The mark of the command line's own token.
  private static let operatorMark = -1

  private let state = Lock(State())
  private let changes = Atomic(0)

  init() {}

  /// True once any token was issued, also when it is revoked by now: from then on every request needs one.
  public var hasTokens: Bool { state.withLock { $0.hasTokens } }

  /// Who asks while no token exists; nil from then on.
  public var openCaller: Caller? { state.withLock { $0.hasTokens ? nil : Store.anybody } }

  /// The mark of a token; nil when it is not taken.
  public func mark(of digest: TokenDigest, now: Timestamp) -> Int? {
    state.withLock { state in
      if let own = state.operatorDigest, own == digest { return Self.operatorMark }
      guard let place = state.places[digest], let entry = state.entries[place] else { return nil }
      if let end = entry.expiresAt, end <= now { return nil }
      if (entry.lastUsedAt?.milliseconds ?? .min) <= now.milliseconds - StoreLimits.tokenUseMilliseconds,
        let token = entry.caller.tokenID
      {
        state.entries[place]?.lastUsedAt = now
        state.uses[entry.caller.key(token)] = now
      }
      return place + 1
    }
  }

  /// Who has that mark; nil when the token is revoked or has expired, and for 0 once tokens exist.
  public func caller(_ mark: Int, now: Timestamp) -> Caller? {
    state.withLock { state in
      if mark == 0 { return state.hasTokens ? nil : Store.anybody }
      if mark == Self.operatorMark { return state.operatorDigest == nil ? nil : Store.commandLine }
      guard state.entries.indices.contains(mark - 1), let entry = state.entries[mark - 1] else { return nil }
      if let end = entry.expiresAt, end <= now { return nil }
      return entry.caller
    }
  }

  /// The role behind a mark, as `caller`, without copying anything.
  public func role(_ mark: Int, now: Timestamp) -> Role? {
    state.withLock { state in
      if mark == 0 { return state.hasTokens ? nil : .admin }
      if mark == Self.operatorMark { return state.operatorDigest == nil ? nil : .admin }
      guard state.entries.indices.contains(mark - 1), let entry = state.entries[mark - 1] else { return nil }
      if let end = entry.expiresAt, end <= now { return nil }
      return entry.caller.role
    }
  }

  /// What lets a request pass again without looking anything up.
  public struct Bearer: Sendable {
    public let accountID: ItemID
    /// True for a request without a token once tokens exist: it gets only what everybody may have.
    public let isNobody: Bool
    /// The table's stamp: as long as it stands, members and tokens are what they were.
    public let stamp: Int
    /// When the token expires, or its use is due to be noted; nil without a token.
    public let validUntil: Timestamp?
  }

  /// Rises when members or tokens may have changed.
  public var stamp: Int { changes.load(ordering: .acquiring) }

  /// Who bears a mark; nil when the token is not taken any more.
  public func bearer(_ mark: Int, now: Timestamp) -> Bearer? {
    let stamp = stamp
    return state.withLock { state in
      if mark == 0 || mark == Self.operatorMark && state.operatorDigest != nil {
        let isNobody = mark == 0 && state.hasTokens
        return Bearer(accountID: Store.defaultAccount, isNobody: isNobody, stamp: stamp, validUntil: nil)
      }
      guard state.entries.indices.contains(mark - 1), let entry = state.entries[mark - 1] else { return nil }
      if let end = entry.expiresAt, end <= now { return nil }
      let due = (entry.lastUsedAt ?? now).milliseconds + StoreLimits.tokenUseMilliseconds
      let end = min(due, entry.expiresAt?.milliseconds ?? .max)
      return Bearer(
        accountID: entry.caller.accountID, isNobody: false, stamp: stamp, validUntil: Timestamp(milliseconds: end))
    }
  }

  /// Takes the token that the command line proves itself with: it may do everything, and is on no disk but in the data
  /// folder.
  /// - Returns: who asks with it.
  public func takeOperator(_ digest: TokenDigest) -> Caller {
    state.withLock { $0.operatorDigest = digest }
    return Store.commandLine
  }

  /// The uses since the last call.
  func takeUses() -> [RowKey: Timestamp] {
    state.withLock { state in
      defer { state.uses = [:] }
      return state.uses
    }
  }

  /// What is in the database now.
  func replace(_ loaded: LoadedTokens) {
    // Raised after the change: who has read it before has seen the old state, and asks again.
    defer { changes.add(1, ordering: .releasing) }
    state.withLock { state in
      state.hasTokens = loaded.hasTokens
      var gone = state.placesByToken
      for entry in loaded.entries {
        guard let token = entry.caller.tokenID else { continue }
        let key = entry.caller.key(token)
        gone[key] = nil
        if let place = state.placesByToken[key] {
          let used = state.entries[place]?.lastUsedAt
          state.entries[place] = entry
          state.entries[place]?.lastUsedAt = [used, entry.lastUsedAt].compactMap(\.self).max()
          state.places[entry.digest] = place
        } else {
          state.places[entry.digest] = state.entries.count
          state.placesByToken[key] = state.entries.count
          state.entries.append(entry)
        }
      }
      // The place of a token whose member may come back stays its own.
      for place in gone.values {
        if let entry = state.entries[place] { state.places[entry.digest] = nil }
        state.entries[place] = nil
      }
    }
  }
}

struct LoadedTokens: Sendable {
  var entries: [TokenEntry]
  var hasTokens: Bool
}
