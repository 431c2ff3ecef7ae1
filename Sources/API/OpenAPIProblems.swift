// The problems that each route may answer with, by status, for /openapi.json.

import HTTP
import JSON

enum OpenAPIProblems {
  /// One kind of problem: what it means, and the codes that tell more, where they are few.
  private struct Kind {
    var status: Int
    var name: String
    var meaning: String
    var codes: [String] = []
  }

  private static let kinds = [
    Kind(
      status: 400, name: "BadRequest",
      meaning: "It can't be read: invalidJSON, doubledMember, tooDeep, invalidUTF8, invalidPrecondition and others."),
    Kind(
      status: 401, name: "Unauthorized",
      meaning: "Once any token exists: there is none, or none that is taken; see WWW-Authenticate.",
      codes: ["unauthorized", "tokenInAddress"]),
    Kind(
      status: 403, name: "Forbidden", meaning: "It is there, and not for this role.",
      codes: ["roleForbids", "otherAccount", "notYours", "originForbidden"]),
    Kind(status: 404, name: "NotFound", meaning: "There is nothing by this name.", codes: ["notFound"]),
    Kind(
      status: 406, name: "NotAcceptable", meaning: "There is nothing here of the types accepted.",
      codes: ["notAcceptable"]),
    Kind(
      status: 409, name: "Conflict", meaning: "What is there stands against it; errors may name it.",
      codes: [
        "idTaken", "deletedId", "inUse", "cannotRestore", "kitArchived", "evaluationNotDraft", "immutableVersion",
        "lastAdmin", "firstTokenIsAdmins", "candidateNamed",
      ]),
    Kind(
      status: 412, name: "PreconditionFailed",
      meaning: "It is not what the writer saw any more: current tells what stands, sent what was sent.",
      codes: ["preconditionFailed"]),
    Kind(
      status: 413, name: "ContentTooLarge", meaning: "The body is too long.",
      codes: ["contentTooLarge", "chunkFramingTooLarge"]),
    Kind(
      status: 415, name: "UnsupportedMediaType", meaning: "A body of this type is not taken.",
      codes: ["unsupportedMediaType"]),
    Kind(
      status: 422, name: "Unprocessable", meaning: "It can be read and is wrong: errors lists all that is, by place.",
      codes: ["invalidDocument", "missingAnswers", "idempotencyKeyReused"]),
    Kind(
      status: 428, name: "PreconditionRequired", meaning: "It exists: say by If-Match what you saw.",
      codes: ["preconditionRequired"]),
    Kind(
      status: 429, name: "TooManyRequests",
      meaning: "The member, the address or wrong tokens from it were too many; Retry-After tells when to go on.",
      codes: ["tooManyRequests"]),
  ]

  /// The statuses besides success that a route may answer with; `default` stands for those of any request.
  static func statuses(of route: Route<Endpoint>, _ operation: OpenAPIOperation) -> [Int] {
    var statuses = [400, 406, 422]
    if route.endpoint.audience != .everybody { statuses += [401, 429] }
    if !route.endpoint.audience.isSuperset(of: .members), route.endpoint.audience != .everybody { statuses.append(403) }
    // What a PUT does not find it makes, if all that it stands in is there.
    let parameters = route.pattern.utf8.count { $0 == UInt8(ascii: "{") }
    if parameters > (route.method == .put ? 1 : 0) { statuses.append(404) }
    if operation.writes { statuses.append(409) }
    if operation.condition != .none { statuses.append(412) }
    if operation.condition == .required { statuses.append(428) }
    if operation.body != nil { statuses += [413, 415] }
    return statuses.sorted()
  }

  /// The responses of `components`, by name.
  static func writeComponents(to writer: inout JSONWriter) {
    writer.object { responses in
      for kind in kinds {
        responses.name(kind.name)
        write(kind.meaning, codes: kind.codes, to: &responses)
      }
      responses.member("Problem") {
        write(
          "Any other, such as 405, 408, 421, 500, 503 (busy, databaseFailing, databaseDamaged) and 507 (diskFull).",
          codes: [], to: &$0)
      }
    }
  }

  /// The reference to the response of a status.
  static func writeReference(to status: Int?, to writer: inout JSONWriter) {
    let name = kinds.first { $0.status == status }?.name ?? "Problem"
    writer.object { $0.member("$ref", "#/components/responses/\(name)") }
  }

  private static func write(_ meaning: String, codes: [String], to writer: inout JSONWriter) {
    let problem = JSONMember("$ref", .string("#/components/schemas/Problem"))
    let code = JSONValue.object([JSONMember("enum", .array(codes.map { .string($0) }))])
    let properties = JSONMember("properties", .object([JSONMember("code", code)]))
    writer.object { body in
      body.member("description", meaning)
      body.member("content") { content in
        content.object { content in
          content.name(MediaType.problem.description)
          content.object { $0.member("schema", .object(codes.isEmpty ? [problem] : [problem, properties])) }
        }
      }
    }
  }
}
