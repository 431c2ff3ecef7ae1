// The parameters of each route for /openapi.json: path, query and the conditions of RFC 9110.

import HTTP
import InterviewKits
import JSON
import RowLayout

struct OpenAPIParameters {
  /// The profiles that a viewport may name.
  let profiles: ProfileLibrary

  func write(of route: Route<Endpoint>, _ operation: OpenAPIOperation, to writer: inout JSONWriter) {
    writer.array { list in
      for segment in route.pattern.split(separator: "/") where segment.first == "{" {
        let name = String(segment.dropFirst().dropLast())
        write(
          name, in: "path", isRequired: true, schema(ofPath: name), example: example(ofPath: name, of: route), to: &list
        )
      }
      let layoutIsRead = route.pattern.hasSuffix("/layout")
      let isAnswerWrite = operation.writes && route.pattern.contains("/answers")
      for name in route.endpoint.query {
        let isRequired = layoutIsRead && (name == "profile" || name == "width") || name == "from"
        let isOneWidth = name == "width" && layoutIsRead
        let schema = isOneWidth ? Self.width : schema(ofQuery: name, of: route)
        let note = isOneWidth ? Self.oneWidth : Self.notes[name]
        let example = isRequired || isAnswerWrite ? Self.examples[isOneWidth ? "oneWidth" : name] : nil
        write(name, in: "query", isRequired: isRequired, schema, note, example: example, to: &list)
      }
      // A PUT to an address of its own makes what is not there yet, which needs no If-Match.
      let mayMake = route.method == .put && route.pattern.hasSuffix("}")
      if operation.condition != .none {
        let example = operation.condition == .required && !mayMake ? JSONValue.string("*") : nil
        write("If-Match", in: "header", isRequired: false, Self.tags, Self.ifMatch, example: example, to: &list)
      }
      if operation.condition != .none, mayMake {
        write(
          "If-None-Match", in: "header", isRequired: false, Self.star, "Only where there is nothing yet.", to: &list)
      }
      if route.endpoint.offers.contains(.eventStream) {
        let note = "Of a stream: the id of the last event that arrived."
        write("Last-Event-ID", in: "header", isRequired: false, Self.text, note, to: &list)
      }
      if operation.writes {
        write("Idempotency-Key", in: "header", isRequired: false, Self.key, Self.idempotencyKey, to: &list)
      }
      if operation.isTagged, route.method == .get {
        let note = "Answered only if what is here has one of these entity tags."
        write("If-Match", in: "header", isRequired: false, Self.tags, note, to: &list)
        write(
          "If-None-Match", in: "header", isRequired: false, Self.text, "Entity tags that the client has.", to: &list)
      }
    }
  }

  private func write(
    _ name: String, in place: String, isRequired: Bool, _ schema: JSONValue, _ note: String? = nil,
    example: JSONValue? = nil, to list: inout JSONWriter
  ) {
    list.object { body in
      body.member("name", name)
      body.member("in", place)
      body.member("required", isRequired)
      if let note { body.member("description", note) }
      if schema["type"] == .string("array") {
        body.member("style", "form")
        body.member("explode", false)
      }
      body.member("schema", OpenAPISchemas.short.expanded(schema))
      if let example { body.member("example", example) }
    }
  }

  // MARK: Examples

  private static let examples: [String: JSONValue] = [
    "profile": .string("ios"), "width": .array([.number(JSONNumber(375))]), "oneWidth": .number(JSONNumber(375)),
    "from": .number(JSONNumber(1)),
  ]

  private func example(ofPath name: String, of route: Route<Endpoint>) -> JSONValue {
    switch name {
    case "kitId": .string("backend")
    case "evaluationId": .string("kim-2")
    case "itemId":
      .string(route.pattern.contains("/sections") ? "closing" : route.pattern.contains("/answers") ? "built" : "why")
    case "revision": .number(JSONNumber(1))
    case "memberId": .string("lee")
    case "candidateId": .string("c-81")
    case "tokenId": .string("01a22c1a-4df0-7720-bd75-9afd7e852df0")
    case "name": .string(route.method == .put ? "compact" : "ios")
    default: preconditionFailure("the path parameter \(name) has no example")
    }
  }

  // MARK: Schemas

