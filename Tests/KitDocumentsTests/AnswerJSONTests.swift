// Answers and evaluations as JSON documents.

import InterviewKits
import JSON
import KitDocuments
import Testing

private let options = [Option(id: id("o1"), text: "A"), Option(id: id("o2"), text: "B")]

private func target(_ kind: Question.Kind) -> AnswerTarget {
  .question(Question(id: id("q"), order: .between(nil, nil), text: "Q", kind: kind), points: Scale.fourPoint.points)
}

private func decode(_ kind: Question.Kind, _ body: String, merging: AnswerContent? = nil) throws -> AnswerContent {
  try AnswerJSON.decodeContent(json(body), for: target(kind), merging: merging)
}

@Suite struct AnswerJSONTests {
  @Test(
    arguments: [
      (.longText(maxLength: 10), #""e\u0301""#, .text("e\u{301}")), (.yesNo, "true", .bool(true)),
      (.singleSelect(options), #""o2""#, .option(id("o2"))),
      (.multiSelect(options), #"["o2","o1"]"#, .options([id("o2"), id("o1")])),
      (.multiSelect(options), "[]", .options([])),
      (.number, "1000000000000000001", .number(.integer(1_000_000_000_000_000_001))),
      (.number, "4.0", .number(.integer(4))), (.number, "-0.5", .number(.decimal(-0.5))),
      (.date, #""2026-11-30""#, CalendarDate(iso8601: "2026-11-30").map { .date($0) }),
      (.rating(scale: Scale.fourPoint.id), #""fourPoint.yes""#, .point(id("fourPoint.yes"))), (.yesNo, "null", nil),
    ] as [(Question.Kind, String, AnswerValue?)])
  func `a value of each type is read and written the same`(kind: Question.Kind, text: String, value: AnswerValue?)
    throws
  {
    let content = try decode(kind, #"{"value":\#(text)}"#)
    #expect(content.value == value)
    let written = KitDocumentsTests.text { AnswerJSON.writeValue(content.value, to: &$0) }
    #expect(try decode(kind, #"{"value":\#(written)}"#).value == value)
    let type = target(kind).question.type
    #expect(AnswerJSON.value(try json(written), of: type) == value)
  }

  @Test(
    arguments: [
      (.longText(maxLength: 10), "5", ["/value wrongType"]), (.longText(maxLength: 2), #""abc""#, ["/value tooLong"]),
      (.longText(maxLength: 10), #""\u0000""#, ["/value containsNUL"]), (.yesNo, #""true""#, ["/value wrongType"]),
      (.shortText(maxLength: 10), #""a\nb""#, ["/value lineBreak"]),
      (.singleSelect(options), #""o3""#, ["/value unknownOption"]),
      (.singleSelect(options), #""no id!""#, ["/value unknownOption"]),
      (.multiSelect(options), #"["o1",5,"no id!"]"#, ["/value/1 wrongType", "/value/2 unknownOption"]),
      (.multiSelect(options), #"["o1","o1","o9"]"#, ["/value/1 duplicateOption", "/value/2 unknownOption"]),
      (.number, "1e400", ["/value outOfRange"]), (.number, "1.7976931348623157e308", ["/value outOfRange"]),
      (.number, "9223372036854775808", ["/value outOfRange"]),
      (.number, "0.1234567890123456789", ["/value tooPrecise"]),
      (.number, #""4""#, ["/value wrongType"]), (.date, #""2026-02-30""#, ["/value invalidDate"]),
      (.rating(scale: Scale.fourPoint.id), #""fivePoint.mixed""#, ["/value unknownPoint"]),
      (.rating(scale: Scale.fourPoint.id), "3", ["/value wrongType"]),
    ] as [(Question.Kind, String, [String])])
  func `a value that does not fit is refused`(kind: Question.Kind, value: String, expected: [String]) {
    #expect(issues { _ = try decode(kind, #"{"value":\#(value)}"#) } == expected)
  }

  @Test func `all that is wrong with an answer is listed`() {
    #expect(
      issues {
        _ = try decode(.yesNo, #"{"value":3,"comment":false,"notAssessed":"no","vlaue":true,"itemId":"other"}"#)
      } == [
        "/itemId idMismatch", "/value wrongType", "/comment wrongType", "/notAssessed wrongType",
        "/vlaue unknownMember",
      ])
    #expect(issues { _ = try decode(.yesNo, #"{"value":true,"notAssessed":true}"#) } == ["/notAssessed contradiction"])
  }

  @Test(
    arguments: [
      ("{}", "old", "c"), (#"{"value":null}"#, nil, "c"), (#"{"comment":null}"#, "old", nil),
      (#"{"value":"new","comment":""}"#, "new", ""),
    ] as [(String, String?, String?)])
  func `a patch of an answer keeps what it does not name, and a put does not`(
    patch: String, value: String?, comment: String?
  ) throws {
    let old = AnswerContent(value: .text("old"), comment: "c")
    let merged = try decode(.longText(maxLength: 10), patch, merging: old)
    #expect(merged == AnswerContent(value: value.map { .text(ExactText($0)) }, comment: comment.map { ExactText($0) }))
    #expect(try decode(.longText(maxLength: 10), "{}").isEmpty)
  }

  @Test func `an answer that was read can be sent back`() throws {
    let answer = Answer(
      itemID: id("q"), content: AnswerContent(value: .text("x"), comment: "c"), revision: 3, updatedAt: now,
      updatedBy: id("m"))
    let written = text { AnswerJSON.write(answer, to: &$0) }
    #expect(
      written
        == #"{"itemId":"q","value":"x","comment":"c","notAssessed":false,"revision":3,"updatedAt":"\#(now.rfc3339)","updatedBy":"m"}"#
    )
    #expect(try decode(.longText(maxLength: 10), written) == answer.content)
    let unanswered = text { AnswerJSON.write(Answer(itemID: id("q")), to: &$0) }
    #expect(
      unanswered
        == #"{"itemId":"q","value":null,"comment":null,"notAssessed":false,"revision":0,"updatedAt":null,"updatedBy":null}"#
    )
  }

  @Test func `a batch is split into operations and its form is checked as a whole`() throws {
    let operations = try AnswerJSON.decodeBatch(
      json(
        #"{"operations":[{"operationId":"a","itemId":"q","value":"v","ifRevision":3},{"itemId":"r","comment":"c","x":1}]}"#
      ))
    #expect(operations.map(\.itemID) == [id("q"), id("r")])
    #expect(operations.map(\.operationID) == ["a", nil])
    #expect(operations.map(\.ifRevision) == [3, nil])
    #expect(operations[0].content == .object([JSONMember("value", .string("v"))]))
    #expect(operations[1].pointer == "/operations/1")
    #expect(
      issues {
        _ = try AnswerJSON.decodeBatch(
          json(#"{"operations":[{"operationId":"a"},{"operationId":"a","itemId":"q","ifRevision":-1},5],"more":1}"#))
      } == [
        "/more unknownMember", "/operations/0/itemId missingMember", "/operations/1/operationId duplicateId",
        "/operations/1/ifRevision outOfRange", "/operations/2 wrongType",
      ])
  }
}

@Suite struct EvaluationJSONTests {
  private let summary = EvaluationSummary(
    id: id("e"), kitID: id("k"), kitRevision: 7, candidate: Person(id: id("c-81"), name: "Kim"),
    interviewer: Person(id: id("m")), progress: Progress(answered: 3, required: 5, missing: 2), revision: 12,
    createdAt: now, updatedAt: now)

  @Test func `a new evaluation names kit and candidate`() throws {
    let draft = try EvaluationJSON.decode(
      json(#"{"id":"e","kitId":"k","kitRevision":7,"candidate":{"id":"c-81","name":"Kim"},"interviewer":{"id":"m"}}"#))
    #expect(draft.id == id("e"))
    #expect(draft.kitRevision == 7)
    #expect(draft.candidate == Person(id: id("c-81"), name: "Kim"))
    #expect(draft.interviewer == Person(id: id("m")))
    #expect(
      issues {
        _ = try EvaluationJSON.decode(json(#"{"kitRevision":0,"candidate":{"name":5,"mail":"x"},"answers":{}}"#))
      } == [
        "/kitId missingMember", "/kitRevision outOfRange", "/candidate/id missingMember", "/candidate/name wrongType",
        "/candidate/mail unknownMember", "/answers unknownMember",
      ])
  }

  @Test func `a patch changes people only`() throws {
    let after = try EvaluationJSON.patch(summary, with: json(#"{"candidate":{"name":null}}"#))
    #expect(after.candidate == Person(id: id("c-81")))
    #expect(after.interviewer == summary.interviewer)
    #expect(
      issues { _ = try EvaluationJSON.patch(summary, with: json(#"{"status":"submitted"}"#)) } == [
        "/status unknownMember"
      ])
    #expect(
      issues { _ = try EvaluationJSON.patch(summary, with: json(#"{"candidate":null}"#)) } == [
        "/candidate missingMember"
      ])
  }

  @Test func `an evaluation is written with its answers in the order of their IDs`() throws {
    let answers = ["b", "a"].map { Answer(itemID: id($0), content: AnswerContent(value: .bool(true)), revision: 1) }
    let evaluation = Evaluation(summary: summary, answers: Answers(answers))
    let document = try json(text { EvaluationJSON.write(evaluation, retired: [id("b")], sequence: "s5", to: &$0) })
    guard case .object(let members) = document, case .object(let written)? = document["answers"] else {
      return #expect(Bool(false))
    }
    #expect(
      members.map(\.name) == [
        "id", "kitId", "kitRevision", "candidate", "interviewer", "status", "recommendation", "progress", "revision",
        "answers", "retired", "sequence", "createdAt", "updatedAt", "submittedAt", "submittedBy",
      ])
    #expect(written.map(\.name) == ["a", "b"])
    let listed = try json(text { EvaluationJSON.write(summary, to: &$0) })
    #expect(listed["answers"] == nil)
    #expect(listed["submittedAt"] == .null)
  }
}
