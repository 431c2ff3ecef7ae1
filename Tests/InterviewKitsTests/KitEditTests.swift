// Edits of a kit: what they write, what they keep, what they refuse.

import InterviewKits
import Testing

@Suite struct KitEditTests {
  @Test func `a sample of every type is valid`() { #expect(sampleKit().issues() == []) }

  @Test func `moving the last question to third place writes that question only`() throws {
    let kit = sampleKit()
    let change = try #require(try kit.movingQuestion(id("q4"), to: nil, at: .after(id("q1")), now: later))
    #expect(change.after.questionIDs == ["q0", "q1", "q4", "q2", "q3", "q5", "q6", "q7", "q8", "q9"])
    #expect(change.writtenQuestions == [id("q4")])
    #expect(change.after.revision == 2)
    #expect(change.after.sections[0].questions[2].revision == 2)
    #expect(change.after.sections[0].questions[3].revision == 1)
    #expect(change.after.isOrdered)
  }

  @Test func `a move to the place it has changes nothing`() throws {
    #expect(try sampleKit().movingQuestion(id("q1"), to: nil, at: .after(id("q0")), now: later) == nil)
    #expect(try sampleKit().movingQuestion(id("q0"), to: id("intro"), at: .first, now: later) == nil)
    #expect(try sampleKit().movingSection(id("depth"), to: .last, now: later) == nil)
  }

  @Test func `a move to another section keeps the question`() throws {
    let change = try #require(try sampleKit().movingQuestion(id("q0"), to: id("depth"), at: .first, now: later))
    #expect(change.after.questionIDs == ["q1", "q2", "q3", "q4", "q0", "q5", "q6", "q7", "q8", "q9"])
  }

  @Test func `an unknown neighbour, section or question is named`() {
    #expect(throws: KitEditError.notFound(id("nope"))) {
      try sampleKit().movingQuestion(id("nope"), to: nil, at: .first, now: later)
    }
    #expect(throws: KitEditError.self) {
      try sampleKit().movingQuestion(id("q0"), to: nil, at: .after(id("q9")), now: later)
    }
    #expect(throws: KitEditError.self) { try sampleKit().movingQuestion(id("q0"), to: id("x"), at: .first, now: later) }
  }

  @Test func `the same content makes no revision, a composed letter for a decomposed one does`() throws {
    let kit = sampleKit()
    var question = kit.sections[0].questions[0]
    #expect(try kit.updating(question, now: later) == nil)
    question.text = "Caf\u{E9}"
    let first = try #require(try kit.updating(question, now: later))
    question.text = "Cafe\u{301}"
    #expect(try first.after.updating(question, now: later) != nil)
  }

  @Test func `a question keeps its type`() throws {
    var question = sampleKit().sections[0].questions[0]
    question.kind = .yesNo
    let edited = question
    #expect {
      try sampleKit().updating(edited, now: later)
    } throws: { error in
      guard case KitEditError.invalid(let issues) = error else { return false }
      return issues.map(\.code) == ["typeChanged"] && issues[0].pointer == "/type"
    }
  }

  @Test func `an ID of the kit is not taken twice`() throws {
    for taken in ["q3", "intro", "o1", "c1", "p1", "team", "fourPoint.yes"] {
      #expect(throws: KitEditError.self, "\(taken)") {
        try sampleKit().inserting(question(taken, .yesNo), in: nil, at: .last, now: later)
      }
    }
    let options = [Option(id: id("n1"), text: "a"), Option(id: id("n1"), text: "b")]
    #expect(throws: KitEditError.self) {
      try sampleKit().inserting(question("new", .singleSelect(options)), in: nil, at: .last, now: later)
    }
  }

  @Test func `a removed question comes back to its place`() throws {
    let kit = sampleKit()
    let removed = try kit.removing(id("q2"), now: later)
    #expect(removed.after.questionIDs == ["q0", "q1", "q3", "q4", "q5", "q6", "q7", "q8", "q9"])
    let restored = try removed.after.restoring(kit.sections[0].questions[2], in: id("intro"), now: later)
    #expect(restored.after.questionIDs == kit.questionIDs)
    #expect(restored.after.sections[0].questions[2].revision == 3)
  }

  @Test func `a removed section takes its questions along and brings them back`() throws {
    let kit = sampleKit()
    let removed = try kit.removing(id("intro"), now: later)
    #expect(removed.removed == ["intro", "q0", "q1", "q2", "q3", "q4"].map(id))
    let restored = try removed.after.restoring(kit.sections[0], now: later)
    #expect(restored.after.questionIDs == kit.questionIDs)
    #expect(restored.writtenQuestions.count == 5)
  }

  @Test func `what others name can't be removed`() throws {
    var kit = sampleKit()
    kit.sections[1].questions[0].visibleWhen = VisibilityCondition(questionID: id("q2"), equals: .bool(true))
    kit.overallQuestionID = id("q7")
    #expect(kit.issues() == [])
    let subject = kit
    for item in ["q2", "q7", "intro", "depth"] {
      #expect(throws: KitEditError.self, "\(item)") { try subject.removing(id(item), now: later) }
    }
    #expect(throws: Never.self) { try subject.removing(id("q0"), now: later) }
  }

  @Test func `a replacement keeps revisions of what says the same and writes the rest`() throws {
    let kit = sampleKit()
    var draft = kit
    draft.sections[0].questions[1].text = "Reworded?"
    draft.sections[0].questions.append(question("new", .yesNo))
    draft.sections[1].questions.removeLast()
    draft.sections[1].questions.swapAt(0, 1)
    let change = try #require(try kit.replacing(with: draft, now: later))
    #expect(change.after.isOrdered)
    #expect(change.removed == [id("q9")])
    #expect(change.writtenSections == [])
    #expect(change.writtenQuestions.count == 3)
    #expect(Set(change.writtenQuestions).isSuperset(of: [id("q1"), id("new")]))
    #expect(!change.headerChanged)
    #expect(change.after.questionIDs == draft.questionIDs)
    #expect(try change.after.replacing(with: draft, now: later) == nil)
  }

  @Test func `random replacements keep the draft's order with rising keys`() throws {
    var generator = SystemRandomNumberGenerator()
    var kit = sampleKit()
    for _ in 0..<200 {
      var draft = kit
      for row in draft.sections.indices { draft.sections[row].questions.shuffle(using: &generator) }
      draft.sections.shuffle(using: &generator)
      if Bool.random(), let moved = draft.sections[0].questions.popLast() { draft.sections[1].questions.append(moved) }
      guard let change = try kit.replacing(with: draft, now: later) else { continue }
      #expect(change.after.questionIDs == draft.questionIDs)
      #expect(change.after.isOrdered)
      kit = change.after
    }
  }

  @Test func `all that is wrong is listed at once`() {
    var kit = sampleKit()
    kit.title = " "
    kit.language = "not a tag"
    kit.sections[0].questions[0].text = "\u{200B}"
    kit.sections[0].questions[3].kind = .singleSelect([])
    kit.sections[1].questions[2].kind = .rating(scale: id("nope"))
    kit.sections[1].questions[0].visibleWhen = VisibilityCondition(questionID: id("q5"), equals: .number(.integer(1)))
    kit.sections[1].questions[4].id = id("q0")
    kit.overallQuestionID = id("q8")
    let found = kit.issues().map { "\($0.pointer) \($0.code)" }
    #expect(
      Set(found) == [
        "/title empty", "/language invalidLanguage", "/sections/0/questions/0/text empty",
        "/sections/0/questions/3/options tooFew", "/sections/1/questions/2/scale unknownScale",
        "/sections/1/questions/0/visibleWhen/questionId conditionCycle", "/sections/1/questions/4/id duplicateId",
        "/overallQuestionId notAnswerable",
      ])
  }
}
