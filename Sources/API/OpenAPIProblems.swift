// The problems that each operation may answer with, by status and code, for /openapi.json.

import HTTP
import JSON

/// One problem: what its document says, and under which status.
struct OpenAPIProblem: Sendable {
  var code: String
  var status: Int
  var detail: String
  /// The document's `errors`, as JSON.
  var errors = "[]"

  /// The document, as the service sends it; `current` and `sent` where a precondition failed.
  func document(current: JSONValue? = nil) -> JSONValue {
    var members = [
      JSONMember("type", .string("urn:interviewkit:problem:\(code)")),
      JSONMember("title", .string(Status.reason(status))), JSONMember("status", .number(JSONNumber(status))),
      JSONMember("detail", .string(detail)), JSONMember("code", .string(code)),
      JSONMember("requestId", .string("01a22c1a-0fc6-75d5-8810-c1de6771b99a")),
    ]
    if let current { members += [JSONMember("current", current), JSONMember("sent", .object([]))] }
    return .object(members + [JSONMember("errors", OpenAPISchema.parsed(errors))])
  }
}

/// One status of one operation: the problems that it may be.
struct OpenAPIRefusal: Sendable {
  var status: Int
  var codes: [String]
  /// The schema of `current`.
  var current: String?

  /// Its name among the responses of `components`, which all operations with the same problems share.
  var name: String {
    ([OpenAPIProblems.names[status] ?? "Problem"] + (current.map { [$0] } ?? codes)).joined(separator: ".")
  }
}

enum OpenAPIProblems {
  /// The names and meanings of statuses.
  fileprivate static let kinds: [(status: Int, name: String, meaning: String)] = [
    (400, "BadRequest", "It can't be read."),
    (401, "Unauthorized", "Once any token exists: there is none, or none that is taken; see WWW-Authenticate."),
    (403, "Forbidden", "It is there, and not for this role, or not for a page of another origin."),
    (404, "NotFound", "There is nothing by this name."),
    (406, "NotAcceptable", "There is nothing here of the types accepted."),
    (409, "Conflict", "What is there stands against it; errors may name it."),
    (410, "Gone", "It was there, and is gone for good."),
    (
      412, "PreconditionFailed",
      "It is not what If-Match names. A writer is told what stands by current, and what was sent by sent."
    ),
    (413, "ContentTooLarge", "The body is too long."),
    (415, "UnsupportedMediaType", "A body of this type is not taken."),
    (422, "Unprocessable", "It can be read and is wrong: errors lists all that is, by place."),
    (428, "PreconditionRequired", "It exists: say by If-Match what you saw."),
    (
      429, "TooManyRequests",
      "The member, the address or wrong tokens from it were too many; Retry-After tells when to go on."
    ),
  ]

  fileprivate static let names = Dictionary(uniqueKeysWithValues: kinds.map { ($0.status, $0.name) })
  private static let meanings = Dictionary(uniqueKeysWithValues: kinds.map { ($0.status, $0.meaning) })

  // MARK: What an operation may answer with

  /// The statuses besides success that a route may answer with; `default` stands for those of any request.
  static func refusals(of route: Route<Endpoint>, _ operation: OpenAPIOperation) -> [OpenAPIRefusal] {
    let endpoint = route.endpoint
    var refusals = [
      OpenAPIRefusal(status: 400, codes: unreadable(route, operation)),
      OpenAPIRefusal(status: 403, codes: forbidden(route, operation)),
      OpenAPIRefusal(status: 406, codes: ["notAcceptable"]),
    ]
    if route.refusesUnknownQuery {
      let codes = ["invalidDocument"] + (operation.writes ? ["idempotencyKeyReused"] : []) + operation.invalid
      refusals.append(OpenAPIRefusal(status: 422, codes: codes))
    }
    if endpoint.audience != .everybody {
      refusals.append(OpenAPIRefusal(status: 401, codes: ["unauthorized", "tokenInAddress"]))
      refusals.append(OpenAPIRefusal(status: 429, codes: ["tooManyRequests"]))
    }
    // What a PUT does not find it makes, if all that it stands in is there.
    let parameters = route.pattern.utf8.count { $0 == UInt8(ascii: "{") }
    let mayMake = route.method == .put && route.pattern.hasSuffix("}")
    if parameters > (mayMake ? 1 : 0) { refusals.append(OpenAPIRefusal(status: 404, codes: ["notFound"])) }
    if mayBeGone(route) { refusals.append(OpenAPIRefusal(status: 410, codes: ["purged"])) }
    if !operation.conflicts.isEmpty { refusals.append(OpenAPIRefusal(status: 409, codes: operation.conflicts)) }
    let current = currentSchema(of: route.pattern)
    if operation.condition != .none {
      refusals.append(OpenAPIRefusal(status: 412, codes: ["preconditionFailed"], current: current))
    }
    if operation.isTagged, route.method == .get {
      refusals.append(OpenAPIRefusal(status: 412, codes: ["preconditionFailed"]))
    }
    if operation.condition == .required {
      refusals.append(OpenAPIRefusal(status: 428, codes: ["preconditionRequired"], current: current))
    }
    if operation.body != nil {
      refusals.append(OpenAPIRefusal(status: 413, codes: ["contentTooLarge", "chunkFramingTooLarge"]))
      refusals.append(OpenAPIRefusal(status: 415, codes: ["unsupportedMediaType"]))
    }
    return refusals.sorted { $0.status < $1.status }
  }

