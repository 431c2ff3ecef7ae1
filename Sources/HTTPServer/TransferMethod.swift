// How bytes get from and to sockets: through io_uring, or with a call for each.
internal import Sockets

/// What a server is asked to use.
public enum TransferMethod: String, Sendable, Hashable, CaseIterable {
  /// `ring` where the kernel permits it, else `calls`.
  case automatic = "auto"
  /// io_uring: a turn's sends and all that was received in one system call.
  case ring = "io_uring"
  /// epoll, and a `recv` and a `send` for each request.
  case calls = "epoll"
}

/// What a server does use.
public struct Transfer: Sendable, Hashable {
  /// Never `automatic`.
  public let method: TransferMethod
  /// Why it is not io_uring, where nobody asked for anything else: the call that the kernel refused.
  public let reason: String?
}

extension TransferMethod {
  /// Rings for that many loops, if any.
  ///
  /// - Parameter probe: fails where a ring can be made and does not work: a filter may forbid some of its calls only.
  /// - Throws: when rings were asked for by name and the kernel refuses them.
  func rings(
    _ count: Int, probe: () throws(SocketError) -> Void = { () throws(SocketError) in try Ring.probe() }
  ) throws(SocketError) -> (rings: [Ring?], Transfer) {
    let none = [Ring?](repeating: nil, count: count)
    guard self != .calls else { return (none, Transfer(method: .calls, reason: nil)) }
    do throws(SocketError) {
      try probe()
      var rings: [Ring?] = []
      for _ in 0..<count { rings.append(try Ring()) }
      return (rings, Transfer(method: .ring, reason: nil))
    } catch {
      guard self == .automatic else { throw error }
      return (none, Transfer(method: .calls, reason: "\(error)"))
    }
  }
}
