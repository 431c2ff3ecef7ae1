// What the server asks of the application.

/// What becomes of a request, decided before its body is read.
public enum Admission: Sendable {
  /// Read the body, if it has one, up to that length; a longer one is refused with 413.
  case accept(maximumBodyBytes: Int)
  /// Answer at once; the body is not read.
  case refuse(Response)
}

/// The application behind the server.
public protocol RequestHandler: Sendable {
  /// Decides from the head alone, on the event loop, before the body is read and before any `100 Continue`. Asked of
  /// every request first. Must not block.
  func admit(_ head: RequestHead, requestID: String) -> Admission

  /// Answers from memory, on the event loop, when the request has no body; nil hands over to `answer`. Must not block.
  func answerFromMemory(_ head: RequestHead, requestID: String) -> Response?

  /// Answers off the event loop, in Swift's concurrency pool.
  func answer(_ request: Request) async -> Response

  /// The document for what the parser or the server refuses. Must not block.
  func refusal(_ refusal: Refusal, requestID: String) -> Response
}

extension RequestHandler {
  public func answerFromMemory(_ head: RequestHead, requestID: String) -> Response? { nil }
}