  /// What was purged or erased is told from what never was: in kits, evaluations and candidates.
  private static func mayBeGone(_ route: Route<Endpoint>) -> Bool {
    let isOfTrash = ["/v1/kits", "/v1/evaluations", "/v1/candidates"].contains { route.pattern.hasPrefix($0) }
    return isOfTrash && (route.pattern.contains("{") || route.method == .post)
  }

  private static func unreadable(_ route: Route<Endpoint>, _ operation: OpenAPIOperation) -> [String] {
    var codes = ["invalidTarget", "invalidField"]
    if route.endpoint.audience != .everybody { codes.append("tokenInAddress") }
    codes += ["invalidJSON", "doubledMember", "tooDeep", "invalidUTF8", "loneSurrogate"]
    if case .kitDocument = route.endpoint.body { codes.append("invalidUTF16") }
    if route.method == .put { codes.append("partialPut") }
    if operation.condition != .none || operation.isTagged { codes.append("invalidEntityTag") }
    if operation.condition != .none || operation.id == "patchAnswers" { codes.append("invalidPrecondition") }
    if operation.writes { codes.append("invalidIdempotencyKey") }
    if route.endpoint.offers.contains(.eventStream) { codes.append("invalidLastEventId") }
    return codes
  }

  private static func forbidden(_ route: Route<Endpoint>, _ operation: OpenAPIOperation) -> [String] {
    let audience = route.endpoint.audience
    var codes = ["originForbidden"]
    if !audience.isSuperset(of: .members), audience != .everybody { codes.append("roleForbids") }
    if route.endpoint.query.contains("account") { codes.append("otherAccount") }
    if operation.writes, route.pattern.hasPrefix("/v1/evaluations") { codes.append("notYours") }
    return codes
  }

  /// The schema of what stands where a precondition failed.
  private static func currentSchema(of pattern: String) -> String {
    if pattern.contains("/answers") { return "Answer" }
    if pattern.contains("/sections") { return "Section" }
    if pattern.contains("/questions") { return "Question" }
    if pattern.hasPrefix("/v1/evaluations") { return "EvaluationSummary" }
    if pattern.hasPrefix("/v1/profiles") { return "Profile" }
    return pattern.hasPrefix("/v1/members") ? "Member" : "Kit"
  }

  // MARK: Writing

  /// The responses of `components`: each set of problems once, and those of any request.
  static func writeComponents(to writer: inout JSONWriter) {
    var written: Set<String> = []
    writer.object { responses in
      for route in InterviewKitAPI.describedRoutes {
        for refusal in refusals(of: route, OpenAPIOperations.operation(of: route))
        where written.insert(refusal.name).inserted {
          responses.name(refusal.name)
          write(refusal, meanings[refusal.status] ?? "", to: &responses)
        }
      }
      responses.name("Problem")
      write(
        OpenAPIRefusal(status: 0, codes: ofAnyRequest), "Of any request, and what the service itself fails at.",
        to: &responses)
    }
  }

  /// The reference to the response of a refusal; nil means that of any request.
  static func writeReference(to refusal: OpenAPIRefusal?, to writer: inout JSONWriter) {
    writer.object { $0.member("$ref", "#/components/responses/\(refusal?.name ?? "Problem")") }
  }

  /// The problem documents among the examples of `components`.
  static func writeExamples(to examples: inout JSONWriter) {
    var written: Set<String> = []
    let refusals = InterviewKitAPI.describedRoutes.flatMap {
      Self.refusals(of: $0, OpenAPIOperations.operation(of: $0))
    }
    for refusal in refusals + [OpenAPIRefusal(status: 0, codes: ofAnyRequest)] {
      for code in refusal.codes {
        let name = exampleName(code, refusal)
        guard written.insert(name).inserted else { continue }
        let problem = problem(code, refusal.status)
        examples.name(name)
        examples.object { example in
          example.member("summary", problem.detail)
          example.member("value", problem.document(current: refusal.current.map(OpenAPIExamples.current)))
        }
      }
    }
  }

  private static func exampleName(_ code: String, _ refusal: OpenAPIRefusal) -> String {
    let status = code == "tokenInAddress" ? [String(refusal.status)] : []
    return (["Problem", code] + status + (refusal.current.map { [$0] } ?? [])).joined(separator: ".")
  }

  private static func problem(_ code: String, _ status: Int) -> OpenAPIProblem {
    let found = all.first { $0.code == code && (status == 0 || $0.status == status) }
    guard let found else { preconditionFailure("no problem \(code) with the status \(status)") }
    return found
  }

  private static func write(_ refusal: OpenAPIRefusal, _ meaning: String, to writer: inout JSONWriter) {
    var properties = [
      JSONMember("code", .object([JSONMember("enum", .array(refusal.codes.map { .string($0) }))]))
    ]
    if let current = refusal.current {
      properties.append(JSONMember("current", OpenAPISchemas.short.expanded(.string(current))))
    }
    let schema = JSONValue.object([
      JSONMember("$ref", .string("#/components/schemas/Problem")), JSONMember("properties", .object(properties)),
    ])
    writer.object { body in
      body.member("description", meaning)
      body.member("content") { content in
        content.object { content in
          content.name(MediaType.problem.description)
          content.object { media in
            media.member("schema", schema)
            media.member("examples") { examples in
              examples.object { examples in
                for code in refusal.codes {
                  examples.name(code)
                  examples.object { $0.member("$ref", "#/components/examples/\(exampleName(code, refusal))") }
                }
              }
            }
          }
        }
      }
    }
  }
}
