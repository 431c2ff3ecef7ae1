// The tree of path segments behind `Router`. Endpoints are numbers here, so that one compiled form serves them all.

struct RouteTree: Sendable {
  enum Match {
    case found(Int, parameters: PathParameters)
    case options([HTTPMethod])
    case methodNotAllowed([HTTPMethod])
    case notFound
  }

  /// One method of a path.
  private struct Entry: Sendable {
    var method: HTTPMethod
    var endpoint: Int
    var names: [String]
  }

  private struct Literal: Sendable {
    var segment: [UInt8]
    var node: Int
  }

  private struct Node: Sendable {
    var literals: [Literal] = []
    var parameter: Int?
    /// Empty where no pattern ends.
    var entries: [Entry] = []
  }

  private var nodes = [Node()]

  func match(_ method: HTTPMethod, _ path: RequestPath) -> Match {
    let segments = path.segmentRanges
    for segment in segments where isDotSegment(path, segment) { return .notFound }
    var parameters: [Range<Int>] = []
    guard let node = walk(from: 0, path, segments, 0, &parameters) else { return .notFound }
    let entries = nodes[node].entries
    if let entry = entry(method, entries) ?? (method == .head ? entry(.get, entries) : nil) {
      return .found(
        entry.endpoint, parameters: PathParameters(names: entry.names, path: path, ranges: parameters))
    }
    let allowed = Self.allowed(entries)
    return method == .options ? .options(allowed) : .methodNotAllowed(allowed)
  }

  private func entry(_ method: HTTPMethod, _ entries: [Entry]) -> Entry? {
    for entry in entries where entry.method == method { return entry }
    return nil
  }

  private static func allowed(_ entries: [Entry]) -> [HTTPMethod] {
    HTTPMethod.all.filter { method in
      method == .options || entries.contains { $0.method == method || (method == .head && $0.method == .get) }
    }
  }

  mutating func insert(_ method: HTTPMethod, _ pattern: String, _ endpoint: Int) {
    precondition(pattern.utf8.first == 0x2F, "a pattern begins with a slash: \(pattern)")
    var names: [String] = []
    var node = 0
    let inner = pattern.dropFirst()
    let segments = inner.isEmpty ? [] : inner.split(separator: "/", omittingEmptySubsequences: false)
    for segment in segments {
      if segment.first == "{", segment.last == "}" {
        names.append(String(segment.dropFirst().dropLast()))
        node = parameterChild(of: node)
      } else {
        node = literalChild(Array(segment.utf8), of: node)
      }
    }
    precondition(
      !nodes[node].entries.contains { $0.method == method }, "there are two routes for \(method) \(pattern)")
    nodes[node].entries.append(Entry(method: method, endpoint: endpoint, names: names))
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
    nodes[node].literals.append(Literal(segment: segment, node: nodes.count - 1))
    return nodes.count - 1
  }

  /// The node where a pattern for the segments from `index` on ends, and the parameters on the way.
  private func walk(
    from node: Int, _ path: RequestPath, _ segments: [Range<Int>], _ index: Int, _ parameters: inout [Range<Int>]
  ) -> Int? {
    guard index < segments.count else { return nodes[node].entries.isEmpty ? nil : node }
    let segment = segments[index]
    for literal in nodes[node].literals where isLiteral(literal.segment, path, segment) {
      if let found = walk(from: literal.node, path, segments, index + 1, &parameters) { return found }
    }
    guard let child = nodes[node].parameter, !segment.isEmpty else { return nil }
    parameters.append(segment)
    if let found = walk(from: child, path, segments, index + 1, &parameters) { return found }
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
