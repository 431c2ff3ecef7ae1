// Reads a CSV table that `KitCSVWriter` wrote and people may have edited.

internal import InterviewKits
internal import JSON

struct KitCSVReader {
  private(set) var draft = KitDraft()
  private(set) var report = ImportReport()

  private let defaults: ImportDefaults
  private var columns: [KitColumn: Int] = [:]
  private var hasKitRecord = false
  private var isInScales = false

  /// The columns that may hold something, by the kind of item.
  private static let columns: [String: Set<KitColumn>] = [
    "kit": [.id, .text, .help, .language, .status, .visibility, .overallQuestionId],
    "scale": [.id, .text], "point": [.id, .text], "section": [.id, .text], "option": [.id, .text],
    "criterion": [.id, .text],
    "question": [.id, .type, .text, .help, .required, .private, .maxLength, .scale, .visibleWhen, .equals],
  ]

  init(_ file: CSVReader, header: [String], defaults: ImportDefaults) {
    self.defaults = defaults
    draft.issues = file.issues
    let line = file.records.first?.line ?? 1
    for (place, name) in header.enumerated() {
      guard let column = KitColumn(rawValue: name) else {
        if !name.isEmpty { report.leaveOut(line, .unknownColumn, name) }
        continue
      }
      if columns.updateValue(place, forKey: column) != nil {
        draft.add(ImportSource(line: line), "doubledColumn", "The column \"\(name)\" is there twice.")
      }
    }
    for record in file.records.dropFirst() { read(record, columnCount: header.count) }
    if !hasKitRecord { draft.take(defaults) }
    if draft.header["title"] == nil { draft.header.set("title", defaults.title) }
    report.sections = draft.sections.count
    report.questions = draft.sections.reduce(0) { $0 + $1.children.count }
  }

  private mutating func read(_ record: CSVRecord, columnCount: Int) {
    if record.isWiderThan(columnCount) {
      draft.add(record.source, "tooManyCells", CSVRecord.tooManyCells)
    }
    let kind = self[.item, record]?.trimmingSpaces() ?? ""
    guard let known = Self.columns[kind] else {
      if record.cells.allSatisfy({ $0.value == nil }) { return }
      let kinds = Self.columns.keys.sorted().joined(separator: ", ")
      return draft.add(record.source, "unknownItem", "\"\(kind)\" is no kind of item; the kinds are: \(kinds).")
    }
    for column in KitColumn.allCases where column != .item && !known.contains(column) {
      if self[column, record] != nil {
        draft.add(record.source, "notOfThisItem", "A \(kind) has nothing in the column \"\(column.rawValue)\".")
      }
    }
    switch kind {
    case "kit": readKit(record)
    case "scale":
      draft.scales.append(DraftNode(item: item(record, textName: "title"), childrenName: "points"))
      isInScales = true
    case "section":
      draft.sections.append(DraftNode(item: item(record, textName: "title"), childrenName: "questions"))
      isInScales = false
    case "question": readQuestion(record)
    default: readChild(record, kind: kind)
    }
  }

  private mutating func readKit(_ record: CSVRecord) {
    if hasKitRecord || !draft.sections.isEmpty || !draft.scales.isEmpty {
      draft.add(record.source, "outOfPlace", "There is one record of the kit, before all others.")
    }
    hasKitRecord = true
    draft.header = item(record, textName: "title")
    draft.header.set("instructions", self[.help, record])
    for column: KitColumn in [.language, .status, .visibility, .overallQuestionId] {
      draft.header.set(column.rawValue, self[column, record])
    }
  }

  private mutating func readQuestion(_ record: CSVRecord) {
    if draft.sections.isEmpty || isInScales {
      draft.add(record.source, "outOfPlace", "A question follows the section that it is in.")
      return
    }
    var node = DraftNode(item: item(record, textName: "text"), childrenName: "")
    let type = self[.type, record] ?? QuestionType.longText.rawValue
    node.item.set("type", type)
    switch QuestionType(rawValue: type) {
    case .singleSelect, .multiSelect: node.childrenName = "options"
    case .scorecard: node.childrenName = "criteria"
    default: break
    }
    node.item.set("help", self[.help, record])
    node.item.set("scale", self[.scale, record])
    for column: KitColumn in [.required, .private] {
      guard let cell = self[column, record] else { continue }
      if let value = TableWords.bool(cell) {
        node.item[column.rawValue] = .bool(value)
      } else {
        draft.add(record.source, "invalidValue", "\(column.rawValue) is true or false, not \"\(cell)\".")
      }
    }
    if let cell = self[.maxLength, record] { node.item["maxLength"] = TableWords.json(cell) ?? .string(cell) }
    readCondition(record, into: &node)
    draft.sections[draft.sections.count - 1].children.append(node)
  }

  private mutating func readCondition(_ record: CSVRecord, into node: inout DraftNode) {
    let (question, equals) = (self[.visibleWhen, record], self[.equals, record])
    if question == nil, equals == nil { return }
    guard let question, let equals, let value = TableWords.json(equals) else {
      return draft.add(
        record.source, "invalidCondition",
        "A condition has a question's ID in visibleWhen and a JSON value in equals: true, 5 or \"text\".")
    }
    node.item["visibleWhen"] = .object([JSONMember("questionId", .string(question)), JSONMember("equals", value)])
  }

  private mutating func readChild(_ record: CSVRecord, kind: String) {
    if kind == "point" {
      guard isInScales else {
        return draft.add(record.source, "outOfPlace", "A point follows the scale that it is of.")
      }
      let node = DraftNode(item: item(record, textName: "label"), childrenName: "")
      draft.scales[draft.scales.count - 1].children.append(node)
      return
    }
    let wanted = kind == "option" ? "options" : "criteria"
    guard !isInScales, let section = draft.sections.indices.last,
      let question = draft.sections[section].children.indices.last,
      draft.sections[section].children[question].childrenName == wanted
    else {
      let parent = kind == "option" ? "a singleSelect or multiSelect question" : "a scorecard"
      return draft.add(record.source, "outOfPlace", "A record of kind \"\(kind)\" follows \(parent).")
    }
    let node = DraftNode(item: item(record, textName: "text"), childrenName: "")
    draft.sections[section].children[question].children.append(node)
  }

  /// The members that all kinds of item have.
  private func item(_ record: CSVRecord, textName: String) -> ItemDraft {
    var item = ItemDraft(record.source)
    item.set("id", self[.id, record])
    item.set(textName, self[.text, record] ?? "")
    return item
  }

  private subscript(_ column: KitColumn, _ record: CSVRecord) -> String? {
    guard let place = columns[column], place < record.cells.count else { return nil }
    let value = record.cells[place].value
    return column.isText ? value.map(FormulaGuard.unguarded) : value
  }
}

extension CSVRecord {
  static let tooManyCells =
    "The record has more cells than the header: a text with a delimiter in it needs quotation marks around it."

  /// True when a cell beyond the header's columns holds something.
  func isWiderThan(_ columnCount: Int) -> Bool { cells.dropFirst(columnCount).contains { $0.value != nil } }
}
