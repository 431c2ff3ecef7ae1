// What the server asks of the application.

/// What becomes of a request, decided before its body is read.
public enum Admission: Sendable {
  /// Read the body, if it has one, up to that length; a longer one is refused with 413. The head gets the mark.
  case accept(maximumBodyBytes: Int, mark: Int = 0)
  /// Answer at once; the body is not read.
  case refuse(Response)
}

/// An answer that needed nothing but memory.
public struct MemoryAnswer: Sendable {
  public var response: Response
  /// Says how long the answer may be repeated; nil: it is asked for anew each time.
  public var standing: (any Standing)?

  public init(_ response: Response, standing: (any Standing)? = nil) {
    self.response = response
    self.standing = standing
  }
}

/// What an answer from memory stands on. The server may repeat the answer, but for its date and request ID, to every
/// request whose head has the same bytes, as long as this holds: whatever `admit` and `answerFromMemory` looked at besides
/// those bytes must be looked at here again.
public protocol Standing: AnyObject, Sendable {
  /// Whether a request with the same head would be admitted and answered in the same way now. Asked on the event loops, for
  /// every such request before it is answered. Must not block.
  /// - Parameter peer: the client's address; nil for a Unix socket.
  func holds(for peer: String?) -> Bool

  /// Whether each request must be asked about, since asking counts it or its peer matters. Otherwise requests that have
  /// arrived already may be answered together on one word.
  var countsRequests: Bool { get }
}

/// The application behind the server.
public protocol RequestHandler: Sendable {
  /// Decides from the head alone, on the event loop, before the body is read and before any `100 Continue`. Asked of
  /// every request first, but for those whose answer stands (`Standing`). Must not block.
  func admit(_ head: RequestHead, requestID: String) -> Admission

  /// Answers from memory, on the event loop, when the request has no body; nil hands over to `answer`. Must not block.
  func answerFromMemory(_ head: RequestHead, requestID: String) -> MemoryAnswer?

  /// Answers off the event loop, in Swift's concurrency pool.
  func answer(_ request: Request) async -> Response

  /// The document for what the parser or the server refuses. Must not block.
  func refusal(_ refusal: Refusal, requestID: String) -> Response
}

extension RequestHandler {
  public func answerFromMemory(_ head: RequestHead, requestID: String) -> MemoryAnswer? { nil }
}
