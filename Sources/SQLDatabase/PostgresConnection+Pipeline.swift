// How statements go to the server and their results come back: never blocked in libpq, and never without a deadline.
import CPostgres
import Glibc

extension PostgresConnection {
  /// Sends a statement, preparing it at its first use; nothing is waited for.
  func submit(
    _ sql: String, _ values: [SQLValue], expecting: Int? = nil, otherwise: SQLError? = nil
  ) throws(SQLError) {
    if let failure { throw failure }
    let arguments = try PostgresArguments(values, sql: sql)
    let statement = try prepared(sql, types: arguments.types)
    let sent = unsafe arguments.withPointers { values, lengths, formats in
      unsafe library.sendQueryPrepared(open, statement.name, Int32(arguments.count), values, lengths, formats, 1)
    }
    guard sent == 1 else { throw broken() }
    awaited.append(Awaited(kind: .statement, sql: sql, expecting: expecting, otherwise: otherwise))
  }

  private func prepared(_ sql: String, types: [Oid]) throws(SQLError) -> Prepared {
    if let known = statements[sql] {
      let isSame = zip(known.types, types).allSatisfy { $0 == $1 || $0 == 0 || $1 == 0 }
      precondition(isSame && known.types.count == types.count, "a placeholder has values of one type: \(sql)")
      return known
    }
    if statements.count >= limits.statements { try forgetStatements() }
    preparedCount += 1
    let statement = Prepared(name: "\(prefix)\(preparedCount)", types: types)
    guard unsafe library.sendPrepare(open, statement.name, sql, Int32(types.count), types) == 1 else { throw broken() }
    statements[sql] = statement
    awaited.append(Awaited(kind: .preparation, sql: sql))
    return statement
  }

  private func forgetStatements() throws(SQLError) {
    statements = [:]
    try submit("DEALLOCATE ALL", [])
    statements = [:]
  }

  /// Waits for the results of all that was sent.
  /// - Returns: the last statement's, to be cleared by the caller; nil when nothing was sent.
  /// - Throws: the first error among them; what was sent after it was not run.
  func synchronise() throws(SQLError) -> OpaquePointer? {
    try sendSynchronisation()
    let deadline = Self.milliseconds() + limits.statementMilliseconds
    var last: OpaquePointer?
    var first: SQLError?
    defer { if first != nil || failure != nil, let last = unsafe last { unsafe library.clear(last) } }
    for entry in awaited {
      let result = try unsafe next(until: deadline)
      if entry.kind == .synchronisation {
        unsafe library.clear(result)
        continue
      }
      // The null pointer that ends a statement's results.
      if let more = try unsafe nextOrEnd(until: deadline) {
        unsafe library.clear(more)
        throw broken(.other, "a statement has two results")
      }
      let error = unsafe error(in: result, of: entry)
      let isSkipped = unsafe library.resultStatus(result) == Int32(IK_PGRES_PIPELINE_ABORTED)
      if isSkipped || error != nil, entry.kind == .preparation { statements[entry.sql] = nil }
      if !entry.isAbandoned { first = first ?? error }
      if entry.kind == .statement {
        if let old = unsafe last { unsafe library.clear(old) }
        unsafe last = result
      } else {
        unsafe library.clear(result)
      }
    }
    awaited = []
    if let first { throw first.isExchange ? broken(first.kind, first.message) : first }
    return unsafe last
  }

  /// Marks the end of what succeeds or fails together.
  func sendSynchronisation() throws(SQLError) {
    if let failure { throw failure }
    guard unsafe library.pipelineSync(open) == 1 else { throw broken() }
    awaited.append(Awaited(kind: .synchronisation, sql: ""))
  }

  /// Nobody waits any more for the results of what was sent.
  func abandonAwaited() throws(SQLError) {
    guard let last = awaited.last else { return }
    if last.kind != .synchronisation { try sendSynchronisation() }
    for place in awaited.indices { awaited[place].isAbandoned = true }
  }

  private func next(until deadline: Int) throws(SQLError) -> OpaquePointer {
    guard let result = try unsafe nextOrEnd(until: deadline) else { throw broken() }
    return unsafe result
  }

