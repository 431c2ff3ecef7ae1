// Problem documents stay small whatever they were sent.

import API
import HTTP
import JSON
import Testing

@Suite struct ProblemBoundTests {
  private static let kits = "/v1/kits?dryRun=true&title=x&language=en"
  private static let long = String(repeating: "n", count: 200_000)
  /// What takes six bytes a scalar in JSON.
  private static let controls = String(repeating: #"\u0001"#, count: 30_000)

  private static func members(_ count: Int, _ value: String = "1") -> String {
    (0..<count).map { #""\#(String($0, radix: 16))":\#(value)"# }.joined(separator: ",")
  }

  private static let hostile: [(HTTPMethod, String, String, String)] = [
    (.post, kits, "application/json", "{\(members(20_000))}"),
    (.post, kits, "application/json", #"{"\#(long)":{"\#(long)":1}}"#),
    (.post, kits, "application/json", #"{"\#(long)":1,"\#(long)":2}"#),
    (
      .post, kits, "application/json",
      "{\((0..<1_000).map { #""\#($0)\#(controls.prefix(600))":1"# }.joined(separator: ","))}"
    ),
    (.post, kits, "application/json", String(repeating: #"{"\#(controls.prefix(6_000))":"#, count: 40) + "?"),
    (
      .post, kits, "application/json",
      #"{"title":"x","sections":[\#(Array(repeating: "{}", count: 5_000).joined(separator: ","))]}"#
    ),
    (.post, kits, "text/csv", String(repeating: #""a"""#, count: 100_000)),
    (.post, kits, "text/csv", long + "," + long + "\nx,y"),
    (.post, kits, "text/csv", "item,id,text\n" + String(repeating: "zz,z,x\n", count: 5_000)),
    (.post, kits, "text/csv", "item,type,text\n\(long),z,x\n"),
    (.post, kits, "text/csv", "question,type,required\nx,\(long),\(long)\n"),
    (.post, "/v1/evaluations/e/layout?profile=ios&width=300", "application/json", #"{"values":{\#(members(20_000))}}"#),
    (.post, "/v1/evaluations/e/layout?profile=ios&width=300", "application/json", #"{"values":{"\#(long)":1}}"#),
    (.put, "/v1/profiles/own", "application/json", #"{"extends":"ios@1","slots":{"\#(long)":{}}}"#),
    (.put, "/v1/profiles/own", "application/json", #"{"extends":"\#(long)"}"#),
    (.put, "/v1/profiles/own", "application/json", #"{"extends":"ios@1","font":{"family":"\#(long)"}}"#),
    (.put, "/v1/profiles/own", "application/json", #"{"extends":"ios@1","strings":{"en":{\#(members(20_000))}}}"#),
    (.put, "/v1/profiles/own", "application/json", #"{"extends":"ios@1","strings":{\#(members(20_000, "{}"))}}"#),
    (.post, "/v1/measure", "application/json", #"{"profile":"\#(long)","width":1,"texts":[]}"#),
    (.post, "/v1/measure", "application/json", "{\(members(20_000))}"),
    (.get, "/v1/kits/\(long.prefix(15_000))", "", ""),
    (.get, "/v1/kits?\(long.prefix(15_000))=1", "", ""),
  ]

  @Test(arguments: hostile.indices)
  func `a problem document is never larger than is said`(place: Int) async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let (method, target, type, body) = Self.hostile[place]
    let reply = try await harness.send(method, target, bytes: type.isEmpty ? nil : Array(body.utf8), type: type)
    #expect(reply.status >= 400 && reply.status < 500, "\(method) \(target.prefix(60)): \(reply.status)")
    #expect(reply.isProblem(reply.status, reply.string("code") ?? ""))
    #expect(reply.response.body.count <= APILimits.problemBytes, "\(method) \(target.prefix(60)) \(body.prefix(60))")
  }

  @Test func `a profile's texts are in so many languages, and under keys that something is shown for`() async throws {
    let harness = try APIHarness()
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let tags = letters.prefix(10).flatMap { first in letters.map { "\(first)\($0)" } }
    func put(_ name: String, _ tags: ArraySlice<String>) async throws -> Reply {
      let strings = tags.map { #""\#($0)":{"yes":"y"}"# }.joined(separator: ",")
      return try await harness.send(.put, "/v1/profiles/\(name)", #"{"extends":"web@1","strings":{\#(strings)}}"#)
    }
    #expect(try await put("many", tags[...]).errors == ["/strings tooMany"])
    #expect(try await put("few", tags.prefix(100)).status == 201)
    let keys = #"{"yes":"y","point.fourPoint.yes":"y","placeholder.note":"y","point.fourPoint.maybe":"y","Yes":"y"}"#
    let odd = try await harness.send(.put, "/v1/profiles/odd", #"{"extends":"web@1","strings":{"en":\#(keys)}}"#)
    #expect(
      odd.errors == ["/strings/en/point.fourPoint.maybe unknownMember", "/strings/en/Yes unknownMember"])
  }
}
