// What logs keep of an address: words, and neither secrets nor what somebody typed.
import HTTP
import Testing

@Suite struct LoggedTargetTests {
  private static let token = "ik_" + String(repeating: "aB3-", count: 10) + "xyz"
  private static let ticket = "ikt_" + String(repeating: "Z9_x", count: 10) + "abc"

  @Test(arguments: [
    ("/", "/"), ("/v1/kits/backend-1.2:x", "/v1/kits/backend-1.2:x"), ("/v1/kits/", "/v1/kits/"),
    ("/v1/kits?limit=5&cursor=a-b_c", "/v1/kits?limit=5&cursor=a-b_c"),
    (
      "/v1/kits/k/layout?profile=ios@3&width=375.5,667&locale=ko",
      "/v1/kits/k/layout?profile=ios@3&width=375.5,667&locale=ko"
    ),
    ("/v1/evaluations/e?include=kit%2Clayout", "/v1/evaluations/e?include=kit,layout"),
    ("/v1/kits?q=Kim", "/v1/kits?q=***"), ("/v1/kits?Q=Kim", "/v1/kits?Q=***"),
    ("/v1/candidates/Kim%20Ji-woo", "/v1/candidates/***"), ("/v1/candidates/%EA%B9%80", "/v1/candidates/***"),
    ("/v1/evaluations?name=Kim+Ji-woo", "/v1/evaluations?name=***"),
    ("/v1/evaluations?who=kim@example.com", "/v1/evaluations?who=***"), ("/v1/kits?Kim%20J=1", "/v1/kits?***=1"),
    ("/v1/kits?token=x", "/v1/kits?token=***"), ("/v1/kits?API_KEY=x", "/v1/kits?API_KEY=***"),
    ("/v1/kits/a$b", "/v1/kits/***"), ("/v1/kits?password=Hunter2", "/v1/kits?password=***"),
    ("/v1/kits?Secret=x&jwt=y&sig=z&key=w", "/v1/kits?Secret=***&jwt=***&sig=***&key=***"),
  ])
  func `words are told and text is not`(target: String, told: String) throws {
    let head = try RequestHead.make(.get, target)
    #expect(String(decoding: head.loggedTargetBytes, as: UTF8.self) == told)
  }

  @Test(arguments: [
    "/v1/kits/TOKEN", "/v1/kits/xTOKENx", "/v1/TOKEN/kits", "/v1/kits?a=TOKEN", "/v1/kits?TOKEN", "/v1/kits?TOKEN=1",
    "/v1/kits?a=1&b=Bearer%20TOKEN", "/v1/kits?a=%22TOKEN%22", "/v1/kits?ids=a,TOKEN", "http://TOKEN/v1/kits",
    "http://localhost/v1/kits/TOKEN", "http://TOKEN:80?a=b", "/v1/changes?ticket=TOKEN", "/v1/kits/%69%6B_REST",
    "/v1/kits?a=%69k_REST", "/v1/kits/%2569k_REST",
  ])
  func `no token is told, wherever it stands`(target: String) throws {
    for secret in [Self.token, Self.ticket] {
      let rest = String(secret.drop { $0 != "_" }.dropFirst())
      let sent = target.replacing("TOKEN", with: secret).replacing("REST", with: rest)
      let head = try RequestHead.make(.get, sent)
      let told = String(decoding: head.loggedTargetBytes, as: UTF8.self)
      #expect(!told.contains(rest) && told.hasPrefix("/"), "\(sent): \(told)")
    }
  }

  @Test func `nor where what is possible on the whole server is asked`() throws {
    let whole = try RequestHead.make(.options, "http://\(Self.token)")
    #expect(whole.isAsterisk && String(decoding: whole.loggedTargetBytes, as: UTF8.self) == "/")
    #expect(try RequestHead.make(.options, "*").loggedTargetBytes == [0x2A])
  }

  @Test func `a token is no request ID`() throws {
    for secret in [Self.token, Self.ticket, "x." + Self.token] {
      let head = try RequestHead.make(fields: [Field("X-Request-Id", secret)])
      #expect(head.givenRequestID == nil)
    }
    let id = "ik_" + String(repeating: "a", count: 20)
    #expect(try RequestHead.make(fields: [Field("X-Request-Id", id)]).givenRequestID == id)
  }
}
