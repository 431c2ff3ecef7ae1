// Routing: literals before parameters, HEAD with GET, OPTIONS everywhere, dot segments nowhere.
import HTTP
import Testing

@Suite struct RouterTests {
  enum Endpoint: Sendable { case root, list, create, read, replace, search, child }

  static let router = Router<Endpoint>([
    Route(.get, "/", .root), Route(.get, "/v1/kits", .list), Route(.post, "/v1/kits", .create),
    Route(.get, "/v1/kits/{kitId}", .read), Route(.put, "/v1/kits/{id}", .replace),
    Route(.get, "/v1/kits/search", .search), Route(.get, "/v1/kits/{kitId}/questions/{questionId}", .child),
  ])

  private func describe(_ method: HTTPMethod, _ path: String) throws -> String {
    switch Self.router.match(try RequestHead.make(method, path)) {
    case .found(let endpoint, _): "\(endpoint)"
    case .options(let allow): "options " + allow.map(\.name).joined(separator: ",")
    case .methodNotAllowed(let allow): "405 " + allow.map(\.name).joined(separator: ",")
    case .notFound: "404"
    }
  }

  static let cases: [(HTTPMethod, String, String)] = [
    (.get, "/", "root"), (.head, "/", "root"), (.get, "/v1/kits", "list"), (.head, "/v1/kits", "list"),
    (.post, "/v1/kits", "create"), (.get, "/v1/kits/7", "read"), (.put, "/v1/kits/7", "replace"),
    (.get, "/v1/kits/search", "search"), (.get, "/v1/kits/%73earch", "search"),
    (.put, "/v1/kits/search", "405 GET,HEAD,OPTIONS"),
    (.get, "/v1/kits/search/questions/1", "child"), (.get, "/v1/kits/a%2Fb/questions/c", "child"),
    (.get, "/v1/kits/", "404"), (.get, "/v1/kits//questions/1", "404"), (.get, "/v1", "404"), (.get, "//", "404"),
    (.get, "/V1/kits", "404"), (.get, "/v1/kits/..", "404"), (.get, "/v1/kits/.", "404"),
    (.get, "/v1/kits/%2e%2E", "404"),
    (.get, "/v1/x/../kits", "404"), (.get, "/v1/kits/...", "read"),
    (.delete, "/v1/kits", "405 GET,HEAD,POST,OPTIONS"), (.trace, "/v1/kits/7", "405 GET,HEAD,PUT,OPTIONS"),
    (.options, "/v1/kits/7", "options GET,HEAD,PUT,OPTIONS"), (.options, "/nothing", "404"), (.get, "http://a", "root"),
  ]

  @Test(arguments: cases) func `a path finds its endpoint`(method: HTTPMethod, path: String, expected: String) throws {
    #expect(try describe(method, path) == expected)
  }

  @Test func `parameters are decoded under the name of their own route`() throws {
    guard case .found(_, let read) = Self.router.match(.get, try #require(RequestPath("/v1/kits/a%2Fb%20c"))),
      case .found(_, let replace) = Self.router.match(.put, try #require(RequestPath("/v1/kits/x"))),
      case .found(_, let child) = Self.router.match(.get, try #require(RequestPath("/v1/kits/k/questions/q")))
    else {
      Issue.record("no match")
      return
    }
    #expect(read["kitId"] == "a/b c")
    #expect(replace["id"] == "x")
    #expect(child["kitId"] == "k")
    #expect(child["questionId"] == "q")
  }

  @Test func `asking for a parameter that the pattern lacks is a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      let router = Router<Int>([Route(.get, "/{a}", 1)])
      if let path = RequestPath("/x"), case .found(_, let parameters) = router.match(.get, path) { _ = parameters["b"] }
    }
  }
}
