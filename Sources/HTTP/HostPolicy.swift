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
    case .loopback: return head.withHost { $0.isLoopbackHost } ?? true
    case .only(let hosts):
      return head.withHost { host in hosts.contains { host.isASCIICaseInsensitively($0) } } ?? true
    }
  }
}

extension HostPolicy {
  /// The answer to whom it does not admit, with what to do about it.
  public var refusal: Refusal {
    let detail =
      switch self {
      case .loopback:
        "While no token exists, this service answers as localhost only: make the first token, an admin's."
      case .any, .only: "This server does not serve that host."
      }
    return Refusal(status: 421, code: "misdirectedRequest", detail: detail)
  }
}

extension Span where Element == UInt8 {
  /// Read as bytes: it is asked of every request.
  fileprivate var isLoopbackHost: Bool {
    if isASCIICaseInsensitively("localhost") || isExactly("[::1]") || isLoopbackAddress { return true }
    let suffix = ".localhost"
    return count > suffix.utf8.count
      && extracting((count - suffix.utf8.count)...).isASCIICaseInsensitively(suffix)
  }

  /// `127.` and three more numbers of one to three digits.
  private var isLoopbackAddress: Bool {
    guard count >= 9, extracting(0..<4).isExactly("127.") else { return false }
    var (dots, digits) = (1, 0)
    for index in 4..<count {
      if self[index] == 0x2E {
        guard digits > 0 else { return false }
        (dots, digits) = (dots + 1, 0)
      } else {
        digits += 1
        guard ByteClass.isDigit(self[index]), digits <= 3 else { return false }
      }
    }
    return dots == 3 && digits > 0
  }
}
