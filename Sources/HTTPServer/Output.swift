// What a connection has to send: the batch that is being made, and the queue of what the system did not take yet.
internal import HTTP
internal import Sockets

/// The answers of one turn. Small bodies are copied beside their heads; larger ones are kept as they are, and one call sends
/// all of a connection. What is staged stays at the front until the turn's end, when a ring sends it.
struct OutputBatch {
  /// Bodies up to this length are copied, at most.
  static let mostCopiedBodyBytes = 8 * 1_024
  let copiedBodyBytes: Int
  /// How many bodies one batch holds that are not copied: each is two pieces of one call.
  private static let bodyCount = 256
  /// A buffer larger than this is not kept for the next turn.
  private static let keptCapacity = 1_024 * 1_024

  /// Heads and small bodies, one after the other.
  var bytes: [UInt8] = []
  private(set) var bodies: [InsertedBytes] = []
  private var bodyBytes = 0
  /// Where the part of the connection begins that is answered now.
  private(set) var start = 0

  /// - Parameter stages: whether parts are staged: one send of copied bytes costs a ring less than one of several pieces.
  init(stages: Bool) { copiedBodyBytes = stages ? Self.mostCopiedBodyBytes : 1_024 }

  var byteCount: Int { bytes.count - start + bodyBytes }
  var isEmpty: Bool { bytes.count == start }
  var isFull: Bool { bodies.count >= Self.bodyCount }

  mutating func append(body: [UInt8]) {
    if body.count <= copiedBodyBytes {
      bytes.append(contentsOf: body)
    } else {
      bodies.append(InsertedBytes(body, at: bytes.count))
      bodyBytes += body.count
    }
  }

  /// Appends an answer with the ID of its request.
  mutating func append(_ answer: RepeatedAnswer, _ requestID: RequestID) {
    let start = bytes.count
    bytes.append(contentsOf: answer.bytes)
    requestID.put(into: &bytes, at: start + answer.idPlace)
    if !answer.body.isEmpty { append(body: answer.body) }
  }

  /// Forgets the part of the connection that is answered now.
  mutating func clear() {
    if start == 0 {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    } else {
      bytes.removeSubrange(start...)
    }
    bodies.removeAll(keepingCapacity: true)
    bodyBytes = 0
  }

  /// Keeps the part until the turn's end, and begins another one. It must have no bodies beside it.
  mutating func stage() -> Range<Int> {
    defer { start = bytes.count }
    return start..<bytes.count
  }

  /// Forgets what was staged.
  mutating func clearStaged() {
    start = 0
    clear()
  }

  /// Everything in order, as pieces for a queue. Bodies are shared, not copied.
  mutating func takePieces() -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = start
    for inserted in bodies {
      if inserted.position > start { pieces.append(Array(bytes[start..<inserted.position])) }
      pieces.append(inserted.bytes)
      start = inserted.position
    }
    if start < bytes.count { pieces.append(Array(bytes[start...])) }
    clear()
    return pieces
  }
}

/// Pieces that wait for the system to take them.
struct OutputQueue {
  private(set) var pieces: [[UInt8]] = []
  /// Bytes of the first piece that have been sent.
  private(set) var skip = 0
  private(set) var byteCount = 0

  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ more: [[UInt8]]) {
    for piece in more where !piece.isEmpty {
      pieces.append(piece)
      byteCount += piece.count
    }
  }

  /// Forgets `count` sent bytes.
  /// - Returns: the pieces that are not held any more.
  mutating func advance(_ count: Int) -> ArraySlice<[UInt8]> {
    precondition(count <= byteCount, "no more is sent than there is")
    byteCount -= count
    var left = count + skip
    var done = 0
    while done < pieces.count, pieces[done].count <= left {
      left -= pieces[done].count
      done += 1
    }
    let sent = pieces[..<done]
    pieces.removeFirst(done)
    skip = left
    if pieces.isEmpty { pieces = [] }
    return sent
  }
}
