// What the parser, the router or the server refuses, as a typed value.

/// A refused request: its status, a stable word for programs and a sentence for people.
public struct Refusal: Error, Sendable, Hashable {
  public var status: Int
  /// A stable word in camelCase, such as `invalidHost`.
  public var code: String
  /// One sentence that says what is wrong.
  public var detail: String
  /// What `Allow` lists; empty unless the status is 405.
  public var allow: [HTTPMethod]
  /// Seconds for `Retry-After`; nil when the field is not sent.
  public var retryAfterSeconds: Int?

  public init(
    status: Int, code: String, detail: String, allow: [HTTPMethod] = [], retryAfterSeconds: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.allow = allow
    self.retryAfterSeconds = retryAfterSeconds
  }
}

extension Refusal {
  static func badRequest(_ code: String, _ detail: String) -> Refusal {
    Refusal(status: 400, code: code, detail: detail)
  }

  /// 413 (RFC 9110, section 15.5.14) for a body of more than `maximum` bytes.
  public static func contentTooLarge(maximum: Int) -> Refusal {
    Refusal(status: 413, code: "contentTooLarge", detail: "The body is longer than \(maximum) bytes.")
  }
}
