// Runs the parser over bytes in given pieces, and says what came out in a form that can be compared.
import HTTP
import Testing

/// What became of one request.
enum Outcome: Equatable, CustomStringConvertible {
  case request(String, body: [UInt8])
  case refused(Int, String)
  /// The input ended in the middle of a request.
  case unfinished

  var description: String {
    switch self {
    case .request(let line, let body): "\(line) + \(body.count) bytes"
    case .refused(let status, let code): "\(status) \(code)"
    case .unfinished: "unfinished"
    }
  }
}

/// Feeds the pieces one after the other, as a connection does, and lists what became of each request.
func outcomes(
  _ pieces: [[UInt8]], limits: HTTPLimits = .standard, maximumBodyBytes: Int = 1_048_576
) -> [Outcome] {
  var parser = RequestParser(limits: limits)
  var found: [Outcome] = []
  var line = ""
  for piece in pieces {
    var offset = 0
    feeding: while true {
      switch parser.next(piece.span, &offset) {
      case .needsInput: break feeding
      case .head(let head):
        line = "\(head.method) \(head.rawTarget)"
        if head.framing == .none {
          found.append(.request(line, body: []))
        } else if let refusal = parser.readBody(upTo: maximumBodyBytes) {
          return found + [.refused(refusal.status, refusal.code)]
        }
      case .body(let body): found.append(.request(line, body: body))
      case .refused(let refusal): return found + [.refused(refusal.status, refusal.code)]
      }
    }
  }
  if !parser.isBetweenRequests { found.append(.unfinished) }
  return found
}

/// The outcomes of a text sent as one piece.
func outcomes(_ text: String, limits: HTTPLimits = .standard, maximumBodyBytes: Int = 1_048_576) -> [Outcome] {
  outcomes([Array(text.utf8)], limits: limits, maximumBodyBytes: maximumBodyBytes)
}

/// The status of the first refusal; 200 when there is none, 0 when the request is not whole.
func status(_ text: String, limits: HTTPLimits = .standard, maximumBodyBytes: Int = 1_048_576) -> Int {
  switch outcomes(text, limits: limits, maximumBodyBytes: maximumBodyBytes).last {
  case .refused(let status, _)?: status
  case .request?: 200
  case .unfinished?, nil: 0
  }
}

/// The bytes cut at the given offsets.
func cut(_ bytes: [UInt8], at offsets: [Int]) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var start = 0
  for offset in offsets.sorted() where offset > start && offset < bytes.count {
    pieces.append(Array(bytes[start..<offset]))
    start = offset
  }
  return pieces + [Array(bytes[start...])]
}

/// A scenario: what is sent, which status it has, and where that stands.
struct Case: Sendable, CustomTestStringConvertible {
  let text: String
  let status: Int
  let source: String

  init(_ text: String, _ status: Int, _ source: String) {
    self.text = text
    self.status = status
    self.source = source
  }

  var testDescription: String { "\(source): \(text.prefix(60).debugDescription)" }
}

/// A head with these lines after the request line, and `Host`.
func get(_ lines: String...) -> String {
  "GET / HTTP/1.1\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
}

func post(_ lines: String..., body: String = "") -> String {
  "POST / HTTP/1.1\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body
}

func chunked(_ body: String) -> String {
  post("Transfer-Encoding: chunked", body: body)
}

/// A seeded generator, so that a failing case can be run again.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
