// Takes an export into an empty database, and goes on where an import was interrupted.
public import InterviewKits
import JSON
import SQLDatabase

/// What came of an import.
public enum ImportOutcome: Hashable, Sendable {
  /// This many rows were written, by this run and those before it.
  case imported(rows: Int)
  /// The database held exactly this already.
  case unchanged
}

extension Store {
  /// Imports what `exportAll` wrote. IDs, revisions, histories and the feed are what they were. It works in portions: when
  /// it is interrupted, the same export goes on where it stopped, and until it is done nothing else opens the database.
  /// - Parameters:
  ///   - database: an empty one, one that this export was being imported into, or one that holds exactly this.
  ///   - file: the export's path, beside which a list of erasures may lie; nil when it has none.
  ///   - now: is written into a schema that is made.
  ///   - next: the export's next line without its end; nil at the end.
  ///   - progress: told how many of how many rows are here.
  /// - Returns: what came of it, and who was erased anew, as an export from before an erasure brings nobody back.
  public static func importAll(
    into database: String, from file: String? = nil, now: Timestamp, next: () -> [UInt8]?,
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws(StoreError) -> (outcome: ImportOutcome, erasedAnew: ErasedAnew) {
    let database = try named(database, limits: StoreLimits())
    let connection = try mapped { () throws(SQLError) in try database.connect(.writing) }
    defer { connection.close() }
    let session = Session(connection: connection)
    try Migrations.run(on: session, of: database, now: now)
    var run = Import(session: session)
    let outcome = try run.run(next, progress)
    let own = (database as? SQLiteDatabase).map { ErasureList(beside: $0) }
    let others = file.map { ErasureList.beside(copy: $0, of: database) } ?? []
    let lists = [own].compactMap(\.self) + others.filter { $0.path != own?.path }
    let erased = try carryOut(lists, on: session, of: database) { now }
    for list in others { try own?.add(try list.read()) }
    return (outcome, erased)
  }

  /// - Throws: when an import into the database was begun and is not done.
  static func checkNoImportIsUnderWay(_ session: Session) throws(StoreError) {
    let tables = try mapped { () throws(SQLError) in try session.connection.tables() }
    if tables.contains(TransferTable.progress) {
      throw .database("an import into it was interrupted: run it again with the whole file, and it goes on")
    }
  }
}

/// One import.
private struct Import {
  private enum Mode {
    case writing
    /// The database holds rows already: they must be exactly these.
    case comparing
  }

  let session: Session
  private var mode = Mode.writing
  private var digest = Digest()
  private var lines = 0
  /// Lines that an interrupted import has taken.
  private var known = 0
  private var resumeDigest: String?
  private var rows = 0
  private var total = 0
  private var table: (table: TransferTable, columns: [String], insert: String)?

  /// Lines taken in one transaction.
  private static let portion = 1_000

  init(session: Session) { self.session = session }

  mutating func run(
    _ next: () -> [UInt8]?, _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws(StoreError) -> ImportOutcome {
    guard let header = next() else { throw Self.wrong(line: 1, "the file is empty") }
    try begin(header)
    if mode == .writing { try session.begin(.writing) }
    defer { session.connection.rollback() }
    while let line = next() {
      if try take(line) {
        guard next() == nil else { throw Self.wrong(line: lines + 1, "it goes on after its end") }
        try finish()
        progress(rows, total)
        return mode == .writing ? .imported(rows: rows) : .unchanged
      }
      if lines % Self.portion == 0 {
        if mode == .writing, lines > known { try savePortion() }
        progress(rows, total)
      }
    }
    // What came is kept, so that the whole file goes on from here.
    if mode == .writing, lines > known { try savePortion() }
    throw Self.wrong(line: lines, "the file ends before its end line: it is cut off")
  }

  private static func wrong(line: Int, _ what: String) -> StoreError {
    .database("line \(line) of the export: \(what)")
  }
}

// MARK: - The beginning and the end

extension Import {
  private mutating func begin(_ header: [UInt8]) throws(StoreError) {
    let document = try document(header)
    lines = 1
    digest.add(header)
    guard document["interviewkit"] == .string("export"), Self.number(document["format"]) == Transfer.format else {
      throw Self.wrong(line: 1, "it is no export of interviewkit that this program reads")
    }
    let schema = Self.number(document["schema"]) ?? 0
    guard schema == Store.schemaVersion else {
      throw Self.wrong(
        line: 1, "it is of schema \(schema), this program takes \(Store.schemaVersion): export with this program")
    }
    total = Self.number(document["rows"]) ?? 0
    let tables = try mapped { () throws(SQLError) in try session.connection.tables() }
    if tables.contains(TransferTable.progress) {
      let place = try session.first("SELECT lines, digest, header FROM \(TransferTable.progress)") {
        (row) throws(StoreError) in (try row.integer(0), try row.text(1), try row.text(2))
      }
      guard let place else { throw .damaged("the import's progress is missing") }
      guard place.2 == digest.text else { throw Self.otherFile }
      (known, resumeDigest) = (place.0, place.1)
    } else if try isEmpty() {
      try makeRoom()
    } else {
      mode = .comparing
    }
  }

  private static let otherFile = StoreError.database(
    "the import of another export was interrupted here: run that one again, or begin in an empty folder")

  /// True for a database that holds nothing but what its schema brings along.
  private func isEmpty() throws(StoreError) -> Bool {
    for name in ["kit", "purged_kit", "candidate", "evaluation", "profile", "change", "retry", "token"] {
      let found = try session.first("SELECT 1 FROM \(name) LIMIT 1") { (_) throws(StoreError) in true }
      if found != nil { return false }
    }
    return true
  }

