// What browsers load: the reference frontend at `/`, its assets, and the font files that rows are measured with.

import Frontend
import HTTP
import RowLayout

extension Call {
  func readPage() async throws(Problem) -> Response { try file("index.html", fields: Self.pageFields) }

  /// The API reference: draws `/openapi.json`.
  func readReference() async throws(Problem) -> Response { try file("docs.html", fields: Self.pageFields) }

  func readAsset() async throws(Problem) -> Response {
    let name = parameters["file"]
    guard !name.hasSuffix(".html") else { throw .notFound("The pages are at / and /docs.") }
    return try file(name, fields: Self.pageFields)
  }

  /// A face by its file's digest and its place in it. It never changes, so browsers may keep it.
  func readFontFile() async throws(Problem) -> Response {
    let (digest, index) = (parameters["sha256"], parameters["index"])
    let tag = Field("ETag", "\"\(digest)-\(index)\"")
    guard let place = Int(digits: index) else { throw .notFound("'\(index)' is no place in a font file.") }
    let bytes: [UInt8]?
    do { bytes = try api.layouts.fontFile(sha256: digest, index: place) } catch {
      var problem = Problem(500, "internalError", "The font can't be read.")
      problem.cause = "\(error)"
      throw problem
    }
    guard let bytes else { throw .notFound("There is no font with this digest and place that may be passed on.") }
    let type = bytes.starts(with: Array("OTTO".utf8)) ? "font/otf" : "font/ttf"
    let fields = [
      Field("Content-Type", type), tag, Field("Cache-Control", "public, max-age=31536000, immutable"),
    ]
    return Response(status: 200, fields: fields, body: bytes).unlessKnown(to: request.head)
  }

  private func file(_ name: String, fields: [Field]) throws(Problem) -> Response {
    guard let file = Frontend.files[name] else { throw .notFound("There is no file '\(name)' here.") }
    // Kept, but asked for again: the names stay when the program changes.
    let common = [Field("Content-Type", file.mediaType), Field("Cache-Control", "no-cache")]
    return constant(Response(status: 200, fields: common + fields, body: file.bytes))
  }

  /// Nothing but this service's own files, and no script or style inside the page (Content Security Policy, level 3). An
  /// asset that is opened by itself is a page, too.
  private static let pageFields = [
    Field(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"),
    Field("Referrer-Policy", "no-referrer"), Field("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}
