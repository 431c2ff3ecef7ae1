// Requests that have been answered before: how a loop lets its repeater answer them.
internal import HTTP
internal import Sockets

extension EventLoop {
  /// Answers heads at `offset` when the same bytes have been answered before and that answer still stands. False if none was.
  /// - Parameter isEarly: whether the input had arrived when this turn began.
  func repeatAnswers(
    _ input: Span<UInt8>, _ offset: inout Int, isEarly: Bool = false, on connection: Connection
  ) -> Bool {
    guard !connection.isTrustedProxy, !isDraining else { return false }
    let count = repeater.answer(
      input, &offset, most: limits.requestsPerConnection - 1 - Int(connection.requestCount),
      room: limits.unsentBytes - connection.unsent.byteCount, isEarly: isEarly, peer: connection.peer, at: time,
      to: &batch, records: &logged, takesRecords: takesRecords)
    connection.requestCount += Int32(count)
    return count > 0
  }

  /// Answers what a ring has received, if all of it can be repeated: then nothing else has changed but the time.
  /// - Returns: where the input begins that is not answered.
  func repeatWhole(_ input: Span<UInt8>, on connection: Connection) -> Int {
    var offset = 0
    guard connection.isAtRest, repeatAnswers(input, &offset, isEarly: true, on: connection) else { return offset }
    guard offset == input.count, mayStage(connection) else { return offset }
    stage(connection)
    connection.waiting = .nextRequest
    connection.waitingRequest = connection.requestCount
    connection.waitingSince = now
    connection.deadline = now + limits.idleMilliseconds
    schedule(connection)
    return offset
  }

  /// Tells how long the repeated answers have taken that have no time yet.
  /// - Parameter start: monotonic nanoseconds.
  func finishRepeated(since start: Int) {
    guard !repeater.isFinished else { return }
    repeater.finish((SystemClock.monotonicNanoseconds - start) / 1_000, &answered, &logged)
  }
}
