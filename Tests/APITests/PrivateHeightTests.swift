// Heights tell nothing of answers to private questions: not in layouts, not in evaluations, not in changes and streams.

import HTTP
import InterviewKits
import Testing

@testable import API

@Suite struct PrivateHeightTests {
  private static let view = "profile=ios&width=300&scale=2"

  /// Kim's submitted evaluation with an answer to the private `q1`, which is written again once all have read it.
  private static func world(_ answer: String, _ next: String) async throws -> (panel: Panel, seen: [String: String]) {
    let panel = try await Panel(visibility: "always", question: #""id":"q1","private":true"#)
    try await panel.open("kim", secret: answer)
    try await panel.ask("kim", .put, "/v1/evaluations/kim-c/answers/q2", #"{"value":"open"}"#, wants: 201)
    try await panel.submit("kim")
    var seen: [String: String] = [:]
    for who in ["kim", "lee", "eve"] { seen[who] = try await panel.changes(who).next }
    try await panel.ask("kim", .post, "/v1/evaluations/kim-c/reopen", #"{"reason":"r"}"#, wants: 200)
    for (item, text) in [
      ("q1", next), ("q2", "open again, and in so many words that they need some more lines than one"),
    ] {
      let body = #"{"value":"\#(text)"}"#
      try await panel.ask(
        "kim", .put, "/v1/evaluations/kim-c/answers/\(item)", body, wants: 200, fields: ["If-Match": "*"])
    }
    try await panel.submit("kim")
    return (panel, seen)
  }

  /// Everything with heights that a member can ask of it.
  private static func told(_ who: String, _ panel: Panel, since: String) async throws -> [String] {
    var replies: [String] = []
    let base = "/v1/evaluations/kim-c"
    for target in [
      "\(base)/layout?\(view)", "\(base)/layout?\(view)&parts=true",
      "\(base)?include=kit,layout&\(view)&parts=true", "/v1/changes?since=\(since)&evaluation=kim-c&\(view)",
      "/v1/changes?since=0&\(view)",
    ] {
      // Twice: once computed, once kept.
      for _ in 0..<2 { replies.append(try await LeakTests.shown(panel.ask(who, .get, target, wants: 200))) }
    }
    let overlay = try await panel.ask(who, .post, "\(base)/layout?\(view)", #"{"values":{"q2":"x"}}"#, wants: 200)
    replies.append(try await LeakTests.shown(overlay))
    let fields = ["Accept": "text/event-stream"]
    let reply = try await panel.ask(who, .get, "/v1/changes?since=\(since)&\(view)", fields: fields)
    let stream = try #require(reply.response.stream)
    // Everybody is told of kits: this one ends the stream.
    try await panel.ask("boss", .put, "/v1/kits/last", #"{"title":"Last"}"#, wants: 201)
    let collected = LeakTests.Collected()
    try? await stream.produce(
      BodyWriter { bytes throws(StreamEnded) in
        await collected.add(bytes)
        if String(decoding: bytes, as: UTF8.self).contains(#""kitId":"last""#) { throw StreamEnded() }
      })
    replies.append(await LeakTests.masked(String(decoding: collected.bytes, as: UTF8.self)))
    return replies
  }

  @Test(arguments: ["lee", "eve", "kim", "boss"])
  func `only the writer and admins see how long a private answer is`(who: String) async throws {
    let long = String(repeating: "so long that it takes a line and another one ", count: 12)
    let worlds = [try await Self.world("x", "y"), try await Self.world(long, "y"), try await Self.world("x", long)]
    var all: [[String]] = []
    for (panel, seen) in worlds {
      all.append(try await Self.told(who, panel, since: seen[who] ?? "0"))
    }
    let isHidden = who == "lee" || who == "eve"
    // What differs is the end in one world, and the way to it in the other.
    #expect((all[0] == all[2]) == isHidden, "\(zip(all[0], all[2]).first { $0 != $1 } ?? ("", ""))")
    if isHidden { #expect(all[0] == all[1], "\(zip(all[0], all[1]).first { $0 != $1 } ?? ("", ""))") }
  }
}
