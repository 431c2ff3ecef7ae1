// The viewports in which kits and evaluations were seen lately.

import InterviewKits
import Locks
import RowLayout

/// A bounded memory of viewports by kit and by evaluation.
final class RecentViewports: Sendable {
  /// What was seen.
  struct Subject: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case kit, evaluation }
    var account: ItemID
    var kind: Kind
    var id: ItemID
  }

  private struct State {
    var viewports: [Subject: [Viewport]] = [:]
    /// The subjects, the one that is remembered longest first: it is forgotten first.
    var order: [Subject] = []
  }

  private let state = Lock(State())
  private let subjects: Int
  private let each: Int

  /// - Parameters:
  ///   - subjects: how many kits and evaluations are remembered.
  ///   - each: how many viewports of one.
  init(subjects: Int, each: Int) { (self.subjects, self.each) = (subjects, each) }

  func remember(_ viewport: Viewport, of subject: Subject) {
    state.withLock { state in
      var list = state.viewports[subject] ?? []
      if list.last == viewport { return }
      if list.isEmpty {
        state.order.append(subject)
        while state.viewports.count >= subjects, !state.order.isEmpty {
          state.viewports[state.order.removeFirst()] = nil
        }
      }
      list.removeAll { $0 == viewport }
      list.append(viewport)
      state.viewports[subject] = list.suffix(each)
    }
  }

  /// The viewports of a subject, the one seen last at the end.
  func viewports(of subject: Subject) -> [Viewport] { state.withLock { $0.viewports[subject] ?? [] } }

  func contains(_ subject: Subject) -> Bool { state.withLock { $0.viewports[subject] != nil } }
}
