// Liveness, readiness, versions and the description of the API.

import HTTP
import InterviewKits
import JSON
import RowLayout
import Store

extension Call {
  static let health = Response.json { $0.object { $0.member("status", "ok") } }

  func readHealth() async throws(Problem) -> Response { Self.health }

  /// Ready when the database answers and takes writes; a full disk is told, and stops no read.
  func readReadiness() async throws(Problem) -> Response {
    let state = api.store.databaseState
    switch state {
    case .sound, .full: break
    case .failing(let cause): throw problem(.databaseFailing(cause))
    case .damaged(let places):
      var damage = problem(.databaseDamaged(places.joined(separator: "; ")))
      damage.issues = places.map { Issue(pointer: "", code: "damaged", message: $0) }
      throw damage
    }
    _ = try stored { () throws(StoreError) in try api.store.check() }
    return .json { body in
      body.object { body in
        body.member("status", "ready")
        body.member("database", state == .full ? "full" : "sound")
      }
    }
  }

  func readVersion() async throws(Problem) -> Response {
    constant { writer in
      writer.object { body in
        body.member("version", api.version)
        body.member("schema", Store.schemaVersion)
        body.member("engine", api.layouts.textVersion)
        body.member("fonts", api.layouts.fontFingerprint)
      }
    }
  }

  func readOpenAPI() async throws(Problem) -> Response {
    constant { $0.raw(OpenAPIDocument(profiles: api.profiles.shipped).encoded()) }
  }

  /// A reply that changes only with the program and its files: kept, and tagged by its bytes.
  func constant(_ write: (inout JSONWriter) -> Void) -> Response { constant(.json(capacity: 4_096, write)) }

  func constant(_ fresh: Response) -> Response {
    let response = fresh.taggedByContent()
    api.remember(response, for: request.head, of: account, subject: .constant)
    return response.unlessKnown(to: request.head)
  }
}

extension Response {
  /// With an entity tag made from the body.
  func taggedByContent() -> Response {
    var response = self
    // FNV-1a: two versions of one document are told apart, nobody is kept from making two alike.
    let hash = response.body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    response.fields.append(Field("ETag", "\"\(String(hash, radix: 16))\""))
    return response
  }
}
