// Objects with many members, and issues that repeat what was sent.

import JSON
import Testing

@Suite struct LargeObjectTests {
  /// Names whose composed and decomposed spellings are two, in an object of this many members at least.
  private func object(_ count: Int) -> JSONValue {
    let plain = (0..<count).map { JSONMember("m\($0)", .number(JSONNumber($0))) }
    return .object(plain + [JSONMember("caf\u{E9}", .string("composed")), JSONMember("cafe\u{301}", .string("two"))])
  }

  @Test(arguments: [0, 13, 14, 15, 16, 17, 5_000])
  func `each member is found by its very name, however many there are`(count: Int) throws {
    let issues = JSONIssueList()
    var reader = try #require(JSONObjectReader(object(count), at: "", issues: issues))
    for place in 0..<count { #expect(reader.integer("m\(place)").value == place) }
    #expect(reader.string("caf\u{E9}").value == "composed" && reader.string("cafe\u{301}").value == "two")
    #expect(reader.value("m\(count)").isAbsent && reader.value("cafe").isAbsent)
    reader.finish()
    #expect(issues.issues.isEmpty)
  }

  @Test(arguments: [0, 13, 14, 15, 16, 17, 5_000])
  func `a merge keeps the order, replaces, removes and adds, however many members there are`(count: Int) {
    let removed = (0..<count).filter { $0.isMultiple(of: 2) }.map { JSONMember("m\($0)", JSONValue.null) }
    let patch = JSONValue.object(
      removed + [JSONMember("cafe\u{301}", .bool(true)), JSONMember("new", .object([JSONMember("x", .null)]))])
    let kept = (0..<count).filter { !$0.isMultiple(of: 2) }.map { JSONMember("m\($0)", .number(JSONNumber($0))) }
    let expected = JSONValue.object(
      kept + [
        JSONMember("caf\u{E9}", .string("composed")), JSONMember("cafe\u{301}", .bool(true)),
        JSONMember("new", .object([])),
      ])
    #expect(object(count).merged(with: patch) == expected)
  }

  @Test(arguments: [
    ("", ""), ("abcdefgh", "abcdefgh"), ("abcdefghi", "abcde…hi"), ("éééééééé", "éééééééé"),
    ("e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}xyz", "e\u{301}\u{302}\u{303}\u{304}…yz"),
    ("\r\n\r\n\r\n\r\n\r\n", "\r\n\r\n\r…\r\n"),
  ])
  func `a text is shortened in its middle, by scalars`(text: String, short: String) {
    #expect(Array(text.shortened(to: 8).unicodeScalars) == Array(short.unicodeScalars))
  }

  @Test func `what an issue repeats is bounded, and so is their number`() throws {
    let name = String(repeating: "n", count: 1_000)
    let inner = JSONValue.object((0..<3_000).map { JSONMember("\(name)\($0)", .null) })
    let issues = JSONIssueList()
    var reader = try #require(JSONObjectReader(.object([JSONMember(name, inner)]), at: "", issues: issues))
    var innerReader = try #require(reader.object(name).value)
    innerReader.finish()
    #expect(issues.issues.count == JSONLimits.issues && issues.isFull)
    #expect(issues.issues.allSatisfy { $0.message.unicodeScalars.count <= JSONLimits.messageScalars })
    #expect(issues.issues.allSatisfy { $0.pointer.unicodeScalars.count <= 2 * (JSONLimits.tokenScalars + 1) })
    #expect(
      issues.issues[0].message.hasPrefix("There is no member \"nnn") && issues.issues[0].message.hasSuffix("here."))
  }
}
