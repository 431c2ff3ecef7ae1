// The JSON writer's bytes, and that they are read back as what was written.

import JSON
import TestKit
import Testing

@Suite struct JSONWriterTests {
  @Test func `members keep their order and get their commas`() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("text", "a\"b\\c/\u{1}\u{1F}\n한")
      writer.member("none", nil as String?)
      writer.member("list") { writer in
        writer.array { writer in
          writer.int(-1)
          writer.object { _ in }
          writer.bool(true)
          writer.null()
          writer.raw(Array("[7]".utf8))
        }
      }
      writer.name("dyn\"amic")
      writer.double(21.5)
      writer.member("flag", false)
      writer.member("count", 3)
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"text":"a\"b\\c/\u0001\u001f\n한","none":null,"list":[-1,{},true,null,[7]],"dyn\"amic":21.5,"flag":false,"count":3}"#
    )
  }

  @Test(arguments: [
    (0, "0"), (-0.0, "0"), (92, "92"), (92.66666666666667, "92.66666666666667"), (1e15, "1000000000000000"),
    (1e300, "1e+300"), (0.1, "0.1"), (-1e-7, "-1e-07"),
  ])
  func `a double is its shortest digits`(value: Double, text: String) {
    var writer = JSONWriter()
    writer.double(value)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }

  @Test func `random doubles come back as the same number`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let value = Double(bitPattern: generator.next())
      guard let number = JSONNumber(value) else { continue }
      guard case .number(let read) = try parse(number.text) else { return #expect(Bool(false)) }
      #expect(read.double == value)
    }
  }
}

@Suite struct JSONObjectReaderTests {
  @Test func `everything that is wrong is collected with its pointer`() throws {
    let issues = JSONIssueList()
    let document = try parse(
      #"{"title":5,"count":1.5,"huge":1e30,"flag":null,"inner":{"x~/":1},"text":"a\u0000","extra":1,"list":{}}"#)
    var reader = try #require(JSONObjectReader(document, at: "/doc", issues: issues))
    #expect(reader.requiredString("title") == nil)
    #expect(reader.integer("count").isAbsent)
    #expect(reader.integer("huge").isAbsent)
    #expect(reader.bool("flag") == .null)
    #expect(reader.string("text").isAbsent)
    #expect(reader.requiredString("missing") == nil)
    #expect(reader.array("list").isAbsent)
    var inner = try #require(reader.object("inner").value)
    inner.finish()
    reader.finish()
    #expect(
      issues.issues.map { "\($0.pointer) \($0.code)" } == [
        "/doc/title wrongType", "/doc/count wrongType", "/doc/huge outOfRange", "/doc/text containsNUL",
        "/doc/missing missingMember", "/doc/list wrongType", "/doc/inner/x~0~1 unknownMember",
        "/doc/extra unknownMember",
      ])
  }

  @Test func `absent, null and a value are told apart`() throws {
    var reader = try #require(JSONObjectReader(parse(#"{"a":null,"b":""}"#), at: "", issues: JSONIssueList()))
    #expect(reader.string("a") == .null)
    #expect(reader.string("b") == .value(""))
    #expect(reader.string("c") == .absent)
  }

  @Test func `what is no object is one issue`() throws {
    let issues = JSONIssueList()
    #expect(JSONObjectReader(try parse("[]"), at: "", issues: issues) == nil)
    #expect(issues.issues.map(\.code) == ["wrongType"])
  }
}
