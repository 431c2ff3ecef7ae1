// Evaluations as CSV: one record for each answer that says something.

public import InterviewKits
internal import JSON

/// One answer as it was read back from an export.
public struct ExportedAnswer: Hashable, Sendable {
  public var evaluationID: ItemID
  public var itemID: ItemID
  public var content: AnswerContent
  public var revision: Int
}

/// CSV out, and back.
///
/// A spreadsheet takes a cell that begins with = + - @, a tab or a line break for a formula. Such a cell gets an
/// apostrophe before it, as does one that looks as if it had got one; a reader takes it away and has the text as it was
/// typed. Numbers stay numbers. An empty cell is nothing, an empty text is `""`, several options are separated
/// by spaces. An evaluation that says nothing yet is no record.
public enum EvaluationCSV {
  enum Column: String, CaseIterable {
    case evaluationId, kitId, kitRevision, status, candidateId, candidateName, interviewerId, interviewerName, itemId
    case section, question, criterion, type, value, label, comment, notAssessed, revision, updatedAt, updatedBy, retired
  }

  public static let header: [UInt8] = Array(Column.allCases.map(\.rawValue).joined(separator: ",").utf8) + [0x0D, 0x0A]

  /// The records of one evaluation, without the header.
  public static func records(of export: EvaluationExport) -> [UInt8] {
    var bytes: [UInt8] = []
    let summary = export.evaluation.summary
    for entry in export.entries {
      let (answer, value) = (entry.answer, entry.answer.content.value)
      let cells: [Column: String?] = [
        .evaluationId: summary.id.string, .kitId: summary.kitID.string, .kitRevision: String(summary.kitRevision),
        .status: summary.status.rawValue, .candidateId: summary.candidate.id.string,
        .candidateName: summary.candidate.name?.string, .interviewerId: summary.interviewer.id.string,
        .interviewerName: summary.interviewer.name?.string, .itemId: answer.itemID.string,
        .section: entry.section?.title.string, .question: entry.question?.text.string,
        .criterion: entry.criterion?.text.string, .type: entry.type?.rawValue, .value: value.map(text),
        .label: value.flatMap { export.label(of: $0, to: entry.question) }, .comment: answer.content.comment?.string,
        .notAssessed: answer.content.notAssessed ? "true" : "false", .revision: String(answer.revision),
        .updatedAt: answer.updatedAt?.rfc3339, .updatedBy: answer.updatedBy?.string,
        .retired: entry.isRetired ? "true" : "false",
      ]
      for (place, column) in Column.allCases.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        guard let cell = cells[column] ?? nil else { continue }
        var isNumber = false
        if column == .value, case .number = value { isNumber = true }
        bytes.appendCSVCell(isNumber ? cell : FormulaGuard.guarded(cell))
      }
      bytes.append(contentsOf: [0x0D, 0x0A])
    }
    return bytes
  }

  private static func text(_ value: AnswerValue) -> String {
    switch value {
    case .text(let text): return text.string
    case .bool(let value): return value ? "true" : "false"
    case .option(let id), .point(let id): return id.string
    case .options(let ids): return ids.map(\.string).joined(separator: " ")
    case .date(let date): return date.iso8601
    case .number(let number):
      var writer = JSONWriter(capacity: 32)
      writer.number(number)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  // MARK: Reading

  /// Reads the answers back from an export.
  public static func decode(_ bytes: [UInt8]) throws(InvalidDocument) -> [ExportedAnswer] {
    let file = CSVReader(try ImportEncoding.utf8(bytes))
    let names = file.records.first?.cells.map(\.text) ?? []
    guard names == Column.allCases.map(\.rawValue) else {
      throw InvalidDocument(issues: [
        Issue(pointer: "", code: "unknownColumns", message: "This is no export of answers.")
      ])
    }
    var answers: [ExportedAnswer] = []
    for record in file.records.dropFirst() {
      func cell(_ column: Column) -> String? {
        Column.allCases.firstIndex(of: column).flatMap { $0 < record.cells.count ? record.cells[$0].value : nil }
      }
      guard let evaluationID = cell(.evaluationId).flatMap({ ItemID($0) }),
        let itemID = cell(.itemId).flatMap({ ItemID($0) }), let revision = cell(.revision).flatMap({ Int($0) })
      else {
        let issue = Issue(
          pointer: "", code: "invalidRecord", message: "This record names no answer.", line: record.line,
          record: record.number)
        throw InvalidDocument(issues: [issue])
      }
      let content = AnswerContent(
        value: cell(.value).flatMap { value($0, cell(.type)) },
        comment: cell(.comment).map { ExactText(FormulaGuard.unguarded($0)) }, notAssessed: cell(.notAssessed) == "true"
      )
      answers.append(
        ExportedAnswer(evaluationID: evaluationID, itemID: itemID, content: content, revision: revision))
    }
    return answers
  }

  private static func value(_ cell: String, _ type: String?) -> AnswerValue? {
    switch type.flatMap({ QuestionType(rawValue: $0) }) {
    case .yesNo: return .bool(cell == "true")
    case .singleSelect: return ItemID(cell).map { .option($0) }
    case .multiSelect: return .options(cell.split(separator: " ").compactMap { ItemID(String($0)) })
    case .rating: return ItemID(cell).map { .point($0) }
    case .date: return CalendarDate(iso8601: cell).map { .date($0) }
    case .number:
      return (try? JSONValue.parse(Array(cell.utf8))).flatMap { AnswerJSON.value($0, of: .number) }
    default: return .text(ExactText(FormulaGuard.unguarded(cell)))
    }
  }
}
