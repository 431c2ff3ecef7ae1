// The chunked transfer coding (RFC 9112, section 7.1), in any pieces, with every limit counted.

struct ChunkedDecoder: Sendable {
  private enum State: Sendable {
    case sizeLine
    case content(remaining: Int)
    case contentEnd(seenCarriageReturn: Bool)
    case trailers
  }

  private let limits: HTTPLimits
  private let maximumBodyBytes: Int
  private let keepsContent: Bool
  private var state = State.sizeLine
  private var line: [UInt8] = []
  private var framingBytes = 0
  private var extensionBytes = 0
  private var trailerBytes = 0
  private var trailerCount = 0
  private(set) var contentBytes = 0

  init(limits: HTTPLimits, maximumBodyBytes: Int, keepsContent: Bool) {
    self.limits = limits
    self.maximumBodyBytes = maximumBodyBytes
    self.keepsContent = keepsContent
  }

  /// Reads on in `input` from `offset`; true when the body has ended.
  mutating func advance(
    _ input: Span<UInt8>, _ offset: inout Int, into body: inout [UInt8]
  ) throws(Refusal) -> Bool {
    while offset < input.count {
      switch state {
      case .content(let remaining):
        let count = min(remaining, input.count - offset)
        if keepsContent { body.append(copying: input.extracting(offset..<offset + count)) }
        offset += count
        contentBytes += count
        state = count == remaining ? .contentEnd(seenCarriageReturn: false) : .content(remaining: remaining - count)
      case .contentEnd(let seenCarriageReturn):
        guard input[offset] == (seenCarriageReturn ? 0x0A : 0x0D) else {
          throw .badRequest("invalidChunk", "A chunk is not followed by CRLF.")
        }
        offset += 1
        try count(framing: 1)
        state = seenCarriageReturn ? .sizeLine : .contentEnd(seenCarriageReturn: true)
      case .sizeLine:
        guard try takeLine(input, &offset, limit: limits.chunkLineBytes) else { return false }
        let size = try readSizeLine()
        line.removeAll(keepingCapacity: true)
        state = size == 0 ? .trailers : .content(remaining: size)
      case .trailers:
        guard try takeLine(input, &offset, limit: limits.trailerBytes) else { return false }
        if line.isEmpty { return true }
        try readTrailer()
        line.removeAll(keepingCapacity: true)
      }
    }
    return false
  }

  /// Gathers a line without its CRLF; true when it is whole.
  private mutating func takeLine(_ input: Span<UInt8>, _ offset: inout Int, limit: Int) throws(Refusal) -> Bool {
    let lineFeed = input.firstOffset(of: 0x0A, from: offset)
    let end = lineFeed ?? input.count
    try count(framing: end - offset + (lineFeed == nil ? 0 : 1))
    // One more byte may be the carriage return of the line end.
    guard line.count + end - offset <= limit + 1 else {
      throw .badRequest("chunkFramingTooLarge", "A line of the chunked body is longer than \(limit) bytes.")
    }
    line.append(copying: input.extracting(offset..<end))
    offset = end
    guard lineFeed != nil else { return false }
    offset += 1
    guard line.popLast() == 0x0D else {
      throw .badRequest("invalidLineEnd", "A line of the chunked body does not end in CRLF.")
    }
    return true
  }

  private mutating func count(framing bytes: Int) throws(Refusal) {
    framingBytes += bytes
    guard framingBytes <= limits.chunkFramingBytes else {
      throw Refusal(
        status: 413, code: "chunkFramingTooLarge",
        detail: "The framing of the chunked body is longer than \(limits.chunkFramingBytes) bytes.")
    }
  }

  private mutating func readSizeLine() throws(Refusal) -> Int {
    var size: UInt64 = 0
    var digits = 0
    while digits < line.count, let value = ByteClass.hexadecimal(line[digits]) {
      guard digits < limits.chunkSizeDigits, digits < 16 else {
        throw .badRequest("invalidChunk", "A chunk size has too many digits.")
      }
      size = size << 4 | UInt64(value)
      digits += 1
    }
    guard digits > 0 else { throw .badRequest("invalidChunk", "A chunk size is not hexadecimal.") }
    extensionBytes += line.count - digits
    guard extensionBytes <= limits.chunkExtensionBytes else {
      throw .badRequest("chunkFramingTooLarge", "The chunk extensions are too long.")
    }
    guard ChunkExtensions.isValid(line.span, from: digits) else {
      throw .badRequest("invalidChunk", "A chunk extension is not valid.")
    }
    guard size <= UInt64(maximumBodyBytes), Int(size) <= maximumBodyBytes - contentBytes else {
      throw .contentTooLarge(maximum: maximumBodyBytes)
    }
    return Int(size)
  }

  private mutating func readTrailer() throws(Refusal) {
    trailerBytes += line.count + 2
    trailerCount += 1
    guard trailerBytes <= limits.trailerBytes, trailerCount <= limits.trailerCount else {
      throw .badRequest("chunkFramingTooLarge", "The trailers are too long or too many.")
    }
    _ = try FieldLine.parse(line.span, line.indices)
  }
}

/// `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` (RFC 9112, section 7.1.1).
enum ChunkExtensions {
  static func isValid(_ line: Span<UInt8>, from start: Int) -> Bool {
    var index = start
    while index < line.count {
      skipWhitespace(line, &index)
      guard index < line.count, line[index] == 0x3B else { return false }
      index += 1
      skipWhitespace(line, &index)
      guard skipToken(line, &index) else { return false }
      let nameEnd = index
      skipWhitespace(line, &index)
      guard index < line.count, line[index] == 0x3D else {
        // White space belongs to what follows; at the line's end there is none.
        index = nameEnd
        continue
      }
      index += 1
      skipWhitespace(line, &index)
      guard index < line.count else { return false }
      guard line[index] == 0x22 ? skipQuotedString(line, &index) : skipToken(line, &index) else { return false }
    }
    return true
  }

  private static func skipWhitespace(_ line: Span<UInt8>, _ index: inout Int) {
    while index < line.count, ByteClass.isWhitespace(line[index]) { index += 1 }
  }

  private static func skipToken(_ line: Span<UInt8>, _ index: inout Int) -> Bool {
    let start = index
    while index < line.count, ByteClass.token.contains(line[index]) { index += 1 }
    return index > start
  }

  private static func skipQuotedString(_ line: Span<UInt8>, _ index: inout Int) -> Bool {
    index += 1
    while index < line.count, line[index] != 0x22 {
      if line[index] == 0x5C { index += 1 }
      guard index < line.count, ByteClass.isFieldValue(line[index]) else { return false }
      index += 1
    }
    guard index < line.count else { return false }
    index += 1
    return true
  }
}
