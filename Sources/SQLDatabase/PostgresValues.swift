// Values on their way to and from PostgreSQL, in its binary format: exact, and without a copy as digits.
import CPostgres

/// Types by their object identifiers, which never change (`pg_type.dat`).
enum PostgresType {
  static let bool: Oid = 16
  static let bytea: Oid = 17
  static let name: Oid = 19
  static let int8: Oid = 20
  static let int2: Oid = 21
  static let int4: Oid = 23
  static let text: Oid = 25
  static let float8: Oid = 701
  static let unknown: Oid = 705
  static let varchar: Oid = 1_043
  static let void: Oid = 2_278
}

extension SQLValue {
  /// What the placeholder of a statement is declared as; 0 leaves it to the server.
  var postgresType: Oid {
    switch self {
    case .null: 0
    case .integer: PostgresType.int8
    case .real: PostgresType.float8
    case .text: PostgresType.text
    case .blob: PostgresType.bytea
    }
  }

  /// A column's value in binary format.
  /// - Throws: `unexpectedValue` for a type that the program does not use.
  init(postgres bytes: UnsafeRawBufferPointer, type: Oid) throws(SQLError) {
    func number() -> UInt64 { unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    switch type {
    case PostgresType.int8: self = .integer(Int(truncatingIfNeeded: number()))
    case PostgresType.int4: self = .integer(Int(Int32(truncatingIfNeeded: number())))
    case PostgresType.int2: self = .integer(Int(Int16(truncatingIfNeeded: number())))
    case PostgresType.bool: self = .integer(number() == 0 ? 0 : 1)
    case PostgresType.float8: self = .real(Double(bitPattern: number()))
    case PostgresType.text, PostgresType.varchar, PostgresType.name, PostgresType.unknown:
      self = unsafe .text(String(decoding: bytes, as: UTF8.self))
    case PostgresType.bytea: self = unsafe .blob([UInt8](bytes))
    case PostgresType.void: self = .null
    default:
      throw SQLError(
        kind: .unexpectedValue, message: "a column has the PostgreSQL type \(type), which is not read here")
    }
  }
}

/// The arguments of one statement, one after the other in one buffer.
struct PostgresArguments {
  /// Begins with a byte that belongs to nobody, so that there is an address to point to.
  private var bytes: [UInt8] = [0]
  /// Nil: NULL.
  private var ranges: [Range<Int>?] = []
  private(set) var types: [Oid] = []

  /// - Throws: `unexpectedValue` for a text with U+0000, which PostgreSQL does not keep.
  init(_ values: [SQLValue], sql: String) throws(SQLError) {
    ranges.reserveCapacity(values.count)
    types.reserveCapacity(values.count)
    for value in values {
      types.append(value.postgresType)
      let start = bytes.count
      switch value {
      case .null:
        ranges.append(nil)
        continue
      case .integer(let number): append(UInt64(bitPattern: Int64(number)))
      case .real(let number): append(number.bitPattern)
      case .text(let string):
        bytes.append(contentsOf: string.utf8)
        if bytes[start...].contains(0) {
          throw SQLError(
            kind: .unexpectedValue, message: "a text holds U+0000, which PostgreSQL does not keep", sql: sql)
        }
      case .blob(let blob): bytes.append(contentsOf: blob)
      }
      ranges.append(start..<bytes.count)
    }
  }

  private mutating func append(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  var count: Int { ranges.count }

  /// Calls `body` with libpq's arrays: values, lengths and formats, of which all are binary.
  func withPointers<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    let lengths = ranges.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: ranges.count)
    return unsafe bytes.withUnsafeBytes { buffer in
      let values: [UnsafePointer<CChar>?] = unsafe ranges.map { range in
        guard let range, let base = buffer.baseAddress else { return nil }
        return unsafe (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
      }
      return unsafe values.withUnsafeBufferPointer { values in
        unsafe lengths.withUnsafeBufferPointer { lengths in
          unsafe formats.withUnsafeBufferPointer { formats in
            unsafe body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
