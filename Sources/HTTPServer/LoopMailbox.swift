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
  private let messages = Lock<[LoopMessage]>([])
  private let wakeUp: WakeUp
  /// Connections that live on the loop or are on their way to it.
  let load = Atomic(0)

  init() throws(SocketError) { wakeUp = try WakeUp() }

  /// The number under which the loop's poller knows it.
  var number: Int32 { wakeUp.number }

  func post(_ message: LoopMessage) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { wakeUp.signal() }
  }

  func takeAll() -> [LoopMessage] {
    wakeUp.wait()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
