// Who may use which route, and the one step in front of all handlers that finds out who asks.

import Digests
import HTTP
import InterviewKits
public import Store

/// Who may use a route.
struct Audience: OptionSet {
  let rawValue: UInt8

  static let admin = Audience(rawValue: 1)
  static let author = Audience(rawValue: 2)
  static let interviewer = Audience(rawValue: 4)
  static let observer = Audience(rawValue: 8)
  /// No token is asked for.
  static let everybody = Audience(rawValue: 16)

  static let admins: Audience = [.admin]
  /// Who writes kits.
  static let authors: Audience = [.admin, .author]
  /// Who fills in evaluations.
  static let interviewers: Audience = [.admin, .interviewer]
  /// Who reads evaluations.
  static let readers: Audience = [.admin, .interviewer, .observer]
  static let members: Audience = [.admin, .author, .interviewer, .observer]

  func admits(_ role: Role) -> Bool {
    let one: Audience =
      switch role {
      case .admin: .admin
      case .author: .author
      case .interviewer: .interviewer
      case .observer: .observer
      }
    return contains(one)
  }

  /// The roles, in words.
  var names: [String] { Role.allCases.filter { admits($0) }.map(\.rawValue) }
}

extension InterviewKitAPI {
  /// The mark of who asks (`AccessTable`): judged from the head alone, before anything else of the request.
  /// - Throws: 401 without a token that is taken, 400 or 401 when there is one in the address.
  /// - Parameter takesTicket: whether a ticket in the address stands for a token here.
  func mark(of head: RequestHead, takesTicket: Bool = false) throws(Problem) -> Int {
    if let ticket = head.queryValue("ticket") {
      // Whatever brings it uses it up.
      let taken = tickets.take(TokenDigest(of: ticket.utf8.span), now: clock())
      if takesTicket { return try Self.mark(ofTicket: taken, head) }
    }
    let digest: TokenDigest?
    switch head.withBearerToken(TokenDigest.init(of:)) {
    case .none: digest = nil
    case .unusable:
      if !store.access.hasTokens { return 0 }
      throw .unauthorized("Authorization is Bearer and one token.", error: "invalid_request")
    case .bearer(let given): digest = given
    }
    let known = digest.flatMap { store.access.mark(of: $0, now: clock()) }
    if head.hasTokenInTarget {
      // Where nobody proved who they are, the proof in the wrong place is none.
      let isKnown = known != nil || !store.access.hasTokens
      throw Problem(
        isKnown ? 400 : 401, "tokenInAddress", "A token is sent in Authorization, not in the address, which is kept.",
        fields: isKnown ? [] : [Problem.challenge(nil)])
    }
    if let known { return known }
    if !store.access.hasTokens { return 0 }
    throw digest == nil
      ? .unauthorized("This needs a token: Authorization: Bearer TOKEN.", error: nil)
      : .unauthorized(
        "This token is not taken: it is wrong, revoked or expired, or its member is not active.", error: "invalid_token"
      )
  }

  /// - Parameter taken: the mark that a ticket stood for; nil: it is not taken.
  private static func mark(ofTicket taken: Int?, _ head: RequestHead) throws(Problem) -> Int {
    guard let accept = head.fields["accept"],
      AcceptList(accept: accept).best(of: [.json, .eventStream]) == .eventStream
    else {
      throw .unauthorized(
        "A ticket opens an event stream (Accept: text/event-stream) only.", error: "invalid_request")
    }
    guard let taken else {
      throw .unauthorized(
        "This ticket is not taken: it is wrong, used or older than 30 seconds.", error: "invalid_token")
    }
    return taken
  }

  /// Who has the mark, in the account that the query of such a route names.
  /// - Throws: 401 when the token was revoked while the body came, 403 when the role was taken; 403 for another account than
  ///   the own one.
  func caller(of head: RequestHead, for endpoint: Endpoint) throws(Problem) -> Caller {
    let caller = try caller(of: head)
    if !endpoint.audience.admits(caller.role) { throw .forbidden(caller.role, endpoint.audience) }
    guard endpoint.query.contains("account"), let name = head.queryValue("account") else { return caller }
    guard let account = ItemID(name) else { throw .invalid("/query/account", "invalidId", "'\(name)' is no ID.") }
    if account == caller.accountID { return caller }
    guard caller.isBuiltIn else {
      throw Problem(403, "otherAccount", "Only the command line sees other accounts than its own.")
    }
    return caller.acting(in: account)
  }

  private func caller(of head: RequestHead) throws(Problem) -> Caller {
    guard let caller = store.access.caller(head.mark, now: clock()) else {
      throw .unauthorized("This token is not taken any more.", error: "invalid_token")
    }
    return caller.from(head.peer)
  }

  /// Takes a token from now on from the command line of whoever may read the data folder.
  /// - Returns: who asks with it.
  @discardableResult public func takeOperatorToken(_ token: String) -> Caller {
    store.access.takeOperator(TokenDigest(of: token.utf8.span))
  }

  /// A new token: 256 random bits.
  public static func makeToken() -> String { makeSecret("ik_") }

  /// 256 random bits behind a prefix that says what they are.
  static func makeSecret(_ prefix: String) -> String {
    var random = SystemRandomNumberGenerator()
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    var text = Array(prefix.utf8)
    var (bits, count) = (0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | Int(byte), count + 8)
      while count >= 6 {
        count -= 6
        text.append(digits[bits >> count & 63])
      }
    }
    if count > 0 { text.append(digits[bits << (6 - count) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Makes the first admin's token from one that somebody else made, unless there is any token.
  public func bootstrap(_ token: String) async throws(StoreError) -> Bool {
    try await store.bootstrap(TokenDigest(of: token.utf8.span), member: ids.next(), token: ids.next())
  }
}

extension Problem {
  static func unauthorized(_ detail: String, error: String?) -> Problem {
    Problem(401, "unauthorized", detail, fields: [challenge(error)])
  }

  /// RFC 6750, section 3.
  static func challenge(_ error: String?) -> Field {
    let realm = "Bearer realm=\"interviewkit\""
    return Field("WWW-Authenticate", error.map { "\(realm), error=\"\($0)\"" } ?? realm)
  }

  static func forbidden(_ role: Role, _ audience: Audience) -> Problem {
    let roles = audience.names.joined(separator: ", ")
    return Problem(403, "roleForbids", "This is for \(roles); yours is \(role.rawValue).")
  }
}

extension TokenDigest {
  /// SHA-256 of a token's bytes.
  init(of token: Span<UInt8>) {
    let words = SHA256.words(of: token)
    self.init(words.0, words.1, words.2, words.3)
  }
}
