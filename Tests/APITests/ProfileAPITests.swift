// Profiles that are sent: versions that never change, and layouts that follow the newest.

import HTTP
import JSON
import RowLayout
import Testing

struct ProfileAPITests {
  private static let wide = #"{"extends":"ios@1","parts":{"answer":{"minimumHeight":200}}}"#
  private static let wider = #"{"extends":"ios@1","parts":{"answer":{"minimumHeight":300}}}"#
  private static let layout = "/v1/kits/kit/layout?width=375&profile="

  @Test func `a profile that is sent is a version of its own, and what it extends is stored with it`() async throws {
    let harness = try APIHarness()
    let made = try await harness.send(.put, "/v1/profiles/own", Self.wide)
    #expect(made.status == 201 && made.field("Location") == "/v1/profiles/own")
    #expect(made.string("id") == "own@1" && made.int("version") == 1)
    #expect(made.double("parts/answer/minimumHeight") == 200)
    #expect(made.string("textSize/kind") == "dynamicType" && made["extends"] == nil && made["description"] == nil)
    let read = try await harness.send(.get, "/v1/profiles/own")
    #expect(read.text == made.text && read.tag == made.tag)
    #expect(try await harness.send(.get, "/v1/profiles/own@1").text == made.text)
    #expect(try await harness.send(.get, "/v1/profiles/own@2").isProblem(404, "notFound"))
    #expect(try await harness.send(.get, "/v1/profiles").text.contains(#""id":"own@1""#))
    let feed = try await harness.send(.get, "/v1/changes")
    #expect(feed.string("items/0/kind") == "profile.changed" && feed.string("items/0/itemId") == "own")
    #expect(feed.int("items/0/revision") == 1)
  }

  @Test func `a change of what exists says what it saw`() async throws {
    let harness = try APIHarness()
    #expect(try await harness.send(.put, "/v1/profiles/new", Self.wide, fields: ["If-Match": "*"]).status == 412)
    let first = try await harness.send(.put, "/v1/profiles/ios", Self.wide)
    #expect(first.isProblem(428, "preconditionRequired"))
    #expect(first.string("current/id") == "ios@1" && first.string("sent/extends") == "ios@1")
    let tag = try #require(try await harness.send(.get, "/v1/profiles/ios").tag)
    let second = try await harness.send(.put, "/v1/profiles/ios", Self.wide, fields: ["If-Match": tag])
    #expect(second.status == 200 && second.string("id") == "ios@2")
    let stale = try await harness.send(.put, "/v1/profiles/ios", Self.wider, fields: ["If-Match": tag])
    #expect(stale.isProblem(412, "preconditionFailed") && stale.string("current/id") == "ios@2")
    let again = try await harness.send(.put, "/v1/profiles/ios", Self.wide, fields: ["If-Match": tag])
    #expect(again.status == 200 && again.text == second.text)
    let only = try await harness.send(.put, "/v1/profiles/ios", Self.wider, fields: ["If-None-Match": "*"])
    #expect(only.status == 412)
    let version = try await harness.send(.put, "/v1/profiles/ios@1", Self.wider, fields: ["If-Match": "*"])
    #expect(version.isProblem(409, "immutableVersion"))
    #expect(try await harness.send(.get, "/v1/profiles/ios").string("id") == "ios@2")
  }

  @Test func `what was read may be sent back, and changes nothing`() async throws {
    let harness = try APIHarness()
    for name in ["ios", "android-33", "plain"] {
      let read = try await harness.send(.get, "/v1/profiles/\(name)")
      let back = try await harness.send(.put, "/v1/profiles/\(name)", read.text)
      #expect(back.status == 200 && back.text == read.text, "\(name): \(back.text.prefix(300))")
    }
    #expect(try await harness.send(.get, "/v1/changes").count("items") == 0)
  }

  @Test func `a layout of an old version stays as it was, one of the plain name follows the newest`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    let before = try await harness.send(.get, Self.layout + "ios")
    // The second read comes from memory.
    #expect(try await harness.send(.get, Self.layout + "ios").text == before.text)
    let pinned = try await harness.send(.get, Self.layout + "ios@1")
    #expect(pinned.text == before.text)
    _ = try await harness.send(.put, "/v1/profiles/ios", Self.wide, fields: ["If-Match": "*"])
    let after = try await harness.send(.get, Self.layout + "ios")
    #expect(after.string("viewport/profile") == "ios@2")
    #expect(after.double("rows/1/height") ?? 0 > before.double("rows/1/height") ?? 0)
    #expect(try await harness.send(.get, Self.layout + "ios@1").text == before.text)
    #expect(after.string("fingerprint") != before.string("fingerprint"))
    let measured = try await harness.send(
      .post, "/v1/measure", #"{"profile":"ios@2","width":300,"texts":[{"id":"a","text":"x"}]}"#)
    #expect(measured.string("applied/profile") == "ios@2")
  }

