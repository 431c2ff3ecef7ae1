// What other threads tell an event loop.
internal import HTTP
internal import Locks
internal import Sockets
internal import Synchronization

enum LoopMessage: Sendable {
  /// The handler's answer for the connection with that token.
  case answered(UInt64, Response)
  /// A connection that another loop has accepted and admitted.
  case adopt(Handover)
  /// The producer of that connection's body has given something, or has ended.
  case streamed(UInt64)
  /// Accept nothing more, finish what is under way, and end at that monotonic millisecond at the latest.
  case drain(deadline: Int)
}

/// An accepted connection on its way to the loop where it will live.
final class Handover: Sendable {
  let peer: SocketAddress
  let censusKey: String?
  private let socket: Lock<StreamSocket?>

  init(_ socket: consuming StreamSocket, peer: SocketAddress, censusKey: String?) {
    self.peer = peer
    self.censusKey = censusKey
    self.socket = Lock(socket)
  }

  /// The socket, once; not taken, it is closed with this object.
  func take() -> StreamSocket? { socket.withLock { $0.take() } }
}

/// The way into a loop: any thread posts, the loop's own thread takes.
final class LoopMailbox: Sendable {
  private struct State {
    var messages: [LoopMessage] = []
    var isClosed = false
  }

  private let state = Lock(State())
  private let wakeUp: WakeUp
  /// Connections that live on the loop or are on their way to it.
  let load = Atomic(0)

  init() throws(SocketError) { wakeUp = try WakeUp() }

  /// The number under which the loop's poller knows it.
  var number: Int32 { wakeUp.number }

  /// - Returns: whether the loop will take it; false once the loop has ended.
  @discardableResult func post(_ message: LoopMessage) -> Bool {
    let count = state.withLock { state in
      guard !state.isClosed else { return 0 }
      state.messages.append(message)
      return state.messages.count
    }
    if count == 1 { wakeUp.signal() }
    return count > 0
  }

  /// Takes nothing more, unless something is still to be taken.
  /// - Returns: whether the mailbox is closed now.
  func close() -> Bool {
    state.withLock { state in
      state.isClosed = state.messages.isEmpty
      return state.isClosed
    }
  }

  func takeAll() -> [LoopMessage] {
    wakeUp.wait()
    return state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }
}
