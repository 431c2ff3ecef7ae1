// What is private: questions that say so, and what only they show; and what is left of an evaluation without it.

import InterviewKits
import Testing

@Suite struct PrivateQuestionTests {
  private static let bool: @Sendable (String) -> VisibilityCondition = {
    VisibilityCondition(questionID: id($0), equals: .bool(true))
  }

  /// `q2` (yes or no) shows `q5`, and `q5` shows the scorecard `q8`.
  private static func kit(private names: Set<String>) -> KitSnapshot {
    var kit = sampleKit()
    for (row, section) in kit.sections.enumerated() {
      for (column, question) in section.questions.enumerated() {
        kit.sections[row].questions[column].isPrivate = names.contains(question.id.string)
      }
    }
    kit.sections[1].questions[0].visibleWhen = Self.bool("q2")
    kit.sections[1].questions[3].visibleWhen = VisibilityCondition(questionID: id("q5"), equals: .number(.integer(1)))
    kit.overallQuestionID = id("q7")
    return KitSnapshot(kit)
  }

  @Test(
    arguments: [
      ([], []), (["q0"], ["q0"]), (["q8"], ["q8", "c1", "c2"]), (["q5"], ["q5", "q8", "c1", "c2"]),
      (["q2"], ["q2", "q5", "q8", "c1", "c2"]),
    ] as [(Set<String>, Set<String>)])
  func `a question that a private one shows is private with it`(names: Set<String>, items: Set<String>) {
    #expect(Set(Self.kit(private: names).privateItems.map(\.string)) == items)
  }

  @Test func `another flag or condition is seen in a kit that shares its index with the one before`() throws {
    let before = Self.kit(private: [])
    var question = before.kit.sections[0].questions[2]
    question.isPrivate = true
    let change = try #require(try before.kit.updating(question, now: later))
    let after = KitSnapshot(change, of: before)
    #expect(after.privateItems.contains(id("q2")) && after.privateItems.contains(id("c1")))
    question.text = "Other words?"
    let next = try #require(try after.kit.updating(question, now: later))
    #expect(KitSnapshot(next, of: after).privateItems == after.privateItems)
  }

  @Test func `an evaluation is told as if nothing had been given in confidence`() {
    let snapshot = Self.kit(private: [])
    func answer(_ item: String, _ value: AnswerValue, _ revision: Int, private isPrivate: Bool, told: Int) -> Answer {
      Answer(
        itemID: id(item), content: AnswerContent(value: value), revision: revision, isPrivate: isPrivate,
        toldRevision: told)
    }
    var evaluation = Evaluation(
      summary: EvaluationSummary(
        id: id("e"), kitID: id("kit"), kitRevision: 1, candidate: Person(id: id("c")), interviewer: Person(id: id("i")),
        revision: 9, createdAt: noon, updatedAt: later, toldRevision: 4, toldAt: noon))
    evaluation.set(answer("q0", .text("first"), 1, private: false, told: 1))
    evaluation.set(answer("q0", .text("zebra"), 2, private: true, told: 1))
    evaluation.set(answer("q2", .bool(true), 1, private: true, told: 0))
    evaluation.set(answer("q7", .point(id("fourPoint.yes")), 3, private: true, told: 0))
    evaluation.set(answer("q1", .text("third"), 3, private: false, told: 1))
    evaluation.summary.progress = snapshot.progress(answers: evaluation.answers)
    evaluation.summary.recommendation = snapshot.recommendation(evaluation.answers)
    let told = snapshot.told(evaluation)
    #expect(told.summary.revision == 4 && told.summary.updatedAt == noon && told.summary.recommendation == nil)
    #expect(told.summary.progress.answered == 2 && evaluation.summary.progress.answered == 4)
    #expect(Set(told.answers.map { "\($0.itemID) \($0.revision)" }) == ["q0 1", "q1 1"])
    #expect(told.answers[id("q0")]?.content.value == .text("first"))
    // Said in the open again, the value before is history.
    evaluation.set(answer("q0", .text("third"), 3, private: false, told: 2))
    #expect(evaluation.earlierTold.isEmpty && snapshot.told(evaluation).answers[id("q0")]?.revision == 2)
    // And what is private now is hidden, whenever it was said.
    #expect(Set(Self.kit(private: ["q0"]).told(evaluation).answers.map(\.itemID.string)) == ["q1"])
  }
}
