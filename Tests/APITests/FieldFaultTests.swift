// Faults that other products were seen to have with answers, orders and texts, as what a client would do to meet them.

import HTTP
import JSON
import Testing

@Suite struct FieldFaultTests {
  private static let star = ["If-Match": "*"]

  private static func questions(_ count: Int) -> String {
    (1...count).map { #"{"id":"q\#($0)","type":"longText","text":"Question \#($0)?"}"# }.joined(separator: ",")
  }

  private static func make(questions count: Int = 3) async throws -> APIHarness {
    let harness = try APIHarness()
    try await harness.makeKit(questions: questions(count))
    try await harness.makeEvaluation()
    return harness
  }

  private static func put(
    _ harness: APIHarness, _ item: String, _ value: String, _ fields: [String: String] = [:]
  ) async throws -> Reply {
    try await harness.send(
      .put, "/v1/evaluations/e/answers/\(item)", "{\"value\":\"\(value)\"}", fields: fields)
  }

  @Test func `an insertion at the top leaves each answer with its question, and no answer has a position`() async throws
  {
    let harness = try await Self.make(questions: 2)
    _ = try await Self.put(harness, "q1", "one")
    _ = try await Self.put(harness, "q2", "two")
    let first = #"{"id":"q0","type":"longText","text":"New?","sectionId":"s","after":null}"#
    #expect(try await harness.send(.post, "/v1/kits/kit/questions", first).status == 201)
    _ = try await harness.send(.put, "/v1/evaluations/e/kitRevision", #"{"kitRevision":2}"#, fields: Self.star)
    let screen = try await harness.send(.get, "/v1/evaluations/e?include=kit")
    #expect(screen.string("kit/sections/0/questions/0/id") == "q0" && screen["answers/q0"] == nil)
    #expect(screen.string("answers/q1/value") == "one" && screen.string("answers/q2/value") == "two")
    for position in ["0", "1"] { #expect(try await Self.put(harness, position, "x").status == 404) }
  }

  @Test func `a kit that is edited and cut takes nothing from the evaluations that are under way`() async throws {
    let harness = try await Self.make()
    for number in 1...3 { _ = try await Self.put(harness, "q\(number)", "answer \(number)") }
    let deleted = try await harness.send(.delete, "/v1/kits/kit/questions/q2", fields: Self.star)
    let reworded = try await harness.send(
      .patch, "/v1/kits/kit/questions/q1", #"{"text":"Reworded?"}"#, fields: Self.star)
    #expect(deleted.status == 204 && reworded.status == 200)
    let old = try await harness.send(.get, "/v1/evaluations/e?include=kit")
    #expect(old.int("kitRevision") == 1 && old.string("kit/sections/0/questions/0/text") == "Question 1?")
    for number in 1...3 { #expect(old.string("answers/q\(number)/value") == "answer \(number)") }
    try await harness.makeEvaluation("new")
    let new = try await harness.send(.get, "/v1/evaluations/new?include=kit")
    #expect(new.int("kitRevision") == 3 && new.count("kit/sections/0/questions") == 2)
    let asked = try await harness.send(
      .put, "/v1/evaluations/e/kitRevision?dryRun=true", #"{"kitRevision":3}"#, fields: Self.star)
    #expect(asked.string("retired/0") == "q2" && asked.count("retired") == 1)
    let moved = try await harness.send(
      .put, "/v1/evaluations/e/kitRevision", #"{"kitRevision":3}"#, fields: Self.star)
    #expect(moved.string("answers/q2/value") == "answer 2" && moved.string("retired/0") == "q2")
  }

  @Test func `a save touches the item that it names, and its late reply holds that item alone`() async throws {
    let harness = try await Self.make()
    // The reply of A is under way while B is saved by the same client, and more of A is typed.
    let replyOfA = try await Self.put(harness, "q1", "abc")
    let replyOfB = try await Self.put(harness, "q2", "xyz")
    #expect(replyOfA.status == 201 && replyOfB.status == 201)
    #expect(replyOfA.string("itemId") == "q1" && !replyOfA.text.contains("q2") && replyOfA.int("revision") == 1)
    let more = try await Self.put(harness, "q1", "abcd", ["If-Match": try #require(replyOfA.tag)])
    #expect(more.status == 200)
    // The first save again, as a queue would send it: too late to take anything back.
    #expect(try await Self.put(harness, "q1", "abc", ["If-None-Match": "*"]).status == 412)
    let all = try await harness.send(.get, "/v1/evaluations/e/answers")
    #expect(all.string("answers/q1/value") == "abcd" && all.string("answers/q2/value") == "xyz")
  }

  @Test func `a second writer is told, one who saw nothing is asked, and an earlier score stays readable`() async throws
  {
    let harness = try APIHarness()
    try await harness.makeKit(questions: #"{"id":"r","type":"rating","text":"Rate","scale":"fourPoint"}"#)
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/answers/r"
    func score(_ point: String, _ fields: [String: String]) async throws -> Reply {
      try await harness.send(.put, path, "{\"value\":\"fourPoint.\(point)\"}", fields: fields)
    }
    for (number, point) in ["no", "yes", "no", "yes", "no"].enumerated() {
      #expect(try await score(point, number == 0 ? [:] : ["If-Match": "\"\(number)\""]).status < 300)
    }
    #expect(try await score("strongYes", ["If-Match": "\"5\""]).tag == "\"6\"")
    let stale = try await score("strongNo", ["If-Match": "\"5\""])
    #expect(stale.isProblem(412, "preconditionFailed") && stale.tag == "\"6\"")
    #expect(
      stale.string("current/value") == "fourPoint.strongYes" && stale.string("sent/value") == "fourPoint.strongNo")
    #expect(try await score("no", [:]).isProblem(428, "preconditionRequired"))
    #expect(try await harness.send(.get, path).string("value") == "fourPoint.strongYes")
    let history = try await harness.send(.get, path + "/history")
    #expect(history.count("items") == 6 && history.string("items/1/value") == "fourPoint.no")
    #expect(history.string("lostConflicts/0/value") == "fourPoint.strongNo" && history.count("lostConflicts") == 1)
    #expect(history.int("lostConflicts/0/ifRevision") == 5 && history.string("lostConflicts/0/by") == "anonymous")
  }

  @Test func `the tenth question that moves to the third place moves no other`() async throws {
    let harness = try await Self.make(questions: 10)
    _ = try await Self.put(harness, "q10", "stays mine")
    let move = try await harness.send(
      .post, "/v1/kits/kit/questions/q10/move", #"{"sectionId":"s","after":"q2"}"#, fields: ["If-Match": "\"1\""])
    #expect(move.status == 200)
    let wanted = ["q1", "q2", "q10", "q3", "q4", "q5", "q6", "q7", "q8", "q9"]
    let kit = try await harness.send(.get, "/v1/kits/kit")
    #expect((0..<10).map { kit.string("sections/0/questions/\($0)/id") } == wanted)
    for number in 1...9 {
      #expect(try await harness.send(.get, "/v1/kits/kit/questions/q\(number)").int("revision") == 1)
    }
    #expect(try await harness.send(.get, "/v1/evaluations/e/answers/q10").string("value") == "stays mine")
  }

  @Test func `where there is nothing yet, everything can be read, laid out, moved and exported`() async throws {
    let harness = try APIHarness()
    #expect(try await harness.send(.put, "/v1/kits/kit", #"{"title":"Empty","sections":[]}"#).status == 201)
    try await harness.makeEvaluation()
    let viewport = "profile=ios&width=375"
    for target in ["/v1/kits/kit/layout?\(viewport)", "/v1/evaluations/e/layout?\(viewport)"] {
      let layout = try await harness.send(.get, target)
      #expect(layout.status == 200 && layout.count("rows") == 0 && layout.double("contentHeight") == 0)
    }
    for target in ["/v1/kits/kit", "/v1/evaluations/e"] {
      let csv = try await harness.send(.get, target, fields: ["Accept": "text/csv"])
      #expect(csv.status == 200 && csv.response.body.count { $0 == 0x0A } == 1, "\(csv.text)")
      #expect(try await harness.send(.get, target, fields: ["Accept": "text/markdown"]).status == 200)
    }
    let screen = try await harness.send(.get, "/v1/evaluations/e?include=kit,layout&\(viewport)")
    #expect(screen.status == 200 && screen.int("progress/required") == 0 && screen.count("retired") == 0)
    #expect(try await harness.send(.get, "/v1/evaluations/e/answers/none/history").status == 200)
    #expect(try await harness.send(.patch, "/v1/evaluations/e/answers", #"{"operations":[]}"#).status < 500)
    #expect(try await harness.send(.post, "/v1/evaluations/e/submit").string("status") == "submitted")
  }

  @Test func `texts that look the same are kept apart and found together, and invisible ones are no text`() async throws
  {
    let harness = try APIHarness()
    let titles = ["Caf\u{E9}", "Cafe\u{301}"]
    for (number, title) in titles.enumerated() {
      let kit = #"{"title":"\#(title)","sections":[]}"#
      #expect(try await harness.send(.put, "/v1/kits/k\(number)", kit).status == 201)
      let read = try await harness.send(.get, "/v1/kits/k\(number)")
      #expect(read.string("title").map { Array($0.unicodeScalars) } == Array(title.unicodeScalars))
    }
    for query in ["caf%C3%A9", "CAFE%CC%81"] {
      #expect(try await harness.send(.get, "/v1/kits?q=\(query)").count("items") == 2)
    }
    let blank = #"{"title":"T","sections":[{"title":"S","questions":[{"type":"yesNo","text":"\#u{200B}\#u{FEFF} "}]}]}"#
    #expect(try await harness.send(.post, "/v1/kits", blank).errors == ["/sections/0/questions/0/text empty"])
    // The limit counts code points: three of them in each of these.
    try await harness.makeKit(questions: #"{"id":"q1","type":"longText","text":"?","maxLength":30}"#)
    try await harness.makeEvaluation()
    let coder = "\u{1F469}\u{200D}\u{1F4BB}"
    #expect(try await Self.put(harness, "q1", String(repeating: coder, count: 10)).status == 201)
    let long = try await Self.put(harness, "q1", String(repeating: coder, count: 10) + "x", Self.star)
    #expect(long.errors == ["/value tooLong"] && long.text.contains("30"))
  }
}
