// Connections for reading, lent to one reader at a time.

import Locks
import SQLDatabase

final class ReadPool: Sendable {
  private struct State {
    var idle: [any SQLConnection] = []
    var isClosed = false
    var open = 0
    var waits = 0
    var refusals = 0
  }

  private let database: any Database
  private let limits: StoreLimits
  private let health: DatabaseHealth
  private let state = Lock(State())
  /// As many as may still be lent.
  private let permits = Signal()

  init(_ database: any Database, limits: StoreLimits, health: DatabaseHealth) {
    (self.database, self.limits, self.health) = (database, limits, health)
    for _ in 0..<limits.lentReadConnections { permits.send() }
  }

  /// Runs `body` on one state of the database. It runs once more when the connection that it was lent was lost.
  /// - Throws: `busy` when no connection was free in time.
  func read<Value>(_ body: (Session) throws(StoreError) -> Value) throws(StoreError) -> Value {
    try takePermit()
    defer { permits.send() }
    do throws(StoreError) { return try lend(body) } catch {
      health.note(error)
      throw error
    }
  }

  private func lend<Value>(_ body: (Session) throws(StoreError) -> Value) throws(StoreError) -> Value {
    if let kept = try takeIdle() {
      do throws(StoreError) { return try read(on: kept, body) } catch {
        guard case .unavailable = error else { throw error }
      }
    }
    let made = try mapped { () throws(SQLError) in try database.connect(.reading) }
    state.withLock { $0.open += 1 }
    return try read(on: made, body)
  }

  private func read<Value>(
    on connection: any SQLConnection, _ body: (Session) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    defer { giveBack(connection) }
    return try Session(connection: connection).reading(body)
  }

  private func takePermit() throws(StoreError) {
    if permits.wait(milliseconds: 0) { return }
    state.withLock { $0.waits += 1 }
    if permits.wait(milliseconds: limits.readWaitMilliseconds) { return }
    state.withLock { $0.refusals += 1 }
    throw .busy
  }

  /// A connection that is alive; nil when there is none.
  private func takeIdle() throws(StoreError) -> (any SQLConnection)? {
    while true {
      let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
      if isClosed { throw .closed }
      guard let idle else { return nil }
      if idle.isAlive { return idle }
      close(idle)
    }
  }

  private func giveBack(_ connection: any SQLConnection) {
    let isAlive = connection.isAlive
    let isKept = state.withLock { state in
      guard isAlive, !state.isClosed, state.idle.count < limits.readConnections else { return false }
      state.idle.append(connection)
      return true
    }
    if !isKept { close(connection) }
  }

  private func close(_ connection: any SQLConnection) {
    connection.close()
    state.withLock { $0.open -= 1 }
  }

  /// Waits for the end of all reads, closes every connection, and lends none until `resume`.
  /// - Throws: `busy` when a read went on for longer than a read waits; then reading goes on as before.
  func suspend() throws(StoreError) {
    for taken in 0..<limits.lentReadConnections where !permits.wait(milliseconds: limits.readWaitMilliseconds) {
      for _ in 0..<taken { permits.send() }
      throw .busy
    }
    closeIdle()
  }

  /// Lends connections again, which are opened anew.
  func resume() { for _ in 0..<limits.lentReadConnections { permits.send() } }

  func close() {
    state.withLock { $0.isClosed = true }
    closeIdle()
  }

  private func closeIdle() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { close(connection) }
  }

  /// How many connections are open now, and how often a reader had to wait for one, or waited in vain.
  var figures: (open: Int, waits: Int, refusals: Int) { state.withLock { ($0.open, $0.waits, $0.refusals) } }
}