  private static let text = JSONValue.string("string")
  private static let star = OpenAPISchema.parsed(#"{"type":"string","pattern":"^[*]$"}"#)
  private static let tags = OpenAPISchema.parsed(
    #"""
    {"type":"string","pattern":"^(\\*|(W/)?\"[!#-~]*\"( *, *(W/)?\"[!#-~]*\")*)$","examples":["\"7\"","*"]}
    """#)
  private static let ifMatch =
    "The entity tag of what the writer saw, or *. Without it 428 where this is required, and no question asked where it is not."
  private static let key = OpenAPISchema.parsed(
    #"{"type":"string","minLength":1,"maxLength":255,"pattern":"^[ -~]*$"}"#)
  private static let oneWidth =
    "Of the list, in the profile's unit, above what its insets take: one. A screen read or a write takes several."
  private static let idempotencyKey =
    "The client's name for the write: sent again within 24 hours, it has no other effect and the same outcome."
  private static let width = OpenAPISchema.parsed(
    #"{"type":"number","exclusiveMinimum":0,"maximum":\#(Int(RowLayoutLimits.standard.maximumWidth))}"#)
  private static let flag = OpenAPISchema.parsed(#"{"type":"boolean","default":false}"#)

  private static let notes = [
    "profile": "The newest version of a profile, or one such as ios@1. A viewport has a profile and a width.",
    "contentSize": "With profiles that list contentSizes; UIKit's names are taken too.",
    "fontScale": "With profiles that have fontScales, within these.",
    "slots": "Heights of the profile's slots, where they are not its own: counter:18,error:22.",
    "scale": "Device pixels in a unit; left out: the profile's.",
    "locale": "A BCP 47 tag; left out: the kit's language.",
    "width": "Of the list, in the profile's unit, above what its insets take. Several widths give several layouts.",
    "parts": "Rows tell their parts: role, y, height and lines.",
    "all": "Rows are there, too, that a condition hides.",
    "coverage": "Faces tell their characters: unicodeRange, as CSS writes it.",
    "include": "kit and layout make it one screen; layout needs profile and width.",
    "cursor": "nextCursor of the page before.",
    "q": "Kits whose title holds this.",
    "title": "The title of a Markdown or CSV document that has none.",
    "language": "The language of a Markdown or CSV document that names none: a BCP 47 tag.",
    "dryRun": "Answers what would be made and stores nothing.",
    "deleted": "The trash instead.",
    "since": "The sequence of an evaluation, or of the reply before; cursor is the same.",
    "ticket": "Of POST /v1/tickets, in place of a token.",
    "from": "The older revision.",
    "to": "The newer one; left out: the newest.",
    "account": "The own one; the command line may name others.",
    "member": "Who did it.",
    "interviewer": "An interviewer's ID, or me.",
  ]

  private func schema(ofPath name: String) -> JSONValue {
    switch name {
    case "revision": .string("revision")
    case "name": Self.profileName
    default: .string("Id")
    }
  }

  private func schema(ofQuery name: String, of route: Route<Endpoint>) -> JSONValue {
    switch name {
    case "limit":
      let most = APILimits.largestPageSize
      return OpenAPISchema.parsed(
        #"{"type":"integer","minimum":1,"maximum":\#(most),"default":\#(APILimits.pageSize)}"#)
    case "dryRun", "deleted", "parts", "coverage", "all": return Self.flag
    case "status": return .string(route.pattern == "/v1/evaluations" ? "EvaluationStatus" : "KitStatus")
    case "from", "to": return .string("revision")
    case "kit", "evaluation", "candidate", "interviewer", "account", "member": return .string("Id")
    case "include":
      return OpenAPISchema.parsed(#"{"type":"array","minItems":1,"items":{"type":"string","enum":["kit","layout"]}}"#)
    case "cursor": return OpenAPISchema.parsed(#"{"type":"string","minLength":1}"#)
    case "profile": return Self.profileName
    case "width":
      return .object([
        JSONMember("type", .string("array")), JSONMember("minItems", .number(JSONNumber(1))),
        JSONMember("maxItems", .number(JSONNumber(RowLayoutLimits.standard.maximumWidths))),
        JSONMember("items", Self.width),
      ])
    case "contentSize": return contentSize
    case "fontScale": return OpenAPISchema.parsed(#"{"type":"number","minimum":0.1,"maximum":10}"#)
    case "slots": return OpenAPISchema.parsed(#"{"type":"string","examples":["counter:18"]}"#)
    case "scale": return OpenAPISchema.parsed(#"{"type":"number","minimum":0.1,"maximum":10}"#)
    case "locale", "language": return OpenAPISchema.parsed(#"{"type":"string","examples":["en","ko","zh-Hant"]}"#)
    default: return Self.text
    }
  }

  private static let profileName = OpenAPISchema.parsed(
    #"{"type":"string","pattern":"^[a-z0-9][a-z0-9-]{0,39}(@[1-9][0-9]*)?$","examples":["ios","ios@1"]}"#)

  private var contentSize: JSONValue {
    var names: [String] = []
    for case .dynamicType(let rule) in profiles.all.map(\.textSize) {
      for category in rule.categories where !names.contains(category.name) { names.append(category.name) }
    }
    return .object([
      JSONMember("type", .string("string")), JSONMember("examples", .array(names.map { .string($0) })),
    ])
  }
}
