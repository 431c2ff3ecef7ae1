// The service from an app's side: typed reads and writes, each write with one key however often it is sent.

public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client of one service. Values only: copy it as you like.
///
/// A write that fails without an answer is sent again with the same key, so that it has its effect once (`retries`). What an app must
/// not lose, such as typed answers, goes through an `Outbox`.
public struct InterviewKitClient: Sendable {
  /// How often, and after which times, what failed for a while is sent again.
  public struct Retries: Sendable, Hashable {
    public var attempts: Int
    /// Before the second attempt; doubled before each one after it. `Retry-After` outranks it.
    public var pause: Duration
    public static let standard = Retries(attempts: 4, pause: .milliseconds(250))
    public static let none = Retries(attempts: 1, pause: .zero)

    public init(attempts: Int, pause: Duration) { (self.attempts, self.pause) = (attempts, pause) }
  }

  let transport: any Transport
  private let token: String?
  private let retries: Retries

  /// - Parameter token: a bearer token; nil for a service that is open.
  public init(baseURL: URL, token: String? = nil, retries: Retries = .standard, session: URLSession = .shared) {
    self.init(transport: HTTPTransport(baseURL: baseURL, session: session), token: token, retries: retries)
  }

  public init(transport: any Transport, token: String? = nil, retries: Retries = .standard) {
    (self.transport, self.token, self.retries) = (transport, token, retries)
  }

  // MARK: Kits

  public func kits(matching text: String? = nil, cursor: String? = nil) async throws(ServiceError) -> Page<KitSummary> {
    var query: [URLQueryItem] = []
    if let text { query.append(URLQueryItem(name: "q", value: text)) }
    if let cursor { query.append(URLQueryItem(name: "cursor", value: cursor)) }
    return try await read(["kits"], query)
  }

  public func kit(_ id: String) async throws(ServiceError) -> Kit { try await read(["kits", id]) }

  // MARK: Evaluations

  /// Opens an evaluation under an ID of the app's own, so that sending it twice makes one.
  public func createEvaluation(_ id: String, of kitID: String, for candidate: Candidate) async throws(ServiceError)
    -> Evaluation
  {
    struct Body: Encodable {
      let kitId: String
      let candidate: Candidate
    }
    return try await write(
      "PUT", ["evaluations", id], body: Body(kitId: kitID, candidate: candidate), ["If-None-Match": "*"])
  }

  public func evaluation(_ id: String) async throws(ServiceError) -> Evaluation { try await read(["evaluations", id]) }

  /// Everything that a form needs, in one consistent state.
  public func screen(_ evaluationID: String, viewport: Viewport) async throws(ServiceError) -> Screen {
    try await read(
      ["evaluations", evaluationID], [URLQueryItem(name: "include", value: "kit,layout")] + viewport.queryItems)
  }

  /// Refused with 422 and `missingAnswers` while something required is missing: the problem's `errors` name each item.
  public func submit(_ evaluationID: String) async throws(ServiceError) -> Evaluation {
    try await write("POST", ["evaluations", evaluationID, "submit"], body: [String: String]())
  }

  public func reopen(_ evaluationID: String, because reason: String) async throws(ServiceError) -> Evaluation {
    try await write("POST", ["evaluations", evaluationID, "reopen"], body: ["reason": reason])
  }

  // MARK: Answers

  /// Writes one answer.
  /// - Parameters:
  ///   - seen: the revision that the app shows, 0 for none; another one at the service is a 412 whose `current` has it.
  ///   - key: the same for the same write, however often it is sent.
  public func putAnswer(
    _ draft: AnswerDraft, to itemID: String, in evaluationID: String, seen: Int, viewport: Viewport,
    key: String = UUID().uuidString
  ) async throws(ServiceError) -> AnswerWritten {
    try await write(
      "PUT", ["evaluations", evaluationID, "answers", itemID], viewport.queryItems, body: draft,
      ["If-Match": "\"\(seen)\""], key: key)
  }

  // MARK: Changes

  /// What changed after a position of the feed. `isReset` says that the position is of another life of the data: read all afresh.
  public func changes(after position: String, evaluation: String? = nil) async throws(ServiceError) -> ChangePage {
    var query = [URLQueryItem(name: "since", value: position)]
    if let evaluation { query.append(URLQueryItem(name: "evaluation", value: evaluation)) }
    return try await read(["changes"], query)
  }

  // MARK: Requests

  func read<Value: Decodable>(_ path: [String], _ query: [URLQueryItem] = []) async throws(ServiceError) -> Value {
    try decode(await exchange(request("GET", path, query)))
  }

  func write<Value: Decodable>(
    _ method: String, _ path: [String], _ query: [URLQueryItem] = [], body: some Encodable,
    _ fields: [String: String] = [:], key: String = UUID().uuidString
  ) async throws(ServiceError) -> Value {
    var request = request(method, path, query)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { request.body = try encoder.encode(body) } catch {
      throw .unexpectedAnswer(status: 0, "the request can't be written: \(error)")
    }
    request.fields["Content-Type"] = "application/json"
    request.fields["Idempotency-Key"] = key
    request.fields.merge(fields) { _, given in given }
    return try decode(await exchange(request))
  }

  func request(_ method: String, _ path: [String], _ query: [URLQueryItem]) -> ServiceRequest {
    var components = URLComponents()
    if !query.isEmpty { components.queryItems = query }
    let names = path.map { $0.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? $0 }
    let text = components.percentEncodedQuery.map { "?" + $0.replacing("+", with: "%2B") } ?? ""
    var fields = ["Accept": "application/json"]
    if let token { fields["Authorization"] = "Bearer \(token)" }
    return ServiceRequest(method: method, target: "/v1/" + names.joined(separator: "/") + text, fields: fields)
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:")

  /// Sends, and sends again what failed for a while. The request stays the same, with its key.
  private func exchange(_ request: ServiceRequest) async throws(ServiceError) -> Data {
    var (attempt, pause) = (1, retries.pause)
    while true {
      do { return try await once(request) } catch {
        guard error.failure.isTemporary, attempt < retries.attempts else { throw error.failure }
        do { try await Task.sleep(for: max(pause, error.retryAfter ?? .zero)) } catch {
          throw .unreachable("cancelled")
        }
        (attempt, pause) = (attempt + 1, pause * 2)
      }
    }
  }

  private struct Failed: Error {
    let failure: ServiceError
    var retryAfter: Duration?
  }

  private func once(_ request: ServiceRequest) async throws(Failed) -> Data {
    let reply: ServiceReply
    do { reply = try await transport.send(request) } catch { throw Failed(failure: .unreachable("\(error)")) }
    if (200..<300).contains(reply.status) { return reply.body }
    throw Failed(failure: .init(reply), retryAfter: reply.fields["retry-after"].flatMap(Int.init).map { .seconds($0) })
  }

  private func decode<Value: Decodable>(_ body: Data) throws(ServiceError) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: body) } catch {
      throw .unexpectedAnswer(status: 200, "\(error)")
    }
  }
}

extension ServiceError {
  init(_ reply: ServiceReply) {
    if let problem = try? JSONDecoder().decode(ServiceProblem.self, from: reply.body) {
      self = .problem(problem)
    } else {
      self = .unexpectedAnswer(status: reply.status, String(decoding: reply.body.prefix(200), as: UTF8.self))
    }
  }
}
