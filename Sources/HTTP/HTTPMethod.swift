// The request methods (RFC 9110, section 9), as case-sensitive tokens.

/// A request method. Equal only byte for byte: `get` is not `GET`.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
  public let name: String

  private init(_ name: StaticString) { self.name = "\(name)" }

  public static let get = HTTPMethod("GET")
  public static let head = HTTPMethod("HEAD")
  public static let post = HTTPMethod("POST")
  public static let put = HTTPMethod("PUT")
  public static let patch = HTTPMethod("PATCH")
  public static let delete = HTTPMethod("DELETE")
  public static let options = HTTPMethod("OPTIONS")
  public static let connect = HTTPMethod("CONNECT")
  public static let trace = HTTPMethod("TRACE")
  /// Known, so that a resource can say that it has none (405): the safe method with content of the HTTP working group.
  public static let query = HTTPMethod("QUERY")

  /// Every method that the parser knows, in the order in which `Allow` lists them.
  public static let all: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .connect, .trace, .query]

  /// What may stand in `Allow` for the server as a whole (`OPTIONS *`).
  public static let served: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]

  /// The known method of that name; nil for any other token.
  public init?(name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The known method whose name is `bytes`; nil for any other token.
  init?(_ bytes: Span<UInt8>) {
    if bytes.count == 3, bytes[0] == 0x47, bytes[1] == 0x45, bytes[2] == 0x54 {
      self = .get
      return
    }
    for method in Self.all where bytes.isExactly(method.name) {
      self = method
      return
    }
    return nil
  }

  /// Whether the method promises to change nothing (RFC 9110, section 9.2.1).
  public var isSafe: Bool { self == .get || self == .head || self == .options || self == .trace || self == .query }

  public var description: String { name }
}
