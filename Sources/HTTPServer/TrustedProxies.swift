// Who is believed when he says for whom he asks.
public import HTTP
public import Sockets

/// Proxies whose word about their clients' addresses is taken. From anybody else the fields mean nothing.
public struct TrustedProxies: Sendable, Hashable {
  /// Where the proxies are.
  public var ranges: [AddressRange]
  /// What they write, all of them.
  public var field: ForwardingField

  public init(_ ranges: [AddressRange] = [], field: ForwardingField = .xForwardedFor) {
    self.ranges = ranges
    self.field = field
  }

  /// Who stands for all clients whose address a proxy does not tell in a form that can be read (the word of RFC 7239,
  /// section 6.2): together they are one client, and never the proxy itself.
  static let unreadable = "unknown"

  /// The client's address: the nearest hop that is not a trusted proxy itself; `unreadable` when that is no address.
  func client(of head: RequestHead, peer: String?) -> String? {
    guard !ranges.isEmpty, ranges.contain(peer) else { return peer }
    var client = peer
    let hops = head.forwardedFor(field)
    if hops.isEmpty, head.fields.contains(field.rawValue) { return Self.unreadable }
    for hop in hops.reversed() {
      // What an unnamed hop says is not believed.
      guard let hop else { return Self.unreadable }
      client = hop
      if !ranges.contain(hop) { break }
    }
    return client
  }
}
