// The API: from a request to its response, with the store, the layout engine and the fonts behind it.

public import HTTP
public import InterviewKits
import Locks
public import RowLayout
public import Store

/// Answers every request of the service; holds no socket and no SQL.
public final class InterviewKitAPI: RequestHandler {
  let store: Store
  let layouts: RowLayoutEngine
  /// Prepares layouts on the writer's heels, while it runs.
  public let layoutsAhead: LayoutsAhead
  let profiles: ProfileCatalog
  let ids: ItemIDSource
  let clock: @Sendable () -> Timestamp
  let version: String
  private let router = Router(
    routes.enumerated().map { place, route in
      var endpoint = route.endpoint
      endpoint.number = place + 1
      return Route(route.method, route.pattern, endpoint)
    })
  let limits: APILimits
  private let metrics = Lock<[@Sendable () -> [MetricFamily]]>([])
  private let encoded: EncodedResponses
  private let report: @Sendable (_ requestID: String, _ error: String) -> Void

  /// - Parameters:
  ///   - version: the program's version, for `/version`.
  ///   - report: takes what went wrong inside, which a client never sees.
  public init(
    store: Store, layouts: RowLayoutEngine, profiles: ProfileLibrary, version: String,
    clock: @escaping @Sendable () -> Timestamp, limits: APILimits = APILimits(),
    report: @escaping @Sendable (_ requestID: String, _ error: String) -> Void
  ) {
    (self.store, self.layouts, self.profiles) = (store, layouts, ProfileCatalog(profiles))
    (self.version, self.clock, self.report) = (version, clock, report)
    self.limits = limits
    ids = .uuidV7(clock: clock)
    layoutsAhead = LayoutsAhead(store, layouts, limits: limits.layoutsAhead)
    encoded = EncodedResponses(limitBytes: limits.encodedResponseBytes)
  }

  // MARK: RequestHandler

  public func admit(_ head: RequestHead, requestID: String) -> Admission {
    if head.isAsterisk { return .accept(maximumBodyBytes: 0) }
    switch router.match(head) {
    case .found(let endpoint, _):
      guard let problem = endpoint.body.problem(of: head) ?? endpoint.acceptProblem(of: head) else {
        return .accept(maximumBodyBytes: endpoint.body.maximumBytes)
      }
      var response = problem.response(requestID: requestID)
      response.route = endpoint.number
      return .refuse(response)
    case .options: return .accept(maximumBodyBytes: 0)
    case .methodNotAllowed(let methods):
      let names = methods.map(\.name).joined(separator: ", ")
      let detail = "\(head.method) is not possible here; possible are \(names)."
      let problem = Problem(405, "methodNotAllowed", detail, fields: [Field("Allow", names)])
      return .refuse(problem.response(requestID: requestID))
    case .notFound: return .refuse(Problem.notFound().response(requestID: requestID))
    }
  }

  public func answerFromMemory(_ head: RequestHead, requestID: String) -> MemoryAnswer? {
    guard head.method == .get || head.method == .head else { return nil }
    return encoded.answer(to: head, isCaughtUp: !store.isShared)
  }

  public func answer(_ request: Request) async -> Response {
    await withTaskExecutorPreference(store.workers) { await answerOffLoop(request) }
  }

  private func answerOffLoop(_ request: Request) async -> Response {
    if request.head.isAsterisk { return Self.options(HTTPMethod.served) }
    switch router.match(request.head) {
    case .options(let methods): return Self.options(methods)
    case .found(let endpoint, let parameters):
      let call = Call(api: self, request: request, parameters: parameters)
      do throws(Problem) {
        if store.isShared, endpoint.readsStore {
          try await call.stored { () async throws(StoreError) in try await store.catchUp() }
          let isRead = request.head.method == .get || request.head.method == .head
          if isRead, let known = encoded.answer(to: request.head, isCaughtUp: true) { return known.response }
        }
        try call.checkQuery(endpoint.query)
        if case .none = endpoint.body { try call.checkEmptyBody() }
        var response = try await endpoint.run(call)().coded(for: request.head)
        response.route = endpoint.number
        if response.status == 200 { encoded.store(coded: response, for: request.head) }
        return response
      } catch {
        if error.status >= 500 { report(request.requestID, error.cause ?? error.detail) }
        var response = error.response(requestID: request.requestID)
        response.route = endpoint.number
        return response
      }
    case .methodNotAllowed, .notFound: return Problem.notFound().response(requestID: request.requestID)
    }
  }

  public func refusal(_ refusal: Refusal, requestID: String) -> Response {
    Problem(refusal).response(requestID: requestID)
  }

  // MARK: Metrics

  /// The method and path of each route, in the order of their numbers, which begin at 1.
  public static let routeNames: [(method: String, path: String)] = routes.map { ($0.method.name, $0.pattern) }

  /// Adds a layer's figures to `/metrics`; asked for anew with every reading.
  public func addMetrics(_ source: @escaping @Sendable () -> [MetricFamily]) { metrics.withLock { $0.append(source) } }

  func currentMetrics() -> [MetricFamily] { metrics.withLock { $0 }.flatMap { $0() } }

  // MARK: Memory

  /// Keeps an encoded response for `answerFromMemory` as long as `subject` says the same.
  func remember(_ response: Response, for head: RequestHead, subject: ResponseSubject) {
    var kept = response
    if case .found(let endpoint, _) = router.match(head) { kept.route = endpoint.number }
    encoded.store(kept, for: head, standing: SubjectStanding(subject, in: store))
  }

  private static func options(_ methods: [HTTPMethod]) -> Response {
    Response(status: 204, fields: [Field("Allow", methods.map(\.name).joined(separator: ", "))])
  }
}

/// What one API keeps in memory.
public struct APILimits: Sendable {
  /// The bound of responses kept encoded, in bytes.
  public var encodedResponseBytes = 8 * 1_024 * 1_024
  /// Changes that a reader of the event stream may be behind; beyond it the stream ends, and its client resumes when it
  /// can.
  public var backlogChanges = 10_000
  /// What is remembered, and may wait, for layouts to be computed ahead.
  public var layoutsAhead = LayoutsAhead.Limits()
  /// What a client may send where no body is taken: an empty object, say.
  public static let emptyBodyBytes = 1_024
  /// The largest body of a request.
  public static let bodyBytes = 1_024 * 1_024
  /// The largest kit document or import.
  public static let kitBodyBytes = 16 * 1_024 * 1_024
  /// The default and the largest `limit` of a list.
  public static let pageSize = 50
  public static let largestPageSize = 200

  public init() {}
}
