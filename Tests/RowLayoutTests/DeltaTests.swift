// What an answer write changes: only the rows that really did, whatever else is in the list.

import InterviewKits
import JSON
import RowLayout
import TestKit
import Testing

struct DeltaTests {
  private static let paragraph = ExactText(String(repeating: "They explained it well. ", count: 30))

  /// `hidden` and its scorecard show when `yes` is true; `deep` when `hidden` says "go".
  private static let kit = Fixture.kit([
    [
      Fixture.question("yes", "Again?", .yesNo), Fixture.question("long", "Why?"),
      Fixture.question(
        "hidden", "Say go", .shortText(maxLength: 10), when: .init(questionID: Fixture.id("yes"), equals: .bool(true))),
      Fixture.question(
        "card", "Card",
        .scorecard(scale: Fixture.id("fourPoint"), criteria: [.init(id: Fixture.id("c1"), text: "Depth")]),
        when: .init(questionID: Fixture.id("yes"), equals: .bool(true))),
      Fixture.question("deep", "Deep", when: .init(questionID: Fixture.id("hidden"), equals: .string("go"))),
      Fixture.question("last", "Last"),
    ]
  ])

  private func delta(
    _ before: Answers, _ after: Answers, changed: Set<ItemID>, _ query: String = "profile=ios&width=375"
  ) throws -> LayoutDelta {
    try Fixture.newEngine().delta(
      kit: Self.kit, before: Fixture.evaluation(before, revision: 1), after: Fixture.evaluation(after, revision: 2),
      changed: changed, viewport: try Fixture.viewport(query))
  }

  @Test func `a longer answer changes its row alone, by what it grew`() throws {
    let before = Fixture.answers(Fixture.answer("long", .text("Short")))
    let after = Fixture.answers(Fixture.answer("long", .text(Self.paragraph)))
    for changed in [["long"], ["long", "yes", "last", "gone"]].map({ Set($0.map(Fixture.id)) }) {
      let delta = try delta(before, after, changed: changed)
      #expect(delta.heightChanged)
      #expect(delta.changed.map(\.id.string) == ["long"])
      #expect(delta.inserted.isEmpty && delta.removed.isEmpty)
      let layouts = try [before, after].map {
        try Fixture.engine.get().layout(of: Self.kit, answers: $0, viewport: delta.viewport)
      }
      #expect(delta.contentPixels == layouts[1].contentPixels)
      #expect(delta.changed[0].heightDelta == layouts[1].contentPixels - layouts[0].contentPixels)
      #expect(delta.changed[0].height == layouts[1].rows[2].height)
      #expect(delta.fingerprint == layouts[1].fingerprint)
    }
  }

  @Test func `a letter more that needs no line more changes nothing`() throws {
    let before = Fixture.answers(Fixture.answer("long", .text("Good")))
    let after = Fixture.answers(Fixture.answer("long", .text("Good.")))
    let delta = try delta(before, after, changed: [Fixture.id("long")])
    #expect(!delta.heightChanged)
    #expect(delta.changed.isEmpty)
  }

  @Test func `an answer that shows questions inserts their rows after their neighbours, criteria too`() throws {
    let before: Answers = [:]
    let yes = Fixture.answer("yes", .bool(true))
    let first = try delta(before, Fixture.answers(yes), changed: [Fixture.id("yes")])
    #expect(first.inserted.map(\.row.id.string) == ["hidden", "card", "c1"])
    #expect(first.inserted.map(\.after?.string) == ["long", "hidden", "card"])
    #expect(first.inserted[2].row.kind == .criterion)
    let both = Fixture.answers(yes, Fixture.answer("hidden", .text("go")))
    let second = try delta(Fixture.answers(yes), both, changed: [Fixture.id("hidden")])
    #expect(second.inserted.map(\.row.id.string) == ["deep"])
    #expect(second.inserted[0].after == Fixture.id("c1"))
    let hidden = try delta(both, Fixture.answers(Fixture.answer("hidden", .text("go"))), changed: [Fixture.id("yes")])
    #expect(hidden.removed.map(\.string) == ["hidden", "card", "c1", "deep"])
    #expect(hidden.heightChanged)
  }

  @Test func `applied to the layout before, a delta gives the layout after`() throws {
    var generator = SeededGenerator(seed: 5)
    let engine = try Fixture.newEngine()
    var (before, revision) = (Fixture.answers(), 1)
    for query in LayoutTests.queries {
      let viewport = try Fixture.viewport(query)
      for _ in 0..<12 {
        var after = before
        let id = ["yes", "long", "hidden", "last", "c1"].randomElement(using: &generator)!
        after.update(answer(id, &generator))
        let delta = engine.delta(
          kit: Self.kit, before: Fixture.evaluation(before, revision: revision),
          after: Fixture.evaluation(after, revision: revision + 1), changed: [Fixture.id(id)], viewport: viewport)
        try check(delta, of: Self.kit, from: before, to: after)
        (before, revision) = (after, revision + 1)
      }
    }
  }

