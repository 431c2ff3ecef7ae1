// Moving bytes: receives, lets requests be answered, sends, and decides what a connection waits for next.
internal import HTTP
internal import Sockets

extension EventLoop {
  /// Does for a connection all that can be done without waiting.
  func pump(_ connection: Connection, writable: Bool = false) {
    // What it has to do comes after what is staged.
    guard !connection.isStaged else { return busy.append(connection.token) }
    if writable, !connection.unsent.isEmpty { sendQueue(connection) }
    var rounds = 0
    while !connection.isClosed {
      guard rounds < Self.pumpsPerTurn else {
        busy.append(connection.token)
        break
      }
      rounds += 1
      let wasOpen = connection.phase == .open
      let progressed = takeInput(connection)
      flush(connection)
      let beganLingering = wasOpen && connection.phase == .lingering
      if !progressed, !beganLingering { break }
    }
    settle(connection)
  }

  /// Takes what is there to be taken; false when there is nothing, or nothing may be taken now.
  private func takeInput(_ connection: Connection) -> Bool {
    if connection.phase == .lingering { return discardInput(connection) }
    guard connection.takesInput, connection.unsent.byteCount < limits.unsentBytes else { return false }
    if !connection.backlog.isEmpty {
      receivedAt = SystemClock.monotonicNanoseconds
      let backlog = connection.backlog
      connection.backlog = []
      consume(backlog.span, on: connection)
      return true
    }
    guard connection.isReadable else { return false }
    guard ring == nil || !connection.peerShutWriting else {
      // A ring has received all and the end.
      connection.isReadable = false
      connection.sawEnd = true
      endInput(connection)
      return false
    }
    // Taken out for the time of its use, so that its bytes can be lent to the parser.
    var buffer: [UInt8] = []
    swap(&buffer, &input)
    defer { swap(&buffer, &input) }
    switch connection.socket.receive(into: &buffer) {
    case .bytes(let count):
      receivedAt = SystemClock.monotonicNanoseconds
      bytesReceived += count
      // A short read has emptied the socket: what comes later is a new event.
      if count < buffer.count, !connection.peerShutWriting { connection.isReadable = false }
      consume(buffer.span.extracting(0..<count), on: connection)
      return true
    case .nothing:
      connection.isReadable = false
      return false
    case .end:
      connection.isReadable = false
      connection.sawEnd = true
      endInput(connection)
      return false
    case .broken:
      close(connection)
      return false
    }
  }

  /// The peer sends nothing more. What it has asked for whole has been answered; half a request cannot be.
  private func endInput(_ connection: Connection) {
    if connection.isBetweenRequests {
      connection.ending = .agreed
    } else if connection.isReadingBody, connection.exchange == nil {
      connection.ending = .agreed
    } else {
      refuse(
        Refusal(status: 400, code: "incompleteRequest", detail: "The request ended before it was whole."),
        on: connection)
    }
  }

  /// Reads what the peer of an ended connection still sends, up to a bound. Then the rest waits in the socket, so that a
  /// peer which only sends is held up and reads its refusal: closing on unread bytes would reset it before it could.
  private func discardInput(_ connection: Connection) -> Bool {
    guard connection.isReadable, connection.lingeredBytes < limits.lingerBytes else { return false }
    guard ring == nil || !connection.peerShutWriting else {
      close(connection)
      return false
    }
    switch connection.socket.receive(into: &input) {
    case .bytes(let count):
      bytesReceived += count
      connection.lingeredBytes += count
      return true
    case .nothing:
      connection.isReadable = false
      return false
    case .end, .broken:
      close(connection)
      return false
    }
  }

  // MARK: Sending

  /// Sends the batch of this turn, after what waits already.
  private func flush(_ connection: Connection) {
    guard !connection.isClosed else { return batch.clear() }
    if !batch.isEmpty {
      if !connection.unsent.isEmpty {
        queue(batch.takePieces(), on: connection)
      } else if mayStage(connection) {
        stage(connection)
      } else {
        sendBatch(connection)
      }
    }
    if connection.ending != nil, connection.unsent.isEmpty, connection.phase == .open, !connection.isClosed {
      end(connection)
    }
  }

  private func sendBatch(_ connection: Connection) {
    switch connection.socket.send(batch.bytes, from: batch.start, inserting: batch.bodies) {
    case .bytes(let count):
      bytesSent += count
      if count == batch.byteCount { return batch.clear() }
      queue(batch.takePieces(), sent: count, on: connection)
    case .nothing: queue(batch.takePieces(), on: connection)
    case .broken:
      batch.clear()
      close(connection)
    }
  }

  private func sendQueue(_ connection: Connection) {
    var hasMoved = false
    while !connection.unsent.isEmpty {
      switch connection.socket.send(connection.unsent.pieces, skipping: connection.unsent.skip) {
      case .bytes(let count):
        context.heldOutput.leave(connection.unsent.advance(count))
        bytesSent += count
        connection.waitingSince = now
        hasMoved = true
      case .nothing:
        if hasMoved { connection.look = look(at: connection, isFresh: true) }
        return pollForWriting(connection)
      case .broken: return close(connection)
      }
    }
    guard connection.pollsForWriting, ring == nil || connection.receiving == .on else { return }
    connection.pollsForWriting = false
    guard ring == nil else {
      try? poller.remove(connection.socket.number)
      return
    }
    change(connection, [.reading, .edgeTriggered])
  }

  func pollForWriting(_ connection: Connection) {
    guard !connection.pollsForWriting else { return }
    connection.pollsForWriting = true
    guard ring == nil else {
      do {
        try poller.add(connection.socket.number, [.writing, .edgeTriggered], token: connection.token)
      } catch { close(connection) }
      return
    }
    change(connection, [.reading, .writing, .edgeTriggered])
  }

