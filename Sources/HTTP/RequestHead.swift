// A request's head: its bytes as received, and where in them everything stands. Text is made when asked for.
internal import Glibc

/// How a body's end is found (RFC 9112, section 6).
public enum BodyFraming: Sendable, Hashable {
  case none
  case length(Int)
  case chunked
}

/// A valid request head. Made by `RequestParser`, or by `RequestHead.make` in tests.
public struct RequestHead: Sendable {
  /// What the parser read, in one object: a head is handed on many times.
  final class Storage: Sendable {
    let method: HTTPMethod
    let minorVersion: Int
    let framing: BodyFraming
    let keepsAlive: Bool
    let expectsContinue: Bool
    let bytes: [UInt8]
    let target: TargetRanges
    let host: Range<Int>?
    let spans: [FieldSpan]

    /// - Parameters:
    ///   - bytes: the head with all of its line ends.
    ///   - scanner: has read them to the end.
    init(
      _ bytes: [UInt8], _ scanner: HeadScanner, method: HTTPMethod, target: TargetRanges, framing: BodyFraming,
      expectsContinue: Bool
    ) {
      (self.bytes, self.method, self.target) = (bytes, method, target)
      (self.framing, self.expectsContinue) = (framing, expectsContinue)
      minorVersion = scanner.minorVersion
      keepsAlive = scanner.framing.keepsConnection(minorVersion: scanner.minorVersion)
      host = scanner.framing.host
      spans = scanner.spans
    }
  }

  let storage: Storage
  /// The client's address, such as `192.0.2.7` or `2001:db8::1`; nil for a Unix socket.
  public var peer: String?
  /// What the handler noted when it admitted the request: who sends it, in the handler's own numbers.
  public var mark = 0

  public var method: HTTPMethod { storage.method }
  /// `x` of `HTTP/1.x`.
  public var minorVersion: Int { storage.minorVersion }
  public var framing: BodyFraming { storage.framing }
  /// Whether the client lets the connection live on (RFC 9112, section 9.3).
  public var keepsAlive: Bool { storage.keepsAlive }
  /// Whether the client waits for `100 Continue` (RFC 9110, section 10.1.1).
  public var expectsContinue: Bool { storage.expectsContinue }
  /// The head as it was received, line ends included.
  public var bytes: [UInt8] { storage.bytes }

  var target: TargetRanges { storage.target }
  var host: Range<Int>? { storage.host }
  var spans: [FieldSpan] { storage.spans }

  /// The header fields.
  public var fields: FieldLookup { FieldLookup(bytes: bytes, spans: spans) }

  /// The request target as it was sent.
  public var rawTarget: String { bytes.span.text(target.whole) }

  /// The bytes of the request target as it was sent.
  public var targetBytes: ArraySlice<UInt8> { storage.bytes[target.whole] }

  /// The path of the target.
  public var pathBytes: RequestPath {
    RequestPath(bytes: bytes, range: target.path, hasEscapes: target.hasEscapes)
  }

  /// The segments of the path, split at `/` first and each decoded once. `/` has none, `/a/` has `a` and an empty one.
  public var path: [String] { pathBytes.segments }

  /// The pairs of the query, decoded once (`+` is a space), in the order sent.
  public var query: [(name: String, value: String)] {
    guard let range = target.query else { return [] }
    return QueryPairs(bytes: bytes, range: range).all
  }

  /// The value of the first pair of that name; an empty text for a name without `=`; nil when it is absent.
  public func queryValue(_ name: String) -> String? {
    guard let range = target.query else { return nil }
    return QueryPairs(bytes: bytes, range: range).first(name)
  }

  /// Whether the target is `*` (only with `OPTIONS`).
  public var isAsterisk: Bool { target.isAsterisk }

  /// The authority that the request is for, such as `example.org:8080`: the target's, else `Host`; nil on HTTP/1.0 without.
  public var authority: String? { (target.authority ?? host).map { bytes.span.text($0) } }

  /// The ID that the client gave its request: `X-Request-Id` of 1 to 128 of A-Z a-z 0-9 . _ : -, beginning with a letter or
  /// digit. Nil for anything else, and for what looks like a token: neither is repeated in a reply or a log.
  public var givenRequestID: String? {
    guard givesRequestID, let value = fields["x-request-id"], (1...128).contains(value.utf8.count),
      let first = value.utf8.first, ByteClass.alphanumericSet.contains(first),
      value.utf8.allSatisfy(ByteClass.requestID.contains), !Self.isSecret(value)
    else { return nil }
    return value
  }

  /// Whether it is the very same head, read once.
  public func isSame(as other: RequestHead) -> Bool { storage === other.storage }

  /// Whether the head has exactly these bytes.
  public func hasBytes(_ other: Span<UInt8>) -> Bool {
    guard storage.bytes.count == other.count else { return false }
    return unsafe storage.bytes.withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { other in
        guard let own = own.baseAddress, let start = other.baseAddress else { return unsafe other.isEmpty }
        return unsafe memcmp(own, start, other.count) == 0
      }
    }
  }

  /// Whether there is an `X-Request-Id`, valid or not.
  public var givesRequestID: Bool { fields.contains("x-request-id") }

  /// The bytes of the host without port; nil when there is none.
  func withHost<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    guard let range = target.authority ?? host else { return nil }
    let span = bytes.span
    return body(span.extracting(Authority.host(in: span, range)))
  }

  /// The host of `authority` without port, in ASCII lower case, brackets kept; nil when there is none.
  public var hostname: String? {
    guard let range = target.authority ?? host else { return nil }
    let span = bytes.span
    return span.text(Authority.host(in: span, range)).asciiLowercased
  }
}

extension RequestHead {
  /// A head made as the parser makes it, for tests and for requests that come from no socket.
  ///
  /// - Throws: what the parser refuses.
  public static func make(
    _ method: HTTPMethod = .get, _ target: String = "/", fields: [Field] = [], peer: String? = nil
  ) throws(Refusal) -> RequestHead {
    var text = "\(method.name) \(target) HTTP/1.1\r\n"
    if !fields.contains(where: { $0.name.isASCIICaseInsensitively("Host") }) { text += "Host: localhost\r\n" }
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    let bytes = Array((text + "\r\n").utf8)
    var parser = RequestParser()
    var offset = 0
    switch parser.next(bytes.span, &offset) {
    case .head(var head):
      head.peer = peer
      return head
    case .refused(let refusal): throw refusal
    case .needsInput, .body: throw .badRequest("invalidHead", "The head is not whole.")
    }
  }
}

extension Span where Element == UInt8 {
  /// The end of the first head at or after `start`, its empty line included; nil when there is none within `limit` bytes.
  public func headEnd(from start: Int, limit: Int) -> Int? {
    let last = Swift.min(count, start + limit)
    var search = start
    while let lineFeed = firstOffset(of: 0x0A, from: search), lineFeed + 2 < last {
      if self[lineFeed + 1] == 0x0D, self[lineFeed + 2] == 0x0A { return lineFeed + 3 }
      search = lineFeed + 1
    }
    return nil
  }
}
