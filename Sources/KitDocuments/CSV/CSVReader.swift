// Records and cells of a CSV file (RFC 4180), whatever its delimiter and line ends.

internal import InterviewKits
internal import JSON

struct CSVCell: Hashable {
  var text: String
  /// An empty cell in quotes is an empty text; without them it is nothing.
  var isQuoted: Bool

  /// Nil for a cell with nothing in it.
  var value: String? { text.isEmpty && !isQuoted ? nil : text }
}

struct CSVRecord {
  /// The line that it begins on, from 1.
  var line: Int
  /// From 1, the header being 0; lines without anything are no records.
  var number: Int
  var cells: [CSVCell]

  var source: ImportSource { ImportSource(line: line, record: number == 0 ? nil : number) }
}

/// Reads a whole file at once; what is wrong with its quotes is collected, not thrown.
struct CSVReader {
  private(set) var records: [CSVRecord] = []
  private(set) var issues: [Issue] = []

  private let bytes: [UInt8]
  /// Nil when the header has one column: then nothing separates cells.
  private var delimiter: UInt8?
  private var place = 0
  private var line = 1

  private static let quote = UInt8(ascii: "\"")

  /// - Parameter bytes: UTF-8 without a byte order mark.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    takeSeparatorLine()
    if delimiter == nil { delimiter = detectDelimiter() }
    while place < bytes.count {
      if records.count > ImportLimits.records {
        reportTooMany("records", limit: ImportLimits.records)
        break
      }
      readRecord()
    }
  }

  /// Spreadsheets may write `sep=;` before the header.
  private mutating func takeSeparatorLine() {
    let mark = Array("sep=".utf8)
    guard bytes.count > 4, bytes.prefix(4).map({ $0 | 0x20 }).elementsEqual(mark.map { $0 | 0x20 }),
      bytes[3] == mark[3],
      bytes.count == 5 || Self.isLineEnd(bytes[5])
    else { return }
    delimiter = bytes[4]
    place = 5
    if place < bytes.count { takeLineEnd() }
  }

  /// The one of comma, semicolon and tab that the header has most of, outside quotes.
  private func detectDelimiter() -> UInt8? {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    var counts = [0, 0, 0]
    var isQuoted = false
    var isHeader = false
    for byte in bytes[place...] {
      if byte == Self.quote { isQuoted.toggle() }
      if isQuoted { continue }
      if Self.isLineEnd(byte) {
        if isHeader { break }
        continue
      }
      isHeader = true
      if let candidate = candidates.firstIndex(of: byte) { counts[candidate] += 1 }
    }
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most).map { candidates[$0] }
  }

  // MARK: Records

  private mutating func readRecord() {
    var record = CSVRecord(line: line, number: records.count, cells: [])
    while true {
      record.cells.append(readCell(in: record))
      guard place < bytes.count else { break }
      if bytes[place] == delimiter {
        place += 1
        if record.cells.count < ImportLimits.cells { continue }
        reportTooMany("cells in one record", limit: ImportLimits.cells)
        place = bytes.count
        break
      }
      takeLineEnd()
      break
    }
    if record.cells.count > 1 || record.cells[0].value != nil { records.append(record) }
  }

  private mutating func readCell(in record: CSVRecord) -> CSVCell {
    guard place < bytes.count, bytes[place] == Self.quote else { return CSVCell(text: readPlain(), isQuoted: false) }
    let start = line
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      if byte == Self.quote {
        place += 1
        guard place < bytes.count, bytes[place] == Self.quote else {
          return CSVCell(text: String(decoding: text, as: UTF8.self) + afterQuote(in: record), isQuoted: true)
        }
      } else if byte == 0x0D || (byte == 0x0A && bytes[place - 1] != 0x0D) {
        line += 1
      }
      text.append(byte)
      place += 1
    }
    report(start, record, "unclosedQuote", "The quotation mark that begins a cell on this line is never closed.")
    return CSVCell(text: String(decoding: text, as: UTF8.self), isQuoted: true)
  }

  /// What stands between a closing quote and the delimiter: nothing, if the file is right.
  private mutating func afterQuote(in record: CSVRecord) -> String {
    let rest = readPlain()
    if !rest.isEmpty {
      report(
        line, record, "textAfterQuote",
        "There is text after a cell's closing quotation mark; a mark within a cell is doubled: \"\".")
    }
    return rest
  }

  private mutating func readPlain() -> String {
    let start = place
    while place < bytes.count, bytes[place] != delimiter, !Self.isLineEnd(bytes[place]) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func takeLineEnd() {
    if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A { place += 1 }
    place += 1
    line += 1
  }

  private mutating func reportTooMany(_ what: String, limit: Int) {
    issues.append(Issue(pointer: "", code: "tooMany", message: "More than \(limit) \(what).", line: line))
  }

  private mutating func report(_ line: Int, _ record: CSVRecord, _ code: String, _ message: String) {
    guard issues.count < JSONLimits.issues else { return }
    issues.append(
      Issue(pointer: "", code: code, message: message, line: line, record: record.number == 0 ? nil : record.number))
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
