// SQL as the store uses it: a connection whose errors are the store's, and rows that read the domain's values.
import InterviewKits
import SQLDatabase

/// One connection in the store's terms. Like the connection, it is used by one thread at a time.
struct Session: Sendable {
  let connection: any SQLConnection

  /// Runs a statement whose result nobody reads; its error may come with any after it, at last with the commit.
  /// - Parameter expecting: how many rows it must write; nil: any number.
  func execute(_ sql: String, _ values: [SQLValue] = [], expecting: Int? = nil) throws(StoreError) {
    try mapped { () throws(SQLError) in try connection.send(sql, values, expecting: expecting) }
  }

  /// Runs a statement and says how many rows it wrote.
  func count(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
    try mapped { () throws(SQLError) in try connection.execute(sql, values) }
  }

  /// Calls `body` for each row until it returns false.
  func each(
    _ sql: String, _ values: [SQLValue], _ body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var failure: StoreError?
    try mapped { () throws(SQLError) in
      try connection.query(sql, values) { (row) throws(SQLError) in
        do throws(StoreError) { return try body(Row(row)) } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }

  /// All rows, read by `body`.
  func rows<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ body: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    var found: [Value] = []
    try each(sql, values) { (row) throws(StoreError) in
      found.append(try body(row))
      return true
    }
    return found
  }

  /// The first row, read by `body`; nil when there is none.
  func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ body: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    var found: Value?
    try each(sql, values) { (row) throws(StoreError) in
      found = try body(row)
      return false
    }
    return found
  }

  func begin(_ role: ConnectionRole) throws(StoreError) {
    try mapped { () throws(SQLError) in try connection.begin(role) }
  }

  func commit() throws(StoreError) { try mapped { () throws(SQLError) in try connection.commit() } }

  /// Runs `body` on one state of the database.
  func reading<Value>(_ body: (Session) throws(StoreError) -> Value) throws(StoreError) -> Value {
    try begin(.reading)
    defer { connection.rollback() }
    return try body(self)
  }
}

/// Runs SQL and gives its error as the store's.
func mapped<Value>(_ body: () throws(SQLError) -> Value) throws(StoreError) -> Value {
  do throws(SQLError) { return try body() } catch { throw StoreError(error) }
}

/// A row whose columns are read as the domain's values; anything else in them is a damaged database.
struct Row {
  private let row: SQLRow

  init(_ row: SQLRow) { self.row = row }

  var values: [SQLValue] { row.values }

  func text(_ column: Int) throws(StoreError) -> String {
    try mapped { () throws(SQLError) in try row.text(column) }
  }

  func optionalText(_ column: Int) throws(StoreError) -> String? {
    try mapped { () throws(SQLError) in try row.optionalText(column) }
  }

  func integer(_ column: Int) throws(StoreError) -> Int {
    try mapped { () throws(SQLError) in try row.integer(column) }
  }

  func optionalInteger(_ column: Int) throws(StoreError) -> Int? {
    try mapped { () throws(SQLError) in try row.optionalInteger(column) }
  }

  func id(_ column: Int) throws(StoreError) -> ItemID { try Self.id(text(column)) }

  func optionalID(_ column: Int) throws(StoreError) -> ItemID? {
    guard let text = try optionalText(column) else { return nil }
    return try Self.id(text)
  }

  func time(_ column: Int) throws(StoreError) -> Timestamp { Timestamp(milliseconds: try integer(column)) }

  func optionalTime(_ column: Int) throws(StoreError) -> Timestamp? {
    try optionalInteger(column).map { Timestamp(milliseconds: $0) }
  }

  func word<Word: RawRepresentable<String>>(_ column: Int, _ type: Word.Type) throws(StoreError) -> Word {
    guard let word = Word(rawValue: try text(column)) else { throw .damaged("an unknown \(type) in column \(column)") }
    return word
  }

  static func id(_ text: String) throws(StoreError) -> ItemID {
    guard let id = ItemID(text) else { throw .damaged("a stored ID is none") }
    return id
  }
}

extension StoreError {
  /// What is stored cannot be read; `what` holds no text of people.
  static func damaged(_ what: String) -> StoreError { .database("the database is damaged: \(what)") }
}

extension SQLValue {
  static func id(_ id: ItemID) -> SQLValue { .text(id.string) }
  static func id(_ id: ItemID?) -> SQLValue { .text(id?.string) }
  static func time(_ time: Timestamp) -> SQLValue { .integer(time.milliseconds) }
  static func time(_ time: Timestamp?) -> SQLValue { .integer(time?.milliseconds) }
  static func bytes(_ utf8: [UInt8]) -> SQLValue { .text(String(decoding: utf8, as: UTF8.self)) }
}
