// Tags and cursors of what is told without private answers: no copy of one sight is taken for one of another.

import HTTP
import InterviewKits
import Testing

@testable import API

@Suite struct ToldTagTests {
  private static let base = "/v1/evaluations/kim-c"
  private static let view = "?profile=ios&width=300"
  /// Every read that has a tag: its address and what is accepted.
  private static let reads: [(target: String, fields: [String: String])] = [
    (base, [:]), (base, ["Accept": "text/csv"]), (base, ["Accept": "text/markdown"]),
    (base, ["Accept-Encoding": "gzip"]), (base + view + "&include=kit,layout", [:]), (base + "/answers", [:]),
    (base + "/answers/q1", [:]), (base + "/answers/q2", [:]), (base + "/layout" + view, [:]),
    (base + "/layout" + view + "&parts=true", [:]), (base + "/layout" + view, ["Accept-Encoding": "gzip"]),
  ]

  /// Kim's evaluation with a private answer that was written a few times.
  private static func world() async throws -> Panel {
    let panel = try await Panel(visibility: "always", question: #""id":"q1","private":true"#)
    try await panel.open("kim", secret: "zebra")
    for number in 1...4 {
      let body = #"{"value":"zebra \#(number) \#(String(repeating: "z", count: 2_000))"}"#
      try await panel.ask("kim", .put, base + "/answers/q1", body, wants: 200, fields: ["If-Match": "*"])
    }
    try await panel.ask("kim", .put, base + "/answers/q2", #"{"value":"open"}"#, wants: 201)
    return panel
  }

  private static func tags(_ panel: Panel, _ who: String) async throws -> [String] {
    var tags: [String] = []
    for (target, fields) in reads {
      tags.append(try #require(try await panel.ask(who, .get, target, wants: 200, fields: fields).tag))
    }
    return tags
  }

  /// Asks again with tags that belong to another sight, spelled for every revision: each reply is whole.
  private static func expectAllNew(_ panel: Panel, _ who: String, knowing tags: [String]) async throws {
    for ((target, fields), tag) in zip(reads, tags) {
      let again = try await panel.ask(who, .get, target, fields: fields.merging(["If-None-Match": tag]) { $1 })
      #expect(again.status == 200 && !again.response.body.isEmpty, "\(who) \(target) \(fields) \(tag)")
    }
  }

  @Test func `a former interviewer's copy is never confirmed, whatever number others are told`() async throws {
    let panel = try await Self.world()
    let known = try await Self.tags(panel, "kim")
    let revision = try #require(try await panel.ask("kim", .get, Self.base).int("revision"))
    try await panel.ask(
      "boss", .patch, Self.base, #"{"interviewer":{"id":"lee"}}"#, wants: 200, fields: ["If-Match": "*"])
    var told = 0
    repeat {
      let body = #"{"value":"open \#(told)"}"#
      try await panel.ask("lee", .put, Self.base + "/answers/q2", body, wants: 200, fields: ["If-Match": "*"])
      try await panel.ask("lee", .post, Self.base + "/submit", wants: 200)
      told = try #require(try await panel.ask("kim", .get, Self.base, wants: 200).int("revision"))
      try await Self.expectAllNew(panel, "kim", knowing: known)
      try await panel.ask("lee", .post, Self.base + "/reopen", #"{"reason":"r"}"#, wants: 200)
    } while told < revision
    // The numbers did meet.
    try await panel.ask("lee", .post, Self.base + "/submit", wants: 200)
    let (own, others) = (try await Self.tags(panel, "lee"), try await Self.tags(panel, "kim"))
    #expect(others.allSatisfy { $0.contains("-told") } && own.allSatisfy { !$0.contains("told") })
    for ((target, fields), tag) in zip(Self.reads, others) {
      let again = try await panel.ask("kim", .get, target, fields: fields.merging(["If-None-Match": tag]) { $1 })
      #expect(again.status == 304 && again.tag == tag, "\(target)")
    }
  }

  @Test func `a member who becomes an admin and is none again has no tag of the other's`() async throws {
    let panel = try await Self.world()
    try await panel.submit("kim")
    func become(_ role: String) async throws {
      try await panel.ask(
        "boss", .patch, "/v1/members/eve", #"{"role":"\#(role)"}"#, wants: 200, fields: ["If-Match": "*"])
    }
    let told = try await Self.tags(panel, "eve")
    try await become("admin")
    try await Self.expectAllNew(panel, "eve", knowing: told)
    let whole = try await Self.tags(panel, "eve")
    #expect(whole.allSatisfy { tag in !told.contains(tag) })
    // What was told names no revision that a write may have seen: `"1-told"` of the public answer is not `"1"`.
    try await panel.ask("kim", .post, Self.base + "/reopen", #"{"reason":"r"}"#, wants: 200)
    let path = Self.base + "/answers/q2"
    let seen = try #require(told[7].split(separator: "\"").first)
    #expect(seen == "1-told")
    let refused = try await panel.ask("eve", .put, path, #"{"value":"x"}"#, fields: ["If-Match": "\"\(seen)\""])
    #expect(refused.isProblem(412, "preconditionFailed") && refused.text.contains("read it again"), "\(refused.text)")
    try await panel.ask("eve", .put, path, #"{"value":"x"}"#, wants: 200, fields: ["If-Match": whole[7]])
    try await panel.submit("kim")
    try await become("observer")
    try await Self.expectAllNew(panel, "eve", knowing: whole)
  }

  @Test func `whether the question is private or not, others' tags have one form`() async throws {
    var found: [[String]] = []
    for isPrivate in [true, false] {
      let panel = try await Panel(visibility: "always", question: #""id":"q1","private":\#(isPrivate)"#)
      try await panel.ask("kim", .put, Self.base, #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#, wants: 201)
      if isPrivate { try await panel.ask("kim", .put, Self.base + "/answers/q1", #"{"value":"zebra"}"#, wants: 201) }
      try await panel.ask("kim", .put, Self.base + "/answers/q2", #"{"value":"open"}"#, wants: 201)
      try await panel.submit("kim")
      found.append(try await Self.tags(panel, "eve"))
    }
    #expect(found[0] == found[1])
  }

  @Test(arguments: ["lee", "eve"])
  func `a history has the same pages and the same cursors, byte for byte`(who: String) async throws {
    var found: [[String]] = []
    for confiding in [true, false] {
      let panel = try await Panel(visibility: "always")
      try await panel.ask("kim", .put, Self.base, #"{"kitId":"kit","candidate":{"id":"c","name":"C"}}"#, wants: 201)
      let path = Self.base + "/answers/q1"
      for text in ["one", "two"] {
        try await panel.ask("kim", .put, path, #"{"value":"\#(text)"}"#, fields: ["If-Match": "*"])
      }
      func refuse(_ text: String, seen: String) async throws {
        try await panel.ask("kim", .put, path, #"{"value":"\#(text)"}"#, wants: 412, fields: ["If-Match": seen])
      }
      try await refuse("late 1", seen: "\"1\"")
      for isPrivate in [true, false] {
        let body = #"{"private":\#(isPrivate)}"#
        let any = ["If-Match": "*"]
        let kit = try await panel.ask("boss", .patch, "/v1/kits/kit/questions/q1", body, wants: 200, fields: any)
        let revision = try #require(kit.int("revision"))
        let moved = #"{"kitRevision":\#(revision)}"#
        try await panel.ask("kim", .put, Self.base + "/kitRevision", moved, wants: 200, fields: any)
        guard confiding, isPrivate else { continue }
        try await panel.ask("kim", .put, path, #"{"value":"zebra"}"#, wants: 200, fields: any)
        for number in 1...3 { try await refuse("zebra \(number)", seen: "\"1\"") }
      }
      // What was said last comes again: no news where a confidence is between.
      try await panel.ask("kim", .put, path, #"{"value":"two"}"#, wants: 200, fields: ["If-Match": "*"])
      try await refuse("late 2", seen: "\"1\"")
      try await panel.submit("kim")
      var pages: [String] = []
      for limit in [1, 2, 200] {
        var cursor: String?
        repeat {
          let query = "?limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? "")
          let page = try await panel.ask(who, .get, path + "/history" + query, wants: 200)
          pages.append(page.text)
          cursor = page.string("nextCursor")
        } while cursor != nil
      }
      for target in [Self.base, path] {
        let reply = try await panel.ask(who, .get, target, wants: 200)
        pages.append((reply.tag ?? "-") + LeakTests.masked(reply.text))
      }
      pages.append(try await LeakTests.events(of: panel, for: who))
      found.append(pages)
    }
    #expect(found[0] == found[1] && found[0].count == 7)
  }
}
