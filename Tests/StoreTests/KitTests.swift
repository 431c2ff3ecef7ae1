// Kits in the store: created, edited by item, read at every revision, removed and restored.
import InterviewKits
import SQLDatabase
import Testing

@testable import Store

@Suite(.onBothDatabases) struct KitTests {
  @Test func `a kit of every question type comes back as it was, also after a restart`() async throws {
    let test = try TestStore.make()
    let kit = Kit.everything()
    let written = try await test.create(kit)
    #expect(written.outcome == .created && written.sequence == 1)
    #expect(try test.kit("all").withoutTimes == kit)
    try await test.reopen()
    let read = try test.kit("all")
    #expect(read.withoutTimes == kit)
    #expect(read == written.snapshot.kit)
    #expect(read.sections[0].questions[3].options[1].text.string.unicodeScalars.count == 5)
  }

  @Test func `an empty kit is a kit`() async throws {
    let test = try TestStore.make()
    var kit = Kit.sample()
    kit.sections = []
    try await test.create(kit)
    try await test.evaluate("k1")
    try await test.reopen()
    #expect(try test.kit("k1").sections.isEmpty)
    #expect(try test.evaluation("e1").summary.progress == Progress())
    #expect(try test.store.screen("e1", for: TestStore.caller).snapshot.kit.id == "k1")
  }

  @Test func `every revision stays readable, before and after a restart`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample())
    var revisions = [try test.kit("k1")]
    func change(_ edit: @escaping @Sendable (Kit, Timestamp) throws(KitEditError) -> KitChange?) async throws {
      revisions.append(try await test.change("k1", edit: edit).snapshot.kit)
    }
    try await change { (kit, now) throws(KitEditError) in
      var question = kit.sections[0].questions[0]
      question.text = "Reworded"
      return try kit.updating(question, now: now)
    }
    try await change { (kit, now) throws(KitEditError) in try kit.removing("q2", now: now) }
    try await change { (kit, now) throws(KitEditError) in
      try kit.movingQuestion("q3", to: nil, at: .first, now: now)
    }
    try await change { (kit, now) throws(KitEditError) in
      let section = Section(id: "s2", order: .between(nil, nil), title: "More", questions: [.yesNo("q9")])
      return try kit.inserting(section, at: .first, now: now)
    }
    try await change { (kit, now) throws(KitEditError) in
      var header = kit
      (header.title, header.language, header.status) = ("Renamed", "ja", .archived)
      header.scales = [Scale(id: "x", title: "X", points: [.init(id: "x1", label: "1"), .init(id: "x2", label: "2")])]
      return try kit.updatingHeader(header, now: now)
    }
    try await change { (kit, now) throws(KitEditError) in try kit.removing("s2", now: now) }
    for restarted in [false, true] {
      if restarted { try await test.reopen() }
      for kit in revisions {
        #expect(try test.store.kit("k1", revision: kit.revision, for: TestStore.caller).kit == kit)
      }
    }
    #expect(revisions.map(\.revision) == Array(1...7))
    #expect(throws: StoreError.self) { try test.store.kit("k1", revision: 8, for: TestStore.caller) }
  }

  @Test func `moving question 10 to place 3 moves that one only, also after a restart`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 10))
    try await test.change("k1", item: "q10", .revisions([1])) { (kit, now) throws(KitEditError) in
      try kit.movingQuestion("q10", to: nil, at: .after("q2"), now: now)
    }
    let order = ["q1", "q2", "q10", "q3", "q4", "q5", "q6", "q7", "q8", "q9"]
    #expect(try test.kit("k1").questionIDs == order)
    try await test.reopen()
    #expect(try test.kit("k1").questionIDs == order)
    #expect(try test.kit("k1").sections[0].questions.map(\.revision) == [1, 1, 2, 1, 1, 1, 1, 1, 1, 1])
  }

  @Test func `a move that changes nothing passes whatever was seen, one behind what is gone never`() async throws {
    let test = try TestStore.make()
    var kit = Kit.sample(questions: 3)
    kit.sections.append(Section(id: "s2", order: .between(kit.sections[0].order, nil), title: "Two"))
    kit.sections.append(Section(id: "s3", order: .between(kit.sections[1].order, nil), title: "Three"))
    try await test.create(kit)
    try await test.reword("q1", in: "k1")
    for gone: ItemID in ["q3", "s3"] {
      try await test.change("k1") { (kit, now) throws(KitEditError) in try kit.removing(gone, now: now) }
    }
    let moves: [(item: ItemID, gone: ItemID, seen: Int)] = [("q1", "q3", 2), ("s1", "s3", 1)]
    for (item, gone, seen) in moves {
      func move(_ place: Place, _ precondition: Precondition) async throws -> WriteOutcome {
        try await test.change("k1", item: item, precondition) { (kit, now) throws(KitEditError) in
          item == "q1"
            ? try kit.movingQuestion(item, to: nil, at: place, now: now)
            : try kit.movingSection(item, to: place, now: now)
        }.outcome
      }
      for precondition in [Precondition.none, .createOnly, .revisions([9]), .revisions([seen]), .exists] {
        #expect(try await move(.first, precondition) == .unchanged)
      }
      await expect(.preconditionRequired) { try await move(.after(gone), .none) }
      await expect(.preconditionFailed) { try await move(.after(gone), .revisions([9])) }
      await expect(.invalid) { try await move(.after(gone), .revisions([seen])) }
      await expect(.invalid) { try await move(.after(gone), .exists) }
    }
    #expect(try test.kit("k1").revision == 4)
  }

  @Test func `an edit writes the rows that it changes and no others`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 500))
    let outsider = try test.outsider()
    defer { outsider.close() }
    func rows() throws -> [Int] {
      try ["question", "section", "item", "kit_header", "kit_revision"].map {
        try outsider.first("SELECT COUNT(*) FROM \($0)")?.integer(0) ?? 0
      }
    }
    let before = try rows()
    try await test.reword("q250")
    #expect(zip(try rows(), before).map { $0 - $1 } == [1, 0, 0, 0, 1])
  }

  @Test func `replacing a kit is one revision, keeps what has the same ID, and leaves tombstones of the rest`()
    async throws
  {
    let test = try TestStore.make()
    try await test.create(.sample())
    var draft = Kit.sample(title: "Second")
    draft.sections[0].questions.remove(at: 1)
    draft.sections[0].questions.append(.yesNo("q4"))
    let put = { (precondition: Precondition) async throws(StoreError) in
      try await test.store.putKit(draft, precondition: precondition, by: TestStore.author)
    }
    await expect(.preconditionRequired) { try await put(.none) }
    await expect(.preconditionFailed) { try await put(.revisions([7])) }
    let written = try await put(.revisions([1]))
    #expect(written.outcome == .changed && written.sequence == 3)
    #expect(try test.kit("k1").questionIDs == ["q1", "q3", "q4"])
    #expect(try test.kit("k1").sections[0].questions.map(\.revision) == [1, 1, 2])
    #expect(try test.changes().map(\.kind) == [.kitCreated, .questionDeleted, .kitChanged])
    let again = try await put(.none)
    #expect(again.outcome == .unchanged && again.snapshot.kit.revision == 2)
    try await test.reopen()
    #expect(try test.kit("k1") == written.snapshot.kit)
  }

  @Test func `a refused import stores nothing, and the repaired one everything`() async throws {
    let test = try TestStore.make()
    var kit = Kit.sample(questions: 100)
    kit.sections[0].questions[56].text = " "
    await expect(.invalid) { try await test.create(kit) }
    #expect(try test.changes().isEmpty)
    #expect(try test.store.kits(KitQuery(), for: TestStore.caller).items.isEmpty)
    kit.sections[0].questions[56].text = "Repaired"
    try await test.create(kit)
    #expect(try test.kit("k1").questionCount == 100)
  }
}

