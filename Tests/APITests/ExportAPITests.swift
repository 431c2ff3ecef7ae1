// Exports through the API.

import HTTP
import JSON
import Locks
import Testing

@Suite struct ExportAPITests {
  @Test func `an evaluation and all of a kit's are exported in three forms, retired answers with their questions`()
    async throws
  {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"One?"},{"id":"q2","type":"longText","text":"Two?"}"#)
    for evaluation in ["e1", "e2"] {
      try await harness.makeEvaluation(evaluation)
      for item in ["q1", "q2"] {
        _ = try await harness.send(
          .put, "/v1/evaluations/\(evaluation)/answers/\(item)", #"{"value":"=\#(evaluation) \#(item)"}"#)
      }
    }
    _ = try await harness.send(.delete, "/v1/kits/kit/questions/q2", fields: ["If-Match": "*"])
    _ = try await harness.send(
      .put, "/v1/evaluations/e1/kitRevision", #"{"kitRevision":2}"#, fields: ["If-Match": "*"])
    let csv = try await harness.send(.get, "/v1/evaluations/e1", fields: ["Accept": "text/csv"])
    #expect(csv.field("Content-Type") == "text/csv; charset=utf-8" && csv.tag == "\"4-csv\"")
    let lines = csv.text.split(separator: "\r\n")
    #expect(
      lines.count == 3 && lines[2].contains(",Two?,") && lines[2].contains("'=e1 q2") && lines[2].hasSuffix(",true"))
    let markdown = try await harness.send(.get, "/v1/evaluations/e1", fields: ["Accept": "text/markdown"])
    #expect(markdown.text.contains("## Retired\n\n### Two?\n\n> =e1 q2"))
    #expect(try await harness.send(.get, "/v1/evaluations/e1").string("answers/q2/value") == "=e1 q2")
    let all = try await export(harness, "text/csv")
    #expect(all.split(separator: "\r\n").count == 5)
    let json = Reply(Response(status: 200, body: Array(try await export(harness, "application/json").utf8)))
    #expect(json.count("items") == 2 && json.string("items/0/answers/q1/value") == "=e2 q1")
    #expect(try await export(harness, "text/markdown").contains("\n---\n\n# Kim"))
  }

  @Test(arguments: ["application/json", "text/csv", "text/markdown"])
  func `what is erased while an export is sent is left out of it, and the export ends well`(type: String) async throws {
    let harness = try APIHarness()
    try await harness.makeKit(questions: #"{"id":"q","type":"longText","text":"One?"}"#)
    for evaluation in ["e1", "e2", "e3"] {
      let body = #"{"id":"\#(evaluation)","kitId":"kit","candidate":{"id":"c-\#(evaluation)","name":"\#(evaluation)"}}"#
      #expect(try await harness.send(.post, "/v1/evaluations", body).status == 201)
      let answer = #"{"value":"answer of \#(evaluation)"}"#
      #expect(try await harness.send(.put, "/v1/evaluations/\(evaluation)/answers/q", answer).status == 201)
    }
    let reply = try await harness.send(.get, "/v1/kits/kit/evaluations", fields: ["Accept": type])
    let stream = try #require(reply.response.stream)
    let bytes = Lock<[UInt8]>([])
    let erasure = Lock<Int?>(nil)
    try await stream.produce(
      BodyWriter { piece throws(StreamEnded) in
        bytes.withLock { $0 += piece }
        // Newest first: the last one is erased once the first is sent.
        guard String(decoding: piece, as: UTF8.self).contains("answer of e3") else { return }
        let status = try? await harness.send(.post, "/v1/candidates/c-e1/erase").status
        erasure.withLock { $0 = status }
      })
    let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    #expect(erasure.withLock { $0 } == 200)
    #expect(text.contains("answer of e2") && !text.contains("answer of e1"))
    if type == "application/json" { #expect(try JSONValue.parse(Array(text.utf8))["items"] != nil) }
  }

  @Test func `nothing exports as nothing`() async throws {
    let harness = try APIHarness()
    #expect(try await harness.send(.put, "/v1/kits/kit", #"{"title":"Empty","sections":[]}"#).status == 201)
    #expect(try await export(harness, "text/csv").split(separator: "\r\n").count == 1)
    #expect(try await export(harness, "application/json") == #"{"items":[]}"#)
    #expect(try await export(harness, "text/markdown").isEmpty)
    try await harness.makeEvaluation()
    let csv = try await harness.send(.get, "/v1/evaluations/e", fields: ["Accept": "text/csv"])
    #expect(csv.status == 200 && csv.text.split(separator: "\r\n").count == 1)
    #expect(try await export(harness, "text/csv").split(separator: "\r\n").count == 1)
    #expect(try await harness.send(.get, "/v1/kits/none/evaluations").isProblem(404, "notFound"))
  }

  private func export(_ harness: APIHarness, _ type: String) async throws -> String {
    let reply = try await harness.send(.get, "/v1/kits/kit/evaluations", fields: ["Accept": type])
    let stream = try #require(reply.response.stream)
    let bytes = Lock<[UInt8]>([])
    try await stream.produce(BodyWriter { piece throws(StreamEnded) in bytes.withLock { $0 += piece } })
    return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
  }
}
