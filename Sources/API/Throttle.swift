// How often whoever asks may ask: each member, each address, and those who bring wrong tokens.

import HTTP
import InterviewKits
import Store

/// The buckets in front of the API. None where there is no limit.
final class Throttle: Sendable {
  let members: RateLimiter?
  private let addresses: RateLimiter?
  private let wrongTokens: RateLimiter?

  init(_ limits: APILimits) {
    members = limits.memberRate.map { RateLimiter($0) }
    addresses = limits.addressRate.map { RateLimiter($0) }
    wrongTokens = limits.wrongTokenRate.map { RateLimiter($0) }
  }

  /// Takes a request from the address that it comes from; this machine's own are not counted.
  func takeAddress(of head: RequestHead, at now: Timestamp) throws(Problem) {
    guard let addresses, let verdict = takeAddress(head.peer, at: now), !verdict.isAdmitted else { return }
    throw .tooManyRequests("More than \(addresses.limit.words) came from your address.", verdict)
  }

  /// The same for a request whose head is not read again; nil where its address is not counted.
  func takeAddress(_ peer: String?, at now: Timestamp) -> RateVerdict? {
    guard let addresses, let peer else { return nil }
    // What is no numeric address is a caller of its own.
    let address = NumericAddress(peer)
    if address?.isLoopback == true { return nil }
    return addresses.take(address?.subscriber ?? peer, at: now.milliseconds)
  }

  /// Counts a token or a ticket that is not taken, from any address: whoever guesses waits.
  func refuseToken(_ head: RequestHead, _ refusal: Problem, withTicket: Bool, at now: Timestamp) -> Problem {
    guard refusal.status == 401, let wrongTokens, withTicket || head.fields.contains("authorization") else {
      return refusal
    }
    let peer = head.peer.map { NumericAddress($0)?.subscriber ?? $0 } ?? "unix"
    let verdict = wrongTokens.take(peer, at: now.milliseconds)
    if verdict.isAdmitted { return refusal }
    return .tooManyRequests("More than \(wrongTokens.limit.words) came from your address with wrong tokens.", verdict)
  }

  /// Takes a request of a member. The command line of whoever may read the data folder is not counted, nor an open service's user.
  func takeMember(_ caller: Caller, at now: Timestamp) throws(Problem) {
    guard let members, let name = Self.name(caller) else { return }
    let verdict = members.take(name, at: now.milliseconds)
    guard !verdict.isAdmitted else { return }
    var problem = Problem.tooManyRequests("You sent more than \(members.limit.words).", verdict)
    problem.fields += members.limit.fields(verdict)
    throw problem
  }

  static func name(_ caller: Caller) -> String? {
    caller.isBuiltIn ? nil : "\(caller.accountID)/\(caller.memberID)"
  }
}

extension RateLimit {
  fileprivate var words: String { "\(requests) requests in \(seconds) seconds" }
}
