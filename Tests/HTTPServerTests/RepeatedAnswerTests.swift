// Answers that are given again for the same bytes: they are what reading the head anew would give.
import HTTP
import Testing

@testable import HTTPServer

extension RepeatedAnswers {
  fileprivate func answer(to bytes: [UInt8]) -> RepeatedAnswer? { answer(to: bytes.span) }
}

@Suite struct RepeatedAnswerTests {
  private final class Always: Standing {
    func holds(for peer: String?) -> Bool { true }
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
    #expect(table.answer(to: known.bytes)?.body == response.body)
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
    #expect(answer.body.isEmpty)
    #expect(String(decoding: answer.start, as: UTF8.self).hasSuffix("Content-Length: 5"))
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
}
