// /openapi.json: OpenAPI 3.1, made from the routing table, the operations and the schemas, so that it can't name what
// does not exist.

import HTTP
import JSON

enum OpenAPIDocument {
  /// The document, encoded once when it is first asked for.
  static let bytes: [UInt8] = {
    var writer = JSONWriter(capacity: 1 << 16)
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
      document.member("paths") { writePaths(to: &$0) }
      document.member("components") { components in
        components.object { components in
          components.member("schemas") { $0.raw(Array(OpenAPISchemas.json.utf8)) }
          components.member("responses") { responses in
            responses.object { responses in
              responses.member("Problem") { writeReply("What is wrong, and where.", "Problem", problem: true, to: &$0) }
            }
          }
        }
      }
    }
    return writer.bytes
  }()

  private static func writePaths(to writer: inout JSONWriter) {
    var patterns: [String] = []
    for route in InterviewKitAPI.routes where !patterns.contains(route.pattern) { patterns.append(route.pattern) }
    writer.object { paths in
      for pattern in patterns {
        paths.name(pattern)
        paths.object { path in
          for route in InterviewKitAPI.routes where route.pattern == pattern {
            path.name(route.method.name.lowercased())
            write(route, to: &path)
          }
        }
      }
    }
  }

  private static func write(_ route: Route<Endpoint>, to writer: inout JSONWriter) {
    let name = "\(route.method) \(route.pattern)"
    guard let operation = OpenAPIOperations.all[name] else { preconditionFailure("no description of \(name)") }
    writer.object { body in
      body.member("operationId", operation.id)
      body.member("summary", operation.summary)
      body.member("parameters") { writeParameters(of: route, to: &$0) }
      if let schema = operation.body { body.member("requestBody") { writeBody(schema, of: route, to: &$0) } }
      body.member("responses") { responses in
        responses.object { responses in
          for status in operation.statuses {
            responses.name(String(status))
            let schema = status == 204 ? nil : operation.reply
            writeReply(status == 201 ? "Created." : "Done.", schema, offers: route.endpoint.offers, to: &responses)
          }
          if route.method == .get {
            responses.name("304")
            responses.object { $0.member("description", "Unchanged since the tag of If-None-Match.") }
          }
          responses.name("default")
          responses.object { $0.member("$ref", "#/components/responses/Problem") }
        }
      }
    }
  }

  private static func writeParameters(of route: Route<Endpoint>, to writer: inout JSONWriter) {
    writer.array { list in
      for segment in route.pattern.split(separator: "/") where segment.first == "{" {
        writeParameter(String(segment.dropFirst().dropLast()), in: "path", to: &list)
      }
      for name in route.endpoint.query { writeParameter(name, in: "query", to: &list) }
      if [.put, .patch, .delete].contains(route.method) || route.pattern.hasSuffix("/move") {
        for name in ["If-Match", "If-None-Match"] { writeParameter(name, in: "header", to: &list) }
      }
    }
  }

  private static func writeParameter(_ name: String, in place: String, to list: inout JSONWriter) {
    let isNumber = name == "limit" || name == "revision"
    let isFlag = ["dryRun", "deleted", "parts"].contains(name)
    list.object { body in
      body.member("name", name)
      body.member("in", place)
      body.member("required", place == "path")
      body.member("schema") { schema in
        schema.object { schema in
          schema.member("type", isNumber ? "integer" : isFlag ? "boolean" : "string")
          if isNumber { schema.member("minimum", 1) }
          if name == "limit" { schema.member("maximum", APILimits.largestPageSize) }
        }
      }
    }
  }

  private static func writeBody(_ schema: String, of route: Route<Endpoint>, to writer: inout JSONWriter) {
    writer.object { body in
      body.member("required", route.endpoint.body != .optionalJSON)
      body.member("content") { content in
        content.object { content in
          for type in route.endpoint.body.mediaTypes { writeContent(type, schema, to: &content) }
        }
      }
    }
  }

  private static func writeReply(
    _ description: String, _ schema: String?, problem: Bool = false, offers: [MediaType] = [.json],
    to writer: inout JSONWriter
  ) {
    writer.object { body in
      body.member("description", description)
      guard let schema else { return }
      body.member("content") { content in
        content.object { content in
          for type in problem ? [.problem] : offers { writeContent(type, schema, to: &content) }
        }
      }
    }
  }

  private static func writeContent(_ type: MediaType, _ schema: String, to content: inout JSONWriter) {
    content.name(type.description)
    content.object { body in
      body.member("schema") { writer in
        writer.object { writer in
          if type.type == "text" {
            writer.member("type", "string")
          } else {
            writer.member("$ref", "#/components/schemas/\(schema)")
          }
        }
      }
    }
  }
}
