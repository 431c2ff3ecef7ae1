// Streamed bodies: started after their head, sent as the peer takes them, ended whole or broken off.
internal import HTTP
internal import Sockets

/// A body on its way.
final class StreamedBody {
  let pipe: StreamPipe
  let source: BodyStream
  let exchange: Exchange
  let route: Int
  let status: Int
  let isChunked: Bool
  var sentBytes = 0

  /// - Parameter response: the head that has been sent.
  init(_ source: BodyStream, from pipe: StreamPipe, response: Response, to exchange: Exchange, isChunked: Bool) {
    (self.source, self.pipe, self.exchange, self.isChunked) = (source, pipe, exchange, isChunked)
    (route, status) = (response.route, response.status)
  }
}

extension EventLoop {
  private static let lastChunk = Array("0\r\n\r\n".utf8)

  /// Starts the producer of a body whose head is in the batch.
  func begin(_ source: BodyStream, of response: Response, to exchange: Exchange, on connection: Connection) {
    let mailbox = mailbox
    let token = connection.token
    let pipe = StreamPipe(capacityBytes: limits.streamedBytes) { mailbox.post(.streamed(token)) }
    let isChunked = source.length == nil && exchange.head.minorVersion > 0
    connection.phase = .streaming
    connection.stream = StreamedBody(source, from: pipe, response: response, to: exchange, isChunked: isChunked)
    connection.task = Task {
      do {
        try await source.produce(BodyWriter { bytes throws(StreamEnded) in try await pipe.write(bytes) })
        pipe.finish(.whole)
      } catch { pipe.finish(.broken) }
    }
    if isDraining, source.endsOnShutdown { connection.task?.cancel() }
  }

  /// Sends what the producer has given meanwhile.
  func feed(_ connection: Connection) {
    guard let body = connection.stream else { return }
    let (pieces, end) = body.pipe.take()
    for piece in pieces {
      body.sentBytes += piece.count
      if body.isChunked { appendChunkHead(piece.count) }
      batch.append(body: piece)
      if body.isChunked { batch.bytes.append(contentsOf: [0x0D, 0x0A]) }
    }
    let length = body.source.length ?? body.sentBytes
    if body.sentBytes > length || end == .broken || (end == .whole && body.sentBytes < length) {
      // Half a body must not look like a whole one.
      connection.socket.resetOnClose()
      batch.clear()
      return close(connection)
    }
    if end == .whole { finishStream(body, on: connection) }
    pump(connection)
  }

  private func finishStream(_ body: StreamedBody, on connection: Connection) {
    if body.isChunked { batch.bytes.append(contentsOf: Self.lastChunk) }
    connection.stream = nil
    connection.task = nil
    connection.phase = .open
    if isDraining, connection.ending == nil, !arrivedHoldsRequest(connection) {
      connection.ending = .decided
      connection.endsForShutdown = true
    }
    record(body.exchange, body.route, body.status, bytes: body.sentBytes, refusal: nil, on: connection)
  }

  private func appendChunkHead(_ count: Int) {
    batch.bytes.append(contentsOf: String(count, radix: 16).utf8)
    batch.bytes.append(contentsOf: [0x0D, 0x0A])
  }

  /// The connection ends before its body: the producer is told.
  func abandonStream(of connection: Connection) {
    guard let body = connection.stream else { return }
    connection.stream = nil
    body.pipe.close()
    connection.task?.cancel()
    record(body.exchange, body.route, body.status, bytes: body.sentBytes, refusal: "brokenOff", on: connection)
  }
}
