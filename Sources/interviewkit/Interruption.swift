// What a command that a signal ends half-way must not leave behind: unfinished files, and a line without an end.

import Glibc
import Locks

enum Interruption {
  private struct State {
    var files: [String] = []
    var words: String?
    /// True while a progress bar stands on standard error.
    var isLineOpen = false
  }

  private static let state = Lock(State())

  /// While `body` runs, a signal that ends the process removes the files, and says on standard error what that means.
  static func leaving<Value, Failure: Error>(
    no files: [String] = [], saying words: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    state.withLock { ($0.files, $0.words) = (files, words) }
    defer { state.withLock { ($0.files, $0.words) = ([], nil) } }
    return try body()
  }

  static func lineIsOpen(_ isOpen: Bool) { state.withLock { $0.isLineOpen = isOpen } }

  /// Right before a signal ends the process. What is written meanwhile has no name any more.
  static func end() {
    state.withLock { state in
      for file in state.files { _ = unsafe unlink(file) }
      if state.isLineOpen { Files.write([0x0A], to: STDERR_FILENO) }
      if let words = state.words { _ = Failure.say("interrupted: \(words)") }
    }
  }
}
