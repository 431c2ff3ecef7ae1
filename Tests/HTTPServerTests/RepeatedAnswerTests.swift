// Answers that are given again for the same bytes: they are what reading the head anew would give.
import HTTP
import Locks
import Testing

@testable import HTTPServer

extension RepeatedAnswers {
  fileprivate func answer(to bytes: [UInt8]) -> RepeatedAnswer? { answer(to: bytes.span) }
}

@Suite struct RepeatedAnswerTests {
  private final class Always: Standing {
    var countsRequests: Bool { false }
    func holds(for peer: String?) -> Bool { true }
  }

  private final class Counting: Standing {
    let countsRequests: Bool
    private let state = Lock((stands: true, asked: 0))

    init(countsRequests: Bool) { self.countsRequests = countsRequests }

    var asked: Int { state.withLock { $0.asked } }
    var stands: Bool {
      get { state.withLock { $0.stands } }
      set { state.withLock { $0.stands = newValue } }
    }

    func holds(for peer: String?) -> Bool {
      state.withLock { state in
        state.asked += 1
        return state.stands
      }
    }
  }

  private func head(_ target: String = "/a", _ fields: [Field] = []) throws -> RequestHead {
    try RequestHead.make(.get, target, fields: fields)
  }

  private let response = Response(status: 200, fields: [Field("ETag", "\"1\"")], body: Array("hello".utf8))

  @Test func `a head is known from its second answer on, by every one of its bytes`() throws {
    var table = RepeatedAnswers()
    let known = try head("/a?b=c")
    table.note(response, to: known, standing: Always())
    #expect(table.answer(to: known.bytes) == nil)
    table.note(response, to: known, standing: Always())
    #expect(table.answer(to: known.bytes)?.bytes.suffix(5) == response.body[...])
    for index in known.bytes.indices {
      var other = known.bytes
      other[index] ^= 0x20
      #expect(table.answer(to: other) == nil)
      #expect(table.answer(to: Array(known.bytes[..<index])) == nil)
    }
  }

  @Test(arguments: [[Field("Connection", "close")], [Field("X-Request-Id", "a")], [Field("Content-Length", "3")]])
  func `a head that ends its connection, names itself or has a body is read each time`(fields: [Field]) throws {
    var table = RepeatedAnswers()
    let head = try head("/a", fields)
    for _ in 0..<3 { table.note(response, to: head, standing: Always()) }
    #expect(table.answer(to: head.bytes) == nil)
  }

  @Test func `HEAD repeats the length and no body`() throws {
    var table = RepeatedAnswers()
    let head = try RequestHead.make(.head, "/a")
    for _ in 0..<2 { table.note(response, to: head, standing: Always()) }
    let found = table.answer(to: head.bytes)
    let answer = try #require(found)
    #expect(answer.body.isEmpty && answer.bodyCount == 0)
    let text = String(decoding: answer.bytes, as: UTF8.self)
    #expect(text.contains("\r\nContent-Length: 5\r\n") && text.hasSuffix("\r\n\r\n"))
  }

  @Test func `random heads are answered as a plain dictionary says, or not at all`() throws {
    var generator = SystemRandomNumberGenerator()
    var table = RepeatedAnswers()
    var plain: [[UInt8]: Int] = [:]
    var hits = 0
    for round in 0..<20_000 {
      let head = try self.head("/\(Int.random(in: 0..<300, using: &generator))")
      if let answer = table.answer(to: head.bytes) {
        hits += 1
        #expect(answer.status == plain[head.bytes])
        if round % 7 == 0 { table.remove(answer) }
      } else {
        let status = 200 + round % 100
        table.note(Response(status: status), to: head, standing: Always())
        if table.answer(to: head.bytes) != nil { plain[head.bytes] = status }
      }
    }
    #expect(hits > 1_000)
  }

  @Test func `what is repeated differs in its date and ID alone, whatever the pieces`() async throws {
    try await withServer { live in
      let client = try live.connect()
      let text = request("GET", "/a", "Accept: */*\r\n")
      var replies: [Reply] = []
      for _ in 0..<4 { replies.append(try await client.ask(text)) }
      // Pipelined, with others between, and the last one in two pieces.
      try client.send(text + text + request("GET", "/async?n=1") + text + String(text.prefix(20)))
      for _ in 0..<2 { replies.append(try await client.reply()) }
      #expect(try await client.reply().text == "1")
      replies.append(try await client.reply())
      try client.send(String(text.dropFirst(20)))
      replies.append(try await client.reply())
      let ids = Set(replies.compactMap { $0.field("X-Request-Id") })
      #expect(ids.count == replies.count && ids.allSatisfy { $0.utf8.count == 36 })
      for reply in replies {
        #expect(reply.status == 200 && reply.text == "memory")
        #expect(reply.fields.map(\.name) == replies[0].fields.map(\.name))
      }
    }
  }

