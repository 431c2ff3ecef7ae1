// Pages of other origins: exact origins, preflights, what they may read, and who is kept out of an open service.

import HTTP
import Testing

@testable import API

@Suite struct CrossOriginTests {
  private func head(_ method: HTTPMethod = .get, _ fields: [String: String]) throws -> RequestHead {
    let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
    var parser = RequestParser()
    let bytes = Array("\(method.name) /v1/kits HTTP/1.1\r\n\(lines)\r\n".utf8)
    var offset = 0
    guard case .head(let head) = parser.next(bytes.span, &offset) else { throw NoHead() }
    return head
  }
  private struct NoHead: Error {}

  private let app = CrossOrigin(["https://app.example", "http://localhost:5173"])

  @Test(arguments: [
    "*", "app.example", "https://app.example/", "https://App.example", "https://", "null",
    "https://a.example,https://b.example",
    "ftp://a.example", "https://*.example", "https://a b",
  ])
  func `what is no origin`(text: String) { #expect(CrossOrigin([text]) == nil) }

  @Test func `a preflight from a listed origin tells methods and fields`() throws {
    let app = try #require(app)
    let fields = ["Host": "api.example", "Origin": "https://app.example", "Access-Control-Request-Method": "PUT"]
    var response = try #require(app.preflight(try head(.options, fields), methods: [.get, .put]))
    app.share(&response, with: try head(.options, fields))
    #expect(response.status == 204)
    let named = Dictionary(uniqueKeysWithValues: response.fields.map { ($0.name, $0.value) })
    #expect(named["Access-Control-Allow-Origin"] == "https://app.example")
    #expect(named["Access-Control-Allow-Methods"] == "GET, PUT")
    #expect(named["Access-Control-Allow-Headers"]?.contains("Idempotency-Key") == true)
    #expect(named["Access-Control-Allow-Credentials"] == nil)
    for origin in [
      "https://app.example.evil", "https://app.example:443", "http://app.example", "null", "https://APP.example",
    ] {
      var other = fields
      other["Origin"] = origin
      #expect(app.preflight(try head(.options, other), methods: [.get]) == nil, "\(origin)")
    }
    #expect(app.preflight(try head(.options, ["Host": "a", "Origin": "https://app.example"]), methods: [.get]) == nil)
  }

  @Test func `a response is shared with the page that may read it, and varies`() throws {
    let app = try #require(app)
    var response = Response(status: 200, fields: [Field("Vary", "Accept")])
    app.share(&response, with: try head(fields("https://app.example")))
    let named = Dictionary(uniqueKeysWithValues: response.fields.map { ($0.name, $0.value) })
    #expect(named["Vary"] == "Accept, Origin")
    #expect(named["Access-Control-Allow-Origin"] == "https://app.example")
    for name in ["ETag", "Location", "Retry-After", "RateLimit"] {
      #expect(named["Access-Control-Expose-Headers"]?.contains(name) == true)
    }
    var hidden = Response(status: 200)
    app.share(&hidden, with: try head(fields("https://evil.example")))
    #expect(hidden.fields == [Field("Vary", "Origin")])
    var alone = Response(status: 200)
    CrossOrigin.none.share(&alone, with: try head(fields("https://evil.example")))
    #expect(alone.fields.isEmpty)
  }

  @Test(
    arguments: [
      (nil, false), ("http://127.0.0.1:8080", false), ("http://127.0.0.1:8081", true), ("https://evil.example", true),
      ("null", true),
      ("http://localhost:5173", false), ("", true),
    ] as [(String?, Bool)])
  func `an open service tells its own page from another's`(origin: String?, isForeign: Bool) throws {
    let app = try #require(app)
    var fields = ["Host": "127.0.0.1:8080"]
    fields["Origin"] = origin
    #expect(app.isForeign(try head(fields)) == isForeign)
  }

  private func head(_ fields: [String: String]) throws -> RequestHead { try head(.get, fields) }
  private func fields(_ origin: String) -> [String: String] { ["Host": "api.example", "Origin": origin] }
}
