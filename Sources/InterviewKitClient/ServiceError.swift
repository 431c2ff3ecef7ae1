// What can go wrong between an app and the service.

import Foundation

/// A problem document (RFC 9457) as the service sends it.
public struct ServiceProblem: Error, Codable, Sendable, Hashable {
  public struct Issue: Codable, Sendable, Hashable {
    /// Where in the document sent, as a JSON pointer.
    public var pointer: String?
    public var itemId: String?
    public var code: String
    public var message: String
  }

  public var status: Int
  /// A stable word, such as `preconditionFailed`.
  public var code: String
  public var title: String
  public var detail: String
  public var requestId: String?
  public var errors: [Issue]?
  /// The answer as it is, where a write met a newer one.
  public var current: Answer?
}

public enum ServiceError: Error, Sendable {
  /// The service answered that it will not.
  case problem(ServiceProblem)
  /// The service could not be asked, or did not answer: what was sent may or may not have had its effect.
  case unreachable(String)
  /// The answer was none of this service's.
  case unexpectedAnswer(status: Int, String)

  /// True when the same request may succeed later.
  public var isTemporary: Bool {
    switch self {
    case .unreachable: true
    case .problem(let problem): [408, 429, 500, 502, 503, 504, 507].contains(problem.status)
    case .unexpectedAnswer(let status, _): [502, 503, 504].contains(status)
    }
  }

  public var problem: ServiceProblem? {
    if case .problem(let problem) = self { return problem }
    return nil
  }
}
