// Compressed representations: where they are sent, what tells them apart, and that they are the same content.

import HTTP
import JSON
import Testing

@testable import API

@Suite struct ContentCodingTests {
  private static func largeKit() async throws -> APIHarness {
    let harness = try APIHarness()
    let questions = (0..<40).map { #"{"id":"q\#($0)","type":"longText","text":"What about topic number \#($0)?"}"# }
    try await harness.makeKit(questions: questions.joined(separator: ","))
    return harness
  }

  @Test(arguments: [
    ("gzip", true), ("gzip, deflate, br", true), ("GZIP", true), ("gzip;q=0.5", true), ("*", true),
    ("br, *;q=0.1", true),
    ("gzip;q=0", false), ("identity", false), ("identity;q=1, gzip;q=0.5", false), ("br", false), ("", false),
    ("*;q=0", false), ("gzipx", false), ("gzip;q=nonsense", false),
  ])
  func `a client gets gzip where it accepts it and likes it no less`(value: String, isCompressed: Bool) async throws {
    let harness = try await Self.largeKit()
    // Twice: made off the loop, and from memory.
    for _ in 0..<2 {
      let reply = try await harness.send(.get, "/v1/kits/kit", fields: ["Accept-Encoding": value])
      #expect(reply.status == 200)
      #expect(reply.field("Content-Encoding") == (isCompressed ? "gzip" : nil))
      #expect(reply.tag == (isCompressed ? "\"1-gzip\"" : "\"1\""))
      #expect(reply.field("Vary") == "Accept, Accept-Encoding")
    }
  }

  @Test func `the compressed form is the same content and at most nine tenths as long`() async throws {
    let harness = try await Self.largeKit()
    let plain = try await harness.send(.get, "/v1/kits/kit")
    let coded = try await harness.send(.get, "/v1/kits/kit", fields: ["Accept-Encoding": "gzip"])
    #expect(coded.response.body.count < plain.response.body.count * 9 / 10)
    #expect(try inflated(coded.response.body) == plain.response.body)
    let again = try await harness.send(.get, "/v1/kits/kit", fields: ["Accept-Encoding": "gzip"])
    #expect(again.response.body == coded.response.body)
    let head = try await harness.send(.head, "/v1/kits/kit", fields: ["Accept-Encoding": "gzip"])
    #expect(head.response == coded.response)
  }

  @Test(arguments: [
    ("\"1\"", 200), ("\"1-gzip\"", 200), ("\"0\", \"1\"", 200), ("*", 200), ("\"2\"", 412), ("\"1-csv\"", 412),
    ("W/\"1\"", 412), ("\"0\", \"2\"", 412), ("1", 400),
  ])
  func `what is read is answered only if it is what If-Match names, whether the client knows it or not`(
    value: String, status: Int
  ) async throws {
    let harness = try await Self.largeKit()
    for coding in ["identity", "gzip"] {
      for method in [HTTPMethod.get, .head] {
        // Made off the loop, and kept.
        for _ in 0..<2 {
          _ = try await harness.send(.get, "/v1/kits/kit", fields: ["Accept-Encoding": coding])
          let fields = ["Accept-Encoding": coding, "If-Match": value]
          #expect(try await harness.send(method, "/v1/kits/kit", fields: fields).status == status)
          let known = fields.merging(["If-None-Match": "\"1\""]) { $1 }
          #expect(
            try await harness.send(method, "/v1/kits/kit", fields: known).status == (status == 200 ? 304 : status))
        }
      }
    }
    let failed = try await harness.send(.get, "/v1/kits/kit", fields: ["If-Match": "\"9\""])
    #expect(String(decoding: failed.response.body, as: UTF8.self).contains("preconditionFailed"))
    // What would be refused anyway is refused as without it, and a write is asked by the store.
    #expect(try await harness.send(.get, "/v1/kits/other", fields: ["If-Match": value]).status == 404)
    // What has no tag has none that could be named.
    #expect(try await harness.send(.get, "/v1/kits", fields: ["If-Match": "\"1\""]).status == 412)
    #expect(try await harness.send(.get, "/v1/kits", fields: ["If-Match": "*"]).status == 200)
  }

  @Test func `a short body is sent as it is, and does not vary`() async throws {
    let harness = try APIHarness()
    let reply = try await harness.send(.get, "/healthz", fields: ["Accept-Encoding": "gzip"])
    #expect(reply.field("Content-Encoding") == nil && reply.field("Vary") == nil)
  }

  @Test func `every answer counts for its route, from memory, compressed and not modified too`() async throws {
    let harness = try await Self.largeKit()
    let place = try #require(
      InterviewKitAPI.routeNames.firstIndex { $0.method == "GET" && $0.path == "/v1/kits/{kitId}" })
    for method in [HTTPMethod.get, .head] {
      for coding in ["identity", "gzip"] {
        let tag = coding == "gzip" ? "\"1-gzip\"" : "\"1\""
        for (fields, status) in [([:], 200), (["If-None-Match": tag], 304), (["If-None-Match": tag], 304)] {
          let fields = fields.merging(["Accept-Encoding": coding]) { first, _ in first }
          let response = try await harness.send(method, "/v1/kits/kit", fields: fields).response
          #expect(response.status == status && response.route == place + 1, "\(method) \(coding) \(status)")
        }
      }
    }
  }

  @Test func `each form is known by its own tag, and only where the client accepts it`() async throws {
    let harness = try await Self.largeKit()
    func status(_ tag: String, _ coding: String) async throws -> (Int, String?, String?) {
      let fields = ["If-None-Match": tag, "Accept-Encoding": coding]
      let reply = try await harness.send(.get, "/v1/kits/kit", fields: fields)
      return (reply.status, reply.tag, reply.field("Vary"))
    }
    for _ in 0..<2 {
      #expect(try await status("\"1-gzip\"", "gzip") == (304, "\"1-gzip\"", "Accept, Accept-Encoding"))
      #expect(try await status("\"1\"", "gzip") == (304, "\"1\"", "Accept, Accept-Encoding"))
      #expect(try await status("\"1\"", "identity") == (304, "\"1\"", "Accept, Accept-Encoding"))
      #expect(try await status("\"1-gzip\"", "identity").0 == 200)
      #expect(try await status("\"2-gzip\"", "gzip").0 == 200)
    }
  }

  @Test func `a write takes either tag, and names the state by the plain one`() async throws {
    let harness = try await Self.largeKit()
    let fields = ["If-Match": "\"1-gzip\"", "Accept-Encoding": "gzip"]
    let reply = try await harness.send(.patch, "/v1/kits/kit", #"{"title":"Other"}"#, fields: fields)
    #expect(reply.status == 200 && reply.tag == "\"2\"" && reply.field("Content-Encoding") == nil)
    let stale = try await harness.send(.patch, "/v1/kits/kit", #"{"title":"Third"}"#, fields: fields)
    #expect(stale.status == 412)
    let read = try await harness.send(.get, "/v1/kits/kit", fields: ["Accept-Encoding": "gzip"])
    #expect(read.tag == "\"2-gzip\"")
    #expect(try String(decoding: inflated(read.response.body), as: UTF8.self).contains("\"Other\""))
  }

  @Test func `bytes that do not shrink are not compressed`() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(Gzip.compress(bytes, limit: 4_500) == nil)
    #expect(Gzip.compress([], limit: 100) != nil)
  }
}