@Suite(.onBothDatabases) struct KitIdentityTests {
  @Test func `an ID that was used is never used for something else`() async throws {
    let test = try TestStore.make()
    var kit = Kit.everything()
    kit.overallQuestionID = nil
    try await test.create(kit)
    await expect(.idTaken) { try await test.create(.everything()) }
    try await test.change("all") { (kit, now) throws(KitEditError) in try kit.removing("q5", now: now) }
    for id in ["q5", "o3"] as [ItemID] {
      await expect(.deletedID) {
        try await test.change("all", item: id, .none) { (kit, now) throws(KitEditError) in
          try kit.inserting(.yesNo(id), in: nil, at: .last, now: now)
        }
      }
    }
    // The same within one replacement: an option's ID can't wander to another question.
    await expect(.idTaken) {
      try await test.change("all") { (kit, now) throws(KitEditError) in
        var draft = kit
        draft.sections[0].questions[3].kind = .singleSelect([Option(id: "o1", text: "1"), Option(id: "o5", text: "5")])
        draft.sections[0].questions[6].visibleWhen = nil
        draft.sections[1].questions = [
          Question(
            id: "q20", order: .between(nil, nil), text: "New",
            kind: .singleSelect([Option(id: "o2", text: "2"), Option(id: "o6", text: "6")]))
        ]
        return try kit.replacing(with: draft, now: now)
      }
    }
    #expect(try test.kit("all").revision == 2)
  }

  @Test func `an option that left a question may come back to it`() async throws {
    let test = try TestStore.make()
    try await test.create(.everything())
    for options in [["o3", "o9"], ["o3", "o4", "o9"]] as [[ItemID]] {
      try await test.change("all") { (kit, now) throws(KitEditError) in
        var question = kit.sections[0].questions[4]
        question.kind = .multiSelect(options.map { Option(id: $0, text: ExactText($0.string)) })
        return try kit.updating(question, now: now)
      }
    }
    try await test.reopen()
    #expect(try test.kit("all").sections[0].questions[4].options.map(\.id.string) == ["o3", "o4", "o9"])
  }

