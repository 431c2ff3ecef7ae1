// An evaluation that was given to somebody else, and what its first interviewer's requests are answered when they come again.

import HTTP
import InterviewKits
import Testing

@Suite struct HandoverTests {
  private static let evaluation = "/v1/evaluations/kim-c"
  /// Kim's named writes, in their order; `{made}` is the evaluation that the first one makes.
  private static let writes: [(method: HTTPMethod, target: String, body: String?, fields: [String: String])] = [
    (.post, "/v1/evaluations", #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#, [:]),
    (.put, evaluation, #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#, [:]),
    (.patch, evaluation, #"{"candidate":{"name":"Choi"}}"#, ["If-Match": "*"]),
    (.put, "\(evaluation)/kitRevision", #"{"kitRevision":1}"#, ["If-Match": "*"]),
    (.put, "\(evaluation)/answers/q1", #"{"value":"mine"}"#, [:]),
    (.patch, "\(evaluation)/answers/q1", #"{"comment":"mine"}"#, ["If-Match": "*"]),
    (.patch, "\(evaluation)/answers", #"{"operations":[{"operationId":"o","itemId":"q2","value":"mine"}]}"#, [:]),
    (.delete, "\(evaluation)/answers/q2", nil, ["If-Match": "*"]), (.post, "\(evaluation)/submit", nil, [:]),
    (.post, "\(evaluation)/reopen", #"{"reason":"r"}"#, [:]),
  ]

  @Test func `a named write that comes again after a handover is answered as any of his would be`() async throws {
    let panel = try await Panel(visibility: "always")
    var made = ""
    func again() async throws -> [Reply] {
      var replies: [Reply] = []
      for (number, write) in Self.writes.enumerated() {
        let fields = write.fields.merging(["Idempotency-Key": "key \(number)"]) { $1 }
        replies.append(try await panel.ask("kim", write.method, write.target, write.body, fields: fields))
      }
      return replies
    }
    let first = try await again()
    #expect(first.allSatisfy { (200..<300).contains($0.status) }, "\(first.map(\.text))")
    made = try #require(first[0].string("id"))
    for id in [made, "kim-c"] {
      let away = #"{"interviewer":{"id":"lee"}}"#
      let reply = try await panel.ask(
        "boss", .patch, "/v1/evaluations/\(id)", away, wants: 200, fields: ["If-Match": "*"])
      #expect(reply.text.contains(#""interviewer":{"id":"lee","name":"lee"}"#), "\(reply.text)")
    }
    // A draft is hidden; what the request made is named by nothing but the request.
    for (reply, write) in zip(try await again(), Self.writes) {
      #expect(reply.isProblem(404, "notFound"), "\(write.method) \(write.target): \(reply.text)")
      #expect(!reply.text.contains("mine") && !reply.text.contains("'/v1/evaluations'"), "\(reply.text)")
    }
    for id in [made, "kim-c"] { try await panel.ask("lee", .post, "/v1/evaluations/\(id)/submit", wants: 200) }
    for (reply, write) in zip(try await again(), Self.writes) {
      #expect(reply.isProblem(403, "notYours"), "\(write.method) \(write.target): \(reply.text)")
    }
    // Another request under the name is still that, and a kit that is none is still none.
    let other = #"{"kitId":"none","candidate":{"id":"c"}}"#
    let reused = try await panel.ask("kim", .post, "/v1/evaluations", other, fields: ["Idempotency-Key": "key 0"])
    #expect(reused.isProblem(422, "idempotencyKeyReused"))
    let unknown = try await panel.ask("kim", .post, "/v1/evaluations", other, fields: ["Idempotency-Key": "new"])
    #expect(unknown.status == 422 && unknown.errors == ["/kitId unknownKit"])
  }
}