  private func change(_ connection: Connection, _ interest: Interest) {
    do {
      try poller.change(connection.socket.number, interest, token: connection.token)
    } catch { close(connection) }
  }

  /// All is sent and the connection ends: at once, or after the peer has had time to read.
  private func end(_ connection: Connection) {
    let mayStillSend = connection.ending == .decided || !connection.backlog.isEmpty || connection.isReadable
    guard mayStillSend, !connection.sawEnd else { return close(connection) }
    connection.backlog = []
    connection.phase = .lingering
    connection.look = Connection.Look()
    connection.socket.shutWriting()
  }

  // MARK: Deadlines

  /// Notes what the connection waits for, since when, and until when.
  func settle(_ connection: Connection) {
    guard !connection.isClosed else { return }
    connection.stream?.pipe.noteUnsent(connection.unsent.byteCount)
    let waiting = connection.currentWaiting
    if waiting != connection.waiting || connection.requestCount != connection.waitingRequest {
      connection.waiting = waiting
      connection.waitingRequest = connection.requestCount
      connection.waitingSince = now
    }
    connection.deadline = connection.deadline(limits)
    if isDraining {
      switch waiting {
      case .firstRequest:
        connection.deadline = connection.waitingSince + limits.firstRequestAtShutdownMilliseconds
      case .nextRequest: connection.deadline = now
      case .lingering where connection.endsForShutdown && connection.lingeredBytes == 0:
        connection.deadline = min(
          connection.deadline, connection.waitingSince + limits.lingerAtShutdownMilliseconds)
      default: break
      }
    }
    schedule(connection)
    arrangeReceiving(connection)
  }

  func schedule(_ connection: Connection) {
    guard connection.deadline != Int.max else { return }
    let tick = wheel.tick(for: connection.deadline)
    // A place at an earlier tick will do: the connection moves on when it is found there too early.
    guard connection.scheduledTick > tick || connection.scheduledTick <= wheel.tick else { return }
    connection.scheduledTick = tick
    wheel.enter(connection.token, at: tick)
  }

  func checkDeadline(_ connection: Connection) {
    guard connection.deadline <= now else { return schedule(connection) }
    switch connection.waiting {
    case .firstRequest, .nextRequest, .head, .body: readOut(connection)
    case .answer, .writing, .lingering: judge(connection)
    }
  }

  /// Reads what has arrived, and then judges the deadline: a process that was paused has not read what came in time. A
  /// ring ends its receiving first, since what it has received comes before what the socket still holds.
  func readOut(_ connection: Connection) {
    connection.readsOut = ring != nil && connection.receiving != .off
    guard !connection.readsOut else { return stopReceiving(connection) }
    if !connection.sawEnd { connection.isReadable = true }
    pump(connection)
    guard !connection.isClosed else { return }
    // Others have their turn before the rest of it.
    if connection.isReadable, !connection.peerShutWriting { return schedule(connection) }
    judge(connection)
  }

  private func judge(_ connection: Connection) {
    guard connection.deadline <= now else { return schedule(connection) }
    if isDraining, connection.waiting == .firstRequest || connection.waiting == .nextRequest {
      // It still has requests that are answered when others have had their turn.
      if connection.backlog.isEmpty { close(connection) }
      return
    }
    if connection.waiting == .writing, readsOn(connection) { return settle(connection) }
    if connection.waiting == .lingering { return lingersOn(connection) ? settle(connection) : close(connection) }
    metrics.update { $0.timeouts += 1 }
    switch connection.waiting {
    case .firstRequest, .head: timeOut(connection, "The request head did not come in time.")
    case .body where connection.exchange != nil: timeOut(connection, "The request body did not come in time.")
    case .writing:
      connection.socket.resetOnClose()
      close(connection)
    case .body, .nextRequest: close(connection)
    case .answer, .lingering: break
    }
  }

  func look(at connection: Connection, isFresh: Bool = false) -> Connection.Look {
    Connection.Look(at: now, unacknowledgedBytes: connection.socket.unacknowledgedBytes, isFresh: isFresh)
  }

  /// Whether the peer has taken enough since the last look. A large send buffer may drain for a minute before the system
  /// takes more of a reader on a bad network.
  private func readsOn(_ connection: Connection) -> Bool {
    let before = connection.look
    connection.look = look(at: connection)
    if before.isFresh { return true }
    let taken = before.unacknowledgedBytes - connection.look.unacknowledgedBytes
    guard taken > 0, taken * 1_000 >= limits.bodyBytesPerSecond * (now - before.at) else { return false }
    connection.waitingSince = now
    return true
  }

  /// Whether the peer still takes what was sent before the end: closing while it sends would reset what it has not got. Once
  /// it has all, it has its time to read.
  private func lingersOn(_ connection: Connection) -> Bool {
    let (before, bytes) = (connection.look, connection.socket.unacknowledgedBytes)
    guard !connection.isRefused, max(before.unacknowledgedBytes, bytes) > 0 else { return false }
    if before.unacknowledgedBytes == 0 || bytes == 0 {
      connection.look = look(at: connection)
    } else if now - before.at >= limits.stalledWriteMilliseconds, !readsOn(connection) {
      return false
    }
    connection.waitingSince = now
    return true
  }

  private func timeOut(_ connection: Connection, _ detail: String) {
    refuse(Refusal(status: 408, code: "requestTimeout", detail: detail), on: connection)
    pump(connection)
  }
}
