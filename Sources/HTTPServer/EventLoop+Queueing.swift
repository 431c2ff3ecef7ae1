// Output that the system does not take at once: it waits in memory, of which all connections together have a bounded part.
internal import HTTP
internal import Sockets

extension EventLoop {
  /// Lets output wait until the system takes it. What waits of all connections is held to its bound.
  /// - Parameter sent: how many bytes of the pieces, from their start, have been sent.
  func queue(_ pieces: [[UInt8]], sent: Int = 0, on connection: Connection) {
    let isFirst = connection.unsent.isEmpty
    context.heldOutput.enter(pieces)
    connection.unsent.append(pieces)
    if sent > 0 { context.heldOutput.leave(connection.unsent.advance(sent)) }
    if isFirst {
      connection.look = look(at: connection, isFresh: true)
      pollForWriting(connection)
    }
    while context.heldOutput.isTooMuch, !connection.isClosed {
      let ended = slowestReader() ?? connection
      metrics.update { $0.connectionsShed += 1 }
      ended.socket.resetOnClose()
      close(ended)
    }
  }

  /// Of those whose end gives memory back, the one that takes least.
  private func slowestReader() -> Connection? {
    var slowest: (connection: Connection, bytesPerSecond: Int)?
    for case let connection? in connections where !connection.unsent.isEmpty {
      let elapsed = now - connection.look.at
      guard !connection.look.isFresh, elapsed >= limits.readerTrialMilliseconds,
        context.heldOutput.isAlone(with: connection.unsent.pieces)
      else {
        continue
      }
      let taken = connection.look.unacknowledgedBytes - connection.socket.unacknowledgedBytes
      let bytesPerSecond = max(0, taken) * 1_000 / max(1, elapsed)
      guard bytesPerSecond < slowest?.bytesPerSecond ?? Int.max else { continue }
      slowest = (connection, bytesPerSecond)
    }
    return slowest?.connection
  }
}