  /// Removes what the schema brings along: the export has rows of its own for it.
  private func makeRoom() throws(StoreError) {
    try session.begin(.writing)
    do throws(StoreError) {
      let columns = "id BIGINT NOT NULL PRIMARY KEY, lines BIGINT NOT NULL, digest TEXT NOT NULL, header TEXT NOT NULL"
      try session.execute("CREATE TABLE \(TransferTable.progress) (\(columns))")
      try session.execute(
        "INSERT INTO \(TransferTable.progress) (id, lines, digest, header) VALUES (1, 1, $1, $1)",
        [.text(digest.text)])
      for table in TransferTable.all.reversed() { try session.execute("DELETE FROM \(table.name)") }
      try session.commit()
    } catch {
      session.connection.rollback()
      throw error
    }
  }

  private func savePortion() throws(StoreError) {
    try session.execute(
      "UPDATE \(TransferTable.progress) SET lines = $1, digest = $2", [.integer(lines), .text(digest.text)])
    try session.commit()
    try mapped { () throws(SQLError) in try session.connection.maintain() }
    try session.begin(.writing)
  }

  private func finish() throws(StoreError) {
    guard rows == total else { throw Self.wrong(line: lines, "it has \(rows) rows, and should have \(total)") }
    if mode == .comparing { return try checkCounts() }
    try InSightRows.fill(in: session)
    try session.execute("DROP TABLE \(TransferTable.progress)")
    try session.commit()
    try mapped { () throws(SQLError) in try session.connection.consolidate() }
  }

  /// All rows of the export are here; nothing else may be.
  private func checkCounts() throws(StoreError) {
    var here = 0
    for table in TransferTable.all {
      here +=
        try session.first("SELECT COUNT(*) FROM \(table.name)") { (row) throws(StoreError) in
          try row.integer(0)
        } ?? 0
    }
    guard here == rows else { throw Self.notEmpty }
  }

  private static let notEmpty = StoreError.database(
    "the database holds other data: an export is imported into an empty folder")
}

// MARK: - Lines

extension Import {
  /// - Returns: true when it was the last line.
  private mutating func take(_ line: [UInt8]) throws(StoreError) -> Bool {
    if line.first == UInt8(ascii: "{") {
      let document = try document(line)
      if document["end"] != nil {
        guard case .string(let expected) = document["digest"], expected == digest.text else {
          throw Self.wrong(line: lines + 1, "the lines before it are not those that were exported")
        }
        lines += 1
        return true
      }
      try open(document)
    } else {
      // What an interrupted import has taken is only counted.
      if lines >= known { try takeRow(line) }
      rows += 1
    }
    lines += 1
    digest.add(line)
    if lines == known, let resumeDigest, resumeDigest != digest.text { throw Self.otherFile }
    return false
  }

  private mutating func open(_ document: JSONValue) throws(StoreError) {
    guard case .string(let name) = document["table"],
      let table = TransferTable.all.first(where: { $0.name == name }), case .array(let list) = document["columns"]
    else { throw Self.wrong(line: lines + 1, "it begins no table that this program knows") }
    let columns = list.map { value in if case .string(let name) = value { name } else { "" } }
    guard columns == (try table.columns(in: session)) else {
      throw Self.wrong(line: lines + 1, "the columns of \(name) are not those of this program")
    }
    let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let insert = "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places))"
    self.table = (table, columns, insert)
  }

  private func takeRow(_ line: [UInt8]) throws(StoreError) {
    guard let (table, columns, insert) = table, case .array(let list) = try document(line), list.count == columns.count
    else { throw Self.wrong(line: lines + 1, "it is no row of its table") }
    var values: [SQLValue] = []
    values.reserveCapacity(list.count)
    for value in list {
      switch value {
      case .null: values.append(.null)
      case .string(let text): values.append(.text(text))
      case .number(let number):
        guard let integer = number.integer else {
          throw Self.wrong(line: lines + 1, "\(number.text) is no whole number")
        }
        values.append(.integer(integer))
      default: throw Self.wrong(line: lines + 1, "it holds \(value.kindName)")
      }
    }
    if mode == .writing {
      do throws(StoreError) { try session.execute(insert, values) } catch {
        guard case .database(let cause) = error else { throw error }
        throw Self.wrong(line: lines + 1, cause)
      }
      return
    }
    let found = try stored(table, columns, values)
    guard found == values else { throw Self.notEmpty }
  }

  /// The row that the database has under the same key.
  private func stored(
    _ table: TransferTable, _ columns: [String], _ values: [SQLValue]
  ) throws(StoreError) -> [SQLValue]? {
    var key: [SQLValue] = []
    for name in table.key {
      guard let place = columns.firstIndex(of: name) else { throw .damaged("\(table.name) has no \(name)") }
      key.append(values[place])
    }
    let condition = table.key.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: " AND ")
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) WHERE \(condition)"
    return try session.first(sql, key) { (row) throws(StoreError) in row.values }
  }

  private func document(_ line: [UInt8]) throws(StoreError) -> JSONValue {
    do throws(JSONSyntaxError) { return try JSONValue.parse(line) } catch {
      throw Self.wrong(line: lines + 1, "it is no JSON (\(error.code))")
    }
  }

  private static func number(_ value: JSONValue?) -> Int? {
    if case .number(let number) = value { number.integer } else { nil }
  }
}
