// What other threads tell an event loop.
internal import HTTP
internal import Sockets
internal import Synchronization

enum LoopMessage: Sendable {
  /// The handler's answer for the connection with that token.
  case answered(UInt64, Response)
  /// Accept nothing more, finish what is under way, and end at that monotonic millisecond at the latest.
  case drain(deadline: Int)
}

/// The way into a loop: any thread posts, the loop's own thread takes.
final class LoopMailbox: Sendable {
  private let messages = Mutex<[LoopMessage]>([])
  private let wakeUp: WakeUp

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
