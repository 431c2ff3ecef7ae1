// Tells those who follow the change feed that there is news, or that time has passed.
import Locks

/// Readers wait here; the writer's thread and a clock wake them. A reader that waits costs a continuation.
public final class FeedSignal: Sendable {
  private struct State {
    var sequence = 0
    var beat = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastTicket = 0
  }

  private let state = Lock(State())

  init() {}

  /// How often `beat()` was called.
  public var beat: Int { state.withLock { $0.beat } }

  /// How many readers wait.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Returns when the feed is beyond `sequence`, when there was a beat after `beat`, or when the task is cancelled.
  public func wait(after sequence: Int, beat: Int) async {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNews = state.withLock { state in
          // Cancelled before this: the handler has found nothing to wake.
          if state.sequence > sequence || state.beat > beat || Task.isCancelled { return true }
          state.waiting[ticket] = continuation
          return false
        }
        if isNews { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
  }

  /// Time has passed: readers may tell their clients that they are alive.
  public func tick() { wake { $0.beat += 1 } }

  /// The feed has lost its end; all readers see for themselves.
  func goBack(to sequence: Int) { wake { $0.sequence = sequence } }

  func advance(to sequence: Int) { wake { $0.sequence = max($0.sequence, sequence) } }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }
}
