// Kits as CSV files: which reader a file gets, and the format that an export has.

public import InterviewKits
internal import JSON

/// CSV in and out.
///
/// A table that somebody keeps needs a header with a column for the question; sections, types, options and more are
/// taken from further columns under the names that `TableColumn` knows.
///
/// An export has one record for each item, in the kit's order, with the kind of item in the column `item`: `kit`,
/// `section`, `question`, `option`, `criterion`, `scale`, `point`. A kit with nothing in it is a header line only. An
/// option follows its question, a question its section, a point its scale. An empty cell is nothing; an empty text is
/// written as `""`. `equals` is a JSON value. A spreadsheet takes a cell that begins with = + - @, a tab or a line
/// break for a formula: in the columns `text` and `help` such a cell gets an apostrophe before it, which is taken away
/// when the export is read.
public enum KitCSV {
  /// Reads a kit from a file in UTF-8 or UTF-16, and checks it.
  ///
  /// - Parameters:
  ///   - id: The ID from the address; nil takes the file's, or makes one.
  ///   - defaults: What is taken when the file does not say it.
  public static func decode(
    _ bytes: [UInt8], id: ItemID?, now: Timestamp, ids: ItemIDSource, defaults: ImportDefaults = ImportDefaults()
  ) throws(InvalidDocument) -> (kit: Kit, report: ImportReport) {
    let file = CSVReader(try ImportEncoding.utf8(bytes))
    let header =
      file.records.first?.cells.map { $0.text.trimmingSpaces().shortened(to: ImportLimits.columnNameScalars) } ?? []
    if header.contains("item") {
      let reader = KitCSVReader(file, header: header, defaults: defaults)
      return (try reader.draft.kit(id: id, now: now, ids: ids), reader.report)
    }
    let reader = TableCSVReader(file, header: header, defaults: defaults)
    return (try reader.draft.kit(id: id, now: now, ids: ids), reader.report)
  }

  /// The kit as a table that `decode` reads back as the same kit: UTF-8, commas, CRLF.
  public static func encode(_ kit: Kit) -> [UInt8] {
    var writer = KitCSVWriter()
    writer.write(kit)
    return writer.bytes
  }
}
