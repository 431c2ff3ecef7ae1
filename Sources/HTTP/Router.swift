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

  private struct Terminal: Sendable {
    var methods: [(method: HTTPMethod, endpoint: Endpoint, names: [String])] = []
  }

  private struct Node: Sendable {
    var literals: [(segment: [UInt8], node: Int)] = []
    var parameter: Int?
    var terminal: Terminal?
  }

  private var nodes = [Node()]

  /// - Precondition: no two routes have the same method and the same shape of path.
  public init(_ routes: [Route<Endpoint>]) {
    for route in routes { insert(route) }
  }

  /// What answers `head`.
  public func match(_ head: RequestHead) -> Match { match(head.method, head.pathBytes) }

  /// What answers `method` on `path`. `HEAD` follows `GET`; a dot segment is nothing that exists.
  public func match(_ method: HTTPMethod, _ path: RequestPath) -> Match {
    let segments = path.segmentRanges
    var parameters: [Range<Int>] = []
    for segment in segments where isDotSegment(path, segment) { return .notFound }
    guard let terminal = walk(from: 0, path, segments[...], &parameters) else { return .notFound }
    let wanted = terminal.methods.first { $0.method == method }
    let chosen = wanted ?? (method == .head ? terminal.methods.first { $0.method == .get } : nil)
    if let chosen {
      return .found(chosen.endpoint, parameters: PathParameters(names: chosen.names, path: path, ranges: parameters))
    }
    let allowed = Self.allowed(terminal)
    return method == .options ? .options(allowed) : .methodNotAllowed(allowed)
  }

  private static func allowed(_ terminal: Terminal) -> [HTTPMethod] {
    HTTPMethod.all.filter { method in
      method == .options
        || terminal.methods.contains { $0.method == method || (method == .head && $0.method == .get) }
    }
  }

  private mutating func insert(_ route: Route<Endpoint>) {
    precondition(route.pattern.utf8.first == 0x2F, "a pattern begins with a slash: \(route.pattern)")
    var names: [String] = []
    var node = 0
    let inner = route.pattern.dropFirst()
    let segments = inner.isEmpty ? [] : inner.split(separator: "/", omittingEmptySubsequences: false)
    for segment in segments {
      if segment.first == "{", segment.last == "}" {
        names.append(String(segment.dropFirst().dropLast()))
        node = parameterChild(of: node)
      } else {
        node = literalChild(Array(segment.utf8), of: node)
      }
    }
    var terminal = nodes[node].terminal ?? Terminal()
    precondition(
      !terminal.methods.contains { $0.method == route.method },
      "two routes for \(route.method) \(route.pattern)")
    terminal.methods.append((route.method, route.endpoint, names))
    nodes[node].terminal = terminal
  }

  private mutating func parameterChild(of node: Int) -> Int {
    if let child = nodes[node].parameter { return child }
    nodes.append(Node())
    nodes[node].parameter = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func literalChild(_ segment: [UInt8], of node: Int) -> Int {
    if let child = nodes[node].literals.first(where: { $0.segment == segment }) { return child.node }
    nodes.append(Node())
    nodes[node].literals.append((segment, nodes.count - 1))
    return nodes.count - 1
  }

  private func walk(
    from node: Int, _ path: RequestPath, _ segments: ArraySlice<Range<Int>>, _ parameters: inout [Range<Int>]
  ) -> Terminal? {
    guard let segment = segments.first else { return nodes[node].terminal }
    for literal in nodes[node].literals where isLiteral(literal.segment, path, segment) {
      if let found = walk(from: literal.node, path, segments.dropFirst(), &parameters) { return found }
    }
    guard let child = nodes[node].parameter, !segment.isEmpty else { return nil }
    parameters.append(segment)
    if let found = walk(from: child, path, segments.dropFirst(), &parameters) { return found }
    parameters.removeLast()
    return nil
  }

  private func isLiteral(_ literal: [UInt8], _ path: RequestPath, _ segment: Range<Int>) -> Bool {
    let bytes = path.bytes.span
    if path.hasEscapes {
      return PercentEncoding.decoded(bytes, segment, plusIsSpace: false).utf8.elementsEqual(literal)
    }
    guard literal.count == segment.count else { return false }
    for index in literal.indices where literal[index] != bytes[segment.lowerBound + index] { return false }
    return true
  }

  private func isDotSegment(_ path: RequestPath, _ segment: Range<Int>) -> Bool {
    let bytes = path.bytes.span
    if path.hasEscapes {
      let decoded = PercentEncoding.decoded(bytes, segment, plusIsSpace: false)
      return decoded == "." || decoded == ".."
    }
    guard (1...2).contains(segment.count), bytes[segment.lowerBound] == 0x2E else { return false }
    return segment.count == 1 || bytes[segment.lowerBound + 1] == 0x2E
  }
}
