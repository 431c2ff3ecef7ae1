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

  /// The client's address: the nearest hop that is not a trusted proxy itself; nil when it is not known.
  func client(of head: RequestHead, peer: String?) -> String? {
    guard !ranges.isEmpty, ranges.contain(peer) else { return peer }
    var client = peer
    for hop in head.forwardedFor(field).reversed() {
      // What an unnamed hop says is not believed.
      guard let hop else { return nil }
      client = hop
      if !ranges.contain(hop) { break }
    }
    return client
  }
}
