// Layouts, measuring, profiles, fonts and the system routes through the API.

import API
import HTTP
import JSON
import Testing

@Suite struct LayoutAPITests {
  @Test func `rows add up in whole pixels and are keyed by ID`() async throws {
    let harness = try APIHarness()
    let questions = (1...40).map { row in
      let text = String(repeating: "a question of some length, ", count: row % 2 == 0 ? 1 : 12)
      return #"{"id":"q\#(row)","type":"longText","text":"\#(text)?"}"#
    }
    try await harness.makeKit(questions: questions.joined(separator: ","))
    let layout = try await harness.send(.get, "/v1/kits/kit/layout?profile=ios&width=390&scale=3")
    #expect(layout.status == 200 && layout.count("rows") == 41)
    var end = 0
    for row in 0..<41 {
      let y = try #require(layout.double("rows/\(row)/y"))
      let height = try #require(layout.double("rows/\(row)/height"))
      #expect(Int((y * 3).rounded()) == end && height > 0)
      end += Int((height * 3).rounded())
    }
    #expect(Int(((layout.double("contentHeight") ?? 0) * 3).rounded()) == end)
  }

  @Test func `heights follow width, text size and edits, and come back to the byte`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"{"id":"q1","type":"longText","text":"What did you do last week, and what would you do otherwise?"},"#
        + #"{"id":"q2","type":"note","text":"Thank you."}"#)
    let base = "/v1/kits/kit/layout?profile=ios&width="
    let narrow = try await harness.send(.get, base + "390")
    let wide = try await harness.send(.get, base + "844")
    let large = try await harness.send(.get, base + "390&contentSize=AX5")
    let again = try await harness.send(.get, base + "390")
    #expect(narrow.text == again.text && narrow.tag == again.tag)
    #expect(Set([narrow.tag, wide.tag, large.tag]).count == 3)
    #expect(large.double("contentHeight") ?? 0 > narrow.double("contentHeight") ?? 0)
    _ = try await harness.send(
      .patch, "/v1/kits/kit/questions/q2", #"{"text":"\#(String(repeating: "Thanks a lot. ", count: 20))"}"#,
      fields: ["If-Match": "*"])
    let edited = try await harness.send(.get, base + "390")
    #expect(edited["rows/1"] == narrow["rows/1"])
    #expect(edited.double("rows/2/y") == narrow.double("rows/2/y"))
    #expect(edited.double("rows/2/height") ?? 0 > narrow.double("rows/2/height") ?? 0)
  }

  @Test(arguments: ["0", "-10", "NaN", "1e308", "8", "abc", "", "+5", "0x10"])
  func `an odd width is refused by name`(_ width: String) async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let reply = try await harness.send(.get, "/v1/kits/kit/layout?profile=ios&width=\(width)")
    #expect(reply.status == 422 && reply.errors == ["/query/width invalidWidth"], "\(reply.text)")
  }

  @Test func `unsaved text is measured and not stored`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/layout?profile=ios&width=375"
    let before = try await harness.send(.get, path)
    let text = String(repeating: "typed and not saved ", count: 20)
    let unsaved = try await harness.send(.post, path, #"{"values":{"q1":"\#(text)"}}"#)
    #expect(unsaved.status == 200)
    #expect(unsaved.double("contentHeight") ?? 0 > before.double("contentHeight") ?? 0)
    #expect(try await harness.send(.get, path).text == before.text)
    let wrong = try await harness.send(.post, path, #"{"values":{"q1":1,"nope":"x"}}"#)
    #expect(wrong.errors == ["/values/q1 wrongType", "/values/nope unknownItem"])
  }

  @Test func `rows that an answer changes tell their parts as new ones do, when asked`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let path = "/v1/evaluations/e/answers/q1?profile=ios&width=375"
    let text = String(repeating: "a long answer ", count: 30)
    let plain = try await harness.send(.put, path, #"{"value":"\#(text)"}"#)
    #expect(plain["layouts/0/changed/0/id"] == .string("q1") && plain["layouts/0/changed/0/parts"] == nil)
    let told = try await harness.send(.put, path + "&parts=true", #"{"value":"short"}"#, fields: ["If-Match": "*"])
    let layout = try await harness.send(.get, "/v1/evaluations/e/layout?profile=ios&width=375&parts=true")
    #expect(told["layouts/0/changed/0/parts"] != nil)
    #expect(told["layouts/0/changed/0/parts"] == layout["rows/1/parts"])
    #expect(told["layouts/0/changed/0/fidelity"] == layout["rows/1/fidelity"])
  }

  @Test func `an editor gets the rows, too, that a condition hides`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(
      questions: #"""
        {"id":"gate","type":"yesNo","text":"More?"},
        {"id":"then","type":"longText","text":"What?","visibleWhen":{"questionId":"gate","equals":true}}
        """#)
    let target = "/v1/kits/kit/layout?profile=web&width=400"
    #expect(try await harness.send(.get, target).count("rows") == 2)
    #expect(try await harness.send(.get, target + "&all=true").count("rows") == 3)
  }

  @Test(arguments: ["/version", "/openapi.json", "/v1/fonts", "/v1/profiles", "/v1/profiles/ios"])
  func `what changes only with the program is not sent twice`(_ path: String) async throws {
    let harness = try APIHarness()
    let first = try await harness.send(.get, path)
    let tag = try #require(first.tag)
    let again = try await harness.send(.get, path, fields: ["If-None-Match": tag])
    #expect(again.status == 304 && again.text.isEmpty && again.tag == tag)
    #expect(try await harness.send(.get, path, fields: ["If-None-Match": #""x""#]).text == first.text)
  }

  @Test func `a viewport is checked where no layout is asked for too`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    #expect(try await harness.send(.get, "/v1/evaluations/e?profile=ios&width=375").status == 200)
    #expect(try await harness.send(.get, "/v1/evaluations/e?profile=ios&width=375&scale=11").status == 422)
  }

  @Test func `every route is described, and the description is JSON`() async throws {
    let harness = try APIHarness()
    let document = try await harness.send(.get, "/openapi.json")
    #expect(document.status == 200 && document.string("openapi") == "3.1.0")
    #expect(document["components"]?["schemas"]?["Kit"] != nil)
    guard case .object(let paths) = document["paths"] else { return #expect(Bool(false)) }
    #expect(paths.count > 25)
  }

  @Test func `what is not there, not possible or not accepted is a problem document`() async throws {
    let harness = try APIHarness()
    #expect(try await harness.send(.get, "/v2").isProblem(404, "notFound"))
    let method = try await harness.send(.post, "/v1/kits/kit/layout", "{}")
    #expect(method.isProblem(405, "methodNotAllowed") && method.field("Allow")?.contains("GET") == true)
    let type = try await harness.send(.post, "/v1/kits", "x", type: "text/plain")
    #expect(type.isProblem(415, "unsupportedMediaType") && type.field("Accept") != nil)
    let accept = try await harness.send(.get, "/v1/kits", fields: ["Accept": "image/png"])
    #expect(accept.isProblem(406, "notAcceptable"))
    #expect(try await harness.send(.get, "/v1/kits?page=1").errors == ["/query/page unknownParameter"])
    let query = "profile=iosx&width=abc&foo=1&scale=x&parts=maybe"
    let listed = try await harness.send(.get, "/v1/kits/kit/layout?\(query)").errors
    #expect(
      listed.map { $0.split(separator: " ")[0] }.sorted()
        == ["foo", "parts", "profile", "scale", "width"].map { "/query/\($0)" })
    let page = try await harness.send(.get, "/v1/evaluations?limit=many&status=new&kit=%20&page=1").errors
    #expect(
      page == [
        "/query/limit invalidParameter", "/query/status invalidParameter", "/query/kit invalidId",
        "/query/page unknownParameter",
      ])
    let deep = String(repeating: "[", count: 100_000)
    #expect(try await harness.send(.post, "/v1/kits", deep).isProblem(400, "tooDeep"))
    #expect(try await harness.send(.post, "/v1/kits", #"{"title":"a","title":"b"}"#).isProblem(400, "doubledMember"))
    let bytes: [UInt8] = Array(#"{"title":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
    let encoding = try await harness.send(.post, "/v1/kits", bytes: bytes, type: "application/json")
    #expect(encoding.isProblem(400, "invalidUTF8"))
    #expect(try await harness.send(.post, "/v1/kits", #"{"title":"\ud800"}"#).isProblem(400, "loneSurrogate"))
    #expect(try await harness.send(.post, "/v1/kits", #"{"title":"a\u0000b"}"#).status == 422)
  }
}
