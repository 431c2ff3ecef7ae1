// Examples of bodies for /openapi.json: each by the name of its schema. Together they tell one story, which the tests send.

import HTTP
import JSON

enum OpenAPIExamples {
  /// Every example by name: that of a schema (`Kit`); a second one has a word behind it (`SectionPage.deleted`), one that is no JSON
  /// the subtype of its media type (`Kit.csv`); what belongs to one operation alone, that one's (`putAnswer`).
  static let all: [JSONMember] = [kits, evaluations, others].flatMap { text in
    guard case .object(let members) = OpenAPISchema.parsed(text) else { preconditionFailure("examples are an object") }
    return members.map { JSONMember($0.name, joined($0.value)) }
  }

  /// The names of the examples of a schema in a media type.
  static func names(of schema: String, as type: MediaType, for operation: OpenAPIOperation? = nil) -> [String] {
    if !type.isJSON { return all.map(\.name).filter { $0 == "\(schema).\(type.subtype)" } }
    if let operation, all.contains(where: { $0.name == operation.id }) { return [operation.id] }
    return all.filter { example in
      if case .string = example.value { return false }
      return example.name == schema || example.name.hasPrefix("\(schema).")
    }.map(\.name)
  }

  /// What stands where a precondition failed: an example of that schema.
  static func current(_ schema: String) -> JSONValue {
    let page = schema == "EvaluationSummary" ? "EvaluationPage" : schema
    guard let example = all.first(where: { $0.name == page })?.value else {
      preconditionFailure("there is no example of \(schema)")
    }
    guard page != schema else { return example }
    guard case .array(let items)? = example["items"], let first = items.first else {
      preconditionFailure("a page of examples is empty")
    }
    return first
  }

  static func write(to examples: inout JSONWriter) {
    for example in all {
      examples.name(example.name)
      examples.object { $0.member("value", example.value) }
    }
  }

  /// Long texts are written as `{ "lines": [ … ] }`.
  private static func joined(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      if members.count == 1, members[0].name == "lines", case .array(let lines) = members[0].value {
        let texts = lines.compactMap { if case .string(let line) = $0 { line } else { nil } }
        if texts.count == lines.count { return .string(texts.joined()) }
      }
      return .object(members.map { JSONMember($0.name, joined($0.value)) })
    case .array(let elements): return .array(elements.map(joined))
    default: return value
    }
  }
}

extension MediaType {
  var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }
}
