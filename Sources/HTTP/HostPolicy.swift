// Which hosts the server answers for; others are misdirected (421, RFC 9110, section 15.5.20).

public enum HostPolicy: Sendable, Hashable {
  case any
  /// `localhost`, `*.localhost`, 127.0.0.0/8 and `[::1]`: keeps a page whose name was pointed at this machine out.
  case loopback
  /// These hosts, in ASCII lower case, without port.
  case only([String])

  /// Whether a request with that head is for this server. A request of HTTP/1.0 may name no host.
  public func admits(_ head: RequestHead) -> Bool {
    switch self {
    case .any: return true
    case .loopback:
      guard let host = head.hostname else { return true }
      return host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost") || Self.isLoopbackAddress(host)
    case .only(let hosts):
      guard let host = head.hostname else { return true }
      return hosts.contains(host)
    }
  }

  private static func isLoopbackAddress(_ host: String) -> Bool {
    let parts = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(ByteClass.isDigit) }
  }
}
