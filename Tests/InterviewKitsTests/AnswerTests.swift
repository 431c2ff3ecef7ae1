// Which answers a question accepts, visibility and progress.

import InterviewKits
import Testing

@Suite struct AnswerTests {
  let snapshot = KitSnapshot(sampleKit())

  static let accepted: [(String, AnswerValue)] = [
    ("q0", .text("one line")), ("q1", .text("two\nlines")), ("q2", .bool(false)), ("q3", .option(id("o2"))),
    ("q4", .options([id("o4"), id("o3")])), ("q4", .options([])), ("q5", .number(.integer(1_000_000_000_000_000_001))),
    ("q5", .number(.decimal(0.5))), ("q7", .point(id("fourPoint.yes"))), ("c2", .point(id("p1"))),
  ]

  @Test(arguments: accepted.indices) func `a value of the question's type is accepted`(_ row: Int) throws {
    let (item, value) = Self.accepted[row]
    let target = try #require(snapshot.answerTarget(id(item)))
    #expect(target.issues(of: AnswerContent(value: value)) == [])
  }

  static let refused: [(String, AnswerValue, String)] = [
    ("q0", .text("two\nlines"), "lineBreak"), ("q0", .text(ExactText(String(repeating: "x", count: 101))), "tooLong"),
    ("q1", .text("nul \u{0}"), "nulCharacter"), ("q1", .bool(true), "invalidValue"),
    ("q2", .text("yes"), "invalidValue"),
    ("q3", .option(id("o3")), "unknownOption"), ("q4", .options([id("o3"), id("o3")]), "duplicateOption"),
    ("q5", .number(.decimal(1e300)), "outOfRange"), ("q7", .point(id("p1")), "unknownPoint"),
    ("c1", .point(id("fourPoint.yes")), "unknownPoint"), ("c1", .text("x"), "invalidValue"),
  ]

  @Test(arguments: refused.indices) func `any other value is refused by its code`(_ row: Int) throws {
    let (item, value, code) = Self.refused[row]
    let target = try #require(snapshot.answerTarget(id(item)))
    #expect(target.issues(of: AnswerContent(value: value)).map(\.code) == [code])
  }

  @Test func `scorecards, notes, sections and strangers take no answer`() {
    for item in ["q8", "q9", "intro", "o1", "nope"] { #expect(snapshot.answerTarget(id(item)) == nil) }
  }

  @Test func `a value and not assessed contradict each other`() throws {
    let target = try #require(snapshot.answerTarget(id("q2")))
    let issues = target.issues(of: AnswerContent(value: .bool(true), notAssessed: true), at: "/operations/3")
    #expect(issues.map(\.pointer) == ["/operations/3/notAssessed"])
  }

  @Test func `the length limit counts Unicode scalars`() throws {
    let target = try #require(snapshot.answerTarget(id("q0")))
    let woman = "\u{1F469}\u{200D}\u{1F4BB}"
    #expect(target.issues(of: AnswerContent(value: .text(ExactText(String(repeating: woman, count: 33))))) == [])
    #expect(target.issues(of: AnswerContent(value: .text(ExactText(String(repeating: woman, count: 34))))).count == 1)
  }

  @Test func `a hidden question has no part in the progress, and an answer shows it`() {
    var kit = sampleKit()
    kit.sections[1].questions[0].visibleWhen = VisibilityCondition(questionID: id("q2"), equals: .bool(true))
    kit.sections[1].questions[0].required = true
    kit.sections[1].questions[3].required = true
    let snapshot = KitSnapshot(kit)
    #expect(snapshot.progress(answers: [:]) == Progress(answered: 0, required: 2, missing: 2))
    let yes = Answer(itemID: id("q2"), content: AnswerContent(value: .bool(true)), revision: 1)
    let shown = snapshot.progress(
      Progress(required: 2, missing: 2), of: yes.itemID, before: [:], after: [yes.itemID: yes])
    #expect(shown == Progress(answered: 1, required: 3, missing: 3))
    let point = Answer(itemID: id("c1"), content: AnswerContent(notAssessed: true), revision: 1)
    let answers: Answers = [yes.itemID: yes, point.itemID: point]
    #expect(
      snapshot.progress(shown, of: point.itemID, before: [yes.itemID: yes], after: answers)
        == snapshot.progress(answers: answers))
  }
}
