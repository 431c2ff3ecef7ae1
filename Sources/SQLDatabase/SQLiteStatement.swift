// One prepared SQLite statement: arguments in, rows out.
import CSQLite

/// SQLite numbers `$n` parameters by their first appearance, so arguments are bound by name.
/// `@safe`: the statement is private, and its connection outlives it.
@safe final class SQLiteStatement {
  private let sql: String
  private let handle: OpaquePointer
  private let statement: OpaquePointer
  /// The parameter index of `$1`, `$2` …
  private let parameters: [Int32]

  /// Makes SQLite copy the bytes: they live no longer than the call.
  private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  init(sql: String, handle: OpaquePointer) throws(SQLError) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK else { throw unsafe SQLError(code: code, handle: handle, sql: sql) }
    guard let prepared = unsafe prepared else { throw SQLError(kind: .other, message: "no statement", sql: sql) }
    unsafe (self.sql, self.handle, self.statement) = (sql, handle, prepared)
    let count = unsafe sqlite3_bind_parameter_count(prepared)
    var parameters: [Int32] = []
    for number in 0..<count { parameters.append(unsafe sqlite3_bind_parameter_index(prepared, "$\(number + 1)")) }
    precondition(!parameters.contains(0), "placeholders are $1 to $\(count): \(sql)")
    self.parameters = parameters
  }

  deinit { unsafe sqlite3_finalize(statement) }

  func takeSteps() -> Int { unsafe Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)) }

  func bind(_ values: [SQLValue]) throws(SQLError) {
    precondition(
      values.count == parameters.count, "\(values.count) values for \(parameters.count) placeholders: \(sql)")
    for (index, value) in zip(parameters, values) {
      let code = bind(value, at: index)
      if code != SQLITE_OK { throw unsafe SQLError(code: code, handle: handle, sql: sql) }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, Int64(number))
    case .real(let number): return unsafe sqlite3_bind_double(statement, index, number)
    case .text(var string):
      return string.withUTF8 { bytes in
        // An empty buffer may have no address, which would bind NULL.
        guard let start = bytes.baseAddress else { return unsafe sqlite3_bind_text(statement, index, "", 0, nil) }
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          unsafe sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, index, 0) }
      return unsafe bytes.withUnsafeBytes {
        unsafe sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.copied)
      }
    }
  }

  /// - Returns: true when there is a row.
  func step() throws(SQLError) -> Bool {
    let code = unsafe sqlite3_step(statement)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw unsafe SQLError(code: code, handle: handle, sql: sql)
    }
  }

  func row() -> SQLRow {
    let count = unsafe sqlite3_column_count(statement)
    var values: [SQLValue] = []
    values.reserveCapacity(Int(count))
    for column in 0..<count { values.append(value(at: column)) }
    return SQLRow(values)
  }

  private func value(at column: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(Int(unsafe sqlite3_column_int64(statement, column)))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let start = unsafe sqlite3_column_text(statement, column) else { return .text("") }
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      return .text(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      guard let start = unsafe sqlite3_column_blob(statement, column) else { return .blob([]) }
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      return unsafe .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }

  /// Ready for the next use, holding neither a lock nor the arguments.
  func reset() {
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
  }
}