  @Test(arguments: [
    (#"[]"#, [" wrongType"]),
    (#"{"extends":"ios"}"#, ["/extends missingVersion"]), (#"{"extends":"none@1"}"#, ["/extends unknownProfile"]),
    (#"{"extends":7}"#, ["/extends wrongType"]),
    (#"{"extends":"ios@1","name":"other"}"#, ["/name wrongName"]),
    (#"{"extends":"ios@1","abstract":true}"#, ["/abstract unknownMember"]),
    (
      #"{"extends":"ios@1","extra":1,"scale":0,"modes":{"canvas":{}},"rows":{"default":{"insets":-1}}}"#,
      ["/extra unknownMember", "/scale outOfRange", "/modes/canvas unknownMember", "/rows/default/insets outOfRange"]
    ),
    (
      #"{"extends":"ios@1","font":{"family":"Nothing"},"parts":{"text":{"fallbacks":["Inter","None"]}}}"#,
      ["/font/family unknownFamily", "/parts/text/fallbacks/1 unknownFamily"]
    ),
    (
      #"{"extends":"ios@1","slots":{"a b":{},"text":{"height":1}},"rows":{"note":{"parts":["text","gone"]}}}"#,
      ["/slots/a b invalidName", "/slots/text invalidName", "/rows/note/parts/1 unknownPart"]
    ),
    // A fault hides no other, and makes none.
    (
      #"{"extends":"none@1","name":"x","font":{"family":"None"},"extra":1,"parts":{"answer":{"minimumHeight":-1,"style":"x"}}}"#,
      [
        "/extends unknownProfile", "/name wrongName", "/font/family unknownFamily", "/extra unknownMember",
        "/parts/answer/minimumHeight outOfRange",
      ]
    ),
    (
      #"{"extends":"ios@1","scale":0,"font":{"family":"None"},"parts":{"text":{"fallbacks":["None"]}}}"#,
      ["/scale outOfRange", "/font/family unknownFamily", "/parts/text/fallbacks/0 unknownFamily"]
    ),
    (#"{"extends":"ios@1","rows":{"note":{"parts":["gone"]}}}"#, ["/rows/note/parts/0 unknownPart"]),
    (#"{"extends":"ios@1","rows":{"note":{"parts":["text","text"]}}}"#, ["/rows/note/parts/1 repeatedPart"]),
    (#"{"extends":"ios@1","rows":{"note":{"parts":[]}}}"#, ["/rows/note/parts missingMember"]),
    (#"{"extends":"ios@1","rows":{"note":{"parts":7}}}"#, ["/rows/note/parts wrongType"]),
    (#"{"extends":"ios@1","parts":{"text":7}}"#, ["/parts/text wrongType"]),
    (#"{"extends":"ios@1","parts":7}"#, ["/parts wrongType"]),
    (#"{"extends":"ios@1","modes":{"label":7}}"#, ["/modes/label wrongType"]),
    (#"{"extends":"ios@1","parts":{"text":{"mode":"canvas"}}}"#, ["/parts/text/mode unknownWord"]),
    (
      #"{"extends":"ios@1","modes":{"label":null},"parts":{"help":{"mode":"textView"},"text":{"mode":"textView"},"#
        + #""title":{"mode":"textView"},"option":{"mode":"textView"},"notAssessed":{"mode":"textView"},"#
        + #""comment":{"mode":"textView"},"value":{"mode":"label"}}}"#, ["/parts/value/mode unknownMode"]
    ),
    (#"{"extends":"ios@1","textSize":7}"#, ["/textSize wrongType"]),
    (#"{"extends":"ios@1","font":{"style":7}}"#, ["/font/style wrongType"]),
    (
      #"{"unit":"pt"}"#,
      [
        "/scale missingMember", "/font missingMember", "/textSize missingMember", "/lines missingMember",
        "/modes missingMember", "/parts missingMember", "/rows missingMember", "/strings missingMember",
      ]
    ),
  ])
  func `all that is wrong with a profile is told at once, each once`(_ body: String, _ errors: [String]) async throws {
    let harness = try APIHarness()
    let reply = try await harness.send(.put, "/v1/profiles/own", body)
    #expect(reply.isProblem(422, "invalidDocument"))
    #expect(reply.errors == Set(errors), "\(reply.text)")
    #expect(reply.count("errors") == errors.count)
    #expect(try await harness.send(.get, "/v1/profiles/own").status == 404)
  }

  @Test func `a profile that is too large is refused, and slots have their number`() async throws {
    let harness = try APIHarness()
    let text = String(repeating: "x", count: RowLayoutLimits.maximumProfileBytes)
    let large = try await harness.send(.put, "/v1/profiles/own", #"{"extends":"ios@1","description":"\#(text)"}"#)
    #expect(large.errors == [" tooLarge"], "\(large.text.prefix(500))")
    let slots = (0...RowLayoutLimits.maximumSlots).map { #""s\#($0)":{}"# }.joined(separator: ",")
    let many = try await harness.send(.put, "/v1/profiles/own", #"{"extends":"ios@1","slots":{\#(slots)}}"#)
    #expect(many.errors == ["/slots tooMany"])
  }

  @Test func `of many versions each stays what it was, and the newest answers to the name`() async throws {
    let harness = try APIHarness()
    func body(_ height: Int) -> String { #"{"extends":"web@1","parts":{"answer":{"minimumHeight":\#(height)}}}"# }
    for height in 1...40 {
      let fields = height == 1 ? [:] : ["If-Match": "*"]
      let made = try await harness.send(.put, "/v1/profiles/own", body(height), fields: fields)
      #expect(made.status == (height == 1 ? 201 : 200))
    }
    for version in 1...40 {
      let read = try await harness.send(.get, "/v1/profiles/own@\(version)")
      #expect(read.double("parts/answer/minimumHeight") == Double(version))
    }
    #expect(try await harness.send(.get, "/v1/profiles/own").int("version") == 40)
  }

  @Test(arguments: ["Own", "a.b", "-a", "own@", String(repeating: "a", count: 41)])
  func `a name that is none is refused`(_ name: String) async throws {
    let reply = try await APIHarness().send(.put, "/v1/profiles/\(name)", Self.wide)
    #expect(reply.status == 422)
  }

  @Test func `a write whose reply was lost makes one version`() async throws {
    let harness = try APIHarness()
    let fields = ["Idempotency-Key": "p-1"]
    let made = try await harness.send(.put, "/v1/profiles/own", Self.wide, fields: fields)
    _ = try await harness.send(.put, "/v1/profiles/own", Self.wider, fields: ["If-Match": "*"])
    let again = try await harness.send(.put, "/v1/profiles/own", Self.wide, fields: fields)
    #expect(again.status == 201 && again.text == made.text)
    #expect(try await harness.send(.get, "/v1/profiles/own").string("id") == "own@2")
    let other = try await harness.send(.put, "/v1/profiles/own", Self.wider, fields: fields)
    #expect(other.isProblem(422, "idempotencyKeyReused"))
  }

  @Test func `versions are listed in pages`() async throws {
    let harness = try APIHarness()
    _ = try await harness.send(.put, "/v1/profiles/own", Self.wide)
    var (ids, cursor) = ([String](), "")
    repeat {
      let page = try await harness.send(.get, "/v1/profiles?limit=2" + cursor)
      for place in 0..<(page.count("items") ?? 0) { ids.append(page.string("items/\(place)/id") ?? "") }
      cursor = page.string("nextCursor").map { "&cursor=\($0)" } ?? ""
    } while !cursor.isEmpty
    #expect(ids == ["android@1", "android-33@1", "ios@1", "ios-zero-padding@1", "own@1", "plain@1", "web@1"])
    #expect(try await harness.send(.get, "/v1/profiles?cursor=x").errors == ["/query/cursor invalidCursor"])
  }

  @Test func `slots have the profile's heights, or those that a viewport names`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    try await harness.makeEvaluation()
    let profile = """
      {"extends":"ios@1","slots":{"counter":{"height":18,"gapAbove":4},"error":{}},
       "rows":{"longText":{"parts":["text","help","answer","counter","error","comment"]}}}
      """
    #expect(try await harness.send(.put, "/v1/profiles/own", profile).status == 201)
    let view = "/v1/evaluations/e/layout?profile=own&width=375&parts=true"
    let plain = try await harness.send(.get, view)
    #expect(plain.string("rows/1/parts/2/slot") == "counter" && plain["rows/1/parts/2/role"] == nil)
    #expect(plain.double("rows/1/parts/2/height") == 18 && plain.int("rows/1/parts/2/lines") == 0)
    #expect(plain.count("rows/1/parts") == 3 && plain.double("viewport/slots/error") == 0)
    let larger = try await harness.send(.get, view + "&slots=counter:30,error:10")
    #expect(larger.double("rows/1/height") == (plain.double("rows/1/height") ?? 0) + 22)
    #expect(
      larger.string("rows/1/parts/3/slot") == "error" && larger.string("fingerprint") != plain.string("fingerprint"))
    let same = try await harness.send(.get, view + "&slots=counter:18")
    #expect(same.text == plain.text)
    let posted = try await harness.send(.post, view, #"{"values":{},"slots":{"counter":30,"error":10}}"#)
    #expect(posted.text == larger.text)
    let wrong = try await harness.send(.get, view + "&slots=counter:-1,none:3,error:1,error:2")
    #expect(
      wrong.status == 422 && wrong.count("errors") == 3
        && wrong.errors == ["/query/slots invalidSlot", "/query/slots unknownSlot", "/query/slots doubledSlot"])
    let body = try await harness.send(.post, view, #"{"values":{"x":1},"slots":{"counter":"a","none":3}}"#)
    #expect(body.errors == ["/values/x unknownItem", "/slots/counter wrongType", "/slots/none unknownSlot"])
    #expect(try await harness.send(.get, "/v1/kits/kit/layout?profile=ios&width=375&slots=a:1").status == 422)
  }
}
