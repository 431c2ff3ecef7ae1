// Entity tags, conditions, media types, negotiation: values and their comparisons.
import HTTP
import Testing

@Suite struct ConditionTests {
  @Test func `lists of entity tags are parsed`() {
    #expect(EntityTagCondition("*") == .any)
    #expect(EntityTagCondition("\"7\"") == .tags([EntityTag("7")]))
    #expect(
      EntityTagCondition("W/\"7\" , \"a,b\",,\"\"")
        == .tags([EntityTag("7", isWeak: true), EntityTag("a,b"), EntityTag("")]))
    for invalid in ["", "7", "\"7", "w/\"7\"", "\"7\" \"8\"", "*, \"7\"", "\"a b\"", ",", "\"7\"x"] {
      #expect(EntityTagCondition(invalid) == nil, "\(invalid)")
    }
  }

  @Test func `If-Match compares strongly and If-None-Match weakly (RFC 9110, 8.8.3.2)`() {
    let (strong, weak) = (EntityTag("1"), EntityTag("1", isWeak: true))
    #expect(strong.matchesStrongly(strong))
    #expect(!strong.matchesStrongly(weak))
    #expect(!weak.matchesStrongly(weak))
    #expect(weak.matchesWeakly(strong))
    #expect(weak.matchesWeakly(weak))
    #expect(!weak.matchesWeakly(EntityTag("2")))
  }

  static let outcomes: [(String?, String?, HTTPMethod, [String], Conditions.Outcome)] = [
    (nil, nil, .get, ["7"], .proceed), ("\"7\"", nil, .put, ["7", "7-gzip"], .proceed),
    ("\"7-gzip\"", nil, .put, ["7", "7-gzip"], .proceed), ("\"6\"", nil, .put, ["7"], .preconditionFailed),
    ("\"6\", \"7\"", nil, .put, ["7"], .proceed), ("W/\"7\"", nil, .put, ["7"], .preconditionFailed),
    ("*", nil, .put, ["7"], .proceed), ("*", nil, .put, [], .preconditionFailed),
    ("\"7\"", nil, .put, [], .preconditionFailed), (nil, "*", .put, [], .proceed),
    (nil, "*", .put, ["7"], .preconditionFailed), (nil, "\"7\"", .get, ["7"], .notModified),
    (nil, "W/\"7\"", .head, ["7"], .notModified), (nil, "\"6\"", .get, ["7"], .proceed),
    (nil, "*", .get, ["7"], .notModified),
    ("\"6\"", "\"7\"", .get, ["7"], .preconditionFailed),
  ]

  @Test(arguments: outcomes) func `conditions are evaluated in the order of RFC 9110, section 13.2.2`(
    ifMatch: String?, ifNoneMatch: String?, method: HTTPMethod, current: [String], expected: Conditions.Outcome
  ) throws {
    let fields = [ifMatch.map { Field("If-Match", $0) }, ifNoneMatch.map { Field("If-None-Match", $0) }].compactMap {
      $0
    }
    let conditions = try Conditions(try RequestHead.make(method, "/", fields: fields))
    #expect(conditions.outcome(for: method, current: current.map { EntityTag($0) }) == expected)
  }

  @Test func `a condition that is no list of entity tags is refused`() throws {
    let head = try RequestHead.make(fields: [Field("If-Match", "7")])
    #expect(throws: Refusal.self) { try Conditions(head) }
  }

  @Test(arguments: [
    ("3", "with its quotes this is \"3\"."), ("3, 4", "such as \"7\"."), ("\"3", "such as \"7\"."),
    ("W/3", "such as \"7\"."),
  ])
  func `what is no tag is told a tag's form`(value: String, text: String) throws {
    let head = try RequestHead.make(.put, "/", fields: [Field("If-Match", value)])
    let refusal = #expect(throws: Refusal.self) { try Conditions(head) }
    #expect(refusal?.detail.hasSuffix(text) == true)
  }

  @Test func `a host that is not served while no token exists is told what to do`() {
    #expect(HostPolicy.loopback.refusal.status == 421 && HostPolicy.loopback.refusal.detail.contains("first token"))
    #expect(!HostPolicy.only(["a"]).refusal.detail.contains("token"))
  }

  @Test func `media types are parsed and compared`() throws {
    let media = try #require(MediaType("Application/JSON ; Charset=\"UTF-8\""))
    #expect(media.isSameKind(as: .json))
    #expect(media.isUTF8)
    #expect(MediaType("text/csv; charset=latin1")?.isUTF8 == false)
    #expect(MediaType("text/csv")?.isUTF8 == true)
    for invalid in ["", "json", "a/", "/b", "a/b c", "a/b; c", "a/b; c=\"d", "a b/c"] {
      #expect(MediaType(invalid) == nil, "\(invalid)")
    }
  }

  static let accepts: [(String?, String?)] = [
    (nil, "application/json"), ("*/*", "application/json"), ("text/csv", "text/csv"), ("text/*", "text/csv"),
    ("text/*;q=0.5, application/json;q=0.4", "text/csv"), ("application/json;q=0, */*", "text/csv"), ("image/png", nil),
    ("*/*;q=0", nil), ("text/csv;q=0.001", "text/csv"), ("text/csv;q=2, application/json", "application/json"),
    ("TEXT/CSV", "text/csv"), (" , text/csv", "text/csv"), ("a;b=\"c,d\", text/csv", "text/csv"),
  ]

  @Test(arguments: accepts) func `the best acceptable type is chosen`(accept: String?, expected: String?) {
    #expect(AcceptList(accept: accept).best(of: [.json, .csv])?.description == expected)
  }

  static let codings: [(String?, Int)] = [
    (nil, 0), ("gzip", 1_000), ("GZIP;q=0.5", 500), ("*", 1_000), ("gzip;q=0, *", 0), ("br", 0),
    ("br, gzip ; q=0.25", 250),
  ]

  @Test(arguments: codings) func `content codings have their quality`(value: String?, expected: Int) {
    #expect(AcceptList.quality(ofCoding: "gzip", in: value) == expected)
  }

  @Test func `hosts are admitted by policy`() throws {
    func admits(_ policy: HostPolicy, _ host: String) throws -> Bool {
      policy.admits(try RequestHead.make(fields: [Field("Host", host)]))
    }
    for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:80", "127.9.9.9", "[::1]:8080", "a.localhost"] {
      #expect(try admits(.loopback, host), "\(host)")
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "notlocalhost"] {
      #expect(try !admits(.loopback, host), "\(host)")
    }
    #expect(try admits(.only(["kits.example"]), "Kits.Example:443"))
    #expect(try !admits(.only(["kits.example"]), "x.kits.example"))
    #expect(try admits(.any, "anything"))
  }
}
