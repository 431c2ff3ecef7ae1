// Diffs between revisions, and copies.

import Locks
import Testing

@testable import InterviewKits

@Suite struct KitDiffTests {
  static func kit() -> Kit {
    let orders = OrderKey.sequence(count: 10)
    let questions = (1...10).map { number in
      Question(id: id("q\(number)"), order: orders[number - 1], text: ExactText("Q\(number)?"), kind: .yesNo)
    }
    return Kit(
      id: id("k"), title: "K",
      sections: [
        Section(id: id("s1"), order: OrderKey.sequence(count: 2)[0], title: "One", questions: questions),
        Section(id: id("s2"), order: OrderKey.sequence(count: 2)[1], title: "Two"),
      ], createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0))
  }

  static func id(_ text: String) -> ItemID {
    guard let id = ItemID(text) else { preconditionFailure("'\(text)' is no ID") }
    return id
  }

  @Test func `nothing differs between a kit and itself`() {
    #expect(KitDiff(from: Self.kit(), to: Self.kit()) == KitDiff())
  }

  @Test func `only what was moved has moved`() {
    var new = Self.kit()
    let last = new.sections[0].questions.removeLast()
    new.sections[0].questions.insert(last, at: 2)
    var diff = KitDiff()
    diff.moved = [KitDiff.Item(id: Self.id("q10"), kind: .question, ownerID: Self.id("s1"))]
    #expect(KitDiff(from: Self.kit(), to: new) == diff)
    new.sections[1].questions.append(new.sections[0].questions.remove(at: 0))
    let both = KitDiff(from: Self.kit(), to: new)
    #expect(both.moved.map(\.id.string) == ["q10", "q1"] && both.moved[1].ownerID?.string == "s2")
    #expect(both.added.isEmpty && both.removed.isEmpty)
  }

  @Test func `each difference has its list`() {
    var old = Self.kit()
    old.sections[0].questions[3].kind = .singleSelect([
      Option(id: Self.id("o1"), text: "A"), Option(id: Self.id("o2"), text: "B"), Option(id: Self.id("o3"), text: "C"),
    ])
    old.scales = [Scale(id: Self.id("sc"), title: "S", points: [ScalePoint(id: Self.id("p1"), label: "Low")])]
    var new = old
    new.title = "Other"
    new.status = .archived
    new.scales[0].points[0].label = "High"
    new.sections[1].title = "Second"
    new.sections[0].questions.remove(at: 0)
    new.sections[0].questions[0].text = "Cafe\u{301}?"
    new.sections[0].questions[1].required = true
    new.sections[0].questions[1].help = "Help"
    new.sections[0].questions[2].kind = .singleSelect([
      Option(id: Self.id("o4"), text: "D"), Option(id: Self.id("o3"), text: "C"), Option(id: Self.id("o1"), text: "A!"),
    ])
    new.sections[1].questions = [
      Question(id: Self.id("new"), order: .between(nil, nil), text: "New?", kind: .number)
    ]
    let diff = KitDiff(from: old, to: new)
    #expect(diff.header == ["title", "status"])
    #expect(diff.added.map(\.id.string) == ["o4", "new"] && diff.added.map(\.kind) == [.option, .question])
    #expect(diff.removed.map(\.id.string) == ["q1", "o2"])
    #expect(diff.moved.count == 1 && diff.moved[0].kind == .option)
    #expect(diff.reworded.map(\.item.id.string) == ["p1", "q2", "o1", "s2"])
    #expect(diff.reworded[1].from == "Q2?" && diff.reworded[1].to == "Cafe\u{301}?")
    #expect(diff.changed.map(\.item.id.string) == ["q3"] && diff.changed[0].members == ["help", "required"])
    #expect(diff.retyped.isEmpty)
    let back = KitDiff(from: new, to: old)
    #expect(Set(back.added) == Set(diff.removed) && Set(back.removed) == Set(diff.added))
  }

  @Test func `a copy says the same under new IDs, and names its own items`() {
    var kit = Self.kit()
    kit.scales = [
      Scale(
        id: Self.id("sc"), title: "S",
        points: [ScalePoint(id: Self.id("p1"), label: "Low"), ScalePoint(id: Self.id("p2"), label: "High")])
    ]
    kit.sections[0].questions[0].visibleWhen = VisibilityCondition(questionID: Self.id("q3"), equals: .string("o1"))
    kit.sections[0].questions[1].visibleWhen = VisibilityCondition(questionID: Self.id("q4"), equals: .string("o1"))
    kit.sections[0].questions[2].kind = .singleSelect([Option(id: Self.id("o1"), text: "A")])
    kit.sections[0].questions[3].kind = .shortText(maxLength: 9)
    kit.sections[0].questions[4].kind = .scorecard(
      scale: Self.id("sc"), criteria: [Criterion(id: Self.id("c1"), text: "C")])
    kit.sections[0].questions[5].kind = .rating(scale: Self.id("fourPoint"))
    (kit.overallQuestionID, kit.status) = (Self.id("q6"), .archived)
    let numbers = Counter()
    let copy = kit.copy(id: Self.id("copy"), ids: ItemIDSource { Self.id("n\(numbers.next())") })
    #expect(kit.issues().isEmpty && copy.issues().isEmpty && copy.status == .active && copy.title == kit.title)
    let map = Dictionary(uniqueKeysWithValues: kit.idMap(to: copy).map { ($0.old, $0.new) })
    #expect(map.count == 1 + 2 + 10 + 1 + 1 + 3 && Set(map.values).count == map.count)
    #expect(Set(map.keys).isDisjoint(with: Set(map.values)))
    func new(_ text: String) -> ItemID? { map[Self.id(text)] }
    let questions = copy.sections[0].questions
    #expect(questions[0].visibleWhen?.questionID == new("q3"))
    #expect(questions[0].visibleWhen?.equals == .string(ExactText(new("o1")?.string ?? "")))
    #expect(questions[1].visibleWhen?.questionID == new("q4") && questions[1].visibleWhen?.equals == .string("o1"))
    #expect(questions[4].scaleID == new("sc") && questions[4].criteria[0].id == new("c1"))
    #expect(questions[5].scaleID?.string == "fourPoint" && copy.overallQuestionID == new("q6"))
    #expect(questions.map(\.text) == kit.sections[0].questions.map(\.text))
  }
}

private final class Counter: Sendable {
  private let value = Lock(0)
  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
