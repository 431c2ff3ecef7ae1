// The notation in which the schemas of /openapi.json are written, and what it stands for.

import JSON

/// Schemas are written as JSON, shorter than JSON Schema:
///
/// - `"Kit"` is a reference, `"string"` a primitive of the list below; `"Kit?"` may be null too.
/// - `[ "Kit" ]` is an array of them.
/// - `{ "members": { "id": "Id", "name?": "string" } }` is an object with these members and no others, where `?` marks
///   those that may be absent and `??` those that may be absent or null; `"like": "Base"` takes over the members of
///   another one.
/// - `{ "map": "Answer" }` is an object of any member names.
///
/// A description may be a list of lines. Everything else is JSON Schema and stays as it is.
struct OpenAPISchema {
  /// All schemas by name, as written.
  let all: [JSONMember]

  static let primitives: [String: JSONValue] = [
    "any": parsed("{}"), "string": parsed(#"{"type":"string"}"#), "boolean": parsed(#"{"type":"boolean"}"#),
    "integer": parsed(#"{"type":"integer"}"#), "number": parsed(#"{"type":"number"}"#),
    "count": parsed(#"{"type":"integer","minimum":0}"#), "revision": parsed(#"{"type":"integer","minimum":1}"#),
    "length": parsed(#"{"type":"number","minimum":0}"#), "time": parsed(#"{"type":"string","format":"date-time"}"#),
  ]

  static func parsed(_ text: String) -> JSONValue {
    do { return try JSONValue.parse(Array(text.utf8)) } catch { preconditionFailure("\(error) in \(text)") }
  }

  /// The JSON Schema that a short one stands for.
  func expanded(_ short: JSONValue) -> JSONValue {
    switch short {
    case .string(let name): return named(name)
    case .array(let items):
      precondition(items.count == 1, "an array has one schema")
      return .object([JSONMember("type", .string("array")), JSONMember("items", expanded(items[0]))])
    case .object(let members): return .object(members.flatMap { expanded($0, of: short) })
    default: preconditionFailure("\(short) is no schema")
    }
  }

  private func named(_ name: String) -> JSONValue {
    guard name.hasSuffix("?") else {
      if let primitive = Self.primitives[name] { return primitive }
      precondition(all.contains { $0.name == name }, "there is no schema \(name)")
      return .object([JSONMember("$ref", .string("#/components/schemas/\(name)"))])
    }
    return orNull(named(String(name.dropLast())))
  }

  private func orNull(_ schema: JSONValue) -> JSONValue {
    let null = JSONValue.string("null")
    guard case .object(var members) = schema, !members.isEmpty else { return schema }
    if schema["enum"] == nil, let type = members.firstIndex(where: { $0.name == "type" }) {
      if case .string = members[type].value { members[type].value = .array([members[type].value, null]) }
      return .object(members)
    }
    return .object([JSONMember("anyOf", .array([schema, .object([JSONMember("type", null)])]))])
  }

  private func expanded(_ member: JSONMember, of schema: JSONValue) -> [JSONMember] {
    switch (member.name, member.value) {
    case ("like", _): return []
    case ("members", _): return closedObject(members(of: schema))
    case ("map", let value):
      return [
        JSONMember("type", .string("object")), JSONMember("additionalProperties", expanded(value)),
      ]
    case ("anyOf", .array(let choices)), ("oneOf", .array(let choices)):
      return [JSONMember(member.name, .array(choices.map(expanded)))]
    case ("description", .array(let lines)):
      let text = lines.compactMap { if case .string(let line) = $0 { line } else { nil } }.joined(separator: " ")
      return [JSONMember("description", .string(text))]
    case ("items", let value): return [JSONMember("items", expanded(value))]
    default: return [member]
    }
  }

  /// The members of a short schema after those of the one that it is like, which it may name anew.
  private func members(of schema: JSONValue) -> [JSONMember] {
    guard case .object(let own)? = schema["members"] else { preconditionFailure("\(schema) has no members") }
    guard case .string(let base)? = schema["like"] else { return own }
    guard let base = all.first(where: { $0.name == base }) else { preconditionFailure("there is no schema \(base)") }
    let names = own.map { Self.bare($0.name) }
    return members(of: base.value).filter { !names.contains(Self.bare($0.name)) } + own
  }

  private func closedObject(_ members: [JSONMember]) -> [JSONMember] {
    let required = members.filter { !$0.name.hasSuffix("?") }.map { JSONValue.string($0.name) }
    let properties = members.map { member in
      let schema = expanded(member.value)
      return JSONMember(Self.bare(member.name), member.name.hasSuffix("??") ? orNull(schema) : schema)
    }
    var object = [JSONMember("type", .string("object")), JSONMember("properties", .object(properties))]
    if !required.isEmpty { object.append(JSONMember("required", .array(required))) }
    return object + [JSONMember("additionalProperties", .bool(false))]
  }

  private static func bare(_ name: String) -> String { String(name.prefix { $0 != "?" }) }
}

/// The schemas of all resources.
enum OpenAPISchemas {
  static let short = OpenAPISchema(
    all: [kits, evaluations, layouts, measuring, access, service].flatMap { text in
      guard case .object(let members) = OpenAPISchema.parsed(text) else { preconditionFailure("schemas are an object") }
      return members
    })

  static func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for schema in short.all {
        writer.name(schema.name)
        writer.value(short.expanded(schema.value))
      }
    }
  }
}
