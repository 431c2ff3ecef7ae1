// The request parser: a pure state machine, fed with bytes in any pieces, that hands out heads and bodies.

/// Reads the requests of one connection, one after the other. After `refused` it reads nothing more.
public struct RequestParser: Sendable {
  public enum Event: Sendable {
    /// All of the input is taken; more is needed.
    case needsInput
    /// A head is whole. When it has a body, `readBody` or `discardBody` must be called before `next`.
    case head(RequestHead)
    /// The body of the last head is whole; empty when it was discarded.
    case body([UInt8])
    /// The connection must close after the refusal has been sent.
    case refused(Refusal)
  }

  private enum State: Sendable {
    case head
    case admission(BodyFraming)
    case length(remaining: Int)
    indirect case chunked(ChunkedDecoder)
    indirect case refused(Refusal)
  }

  public let limits: HTTPLimits
  private var state = State.head
  private var scanner: HeadScanner
  private var pending: [UInt8] = []
  private var body: [UInt8] = []
  private var keepsBody = true

  public init(limits: HTTPLimits = .standard) {
    self.limits = limits
    scanner = HeadScanner(limits: limits)
  }

  /// Whether nothing of a next request has arrived but, at most, empty lines.
  public var isBetweenRequests: Bool {
    if case .head = state { return !scanner.hasBegun }
    return false
  }

  /// Whether it is as it was made: not even an empty line has arrived since the last request.
  public var isUntouched: Bool {
    if case .head = state { return pending.isEmpty }
    return false
  }

  /// Whether a body is being read.
  public var isReadingBody: Bool {
    switch state {
    case .length, .chunked: true
    default: false
    }
  }

  /// The method of the request that was refused, as far as it was read.
  public private(set) var refusedMethod: HTTPMethod?

  /// Bytes of content read so far of the body under way.
  public private(set) var bodyBytesRead = 0

  /// Lets the body of the last head be read. Nil, or the refusal when the announced length is more than `maximumBytes`.
  public mutating func readBody(upTo maximumBytes: Int) -> Refusal? {
    begin(maximumBytes: maximumBytes, keeping: true)
  }

  /// Lets the body of the last head be read and thrown away. Nil, or the refusal when it is too long for that.
  public mutating func discardBody(upTo maximumBytes: Int) -> Refusal? {
    begin(maximumBytes: maximumBytes, keeping: false)
  }

  private mutating func begin(maximumBytes: Int, keeping: Bool) -> Refusal? {
    guard case .admission(let framing) = state else { preconditionFailure("no head with a body came before") }
    body = []
    bodyBytesRead = 0
    keepsBody = keeping
    switch framing {
    case .none: preconditionFailure("a head without a body needs no admission")
    case .length(let length):
      guard length <= maximumBytes else { return refuse(.contentTooLarge(maximum: maximumBytes)) }
      if keeping { body.reserveCapacity(min(length, 64 * 1_024)) }
      state = .length(remaining: length)
    case .chunked:
      state = .chunked(ChunkedDecoder(limits: limits, maximumBodyBytes: maximumBytes, keepsContent: keeping))
    }
    return nil
  }

  private mutating func refuse(_ refusal: Refusal) -> Refusal {
    state = .refused(refusal)
    pending = []
    body = []
    return refusal
  }

  /// The next event in `input` from `offset` on; `offset` moves past what was taken.
  public mutating func next(_ input: Span<UInt8>, _ offset: inout Int) -> Event {
    switch state {
    case .head:
      do throws(Refusal) { return try readHead(input, &offset) } catch {
        refusedMethod = scanner.method
        return .refused(refuse(error))
      }
    case .admission: preconditionFailure("the body of the last head was not decided on")
    case .length(let remaining):
      let count = min(remaining, input.count - offset)
      if keepsBody, count > 0 { body.append(copying: input.extracting(offset..<offset + count)) }
      offset += count
      bodyBytesRead += count
      guard count == remaining else {
        state = .length(remaining: remaining - count)
        return .needsInput
      }
      return finishBody()
    case .chunked(var decoder):
      state = .head
      do throws(Refusal) {
        let isComplete = try decoder.advance(input, &offset, into: &body)
        bodyBytesRead = decoder.contentBytes
        if isComplete { return finishBody() }
        state = .chunked(decoder)
        return .needsInput
      } catch { return .refused(refuse(error)) }
    case .refused(let refusal):
      offset = input.count
      return .refused(refusal)
    }
  }

  private mutating func finishBody() -> Event {
    state = .head
    let whole = body
    body = []
    return .body(whole)
  }

  private mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) throws(Refusal) -> Event {
    if pending.isEmpty {
      guard offset < input.count else { return .needsInput }
      let rest = input.extracting(offset...)
      if case .complete(let end) = try scanner.advance(rest) {
        offset += end
        return .head(try finishHead(rest.copied(0..<end)))
      }
      pending.append(copying: rest)
      offset = input.count
      return .needsInput
    }
    // Taken out for the time of the scan, so that scanner and bytes are apart.
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    while offset < input.count {
      // Line by line, so that nothing after the head's end is taken.
      let end = input.firstOffset(of: 0x0A, from: offset).map { $0 + 1 } ?? input.count
      bytes.append(copying: input.extracting(offset..<end))
      offset = end
      if case .complete = try scanner.advance(bytes.span) { return .head(try finishHead(bytes)) }
    }
    swap(&bytes, &pending)
    return .needsInput
  }

  private mutating func finishHead(_ bytes: [UInt8]) throws(Refusal) -> RequestHead {
    let done = scanner
    guard let method = done.method, let target = done.target else { preconditionFailure("a whole head has both") }
    let minor = done.minorVersion
    guard minor == 0 || done.framing.host != nil else {
      throw .badRequest("invalidHost", "The request has no Host.")
    }
    let framing = try done.framing.bodyFraming(minorVersion: minor)
    let expectsContinue = try done.framing.continueExpected(minorVersion: minor)
    scanner = HeadScanner(limits: limits)
    if framing != .none { state = .admission(framing) }
    return RequestHead(
      storage: RequestHead.Storage(
        bytes, done, method: method, target: target, framing: framing,
        expectsContinue: expectsContinue && framing != .none))
  }
}

extension [UInt8] {
  mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
