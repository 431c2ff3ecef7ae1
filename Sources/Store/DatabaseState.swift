// What the store knows of its database's health, and who is told when it changes.
import Locks
import SQLDatabase

/// Whether the database can be trusted with writes.
public enum DatabaseState: Hashable, Sendable {
  case sound
  /// The last write found no room; reads go on, and each write tries anew.
  case full
  /// Writing or synchronising failed. No write is taken until the database was opened anew, all that it has acknowledged
  /// was put to its place on disk, and its pages were checked; that is tried every second.
  case failing(String)
  /// The database is damaged, and where. Reads go on where they can; no write is taken any more.
  case damaged([String])

  /// What a write is told; nil when it may be tried.
  var refusal: StoreError? {
    switch self {
    case .sound, .full: nil
    case .failing(let cause): .databaseFailing(cause)
    case .damaged(let places): .databaseDamaged(places.first ?? "")
    }
  }
}

/// The state, shared by the writer, the readers and whoever watches.
final class DatabaseHealth: Sendable {
  private struct Known {
    var state = DatabaseState.sound
    var observer: (@Sendable (DatabaseState) -> Void)?
    /// How often damage that is met may still be taken for a page that the disk has lost a moment ago.
    var doubts: Int
    /// Wakes who opens a failing database anew.
    var wake: (@Sendable () -> Void)?
  }

  private let known: Lock<Known>

  init(doubts: Int) { known = Lock(Known(doubts: doubts)) }

  var state: DatabaseState { known.withLock { $0.state } }

  /// Damage outlasts everything but a restart.
  func set(_ state: DatabaseState) {
    let observer = known.withLock { known -> (@Sendable (DatabaseState) -> Void)? in
      if case .damaged = known.state { return nil }
      guard known.state != state else { return nil }
      known.state = state
      return known.observer
    }
    observer?(state)
  }

  /// Tells of every change from now on, and of the state as it is unless that is sound.
  func observe(_ observer: @escaping @Sendable (DatabaseState) -> Void) {
    let state = known.withLock { known in
      known.observer = observer
      return known.state
    }
    if state != .sound { observer(state) }
  }

  /// Reads all pages, and notes what is wrong with them.
  func check(_ database: any Database) throws(StoreError) {
    let faults = try mapped { () throws(SQLError) in try database.pageFaults() }
    if !faults.isEmpty { set(.damaged(faults)) }
  }

  /// An error that a reader or the writer has met. What seems to be damage may come of a failed checkpoint that nobody has
  /// been told of yet: the database is opened anew then, which finds out.
  func note(_ error: StoreError) {
    guard case .databaseDamaged(let place) = error else { return }
    let (isFailing, wake) = known.withLock { known -> (Bool, (@Sendable () -> Void)?) in
      // Whoever opens it anew will know more than one who reads meanwhile.
      if case .failing = known.state { return (true, nil) }
      guard known.doubts > 0 else { return (false, nil) }
      known.doubts -= 1
      return (false, known.wake)
    }
    if isFailing { return }
    guard let wake else { return set(.damaged([place])) }
    set(.failing("a page seems to be damaged, so that all are looked at: \(place)"))
    wake()
  }

  /// - Parameter wake: called when a reader has met what may be damage.
  func onDoubt(_ wake: @escaping @Sendable () -> Void) { known.withLock { $0.wake = wake } }
}