  @Test func `a removed question is restored whole at its old place`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 4))
    let before = try test.kit("k1")
    try await test.change("k1", item: "q2", .revisions([1])) { (kit, now) throws(KitEditError) in
      try kit.removing("q2", now: now)
    }
    try await test.reopen()
    let trash = try test.store.deletedItems(of: "k1", for: TestStore.caller)
    #expect(trash.map(\.id) == ["q2"] && trash[0].deletedRevision == 2)
    let restored = try await test.store.restoreItem("q2", inKit: "k1", by: TestStore.author)
    #expect(restored.snapshot.kit.questionIDs == ["q1", "q2", "q3", "q4"])
    let question = try #require(restored.snapshot.question("q2")?.question)
    #expect(question.hasSameContent(as: before.sections[0].questions[1]) && question.revision == 3)
    #expect(try test.store.deletedItems(of: "k1", for: TestStore.caller).isEmpty)
    let again = try await test.store.restoreItem("q2", inKit: "k1", by: TestStore.author)
    #expect(again.outcome == .unchanged)
    #expect(try test.changes().map(\.kind) == [.kitCreated, .questionDeleted, .questionRestored])
    await expect(.notFound) { try await test.store.restoreItem("q77", inKit: "k1", by: TestStore.author) }
  }

  @Test func `a removed section is restored with the questions that went with it`() async throws {
    let test = try TestStore.make()
    var kit = Kit.sample(questions: 3)
    kit.sections.append(Section(id: "s2", order: OrderKey.between(kit.sections[0].order, nil), title: "Two"))
    try await test.create(kit)
    try await test.change("k1") { (kit, now) throws(KitEditError) in try kit.removing("q1", now: now) }
    try await test.change("k1") { (kit, now) throws(KitEditError) in try kit.removing("s1", now: now) }
    await expect(.conflict) { try await test.store.restoreItem("q1", inKit: "k1", by: TestStore.author) }
    try await test.reopen()
    let trash = try test.store.deletedItems(of: "k1", for: TestStore.caller)
    #expect(trash.map(\.id) == ["s1", "q1"])
    try await test.store.restoreItem("s1", inKit: "k1", by: TestStore.author)
    #expect(try test.kit("k1").sections.map(\.id) == ["s1", "s2"])
    #expect(try test.kit("k1").questionIDs == ["q2", "q3"])
    try await test.store.restoreItem("q1", inKit: "k1", by: TestStore.author)
    try await test.reopen()
    #expect(try test.kit("k1").questionIDs == ["q1", "q2", "q3"])
  }

  @Test func `what is restored as something else stays where it is`() async throws {
    let test = try TestStore.make()
    try await test.create(.sample(questions: 3))
    func restore(_ item: ItemID, _ kind: TrashKind) async throws {
      try await test.store.restoreItem(item, kind, inKit: "k1", by: TestStore.author)
    }
    await expect(.notFound) { try await restore("q1", .section) }
    await expect(.notFound) { try await restore("s1", .question) }
    try await test.change("k1") { (kit, now) throws(KitEditError) in try kit.removing("q1", now: now) }
    await expect(.notFound) { try await restore("q1", .section) }
    try await test.change("k1") { (kit, now) throws(KitEditError) in try kit.removing("s1", now: now) }
    await expect(.notFound) { try await restore("s1", .question) }
    await expect(.notFound) { try await restore("q2", .section) }
    #expect(try test.kit("k1").revision == 3)
    try await restore("s1", .section)
    try await restore("q1", .question)
    #expect(try test.kit("k1").questionIDs == ["q1", "q2", "q3"])
  }

  @Test func `a kit goes to the trash and comes back whole`() async throws {
    let test = try TestStore.make()
    try await test.create(.everything())
    let delete = { (precondition: Precondition) async throws(StoreError) in
      try await test.store.deleteKit("all", precondition: precondition, by: TestStore.author)
    }
    await expect(.preconditionRequired) { try await delete(.none) }
    _ = try await delete(.revisions([1]))
    for restarted in [false, true] {
      if restarted { try await test.reopen() }
      #expect(test.store.currentKitIfCached("all", of: Store.defaultAccount) == nil)
      await expect(.notFound) { try test.kit("all") }
      await expect(.deletedID) { try await test.create(.everything()) }
      await expect(.notFound) { try await test.change("all") { $0.restoringNothing($1) } }
      #expect(try test.store.kits(KitQuery(), for: TestStore.caller).items.isEmpty)
      #expect(try test.store.kits(KitQuery(deleted: true), for: TestStore.caller).items.map(\.id) == ["all"])
    }
    let restored = try await test.store.restoreKit("all", by: TestStore.author)
    #expect(restored.snapshot.kit.revision == 3)
    var expected = Kit.everything()
    expected.revision = 3
    #expect(try test.kit("all").withoutTimes == expected)
    #expect(try await test.store.restoreKit("all", by: TestStore.author).outcome == .unchanged)
  }
}
