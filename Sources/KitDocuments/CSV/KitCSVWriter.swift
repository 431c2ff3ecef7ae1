// Writes a kit as a CSV table with one record an item.

internal import InterviewKits
internal import JSON

/// The columns of an export.
enum KitColumn: String, CaseIterable {
  case item, id, type, text, help, required, `private`, maxLength, scale, visibleWhen, equals
  case language, status, visibility, overallQuestionId

  /// Holds what people write; the others hold IDs, words and values of JSON.
  var isText: Bool { self == .text || self == .help }
}

struct KitCSVWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ kit: Kit) {
    record(KitColumn.allCases.map(\.rawValue))
    if kit.sections.isEmpty, kit.scales.isEmpty { return }
    var cells: [KitColumn: String] = [
      .item: "kit", .id: kit.id.string, .text: kit.title.string, .status: kit.status.rawValue,
      .visibility: kit.visibility.rawValue,
    ]
    cells[.help] = kit.instructions?.string
    cells[.language] = kit.language
    cells[.overallQuestionId] = kit.overallQuestionID?.string
    record(cells)
    for scale in kit.scales {
      record([.item: "scale", .id: scale.id.string, .text: scale.title.string])
      for point in scale.points { record([.item: "point", .id: point.id.string, .text: point.label.string]) }
    }
    for section in kit.sections {
      record([.item: "section", .id: section.id.string, .text: section.title.string])
      for question in section.questions { write(question) }
    }
  }

  private mutating func write(_ question: Question) {
    var cells: [KitColumn: String] = [
      .item: "question", .id: question.id.string, .type: question.type.rawValue, .text: question.text.string,
      .required: question.required ? "true" : "false", .private: question.isPrivate ? "true" : "false",
    ]
    cells[.help] = question.help?.string
    cells[.scale] = question.scaleID?.string
    switch question.kind {
    case .shortText(let maxLength), .longText(let maxLength): cells[.maxLength] = String(maxLength)
    default: break
    }
    if let condition = question.visibleWhen {
      cells[.visibleWhen] = condition.questionID.string
      var writer = JSONWriter()
      KitJSON.write(condition.equals, to: &writer)
      cells[.equals] = String(decoding: writer.bytes, as: UTF8.self)
    }
    record(cells)
    for option in question.options { record([.item: "option", .id: option.id.string, .text: option.text.string]) }
    for criterion in question.criteria {
      record([.item: "criterion", .id: criterion.id.string, .text: criterion.text.string])
    }
  }

  private mutating func record(_ cells: [KitColumn: String]) {
    record(KitColumn.allCases.map { column in column.isText ? cells[column].map(FormulaGuard.guarded) : cells[column] })
  }

  private mutating func record(_ cells: [String?]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      if let cell { bytes.appendCSVCell(cell) }
    }
    bytes.append(contentsOf: [0x0D, 0x0A])
  }
}
