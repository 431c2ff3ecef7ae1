// The API in this process on a fresh database, and requests in one line.

import API
import HTTP
import InterviewKits
import JSON
import RowLayout
import Store
import TestKit
import Testing
import TextLayout

/// An API with a store in a temporary folder, the project's profiles and its fonts.
final class APIHarness: Sendable {
  let api: InterviewKitAPI
  let store: Store
  let layouts: RowLayoutEngine
  private let folder: TemporaryFolder
  /// The package's folder.
  private static let root = #filePath.components(upTo: "/Tests/")

  init(limits: APILimits = APILimits()) throws {
    folder = TemporaryFolder()
    store = try Store.open("sqlite:\(folder.path)/test.sqlite", clock: { Timestamp(milliseconds: 1_796_040_000_000) })
    let fonts = try FontLibrary(configurationFile: Self.root + "/Config/fonts.json")
    let profiles = try ProfileLibrary(directory: Self.root + "/Config/profiles")
    let measurer = TextMeasurer(fonts: fonts, cacheBytes: 4 << 20)
    layouts = RowLayoutEngine(measurer: measurer)
    api = InterviewKitAPI(
      store: store, layouts: layouts, profiles: profiles, version: "test",
      clock: { Timestamp(milliseconds: 1_796_040_000_000) }, limits: limits,
      report: { _, error, _ in Issue.record("\(error)") })
  }

  /// Sends a request as the server would: admitted first, then from memory, then answered.
  func send(
    _ method: HTTPMethod, _ target: String, _ body: String? = nil, type: String = "application/json",
    fields: [String: String] = [:]
  ) async throws -> Reply {
    try await send(method, target, bytes: body.map { Array($0.utf8) }, type: type, fields: fields)
  }

  func send(
    _ method: HTTPMethod, _ target: String, bytes: [UInt8]?, type: String, fields: [String: String] = [:]
  ) async throws -> Reply {
    var lines = fields.map { Field($0.key, $0.value) }
    if bytes != nil { lines.append(Field("Content-Type", type)) }
    var head = try RequestHead.make(method, target, fields: lines)
    switch api.admit(head, requestID: "r-1") {
    case .refuse(let response): return Reply(response)
    case .accept(let maximum, let mark):
      head.mark = mark
      if let bytes, bytes.count > maximum {
        return Reply(api.refusal(.contentTooLarge(maximum: maximum), requestID: "r-1"))
      }
    }
    if bytes == nil, let answer = api.answerFromMemory(head, requestID: "r-1") { return Reply(answer.response) }
    return Reply(await api.answer(Request(head: head, body: bytes ?? [], requestID: "r-1")))
  }

  /// Makes a token of a member with that name and role, and of the member if need be.
  /// - Parameter admin: who makes it; nil while the service is open.
  func token(_ role: Role, _ name: String, by admin: String? = nil) async throws -> String {
    let body = #"{"name":"\#(name)","role":"\#(role.rawValue)"}"#
    let reply = try await send(.post, "/v1/tokens", body, fields: Self.bearer(admin))
    return try #require(reply.string("token"), "\(reply.text)")
  }

  static func bearer(_ token: String?) -> [String: String] { token.map { ["Authorization": "Bearer \($0)"] } ?? [:] }

  /// Creates a kit with one section `s` and these questions.
  func makeKit(_ id: String = "kit", questions: String = #"{"id":"q1","type":"longText","text":"One?"}"#) async throws {
    let kit = #"{"title":"Kit","language":"en","sections":[{"id":"s","title":"S","questions":[\#(questions)]}]}"#
    let reply = try await send(.put, "/v1/kits/\(id)", kit)
    try #require(reply.status == 201, "\(reply.text)")
  }

  func makeEvaluation(_ id: String = "e", kit: String = "kit") async throws {
    let reply = try await send(
      .put, "/v1/evaluations/\(id)", #"{"kitId":"\#(kit)","candidate":{"id":"c-1","name":"Kim"}}"#)
    try #require(reply.status == 201, "\(reply.text)")
  }
}

struct Reply {
  let response: Response

  init(_ response: Response) { self.response = response }

  var status: Int { response.status }
  var text: String { String(decoding: response.body, as: UTF8.self) }
  var tag: String? { field("ETag") }

  func field(_ name: String) -> String? { response.fields.first { $0.name == name }?.value }

  /// The value at a path of member names and array places, such as `sections/0/id`.
  subscript(_ path: String) -> JSONValue? {
    guard var value = try? JSONValue.parse(response.body) else { return nil }
    for step in path.split(separator: "/") {
      if case .array(let elements) = value, let place = Int(step), elements.indices.contains(place) {
        value = elements[place]
      } else if let member = value[String(step)] {
        value = member
      } else {
        return nil
      }
    }
    return value
  }

  func string(_ path: String) -> String? { if case .string(let text) = self[path] { text } else { nil } }
  func int(_ path: String) -> Int? { if case .number(let number) = self[path] { number.integer } else { nil } }
  func double(_ path: String) -> Double? { if case .number(let number) = self[path] { number.double } else { nil } }
  func count(_ path: String) -> Int? { if case .array(let elements) = self[path] { elements.count } else { nil } }

  /// The `pointer code` of each error of a problem document.
  var errors: Set<String> {
    guard case .array(let elements) = self["errors"] else { return [] }
    return Set(
      elements.map { element in
        guard case .string(let pointer) = element["pointer"], case .string(let code) = element["code"] else {
          return "?"
        }
        return "\(pointer) \(code)"
      })
  }

  /// True when this is a whole problem document with that status and code.
  func isProblem(_ status: Int, _ code: String) -> Bool {
    self.status == status && string("code") == code && int("status") == status && string("requestId") == "r-1"
      && field("Content-Type") == "application/problem+json" && string("type") != nil && string("title") != nil
      && string("detail") != nil && count("errors") != nil
  }
}

extension String {
  fileprivate func components(upTo mark: String) -> String {
    var rest = self
    while !rest.isEmpty, !rest.hasSuffix(mark) { rest.removeLast() }
    return String(rest.dropLast(mark.count))
  }
}
