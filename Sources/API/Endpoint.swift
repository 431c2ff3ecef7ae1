// One line of the routing table: what it takes and the function that answers it.

import HTTP

struct Endpoint: Sendable {
  /// Who may use it.
  let audience: Audience
  let run: @Sendable (Call) -> () async throws(Problem) -> Response
  /// The query parameters that it knows; any other is an error that names it.
  let query: [String]
  let body: BodyRule
  /// What the body holds, where few think of sending one.
  let bodyHint: String?
  /// False where the answer needs nothing from the store.
  let readsStore: Bool
  /// What it can answer with; the first where the client has no preference. None: whatever the file is.
  let offers: [MediaType]
  /// Its place in the routing table, from 1: what the server counts its answers by.
  var number = 0
  /// False for pages, probes and the service's own documents, where a parameter that nobody knows changes nothing.
  var refusesUnknownQuery = true

  init(
    _ audience: Audience, _ run: @escaping @Sendable (Call) -> () async throws(Problem) -> Response,
    query: [String] = [],
    body: BodyRule = .none, bodyHint: String? = nil, offers: [MediaType] = [.json], readsStore: Bool = true
  ) {
    (self.audience, self.run, self.query, self.body, self.offers) = (audience, run, query, body, offers)
    (self.readsStore, self.bodyHint) = (readsStore, bodyHint)
  }

  /// What can be judged from the head alone: the type of the body, and what the client accepts.
  func check(_ head: RequestHead) throws(Problem) {
    if let problem = body.problem(of: head, hint: bodyHint) ?? acceptProblem(of: head) { throw problem }
  }

  /// 406 when the client accepts nothing of what there is (RFC 9110, section 12.5.1).
  func acceptProblem(of head: RequestHead) -> Problem? {
    guard !offers.isEmpty, let accept = head.fields["accept"], AcceptList(accept: accept).best(of: offers) == nil else {
      return nil
    }
    let names = offers.map(\.description).joined(separator: ", ")
    return Problem(406, "notAcceptable", "There is \(names) here, none of which '\(accept)' accepts.")
  }
}

/// Routes that belong together, under the name that readers see.
struct RouteGroup: Sendable {
  let name: String
  let summary: String
  let routes: [Route<Endpoint>]

  init(_ name: String, _ summary: String, _ routes: [Route<Endpoint>]) {
    (self.name, self.summary, self.routes) = (name, summary, routes)
  }
}

extension InterviewKitAPI {
  static func group(of route: Route<Endpoint>) -> String {
    let group = groups.first { $0.routes.contains { $0.method == route.method && $0.pattern == route.pattern } }
    guard let group else { preconditionFailure("\(route.method) \(route.pattern) is in no group") }
    return group.name
  }
}

/// Which bodies an endpoint takes.
enum BodyRule: Sendable {
  case none
  case json
  /// JSON, or no body at all.
  case optionalJSON
  case mergePatch
  /// JSON, Markdown or CSV, up to the limit of kit documents.
  case kitDocument

  var maximumBytes: Int {
    switch self {
    case .none: APILimits.emptyBodyBytes
    case .json, .optionalJSON, .mergePatch: APILimits.bodyBytes
    case .kitDocument: APILimits.kitBodyBytes
    }
  }

  var mediaTypes: [MediaType] {
    switch self {
    case .none: []
    case .json, .optionalJSON: [.json]
    case .mergePatch: [.mergePatch, .json]
    case .kitDocument: [.json, .markdown, .csv]
    }
  }

  /// 415 when the request's body is of a type that is not taken here, 400 when it is a part of one (RFC 9110,
  /// section 14.5): judged before it is read.
  /// - Parameter hint: what the body holds, for whoever sends none.
  func problem(of head: RequestHead, hint: String? = nil) -> Problem? {
    guard !mediaTypes.isEmpty else { return nil }
    if head.method == .put, head.fields["content-range"] != nil {
      return Problem(400, "partialPut", "A PUT replaces the whole: Content-Range has no meaning here.")
    }
    if case .optionalJSON = self, head.fields["content-type"] == nil { return nil }
    let accepted = mediaTypes.map(\.description).joined(separator: ", ")
    func refuse(_ detail: String) -> Problem {
      // RFC 5789, section 2.2, and RFC 9110, section 15.5.16; Accept-Post is that of the Linked Data Platform, section 7.1.
      let more = head.method == .patch ? "Accept-Patch" : head.method == .post ? "Accept-Post" : nil
      let names = ["Accept"] + (more.map { [$0] } ?? [])
      return Problem(415, "unsupportedMediaType", detail, fields: names.map { Field($0, accepted) })
    }
    if let coding = head.fields["content-encoding"], !coding.isASCIIEqual(to: "identity") {
      return refuse("A body with the coding '\(coding)' is not taken.")
    }
    guard let value = head.fields["content-type"] else {
      if let hint, head.framing == .none { return refuse("This needs a body of \(accepted): \(hint).") }
      return refuse("The body needs a Content-Type; taken here: \(accepted).")
    }
    guard let type = MediaType(value), mediaTypes.contains(where: type.isSameKind) else {
      return refuse("A body of type '\(value)' is not taken here; taken are \(accepted).")
    }
    // CSV may come in UTF-16, which its own marks tell.
    guard type.isUTF8 || type.isSameKind(as: .csv) else {
      return refuse("The charset of a body is UTF-8, not '\(type.parameter("charset") ?? "")'.")
    }
    return nil
  }
}

extension String {
  /// Equality in ASCII without case; `lowercased()` would map letters of other scripts too.
  func isASCIIEqual(to other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { left, right in
        let isLetter = (0x41...0x5A).contains(left & 0xDF)
        return left == right || (isLetter && left & 0xDF == right & 0xDF)
      }
  }
}

extension Route<API.Endpoint> {
  /// Pages, probes and what monitors read take no offence at what links and caches add to their addresses.
  var refusesUnknownQuery: Bool { pattern.hasPrefix("/v1/") }
}
