// A whole request and its response, as the handler sees them.

/// A request whose body has been read.
public struct Request: Sendable {
  public var head: RequestHead
  public var body: [UInt8]
  /// The ID that the reply, its problem document and the log line carry.
  public var requestID: String
  /// The client's address; nil for a Unix socket.
  public var peer: String? { head.peer }

  public init(head: RequestHead, body: [UInt8] = [], requestID: String) {
    self.head = head
    self.body = body
    self.requestID = requestID
  }
}

/// A response. The server adds `Date`, `Content-Length`, `Connection` and `X-Request-Id`, and leaves the body out where
/// the method or status has none (RFC 9110, section 6.4.1): a handler answers `HEAD` as it answers `GET`.
public struct Response: Sendable, Hashable {
  public var status: Int
  public var fields: [Field]
  public var body: [UInt8]
  /// The handler's number of the route, under which the server counts the answer; 0 for none.
  public var route = 0
  /// A body that is produced piece by piece instead; `body` is not looked at then.
  public var stream: BodyStream?

  public init(status: Int, fields: [Field] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  public init(status: Int, fields: [Field] = [], stream: BodyStream) {
    self.init(status: status, fields: fields)
    self.stream = stream
  }
}
