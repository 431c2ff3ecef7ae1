// Responses kept as bytes: a read of what has not changed is a look-up and a copy.

import HTTP
import InterviewKits
import Locks
import Store
import Synchronization

/// What a response shows; a new revision of it makes the response stale.
enum ResponseSubject: Sendable {
  /// - Parameter profiles: how many were sent, where the response depends on them.
  case kit(ItemID, account: ItemID, revision: Int, profiles: Int? = nil)
  /// Changes only with the program.
  case constant
}

/// Whether a kept response still shows its subject as it is. Looked up again only when some kit or profile has changed.
final class SubjectStanding: Sendable {
  private let subject: ResponseSubject
  private let store: Store
  /// The store's stamp under which the subject was last seen unchanged.
  private let seenStamp = Atomic(-1)

  init(_ subject: ResponseSubject, in store: Store) { (self.subject, self.store) = (subject, store) }

  var isConstant: Bool { if case .constant = subject { true } else { false } }

  func holds() -> Bool {
    guard case .kit(let id, let account, let revision, let profiles) = subject else { return true }
    let stamp = store.documentStamp
    if seenStamp.load(ordering: .relaxed) == stamp { return true }
    guard store.currentKitIfCached(id, of: account)?.kit.revision == revision,
      profiles == nil || store.profileCountIfCached(of: account) == profiles
    else { return false }
    seenStamp.store(stamp, ordering: .relaxed)
    return true
  }
}

/// The same for one bearer, who must still be admitted.
final class AdmittedStanding: Standing {
  private let subject: SubjectStanding
  private let bearer: AccessTable.Bearer
  private let store: Store
  private let clock: @Sendable () -> Timestamp
  private let member: (limiter: RateLimiter, name: String)?
  private let throttle: Throttle

  /// - Parameter member: whose requests are counted; nil where they are not.
  init(
    _ subject: SubjectStanding, _ bearer: AccessTable.Bearer, in store: Store,
    clock: @escaping @Sendable () -> Timestamp, member: (limiter: RateLimiter, name: String)?, throttle: Throttle
  ) {
    (self.subject, self.bearer, self.store, self.clock, self.member) = (subject, bearer, store, clock, member)
    self.throttle = throttle
  }

  var countsRequests: Bool { member != nil }

  func holds(for peer: String?) -> Bool {
    guard store.access.stamp == bearer.stamp else { return false }
    if let end = bearer.validUntil, end <= clock() { return false }
    // Where other servers may write, memory's word is good only after a look at the database, which no loop waits for.
    guard subject.isConstant || (!store.isShared && subject.holds()) else { return false }
    guard let member else { return true }
    // Everybody's routes are not counted, nor is an open service.
    if let verdict = throttle.takeAddress(peer, at: clock()), !verdict.isAdmitted { return false }
    let (limiter, name) = member
    return limiter.take(name, at: clock().milliseconds, reserve: limiter.plenty).isAdmitted
  }
}

/// A bounded map from request targets to responses that are sent again while their subject stands.
final class EncodedResponses: Sendable {
  private struct Entry {
    let response: Response
    /// The compressed form, once a client has asked for it; the plain one where that does not pay.
    var coded: Response?
    let mayBeCompressed: Bool
    let isForEverybody: Bool
    let standing: SubjectStanding
    var bytes: Int
  }

  private struct Contents {
    var entries: [String: Entry] = [:]
    var bytes = 0
  }

  private let contents = Lock(Contents())
  private let limitBytes: Int

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// What is kept belongs to one account.
  private static func key(_ head: RequestHead, _ account: ItemID) -> String {
    account == Store.defaultAccount ? head.rawTarget : "\(account) \(head.rawTarget)"
  }

  /// The kept response, or 304 where the client has it; nil when there is none or it is stale.
  /// - Parameter isCaughtUp: whether the store's memory is as new as its database.
  func answer(
    to head: RequestHead, for bearer: AccessTable.Bearer, isCaughtUp: Bool
  ) -> (response: Response, standing: SubjectStanding)? {
    // A client that asks for another representation than JSON is answered off the loop.
    if let accept = head.fields["accept"], accept != "*/*", accept != "application/json" { return nil }
    // So is one that asks for no other than it knows.
    if head.fields["if-match"] != nil { return nil }
    let target = Self.key(head, bearer.accountID)
    guard let entry = contents.withLock({ $0.entries[target] }), entry.isForEverybody || !bearer.isNobody else {
      return nil
    }
    guard isCaughtUp || entry.standing.isConstant else { return nil }
    guard entry.standing.holds() else {
      remove(target)
      return nil
    }
    let response = entry.response.unlessKnown(to: head)
    guard entry.mayBeCompressed, response.status == 200, ContentCoding.acceptsGzip(head) else {
      return (response, entry.standing)
    }
    return entry.coded.map { ($0, entry.standing) }
  }

  /// Keeps the form that a client which accepts gzip gets, beside the plain one with that tag.
  func store(coded: Response, for head: RequestHead, of account: ItemID) {
    guard ContentCoding.acceptsGzip(head), let tag = coded.fields.first(where: { $0.name == "ETag" }) else { return }
    let target = Self.key(head, account)
    contents.withLock { contents in
      guard let entry = contents.entries[target], entry.mayBeCompressed, entry.coded == nil,
        let plain = entry.response.fields.first(where: { $0.name == "ETag" }),
        tag.value == plain.value || tag.value == Response.gzipTag(plain.value)
      else { return }
      contents.entries[target]?.coded = coded
      let isOther = coded.body.count != entry.response.body.count
      contents.entries[target]?.bytes += isOther ? coded.body.count : 0
      contents.bytes += isOther ? coded.body.count : 0
    }
  }

  func store(
    _ plain: Response, for head: RequestHead, of account: ItemID, isForEverybody: Bool, standing: SubjectStanding
  ) {
    let target = Self.key(head, account)
    let mayBeCompressed = plain.mayBeCompressed
    let response = mayBeCompressed ? plain.varyingByCoding() : plain
    let bytes = response.body.count + target.utf8.count + 256
    guard bytes <= limitBytes / 8 else { return }
    contents.withLock { contents in
      contents.bytes += bytes - (contents.entries[target]?.bytes ?? 0)
      contents.entries[target] = Entry(
        response: response, mayBeCompressed: mayBeCompressed, isForEverybody: isForEverybody, standing: standing,
        bytes: bytes)
      // Any entry may go: what is read often comes back at once.
      while contents.bytes > limitBytes, let victim = contents.entries.first(where: { $0.key != target }) {
        contents.entries[victim.key] = nil
        contents.bytes -= victim.value.bytes
      }
    }
  }

  private func remove(_ target: String) {
    contents.withLock { contents in
      if let entry = contents.entries.removeValue(forKey: target) { contents.bytes -= entry.bytes }
    }
  }
}
