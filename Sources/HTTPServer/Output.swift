// What a connection has to send: the batch that is being made, and the queue of what the system did not take yet.
internal import Sockets

/// The answers of one turn of one connection. Small bodies are copied beside their heads; larger ones are kept as they are,
/// and one call sends all of them.
struct OutputBatch {
  /// Bodies up to this length are copied.
  private static let copiedBodyBytes = 1_024
  /// How many bodies one batch holds that are not copied: each is two pieces of one call.
  private static let bodyCount = 256
  /// A buffer larger than this is not kept for the next turn.
  private static let keptCapacity = 256 * 1_024

  /// Heads and small bodies, one after the other.
  var bytes: [UInt8] = []
  private(set) var bodies: [InsertedBytes] = []
  private var bodyBytes = 0

  var byteCount: Int { bytes.count + bodyBytes }
  var isEmpty: Bool { bytes.isEmpty }
  var isFull: Bool { bodies.count >= Self.bodyCount }

  mutating func append(body: [UInt8]) {
    if body.count <= Self.copiedBodyBytes {
      bytes.append(contentsOf: body)
    } else {
      bodies.append(InsertedBytes(body, at: bytes.count))
      bodyBytes += body.count
    }
  }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    bodies.removeAll(keepingCapacity: true)
    bodyBytes = 0
  }

  /// Everything in order, as pieces for a queue. Bodies are shared, not copied.
  mutating func takePieces() -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
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
  mutating func advance(_ count: Int) {
    precondition(count <= byteCount, "no more is sent than there is")
    byteCount -= count
    var left = count + skip
    var done = 0
    while done < pieces.count, pieces[done].count <= left {
      left -= pieces[done].count
      done += 1
    }
    pieces.removeFirst(done)
    skip = left
    if pieces.isEmpty { pieces = [] }
  }
}
