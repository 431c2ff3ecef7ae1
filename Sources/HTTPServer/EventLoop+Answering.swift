// Requests and their answers: from the parser's events to the bytes of the batch.
internal import HTTP
internal import Sockets

extension EventLoop {
  /// Answers what can be answered now of the input. What must wait goes to the backlog.
  func consume(_ input: Span<UInt8>, on connection: Connection) {
    var offset = 0
    while connection.takesInput {
      guard connection.unsent.byteCount + batch.byteCount < limits.unsentBytes, !batch.isFull else { break }
      if connection.reading == nil, repeatAnswers(input, &offset, on: connection) {
        if ring == nil { finishRepeated(since: receivedAt) }
        continue
      }
      guard offset < input.count else { return recycleParser(of: connection) }
      switch parser(of: connection).parser.next(input, &offset) {
      case .needsInput:
        if connection.exchange != nil, connection.isReadingBody {
          hold(connection.reading?.parser.bodyBytesRead ?? 0, for: connection)
        }
        return recycleParser(of: connection)
      case .head(let head):
        if isDraining { isFollowed = holdsRequest(input.extracting(offset...)) }
        begin(head, on: connection, bodyHasBegun: offset < input.count)
      case .body(let body):
        // Without an exchange it was a body thrown away after its answer.
        if let exchange = connection.exchange, hold(body.count, for: connection) {
          dispatch(exchange, body, on: connection)
        }
      case .refused(let refusal): return refuse(refusal, on: connection)
      }
      recycleParser(of: connection)
    }
    if offset < input.count { connection.backlog.append(copying: input.extracting(offset...)) }
  }

  /// Counts what a connection's body takes in memory. False, and refused, when all bodies together take too much: what has
  /// arrived is counted, not what was announced, so that nobody takes room by asking for it.
  @discardableResult private func hold(_ bytes: Int, for connection: Connection) -> Bool {
    let more = bytes - connection.heldBodyBytes
    guard more > 0 else { return true }
    connection.heldBodyBytes = bytes
    if context.census.holdBody(more) { return true }
    connection.reading = nil
    refuse(
      Refusal(
        status: 503, code: "tooManyBodies", detail: "The bodies of all requests together take too much memory now.",
        retryAfterSeconds: limits.retryAfterSeconds),
      on: connection)
    return false
  }

  /// The body is not in memory any more.
  func releaseBody(of connection: Connection) {
    guard connection.heldBodyBytes > 0 else { return }
    context.census.releaseBody(connection.heldBodyBytes)
    connection.heldBodyBytes = 0
  }

  private func parser(of connection: Connection) -> Reading {
    if let reading = connection.reading { return reading }
    let reading = spareReading ?? Reading(limits.http)
    spareReading = nil
    connection.reading = reading
    return reading
  }

  /// Takes the parser back when no request has begun: an idle connection holds none.
  private func recycleParser(of connection: Connection) {
    guard let reading = connection.reading, reading.parser.isUntouched else { return }
    spareReading = reading
    connection.reading = nil
  }

  private func begin(_ received: RequestHead, on connection: Connection, bodyHasBegun: Bool) {
    var head = received
    head.peer = context.trustedProxies.client(of: received, peer: connection.peer)
    connection.requestCount += 1
    let requestID = head.givenRequestID.map(RequestID.given) ?? repeater.ids.next(milliseconds: time.wallMilliseconds)
    var exchange = Exchange(head: head, requestID: requestID, startedAt: SystemClock.monotonicNanoseconds)
    let hosts = context.hosts()
    guard hosts.admits(head) else { return answerUnread(exchange, hosts.refusal, on: connection) }
    if head.isAsterisk {
      let allow = HTTPMethod.served.map(\.name).joined(separator: ", ")
      return answerUnread(exchange, Response(status: 204, fields: [Field("Allow", allow)]), on: connection)
    }
    switch context.handler.admit(head, requestID: requestID.text) {
    case .refuse(let response): answerUnread(exchange, response, on: connection)
    case .accept(let maximumBodyBytes, let mark):
      exchange.head.mark = mark
      if head.framing == .none {
        answer(exchange, on: connection)
      } else if let refusal = parser(of: connection).parser.readBody(upTo: maximumBodyBytes) {
        connection.exchange = exchange
        refuse(refusal, on: connection)
      } else {
        connection.exchange = exchange
        if head.expectsContinue, !bodyHasBegun { batch.bytes.append(contentsOf: ResponseEncoder.continueBytes) }
      }
    }
  }

  private func answer(_ exchange: Exchange, on connection: Connection) {
    if let answer = context.handler.answerFromMemory(exchange.head, requestID: exchange.requestID.text) {
      if let standing = answer.standing, !connection.isTrustedProxy {
        repeater.answers.note(answer.response, to: exchange.head, standing: standing)
      }
      finish(exchange, answer.response, on: connection)
    } else {
      dispatch(exchange, [], on: connection)
    }
  }