  /// Writes that follow each other, with gaps between, given again, out of order, in batches, of two evaluations.
  @Test func `deltas of a kit full of conditions are right in any order`() throws {
    var generator = SeededGenerator(seed: 17)
    let kit = Self.conditioned(&generator)
    let engine = try Fixture.newEngine()
    let viewport = try Fixture.viewport("profile=web&width=320")
    var history: [String: [Answers]] = ["e": [[:]], "f": [[:]]]
    for step in 0..<400 {
      let id = step % 3 == 0 ? "f" : "e"
      var steps = history[id, default: []]
      var after = steps[steps.count - 1]
      var changed: Set<ItemID> = []
      for _ in 0...(generator.next() % 3) {
        let place = Int(generator.next() % 60)
        let text = generator.text(scalars: Int(generator.next() % 120))
        let answer =
          place % 4 == 0
          ? Fixture.answer("q\(place)", .bool(generator.next() % 2 == 0))
          : Fixture.answer("q\(place)", .text(ExactText(text)))
        after.update(answer)
        changed.insert(answer.itemID)
      }
      steps.append(after)
      history[id] = steps
      // Now and then an older write's reply is made late, or one is never asked for.
      if generator.next() % 5 == 0 { continue }
      let place = generator.next() % 7 == 0 ? Int(generator.next() % UInt64(steps.count - 1)) + 1 : steps.count - 1
      let everything = Set((0..<60).map { Fixture.id("q\($0)") })
      let delta = engine.delta(
        kit: kit, before: Fixture.evaluation(steps[place - 1], revision: place, id: id),
        after: Fixture.evaluation(steps[place], revision: place + 1, id: id),
        changed: place == steps.count - 1 ? changed : everything, viewport: viewport)
      try check(delta, of: kit, from: steps[place - 1], to: steps[place])
    }
  }

  /// Given again, a write tells the change of its own answer in the evaluation as it stands.
  @Test func `a delta that is given again is the same`() throws {
    let engine = try Fixture.newEngine()
    let viewport = try Fixture.viewport("profile=ios&width=375")
    let after = Fixture.answers(Fixture.answer("long", .text(Self.paragraph)))
    func delta(since revision: Int) -> LayoutDelta {
      engine.delta(
        kit: Self.kit, before: Fixture.evaluation([:], revision: revision),
        after: Fixture.evaluation(after, revision: 7), changed: [Fixture.id("long")], viewport: viewport)
    }
    let first = delta(since: 6)
    #expect(first.heightChanged && delta(since: 7) == first && delta(since: 6) == first)
  }

  /// Sixty questions; every fourth is a yes or no that shows some that follow, scorecards among them.
  private static func conditioned(_ generator: inout SeededGenerator) -> KitSnapshot {
    let questions = (0..<60).map { place in
      let gate = place / 4 * 4 - (place % 4 == 0 ? 8 : 0)
      let condition =
        gate < 0 || generator.next() % 3 == 0
        ? nil : VisibilityCondition(questionID: Fixture.id("q\(gate)"), equals: .bool(generator.next() % 2 == 0))
      let own = place % 4 == 0 ? nil : condition
      let kind: Question.Kind =
        switch place % 4 {
        case 0: .yesNo
        case 3:
          .scorecard(
            scale: Fixture.id("fourPoint"),
            criteria: (0..<2).map { .init(id: Fixture.id("c\(place).\($0)"), text: "Depth") })
        default: .longText(maxLength: 20_000)
        }
      return Fixture.question("q\(place)", "Question \(place)", kind, when: place % 8 == 4 ? condition : own)
    }
    return Fixture.kit([Array(questions[..<30]), Array(questions[30...])])
  }

