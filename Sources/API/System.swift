// Liveness, readiness, versions and the description of the API.

import HTTP
import JSON
import RowLayout
import Store

extension Call {
  func readHealth() async throws(Problem) -> Response {
    let response = Response.json { $0.object { $0.member("status", "ok") } }
    api.remember(response, for: request.head, subject: .constant)
    return response
  }

  /// Ready when the database answers.
  func readReadiness() async throws(Problem) -> Response {
    _ = try stored { () throws(StoreError) in try api.store.kits(KitQuery(limit: 1), in: account) }
    return .json { $0.object { $0.member("status", "ready") } }
  }

  func readVersion() async throws(Problem) -> Response {
    .json { writer in
      writer.object { body in
        body.member("version", api.version)
        body.member("schema", Store.schemaVersion)
        body.member("engine", api.layouts.textVersion)
        body.member("fonts", api.layouts.fontFingerprint)
      }
    }
  }

  func readOpenAPI() async throws(Problem) -> Response {
    let fields = [Field("Content-Type", MediaType.json.description)]
    return Response(status: 200, fields: fields, body: OpenAPIDocument.bytes)
  }
}