  /// Hands the request to the handler off the loop. The connection owns the task.
  private func dispatch(_ exchange: Exchange, _ body: [UInt8], on connection: Connection) {
    connection.exchange = exchange
    connection.phase = .awaitingAnswer
    inFlight += 1
    let request = Request(head: exchange.head, body: body, requestID: exchange.requestID.text)
    let handler = context.handler
    let mailbox = mailbox
    let token = connection.token
    connection.task = Task {
      let response = await handler.answer(request)
      mailbox.post(.answered(token, response))
    }
  }

  /// Answers a request whose body, if any, stays unread: a short one is thrown away, else the connection closes.
  private func answerUnread(_ exchange: Exchange, _ response: Response, on connection: Connection) {
    switch exchange.head.framing {
    case .none: finish(exchange, response, on: connection)
    case .length(let length) where length <= limits.discardedBodyBytes && !exchange.head.expectsContinue:
      _ = parser(of: connection).parser.discardBody(upTo: length)
      finish(exchange, response, on: connection, mustClose: isDraining)
    case .length, .chunked: finish(exchange, response, on: connection, mustClose: true)
    }
  }

  private func answerUnread(_ exchange: Exchange, _ refusal: Refusal, on connection: Connection) {
    answerUnread(exchange, context.handler.refusal(refusal, requestID: exchange.requestID.text), on: connection)
  }

  /// Puts an answer into the batch.
  func finish(
    _ exchange: Exchange, _ response: Response, on connection: Connection, mustClose: Bool = false,
    refusal: String? = nil
  ) {
    // Only the connection's end tells HTTP/1.0 the end of a body whose length is not known.
    let endsByClosing = exchange.head.minorVersion == 0 && response.stream != nil && response.stream?.length == nil
    let weClose =
      mustClose || (isDraining && !isFollowed) || endsByClosing
      || connection.requestCount >= limits.requestsPerConnection
    let closes = weClose || !exchange.head.keepsAlive
    connection.endsForShutdown = isDraining && closes && !mustClose && !connection.isReadingBody
    if closes { connection.ending = weClose || connection.isReadingBody ? .decided : .agreed }
    let reply = ReplyContext(
      date: time.date, requestID: exchange.requestID, closes: closes, isHead: exchange.head.method == .head,
      minorVersion: exchange.head.minorVersion)
    let sent = append(response, reply) { stream in
      begin(stream, of: response, to: exchange, on: connection)
    }
    // A streamed body is logged at its end.
    if connection.stream == nil {
      record(exchange, response.route, response.status, bytes: sent, refusal: refusal, on: connection)
    }
  }

  /// Refuses what cannot be read on from: the answer is the last one, and what still comes is thrown away.
  func refuse(_ refusal: Refusal, on connection: Connection) {
    connection.backlog = []
    releaseBody(of: connection)
    if let exchange = connection.exchange {
      connection.exchange = nil
      connection.phase = .open
      let response = context.handler.refusal(refusal, requestID: exchange.requestID.text)
      return finish(exchange, response, on: connection, mustClose: true, refusal: refusal.code)
    }
    connection.ending = .decided
    let requestID = repeater.ids.next(milliseconds: time.wallMilliseconds)
    let response = context.handler.refusal(refusal, requestID: requestID.text)
    let method = connection.reading?.parser.refusedMethod
    answered.append(CountedAnswer(route: 0, status: response.status))
    let sent = append(
      response, ReplyContext(date: time.date, requestID: requestID, closes: true, isHead: method == .head))
    guard takesRecords else { return }
    logged.append(
      AccessRecord(
        head: nil, refusedMethod: method, status: response.status, bytes: sent, durationMicroseconds: 0,
        requestID: requestID, peer: connection.peer, refusal: refusal.code))
  }

  /// Encodes into the batch; the number of body bytes that go out at once. `begin` starts a streamed body.
  private func append(_ response: Response, _ reply: ReplyContext, begin: (BodyStream) -> Void = { _ in }) -> Int {
    guard ResponseEncoder.appendHead(of: response, to: &batch.bytes, reply) else { return 0 }
    if let stream = response.stream {
      begin(stream)
      return 0
    }
    batch.append(body: response.body)
    return response.body.count
  }

  /// Counts a finished answer and logs it.
  func record(
    _ exchange: Exchange, _ route: Int, _ status: Int, bytes: Int, refusal: String?, on connection: Connection
  ) {
    let nanoseconds = SystemClock.monotonicNanoseconds - exchange.startedAt
    answered.append(CountedAnswer(route: route, status: status, microseconds: nanoseconds / 1_000))
    guard takesRecords else { return }
    logged.append(
      AccessRecord(
        head: exchange.head, refusedMethod: nil, status: status, bytes: bytes,
        durationMicroseconds: nanoseconds / 1_000, requestID: exchange.requestID, peer: exchange.head.peer,
        refusal: refusal))
  }
}

extension [UInt8] {
  mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
