// What one API keeps in memory, takes from a client, and lets it ask.

/// The limits of an API. Those that depend on who asks are off unless given.
public struct APILimits: Sendable {
  /// The bound of responses kept encoded, in bytes.
  public var encodedResponseBytes = 8 * 1_024 * 1_024
  /// Changes that a reader of the event stream may be behind; beyond it the stream ends, and its client resumes when it
  /// can.
  public var backlogChanges = 10_000
  /// What is remembered, and may wait, for layouts to be computed ahead.
  public var layoutsAhead = LayoutsAhead.Limits()
  /// How often one member may ask.
  public var memberRate: RateLimit?
  /// How often may be asked from one address; this machine's own are not counted.
  public var addressRate: RateLimit?
  /// How many wrong tokens may come from one address.
  public var wrongTokenRate: RateLimit?
  /// The pages of other origins that may use the API.
  public var crossOrigin = CrossOrigin.none
  /// The most bytes that a problem document takes, besides `current` and `sent` of a failed precondition.
  public static let problemBytes = 256 * 1_024
  /// Its `errors`.
  static let issueBytes = problemBytes - 16 * 1_024
  /// Unicode scalars of one pointer in it; the middle of a longer one is left out.
  static let pointerScalars = 1_000
  /// What a client may send where no body is taken: an empty object, say.
  public static let emptyBodyBytes = 1_024
  /// The largest body of a request.
  public static let bodyBytes = 1_024 * 1_024
  /// The largest kit document or import.
  public static let kitBodyBytes = 16 * 1_024 * 1_024
  /// The default and the largest `limit` of a list.
  public static let pageSize = 50
  public static let largestPageSize = 200

  public init() {}
}