  /// The next result; nil where libpq says that a statement has no more.
  private func nextOrEnd(until deadline: Int) throws(SQLError) -> OpaquePointer? {
    while unsafe library.isBusy(open) != 0 {
      let unsent = unsafe library.flush(open)
      guard unsent >= 0 else { throw broken() }
      let events = Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0)
      var event = unsafe pollfd(fd: library.socket(open), events: events, revents: 0)
      let left = deadline - Self.milliseconds()
      guard left > 0 else {
        throw broken(.unavailable, "the database has not answered within \(limits.statementMilliseconds) ms")
      }
      guard unsafe poll(&event, 1, Int32(left)) > 0 else { continue }
      // A lost connection may still have told why: libpq gives that as a result.
      if unsafe library.consumeInput(open) == 0, unsafe library.isBusy(open) != 0 { throw broken() }
    }
    let result = unsafe library.getResult(open)
    if unsafe library.status(open) != Int32(IK_CONNECTION_OK) {
      if let result = unsafe result { unsafe library.clear(result) }
      throw broken()
    }
    return unsafe result
  }

  private func error(in result: OpaquePointer, of entry: Awaited) -> SQLError? {
    switch unsafe library.resultStatus(result) {
    case Int32(IK_PGRES_COMMAND_OK), Int32(IK_PGRES_TUPLES_OK):
      guard let expected = entry.expecting else { return nil }
      let count = unsafe affectedRows(of: result)
      if count == expected { return nil }
      if let otherwise = entry.otherwise { return otherwise }
      let message = "\(count) rows were written where \(expected) were meant"
      return SQLError(kind: .unexpectedValue, message: message, sql: entry.sql)
    case Int32(IK_PGRES_PIPELINE_ABORTED): return nil
    default:
      let error = unsafe SQLError(postgres: result, library, sql: entry.sql)
      // What this connection has prepared is missing only in another session.
      return error.message.hasSuffix("[26000]") ? Self.exchanged : error
    }
  }

  func affectedRows(of result: OpaquePointer) -> Int {
    guard let digits = unsafe library.affectedRows(result) else { return 0 }
    return unsafe Int(String(cString: digits)) ?? 0
  }

  static func milliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}

// MARK: - Scripts

extension PostgresConnection {
  /// Several statements are one transaction unless one is open.
  public func script(_ sql: String) throws(SQLError) {
    if !awaited.isEmpty { try settle() }
    if let failure { throw failure }
    guard unsafe library.exitPipelineMode(open) == 1, unsafe library.sendQuery(open, sql) == 1 else { throw broken() }
    let deadline = Self.milliseconds() + limits.scriptMilliseconds
    var first: SQLError?
    while let result = try unsafe nextOrEnd(until: deadline) {
      let error = unsafe error(in: result, of: Awaited(kind: .statement, sql: sql))
      first = first ?? error
      unsafe library.clear(result)
    }
    guard unsafe library.enterPipelineMode(open) == 1 else { throw broken() }
    if let first { throw first }
  }
}

// MARK: - Listening

extension PostgresConnection {
  public var connection: any SQLConnection { self }

  public func wait(_ bell: Bell, milliseconds: Int) throws(SQLError) {
    if let failure { throw failure }
    if takeAnnouncements() { return }
    var events = unsafe [
      pollfd(fd: library.socket(open), events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&events, 2, Int32(milliseconds)) > 0 else { return }
    bell.silence()
    guard events[0].revents != 0 else { return }
    if unsafe library.consumeInput(open) == 0 { throw broken() }
    _ = takeAnnouncements()
  }

  private func takeAnnouncements() -> Bool {
    var isHeard = false
    while let notification = unsafe library.notifies(open) {
      isHeard = true
      unsafe library.freeMemory(notification)
    }
    return isHeard
  }
}

extension SQLError {
  /// What the server says of a statement. Its details may hold values, and are left out.
  init(postgres result: OpaquePointer, _ library: PostgresLibrary, sql: String) {
    func field(_ letter: Character) -> String {
      let code = Int32(letter.asciiValue ?? 0)
      return unsafe library.errorField(result, code).map { unsafe String(cString: $0) } ?? ""
    }
    let (state, message) = (field("C"), field("M"))
    self.init(kind: Kind(sqlState: state), message: state.isEmpty ? message : "\(message) [\(state)]", sql: sql)
  }
}

extension SQLError.Kind {
  /// By SQLSTATE (PostgreSQL's manual, appendix A).
  fileprivate init(sqlState: String) {
    self =
      switch sqlState {
      case "55P03", "57014": .busy
      case "40001", "40P01": .serialization
      case "53100", "54000": .full
      // A server that shuts down, starts up, is a standby, takes no more connections, or ended an idle transaction.
      case "57P01", "57P02", "57P03", "25006", "53300", "25P03": .unavailable
      case "XX001", "XX002": .corrupt
      case "58030": .inputOutput
      default:
        switch sqlState.prefix(2) {
        case "08": .unavailable
        case "23": .constraint
        default: .other
        }
      }
  }
}
