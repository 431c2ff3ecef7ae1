// A small kit with every question type, for the tests of the domain.

import InterviewKits

func id(_ string: String) -> ItemID {
  guard let id = ItemID(string) else { preconditionFailure("'\(string)' is no ID") }
  return id
}

let noon = Timestamp(milliseconds: 1_796_040_000_000)
let later = Timestamp(milliseconds: 1_796_040_060_000)

func question(_ name: String, _ kind: Question.Kind, order: Int = 0, required: Bool = false) -> Question {
  let orders = OrderKey.sequence(count: order + 1)
  return Question(
    id: id(name), order: orders[order], text: ExactText("Question \(name)?"), required: required, kind: kind)
}

/// Sections `intro` (q0 … q4) and `depth` (q5 … q9), one question of each type.
func sampleKit() -> Kit {
  let options = [Option(id: id("o1"), text: "One"), Option(id: id("o2"), text: "Two")]
  let kinds: [Question.Kind] = [
    .shortText(maxLength: 100), .longText(maxLength: 20_000), .yesNo, .singleSelect(options),
    .multiSelect([Option(id: id("o3"), text: "Three"), Option(id: id("o4"), text: "Four")]),
    .number, .date, .rating(scale: id("fourPoint")),
    .scorecard(
      scale: id("team"), criteria: [Criterion(id: id("c1"), text: "Listens"), Criterion(id: id("c2"), text: "Asks")]),
    .note,
  ]
  let orders = OrderKey.sequence(count: 2)
  func section(_ name: String, _ row: Int) -> Section {
    let questions = (0..<5).map { question("q\(row * 5 + $0)", kinds[row * 5 + $0], order: $0) }
    return Section(id: id(name), order: orders[row], title: ExactText(name), questions: questions)
  }
  let points = [ScalePoint(id: id("p1"), label: "Weak"), ScalePoint(id: id("p2"), label: "Strong")]
  return Kit(
    id: id("kit"), title: "Sample", language: "en", scales: [Scale(id: id("team"), title: "Team", points: points)],
    sections: [section("intro", 0), section("depth", 1)], createdAt: noon, updatedAt: noon)
}

extension Kit {
  /// Question IDs in list order.
  var questionIDs: [String] { sections.flatMap { $0.questions.map(\.id.string) } }

  var isOrdered: Bool {
    zip(sections, sections.dropFirst()).allSatisfy { $0.order < $1.order }
      && sections.allSatisfy { zip($0.questions, $0.questions.dropFirst()).allSatisfy { $0.order < $1.order } }
  }
}
