// What a problem says to do next: what was meant, what there is, and what is never said.

import HTTP
import JSON
import Store
import Testing

@testable import API

@Suite struct HintTests {
  private static let kit = #"{"title":"T","sections":[]}"#
  static let style = #""profile":"ios","mode":"label","width":300"#

  @Test(arguments: [
    ("/v1/evaluations?candidateId=c", "no query parameter 'candidateId' here; did you mean 'candidate'?"),
    ("/v1/evaluations?kitId=k", "no query parameter 'kitId' here; did you mean 'kit'?"),
    ("/v1/kits?limt=3", "did you mean 'limit'?"), ("/v1/kits?zebra=3", "no query parameter 'zebra' here."),
    ("/v1/kits?status=activ", "not 'activ'; did you mean 'active'?"),
    ("/v1/evaluation", "nothing at this address; did you mean '/v1/evaluations'?"),
    ("/v1/kits/", "did you mean '/v1/kits'?"),
    ("/v1/kits/kit/question/q1", "did you mean '/v1/kits/kit/questions/q1'?"),
    ("/kits", "did you mean '/v1/kits'?"), ("/v1/zebras", "There is nothing at this address."),
    ("/v1/kits/kit/diff?from=1&to=99", "The kit 'kit' has no revision 99; its newest is 1."),
    ("/v1/kits/kit/revisions/7", "The kit 'kit' has no revision 7; its newest is 1."),
    ("/v1/kits/gone", "The kit 'gone' is deleted: POST /v1/kits/gone/restore brings it back."),
    ("/v1/kits/gone/questions", "The kit 'gone' is deleted"),
    ("/v1/kits/gone/diff?from=1", "The kit 'gone' is deleted"),
    ("/v1/kits/never", "'/v1/kits/never' does not exist."),
    ("/v1/kits/kit/layout?profile=ios@99&width=300", "has no version \\\"99\\\"; its newest is ios@1"),
    ("/v1/kits/kit/layout?profile=iso&width=300", "did you mean 'ios'?"),
    ("/v1/kits/kit/layout?profile=ios&width=1", "A width of 1 leaves text no room: it must be more than the "),
    ("/v1/profiles/ios@99", "has no version \\\"99\\\"; its newest is ios@1"),
  ])
  func `a read is told what was meant or what there is`(target: String, text: String) async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeKit("gone")
    #expect(try await harness.send(.delete, "/v1/kits/gone", fields: ["If-Match": "*"]).status == 204)
    let reply = try await harness.send(.get, target)
    #expect((400..<500).contains(reply.status) && reply.text.contains(text), "\(reply.text)")
  }

  @Test(arguments: [
    (#"{"titel":"T"}"#, "no member \\\"titel\\\" here; did you mean 'title'?"),
    (#"{"title":"T","status":"activ"}"#, "did you mean 'active'?"),
    (#"{"title":"T","sections":[{"title":"S","questions":[{"type":"longtext","text":"Q"}]}]}"#, "mean 'longText'?"),
    ("not json", "A value is needed here.\""), ("nul", "A value is needed here; did you mean null?"),
  ])
  func `a kit's document is told what was meant`(body: String, text: String) async throws {
    let reply = try await APIHarness().send(.put, "/v1/kits/k", body)
    #expect((400..<500).contains(reply.status) && reply.text.contains(text), "\(reply.text)")
  }

  @Test(arguments: [
    (#"{"profile":"ios","mode":"labl","width":300,"texts":[{"id":"a","text":"A"}]}"#, "did you mean 'label'?"),
    (#"{\#(HintTests.style),"font":{"family":"Intre"},"texts":[{"id":"a","text":"A"}]}"#, "did you mean 'Inter'?"),
  ])
  func `a measurement is told what was meant`(body: String, text: String) async throws {
    let reply = try await APIHarness().send(.post, "/v1/measure", body)
    #expect(reply.status == 422 && reply.text.contains(text), "\(reply.text)")
  }

  @Test(arguments: [
    ("1", 400, "with its quotes this is \\\"1\\\"."),
    ("W/\"1\"", 412, "W/\\\"1\\\" is weak, most likely made so by a proxy"),
    ("\"9\"", 412, "It is not what you saw any more."),
  ])
  func `a tag that can't match is told the right form`(tag: String, status: Int, text: String) async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let reply = try await harness.send(.put, "/v1/kits/kit", Self.kit, fields: ["If-Match": tag])
    #expect(reply.status == status && reply.text.contains(text), "\(reply.text)")
  }

  @Test(arguments: ["/?x=1", "/docs?utm_source=mail", "/healthz?x", "/readyz?x=1", "/version?x", "/openapi.json?v=1"])
  func `pages and probes pass over what they do not know`(target: String) async throws {
    let harness = try APIHarness()
    let reply = try await harness.send(.get, target)
    let plain = try await harness.send(.get, String(target.prefix { $0 != "?" }))
    #expect(reply.status == 200 && reply.response.body == plain.response.body)
  }

  @Test(arguments: [HTTPMethod.get, .put]) func `only a write is told that it may be stored`(method: HTTPMethod) throws
  {
    let harness = try APIHarness()
    let head = try RequestHead.make(method, "/v1/kits/kit")
    guard case .found(_, let parameters) = Router([Route(method, "/v1/kits/{kitId}", 0)]).match(head) else {
      throw Problem.notFound()
    }
    let call = Call(
      api: harness.api, request: Request(head: head, requestID: "r"), parameters: parameters, caller: nil)
    let unreachable = call.problem(.unavailable("gone"))
    #expect(unreachable.detail.contains("stored") == (method == .put) && unreachable.isExpected)
    let failing = call.problem(.databaseFailing("EIO"))
    #expect(failing.detail.contains("stored") == (method == .put) && !failing.isExpected)
    #expect(call.problem(.busy).isExpected && call.problem(.diskFull).isExpected)
    #expect(!call.problem(.database("?")).isExpected && !call.problem(.databaseDamaged("page 3")).isExpected)
  }

  @Test func `all that is certainly wrong with a kit is told in its order, with the items`() async throws {
    let body =
      #"{"title":"T","sections":[{"id":"s","title":"","questions":["#
      + #"{"id":"a","type":"text","text":"A"},{"id":"b","type":"rating","scale":"fivepoint","text":"B"},"#
      + #"{"id":"c","type":"yesNo","text":"C","visibleWhen":{"questionId":"zz","equals":true}},"#
      + #"{"id":"d","type":"yesNo","text":"D","visibleWhen":{"questionId":"a","equals":true}}]}]}"#
    let reply = try await APIHarness().send(.put, "/v1/kits/k", body)
    let found = (0..<(reply.count("errors") ?? 0)).map { place in
      "\(reply.string("errors/\(place)/pointer") ?? "") \(reply.string("errors/\(place)/itemId") ?? "")"
    }
    let first = "/sections/0/questions/0/type a"
    #expect(
      found == [
        "/sections/0/title s", first, "/sections/0/questions/1/scale b",
        "/sections/0/questions/2/visibleWhen/questionId c",
      ])
  }

  @Test func `what is wrong with a profile is told in its order`() async throws {
    let body = #"{"part":1,"extends":"ios@1","slots":{"counter":{"heigth":3}}}"#
    let reply = try await APIHarness().send(.put, "/v1/profiles/mine", body)
    #expect(reply.status == 422)
    #expect(reply.string("errors/0/pointer") == "/part" && (reply.count("errors") ?? 0) > 1, "\(reply.text)")
    #expect(reply.string("errors/1/message")?.contains("did you mean 'height'?") == true, "\(reply.text)")
  }
}
