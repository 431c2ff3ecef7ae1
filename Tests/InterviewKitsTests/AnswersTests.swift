// The persistent map of answers, held to a dictionary.

import TestKit
import Testing

@testable import InterviewKits

@Suite struct AnswersTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func `what a dictionary holds, the map holds`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (answers, model) = (Answers(), [ItemID: Answer]())
    // Copies that were taken on the way stay as they were.
    var copies: [(Answers, [ItemID: Answer])] = []
    for step in 1...4_000 {
      let item = id("q\(random.next() % 700)")
      if random.next() % 3 == 0 {
        #expect(answers[item] == model[item])
        answers[item] = nil
        model[item] = nil
      } else {
        let answer = Answer(itemID: item, revision: step)
        #expect(answers.update(answer) == model.updateValue(answer, forKey: item))
      }
      if step % 500 == 0 { copies.append((answers, model)) }
    }
    copies.append((answers, model))
    for (answers, model) in copies {
      #expect(answers.count == model.count)
      #expect(Set(answers) == Set(model.values) && Array(answers).count == model.count)
      for (item, answer) in model { #expect(answers[item] == answer) }
      let other = Answers(model.values.sorted { $0.itemID < $1.itemID })
      #expect(other == answers && other.hashValue == answers.hashValue)
      #expect(answers[id("none")] == nil)
    }
    #expect(copies[0].0 != copies[1].0)
    for item in model.keys { answers[item] = nil }
    #expect(answers == [:] && answers.count == 0 && Array(answers).isEmpty)
  }

  @Test func `items whose hashes collide, wholly or in all bits but the last, stay apart`() {
    var trie = AnswerTrie.empty
    let hashes = [0, 0, Int.min, Int.min, 1 << 62, -1, -1, Int.max]
    for (number, hash) in hashes.enumerated() {
      #expect(trie.insert(Answer(itemID: id("q\(number)"), revision: number), hash: hash, depth: 0) == nil)
    }
    for (number, hash) in hashes.enumerated() {
      #expect(trie.answer(to: id("q\(number)"), hash: hash, depth: 0)?.revision == number)
      #expect(trie.answer(to: id("other"), hash: hash, depth: 0) == nil)
    }
    for (number, hash) in hashes.enumerated() {
      #expect(trie.remove(id("other"), hash: hash, depth: 0) == nil)
      #expect(trie.remove(id("q\(number)"), hash: hash, depth: 0)?.revision == number)
      #expect(trie.answer(to: id("q\(number)"), hash: hash, depth: 0) == nil)
    }
    if case .empty = trie {} else { Issue.record("the trie is not empty") }
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `progress kept from answer to answer is what a walk counts`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var kit = sampleKit()
    let yes = VisibilityCondition.Value.bool(true)
    kit.sections[1].questions[0].visibleWhen = VisibilityCondition(questionID: id("q2"), equals: yes)
    kit.sections[1].questions[3].visibleWhen = VisibilityCondition(
      questionID: kit.sections[1].questions[0].id, equals: .string("o1"))
    for row in kit.sections.indices {
      for column in kit.sections[row].questions.indices where random.next() % 2 == 0 {
        kit.sections[row].questions[column].required = true
      }
    }
    let snapshot = KitSnapshot(kit)
    let dependents = snapshot.dependents(of: id("q2"))
    #expect(dependents == [kit.sections[1].questions[0].id, kit.sections[1].questions[3].id])
    let values: [AnswerValue?] = [nil, .bool(true), .bool(false), .option(id("o1")), .text("x"), .text(" ")]
    let items = kit.sections.flatMap { $0.questions.flatMap { [$0.id] + $0.criteria.map(\.id) } }
    var (answers, progress) = (Answers(), snapshot.progress(answers: [:]))
    for step in 1...400 {
      let item = items[Int(random.next() % UInt64(items.count))]
      let before = answers
      let value = values[Int(random.next() % UInt64(values.count))]
      answers.update(Answer(itemID: item, content: AnswerContent(value: value), revision: step))
      progress = snapshot.progress(progress, of: item, before: before, after: answers)
      if snapshot.answerTarget(item) != nil {
        #expect(progress == snapshot.progress(answers: answers))
      } else {
        answers = before
      }
    }
  }
}
