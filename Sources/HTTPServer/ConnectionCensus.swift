// How many connections there are, in all and from each address: shared by the loops.
internal import HTTP
internal import Locks
internal import Sockets
internal import Synchronization

/// Admits connections, and bodies into memory, within the limits.
final class ConnectionCensus: Sendable {
  private let limit: Int
  private let limitPerAddress: Int
  private let bodyLimitBytes: Int
  private let trusted: [AddressRange]
  private let total = Atomic(0)
  private let lingering = Atomic(0)
  private let bodyBytes = Atomic(0)
  private let byAddress = Lock<[String: Int]>([:])

  init(limits: ServerLimits, trustedProxies: [AddressRange]) {
    limit = limits.connections
    limitPerAddress = limits.connectionsPerAddress
    bodyLimitBytes = limits.heldBodyBytes
    trusted = trustedProxies
  }

  /// The key under which a peer is counted; nil when it is exempt.
  func key(for peer: SocketAddress) -> String? {
    guard let host = peer.host, !peer.isLocal, !trusted.contain(host) else { return nil }
    guard case .ipv6 = peer, !host.hasPrefix("::ffff:") else { return host }
    return Self.prefix64(host)
  }

  /// Counts a connection; false when there are too many already.
  func enter(_ key: String?) -> Bool {
    guard total.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
      total.wrappingSubtract(1, ordering: .relaxed)
      return false
    }
    guard let key else { return true }
    let isAdmitted = byAddress.withLock { counts in
      guard counts[key, default: 0] < limitPerAddress else { return false }
      counts[key, default: 0] += 1
      return true
    }
    if !isAdmitted { total.wrappingSubtract(1, ordering: .relaxed) }
    return isAdmitted
  }

  func leave(_ key: String?) {
    total.wrappingSubtract(1, ordering: .relaxed)
    guard let key else { return }
    byAddress.withLock { counts in
      let left = counts[key, default: 1] - 1
      counts[key] = left > 0 ? left : nil
    }
  }

  /// Counts a refused connection that lingers; false when enough do.
  func enterLingering(limit: Int) -> Bool {
    guard lingering.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
      lingering.wrappingSubtract(1, ordering: .relaxed)
      return false
    }
    return true
  }

  func leaveLingering() { lingering.wrappingSubtract(1, ordering: .relaxed) }

  /// Counts more bytes of bodies in memory; false when that is too much in all. They are counted either way.
  func holdBody(_ bytes: Int) -> Bool { bodyBytes.wrappingAdd(bytes, ordering: .relaxed).newValue <= bodyLimitBytes }

  func releaseBody(_ bytes: Int) { bodyBytes.wrappingSubtract(bytes, ordering: .relaxed) }

  /// The first four groups of an IPv6 address in its canonical text.
  static func prefix64(_ host: String) -> String {
    let halves = host.split(separator: "%")[0].split(separator: "::", omittingEmptySubsequences: false)
    let left = halves[0].split(separator: ":")
    let right = halves.count > 1 ? halves[1].split(separator: ":") : []
    let zeros = halves.count > 1 ? max(0, 8 - left.count - right.count) : 0
    let groups = left.map(String.init) + Array(repeating: "0", count: zeros) + right.map(String.init)
    return groups.prefix(4).joined(separator: ":") + "::/64"
  }
}
