// Answers to heads that have come before, by the bytes of the head: clients ask the same again and again.
internal import HTTP

/// An answer encoded but for its request ID, with the head that it answers.
final class RepeatedAnswer {
  let head: RequestHead
  let status: Int
  let route: Int
  /// Of the body that is sent.
  let bodyCount: Int
  /// The whole head, with the date of `second` and an ID that is none, and the body where it is copied.
  private(set) var bytes: [UInt8]
  /// The body where it is sent from where it is.
  let body: [UInt8]
  let idPlace: Int
  private let datePlace: Int
  private var second: Int
  private let standing: any Standing
  private let countsRequests: Bool
  /// The turn in which `standing` was last asked.
  private var turn = -1

  /// - Parameter copiedBodyBytes: bodies up to this length are copied.
  init(_ response: Response, to head: RequestHead, standing: any Standing, copiedBodyBytes: Int) {
    var bytes: [UInt8] = []
    let sendsBody = ResponseEncoder.appendStart(
      of: response, to: &bytes, closes: false, isHead: head.method == .head, minorVersion: head.minorVersion)
    datePlace = bytes.count + ResponseEncoder.dateOffset
    idPlace = bytes.count + ResponseEncoder.idOffset
    second = 0
    ResponseEncoder.appendEnd(to: &bytes, date: HTTPDate.bytes(secondsSinceEpoch: 0), requestID: .made(0, 0))
    bodyCount = sendsBody ? response.body.count : 0
    let isCopied = bodyCount <= copiedBodyBytes
    if isCopied, sendsBody { bytes += response.body }
    (self.bytes, body) = (bytes, isCopied ? [] : response.body)
    (self.head, status, route) = (head, response.status, response.route)
    (self.standing, countsRequests) = (standing, standing.countsRequests)
  }

  /// - Parameter turn: in which a request is answered that had arrived when the turn began; nil for one that may have come
  ///   since, after another was told of a change.
  func holds(for peer: String?, inTurn turn: Int?) -> Bool {
    if let turn, self.turn == turn { return true }
    guard standing.holds(for: peer) else { return false }
    if let turn, !countsRequests { self.turn = turn }
    return true
  }

  /// Gives it the date of the time.
  func renew(_ time: LoopTime) {
    guard second != time.second else { return }
    second = time.second
    bytes.replaceSubrange(datePlace..<datePlace + HTTPDate.byteCount, with: time.date)
  }
}

/// A table of fixed size: each head has one place, and the newest keeps it.
///
/// Reading a head depends on its bytes alone, so equal bytes need not be read again. What else the answer depends on is its
/// `Standing`.
struct RepeatedAnswers {
  /// Longer heads and bodies are not kept, so that a table holds 18 MiB at most.
  static let headBytes = 2 * 1_024
  static let bodyBytes = 64 * 1_024
  private static let places = 256

  private var answers = [RepeatedAnswer?](repeating: nil, count: places)
  /// The hash of the last head without an answer at each place: what comes only once is not kept.
  private var seen = [UInt64](repeating: 0, count: places)
  private let seed = UInt64.random(in: 0 ... .max)
  private let copiedBodyBytes: Int

  /// - Parameter copiedBodyBytes: bodies up to this length are copied behind their heads.
  init(copiedBodyBytes: Int = OutputBatch.mostCopiedBodyBytes) { self.copiedBodyBytes = copiedBodyBytes }

  /// The answer to the head with exactly these bytes.
  func answer(to head: Span<UInt8>) -> RepeatedAnswer? {
    guard let answer = answers[place(of: hash(head))], answer.head.hasBytes(head) else { return nil }
    return answer
  }

  /// Keeps the answer to a head that comes for the second time.
  mutating func note(_ response: Response, to head: RequestHead, standing: any Standing) {
    guard head.keepsAlive, head.minorVersion > 0, head.framing == .none, !head.givesRequestID,
      head.bytes.count <= Self.headBytes, response.body.count <= Self.bodyBytes, response.stream == nil
    else { return }
    let hash = hash(head.bytes.span)
    let place = place(of: hash)
    if seen[place] == hash {
      answers[place] = RepeatedAnswer(
        response, to: head, standing: standing, copiedBodyBytes: copiedBodyBytes)
    } else {
      seen[place] = hash
    }
  }

  /// Forgets an answer that does not stand any more.
  mutating func remove(_ answer: RepeatedAnswer) {
    let place = place(of: hash(answer.head.bytes.span))
    if answers[place] === answer { answers[place] = nil }
  }

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 56) }

  /// Multiplies and mixes eight bytes at a time. Whoever makes two heads share a place only has them read.
  private func hash(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
      var hash = seed ^ UInt64(truncatingIfNeeded: buffer.count)
      var offset = 0
      while offset + 8 <= buffer.count {
        hash = Self.mixed(hash, unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var rest: UInt64 = 0
      while offset < buffer.count {
        rest = rest << 8 | UInt64(unsafe buffer[offset])
        offset += 1
      }
      return Self.mixed(hash, rest)
    }
  }

  @inline(__always) private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}
