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
      endpoint.refusesUnknownQuery = route.refusesUnknownQuery
      return Route(route.method, route.pattern, endpoint)
    })
  let limits: APILimits
  let throttle: Throttle
  let tickets = TicketBox()
  private let metrics = Lock<[@Sendable () -> [MetricFamily]]>([])
  private let encoded: EncodedResponses
  private let report: Report

  /// Takes what went wrong inside, which a client never sees.
  /// - Parameter isExpected: the service was right to refuse: what it stands on is busy, full or out of reach.
  public typealias Report = @Sendable (_ requestID: String, _ error: String, _ isExpected: Bool) -> Void

  /// - Parameters:
  ///   - version: the program's version, for `/version`.
  ///   - report: takes what went wrong inside.
  public init(
    store: Store, layouts: RowLayoutEngine, profiles: ProfileLibrary, version: String,
    clock: @escaping @Sendable () -> Timestamp, limits: APILimits = APILimits(),
    report: @escaping Report
  ) {
    (self.store, self.layouts, self.profiles) = (store, layouts, ProfileCatalog(profiles, memory: layouts.profiles))
    (self.version, self.clock, self.report) = (version, clock, report)
    self.limits = limits
    throttle = Throttle(limits)
    ids = .uuidV7(clock: clock)
    layoutsAhead = LayoutsAhead(store, layouts, limits: limits.layoutsAhead)
    encoded = EncodedResponses(limitBytes: limits.encodedResponseBytes)
  }

  // MARK: RequestHandler

  public func admit(_ head: RequestHead, requestID: String) -> Admission {
    if head.isAsterisk { return .accept(maximumBodyBytes: 0) }
    let match = router.match(head)
    do throws(Problem) {
      if !store.access.hasTokens, limits.crossOrigin.isForeign(head) { throw .foreignOrigin() }
      switch match {
      case .found(let endpoint, _) where endpoint.audience == .everybody:
        try endpoint.check(head)
        return .accept(maximumBodyBytes: endpoint.body.maximumBytes)
      case .found(let endpoint, _):
        let mark = try identify(head, endpoint)
        try checkRole(mark, endpoint)
        try endpoint.check(head)
        return .accept(maximumBodyBytes: endpoint.body.maximumBytes, mark: mark)
      case .options:
        try throttle.takeAddress(of: head, at: clock())
        return .accept(maximumBodyBytes: 0)
      case .methodNotAllowed(let methods):
        _ = try identify(head, nil)
        throw .methodNotAllowed(head.method, methods)
      case .notFound:
        _ = try identify(head, nil)
        throw .notFound(Self.nothing(at: head.pathBytes.raw))
      }
    } catch {
      var response = error.response(requestID: requestID)
      if case .found(let endpoint, _) = match { response.route = endpoint.number }
      finish(&response, to: head)
      return .refuse(response)
    }
  }

  /// Who asks, counted.
  private func identify(_ head: RequestHead, _ endpoint: Endpoint?) throws(Problem) -> Int {
    let now = clock()
    try throttle.takeAddress(of: head, at: now)
    let mark: Int
    let takesTicket = endpoint?.query.contains("ticket") ?? false
    do throws(Problem) { mark = try self.mark(of: head, takesTicket: takesTicket) } catch {
      let withTicket = takesTicket && head.queryValue("ticket") != nil
      throw throttle.refuseToken(head, error, withTicket: withTicket, at: now)
    }
    if throttle.members != nil, let caller = store.access.caller(mark, now: now) {
      try throttle.takeMember(caller, at: now)
    }
    return mark
  }

  private func checkRole(_ mark: Int, _ endpoint: Endpoint) throws(Problem) {
    guard let role = store.access.role(mark, now: clock()) else {
      throw .unauthorized("This token is not taken any more.", error: "invalid_token")
    }
    if !endpoint.audience.admits(role) { throw .forbidden(role, endpoint.audience) }
  }

  public func answerFromMemory(_ head: RequestHead, requestID: String) -> MemoryAnswer? {
    guard head.method == .get || head.method == .head else { return nil }
    guard let bearer = store.access.bearer(head.mark, now: clock()) else { return nil }
    guard let answer = encoded.answer(to: head, for: bearer, isCaughtUp: !store.isShared) else {
      return health(head).map { MemoryAnswer($0) }
    }
    var response = answer.response
    let member = counted(head)
    // An answer that is repeated can't say what is left to a member: it is, while that is plenty.
    var isRepeated = true
    if let member {
      let left = member.limiter.look(member.name, at: clock().milliseconds)
      isRepeated = left.remaining > member.limiter.plenty
      response.fields += member.limiter.limit.fields(isRepeated ? nil : left)
    }
    finish(&response, to: head)
    guard isRepeated else { return MemoryAnswer(response) }
    let standing = AdmittedStanding(
      answer.standing, bearer, in: store, clock: clock, member: member, throttle: throttle)
    return MemoryAnswer(response, standing: standing)
  }

  /// Liveness is told on the event loops, whatever keeps the workers busy.
  private func health(_ head: RequestHead) -> Response? {
    guard head.rawTarget == "/healthz", head.fields["if-match"] == nil,
      case .found(let endpoint, _) = router.match(head)
    else { return nil }
    var response = Call.health
    remember(response, for: head, subject: .constant)
    response.route = endpoint.number
    finish(&response, to: head)
    return response
  }

  public func answer(_ request: Request) async -> Response {
    var response = await withTaskExecutorPreference(store.workers) {
      // The server cancels reads whose client has gone.
      Task.isCancelled ? Response(status: 499) : await answerOffLoop(request)
    }
    if let (limiter, name) = counted(request.head) {
      response.fields += limiter.limit.fields(limiter.look(name, at: clock().milliseconds))
    }
    finish(&response, to: request.head)
    return response
  }

  /// The member whose requests are counted; nil where nobody's are.
  private func counted(_ head: RequestHead) -> (limiter: RateLimiter, name: String)? {
    guard let limiter = throttle.members,
      let name = store.access.caller(head.mark, now: clock()).flatMap(Throttle.name)
    else { return nil }
    return (limiter, name)
  }

  private func answerOffLoop(_ request: Request) async -> Response {
    if request.head.isAsterisk { return Self.options(HTTPMethod.served) }
    switch router.match(request.head) {
    case .options(let methods):
      return limits.crossOrigin.preflight(request.head, methods: methods) ?? Self.options(methods)
    case .found(let endpoint, let parameters):
      do throws(Problem) {
        if store.isShared, endpoint.readsStore {
          let anybody = Call(api: self, request: request, parameters: parameters, caller: nil)
          try await anybody.stored { () async throws(StoreError) in try await store.catchUp() }
          let isRead = request.head.method == .get || request.head.method == .head
          if isRead, let bearer = store.access.bearer(request.head.mark, now: clock()),
            let known = encoded.answer(to: request.head, for: bearer, isCaughtUp: true)
          {
            return known.response
          }
        }
        // After catching up: another server may have revoked the token.
        let caller =
          endpoint.audience == .everybody ? nil : try caller(of: request.head, for: endpoint)
        let call = Call(api: self, request: request, parameters: parameters, caller: caller)
        if endpoint.refusesUnknownQuery { try call.checkQuery(endpoint.query) }
        if case .none = endpoint.body { try call.checkEmptyBody() }
        var response = try await endpoint.run(call)().provided(by: request.head).coded(for: request.head)
        response.route = endpoint.number
        if response.status == 200 {
          encoded.store(coded: response, for: request.head, of: caller?.accountID ?? Store.defaultAccount)
        }
        return response
      } catch {
        if error.status >= 500 { report(request.requestID, error.cause ?? error.detail, error.isExpected) }
        var response = error.response(requestID: request.requestID)
        response.route = endpoint.number
        return response
      }
    case .methodNotAllowed, .notFound: return Problem.notFound().response(requestID: request.requestID)
    }
  }

  public func refusal(_ refusal: Refusal, requestID: String) -> Response {
    var response = Problem(refusal).response(requestID: requestID)
    response.fields += [Self.noSniffing, Self.unshared]
    return response
  }

  /// What every response has: nobody guesses its type, what is for members stays out of shared caches, and pages of other origins
  /// that may read it are told so.
  private func finish(_ response: inout Response, to head: RequestHead) {
    response.fields.append(Self.noSniffing)
    if !response.fields.contains(where: { $0.name == "Cache-Control" }) {
      response.fields.append(Self.unshared)
    }
    limits.crossOrigin.share(&response, with: head)
  }

  private static let noSniffing = Field("X-Content-Type-Options", "nosniff")
  private static let unshared = Field("Cache-Control", "private, no-cache")

  // MARK: Metrics

  /// The method and path of each route, in the order of their numbers, which begin at 1.
  public static let routeNames: [(method: String, path: String)] = routes.map { ($0.method.name, $0.pattern) }

  /// Adds a layer's figures to `/metrics`; asked for anew with every reading.
  public func addMetrics(_ source: @escaping @Sendable () -> [MetricFamily]) { metrics.withLock { $0.append(source) } }

  func currentMetrics() -> [MetricFamily] { metrics.withLock { $0 }.flatMap { $0() } }

  // MARK: Memory

  /// Keeps an encoded response for `answerFromMemory` as long as `subject` says the same. It is given to every member of the
  /// account, whatever the role.
  func remember(
    _ response: Response, for head: RequestHead, of account: ItemID = Store.defaultAccount, subject: ResponseSubject
  ) {
    guard case .found(let endpoint, _) = router.match(head) else { return }
    // Queries that change nothing would fill the memory with copies.
    guard endpoint.refusesUnknownQuery || head.query.isEmpty else { return }
    let isForEverybody = endpoint.audience == .everybody
    precondition(isForEverybody || endpoint.audience.isSuperset(of: .members), "what is kept is for every member")
    var kept = response
    kept.route = endpoint.number
    encoded.store(
      kept, for: head, of: account, isForEverybody: isForEverybody, standing: SubjectStanding(subject, in: store))
  }

  private static func options(_ methods: [HTTPMethod]) -> Response {
    Response(status: 204, fields: [Field("Allow", methods.map(\.name).joined(separator: ", "))])
  }
}
