// Pages of other origins: which of them may use the API (Fetch standard, section 3.2), and which are kept out of an open service.

import HTTP

/// The origins of pages that may read what the API answers.
public struct CrossOrigin: Sendable, Hashable {
  /// `https://app.example`, `http://localhost:5173`: scheme, host and port, as browsers write them.
  public let origins: [String]

  /// - Returns: nil when one of them is no origin: with a path, a wildcard, capitals, or without a scheme.
  public init?(_ origins: [String]) {
    guard origins.allSatisfy(Self.isOrigin) else { return nil }
    self.origins = origins
  }

  private init() { origins = [] }

  /// No page of another origin.
  public static let none = CrossOrigin()

  private static func isOrigin(_ text: String) -> Bool {
    guard let rest = hostAndPort(text), !rest.isEmpty else { return false }
    return rest.utf8.allSatisfy { byte in
      switch byte {
      case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D: true
      default: false
      }
    }
  }

  private static func hostAndPort(_ origin: String) -> Substring? {
    for scheme in ["https://", "http://"] where origin.hasPrefix(scheme) { return origin.dropFirst(scheme.count) }
    return nil
  }

  /// The origin that a head names, where it is one of these.
  func allowed(_ head: RequestHead) -> String? {
    guard !origins.isEmpty, let origin = head.fields["origin"] else { return nil }
    return origins.first { $0.utf8.elementsEqual(origin.utf8) }
  }

  /// Whether a page of another origin sent it, one that may not: what an open service refuses, since there a request alone is enough.
  /// Requests that no page made name no origin.
  func isForeign(_ head: RequestHead) -> Bool {
    guard let origin = head.fields["origin"], allowed(head) == nil else { return false }
    guard let own = Self.hostAndPort(origin), let host = head.fields["host"] else { return true }
    return !String(own).isASCIIEqual(to: host)
  }

  /// The answer to a preflight, which asks without a token whether a request may be sent; nil when `head` is none. `share`
  /// names the origin in it, as in every response.
  func preflight(_ head: RequestHead, methods: [HTTPMethod]) -> Response? {
    guard head.method == .options, head.fields["access-control-request-method"] != nil, allowed(head) != nil
    else { return nil }
    let names = methods.map(\.name).joined(separator: ", ")
    return Response(
      status: 204,
      fields: [
        Field("Allow", names), Field("Access-Control-Allow-Methods", names),
        Field("Access-Control-Allow-Headers", Self.requestFields), Field("Access-Control-Max-Age", "600"),
        Field("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
      ])
  }

  /// Lets the page that asked read the response, and tells caches that others may not.
  func share(_ response: inout Response, with head: RequestHead) {
    guard !origins.isEmpty else { return }
    if let place = response.fields.firstIndex(where: { $0.name.isASCIIEqual(to: "Vary") }) {
      let listed = response.fields[place].value
      if !listed.split(separator: ",").contains(where: { $0.drop { $0 == " " } == "Origin" }) {
        response.fields[place] = Field("Vary", listed + ", Origin")
      }
    } else {
      response.fields.append(Field("Vary", "Origin"))
    }
    guard let origin = allowed(head) else { return }
    response.fields.append(Field("Access-Control-Allow-Origin", origin))
    response.fields.append(Field("Access-Control-Expose-Headers", Self.responseFields))
  }

  private static let requestFields =
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id"
  private static let responseFields =
    "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Allow, Accept, X-Request-Id, WWW-Authenticate"
}

extension Problem {
  /// 403 to a page of another origin that found a service without tokens.
  static func foreignOrigin() -> Problem {
    Problem(
      403, "originForbidden",
      "A page of another origin may not use a service without tokens; the setting allowedOrigins lists those that may.")
  }
}
