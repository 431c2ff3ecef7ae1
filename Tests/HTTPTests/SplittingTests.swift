// Whatever the pieces in which bytes arrive, the outcome is the same; and random bytes never do harm.
import HTTP
import Testing

@Suite struct SplittingTests {
  static let streams: [String] =
    [
      get("X-A: b", "Connection: keep-alive") + post("Content-Length: 10", body: "0123456789") + get(),
      chunked("3;a=\"b\"\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n") + get(),
      "\r\n" + get() + "\r\nGET /%C3%A9?a=%41 HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
      get() + "GET / HTTP/1.1\nHost: a\n\n",
    ]
    + (HeadTests.requestLines + HeadTests.fields + FramingTests.lengths + FramingTests.chunks).map(\.text)

  @Test func `the outcome is the same when the bytes are cut in two at any place`() {
    for stream in Self.streams {
      let bytes = Array(stream.utf8)
      let whole = outcomes([bytes])
      for offset in 1..<bytes.count where outcomes(cut(bytes, at: [offset])) != whole {
        Issue.record("cut at \(offset), \(stream.debugDescription) is read otherwise")
      }
    }
  }

  @Test func `the outcome is the same when every byte comes alone`() {
    for stream in Self.streams {
      let bytes = Array(stream.utf8)
      #expect(outcomes(bytes.map { [$0] }) == outcomes([bytes]), "\(stream.debugDescription)")
    }
  }

  @Test func `a refusal for length is the same in any pieces`() {
    for text in ["GET /" + String(repeating: "a", count: 16_400), get("X: " + String(repeating: "a", count: 16_400))] {
      let bytes = Array(text.utf8)
      #expect(outcomes(bytes.map { [$0] }) == outcomes([bytes]))
    }
  }

  /// Pieces of grammar, valid and not, that random requests are made of.
  private static let words = [
    "GET", "POST", " ", "/", "HTTP/1.1", "\r\n", "\n", "\r", "Host: a\r\n", "Content-Length: ", "5",
    "Transfer-Encoding: ",
    "chunked", "\r\n\r\n", "0", "a\r\n", ";x=y", "Expect: 100-continue\r\n", ":", "\0", "\u{FF}", "%41", "%", "?", "#",
    "GET / HTTP/1.1\r\nHost: a\r\n", "Connection: close\r\n", "hello",
  ]

  @Test func `random requests are read the same in random pieces, and never do harm`() {
    for seed in 1...1_500 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...24, using: &generator) {
        if Int.random(in: 0..<20, using: &generator) == 0 {
          bytes.append(UInt8.random(in: 0...255, using: &generator))
        } else if let word = Self.words.randomElement(using: &generator) {
          bytes.append(contentsOf: word.utf8)
        }
      }
      let whole = outcomes([bytes])
      let offsets = (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &generator) }
      #expect(outcomes(cut(bytes, at: offsets)) == whole, "seed \(seed), cut at \(offsets)")
      #expect(outcomes(bytes.map { [$0] }) == whole, "seed \(seed), byte by byte")
    }
  }

  @Test func `valid requests with one byte changed are read the same in any pieces`() {
    let valid = Array((post("Content-Length: 3", "X: y", body: "abc") + chunked("3\r\nabc\r\n0\r\n\r\n")).utf8)
    for seed in 1...1_500 {
      var generator = SeededGenerator(seed: UInt64(seed) << 20)
      var bytes = valid
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
      let offset = Int.random(in: 1..<bytes.count, using: &generator)
      #expect(outcomes(cut(bytes, at: [offset])) == outcomes([bytes]), "seed \(seed)")
    }
  }
}
