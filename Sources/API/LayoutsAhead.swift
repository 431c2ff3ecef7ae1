// Layouts computed ahead: what changes is laid out anew in the viewports in which it was seen, on the writer's heels.

import InterviewKits
import Locks
import RowLayout
import Store

/// Follows the change feed and lays out what changed. Whoever reads next finds the rows computed.
///
/// Work waits in a bounded queue, from which the oldest falls out: who is late for it computes it himself. One job runs at
/// a time, at low priority.
public final class LayoutsAhead: Sendable {
  /// How much is remembered, and may wait.
  public struct Limits: Sendable {
    /// Kits and evaluations whose viewports are remembered, and viewports of each.
    public var subjects = 4_096
    public var viewports = 16
    /// Viewports of an evaluation, the last that were seen, that one of its changes is laid out in: somebody types.
    public var evaluationViewports = 4
    /// Kits and evaluations that wait to be laid out.
    public var waiting = 256

    public init() {}
  }

  /// For `/metrics`.
  public struct Figures: Sendable, Hashable {
    /// Kits and evaluations that wait.
    public var waiting = 0
    /// Layouts that were computed ahead.
    public var prepared = 0
    /// Kits and evaluations that fell out of the queue.
    public var dropped = 0

    public init(waiting: Int = 0, prepared: Int = 0, dropped: Int = 0) {
      (self.waiting, self.prepared, self.dropped) = (waiting, prepared, dropped)
    }
  }

  private struct State {
    var waiting: [RecentViewports.Subject] = []
    /// How far the feed has been read of each account that was seen.
    var cursors: [ItemID: FeedCursor] = [:]
    /// The service itself in each of these accounts.
    var callers: [ItemID: Caller] = [:]
    var figures = Figures()
    var isStopped = false
  }

  private let recent: RecentViewports
  private let store: Store
  private let engine: RowLayoutEngine
  private let limits: Limits
  private let state = Lock(State())

  init(_ store: Store, _ engine: RowLayoutEngine, limits: Limits) {
    (self.store, self.engine, self.limits) = (store, engine, limits)
    recent = RecentViewports(subjects: limits.subjects, each: limits.viewports)
  }

  public var figures: Figures {
    state.withLock { state in
      var figures = state.figures
      figures.waiting = state.waiting.count
      return figures
    }
  }

  /// Has what changes of the subject laid out in this viewport from now on.
  func remember(_ viewport: Viewport, of subject: RecentViewports.Subject, for caller: Caller) {
    state.withLock { state in
      if state.cursors[subject.account] == nil { state.cursors[subject.account] = store.feedCursor }
      state.callers[subject.account] = caller.service
    }
    recent.remember(viewport, of: subject)
  }

  /// Prepares what has changed until now.
  public func catchUp() {
    noteChanges()
    while prepareNext() {}
  }

  /// Ends `run` after the layout that it is at.
  public func stop() {
    state.withLock { $0.isStopped = true }
    store.feedSignal.tick()
  }

  private var isOver: Bool { Task.isCancelled || state.withLock { $0.isStopped } }

  /// Prepares what changes until the task is cancelled, or `stop` is called.
  /// - Parameter onIdle: called whenever nothing waits any more.
  public func run(onIdle: @escaping @Sendable () -> Void = {}) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(priority: .utility) { [self] in
        while !isOver {
          let (sequence, beat) = (store.sequence, store.feedSignal.beat)
          noteChanges()
          while !isOver, prepareNext() {
            await Task.yield()
            noteChanges()
          }
          onIdle()
          if isOver { return }
          await store.feedSignal.wait(after: sequence, beat: beat)
        }
      }
    }
  }

  /// Reads the feed and puts what changed, and was seen lately, into the queue.
  private func noteChanges() {
    for (account, known) in state.withLock({ $0.cursors }) {
      var cursor = known
      // What can't be read now is read the next time.
      guard let caller = state.withLock({ $0.callers[account] }) else { continue }
      while let page = try? store.feed(after: cursor, limit: StoreLimits.largestPageItems, for: caller) {
        for change in page.changes { note(change, of: account) }
        cursor = page.cursor
        if !page.hasMore { break }
      }
      state.withLock { [cursor] in $0.cursors[account] = cursor }
    }
  }

  private func note(_ change: Change, of account: ItemID) {
    let subject: RecentViewports.Subject
    if let id = change.evaluationID {
      subject = .init(account: account, kind: .evaluation, id: id)
    } else if let id = change.kitID {
      subject = .init(account: account, kind: .kit, id: id)
    } else {
      return
    }
    guard recent.contains(subject) else { return }
    state.withLock { state in
      if state.waiting.contains(subject) { return }
      state.waiting.append(subject)
      guard state.waiting.count > limits.waiting else { return }
      state.waiting.removeFirst()
      state.figures.dropped += 1
    }
  }

  /// Lays out the subject that has waited longest, as it is now.
  /// - Returns: false when none waits.
  private func prepareNext() -> Bool {
    guard let subject = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else { return false }
    // What was deleted meanwhile needs no layout.
    guard let layout = subjectNow(subject) else { return true }
    let most = subject.kind == .evaluation ? limits.evaluationViewports : limits.viewports
    for viewport in recent.viewports(of: subject).suffix(most).reversed()
    where !engine.isPrepared(layout, viewport: viewport) {
      _ = engine.layout(of: layout, viewport: viewport)
      state.withLock { $0.figures.prepared += 1 }
    }
    return true
  }

  private func subjectNow(_ subject: RecentViewports.Subject) -> LayoutSubject? {
    guard let caller = state.withLock({ $0.callers[subject.account] }) else { return nil }
    switch subject.kind {
    case .kit:
      guard let kit = try? store.kit(subject.id, for: caller) else { return nil }
      return LayoutSubject(account: subject.account, kit: kit)
    case .evaluation:
      guard let screen = try? store.screen(subject.id, for: caller) else { return nil }
      return LayoutSubject(account: subject.account, kit: screen.snapshot, evaluation: screen.evaluation)
    }
  }
}
