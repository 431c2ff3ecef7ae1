// The log's way out: what is told is queued for a thread of its own, so that nobody waits for standard error.

import Glibc
import Locks

final class LogOutput: Sendable {
  private struct State {
    /// Whole lines for the thread.
    var waiting: [UInt8] = []
    var hasThread = false
    var isWriting = false
    /// Whoever waits until all of it is written.
    var whenWritten: [Signal] = []
    /// Lines that did not find room, or could not be written.
    var lost = 0
  }

  /// What waits for the thread at most, in bytes.
  private static let capacity = 1 << 20

  private let state = Lock(State())
  /// Held while bytes are written, so that no line is torn by another.
  private let pen = Lock(())
  private let arrived = Signal()

  /// Lines are queued from now on; before, whoever tells something writes it.
  func start() {
    state.withLock { $0.hasThread = true }
    DedicatedThread.start { self.run() }
  }

  /// Takes whole lines. Never waits once it has been started: what finds no room is lost, and counted.
  func take(_ lines: [UInt8]) {
    let isQueued = state.withLock { state in
      guard state.hasThread else { return false }
      if state.waiting.count + lines.count <= Self.capacity {
        state.waiting += lines
      } else {
        state.lost += Self.count(lines[...])
      }
      return true
    }
    if isQueued { arrived.send() } else { write(lines) }
  }

  /// Writes whole lines and waits for it.
  func write(_ lines: [UInt8]) {
    let count = pen.withLock { _ in Files.writeMost(lines, to: STDERR_FILENO) }
    guard count < lines.count else { return }
    state.withLock { $0.lost += Self.count(lines[count...]) }
  }

  /// Lines that were lost since the start.
  var lost: Int { state.withLock { $0.lost } }

  /// Waits until all that is queued is written, or the time is over.
  func finish(milliseconds: Int) {
    let written = Signal()
    let mustWait = state.withLock { state in
      guard state.isWriting || !state.waiting.isEmpty else { return false }
      state.whenWritten.append(written)
      return true
    }
    if mustWait { written.wait(milliseconds: milliseconds) }
  }

  private func run() {
    while true {
      arrived.wait()
      let lines = state.withLock { state in
        defer { state.waiting = [] }
        state.isWriting = !state.waiting.isEmpty
        return state.waiting
      }
      if !lines.isEmpty { write(lines) }
      let awaited = state.withLock { state in
        state.isWriting = false
        guard state.waiting.isEmpty else { return [Signal]() }
        defer { state.whenWritten = [] }
        return state.whenWritten
      }
      for written in awaited { written.send() }
    }
  }

  private static func count(_ lines: ArraySlice<UInt8>) -> Int { lines.count { $0 == 0x0A } }
}