  @Test func `an answer that does not stand any more is asked for anew`() async throws {
    try await withServer { live in
      let client = try live.connect()
      for count in 1...6 {
        if count == 4 { live.gate.withdraw() }
        #expect(
          try await client.ask(request("GET", "/counted")).text
            == (count < 3 ? "\(count)" : count < 4 ? "2" : "\(count - 1)"))
      }
    }
  }

  @Test func `repeated answers count towards a connection's requests, and reach the log and the counters`() async throws
  {
    let records = Records()
    let live = try LiveServer(accessLog: { records.append($0) }, { $0.requestsPerConnection = 5 })
    let client = try live.connect()
    for _ in 0..<4 { #expect(try await !client.ask(request("GET", "/a")).closes) }
    #expect(try await client.ask(request("GET", "/a")).closes)
    #expect(try await client.isClosed())
    await live.stop()
    #expect(records.all.count == 5)
    #expect(records.all.allSatisfy { $0.target == "/a" && $0.bytes == 6 && $0.peer == "127.0.0.1" })
    #expect(Set(records.all.map(\.requestID.text)).count == 5)
    #expect(live.server.metrics.requestsByStatus == [200: 5])
  }

  @Test func `a large and a small body go out whole behind one another`() async throws {
    try await withServer { live in
      let client = try live.connect()
      for _ in 0..<3 {
        try client.send(request("GET", "/middle") + request("GET", "/a") + request("GET", "/middle"))
        for expected in [9_000, 6, 9_000] { #expect(try await client.reply().body.count == expected) }
      }
    }
  }

  @Test(arguments: [false, true])
  func `what counts requests is asked about each, anything else once for what had arrived`(counts: Bool) throws {
    let standing = Counting(countsRequests: counts)
    let answer = RepeatedAnswer(response, to: try head(), standing: standing, copiedBodyBytes: 8)
    for turn in [1, 1, 1, 2, 2] { #expect(answer.holds(for: nil, inTurn: turn)) }
    #expect(standing.asked == (counts ? 5 : 2))
    // What may have come since is always asked about.
    for _ in 0..<3 { #expect(answer.holds(for: nil, inTurn: nil)) }
    #expect(standing.asked == (counts ? 8 : 5))
    standing.stands = false
    #expect(!answer.holds(for: nil, inTurn: 3))
    #expect(!answer.holds(for: nil, inTurn: 3))
  }

  @Test func `one turn's answers have IDs of their own, its date, and one time, told at its end`() throws {
    var repeater = Repeater(answers: RepeatedAnswers())
    let head = try head()
    for _ in 0..<2 { repeater.answers.note(response, to: head, standing: Always()) }
    var (batch, records, answered) = (OutputBatch(stages: true), [AccessRecord](), [CountedAnswer]())
    let time = LoopTime()
    let input = head.bytes + head.bytes + head.bytes + head.bytes.dropLast()
    var offset = 0
    for (most, expected) in [(2, 2), (9, 1), (9, 0)] {
      let count = repeater.answer(
        input.span, &offset, most: most, room: 1_000_000, isEarly: true, peer: "192.0.2.1", at: time, to: &batch,
        records: &records, takesRecords: true)
      #expect(count == expected)
    }
    #expect(offset == 3 * head.bytes.count)
    #expect(!repeater.isFinished && records.allSatisfy { $0.durationMicroseconds == AccessRecord.noDuration })
    repeater.finish(70, &answered, &records)
    #expect(repeater.isFinished && records.map(\.durationMicroseconds) == [70, 70, 70])
    #expect(answered.map(\.count) == [3] && answered.map(\.microseconds) == [70])
    let text = String(decoding: batch.bytes, as: UTF8.self)
    #expect(Set(records.map(\.requestID.text)).count == 3)
    for record in records { #expect(text.contains("\r\nX-Request-Id: \(record.requestID.text)\r\n\r\nhello")) }
    #expect(text.split(separator: "\r\nDate: \(String(decoding: time.date, as: UTF8.self))\r\n").count == 4)
  }

  @Test func `an answer has the date of its second`() throws {
    let answer = RepeatedAnswer(response, to: try head(), standing: Always(), copiedBodyBytes: 0)
    #expect(answer.body == response.body && answer.bodyCount == 5)
    #expect(String(decoding: answer.bytes, as: UTF8.self).contains("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"))
    let time = LoopTime()
    answer.renew(time)
    let text = String(decoding: answer.bytes, as: UTF8.self)
    #expect(text.contains("\r\nDate: \(String(decoding: time.date, as: UTF8.self))\r\nX-Request-Id: "))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test func `who has been told of a change is never given what was before, with 64 others asking meanwhile`()
    async throws
  {
    try await withServer { live in
      let others = try (0..<64).map { _ in try live.connect() }
      let client = try live.connect()
      for round in 0..<50 {
        for other in others { try other.send(request("GET", "/counted")) }
        live.gate.withdraw()
        let before = live.gate.counted
        let count = try #require(Int(try await client.ask(request("GET", "/counted")).text))
        #expect(count > before, "round \(round)")
        for other in others { #expect(try await other.reply().status == 200) }
        live.gate.stand()
      }
    }
  }
}
