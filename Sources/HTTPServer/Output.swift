// What a connection has to send: the batch that is being made, and the queue of what the system did not take yet.

/// The answers of one turn of one connection. Small bodies are copied beside their heads, so that one `send` takes all;
/// large ones are kept as they are.
struct OutputBatch {
  /// Bodies up to this length are copied.
  static let copiedBodyBytes = 16 * 1_024
  /// A buffer larger than this is not kept for the next turn.
  private static let keptCapacity = 512 * 1_024

  /// Heads and small bodies, one after the other.
  var bytes: [UInt8] = []
  private var bodies: [(position: Int, body: [UInt8])] = []
  private var bodyBytes = 0

  var byteCount: Int { bytes.count + bodyBytes }
  var isEmpty: Bool { byteCount == 0 }
  /// Whether `bytes` is all there is.
  var isContiguous: Bool { bodies.isEmpty }

  mutating func append(body: [UInt8]) {
    if body.count <= Self.copiedBodyBytes {
      bytes.append(contentsOf: body)
    } else {
      bodies.append((bytes.count, body))
      bodyBytes += body.count
    }
  }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    bodies = []
    bodyBytes = 0
  }

  /// Everything in order, from the byte `skip` on, as pieces for a queue.
  mutating func takePieces(skipping skip: Int = 0) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = min(skip, bytes.count)
    for (position, body) in bodies {
      if position > start { pieces.append(Array(bytes[start..<position])) }
      pieces.append(body)
      start = max(start, position)
    }
    if bytes.count > start { pieces.append(Array(bytes[start...])) }
    clear()
    return pieces
  }
}

/// Pieces that wait for the system to take them.
struct OutputQueue {
  private(set) var pieces: ArraySlice<[UInt8]> = []
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
    while let first = pieces.first, first.count <= left {
      left -= first.count
      pieces.removeFirst()
    }
    skip = left
    if pieces.isEmpty { pieces = [] }
  }
}
