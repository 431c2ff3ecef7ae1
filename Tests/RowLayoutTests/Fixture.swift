// The shipped profiles and fonts, and kits made in a line or two.

import InterviewKits
import JSON
import RowLayout
import TextLayout

enum Fixture {
  static let configuration = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/") + "/Config"
  }()

  static let profiles = Result { try ProfileLibrary(directory: "\(configuration)/profiles") }

  static let fonts = Result { try FontLibrary(configurationFile: "\(configuration)/fonts.json") }

  /// One engine for all tests: they see each other's caches, which must not matter.
  static let engine = Result { try newEngine() }

  static func newEngine(limits: RowLayoutLimits = .standard) throws -> RowLayoutEngine {
    RowLayoutEngine(
      measurer: TextMeasurer(fonts: try fonts.get(), cacheBytes: 8 << 20), limits: limits)
  }

  /// A viewport from a query such as `profile=ios&width=375`.
  static func viewport(_ query: String, language: String? = nil) throws -> Viewport {
    try viewports(query, language: language)[0]
  }

  static func viewports(_ query: String, language: String? = nil) throws -> [Viewport] {
    try ViewportQuery.viewports(in: pairs(query), profiles: profiles.get(), defaultLocale: language)
  }

  static func pairs(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
  }

  static func id(_ string: String) -> ItemID { ItemID(string)! }

  static func question(
    _ id: String, _ text: String = "Why?", help: String? = nil, _ kind: Question.Kind = .longText(maxLength: 20_000),
    required: Bool = false, when: VisibilityCondition? = nil
  ) -> Question {
    Question(
      id: Self.id(id), order: OrderKey.between(nil, nil), text: ExactText(text), help: help.map { ExactText($0) },
      required: required, visibleWhen: when, kind: kind)
  }

  /// A kit of sections named `s1`, `s2` … with these questions.
  static func kit(
    _ sections: [[Question]], language: String? = nil, scales: [Scale] = [], revision: Int = 1
  ) -> KitSnapshot {
    let keys = OrderKey.sequence(count: sections.count)
    return KitSnapshot(
      Kit(
        id: id("k"), revision: revision, title: "Kit", language: language, scales: scales,
        sections: sections.enumerated().map { place, questions in
          Section(id: id("s\(place + 1)"), order: keys[place], title: "Part", questions: questions)
        }, createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0)))
  }

  static func answer(_ id: String, _ value: AnswerValue?, comment: String? = nil, notAssessed: Bool = false) -> Answer {
    Answer(
      itemID: Self.id(id),
      content: AnswerContent(value: value, comment: comment.map { ExactText($0) }, notAssessed: notAssessed),
      revision: 1)
  }

  static func answers(_ answers: Answer...) -> Answers {
    Answers(answers)
  }

  /// An evaluation with these answers.
  static func evaluation(_ answers: Answers, revision: Int, id: String = "e") -> Evaluation {
    let person = Person(id: Self.id("p"))
    let start = Timestamp(milliseconds: 0)
    return Evaluation(
      summary: EvaluationSummary(
        id: Self.id(id), kitID: Self.id("k"), kitRevision: 1, candidate: person, interviewer: person,
        revision: revision, createdAt: start, updatedAt: start),
      answers: answers)
  }

  /// All ten types, two criteria, help, required, in two sections.
  static let allTypes = kit([
    [
      question("short", "Name a project", help: "One line", .shortText(maxLength: 100)),
      question("long", "Tell me about it, and about what you would do in another way today", required: true),
      question("yes", "Would you hire again?", .yesNo),
      question(
        "one", "Pick one", .singleSelect([.init(id: id("o1"), text: "First"), .init(id: id("o2"), text: "Second")])),
      question("many", "Pick some", .multiSelect([.init(id: id("m1"), text: "A"), .init(id: id("m2"), text: "B")])),
    ],
    [
      question("number", "How many years?", .number), question("date", "Since when?", .date),
      question("rating", "Rate", .rating(scale: id("fourPoint"))),
      question(
        "card", "Scorecard",
        .scorecard(
          scale: id("fivePoint"),
          criteria: [
            .init(id: id("c1"), text: "Depth"),
            .init(id: id("c2"), text: "Clarity of what was said, and of what was not"),
          ])), question("note", "Thank the candidate.", help: "Always", .note),
    ],
  ])

  /// A measure request from JSON.
  static func measure(_ json: String) throws -> MeasureResponse {
    let engine = try engine.get()
    return engine.measure(try engine.measureRequest(try JSONValue.parse(Array(json.utf8))))
  }

  static func json(_ write: (inout JSONWriter) -> Void) throws -> JSONValue {
    var writer = JSONWriter()
    write(&writer)
    return try JSONValue.parse(writer.bytes)
  }
}

extension RowLayoutEngine {
  /// A request that may name the shipped profiles.
  func measureRequest(_ body: JSONValue) throws(InvalidMeasureRequest) -> MeasureRequest {
    guard case .success(let profiles) = Fixture.profiles else { preconditionFailure("the shipped profiles are whole") }
    return try measureRequest(body, profiles: profiles)
  }
}
