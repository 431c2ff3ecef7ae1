// The end of a loop: what has arrived is answered, then each connection closes.
internal import HTTP
internal import Sockets

extension EventLoop {
  func drain(until deadline: Int) {
    guard !isDraining else { return }
    drainDeadline = deadline
    acceptPausedUntil = nil
    for listener in listeners { try? poller.remove(listener.number) }
    listeners = []
    sendStaged()
    for case let connection? in connections where !connection.isClosed {
      // What has just arrived is still answered.
      if ring == nil { connection.isReadable = true }
      if connection.stream?.source.endsOnShutdown == true { connection.task?.cancel() }
      pump(connection)
      switch connection.currentWaiting {
      case .nextRequest: readOut(connection)
      // The request of who has just connected is on its way.
      case .firstRequest: settle(connection)
      default: break
      }
    }
  }

  func closeAll() {
    sendStaged()
    for case let connection? in connections {
      connection.task?.cancel()
      close(connection)
    }
  }

  // MARK: Requests that have arrived

  /// Whether a whole request waits behind the one that is answered. Asked for the first time, it takes what the socket
  /// holds; what comes after that is not answered any more.
  func arrivedHoldsRequest(_ connection: Connection) -> Bool {
    if !connection.hasAllThatArrived {
      connection.hasAllThatArrived = true
      if ring == nil, connection.isReadable { takeArrived(connection) }
    }
    let arrived = connection.backlog
    return holdsRequest(arrived.span)
  }

  private func takeArrived(_ connection: Connection) {
    if case .bytes(let count) = connection.socket.receive(into: &input) {
      bytesReceived += count
      connection.backlog += input[..<count]
    }
  }

  /// Whether the bytes begin with a whole request, or with what is refused.
  func holdsRequest(_ bytes: Span<UInt8>) -> Bool {
    var offset = 0
    var parser = RequestParser(limits: limits.http)
    while offset < bytes.count {
      switch parser.next(bytes, &offset) {
      case .needsInput: return false
      case .body, .refused: return true
      case .head(let head):
        if head.framing == .none { return true }
        if parser.readBody(upTo: bytes.count) != nil { return false }
      }
    }
    return false
  }
}
