// Answers as JSON documents: values by type, merging, batches, and writing.

public import InterviewKits
public import JSON

/// One operation of a batch of answer writes. Its content is decoded by itself, as each operation has its own outcome.
public struct AnswerOperationDocument: Sendable {
  /// The client's name for this write; a repeated one is not written twice.
  public var operationID: String?
  public var itemID: ItemID
  /// The answer revision that the client saw.
  public var ifRevision: Int?
  /// `value`, `comment` and `notAssessed` as they were sent.
  public var content: JSONValue
  /// Where the operation stands in the batch.
  public var pointer: String

  /// What the client sent of it, but for its name: the same operation has the same bytes.
  public var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      writer.string(itemID.string)
      if let ifRevision { writer.int(ifRevision) } else { writer.null() }
      writer.value(content)
    }
    return writer.bytes
  }
}

/// The JSON documents of answers.
public enum AnswerJSON {
  /// The most bytes of an operation's ID.
  public static let maximumOperationIDBytes = 128

  /// Reads what a writer says of one answer, and checks it against its question.
  ///
  /// - Parameters:
  ///   - body: `{ "value", "comment", "notAssessed" }`; what else an answer's document shows is taken and not looked at.
  ///   - pointer: Where the body stands in the document that was sent.
  ///   - merging: The content that absent members leave as it is (PATCH); nil replaces it all (PUT).
  public static func decodeContent(
    _ body: JSONValue, for target: AnswerTarget, pointer: String = "", merging: AnswerContent? = nil
  ) throws(InvalidDocument) -> AnswerContent {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: pointer, issues: list) else { throw list.invalid }
    reader.ignore("revision", "updatedAt", "updatedBy")
    if let id = reader.itemID("itemId").value, id != target.itemID {
      reader.report("itemId", "idMismatch", "The document's itemId is not the item '\(target.itemID)' of the address.")
    }
    var content = merging ?? AnswerContent()
    switch reader.value("value") {
    case .absent: break
    case .null: content.value = nil
    case .value(let value):
      switch read(value, for: target) {
      case .success(let value): content.value = value
      case .failure(let problem):
        for issue in problem.issues { list.add(reader.pointer(to: "value") + issue.pointer, issue.code, issue.message) }
      }
    }
    switch reader.text("comment") {
    case .absent: break
    case .null: content.comment = nil
    case .value(let comment): content.comment = comment
    }
    switch reader.bool("notAssessed") {
    case .absent: break
    case .null: content.notAssessed = false
    case .value(let isNotAssessed): content.notAssessed = isNotAssessed
    }
    reader.finish()
    let form = list.issues.map {
      Issue(pointer: $0.pointer, itemID: target.itemID, code: $0.code, message: $0.message)
    }
    let issues = FormIssues.merge(form, with: target.issues(of: content, at: pointer))
    guard issues.isEmpty else { throw InvalidDocument(issues: issues) }
    return content
  }

  /// The operations of a batch, `{ "operations": [ … ] }`; what is wrong with one answer's content is not judged here.
  public static func decodeBatch(_ body: JSONValue) throws(InvalidDocument) -> [AnswerOperationDocument] {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let values = reader.requiredArray("operations") ?? []
    reader.finish()
    if values.count > KitLimits.operationsOfOneBatch {
      list.add(
        "/operations", "tooMany",
        "\(values.count) operations; at most \(KitLimits.operationsOfOneBatch) are accepted in one batch.")
      throw list.invalid
    }
    var operations: [AnswerOperationDocument] = []
    var seen: Set<ExactText> = []
    for (place, value) in values.enumerated() {
      let pointer = "/operations/\(place)"
      guard var reader = JSONObjectReader(value, at: pointer, issues: list), case .object(let members) = value else {
        continue
      }
      let operationID = reader.string("operationId").value
      if let operationID {
        if !(1...maximumOperationIDBytes).contains(operationID.utf8.count) {
          reader.report("operationId", "invalidId", "An operationId has 1 to \(maximumOperationIDBytes) bytes.")
        } else if !seen.insert(ExactText(operationID)).inserted {
          reader.report("operationId", "duplicateId", "Two operations of the batch have this operationId.")
        }
      }
      let ifRevision = reader.integer("ifRevision").value
      if let ifRevision, ifRevision < 0 { reader.report("ifRevision", "outOfRange", "A revision is 0 or more.") }
      guard let itemID = reader.requiredItemID("itemId") else { continue }
      let content = members.filter { !["operationId", "itemId", "ifRevision"].contains($0.name) }
      operations.append(
        AnswerOperationDocument(
          operationID: operationID, itemID: itemID, ifRevision: ifRevision, content: .object(content),
          pointer: pointer))
    }
    guard list.issues.isEmpty else { throw list.invalid }
    return operations
  }

  // MARK: Values

  /// A value as it was written by `writeValue`, for reading what was stored; nil for `null`, or when it is none.
  ///
  /// - Parameter type: The question's type; a criterion's is `rating`.
  public static func value(_ value: JSONValue, of type: QuestionType) -> AnswerValue? {
    switch (type, value) {
    case (.shortText, .string(let text)), (.longText, .string(let text)): .text(ExactText(text))
    case (.yesNo, .bool(let value)): .bool(value)
    case (.singleSelect, .string(let text)): ItemID(text).map { .option($0) }
    case (.multiSelect, .array(let values)): optionIDs(values).map { .options($0) }
    case (.number, .number(let number)): (try? number.exact.get()).map { .number($0) }
    case (.date, .string(let text)): CalendarDate(iso8601: text).map { .date($0) }
    case (.rating, .string(let text)), (.scorecard, .string(let text)): ItemID(text).map { .point($0) }
    default: nil
    }
  }

  private static func optionIDs(_ values: [JSONValue]) -> [ItemID]? {
    let ids = values.compactMap { value in if case .string(let text) = value { ItemID(text) } else { nil } }
    return ids.count == values.count ? ids : nil
  }

  private static func read(_ value: JSONValue, for target: AnswerTarget) -> Result<AnswerValue, InvalidDocument> {
    let type: QuestionType = if case .criterion = target { .rating } else { target.question.type }
    if case .string(let text) = value, text.utf8.contains(0) {
      return failure("containsNUL", "The text holds the character U+0000, which cannot be kept.")
    }
    if let value = Self.value(value, of: type) { return .success(value) }
    switch (type, value) {
    case (.singleSelect, .string(let text)): return failure("unknownOption", "The question has no option '\(text)'.")
    case (.rating, .string(let text)): return failure("unknownPoint", "The scale has no point '\(text)'.")
    case (.date, .string(let text)):
      return failure("invalidDate", "'\(text)' is no date of the calendar in the form YYYY-MM-DD.")
    case (.number, .number(let number)):
      if case .failure(let error) = number.exact { return failure(error.code, error.message) }
      return failure("wrongType", "The value is a number.")
    case (.multiSelect, .array(let values)):
      return .failure(
        InvalidDocument(
          issues: values.enumerated().compactMap { place, value in
            guard case .string(let text) = value else {
              return Issue(pointer: "/\(place)", code: "wrongType", message: "An option's ID is a string.")
            }
            if ItemID(text) != nil { return nil }
            return Issue(pointer: "/\(place)", code: "unknownOption", message: "The question has no such option.")
          }))
    default: return failure("wrongType", "\(expectation(of: type)), not \(value.kindName).")
    }
  }

  private static func failure(_ code: String, _ message: String) -> Result<AnswerValue, InvalidDocument> {
    .failure(InvalidDocument(issues: [Issue(pointer: "", code: code, message: message)]))
  }

  private static func expectation(of type: QuestionType) -> String {
    switch type {
    case .shortText, .longText: "The value of a \(type.rawValue) answer is a string"
    case .yesNo: "The value of a yesNo answer is true or false"
    case .singleSelect: "The value of a singleSelect answer is an option ID"
    case .multiSelect: "The value of a multiSelect answer is an array of option IDs"
    case .number: "The value of a number answer is a number"
    case .date: "The value of a date answer is a string, YYYY-MM-DD"
    case .rating, .scorecard: "The value of a rating or a criterion is a point ID"
    case .note: "A note takes no answer"
    }
  }

  // MARK: Writing

  public static func write(_ answer: Answer, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("itemId", answer.itemID.string)
      writer.member("value") { writeValue(answer.content.value, to: &$0) }
      writer.member("comment", answer.content.comment)
      writer.member("notAssessed", answer.content.notAssessed)
      writer.member("revision", answer.revision)
      writer.member("updatedAt", answer.updatedAt?.rfc3339)
      writer.member("updatedBy", answer.updatedBy)
    }
  }

  /// What a writer says of one answer, without revision and author: the `sent` of a 412.
  public static func write(_ content: AnswerContent, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("value") { writeValue(content.value, to: &$0) }
      writer.member("comment", content.comment)
      writer.member("notAssessed", content.notAssessed)
    }
  }

  /// A value alone; nil is written as `null`.
  public static func writeValue(_ value: AnswerValue?, to writer: inout JSONWriter) {
    switch value {
    case nil: writer.null()
    case .text(let text): writer.string(text.string)
    case .bool(let value): writer.bool(value)
    case .option(let id), .point(let id): writer.string(id.string)
    case .options(let ids): writer.array { writer in for id in ids { writer.string(id.string) } }
    case .number(let number): writer.number(number)
    case .date(let date): writer.string(date.iso8601)
    }
  }
}
