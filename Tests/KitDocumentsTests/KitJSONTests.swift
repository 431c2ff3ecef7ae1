// Kits as JSON documents: round trips, all errors at once, and merge patches.

import InterviewKits
import JSON
import KitDocuments
import Testing

@Suite struct KitJSONTests {
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a kit that was read can be sent back and changes nothing`(seed: UInt64) throws {
    var kits = RandomKits(seed: seed)
    let kit = kits.kit()
    try #require(kit.issues() == [])
    let document = try json(text { KitJSON.write(kit, to: &$0) })
    let again = try KitJSON.decodeKit(document, id: kit.id, now: now, ids: countingIDs())
    #expect(again == kit)
    let (patched, replacesSections) = try KitJSON.patch(kit, with: .object([]), ids: countingIDs())
    #expect(patched == kit)
    #expect(!replacesSections)
    for section in kit.sections {
      #expect(try KitJSON.patch(section, with: .object([])) == section)
      for question in section.questions {
        #expect(try KitJSON.patch(question, with: .object([]), ids: countingIDs()) == question)
      }
    }
  }

  @Test func `IDs, sections and settings may be left out`() throws {
    let kit = try KitJSON.decodeKit(
      json(#"{"title":"T","sections":[{"title":"S","questions":[{"type":"yesNo","text":"Q"}]}]}"#), id: nil, now: now,
      ids: countingIDs())
    #expect(kit.status == .active)
    #expect(kit.visibility == .afterOwnSubmission)
    #expect(kit.sections[0].questions[0].type == .yesNo)
    #expect(Set([kit.id, kit.sections[0].id, kit.sections[0].questions[0].id]).count == 3)
    #expect(kit.createdAt == now)
    let empty = try KitJSON.decodeKit(json(#"{"title":"T"}"#), id: id("k"), now: now, ids: countingIDs())
    #expect(empty.id == id("k"))
    #expect(empty.sections == [])
  }

  @Test func `everything that is wrong is listed once with its pointer`() throws {
    let document = try json(
      """
      {"id":"k 1","titel":"T","status":"open","language":"?","scales":[{"title":"S","points":[{"label":"one"},5]}],
       "sections":[
        {"title":"","questions":[
          {"text":"Q","type":"essay","options":[]},
          {"text":5,"type":"longText","maxLength":1.5,"options":[{"text":"x"}]},
          {"text":"Q\\u0000","type":"rating"},
          {"text":"Q","type":"singleSelect","options":[{"text":""},{"text":"a","extra":1}],"required":"yes"},
          {"text":"Q","type":"yesNo","visibleWhen":{"questionId":"q","equals":[1]}}]},
        "no section"]}
      """)
    #expect(
      issues { _ = try KitJSON.decodeKit(document, id: nil, now: now, ids: countingIDs()) } == [
        "/id invalidId", "/titel unknownMember", "/status invalidValue", "/language invalidLanguage",
        "/scales/0/points/1 wrongType", "/sections/0/title empty", "/sections/0/questions/0/type invalidValue",
        "/sections/0/questions/1/text wrongType", "/sections/0/questions/1/maxLength wrongType",
        "/sections/0/questions/1/options notOfThisType", "/sections/0/questions/2/text containsNUL",
        "/sections/0/questions/2/scale missingMember", "/sections/0/questions/3/options/0/text empty",
        "/sections/0/questions/3/options/1/extra unknownMember", "/sections/0/questions/3/required wrongType",
        "/sections/0/questions/4/visibleWhen/equals wrongType", "/sections/1 wrongType", "/title missingMember",
      ])
  }

  @Test func `a reply to a creation can be sent back`() throws {
    let body = try json(#"{"id":"k","title":"T","revision":1,"importReport":{"questions":0}}"#)
    #expect(try KitJSON.decodeKit(body, id: id("k"), now: now, ids: countingIDs()).title == "T")
  }

  @Test func `more than a kit may hold is refused without being read`() throws {
    let section = #"{"title":"S","questions":[\#(Array(repeating: "{}", count: 2_600).joined(separator: ","))]}"#
    let body = try json(#"{"title":"T","sections":[\#(section),\#(section)]}"#)
    #expect(issues { _ = try KitJSON.decodeKit(body, id: nil, now: now, ids: countingIDs()) } == ["/sections tooMany"])
    let options = Array(repeating: "{}", count: 201).joined(separator: ",")
    let question = try json(#"{"type":"multiSelect","text":"Q","options":[\#(options)]}"#)
    #expect(issues { _ = try KitJSON.decodeQuestion(question, id: nil, ids: countingIDs()) } == ["/options tooMany"])
  }

  @Test func `an ID in the document must be that of the address`() throws {
    let document = try json(#"{"id":"a","title":"T"}"#)
    #expect(
      issues { _ = try KitJSON.decodeKit(document, id: id("b"), now: now, ids: countingIDs()) } == ["/id idMismatch"])
  }

  @Test func `a kit that is no object is refused`() throws {
    for text in ["[]", "5", "\"kit\"", "null"] {
      let document = try json(text)
      #expect(issues { _ = try KitJSON.decodeKit(document, id: nil, now: now, ids: countingIDs()) } == [" wrongType"])
    }
  }

  @Test func `a new question and a move name their place`() throws {
    let body = #"{"type":"note","text":"N","sectionId":"s","after":null}"#
    let new = try KitJSON.decodeQuestion(json(body), id: id("q"), ids: countingIDs())
    #expect(new.question.id == id("q"))
    #expect(new.sectionID == id("s"))
    #expect(new.place == .first)
    #expect(
      try KitJSON.decodeQuestion(json(#"{"type":"note","text":"N"}"#), id: nil, ids: countingIDs()).place == .last)
    #expect(
      try KitJSON.decodeSection(json(#"{"title":"N","after":"s"}"#), id: nil, ids: countingIDs()).place
        == .after(id("s")))
    let move = try KitJSON.decodeMove(json(#"{"sectionId":"s","after":"q1"}"#))
    #expect(move.sectionID == id("s"))
    #expect(move.place == .after(id("q1")))
    #expect(
      issues { _ = try KitJSON.decodeMove(json(#"{"index":3}"#)) } == ["/after missingMember", "/index unknownMember"])
  }
}

@Suite struct KitPatchTests {
  private let question = Question(
    id: id("q"), revision: 4, order: .between(nil, nil), text: "Text", help: "n", required: true,
    kind: .singleSelect([Option(id: id("o1"), text: "A"), Option(id: id("o2"), text: "B")]))

  @Test(
    arguments: [
      ("{}", "n"), (#"{"help":null}"#, nil), (#"{"help":""}"#, ""), (#"{"help":"m"}"#, "m"), (#"{"revision":9}"#, "n"),
    ] as [(String, String?)])
  func `absent stays and null clears`(patch: String, help: String?) throws {
    let after = try KitJSON.patch(question, with: json(patch), ids: countingIDs())
    #expect(after.help?.string == help)
    #expect(after.revision == 4)
    #expect(after.text == question.text)
  }

  @Test func `a patched list replaces the whole list`() throws {
    let patch = try json(#"{"options":[{"id":"o2","text":"B2"},{"text":"C"}],"required":null}"#)
    let after = try KitJSON.patch(question, with: patch, ids: countingIDs())
    #expect(after.options == [Option(id: id("o2"), text: "B2"), Option(id: id("new1"), text: "C")])
    #expect(!after.required)
  }

  @Test(arguments: [
    (#"{"text":null}"#, ["/text missingMember"]), (#"{"nope":1}"#, ["/nope unknownMember"]),
    (#"{"type":"yesNo"}"#, ["/type typeChanged"]), (#"{"maxLength":5}"#, ["/maxLength notOfThisType"]),
    (#"{"sectionId":"s","after":null}"#, ["/sectionId notPatchable", "/after notPatchable"]),
    (#"{"id":"other"}"#, ["/id idMismatch"]), ("[]", [" wrongType"]),
  ])
  func `what a patch of a question can't say is refused`(patch: String, expected: [String]) throws {
    #expect(issues { _ = try KitJSON.patch(question, with: json(patch), ids: countingIDs()) } == expected)
  }

  @Test func `a kit's patch reaches its own members and replaces sections only when it names them`() throws {
    var kits = RandomKits(seed: 11)
    var kit = kits.kit()
    (kit.instructions, kit.overallQuestionID) = ("old", nil)
    kit.sections = [Section(id: id("s"), revision: 3, order: .between(nil, nil), title: "S", questions: [question])]
    let renamed = try KitJSON.patch(kit, with: json(#"{"title":"New","instructions":null}"#), ids: countingIDs())
    #expect(renamed.kit.title == "New")
    #expect(renamed.kit.instructions == nil)
    #expect(renamed.kit.sections == kit.sections)
    #expect(!renamed.replacesSections)
    let emptied = try KitJSON.patch(kit, with: json(#"{"sections":[{"id":"t","title":"T"}]}"#), ids: countingIDs())
    #expect(emptied.replacesSections)
    #expect(emptied.kit.sections.map(\.id) == [id("t")])
    #expect(
      issues { _ = try KitJSON.patch(kit, with: json(#"{"title":null,"status":"x","more":1}"#), ids: countingIDs()) }
        == [
          "/title missingMember", "/status invalidValue", "/more unknownMember",
        ])
  }

  @Test func `a section's patch leaves its questions`() throws {
    let section = Section(id: id("s"), revision: 3, order: .between(nil, nil), title: "S", questions: [question])
    let after = try KitJSON.patch(section, with: json(#"{"title":"T"}"#))
    #expect(after.title == "T")
    #expect(after.questions == [question])
    #expect(issues { _ = try KitJSON.patch(section, with: json(#"{"questions":[]}"#)) } == ["/questions notPatchable"])
  }
}
