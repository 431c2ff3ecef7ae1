// What a request says of who sends it: the bearer token (RFC 6750), and secrets in the address, where they do not belong.

/// The `Authorization` of a request.
public enum Credentials<Value> {
  case none
  /// Another scheme, no token, or more than one field line.
  case unusable
  case bearer(Value)
}

extension RequestHead {
  /// Reads the bearer token as bytes: the scheme's word in any case, the token as it is.
  public func withBearerToken<Value>(_ read: (Span<UInt8>) -> Value) -> Credentials<Value> {
    let span = bytes.span
    var found: Range<Int>?
    for field in spans where span.extracting(field.name).isASCIICaseInsensitively("authorization") {
      if found != nil { return .unusable }
      found = span.trimmed(field.value)
    }
    guard let found else { return .none }
    let scheme = "bearer"
    let start = found.lowerBound + scheme.utf8.count
    guard start < found.upperBound, span[start] == 0x20,
      span.extracting(found.lowerBound..<start).isASCIICaseInsensitively(scheme)
    else { return .unusable }
    let token = span.trimmed(start..<found.upperBound)
    if token.isEmpty { return .unusable }
    for index in token where span[index] <= 0x20 || span[index] >= 0x7F { return .unusable }
    return .bearer(read(span.extracting(token)))
  }

  /// Names under which clients put secrets into a query, in lower case.
  static let secretNames: Set<String> = [
    "token", "access_token", "auth_token", "api_key", "apikey", "authorization", "bearer", "ticket",
  ]
  /// How long the secret part of the service's own tokens is at least.
  static let secretBytes = 40

  /// Whether a token of ours, or a ticket, stands anywhere in a text.
  static func isSecret(_ text: String) -> Bool {
    guard text.utf8.count >= secretBytes else { return false }
    return ["ik_", "ikt_"].contains { prefix in
      text.ranges(of: prefix).contains { text[$0.upperBound...].prefix(while: isOfToken).utf8.count >= secretBytes }
    }
  }

  private static func isOfToken(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
  }

  /// The target's authority or the `Host` that stands for it, which proxies and histories keep as well.
  private var authorityHoldsSecret: Bool { holdsSecret(target.authority) || holdsSecret(host) }

  private func holdsSecret(_ range: Range<Int>?) -> Bool {
    guard let range, range.count >= Self.secretBytes else { return false }
    return Self.isSecret(bytes.span.text(range))
  }

  /// A look at the path's bytes that spares making text of them: a secret's beginning, or an escape that may hide it.
  private var pathMayHoldSecret: Bool {
    guard target.path.count >= Self.secretBytes else { return false }
    if target.hasEscapes { return true }
    let span = bytes.span
    return target.path.dropLast(2).contains { index in
      span[index] == 0x69 && span[index + 1] == 0x6B && (span[index + 2] == 0x5F || span[index + 2] == 0x74)
    }
  }

  /// True when the address holds a token: where logs, histories and proxies keep it. A `ticket`, which is good for one
  /// use, is none.
  public var hasTokenInTarget: Bool {
    if authorityHoldsSecret { return true }
    if target.query == nil, !pathMayHoldSecret { return false }
    return path.contains(where: Self.isSecret)
      || query.contains { pair in
        let name = pair.name.asciiLowercased
        return name != "ticket" && (Self.secretNames.contains(name) || Self.isSecret(pair.value))
          || Self.isSecret(pair.name)
      }
  }

  /// The target as logs may keep it: what has the form of an ID or of another word is told, and no secret and no text that
  /// somebody typed, which may be a name or an answer.
  public var loggedTargetBytes: ArraySlice<UInt8> {
    if isTargetOfWords { return targetBytes }
    let segments = path.map { Self.isTellable($0) ? $0 : "***" }
    let pairs = query.map { pair in
      let isTold = Self.isTellable(pair.value) && !Self.untoldNames.contains(pair.name.asciiLowercased)
      return (Self.isTellable(pair.name) ? pair.name : "***") + "=" + (isTold ? pair.value : "***")
    }
    let told = "/" + segments.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    return Array(told.utf8)[...]
  }

  /// Parameters that hold secrets, or what people search for.
  private static let untoldNames = secretNames.union([
    "q", "assertion", "auth", "client_secret", "code", "id_token", "jwt", "key", "passwd", "password", "pwd",
    "refresh_token", "secret", "session", "session_id", "sessionid", "sig", "signature",
  ])

  /// A look at the bytes that spares making text of them: a path of words, without a query, that can hold no secret.
  private var isTargetOfWords: Bool {
    guard target.query == nil, target.authority == nil, !pathMayHoldSecret else { return false }
    if target.isAsterisk { return true }
    let span = bytes.span
    return target.path.allSatisfy { ByteClass.requestID.contains(span[$0]) || span[$0] == 0x2F }
  }

  /// Whether it is a word: of the characters of IDs, or a list or a version of such (`kit,layout`, `ios@3`).
  private static func isTellable(_ text: String) -> Bool {
    var isVersion = false
    for byte in text.utf8 {
      switch byte {
      case 0x40 where !isVersion: isVersion = true
      case 0x2C: isVersion = false
      default:
        guard isVersion ? ByteClass.isDigit(byte) : ByteClass.requestID.contains(byte) else { return false }
      }
    }
    return !isSecret(text)
  }
}
