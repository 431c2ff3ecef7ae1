// One value on its way into or out of a database.

/// A bound argument or a column of a row. Text is compared byte for byte.
public enum SQLValue: Sendable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case blob([UInt8])

  public static func text(_ string: String?) -> SQLValue { string.map { .text($0) } ?? .null }
  public static func integer(_ number: Int?) -> SQLValue { number.map { .integer($0) } ?? .null }
}

extension SQLValue: Equatable {
  public static func == (left: SQLValue, right: SQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }
}

/// One row of a result, its columns in the order of the `SELECT` or `RETURNING`.
public struct SQLRow: Sendable {
  public let values: [SQLValue]

  public init(_ values: [SQLValue]) { self.values = values }

  public func text(_ column: Int) throws(SQLError) -> String {
    guard case .text(let value) = values[column] else { throw wrongType(column, "text") }
    return value
  }

  public func integer(_ column: Int) throws(SQLError) -> Int {
    guard case .integer(let value) = values[column] else { throw wrongType(column, "an integer") }
    return value
  }

  public func optionalText(_ column: Int) throws(SQLError) -> String? {
    if case .null = values[column] { nil } else { try text(column) }
  }

  public func optionalInteger(_ column: Int) throws(SQLError) -> Int? {
    if case .null = values[column] { nil } else { try integer(column) }
  }

  private func wrongType(_ column: Int, _ expected: String) -> SQLError {
    SQLError(kind: .unexpectedValue, message: "column \(column) of a row is not \(expected)")
  }
}
