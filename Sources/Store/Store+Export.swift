// Everything that a database holds as JSON lines that no database is named in: one state of it, in a stated order.
import InterviewKits
import JSON
import SQLDatabase

/// A line of an export is the header, the begin of a table, a row, or the end:
///
///     {"interviewkit":"export","format":1,"schema":7,"rows":123}
///     {"table":"kit","columns":["account_id",…],"rows":4}
///     ["default",…]
///     {"end":true,"rows":123,"digest":"…"}
///
/// `digest` is FNV-1a (64 bits, hexadecimal) of all bytes before that line.
enum Transfer {
  static let format = 1
}

extension Store {
  /// Writes all of a database: accounts, members without what lets them in, kits with every revision, the trash,
  /// evaluations, answers with their histories, profiles and the change feed. Exporting what was imported from an export
  /// gives the same bytes.
  /// - Parameters:
  ///   - database: `sqlite:` and the path of the file; a server may have it open.
  ///   - progress: told how many of how many rows are written.
  ///   - write: takes the next bytes; false stops.
  public static func exportAll(
    _ database: String, progress: (_ done: Int, _ total: Int) -> Void, write: ([UInt8]) -> Bool
  ) throws(StoreError) {
    let database = try named(database, limits: StoreLimits())
    let connection = try mapped { () throws(SQLError) in try database.connect(.reading) }
    defer { connection.close() }
    try Session(connection: connection).reading { (session) throws(StoreError) in
      var export = Export(session: session)
      try export.run(progress: progress, write: write)
    }
  }
}

/// One export.
private struct Export {
  let session: Session
  private var digest = Digest()
  private var pending: [UInt8] = []

  init(session: Session) { self.session = session }

  private static let bufferBytes = 1 << 16

  mutating func run(
    progress: (_ done: Int, _ total: Int) -> Void, write: ([UInt8]) -> Bool
  ) throws(StoreError) {
    try TransferTable.checkAllAreKnown(in: session)
    let version = try Migrations.version(of: session)
    guard version == Store.schemaVersion else {
      throw .database("the schema has version \(version), this program exports version \(Store.schemaVersion)")
    }
    var counts: [Int] = []
    for table in TransferTable.all { counts.append(try count(table)) }
    let total = counts.reduce(0, +)
    var header = JSONWriter()
    header.object { line in
      line.member("interviewkit", "export")
      line.member("format", Transfer.format)
      line.member("schema", version)
      line.member("rows", total)
    }
    try put(header.bytes, write)
    var done = 0
    for (table, count) in zip(TransferTable.all, counts) {
      let columns = try table.columns(in: session)
      try put(opening(table, columns, count), write)
      let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(table.order)"
      try session.each(sql, []) { (row) throws(StoreError) in
        try put(try line(row), write)
        done += 1
        if done % 1_000 == 0 { progress(done, total) }
        return true
      }
    }
    progress(done, total)
    var end = JSONWriter()
    end.object { line in
      line.member("end", true)
      line.member("rows", done)
      line.member("digest", digest.text)
    }
    try put(end.bytes, write)
    try flush(write)
  }

  private func count(_ table: TransferTable) throws(StoreError) -> Int {
    try session.first("SELECT COUNT(*) FROM \(table.name)") { (row) throws(StoreError) in try row.integer(0) } ?? 0
  }

  private func opening(_ table: TransferTable, _ columns: [String], _ count: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { line in
      line.member("table", table.name)
      line.member("columns") { list in list.array { list in for column in columns { list.string(column) } } }
      line.member("rows", count)
    }
    return writer.bytes
  }

  private func line(_ row: Row) throws(StoreError) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    var isForeign = false
    writer.array { list in
      for value in row.values {
        switch value {
        case .null: list.null()
        case .integer(let number): list.int(number)
        case .text(let text): list.string(text)
        case .real, .blob: isForeign = true
        }
      }
    }
    if isForeign { throw .damaged("a column holds neither text nor a whole number") }
    return writer.bytes
  }

  private mutating func put(_ line: [UInt8], _ write: ([UInt8]) -> Bool) throws(StoreError) {
    digest.add(line)
    pending += line
    pending.append(0x0A)
    if pending.count >= Self.bufferBytes { try flush(write) }
  }

  private mutating func flush(_ write: ([UInt8]) -> Bool) throws(StoreError) {
    guard write(pending) else { throw .database("the export can't be written") }
    pending.removeAll(keepingCapacity: true)
  }
}

/// FNV-1a over lines and their ends: it tells a damaged or another file, and keeps nobody from making two alike.
struct Digest: Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  var text: String { String(value, radix: 16) }

  mutating func add(_ line: [UInt8]) {
    for byte in line { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = (value ^ 0x0A) &* 0x100_0000_01B3
  }
}

extension TransferTable {
  /// A table that nobody has decided about is neither left behind nor given away.
  static func checkAllAreKnown(in session: Session) throws(StoreError) {
    let tables = try mapped { () throws(SQLError) in try session.connection.tables() }
    let known = Set(all.map(\.name)).union(staying)
    let unknown = tables.filter { !known.contains($0) }
    if !unknown.isEmpty { throw .database("it is not said whether these tables move: \(unknown)") }
  }
}
