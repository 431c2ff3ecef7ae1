// A loop with a ring: it receives for all connections, and sends at the end of a turn what the turn has staged.
internal import HTTP
internal import Sockets

extension EventLoop {
  /// How much is staged before it is sent within a turn.
  private static let stagedBytes = 512 * 1_024
  private static let stagedParts = 256
  /// Under this token the ring watches the poller: for listeners, messages, and sockets that take output again.
  private static let pollerToken: UInt64 = 1

  func startRing() {
    guard let ring else { return }
    operate { () throws(SocketError) in
      try ring.start()
      try ring.poll(poller.number, token: Self.pollerToken)
    }
  }

  /// One turn: does what the last one has left to do, waits, and handles what has come.
  func turn(_ ring: Ring, waitingMilliseconds: Int32) {
    sendStaged(waitingMilliseconds: waitingMilliseconds)
    readClocks()
    ring.takeEvents(&ringEvents)
    var pollerReports = false
    for event in ringEvents {
      if event.operation == .poll { pollerReports = true } else { received(event, ring) }
      if let buffer = event.buffer { ring.recycle(buffer) }
    }
    ringEvents.removeAll(keepingCapacity: true)
    // After what was received: a message to drain closes connections that have nothing to be answered.
    guard pollerReports else { return }
    takeReports(0)
    operate { () throws(SocketError) in try ring.poll(poller.number, token: Self.pollerToken) }
  }

  private func operate(_ body: () throws(SocketError) -> Void) {
    do throws(SocketError) { try body() } catch { fail(error) }
  }

  // MARK: Receiving

  private func received(_ event: RingEvent, _ ring: Ring) {
    guard let connection = connection(event.token) else { return }
    if event.isLast { connection.receiving = .off }
    defer { if event.isLast, !connection.isClosed { receivingEnded(connection) } }
    if event.result > 0 {
      ring.withReceived(event) { take($0, from: connection) }
    } else if event.result == 0 {
      connection.peerShutWriting = true
      connection.isReadable = true
      pump(connection)
    } else if event.isPause || event.isNothing {
      settle(connection)
    } else {
      close(connection)
    }
  }

  private func receivingEnded(_ connection: Connection) {
    if connection.readsOut { readOut(connection) }
    // Without a receive nothing tells that the connection breaks but the poller, which does so whatever it is asked.
    if connection.receiving == .off, !connection.isClosed { pollForWriting(connection) }
  }

  private func take(_ input: Span<UInt8>, from connection: Connection) {
    bytesReceived += input.count
    if connection.phase == .lingering {
      connection.lingeredBytes += input.count
      return settle(connection)
    }
    guard !connection.hasAllThatArrived else { return arrangeReceiving(connection) }
    if connection.takesInput, connection.backlog.isEmpty, connection.unsent.byteCount < limits.unsentBytes {
      receivedAt = time.nanoseconds
      let repeated = repeatWhole(input, on: connection)
      if repeated == input.count, connection.isStaged { return }
      consume(input.extracting(repeated...), on: connection)
    } else {
      connection.backlog.append(copying: input)
    }
    pump(connection)
  }

  /// Lets the ring receive for a connection, unless more has come than can be read for now.
  func arrangeReceiving(_ connection: Connection) {
    guard ring != nil, !connection.isClosed else { return }
    // What the socket is read for directly is read before the ring receives again.
    let isWanted =
      !connection.peerShutWriting && !connection.isReadable && !connection.readsOut
      && connection.backlog.count <= limits.receivedAheadBytes && connection.lingeredBytes < limits.lingerBytes
    switch connection.receiving {
    case .off where isWanted:
      connection.receiving = .on
      toReceive.append(connection.token)
    case .on where !isWanted: stopReceiving(connection)
    case .off, .on, .stopping: break
    }
  }

  func stopReceiving(_ connection: Connection) {
    guard connection.receiving == .on else { return }
    connection.receiving = .stopping
    toStop.append(connection.token)
  }

  // MARK: Sending

  /// Whether the batch can wait for the turn's end: the connection has nothing to do but to wait for its next request.
  func mayStage(_ connection: Connection) -> Bool {
    ring != nil && batch.bodies.isEmpty && connection.phase == .open && connection.ending == nil
      && connection.backlog.isEmpty && !connection.isReadable
  }

  func stage(_ connection: Connection) {
    connection.isStaged = true
    let send = RingSend(number: connection.socket.number, token: connection.token, range: batch.stage())
    bytesSent += send.range.count
    staged.append(send)
    if batch.bytes.count >= Self.stagedBytes || staged.count >= Self.stagedParts { sendStaged() }
  }

  /// Sends what is staged, and lets the ring do what else it has to do.
  func sendStaged(waitingMilliseconds: Int32 = 0) {
    guard let ring else { return }
    operate { () throws(SocketError) in
      // A closed connection's descriptor may be another one's by now.
      for token in toReceive {
        if let connection = connection(token) { try ring.receive(connection.socket.number, token: token) }
      }
      toReceive.removeAll(keepingCapacity: true)
      // After what begins: what begins and ends within one turn must end.
      for token in toStop { try ring.stopReceiving(token: token) }
      toStop.removeAll(keepingCapacity: true)
      if hasClosed { staged.removeAll { connection($0.token) == nil } }
      hasClosed = false
      try ring.submit(staged, of: batch.bytes, waitingMilliseconds: waitingMilliseconds)
    }
    for send in staged { connection(send.token)?.isStaged = false }
    for event in ring.failedSends { queueRest(event) }
    staged.removeAll(keepingCapacity: true)
    batch.clearStaged()
  }

  /// The system has not taken all of a part: the rest waits until it takes more.
  private func queueRest(_ event: RingEvent) {
    guard let connection = connection(event.token), let send = staged.first(where: { $0.token == event.token }) else {
      return
    }
    guard event.result >= 0 || event.isNothing else { return close(connection) }
    let rest = send.range.dropFirst(max(0, Int(event.result)))
    bytesSent -= rest.count
    queue([Array(batch.bytes[rest])], on: connection)
    settle(connection)
  }
}
