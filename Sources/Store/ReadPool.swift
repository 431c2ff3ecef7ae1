// Connections for reading, lent to one reader at a time.

import Locks
import SQLDatabase

final class ReadPool: Sendable {
  private struct State {
    var idle: [any SQLConnection] = []
    var isClosed = false
  }

  private let database: any Database
  private let kept: Int
  private let state = Lock(State())

  /// - Parameter kept: how many connections stay open while nobody reads.
  init(_ database: any Database, kept: Int) { (self.database, self.kept) = (database, kept) }

  /// Runs `body` on one state of the database.
  func read<Value>(_ body: (Session) throws(StoreError) -> Value) throws(StoreError) -> Value {
    let session = Session(connection: try take())
    defer { giveBack(session.connection) }
    return try session.reading(body)
  }

  private func take() throws(StoreError) -> any SQLConnection {
    let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
    if isClosed { throw .closed }
    if let idle { return idle }
    return try mapped { () throws(SQLError) in try database.connect(.reading) }
  }

  private func giveBack(_ connection: any SQLConnection) {
    let isKept = state.withLock { state in
      guard !state.isClosed, state.idle.count < kept else { return false }
      state.idle.append(connection)
      return true
    }
    if !isKept { connection.close() }
  }

  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { connection.close() }
  }
}
