// Opens libpq when the first PostgreSQL database is named: a program that uses SQLite neither links nor loads it.
import CPostgres
import Glibc

/// The functions of libpq that the driver calls.
///
/// `@unchecked Sendable`: function pointers that never change; libpq is safe with one thread to a connection.
/// `@safe`: the library is never closed, so the pointers stay valid.
@safe struct PostgresLibrary: @unchecked Sendable {
  let connect: PQconnectdbParamsFunction
  let finish: PQfinishFunction
  let status: PQconnectionFunction
  let socket: PQconnectionFunction
  let backendProcess: PQconnectionFunction
  let consumeInput: PQconnectionFunction
  let isBusy: PQconnectionFunction
  let flush: PQconnectionFunction
  let enterPipelineMode: PQconnectionFunction
  let exitPipelineMode: PQconnectionFunction
  let pipelineSync: PQconnectionFunction
  let setNonblocking: PQsetnonblockingFunction
  let errorMessage: PQerrorMessageFunction
  let parameterStatus: PQparameterStatusFunction
  let setNoticeProcessor: PQsetNoticeProcessorFunction
  let sendQuery: PQsendQueryFunction
  let sendPrepare: PQsendPrepareFunction
  let sendQueryPrepared: PQsendQueryPreparedFunction
  let getResult: PQgetResultFunction
  let notifies: PQnotifiesFunction
  let freeMemory: PQfreememFunction
  let clear: PQclearFunction
  let resultStatus: PQresultFunction
  let rowCount: PQresultFunction
  let columnCount: PQresultFunction
  let affectedRows: PQcmdTuplesFunction
  let errorField: PQresultErrorFieldFunction
  let columnType: PQftypeFunction
  let isNull: PQfieldFunction
  let length: PQfieldFunction
  let value: PQgetvalueFunction

  /// The library, opened once in the process.
  private static let shared: Result<PostgresLibrary, SQLError> = {
    do throws(SQLError) { return .success(try PostgresLibrary(named: "libpq.so.5")) } catch { return .failure(error) }
  }()

  /// - Throws: `cannotOpen` when the library is missing, or too old to have pipelines (14).
  static func open() throws(SQLError) -> PostgresLibrary { try shared.get() }

  init(named name: String) throws(SQLError) {
    guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw SQLError(
        kind: .cannotOpen,
        message: "PostgreSQL's client library \(name) is not installed; Debian has it in the package libpq5")
    }
    let symbols = unsafe PostgresSymbols(handle: handle, library: name)
    unsafe connect = try symbols.find("PQconnectdbParams")
    unsafe finish = try symbols.find("PQfinish")
    unsafe status = try symbols.find("PQstatus")
    unsafe socket = try symbols.find("PQsocket")
    unsafe backendProcess = try symbols.find("PQbackendPID")
    unsafe consumeInput = try symbols.find("PQconsumeInput")
    unsafe isBusy = try symbols.find("PQisBusy")
    unsafe flush = try symbols.find("PQflush")
    unsafe enterPipelineMode = try symbols.find("PQenterPipelineMode")
    unsafe exitPipelineMode = try symbols.find("PQexitPipelineMode")
    unsafe pipelineSync = try symbols.find("PQpipelineSync")
    unsafe setNonblocking = try symbols.find("PQsetnonblocking")
    unsafe errorMessage = try symbols.find("PQerrorMessage")
    unsafe parameterStatus = try symbols.find("PQparameterStatus")
    unsafe setNoticeProcessor = try symbols.find("PQsetNoticeProcessor")
    unsafe sendQuery = try symbols.find("PQsendQuery")
    unsafe sendPrepare = try symbols.find("PQsendPrepare")
    unsafe sendQueryPrepared = try symbols.find("PQsendQueryPrepared")
    unsafe getResult = try symbols.find("PQgetResult")
    unsafe notifies = try symbols.find("PQnotifies")
    unsafe freeMemory = try symbols.find("PQfreemem")
    unsafe clear = try symbols.find("PQclear")
    unsafe resultStatus = try symbols.find("PQresultStatus")
    unsafe rowCount = try symbols.find("PQntuples")
    unsafe columnCount = try symbols.find("PQnfields")
    unsafe affectedRows = try symbols.find("PQcmdTuples")
    unsafe errorField = try symbols.find("PQresultErrorField")
    unsafe columnType = try symbols.find("PQftype")
    unsafe isNull = try symbols.find("PQgetisnull")
    unsafe length = try symbols.find("PQgetlength")
    unsafe value = try symbols.find("PQgetvalue")
  }
}

/// Symbols of an opened library, which stays open.
@safe private struct PostgresSymbols {
  let handle: UnsafeMutableRawPointer
  let library: String

  /// - Parameter name: of a function whose C type is `Function`.
  func find<Function>(_ name: String) throws(SQLError) -> Function {
    guard let symbol = unsafe dlsym(handle, name) else {
      throw SQLError(kind: .cannotOpen, message: "\(library) has no \(name): version 14 or newer is needed")
    }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}
