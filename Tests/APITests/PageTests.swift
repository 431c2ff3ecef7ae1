// The pages, their assets and the font files, as browsers ask for them.

import HTTP
import Testing

@Suite struct PageTests {
  @Test(arguments: ["/", "/docs"])
  func `a page allows nothing but this service's own files`(target: String) async throws {
    let reply = try await APIHarness().send(.get, target, fields: ["Accept": "text/html,*/*;q=0.8"])
    #expect(reply.status == 200)
    #expect(reply.field("Content-Type") == "text/html; charset=utf-8")
    let policy = try #require(reply.field("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("*"))
    #expect(reply.field("X-Content-Type-Options") == "nosniff")
  }

  @Test(arguments: [
    ("/assets/app.js", "text/javascript; charset=utf-8"), ("/assets/app.css", "text/css; charset=utf-8"),
    ("/assets/icons.svg", "image/svg+xml"),
  ])
  func `an asset has its type, and is not sent again when it is known`(target: String, type: String) async throws {
    let harness = try APIHarness()
    let reply = try await harness.send(.get, target, fields: ["Accept": "*/*"])
    #expect(reply.status == 200 && reply.field("Content-Type") == type && !reply.response.body.isEmpty)
    let tag = try #require(reply.tag)
    #expect(try await harness.send(.get, target, fields: ["If-None-Match": tag]).status == 304)
    #expect(try await harness.send(.head, target).status == 200)
  }

  @Test(arguments: [
    "/assets/nothing.js", "/assets/index.html", "/assets/docs.html", "/assets/fonts/0/0", "/assets/fonts/0/x",
  ])
  func `what is not there is a problem document`(target: String) async throws {
    #expect(try await APIHarness().send(.get, target).isProblem(404, "notFound"))
  }

  @Test func `each face that may be passed on is a font file of its own`() async throws {
    let harness = try APIHarness()
    let fonts = try await harness.send(.get, "/v1/fonts?coverage=true")
    let family = try #require((0..<100).first { fonts.string("families/\($0)/name") == "Noto Sans CJK KR" })
    let url = try #require(fonts.string("families/\(family)/faces/0/url"))
    #expect(fonts.string("families/\(family)/faces/0/unicodeRange")?.contains("U+ac00-d7a3") == true)
    let file = try await harness.send(.get, url)
    #expect(file.status == 200 && file.field("Content-Type") == "font/otf")
    // The collection has several faces; this is one of them, whole: its directory names tables within the file.
    let bytes = file.response.body
    #expect(bytes.prefix(4).elementsEqual("OTTO".utf8))
    let tables = Int(bytes[4]) << 8 | Int(bytes[5])
    for table in 0..<tables {
      let record = Array(bytes[(12 + 16 * table)..<(28 + 16 * table)])
      let numbers = [8, 12].map { place in record[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
      #expect(numbers[0] % 4 == 0 && numbers[0] + numbers[1] <= bytes.count)
    }
    #expect(try await harness.send(.get, url, fields: ["If-None-Match": try #require(file.tag)]).status == 304)
  }

  @Test func `a family that stands in for a copy of the operator's own is not passed on`() async throws {
    let fonts = try await APIHarness().send(.get, "/v1/fonts")
    #expect(fonts.string("families/0/substitute") != nil && fonts.string("families/0/faces/0/url") == nil)
    #expect(fonts.string("families/1/faces/0/unicodeRange") == nil)
  }
}
