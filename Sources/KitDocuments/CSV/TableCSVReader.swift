// Reads anybody's table of questions: one question a record, sections from a column.

internal import InterviewKits
internal import JSON

struct TableCSVReader {
  private(set) var draft = KitDraft()
  private(set) var report = ImportReport()

  private let defaults: ImportDefaults
  private var columns: [TableColumn: Int] = [:]
  private var sectionRows: [ExactText: Int] = [:]

  init(_ file: CSVReader, header: [String], defaults: ImportDefaults) {
    self.defaults = defaults
    draft.issues = file.issues
    find(header, line: file.records.first?.line ?? 1)
    if columns[.question] != nil {
      for record in file.records.dropFirst() { read(record, columnCount: header.count) }
    }
    draft.take(defaults)
    report.sections = draft.sections.count
    report.questions = draft.sections.reduce(0) { $0 + $1.children.count }
  }

  private mutating func find(_ header: [String], line: Int) {
    let keys = header.map(TableWords.key)
    for column in TableColumn.allCases {
      columns[column] = column.names.lazy.compactMap { name in keys.firstIndex { $0 == name } }.first
    }
    let known = Set(columns.values)
    for (place, name) in header.enumerated() where !known.contains(place) && !name.isEmpty {
      report.leaveOut(line, .unknownColumn, name)
    }
    if columns[.question] == nil {
      let names = header.map { "\"\($0)\"" }.joined(separator: ", ")
      let found = header.isEmpty ? "The file is empty" : "The columns found are \(names)"
      draft.add(
        ImportSource(line: line), "noQuestionColumn",
        "\(found); one named question, text or title is needed.")
    }
  }

  private mutating func read(_ record: CSVRecord, columnCount: Int) {
    if record.cells.allSatisfy({ $0.value == nil }) { return }
    if record.isWiderThan(columnCount) { draft.add(record.source, "tooManyCells", CSVRecord.tooManyCells) }
    var node = DraftNode(item: ItemDraft(record.source), childrenName: "")
    if let id = self[.id, record]?.trimmingSpaces(), !id.isEmpty { node.item.set("id", id) }
    node.item.set("text", self[.question, record] ?? "")
    node.item.set("help", self[.help, record])
    readKind(record, into: &node)
    for (column, name) in [(TableColumn.required, "required"), (.isPrivate, "private")] {
      guard let cell = self[column, record] else { continue }
      if let value = TableWords.bool(cell) {
        node.item[name] = .bool(value)
      } else {
        draft.add(record.source, "invalidValue", "\(name) is yes or no, not \"\(cell)\".")
      }
    }
    let row = sectionRow(of: record)
    draft.sections[row].children.append(node)
  }

  private mutating func readKind(_ record: CSVRecord, into node: inout DraftNode) {
    let options = self[.options, record].map(TableWords.list) ?? []
    let criteria = self[.criteria, record].map(TableWords.list) ?? []
    let word = self[.type, record]?.trimmingSpaces() ?? ""
    var type = QuestionType.longText
    if !word.isEmpty {
      guard let named = TableWords.type(word) else {
        let types = QuestionType.allCases.map(\.rawValue).joined(separator: ", ")
        draft.add(record.source, "invalidValue", "\"\(word)\" is no type of question; the types are: \(types).")
        node.item.set("type", type.rawValue)
        return
      }
      type = named
    } else if !options.isEmpty {
      type = .singleSelect
    } else if !criteria.isEmpty {
      type = .scorecard
    }
    node.item.set("type", type.rawValue)
    if let scale = self[.scale, record]?.trimmingSpaces(), !scale.isEmpty { node.item.set("scale", scale) }
    if let cell = self[.maxLength, record] { node.item["maxLength"] = TableWords.json(cell) ?? .string(cell) }
    let isSelect = type == .singleSelect || type == .multiSelect
    if isSelect || !options.isEmpty { node.childrenName = "options" }
    if type == .scorecard || (!criteria.isEmpty && !isSelect) { node.childrenName = "criteria" }
    node.children = (node.childrenName == "criteria" ? criteria : options).map { text in
      var item = ItemDraft(record.source)
      item.set("text", text)
      return DraftNode(item: item, childrenName: "")
    }
  }

  /// Records of one category stand together, in the order in which the categories first come; those of none in a
  /// section that is named like the kit.
  private mutating func sectionRow(of record: CSVRecord) -> Int {
    let words = self[.section, record]?.trimmingSpaces() ?? ""
    let title = ExactText(words.isEmpty ? defaults.current?.title.string ?? defaults.title : words)
    if let row = sectionRows[title] { return row }
    var item = ItemDraft(record.source)
    item.set("title", title.string)
    draft.sections.append(DraftNode(item: item, childrenName: "questions"))
    sectionRows[title] = draft.sections.count - 1
    return draft.sections.count - 1
  }

  private subscript(_ column: TableColumn, _ record: CSVRecord) -> String? {
    guard let place = columns[column], place < record.cells.count else { return nil }
    return record.cells[place].value
  }
}
