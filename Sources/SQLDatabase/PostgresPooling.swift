// Tells a pooler that keeps a client's session from one that lends it to others between two transactions.
import CPostgres

extension PostgresConnection {
  /// What the driver says of a pooler under which a connection is not one session: prepared statements, settings and
  /// `LISTEN` would belong to somebody else.
  static let exchanged = SQLError(
    kind: .unavailable,
    message: "a pooler gives this connection another session for each transaction: let it pool sessions")

  /// Notes the session that the connection has now.
  /// - Returns: true when something stands between, which answers for another process than the server's.
  func noteSession() throws(SQLError) -> Bool {
    session = try currentSession()
    return unsafe Int(library.backendProcess(open)) != session
  }

  private func currentSession() throws(SQLError) -> Int {
    guard let row = try first("SELECT pg_backend_pid()") else { throw broken() }
    return try row.integer(0)
  }

  /// Holds another connection in a transaction meanwhile: where sessions are lent, that one has got this one's.
  /// - Throws: when the session is not kept. A pooler that gives the session back by chance is found by the next writing
  ///   transaction that has another.
  func checkSessionIsKept(beside other: PostgresConnection) throws(SQLError) {
    do throws(SQLError) { try other.begin(.reading) } catch { return }
    defer { other.rollback() }
    guard let theirs = try? other.currentSession() else { return }
    let now = try currentSession()
    guard theirs != session, now == session else { throw broken(Self.exchanged.kind, Self.exchanged.message) }
  }
}

extension SQLError {
  /// True for `PostgresConnection.exchanged`.
  var isExchange: Bool { message == PostgresConnection.exchanged.message }
}
