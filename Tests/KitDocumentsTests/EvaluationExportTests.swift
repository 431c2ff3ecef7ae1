// Exports of evaluations: what they hold, and that CSV is read back exactly.

import InterviewKits
import Testing

@testable import KitDocuments

@Suite struct EvaluationExportTests {
  static let now = Timestamp(milliseconds: 1_796_040_000_000)

  static func export(_ contents: [(String, AnswerContent)], kit: Kit? = nil) -> EvaluationExport {
    let summary = EvaluationSummary(
      id: id("e"), kitID: id("k"), kitRevision: 1, candidate: Person(id: id("c"), name: "=Kim"),
      interviewer: Person(id: id("i")), createdAt: now, updatedAt: now)
    var evaluation = Evaluation(summary: summary)
    for (item, content) in contents {
      evaluation.answers[id(item)] = Answer(
        itemID: id(item), content: content, revision: 2, updatedAt: now, updatedBy: id("i"))
    }
    return EvaluationExport(evaluation: evaluation, snapshot: KitSnapshot(kit ?? Self.kit()))
  }

  static func kit() -> Kit {
    let kinds: [(String, Question.Kind)] = [
      ("long", .longText(maxLength: 1_000)), ("yes", .yesNo),
      (
        "many",
        .multiSelect([
          Option(id: id("o1"), text: "A; b"), Option(id: id("o2"), text: "=B"),
        ])
      ), ("number", .number), ("day", .date), ("rate", .rating(scale: id("fourPoint"))),
      ("card", .scorecard(scale: id("fourPoint"), criteria: [Criterion(id: id("depth"), text: "Depth")])),
      ("note", .note),
    ]
    let orders = OrderKey.sequence(count: kinds.count)
    let questions = kinds.enumerated().map { place, kind in
      Question(id: id(kind.0), order: orders[place], text: ExactText("\(kind.0), \"quoted\"?"), kind: kind.1)
    }
    let section = Section(id: id("s"), order: .between(nil, nil), title: "S", questions: questions)
    return Kit(id: id("k"), title: "K", sections: [section], createdAt: now, updatedAt: now)
  }

  static let texts = [
    "=1+2", "+49 30", "-5", "@SUM(A1)", "'quoted", "''", "", " ", "a\r\nb", "a\rb", "\tx", "\r", "\n=1", "a,b;c\"d",
    "가나다",
    "e\u{301}", "👩‍💻", "＝1", "'=x", "sep=;", "\u{FEFF}x", "line\u{2028}end",
  ]

  @Test(arguments: texts) func `a text in a CSV export is no formula and comes back as it was typed`(_ text: String)
    throws
  {
    let content = AnswerContent(value: .text(ExactText(text)), comment: ExactText(text))
    let export = Self.export([("long", content)])
    let bytes = EvaluationCSV.header + EvaluationCSV.records(of: export)
    let read = try EvaluationCSV.decode(bytes)
    #expect(read == [ExportedAnswer(evaluationID: id("e"), itemID: id("long"), content: content, revision: 2)])
    for record in CSVReader(bytes).records.dropFirst() {
      for cell in record.cells {
        if let first = cell.text.unicodeScalars.first { #expect(!"=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)) }
      }
    }
  }

  @Test func `every type of answer comes back, with its label beside it`() throws {
    let contents: [(String, AnswerContent)] = [
      ("yes", AnswerContent(value: .bool(false))),
      ("many", AnswerContent(value: .options([id("o2"), id("o1")]))),
      ("number", AnswerContent(value: .number(.decimal(-0.5)))),
      ("day", AnswerContent(value: CalendarDate(iso8601: "2026-11-30").map { .date($0) })),
      ("rate", AnswerContent(comment: "none", notAssessed: true)),
      ("depth", AnswerContent(value: .point(id("fourPoint.yes")))),
      ("gone", AnswerContent(value: .text("kept"))), ("long", AnswerContent()),
    ]
    let export = Self.export(contents)
    let bytes = EvaluationCSV.header + EvaluationCSV.records(of: export)
    let read = try EvaluationCSV.decode(bytes)
    #expect(read.map(\.itemID.string) == ["yes", "many", "number", "day", "rate", "depth", "gone"])
    #expect(read.map(\.content) == contents.dropLast().map(\.1))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(",-0.5,") && text.contains(",\"'=B; A; b\",") && text.contains(",'=Kim,"))
  }

  @Test func `an evaluation that says nothing is a header line, and one of an empty kit, too`() throws {
    var empty = Self.kit()
    empty.sections = []
    for export in [Self.export([]), Self.export([], kit: empty)] {
      #expect(EvaluationCSV.records(of: export).isEmpty)
      #expect(try EvaluationCSV.decode(EvaluationCSV.header).isEmpty)
      #expect(!EvaluationMarkdown.encode(export).isEmpty)
    }
  }

  @Test func `Markdown shows each question with its answer, and what was retired`() {
    var export = Self.export([
      ("long", AnswerContent(value: .text("first\n# second"), comment: "why")),
      ("many", AnswerContent(value: .options([]))),
      ("depth", AnswerContent(notAssessed: true)), ("gone", AnswerContent(value: .text("kept"))),
    ])
    let former = Question(id: id("gone"), order: .between(nil, nil), text: "Gone?", kind: .longText(maxLength: 9))
    export.retired[id("gone")] = EvaluationExport.FormerItem(question: former)
    let text = String(decoding: EvaluationMarkdown.encode(export), as: UTF8.self)
    for part in [
      "> first\n", "Comment:\n\n> why\n", "- Depth: *not assessed*\n", "## Retired\n\n### Gone?\n\n> kept\n", "*none*",
      "*no answer*",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(!text.contains("\n# second") && !text.contains("note, "))
  }
}