  /// What a client makes of the delta is what is laid out anew.
  private func check(_ delta: LayoutDelta, of kit: KitSnapshot, from before: Answers, to after: Answers) throws {
    let layouts = try [before, after].map {
      try Fixture.engine.get().layout(of: kit, answers: $0, viewport: delta.viewport)
    }
    #expect(apply(delta, to: layouts[0]) == layouts[1].rows.map { "\($0.id) \($0.height)" })
    #expect(delta.contentPixels == layouts[1].contentPixels)
    let old = Dictionary(uniqueKeysWithValues: layouts[0].rows.map { ($0.id, $0.height) })
    for change in delta.changed { #expect(change.heightDelta == change.height - (old[change.id] ?? 0)) }
    for insertion in delta.inserted { #expect(layouts[1].rows.contains(insertion.row)) }
  }

  private func answer(_ id: String, _ generator: inout SeededGenerator) -> Answer {
    switch id {
    case "yes": Fixture.answer(id, .bool(generator.next() % 2 == 0), comment: "Because")
    case "hidden": Fixture.answer(id, .text(generator.next() % 2 == 0 ? "go" : "stay"))
    case "c1": Fixture.answer(id, nil, notAssessed: generator.next() % 2 == 0)
    default: Fixture.answer(id, .text(ExactText(generator.text(scalars: Int(generator.next() % 300)))))
    }
  }

  /// What a client does with a delta.
  private func apply(_ delta: LayoutDelta, to layout: Layout) -> [String] {
    var rows = layout.rows.map { (id: $0.id, height: $0.height) }
    rows.removeAll { delta.removed.contains($0.id) }
    for change in delta.changed {
      guard let place = rows.firstIndex(where: { $0.id == change.id }) else { continue }
      rows[place].height += change.heightDelta
    }
    for insertion in delta.inserted {
      let place = insertion.after.flatMap { after in rows.firstIndex { $0.id == after } }.map { $0 + 1 } ?? 0
      rows.insert((insertion.row.id, insertion.row.height), at: place)
    }
    return rows.map { "\($0.id) \($0.height)" }
  }

  @Test func `a delta is written as the API shows it`() throws {
    let answers = Fixture.answers(Fixture.answer("yes", .bool(true), comment: "Sure"))
    let delta = try delta([:], answers, changed: [Fixture.id("yes")])
    let json = try Fixture.json { LayoutJSON.write(delta, to: &$0) }
    guard case .object(let members) = json, case .array(let inserted)? = json["inserted"],
      case .array(let changed)? = json["changed"]
    else { throw TestFailure("no delta") }
    #expect(
      members.map(\.name) == [
        "fingerprint", "viewport", "heightChanged", "contentHeight", "changed", "inserted", "removed",
      ])
    #expect(json["heightChanged"] == .bool(true))
    #expect(changed[0]["id"] == .string("yes"))
    #expect(changed[0]["heightDelta"] != nil && changed[0]["height"] != nil)
    #expect(inserted[0]["after"] == .string("long"))
    #expect(inserted[0]["row"]?["kind"] == .string("shortText"))
  }

  @Test func `a layout is written as the API shows it, in full double precision`() throws {
    let engine = try Fixture.engine.get()
    let layout = engine.layout(of: Fixture.allTypes, viewport: try Fixture.viewport("profile=ios&width=375"))
    let json = try Fixture.json { LayoutJSON.write(layout, evaluationID: Fixture.id("e"), parts: true, to: &$0) }
    #expect(json["kitId"] == .string("k"))
    #expect(json["evaluationId"] == .string("e"))
    #expect(json["viewport"]?["profile"] == .string("ios@1"))
    #expect(json["viewport"]?["contentSize"] == .string("large"))
    guard case .array(let rows)? = json["rows"], case .number(let total)? = json["contentHeight"] else {
      throw TestFailure("no rows")
    }
    var end = 0.0
    for row in rows {
      guard case .number(let y)? = row["y"], case .number(let height)? = row["height"],
        case .array(let parts)? = row["parts"], let top = y.double, let length = height.double
      else { throw TestFailure("no geometry") }
      #expect((top * 3).rounded() == end)
      #expect((top * 3).rounded() / 3 == top)
      #expect((length * 3).rounded() / 3 == length)
      #expect(!parts.isEmpty)
      end = ((top + length) * 3).rounded()
    }
    #expect(total.double == end / 3)
    #expect(try Fixture.json { LayoutJSON.write(layout, to: &$0) }["evaluationId"] == nil)
  }

  @Test func `profiles are written whole and in short`() throws {
    for profile in try Fixture.profiles.get().all {
      let whole = try Fixture.json { LayoutJSON.write(profile, to: &$0) }
      #expect(whole["id"] == .string(profile.qualifiedName))
      #expect(whole["textSize"]?["kind"] != nil)
      #expect(whole["strings"]?["ko"]?["yes"] == .string("예"))
      let short = try Fixture.json { LayoutJSON.writeSummary(profile, to: &$0) }
      #expect(short["name"] == .string(profile.name))
      #expect(short["strings"] == nil)
    }
  }
}
