// /openapi.json: OpenAPI 3.1, made from the routing table, the operations and the schemas, so that it can't name what
// does not exist.

import HTTP
import JSON
import RowLayout

struct OpenAPIDocument {
  let profiles: ProfileLibrary

  func encoded() -> [UInt8] {
    var writer = JSONWriter(capacity: 1 << 17)
    writer.object { document in
      document.member("openapi", "3.1.0")
      document.member("info") { info in
        info.object { info in
          info.member("title", "InterviewKit")
          info.member("version", "1")
          info.member(
            "description", "Kits of questions, evaluations and answers by stable IDs, and every row's height.")
        }
      }
      document.member("security", Self.security)
      document.member("tags") { tags in
        tags.array { tags in
          for group in InterviewKitAPI.groups {
            tags.object { tag in
              tag.member("name", group.name)
              tag.member("description", group.summary)
            }
          }
        }
      }
      document.member("paths") { writePaths(to: &$0) }
      document.member("components") { components in
        components.object { components in
          components.member("schemas") { OpenAPISchemas.write(to: &$0) }
          components.member("responses") { OpenAPIProblems.writeComponents(to: &$0) }
          components.member("examples") { examples in
            examples.object { examples in
              OpenAPIExamples.write(to: &examples)
              OpenAPIProblems.writeExamples(to: &examples)
            }
          }
          components.member("headers") { Self.writeHeaders(to: &$0) }
          components.member("securitySchemes", Self.securitySchemes)
        }
      }
    }
    return writer.bytes
  }

  private static let security = OpenAPISchema.parsed(#"[{"token":[]},{}]"#)
  private static let securitySchemes = OpenAPISchema.parsed(
    #"""
    {"token":{"type":"http","scheme":"bearer","description":"Needed by every request once any token exists."}}
    """#)

  private func writePaths(to writer: inout JSONWriter) {
    var patterns: [String] = []
    for route in InterviewKitAPI.describedRoutes where !patterns.contains(route.pattern) {
      patterns.append(route.pattern)
    }
    writer.object { paths in
      for pattern in patterns {
        paths.name(pattern)
        paths.object { path in
          for route in InterviewKitAPI.describedRoutes where route.pattern == pattern {
            path.name(route.method.name.lowercased())
            write(route, to: &path)
          }
        }
      }
    }
  }

  private func write(_ route: Route<Endpoint>, to writer: inout JSONWriter) {
    let operation = OpenAPIOperations.operation(of: route)
    writer.object { body in
      body.member("operationId", operation.id)
      body.member("tags", .array([.string(InterviewKitAPI.group(of: route))]))
      body.member("summary", operation.summary)
      if route.endpoint.audience == .everybody {
        body.member("security", .array([]))
      } else {
        body.member("description", "For \(route.endpoint.audience.names.joined(separator: ", ")).")
      }
      body.member("parameters") { OpenAPIParameters(profiles: profiles).write(of: route, operation, to: &$0) }
      if let schema = operation.body {
        body.member("requestBody") { Self.writeBody(schema, of: route, operation, to: &$0) }
      }
      body.member("responses") { responses in
        responses.object { responses in
          for status in operation.statuses {
            responses.name(String(status))
            Self.writeReply(status, of: route, operation, to: &responses)
          }
          if route.method == .get, operation.isTagged {
            responses.name("304")
            responses.object { body in
              body.member("description", "Unchanged since the tag of If-None-Match.")
              body.member("headers") { Self.writeReferences(to: ["ETag"], to: &$0) }
            }
          }
          for refusal in OpenAPIProblems.refusals(of: route, operation) {
            responses.name(String(refusal.status))
            OpenAPIProblems.writeReference(to: refusal, to: &responses)
          }
          responses.name("default")
          OpenAPIProblems.writeReference(to: nil, to: &responses)
        }
      }
    }
  }

  private static func writeBody(
    _ schema: String, of route: Route<Endpoint>, _ operation: OpenAPIOperation, to writer: inout JSONWriter
  ) {
    writer.object { body in
      body.member("required", route.endpoint.body != .optionalJSON)
      body.member("content") { content in
        content.object { content in
          for type in route.endpoint.body.mediaTypes { writeContent(type, schema, for: operation, to: &content) }
        }
      }
    }
  }

  private static func writeReply(
    _ status: Int, of route: Route<Endpoint>, _ operation: OpenAPIOperation, to writer: inout JSONWriter
  ) {
    writer.object { body in
      body.member("description", status == 201 ? "Created." : "Done.")
      let headers = (operation.isTagged ? ["ETag"] : []) + (operation.isLocated(status) ? ["Location"] : [])
      if !headers.isEmpty { body.member("headers") { writeReferences(to: headers, to: &$0) } }
      guard status != 204, let schema = operation.reply else { return }
      body.member("content") { content in
        content.object { content in for type in route.endpoint.offers { writeContent(type, schema, to: &content) } }
      }
    }
  }

  private static let csvDescription = """
    A text that a spreadsheet would take for a formula, because it begins with = + - @, a tab or a line break, has an \
    apostrophe (') before it; a reader takes it away.
    """

  private static func writeContent(
    _ type: MediaType, _ schema: String, for operation: OpenAPIOperation? = nil, to content: inout JSONWriter
  ) {
    content.name(type.description)
    content.object { body in
      if type == .csv {
        body.member("schema") { schema in
          schema.object { schema in
            schema.member("type", "string")
            schema.member("description", csvDescription)
          }
        }
      } else {
        body.member("schema", OpenAPISchemas.short.expanded(.string(type.type == "text" ? "string" : schema)))
      }
      body.member("examples") { examples in
        examples.object { examples in
          for name in OpenAPIExamples.names(of: schema, as: type, for: operation) {
            examples.name(name)
            examples.object { $0.member("$ref", "#/components/examples/\(name)") }
          }
        }
      }
    }
  }

  // MARK: Headers

  private static func writeHeaders(to writer: inout JSONWriter) {
    writer.object { headers in
      let tag =
        "What If-Match and If-None-Match take; one with -told, of what is told without private answers, only the latter."
      for (name, note) in [("ETag", tag), ("Location", "The new one's address.")] {
        headers.name(name)
        headers.object { body in
          body.member("description", note)
          body.member("schema", OpenAPISchemas.short.expanded(.string("string")))
        }
      }
    }
  }

  private static func writeReferences(to names: [String], to writer: inout JSONWriter) {
    writer.object { headers in
      for name in names {
        headers.name(name)
        headers.object { $0.member("$ref", "#/components/headers/\(name)") }
      }
    }
  }
}
