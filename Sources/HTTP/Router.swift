// Routing: from a method and a path to an endpoint and its parameters.

/// One line of the routing table.
public struct Route<Endpoint: Sendable>: Sendable {
  public let method: HTTPMethod
  /// A path such as `/v1/kits/{kitId}`; a parameter is a whole segment.
  public let pattern: String
  public let endpoint: Endpoint

  public init(_ method: HTTPMethod, _ pattern: String, _ endpoint: Endpoint) {
    self.method = method
    self.pattern = pattern
    self.endpoint = endpoint
  }
}

/// The parameters of a matched path, decoded when asked for.
public struct PathParameters: Sendable {
  let names: [String]
  let path: RequestPath
  let ranges: [Range<Int>]

  /// The decoded segment that the pattern names so. Asking for a name that the pattern lacks is a programmer's error.
  public subscript(_ name: String) -> String {
    guard let index = names.firstIndex(of: name), index < ranges.count else {
      preconditionFailure("the matched pattern has no parameter \(name)")
    }
    return PercentEncoding.decoded(path.bytes.span, ranges[index], plusIsSpace: false)
  }
}

/// The routing table, compiled to a tree of segments. A literal segment goes before a parameter.
public struct Router<Endpoint: Sendable>: Sendable {
  public enum Match: Sendable {
    case found(Endpoint, parameters: PathParameters)
    /// `OPTIONS` on a path that has no route for it: answer with these methods.
    case options([HTTPMethod])
    case methodNotAllowed([HTTPMethod])
    case notFound
  }

  private let endpoints: [Endpoint]
  private let tree: RouteTree

  /// - Precondition: no two routes have the same method and the same shape of path.
  public init(_ routes: [Route<Endpoint>]) {
    endpoints = routes.map(\.endpoint)
    var tree = RouteTree()
    for (index, route) in routes.enumerated() { tree.insert(route.method, route.pattern, index) }
    self.tree = tree
  }

  /// What answers `head`.
  public func match(_ head: RequestHead) -> Match { match(head.method, head.pathBytes) }

  /// What answers `method` on `path`. `HEAD` follows `GET`; a dot segment is nothing that exists.
  public func match(_ method: HTTPMethod, _ path: RequestPath) -> Match {
    switch tree.match(method, path) {
    case .found(let index, let parameters): .found(endpoints[index], parameters: parameters)
    case .options(let methods): .options(methods)
    case .methodNotAllowed(let methods): .methodNotAllowed(methods)
    case .notFound: .notFound
    }
  }
}
